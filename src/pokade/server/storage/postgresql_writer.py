"""The one connection that appends to logs in PostgreSQL: it commits whatever is queued, and notifies the others."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from pokade.server.storage.interface import Callback, CodeTaken, StorageGone, TableIndex, VersionTaken
from pokade.server.storage.postgresql_connection import CONNECT_SECONDS, is_gone, settings, trouble
from pokade.server.storage.rows import CLOSED, COLUMNS, REPLACED, row_of, tell

BATCH = 1000  # appends in one transaction at most
CHANNEL = "pokade"
NOTE_BYTES = 7000  # PostgreSQL carries less than 8000 in one notification
# One statement is one transaction and one round trip. Rows come sorted, so that two processes never lock crosswise.
PUT = """WITH written AS (
  INSERT INTO events (table_id, version, event)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[]) RETURNING 1
)"""
PUT_INDEX = f""", indexed AS (
  INSERT INTO tables ({COLUMNS})
  SELECT * FROM unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[], $10::float8[], $11::float8[],
    $12::text[], $13::text[]) WHERE (SELECT count(*) FROM written) > 0
  ON CONFLICT (id) DO UPDATE SET {REPLACED}
)"""  # noqa: S608 # names of columns, no values
NOTIFY = f" SELECT pg_notify('{CHANNEL}', note) FROM unnest($4::text[]) AS note"  # noqa: S608 # a constant


@dataclass(slots=True)
class Append:
    """Events for a log, and the appender who waits for them to be on the disk."""

    table: str
    version: int
    events: Sequence[bytes]
    index: TableIndex | None
    future: asyncio.Future[None]


class Writer:
    """The connection that writes, opened again when it breaks. `name` marks its notifications."""

    def __init__(self, url: str, name: str, callbacks: Sequence[Callback]) -> None:
        self._url, self._name, self._callbacks = url, name, callbacks
        self._waiting: list[Append] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.db: Any = None
        self.is_closed = False

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._write_until_closed())

    async def append(self, table: str, version: int, events: Sequence[bytes], index: TableIndex | None) -> None:
        """Have events written; returns when they are on the disk."""
        if self.is_closed:
            raise StorageGone(CLOSED)
        if not events:
            raise ValueError("an append without events")
        waiting = Append(table, version, events, index, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._wake.set()
        await waiting.future

    async def close(self) -> None:
        """Write what is queued, and stop."""
        self.is_closed = True
        self._wake.set()
        if self._task:
            await self._task

    async def hang_up(self) -> None:
        """Close the connection."""
        if self.db:
            await self.db.close(timeout=CONNECT_SECONDS)

    async def _write_until_closed(self) -> None:
        while self._waiting or not self.is_closed:
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            if batch:
                await self._commit(batch)
            else:
                self._wake.clear()
                await self._wake.wait()

    async def _commit(self, batch: list[Append]) -> None:
        """One transaction for all. If something in it is refused, each half by itself, down to the one at fault."""
        try:
            await self._put(batch)
        except Exception as error:
            if is_gone(error):
                self._drop()
                _fail(batch, trouble(error))
            elif len(batch) == 1:
                _fail(batch, _refusal(error, batch[0]))
            else:
                await self._commit(batch[: len(batch) // 2])
                await self._commit(batch[len(batch) // 2 :])
        else:
            self._settle(batch)

    async def _put(self, batch: list[Append]) -> None:
        if self.db is None or self.db.is_closed():
            self.db = await asyncpg.connect(self._url, **settings())
        rows = sorted((one.table, one.version + i, event) for one in batch for i, event in enumerate(one.events))
        notes = _notes(self._name, _last_versions(batch))
        indexes = sorted({one.table: row_of(one.table, one.index) for one in batch if one.index}.values())
        if indexes:
            await self.db.execute(PUT + PUT_INDEX + NOTIFY, *_columns(rows), notes, *_columns(indexes))
        else:
            await self.db.execute(PUT + NOTIFY, *_columns(rows), notes)

    def _settle(self, batch: list[Append]) -> None:
        for one in batch:
            if not one.future.done():
                one.future.set_result(None)
        # After those who wait for it: an appender knows its own events before it hears of them.
        asyncio.get_running_loop().call_soon(tell, self._callbacks, _last_versions(batch))

    def _drop(self) -> None:
        if self.db is not None:
            self.db.terminate()
            self.db = None


def _last_versions(batch: Iterable[Append]) -> dict[str, int]:
    return {one.table: one.version + len(one.events) - 1 for one in batch}


def _columns(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _notes(sender: str, commits: dict[str, int]) -> list[str]:
    """The news of a commit in as few notifications as they fit into: the sender, then a version and a table a line."""
    notes, size = [sender], 0
    for table, version in commits.items():
        line = f"\n{version} {table}"
        size += len(line.encode())
        if size > NOTE_BYTES:
            notes.append(sender)
            size = len(line.encode())
        notes[-1] += line
    return notes


def _fail(batch: Iterable[Append], error: Exception) -> None:
    for one in batch:
        if not one.future.done():
            one.future.set_exception(error)


def _refusal(error: Exception, one: Append) -> Exception:
    """Why an append was turned down."""
    constraint = getattr(error, "constraint_name", None)
    if constraint == "events_pkey":
        return VersionTaken(f"Table {one.table} has got past version {one.version}.")
    return CodeTaken("Another table has this code.") if constraint == "one_table_a_code" else trouble(error)
