"""The tables that this process serves: it asks a table, appends to its log, and only then lets anyone see.

Durable before visible: a batch of events is stored before it is folded, and folded before it is sent. If another
process was faster, the batch is thrown away, the table catches up, and the question is asked anew. One task a table
keeps its game going: dice when they are due, bots, deadlines, the end.
"""

import asyncio
import contextlib
import json
import math
import random
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, Protocol

from pokade.chance import Chance
from pokade.fairness import Provable, commitment, new_seed
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOBODY, copied, how_many
from pokade.players import is_strong, player
from pokade.server import archive, events, newcomers, snapshots
from pokade.server.durations import Durations
from pokade.server.events import Event, batches, stored
from pokade.server.frames import Audience, packed
from pokade.server.guard import log_bug
from pokade.server.lessons import LEARNER, lesson
from pokade.server.recent import Recent
from pokade.server.rematches import planned
from pokade.server.snapshots import frozen, thawed
from pokade.server.storage import CodeTaken, Snapshot, Storage, StorageError, StorageGone, TableIndex, VersionTaken
from pokade.server.stories import STORY, story
from pokade.server.strong import StrongBots
from pokade.server.table import CLOCKS, GRACE, HOUSE, ON, OPEN, OVER, PACES, Table, TableRefused, create, told_apart

Ask = Callable[[Table, float], Sequence[Event]]
Fairness = Callable[[Table], Chance]
CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH: Final = 5
SWEPT: Final = 100  # tables at a time
PUT_AWAY: Final = 10  # logs at a time
CUT: Final = 1000  # events at a time
A_DAY: Final = 86_400
A_MONTH: Final = 30 * A_DAY
_MOVES: Final = frozenset((events.CHANCE, events.CHOICE, events.TIMEOUT, events.CHAT, events.MUTED))
FRESH: Final = 600.0  # seconds that the index of a table may lag behind its game
TRIES: Final = 5  # for a join code that nobody has
SLICE: Final = 100  # events of a log that are folded before others have their turn
AT_ONCE: Final = 1 << 17  # bytes of a snapshot that are read on the event loop
HOUSE_HAS_CHOSEN: Final = 60.0  # seconds after which a bot has answered, however long it thinks
PRESENT: Final = 45.0  # seconds that another process is believed to have somebody at a table
ALONE: Final = (
    0.375  # of a bot's delay where seats decide one after the other: several of them may come before a person
)
TRY_AGAIN: Final = 1.0  # second until a table asks a database once more that does not answer


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take; tests make it nothing."""

    reveal: float = 1.0  # how much of the time that an event is worth a look people get before the house goes on
    # … and with math.inf the next throw or deal waits until all who are there have tapped Next
    bots: tuple[float, float] = (0.6, 1.8)  # seconds: a bot's neutral delay, whatever it has to think about


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a table waits for anybody to come back, and how long what is left of it is kept; in seconds."""

    usual: float = A_DAY
    slow: float = A_MONTH  # with a day for each decision
    logs: float = 90 * A_DAY  # of tables that are over; then only the record of the game is left …
    records: float = 400 * A_DAY  # … and then nothing

    def of(self, table: Table) -> float:
        return self.slow if CLOCKS[table.clock] == A_DAY else self.usual


class LogCut(StorageGone):
    """The beginning of a log is not there any more."""


class Outbound(Protocol):
    """Where packed frames go. It never waits: too many, and it raises QueueFull."""

    def put_nowait(self, frame: bytes, /) -> None: ...


@dataclass(slots=True, eq=False)
class Listener:
    """Somebody who looks at a table: a bounded queue for the frames of all viewers they are."""

    person: str
    queue: Outbound
    viewers: tuple[int, ...] = ()
    claim: int | None = None  # the seat that they are known to have asked for
    is_dropped: bool = False

    def offer(self, frame: bytes) -> None:
        """A slow reader is dropped, and comes back with the last number it has; it never holds up a table."""
        try:
            self.queue.put_nowait(frame)
        except asyncio.QueueFull:
            self.is_dropped = True


@dataclass(slots=True)
class Unshown:
    """What is to be counted of choices that are still sealed. To count it at once would tell that they are there."""

    choices: int = 0
    appends: list[float] = field(default_factory=list)  # how long each took
    counts: list[Callable[[], None]] = field(default_factory=list)  # what else is to be counted then


@dataclass(slots=True, eq=False)
class Room:
    """A table in this process: its fold, who looks at it, and the task that keeps it going."""

    audience: Audience
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    listeners: set[Listener] = field(default_factory=set)
    recent: Recent = field(default_factory=Recent)
    away_since: dict[str, float] = field(default_factory=dict)
    next_tapped: set[str] = field(default_factory=set)
    unshown: Unshown = field(default_factory=Unshown)
    task: asyncio.Task[None] | None = None
    indexed: TableIndex | None = None  # what storage has of it
    kept_at: int = 0  # the version of its last snapshot
    changed_at: float = 0.0  # when anything has happened that all may know
    record: str = ""  # of its game, if that is all that is left
    table: Table = field(init=False)

    def __post_init__(self) -> None:
        self.table = self.audience.table

    def fold(self, batch: Sequence[Event]) -> bool:
        """Fold a batch that is stored, send everybody who looks what they get of it, and say whether the game moved."""
        step, are_moves = self.table.step, _are_moves(batch)
        frames = self._told(batch)
        for listener in self.listeners:
            if not are_moves:
                self._look_anew(listener, frames)
                continue
            for viewer in listener.viewers:
                if viewer in frames:
                    listener.offer(frames[viewer])
        has_moved = self.table.step != step
        if has_moved:
            self.next_tapped.clear()  # whoever tapped has seen enough of the step before
        if has_moved or not are_moves:  # a choice that stays sealed gives the house nothing to do
            self.changed_at = batch[-1].at
            self.woken.set()
        return has_moved

    def _told(self, batch: Sequence[Event]) -> dict[int, bytes]:
        """Fold a batch; the frames of all viewers whom somebody is, or may come back as."""
        watched = {viewer for listener in self.listeners for viewer in listener.viewers}
        self.recent.follow(watched)
        wanted = {*watched, *self.recent.viewers}
        frames = {viewer: packed(frame) for viewer, frame in self.audience.apply(batch, wanted).items()}
        for viewer, frame in frames.items():
            self.recent.keep(viewer, frame, is_seen=viewer in watched)
        self.recent.hand_on(batch)
        return frames

    def tail(self, viewer: int, last: int) -> list[bytes]:
        """What a viewer who has frame number `last` has missed; else, and under strict memory, what is true now."""
        missed = self.recent.since(viewer, last, self.audience.numbers[viewer])
        if missed is None or self.table.is_forgetful:
            return [packed(self.audience.snapshot(viewer))]
        return missed

    def _look_anew(self, listener: Listener, frames: dict[int, bytes]) -> None:
        """Through new eyes, of a seat one has just taken, one first sees all there is."""
        before, listener.viewers = listener.viewers, tuple(self.table.viewers_of(listener.person))
        for viewer in listener.viewers:
            if viewer not in before:
                listener.offer(packed(self.audience.snapshot(viewer)))
            elif viewer in frames:
                listener.offer(frames[viewer])
        self.tell_of_claim(listener)

    def tell_of_claim(self, listener: Listener) -> None:
        """Let somebody know which seat they have asked for, if they don't know yet."""
        claim = newcomers.claim_of(self.table, listener.person)
        if claim != listener.claim:
            listener.claim = claim
            listener.offer(packed({"kind": "claim", "seat": claim}))

    @property
    def is_being_read(self) -> bool:
        """Does a guided game wait for its learner to have read what is said?"""
        return self.table.is_to_be_read and self.table.seats[LEARNER].person not in self.next_tapped

    def is_left(self, now: float) -> bool:
        """Does nobody look, and is there nothing to do but wait for somebody, or for a deadline that storage knows?

        A while after anything has changed the house has chosen for its seats. Whether it has is never asked: how many
        tables are in memory is for everybody to see.
        """
        if self.listeners or self.lock.locked():
            return False
        table = self.table
        waits = any(not table.seats[seat].is_played_by_the_house for seat in table.due)
        is_quiet = now - self.changed_at >= HOUSE_HAS_CHOSEN
        return table.status != ON or (waits and is_quiet and GRACE[table.clock] is None)


class Hub:
    """All tables of this process."""

    def __init__(
        self,
        storage: Storage,
        *,
        fairness: Fairness | None = None,
        pace: Pace | None = None,
        patience: Patience | None = None,
        clock: Callable[[], float] | None = None,
        think: Callable[[Callable[[], int]], Awaitable[int]] = asyncio.to_thread,
    ) -> None:
        self.storage = storage
        self.rooms: dict[str, Room] = {}
        self._fairness = fairness or provable
        self._pace = pace or Pace()
        self._patience = patience or Patience()
        self._clock = clock or steady()
        self.appends = Durations()
        self.choices = 0  # of people, that lie open
        self._think = think
        self.strong = StrongBots()
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._errands: set[asyncio.Task[None]] = set()
        self._is_closing = False
        self._process = secrets.token_hex(8)

    async def create(self, host: str, data: dict[str, Any]) -> Table:
        """A new table with a secret seed in its log and its commitment for all to see."""
        table_id, seed = secrets.token_hex(8), new_seed()
        secret = {"secret": seed.hex(), "commitment": commitment(seed, table_id)}
        for _ in range(TRIES):
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            first = create(data | secret | {"code": code, "host": host}, self._clock())
            table = Table(table_id)
            table.apply(first)
            with contextlib.suppress(CodeTaken):
                began = time.perf_counter()
                await self.storage.append(table_id, 1, stored(first), index=index_of(table, self._clock()))
                self.appends.observe(time.perf_counter() - began)
                return (await self.room(table_id)).table
        raise TableRefused("table/codes", "there are too many tables")

    async def teach(self, person: str, name: str, game: str) -> Table:
        """A guided game that has begun: its learner, and rivals who do what the lesson says."""
        script = lesson(game)
        data = {"game": game, "seats": len(script.names), "options": dict(script.options), "script": script.data()}
        table = await self.create(person, data | {"clock": "none", "listed": False, "tells": False})
        seated = [{"seat": seat, "bot": HOUSE, "name": rival} for seat, rival in enumerate(script.names)]
        seated[LEARNER] = {
            "seat": LEARNER,
            "person": person,
            "name": told_apart(name, [*script.names[:LEARNER], *script.names[LEARNER + 1 :]]),
        }
        return await self.ask(
            table.id, lambda _, now: [*(Event(events.SEATED, now, who) for who in seated), Event(events.STARTED, now)]
        )

    async def room(self, table_id: str) -> Room:
        """The room of a table, folded from its log the first time anyone asks."""
        if table_id in self.rooms:
            return self.rooms[table_id]
        self._want_open()
        if table_id not in self._loading:
            self._loading[table_id] = asyncio.create_task(self._load(table_id))
        return await asyncio.shield(self._loading[table_id])

    def _want_open(self) -> None:
        if self._is_closing:
            raise StorageGone("The house is closing.")

    async def _load(self, table_id: str) -> Room:
        try:
            room = Room(await self._recalled(table_id))
            room.kept_at = room.table.version
            try:
                await self._catch_up(room)
            except LogCut:
                room = await self._put_away(table_id)
            if room.table.version == 0 and not room.record:
                room = await self._put_away(table_id)
            self._want_open()
            room.changed_at = self._clock()
            room.away_since = dict.fromkeys(room.table.people, self._clock())  # until they come back
            self.rooms[table_id] = room
            room.task = asyncio.create_task(self._keep_going(room))
            return room
        finally:
            del self._loading[table_id]

    async def _put_away(self, table_id: str) -> Room:
        """The room of a table whose log is gone: its record is left, or nothing."""
        found = await self.storage.record(table_id)
        if found is None:
            raise TableRefused("table/unknown", "there is no such table")
        table = await asyncio.to_thread(archive.restored, table_id, found)
        return Room(Audience(table, self._clock), record=found.text)

    async def _recalled(self, table_id: str) -> Audience:
        """A table as far as its snapshot has got; one that another program has made, or that is broken, is no help."""
        found, audience = await self.storage.snapshot(table_id), Audience(Table(table_id))
        if found is not None and found.maker == snapshots.maker():
            try:
                is_long = len(found.body) > AT_ONCE
                audience = await asyncio.to_thread(thawed, found.body) if is_long else thawed(found.body)
            except Exception as error:
                log_bug(error)
        audience.clock = self._clock
        return audience

    async def ask(self, table_id: str, question: Ask) -> Table:
        """Ask a table, store what it answers, fold it, send it. Refusals come through unchanged."""
        room = self.rooms.get(table_id) or await self.room(table_id)
        await self._append(room, question)
        return room.table

    async def _append(self, room: Room, question: Ask) -> None:
        async with room.lock:
            while True:
                now = self._clock()
                batch = question(room.table, now)
                if not batch:
                    return
                _want_log(room)
                table, index = room.table, None if _are_moves(batch) else index_of(_peek(room.table, batch), now)
                began = time.perf_counter()
                try:
                    await self.storage.append(table.id, table.version + 1, stored(batch), index=index)
                except VersionTaken:
                    await self._catch_up(room)
                    continue
                room.indexed = index or room.indexed
                if index is not None:
                    self._get_bots_ready(table, batch)
                took = time.perf_counter() - began
                has_moved = room.fold(batch)
                self._count(room, batch, took, has_moved)
                if has_moved and not self._is_indexed(room, now):
                    self._index(room, now)
                self._keep_snapshot(room)
                return

    def _count(self, room: Room, batch: Sequence[Event], took: float, has_moved: bool) -> None:
        """Count what people do and how long it takes to keep it; sealed choices when they lie open, and only then."""
        chosen = [event for event in batch if event.kind == events.CHOICE]
        if not chosen and not has_moved:
            self.appends.observe(took)
        else:
            room.unshown.choices += sum(bool(event["id"]) for event in chosen)
            room.unshown.appends.append(took)
        if has_moved or room.table.status != ON:
            self.choices += room.unshown.choices
            for seconds in room.unshown.appends:
                self.appends.observe(seconds)
            for count in room.unshown.counts:
                count()
            room.unshown = Unshown()

    def _get_bots_ready(self, table: Table, batch: Sequence[Event]) -> None:
        """A strong bot that sits down has its code made while people still gather."""
        if any(event.kind == events.SEATED and is_strong(event.data.get("bot", "")) for event in batch):
            self.strong.get_ready(table.game)

    async def _catch_up(self, room: Room) -> None:
        """Fold what others have appended, a slice of the log at a time: other tables have their turn between."""
        limit = SLICE
        while True:
            version = room.table.version
            logged = await self.storage.events(room.table.id, version, limit)
            if logged and logged[0].version != version + 1:
                raise LogCut("The log of this table is gone.")
            for batch in batches(row.event for row in logged):
                room.fold(batch)
            if len(logged) < limit:
                break
            limit = SLICE if room.table.version > version else 2 * limit  # a batch may be longer than a slice
            await asyncio.sleep(0)
        self._keep_snapshot(room)
        room.table.set_right(self._clock())

    def _keep_snapshot(self, room: Room) -> None:
        """Every few hundred events the folded table is stored, behind them and in nobody's way."""
        if room.table.version - room.kept_at < snapshots.EVERY:
            return
        room.kept_at = room.table.version
        made = Snapshot(room.table.version, snapshots.maker(), frozen(room.audience))
        self._run(self._put_snapshot(room.table.id, made))

    async def _put_snapshot(self, table_id: str, made: Snapshot) -> None:
        with contextlib.suppress(StorageError):  # it follows from the log, and there is a next one
            await self.storage.put_snapshot(table_id, made)

    def _is_indexed(self, room: Room, now: float) -> bool:
        """Does storage know all that a step can change? Without a clock, a step changes nothing that is searched."""
        known = room.indexed
        return known is not None and now - known.updated_at < FRESH and known.deadline == _due_at(room.table, now)

    def _index(self, room: Room, now: float) -> None:
        """The index follows a game at its steps, never at a choice that is still sealed: lists would tell of it."""
        index, known = index_of(room.table, now), room.indexed
        is_fresh = known is not None and now - known.updated_at < FRESH
        if known is None or not is_fresh or replace(index, updated_at=known.updated_at) != known:
            room.indexed = index
            self._run(self._put_index(room.table.id, index))

    async def _put_index(self, table_id: str, index: TableIndex) -> None:
        with contextlib.suppress(StorageError):  # it follows from the log, and comes with the next step
            await self.storage.put_index(table_id, index)

    def _run(self, errand: Coroutine[Any, Any, None]) -> None:
        if self._is_closing:
            errand.close()
            return
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def attend(self) -> None:
        """Hear of what other processes append to the tables that are served here too."""
        await self.storage.listen(self._heard)

    def _heard(self, table_id: str, version: int) -> None:
        room = self.rooms.get(table_id)
        if room is not None and room.table.version < version:
            self._run(self._follow(room))

    async def _follow(self, room: Room) -> None:
        with contextlib.suppress(StorageError):  # gone for a while: the next news, or the next append, catches up
            async with room.lock:
                await self._catch_up(room)

    async def close(self) -> None:
        """Stop all tables; what is stored is all there is to keep."""
        self._is_closing = True  # a commit that is still under way tells of itself, and nobody follows any more
        running = [room.task for room in self.rooms.values() if room.task is not None]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, *self._loading.values(), *self._errands, return_exceptions=True)
        await self.strong.close()
        self.rooms.clear()

    # The task of a table.

    async def _keep_going(self, room: Room) -> None:
        while room.table.status != OVER:
            room.woken.clear()
            try:
                await self._go_on(room)
            except StorageError:  # full or gone for a while: nothing was lost, and the table goes on when it is back
                await asyncio.sleep(TRY_AGAIN)
            except Exception as error:  # a bug, perhaps of a bot, does not leave people alone at the table for ever
                log_bug(error)
                await asyncio.sleep(TRY_AGAIN)

    async def _go_on(self, room: Room) -> None:
        """The next thing that the house has to do at a table, or waiting for it."""
        if room.table.status == OPEN:
            await self._await_host(room)
        elif room.table.idle:
            await self._append(room, _stand_idle)
        elif room.table.is_paused or room.is_being_read:
            await self._await_people(room)
        elif room.table.turn == NOBODY or room.table.is_taught:
            await self._look_at_the_reveal(room)
            await self._append(room, _end)
        elif room.table.turn == CHANCE:
            await self._draw(room)
        else:
            await self._await_choices(room)

    async def _await_host(self, room: Room) -> None:
        """Before the start a host who is gone too long makes way for one of those who are there."""
        host, grace = room.table.host, GRACE[room.table.clock]
        if host not in room.away_since or grace is None:
            await room.woken.wait()
            return
        await _wait(room.woken, room.away_since[host] + grace - self._clock())
        if self._clock() < room.away_since.get(host, self._clock()) + grace:
            return
        there = await self._present(room)
        if host in there:  # through another process
            room.away_since[host] = self._clock()
        elif there:
            await self._append(room, lambda table, now: table.pass_on(host, there, now))
        else:
            await room.woken.wait()

    async def _draw(self, room: Room) -> None:
        """Between two rounds newcomers come in; then dice fall."""
        await self._append(room, newcomers.let_in)
        await self._look_at_the_reveal(room)
        await self._append(room, newcomers.let_in)
        play = room.table.play
        if play is None or room.table.turn != CHANCE:
            return
        outcomes = self._outcomes(room.table, play)
        version = room.table.version
        with contextlib.suppress(TableRefused):  # paused meanwhile, or another process was faster
            await self._append(room, lambda table, now: table.chance(outcomes, now) if table.version == version else [])

    def _outcomes(self, table: Table, play: Play) -> list[int]:
        """What comes together now, from the table's own chance or a lesson's."""
        if table.script is None:
            return drawn(play, self._fairness(table))
        return table.script.draws_after(table.draws, play.game.together(play.state))

    async def _look_at_the_reveal(self, room: Room) -> None:
        """People get a moment after a reveal, or until all of them have tapped Next; with nobody there, none."""
        until = self._looked_until(room.table)
        while (left := until - self._clock()) > 0 and await self._present(room) - room.next_tapped:
            await _wait(room.woken, left)
            room.woken.clear()

    def _looked_until(self, table: Table) -> float:
        look = table.opened_at - table.stepped_at
        if self._pace.reveal < math.inf:
            return table.stepped_at + look * self._pace.reveal
        is_held = look > 0 and table.turn == CHANCE and table.script is None  # there, and only there, Next is offered
        return math.inf if is_held else table.stepped_at

    async def _present(self, room: Room) -> set[str]:
        """The people who sit here and look, through this process or another."""
        sitting = {seat.person for seat in room.table.seats if seat.person and not seat.is_standby}
        return await self._looking(room) & sitting

    async def _looking(self, room: Room) -> set[str]:
        """Everybody who looks, through this process or another."""
        here = {listener.person for listener in room.listeners}
        return here | await self.storage.present(room.table.id, self._clock()) if self.storage.is_shared else here

    async def _await_choices(self, room: Room) -> None:
        """Bots answer after a neutral delay; people have their time."""
        table = room.table
        house = [seat for seat in table.missing if table.seats[seat].is_played_by_the_house]
        if house:
            await self._look_at_the_reveal(room)
            await self._play_for(room, house, self._neutral_moment(table))
        else:
            await self._await_people(room)

    def _neutral_moment(self, table: Table, since: float | None = None) -> float:
        """When the house shows what it has chosen. Drawn before it thinks: how long that takes tells nothing.

        It counts from now or from a deadline, which is no tell as the moment when the house wakes up may be.
        """
        delay = random.uniform(*self._pace.bots) * PACES[table.pace_now]
        late = 0.0 if since is None else self._clock() - since
        return asyncio.get_running_loop().time() - late + delay * (ALONE if how_many(table.turn) == 1 else 1.0)

    async def _await_people(self, room: Room) -> None:
        """Wait for what somebody does; who misses the deadline is played for, and who is gone too long stands by."""
        version, deadline = room.table.version, room.table.deadline
        gone = self._first_gone(room)
        times = [at for at in (deadline, gone[0] if gone else None) if at is not None]
        if times:
            await _wait(room.woken, min(times) - self._clock())
        else:
            await room.woken.wait()
        if deadline is not None and self._clock() >= deadline and room.table.version == version:
            await self._play_for(room, room.table.missing, self._neutral_moment(room.table, deadline))
        if gone and self._clock() >= gone[0]:
            await self._stand_by(room, gone[1])

    async def _stand_by(self, room: Room, seat: int) -> None:
        """Somebody has been gone for too long, unless another process has seen them."""
        person = room.table.seats[seat].person
        if person is not None and person in await self._present(room):
            room.away_since[person] = self._clock()
            return
        with contextlib.suppress(TableRefused):
            await self._append(room, lambda t, now: t.stand_by(seat, now))

    async def _play_for(self, room: Room, seats: Sequence[int], not_before: float) -> None:
        """The house chooses for seats, all at once: one by one would tell the first of them that others are late."""
        step = room.table.step
        missing = [seat for seat in seats if seat in room.table.missing]
        chosen = await asyncio.gather(*(self._choice_for(room, seat) for seat in missing))
        choices = dict(zip(missing, chosen, strict=True))
        await asyncio.sleep(not_before - asyncio.get_running_loop().time())

        def question(table: Table, now: float) -> Sequence[Event]:
            batch: list[Event] = []
            for seat in choices if table.step == step else ():
                with contextlib.suppress(TableRefused):  # the person was back in time
                    batch += table.play_for(seat, choices[seat], now) if seat in table.missing else []
            return batch

        await self._append(room, question)

    async def _choice_for(self, room: Room, seat: int) -> int:
        """What a bot or a lesson chooses, from the view of its seat alone."""
        table, play = room.table, room.table.play
        assert play is not None  # noqa: S101 - somebody is to choose
        given = table.script.choice(table.step, seat) if table.script is not None else None
        if given is not None:
            return given
        level, view = table.seats[seat].bot or HOUSE, play.view(seat)
        if is_strong(level):
            return await self.strong.choose(level, view, room.unshown.counts.append)
        return await self._think(lambda: player(level, play.game)(view))

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
        if self.storage.is_shared:
            await self.storage.stay(self._process, now + PRESENT)
        for found in await self.storage.due(now, SWEPT):
            self._index(await self.room(found.table), now)
        for found in await self.storage.idle(now - self._patience.usual, SWEPT):
            room = await self.room(found.table)
            if now - found.index.updated_at >= self._patience.of(room.table) and not room.listeners:
                await self.ask(found.table, _forget)
            else:
                room.indexed = None
                self._index(room, now if room.listeners else found.index.updated_at)
        await self._put_old_tables_away(now)
        self._let_go()

    async def _put_old_tables_away(self, now: float) -> None:
        """Logs of tables that are over go after a while, records later; a few at a time."""
        for found in await self.storage.over(now - self._patience.logs, PUT_AWAY, logged=True):
            room = await self.room(found.table)
            if not room.listeners:
                await self._cut(room)
        for found in await self.storage.over(now - self._patience.records, SWEPT, logged=False):
            self._drop(found.table)
            await self.storage.forget(found.table)

    async def _cut(self, room: Room) -> None:
        """Keep the record, then delete the log, slice by slice; a table without a game leaves nothing."""
        table = room.table
        if table.play is not None and not room.record:
            await self.storage.keep_record(table.id, await asyncio.to_thread(archive.kept, table))
        while not await self.storage.cut_log(table.id, CUT):
            pass
        self._drop(table.id)
        if table.play is None:
            await self.storage.forget(table.id)

    def _drop(self, table_id: str) -> None:
        room = self.rooms.pop(table_id, None)
        if room is not None and room.task is not None:
            room.task.cancel()

    def _let_go(self) -> None:
        """Tables that nobody looks at and that only wait need no memory; their log brings them back."""
        for table_id, room in list(self.rooms.items()):
            if room.is_left(self._clock()):
                self._drop(table_id)

    async def rematch(
        self, table_id: str, person: str, options: Mapping[str, Any] | None = None, game: str | None = None
    ) -> Table:
        """The next game of the evening, of the same people. Whoever asks second finds the table of the first."""
        room = await self.room(table_id)
        old = room.table
        if not old.rematch:
            _want_log(room)
            old.follow(person, "", "", self._clock())  # refuses before a table is made in vain
            plan = planned(old, person, game, options, await self._looking(room))
            new = await self.create(plan.host, plan.settings)
            await self.ask(table_id, lambda table, now: table.follow(person, new.id, new.code, now))
            is_first = old.rematch == new.id
            await self.ask(new.id, lambda table, now: plan.seated(now) if is_first else _forget(table, now))
        return (await self.room(old.rematch)).table

    # People who come and go.

    async def listen(
        self, table_id: str, person: str, queue: Outbound, last: Mapping[int, int] | None = None
    ) -> Listener:
        """Somebody looks at a table: first what is true now, or was missed since the last frames; then every frame."""
        listener = Listener(person, queue)
        async with self._held(table_id) as room:
            listener.viewers = tuple(room.table.viewers_of(person))
            room.recent.follow(listener.viewers)
            for viewer in listener.viewers:
                for frame in room.tail(viewer, (last or {}).get(viewer, 0)):
                    listener.offer(frame)
            room.listeners.add(listener)
            room.tell_of_claim(listener)
        room.away_since.pop(person, None)
        room.woken.set()
        if self.storage.is_shared:
            self._run(self._tell_of(table_id, person, is_here=True))
        return listener

    async def _tell_of(self, table_id: str, person: str, *, is_here: bool) -> None:
        """Let the other processes know who looks at a table through this one."""
        with contextlib.suppress(StorageError):  # said again with the next sweep, or runs out
            if is_here:
                await self.storage.arrive(self._process, table_id, person, self._clock() + PRESENT)
            else:
                await self.storage.depart(self._process, table_id, person)

    @contextlib.asynccontextmanager
    async def _held(self, table_id: str) -> AsyncIterator[Room]:
        """The room of a table with its lock; one that was let go a moment ago comes back first."""
        while True:
            room = await self.room(table_id)
            async with room.lock:
                if self.rooms.get(table_id) is room:
                    yield room
                    return

    async def unlisten(self, table_id: str, listener: Listener) -> None:
        """Somebody looks away."""
        room = self.rooms.get(table_id)  # a table that somebody looks at stays, until the house closes
        if room is None:
            return
        room.listeners.discard(listener)
        is_gone = listener.person not in {other.person for other in room.listeners}
        if is_gone and listener.person in room.table.people:
            room.away_since[listener.person] = self._clock()
        if is_gone and self.storage.is_shared:
            self._run(self._tell_of(table_id, listener.person, is_here=False))
        room.woken.set()

    async def pause(self, table_id: str, person: str, is_paused: bool) -> None:
        """Stop the clocks of a table, or start them again; who may depends on who is there."""
        there = await self._present(await self.room(table_id))
        await self.ask(table_id, lambda table, now: table.pause(person, is_paused, now, there))

    async def tap_next(self, table_id: str, person: str) -> None:
        """A person has seen enough of the reveal."""
        room = await self.room(table_id)
        room.next_tapped.add(person)
        room.woken.set()


def steady() -> Callable[[], float]:
    """The time of day, as a clock that nobody sets: when the machine's jumps, no decision gets more or less time."""
    ahead = time.time() - time.monotonic()
    return lambda: ahead + time.monotonic()


def drawn(play: Play, chance: Chance) -> list[int]:
    """The outcomes that come together now: the dice of a throw, the cards of a hand."""
    game, ahead, outcomes = play.game, copied(play.state), []
    for _ in range(game.together(ahead)):
        outcomes.append(game.outcome_at(ahead, chance.draw(game.tickets(ahead))))
        game.happen(ahead, outcomes[-1])
    return outcomes


def provable(table: Table) -> Provable:
    """The table's own chance, where its game has got to."""
    chance = _provable(table.secret, table.id, tuple([seat.salt for seat in table.seats]), table.game)
    chance.drawn = table.draws
    return chance


@lru_cache(maxsize=1024)  # every throw asks for it, and the salts of a game stay
def _provable(secret: str, table_id: str, salts: tuple[str, ...], game: str) -> Provable:
    return Provable(bytes.fromhex(secret), table_id, salts, game)


def index_of(table: Table, now: float) -> TableIndex:
    """What can be searched of a table."""
    return TableIndex(
        code=table.code,
        game=table.game,
        status=table.status,
        listed=table.is_listed,
        deadline=_due_at(table, now),
        updated_at=now,
        seats=tuple(table.people),
        shown=json.dumps(listing(table) | told_of(table), ensure_ascii=False),
    )


def _due_at(table: Table, now: float) -> float | None:
    """When somebody must look after a table at the latest: dice can't wait either."""
    has_clock = CLOCKS[table.clock] is not None or table.called_by is not None
    is_clocked = table.status == ON and has_clock and not table.is_paused
    return (table.deadline or now) if is_clocked else None


def listing(table: Table) -> dict[str, Any]:
    """What a list of tables shows of one."""
    return {
        "names": [place.name for place in table.seats],
        "free": sum(place.is_free for place in table.seats),
        "clock": table.clock,
        "options": dict(table.options),
        "lesson": table.script is not None,
    }


def told_of(table: Table) -> dict[str, Any]:
    """What the people of a table, and only they, find of it besides, once its game is over."""
    tale = story(table)
    return {} if tale is None else {STORY: tale}


def _want_log(room: Room) -> None:
    if room.record:
        raise TableRefused("table/archived", "only the record of this game is left")


def _are_moves(batch: Sequence[Event]) -> bool:
    return _MOVES.issuperset([event.kind for event in batch])


def _peek(table: Table, batch: Sequence[Event]) -> Table:
    """The table as it will be once the batch is stored."""
    after = table.copy()
    after.apply(batch)
    return after


def _end(table: Table, now: float) -> list[Event]:
    if table.status != ON or not (table.turn == NOBODY or table.is_taught):
        return []
    return [table.ended("taught" if table.script is not None else "played", now)]


def _stand_idle(table: Table, now: float) -> list[Event]:
    return table.stand_by(table.idle[0], now) if table.idle else []


def _forget(table: Table, now: float) -> list[Event]:
    return [table.ended("forgotten", now)] if table.status != OVER else []


async def _wait(woken: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(woken.wait(), None if seconds == math.inf else max(0.0, seconds))
