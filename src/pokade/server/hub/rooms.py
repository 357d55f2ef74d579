"""The tables in memory: loaded from a snapshot and the log when somebody asks, let go when nobody looks."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from pokade.server.errors import TableRefused
from pokade.server.hub import archive, snapshots
from pokade.server.hub.background import Background
from pokade.server.hub.bots import Bots
from pokade.server.hub.keeper import Keeper
from pokade.server.hub.log import Log, LogCut
from pokade.server.hub.room import Room
from pokade.server.hub.times import Clock
from pokade.server.logs import log_bug
from pokade.server.storage import Storage, StorageGone
from pokade.server.table import Table
from pokade.server.views.frames import Audience

AT_ONCE: Final = 1 << 17  # bytes of a snapshot that are read on the event loop


class Rooms:
    """Loads tables, and lets them go."""

    def __init__(
        self, storage: Storage, log: Log, keeper: Keeper, bots: Bots, clock: Clock, background: Background
    ) -> None:
        self._storage, self._log, self._keeper, self._bots = storage, log, keeper, bots
        self._clock, self._background = clock, background
        self.by_id: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}

    async def room(self, table_id: str) -> Room:
        """The room of a table, folded from its log the first time anyone asks."""
        if table_id in self.by_id:
            return self.by_id[table_id]
        self._want_open()
        if table_id not in self._loading:
            self._loading[table_id] = asyncio.create_task(self._load(table_id))
        return await asyncio.shield(self._loading[table_id])

    @contextlib.asynccontextmanager
    async def held(self, table_id: str) -> AsyncIterator[Room]:
        """The room of a table with its lock; one that was let go a moment ago comes back first."""
        while True:
            room = await self.room(table_id)
            async with room.lock:
                if self.by_id.get(table_id) is room:
                    yield room
                    return

    def _want_open(self) -> None:
        if self._background.is_closing:
            raise StorageGone("The server is closing.")

    async def _load(self, table_id: str) -> Room:
        try:
            room = Room(await self._recalled(table_id))
            room.kept_at = room.table.version
            try:
                await self._log.catch_up(room)
            except LogCut:
                room = await self._put_away(table_id)
            if room.table.version == 0 and not room.record:
                room = await self._put_away(table_id)
            self._want_open()
            room.changed_at = self._clock()
            room.away_since = dict.fromkeys(room.table.people, self._clock())  # until they come back
            room.has_stand_ins = self._bots.has_stand_ins
            self.by_id[table_id] = room
            room.task = asyncio.create_task(self._keeper.keep_going(room))
            return room
        finally:
            del self._loading[table_id]

    async def _recalled(self, table_id: str) -> Audience:
        """A table as far as its snapshot has got; one that another program has made, or that is broken, is no help."""
        found, audience = await self._storage.snapshot(table_id), Audience(Table(table_id))
        if found is not None and found.maker == snapshots.maker():
            try:
                is_long = len(found.body) > AT_ONCE
                thawed = snapshots.thawed
                audience = await asyncio.to_thread(thawed, found.body) if is_long else thawed(found.body)
            except Exception as error:
                log_bug(error)
        audience.clock = self._clock
        return audience

    async def _put_away(self, table_id: str) -> Room:
        """The room of a table whose log is gone: its record is left, or nothing."""
        found = await self._storage.record(table_id)
        if found is None:
            raise TableRefused("table/unknown", "there is no such table")
        table = await asyncio.to_thread(archive.restored, table_id, found)
        return Room(Audience(table, self._clock), record=found.text)

    def drop(self, table_id: str) -> None:
        """A table is not served here any longer."""
        room = self.by_id.pop(table_id, None)
        if room is not None and room.task is not None:
            room.task.cancel()

    def let_go(self) -> None:
        """Tables that nobody looks at and that only wait need no memory; their log brings them back."""
        for table_id, room in list(self.by_id.items()):
            if room.is_left(self._clock()):
                self.drop(table_id)

    async def close(self) -> None:
        """Stop all tables; what is stored is all there is to keep."""
        running = [room.task for room in self.by_id.values() if room.task is not None]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, *self._loading.values(), return_exceptions=True)
