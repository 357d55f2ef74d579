"""The tables that this process serves: it asks a table, appends to its log, and only then lets anyone see.

Durable before visible: a batch of events is stored before it is folded, and folded before it is sent. If another
process was faster, the batch is thrown away, the table catches up, and the question is asked anew. One task a table
keeps its game going: dice when they are due, bots, deadlines, the end.
"""

import asyncio
import contextlib
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pokade.chance import Chance
from pokade.fairness import Provable, commitment, new_seed
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOBODY
from pokade.players import player
from pokade.server.events import SEATED, Event, batches, stored
from pokade.server.frames import Audience, Frame
from pokade.server.storage import Storage, TableIndex, VersionTaken
from pokade.server.table import GRACE, HOUSE, ON, OPEN, OVER, Table, TableRefused, create

Ask = Callable[[Table, float], Sequence[Event]]
Fairness = Callable[[Table], Chance]
CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH: Final = 5
SWEPT: Final = 100  # tables at a time
A_DAY: Final = 86_400
A_MONTH: Final = 30 * A_DAY


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take, in seconds; tests make them zero."""

    reveal: float = 4.0  # to look at what was shown, before the next dice
    bots: tuple[float, float] = (0.6, 1.8)  # a bot's neutral delay, whatever it has to think about


@dataclass(slots=True, eq=False)
class Listener:
    """Somebody who looks at a table: a bounded queue of frames for each viewer they are."""

    person: str
    queue: asyncio.Queue[list[Frame]]
    is_dropped: bool = False

    def offer(self, frames: list[Frame]) -> None:
        """A slow reader is dropped, and comes back with the last number it has; it never holds up a table."""
        try:
            self.queue.put_nowait(frames)
        except asyncio.QueueFull:
            self.is_dropped = True


@dataclass(slots=True, eq=False)
class Room:
    """A table in this process: its fold, who looks at it, and the task that keeps it going."""

    audience: Audience
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    listeners: set[Listener] = field(default_factory=set)
    away_since: dict[str, float] = field(default_factory=dict)
    next_tapped: set[str] = field(default_factory=set)
    task: asyncio.Task[None] | None = None

    @property
    def table(self) -> Table:
        return self.audience.table

    def push(self, frames: dict[int, Frame]) -> None:
        for listener in self.listeners:
            mine = [frames[v] for v in self.table.viewers_of(listener.person) if v in frames]
            if mine:
                listener.offer(mine)

    def people_present(self) -> set[str]:
        seated = {seat.person for seat in self.table.seats if seat.person and not seat.is_standby}
        return seated & {listener.person for listener in self.listeners}


class Hub:
    """All tables of this process."""

    def __init__(
        self,
        storage: Storage,
        *,
        fairness: Fairness | None = None,
        pace: Pace | None = None,
        clock: Callable[[], float] = time.time,
        think: Callable[[Callable[[], int]], Awaitable[int]] = asyncio.to_thread,
    ) -> None:
        self.storage = storage
        self.rooms: dict[str, Room] = {}
        self._fairness = fairness or provable
        self._pace = pace or Pace()
        self._clock = clock
        self._think = think
        self._loading: dict[str, asyncio.Lock] = {}
        self._following: set[asyncio.Task[None]] = set()

    async def create(self, host: str, data: dict[str, Any]) -> Table:
        """A new table with a secret seed in its log and its commitment for all to see."""
        table_id, seed = secrets.token_hex(8), new_seed()
        secret = {"secret": seed.hex(), "commitment": commitment(seed, table_id)}
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        first = create(data | secret | {"code": code, "host": host}, self._clock())
        table = Table(table_id)
        table.apply(first)
        await self.storage.append(table_id, 1, stored(first), index=index_of(table, self._clock()))
        return (await self.room(table_id)).table

    async def room(self, table_id: str) -> Room:
        """The room of a table, folded from its log the first time anyone asks."""
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            if table_id not in self.rooms:
                room = Room(Audience(Table(table_id)))
                await self._catch_up(room)
                if room.table.version == 0:
                    raise TableRefused("table/unknown", "there is no such table")
                self.rooms[table_id] = room
                room.task = asyncio.create_task(self._keep_going(room))
        return self.rooms[table_id]

    async def ask(self, table_id: str, question: Ask) -> Table:
        """Ask a table, store what it answers, fold it, send it. Refusals come through unchanged."""
        room = await self.room(table_id)
        await self._append(room, question)
        return room.table

    async def _append(self, room: Room, question: Ask) -> None:
        async with room.lock:
            while True:
                now = self._clock()
                batch = question(room.table, now)
                if not batch:
                    return
                after = _peek(room.table, batch)
                try:
                    version = room.table.version + 1
                    await self.storage.append(room.table.id, version, stored(batch), index=index_of(after, now))
                except VersionTaken:
                    await self._catch_up(room)
                    continue
                self._fold(room, batch)
                return

    def _fold(self, room: Room, batch: Sequence[Event]) -> None:
        room.push(room.audience.apply(batch))
        room.woken.set()

    async def _catch_up(self, room: Room) -> None:
        logged = await self.storage.events(room.table.id, after=room.table.version)
        for batch in batches(row.event for row in logged):
            self._fold(room, batch)

    async def attend(self) -> None:
        """Hear of what other processes append to the tables that are served here too."""
        await self.storage.listen(self._heard)

    def _heard(self, table_id: str, version: int) -> None:
        room = self.rooms.get(table_id)
        if room is not None and room.table.version < version:
            task = asyncio.create_task(self._follow(room))
            self._following.add(task)
            task.add_done_callback(self._following.discard)

    async def _follow(self, room: Room) -> None:
        async with room.lock:
            await self._catch_up(room)

    async def close(self) -> None:
        """Stop all tables; what is stored is all there is to keep."""
        for room in self.rooms.values():
            if room.task is not None:
                room.task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await room.task
        self.rooms.clear()

    # The task of a table.

    async def _keep_going(self, room: Room) -> None:
        while room.table.status != OVER:
            room.woken.clear()
            if room.table.status == OPEN or room.table.is_paused:
                await room.woken.wait()
            elif room.table.turn == CHANCE:
                await self._draw(room)
            elif room.table.turn == NOBODY:
                await self._append(room, _end)
            else:
                await self._await_choices(room)

    async def _draw(self, room: Room) -> None:
        await self._look_at_the_reveal(room)
        play = room.table.play
        if play is None or room.table.turn != CHANCE:
            return
        outcomes = drawn(play, self._fairness(room.table))
        version = room.table.version
        with contextlib.suppress(TableRefused):  # paused meanwhile, or another process was faster
            await self._append(room, lambda table, now: table.chance(outcomes, now) if table.version == version else [])

    async def _look_at_the_reveal(self, room: Room) -> None:
        """People get a moment after a reveal, or until all of them have tapped Next; with nobody there, none."""
        table = room.table
        if not table.play or not table.play.steps or table.play.steps[-1][0] == CHANCE:
            return
        until = table.opened_at + self._pace.reveal
        while (left := until - self._clock()) > 0 and room.people_present() - room.next_tapped:
            await _wait(room.woken, left)
            room.woken.clear()
        room.next_tapped.clear()

    async def _await_choices(self, room: Room) -> None:
        """Bots answer after a neutral delay; who misses the deadline or is gone too long is played for."""
        table = room.table
        version = table.version
        house = [seat for seat in table.missing if table.seats[seat].is_played_by_the_house]
        if house:
            await asyncio.sleep(random.uniform(*self._pace.bots))
            for seat in house:
                await self._play_for(room, seat)
            return
        deadline = table.deadline
        gone = self._first_gone(room)
        times = [at for at in (deadline, gone[0] if gone else None) if at is not None]
        if times:
            await _wait(room.woken, min(times) - self._clock())
        else:
            await room.woken.wait()
        if deadline is not None and self._clock() >= deadline and room.table.version == version:
            for seat in room.table.missing:
                await self._play_for(room, seat)
        if gone and self._clock() >= gone[0]:
            with contextlib.suppress(TableRefused):
                await self._append(room, lambda t, now: t.stand_by(gone[1], now))

    async def _play_for(self, room: Room, seat: int) -> None:
        play = room.table.play
        if play is None or seat not in room.table.missing:
            return
        level = room.table.seats[seat].bot or HOUSE
        view, step = play.view(seat), play.state.step
        choice = await self._think(lambda: player(level, play.game)(view))

        def question(table: Table, now: float) -> Sequence[Event]:
            is_still_asked = table.play is not None and table.play.state.step == step and seat in table.missing
            return table.play_for(seat, choice, now) if is_still_asked else []

        with contextlib.suppress(TableRefused):  # the person was back in time
            await self._append(room, question)

    def _first_gone(self, room: Room) -> tuple[float, int] | None:
        """When the next person who is away has been gone for too long, and their seat."""
        grace = GRACE[room.table.clock]
        if grace is None:
            return None
        gone = [
            (room.away_since[place.person] + grace, seat)
            for seat, place in enumerate(room.table.seats)
            if place.person in room.away_since and not place.is_standby
        ]
        return min(gone, default=None)

    async def sweep(self) -> None:
        """Take up tables whose deadline passed while nobody served them, and end those that nobody comes back to."""
        now = self._clock()
        for found in await self.storage.due(now, SWEPT):
            await self.room(found.table)
        for found in await self.storage.idle(now - A_DAY, SWEPT):
            table = (await self.room(found.table)).table
            if now - found.index.updated_at >= (A_MONTH if table.clock == "1day" else A_DAY):
                await self.ask(found.table, _forget)

    async def rematch(self, table_id: str, person: str) -> Table:
        """The same people once more, seats turned by one. Whoever asks second finds the table of the first."""
        old = (await self.room(table_id)).table
        if not old.rematch:
            old.follow(person, "", "", self._clock())  # refuses before a table is made in vain
            new = await self.create(old.host, old.turned())
            await self.ask(table_id, lambda table, now: table.follow(person, new.id, new.code, now))
            if old.rematch == new.id:
                await self.ask(new.id, lambda _, now: _seat_again(old, now))
        return (await self.room(old.rematch)).table

    # People who come and go.

    async def listen(self, table_id: str, person: str, queue: asyncio.Queue[list[Frame]], last: int = 0) -> Listener:
        """Somebody looks at a table: first what is true now, or was missed since frame `last`; then every frame."""
        room = await self.room(table_id)
        listener = Listener(person, queue)
        async with room.lock:
            log = [row.event for row in await self.storage.events(table_id)] if last else []
            for viewer in room.table.viewers_of(person):
                listener.offer(room.audience.tail(log, viewer, last))
            room.listeners.add(listener)
        room.away_since.pop(person, None)
        room.woken.set()
        return listener

    async def unlisten(self, table_id: str, listener: Listener) -> None:
        """Somebody looks away."""
        room = await self.room(table_id)
        room.listeners.discard(listener)
        if listener.person not in {other.person for other in room.listeners}:
            room.away_since[listener.person] = self._clock()
        room.woken.set()

    async def tap_next(self, table_id: str, person: str) -> None:
        """A person has seen enough of the reveal."""
        room = await self.room(table_id)
        room.next_tapped.add(person)
        room.woken.set()


def drawn(play: Play, chance: Chance) -> list[int]:
    """The outcomes that come together now: the dice of a throw, the cards of a hand."""
    ahead, outcomes = play.copy(), []
    for _ in range(play.game.together(play.state)):
        outcome = ahead.game.outcome_at(ahead.state, chance.draw(ahead.game.tickets(ahead.state)))
        ahead.happen(outcome)
        outcomes.append(outcome)
    return outcomes


def provable(table: Table) -> Provable:
    """The table's own chance, where its game has got to."""
    done = sum(actor == CHANCE for actor, _ in table.play.steps) if table.play is not None else 0
    return Provable(bytes.fromhex(table.secret), table.id, [seat.salt for seat in table.seats], table.game, done)


def index_of(table: Table, now: float) -> TableIndex:
    """What can be searched of a table."""
    people = tuple(dict.fromkeys(seat.person for seat in table.seats if seat.person))
    return TableIndex(
        code=table.code,
        game=table.game,
        status=table.status,
        listed=table.is_listed,
        deadline=table.deadline,
        updated_at=now,
        seats=people,
    )


def _peek(table: Table, batch: Sequence[Event]) -> Table:
    """The table as it will be once the batch is stored."""
    after = table.copy()
    after.apply(batch)
    return after


def _end(table: Table, now: float) -> list[Event]:
    return [table.ended("played", now, table.secret)] if table.status == ON and table.turn == NOBODY else []


def _forget(table: Table, now: float) -> list[Event]:
    return [table.ended("forgotten", now)] if table.status != OVER else []


def _seat_again(old: Table, now: float) -> list[Event]:
    """Everybody who was there to the end, one seat further on."""
    seated = []
    for seat, place in enumerate(old.seats):
        who = {"bot": place.bot} if place.bot else {"person": place.person}
        data = {"seat": (seat + 1) % len(old.seats), "name": place.name, **who}
        seated.append(Event(SEATED, now, data))
    return seated


async def _wait(woken: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(woken.wait(), max(0.0, seconds))
