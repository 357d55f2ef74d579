"""How a table's log grows: a batch is stored, then folded, then sent. Durable before visible.

If another process was faster, the batch is thrown away, the table catches up, and the question is asked again.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Final

from pokade.server.hub import snapshots
from pokade.server.hub.background import Background
from pokade.server.hub.bots import Bots
from pokade.server.hub.codec import batches, stored
from pokade.server.hub.counts import Counts, Unshown
from pokade.server.hub.index import Index, index_of
from pokade.server.hub.room import Room
from pokade.server.hub.times import Clock
from pokade.server.storage import Snapshot, Storage, StorageError, StorageGone, TableIndex, VersionTaken
from pokade.server.table import ON, Table
from pokade.server.table.events import Event, changes_table

Ask = Callable[[Table, float], Sequence[Event]]
SLICE: Final = 100  # events of a log that are folded before others have their turn


class LogCut(StorageGone):
    """The beginning of a log is not there any more."""


class Log:
    """The logs of the tables that are served here."""

    def __init__(self, storage: Storage, clock: Clock, bots: Bots, background: Background) -> None:
        self._storage, self._clock, self._bots, self._background = storage, clock, bots, background
        self.index = Index(storage, background)
        self.counts = Counts()

    async def begin(self, table_id: str, first: Sequence[Event]) -> None:
        """Store the first events of a table. Raises CodeTaken."""
        table = Table(table_id)
        table.apply(first)
        began = time.perf_counter()
        await self._storage.append(table_id, 1, stored(first), index=index_of(table, self._clock()))
        self.counts.appends.observe(time.perf_counter() - began)

    async def append(self, room: Room, question: Ask) -> None:
        """Ask a table, store what it answers, fold it, send it. Refusals come through unchanged."""
        async with room.lock:
            while True:
                now = self._clock()
                batch = question(room.table, now)
                if not batch:
                    return
                room.want_log()
                index = index_of(_peek(room.table, batch), now) if changes_table(batch) else None
                began = time.perf_counter()
                try:
                    await self._storage.append(room.table.id, room.table.version + 1, stored(batch), index=index)
                except VersionTaken:
                    await self.catch_up(room)
                    continue
                self._show(room, batch, index, now, time.perf_counter() - began)
                return

    def _show(self, room: Room, batch: Sequence[Event], index: TableIndex | None, now: float, took: float) -> None:
        """What is stored may be seen."""
        if index is not None:
            room.indexed = index
        has_moved = room.fold(batch)
        if index is not None:
            self._bots.get_ready(room.table)
        self._count(room, batch, took, has_moved)
        if has_moved:
            self.index.follow_step(room, now)
        self._keep_snapshot(room)

    def _count(self, room: Room, batch: Sequence[Event], took: float, has_moved: bool) -> None:
        """Sealed choices are counted when they lie open, and only then."""
        self.counts.add(room.unshown, batch, took, has_moved)
        if has_moved or room.table.status != ON:
            self.counts.show(room.unshown)
            room.unshown = Unshown()

    async def follow(self, room: Room) -> None:
        """Another process has appended."""
        with contextlib.suppress(StorageError):  # gone for a while: the next news, or the next append, catches up
            async with room.lock:
                await self.catch_up(room)
            self._bots.get_ready(room.table)

    async def catch_up(self, room: Room) -> None:
        """Fold what others have appended, a slice of the log at a time: other tables have their turn between."""
        limit = SLICE
        while True:
            version = room.table.version
            logged = await self._storage.events(room.table.id, version, limit)
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
        made = Snapshot(room.table.version, snapshots.maker(), snapshots.frozen(room.audience))
        self._background.run(self._put_snapshot(room.table.id, made))

    async def _put_snapshot(self, table_id: str, made: Snapshot) -> None:
        with contextlib.suppress(StorageError):  # it follows from the log, and there is a next one
            await self._storage.put_snapshot(table_id, made)


def _peek(table: Table, batch: Sequence[Event]) -> Table:
    """The table as it will be once the batch is stored."""
    after = table.copy()
    after.apply(batch)
    return after
