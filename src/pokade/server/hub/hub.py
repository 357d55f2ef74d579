"""The tables that this process serves, as everything else sees them: open, ask, look, lead on to the next game."""

import asyncio
import contextlib
import secrets
from collections.abc import Mapping
from typing import Any, Final

from pokade.fairness import commitment, new_seed
from pokade.server.errors import TableRefused
from pokade.server.hub.background import Background
from pokade.server.hub.bots import Bots, Think
from pokade.server.hub.counts import Counts
from pokade.server.hub.draws import Fairness, provable
from pokade.server.hub.keeper import Keeper
from pokade.server.hub.listeners import Listener, Outbound
from pokade.server.hub.log import Ask, Log
from pokade.server.hub.presence import Presence
from pokade.server.hub.room import Room
from pokade.server.hub.rooms import Rooms
from pokade.server.hub.strong import StrongBots
from pokade.server.hub.sweeping import Sweeper, forget
from pokade.server.hub.times import Clock, Pace, Patience, steady
from pokade.server.storage import CodeTaken, Storage
from pokade.server.table import STAND_IN, Table, create, events, told_apart
from pokade.server.table.events import Event
from pokade.server.table.lessons import LEARNER, lesson
from pokade.server.table.rematches import planned

CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH: Final = 5
TRIES: Final = 5  # for a join code that nobody has


class Hub:
    """All tables of this process."""

    def __init__(
        self,
        storage: Storage,
        *,
        fairness: Fairness | None = None,
        pace: Pace | None = None,
        patience: Patience | None = None,
        clock: Clock | None = None,
        think: Think = asyncio.to_thread,
    ) -> None:
        self.storage = storage
        self.clock = clock or steady()
        self.background = Background()
        self._bots = Bots(think, self._strong_bots_are_ready)
        self._presence = Presence(storage, self.clock, self.background)
        self._log = Log(storage, self.clock, self._bots, self.background)
        self._keeper = Keeper(self._log, self._presence, self._bots, self.clock, pace or Pace(), fairness or provable)
        self._rooms = Rooms(storage, self._log, self._keeper, self._bots, self.clock, self.background)
        self._sweeper = Sweeper(storage, self._rooms, self._log, self._presence, self.clock, patience or Patience())

    @property
    def rooms(self) -> dict[str, Room]:
        """The tables in memory, by their ids."""
        return self._rooms.by_id

    @property
    def counts(self) -> Counts:
        """What people do, and how long it takes to store it."""
        return self._log.counts

    @property
    def strong(self) -> StrongBots:
        return self._bots.strong

    async def room(self, table_id: str) -> Room:
        """The room of a table, folded from its log the first time anyone asks."""
        return await self._rooms.room(table_id)

    async def sweep(self) -> None:
        """Look after tables that nobody looks at."""
        await self._sweeper.sweep()

    async def attend(self) -> None:
        """Hear of what other processes append to the tables that are served here too."""
        await self.storage.listen(self.heard)

    def heard(self, table_id: str, version: int) -> None:
        """A process has appended to a table, perhaps this one."""
        room = self.rooms.get(table_id)
        if room is not None and room.table.version < version:
            self.background.run(self._log.follow(room))

    async def close(self) -> None:
        """Stop all tables; what is stored is all there is to keep."""
        self.background.is_closing = True  # a commit under way tells of itself, and nobody follows any more
        await self._rooms.close()
        await self.background.settle()
        await self.strong.close()
        self.rooms.clear()

    def _strong_bots_are_ready(self, game: str) -> None:
        for room in self.rooms.values():
            for listener in room.listeners if room.table.game == game else ():
                room.tell_of_stand_ins(listener)

    # Opening tables.

    async def create(self, host: str, data: dict[str, Any]) -> Table:
        """A new table with a secret seed in its log and its commitment for all to see."""
        table_id, seed = secrets.token_hex(8), new_seed()
        secret = {"secret": seed.hex(), "commitment": commitment(seed, table_id)}
        for _ in range(TRIES):
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            first = create(data | secret | {"code": code, "host": host}, self.clock())
            with contextlib.suppress(CodeTaken):
                await self._log.begin(table_id, first)
                return (await self.room(table_id)).table
        raise TableRefused("table/codes", "there are too many tables")

    async def teach(self, person: str, name: str, game: str) -> Table:
        """A guided game that has begun: its learner, and rivals who do what the lesson says."""
        script = lesson(game)
        data = {"game": game, "seats": len(script.names), "options": dict(script.options), "script": script.data()}
        table = await self.create(person, data | {"clock": "none", "listed": False, "tells": False})
        seated = [{"seat": seat, "bot": STAND_IN, "name": rival} for seat, rival in enumerate(script.names)]
        seated[LEARNER] = {
            "seat": LEARNER,
            "person": person,
            "name": told_apart(name, [*script.names[:LEARNER], *script.names[LEARNER + 1 :]]),
        }
        return await self.ask(
            table.id, lambda _, now: [*(Event(events.SEATED, now, who) for who in seated), Event(events.STARTED, now)]
        )

    async def rematch(
        self, table_id: str, person: str, options: Mapping[str, Any] | None = None, game: str | None = None
    ) -> Table:
        """The next game of the evening, of the same people. The second to ask finds the table of the first."""
        room = await self.room(table_id)
        old = room.table
        if not old.rematch:
            room.want_log()
            old.follow(person, "", "", self.clock())  # refuses before a table is made in vain
            plan = planned(old, person, game, options, await self._presence.looking(room))
            new = await self.create(plan.host, plan.settings)
            await self.ask(new.id, lambda _, now: plan.seated(now))  # first: a table that people are led to is whole
            await self.ask(table_id, lambda table, now: table.follow(person, new.id, new.code, now))
            if old.rematch != new.id:
                await self.ask(new.id, lambda table, now: [*plan.unseated(now), *forget(table, now)])
        return (await self.room(old.rematch)).table

    # Asking tables.

    async def ask(self, table_id: str, question: Ask) -> Table:
        """Ask a table, store what it answers, fold it, send it. Refusals come through unchanged."""
        room = self.rooms.get(table_id) or await self.room(table_id)
        await self._log.append(room, question)
        return room.table

    async def pause(self, table_id: str, person: str, is_paused: bool) -> None:
        """Stop the clocks of a table, or start them again; it depends on the people there who may do so."""
        there = await self._presence.sitting(await self.room(table_id))
        await self.ask(table_id, lambda table, now: table.pause(person, is_paused, now, there))

    async def tap_next(self, table_id: str, person: str) -> None:
        """A person has seen enough of the reveal."""
        room = await self.room(table_id)
        if person in room.table.playing:  # a watcher decides nothing, and would only fill the memory
            room.next_tapped.add(person)
            room.woken.set()

    # Looking at tables.

    async def listen(
        self, table_id: str, person: str, queue: Outbound, last: Mapping[int, int] | None = None
    ) -> Listener:
        """Somebody looks at a table: first what is true now, or was missed since the last frames; then every frame."""
        listener = Listener(person, queue)
        async with self._rooms.held(table_id) as room:
            self._presence.come(room, listener, last or {})
        self._bots.get_ready(room.table)
        self._presence.came(room, person)
        return listener

    async def unlisten(self, table_id: str, listener: Listener) -> None:
        """Somebody looks away."""
        room = self.rooms.get(table_id)  # a table that somebody looks at stays, until the server closes
        if room is not None:
            self._presence.go(room, listener)
