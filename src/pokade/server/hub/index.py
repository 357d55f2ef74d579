"""What can be searched of a table. It follows the game at its steps, never at a choice that is still sealed."""

import contextlib
import json
from dataclasses import replace
from typing import Final

from pokade.server.hub.background import Background
from pokade.server.hub.room import Room
from pokade.server.storage import Storage, StorageError, TableIndex
from pokade.server.table import CLOCKS, ON, Table
from pokade.server.views.listing import listing, told_of

FRESH: Final = 600.0  # seconds that the index of a table may lag behind its game


def index_of(table: Table, now: float) -> TableIndex:
    """The index row of a table."""
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
    has_clock = CLOCKS[table.clock].seconds is not None or table.called_by is not None
    is_clocked = table.status == ON and has_clock and not table.is_paused
    return (table.deadline or now) if is_clocked else None


class Index:
    """Keeps the index rows of the tables that are served here up to date."""

    def __init__(self, storage: Storage, background: Background) -> None:
        self._storage, self._background = storage, background

    def follow_step(self, room: Room, now: float) -> None:
        """After a step of the game: as a rule storage knows all of it. Without a clock nothing searchable changes."""
        known = room.indexed
        is_fresh = known is not None and now - known.updated_at < FRESH and known.deadline == _due_at(room.table, now)
        if not is_fresh:
            self.put(room, now)

    def put(self, room: Room, now: float) -> None:
        """Store what storage does not know yet of a table."""
        index, known = index_of(room.table, now), room.indexed
        is_fresh = known is not None and now - known.updated_at < FRESH
        if known is None or not is_fresh or replace(index, updated_at=known.updated_at) != known:
            room.indexed = index
            self._background.run(self._put(room.table.id, index))

    async def _put(self, table_id: str, index: TableIndex) -> None:
        with contextlib.suppress(StorageError):  # it follows from the log, and comes with the next step
            await self._storage.put_index(table_id, index)
