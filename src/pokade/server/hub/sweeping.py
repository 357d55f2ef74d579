"""Looking after tables that nobody looks at: those that are due, forgotten, or over for so long that little is kept."""

import asyncio
from typing import Final

from pokade.server.hub import archive
from pokade.server.hub.log import Log
from pokade.server.hub.presence import Presence
from pokade.server.hub.room import Room
from pokade.server.hub.rooms import Rooms
from pokade.server.hub.times import Clock, Patience
from pokade.server.storage import Found, Storage
from pokade.server.table import OVER, Table
from pokade.server.table.events import Event

SWEPT: Final = 100  # tables at a time
PUT_AWAY: Final = 10  # logs at a time
CUT: Final = 1000  # events at a time


class Sweeper:
    """Goes through what storage knows of the tables."""

    def __init__(
        self, storage: Storage, rooms: Rooms, log: Log, presence: Presence, clock: Clock, patience: Patience
    ) -> None:
        self._storage, self._rooms, self._log, self._presence = storage, rooms, log, presence
        self._clock, self._patience = clock, patience
        self._looked_at = 0.0  # of the tables that nobody has touched for long, those until then

    async def sweep(self) -> None:
        """Take up tables whose deadline passed while nobody served them, and end those that nobody comes back to."""
        now = self._clock()
        await self._presence.stay()
        for found in await self._storage.due(now, SWEPT):
            self._log.index.put(await self._rooms.room(found.table), now)
        for found in await self._idle(now):
            room = await self._rooms.room(found.table)
            is_looked_at = bool(await self._presence.looking(room))
            if now - found.index.updated_at >= self._patience.of(room.table) and not is_looked_at:
                await self._log.append(room, forget)
            else:
                room.indexed = None
                self._log.index.put(room, now if is_looked_at else found.index.updated_at)
        await self._put_old_tables_away(now)
        self._rooms.let_go()

    async def _idle(self, now: float) -> list[Found]:
        """Some tables that nobody has touched for long; the next time others, since these may wait for a month."""
        found = await self._storage.idle(now - self._patience.usual, SWEPT, self._looked_at)
        self._looked_at = found[-1].index.updated_at if len(found) == SWEPT else 0.0
        return found

    async def _put_old_tables_away(self, now: float) -> None:
        """Logs of tables that are over go after a while, records later; a few at a time."""
        for found in await self._storage.over(now - self._patience.logs, PUT_AWAY, logged=True):
            room = await self._rooms.room(found.table)
            if not room.listeners:
                await self._cut(room)
        for found in await self._storage.over(now - self._patience.records, SWEPT, logged=False):
            self._rooms.drop(found.table)
            await self._storage.forget(found.table)

    async def _cut(self, room: Room) -> None:
        """Keep the record, then delete the log, slice by slice; a table without a game leaves nothing."""
        table = room.table
        if table.play is not None and not room.record:
            await self._storage.keep_record(table.id, await asyncio.to_thread(archive.kept, table))
        while not await self._storage.cut_log(table.id, CUT):
            pass
        self._rooms.drop(table.id)
        if table.play is None:
            await self._storage.forget(table.id)


def forget(table: Table, now: float) -> list[Event]:
    """End a table that nobody comes back to."""
    return [table.ended("forgotten", now)] if table.status != OVER else []
