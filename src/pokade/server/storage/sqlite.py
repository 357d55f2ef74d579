"""The log in SQLite: one writer thread that commits whatever is queued, readers beside it."""

import asyncio
import contextlib
import re
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self, TypeVar

from pokade.server.storage.interface import Callback, NoBackup, PersonTaken, StorageGone, TableIndex
from pokade.server.storage.migrations import missing
from pokade.server.storage.rows import CLOSED, new_file, row_of
from pokade.server.storage.sql import FORGET, SqlStorage
from pokade.server.storage.sqlite_connection import connect, schema_version, statements, trouble
from pokade.server.storage.sqlite_writer import MOVED, Append, Job, Writer

T = TypeVar("T")
READERS = 2
CUT = (
    "DELETE FROM events WHERE table_id = ? AND version IN "
    "(SELECT version FROM events WHERE table_id = ? ORDER BY version LIMIT ?)"
)


class SqliteStorage(SqlStorage):
    """One file, WAL, synchronous=FULL. Listeners hear of this process's commits only."""

    is_shared = False
    no_limit = -1

    def __init__(self, path: str) -> None:
        self._path = path
        self._loop = asyncio.get_running_loop()
        self._callbacks: list[Callback] = []
        self._writer = Writer(path, self._callbacks)
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="sqlite-reader")

    @classmethod
    async def open(cls, path: str) -> Self:
        """Open or create the file at `path`; an empty path is a database in memory."""
        storage = cls(path)
        try:
            missing("sqlite", schema_version(storage._writer.db))
            if path:
                for _ in range(READERS):
                    storage._idle.put(connect(path))
        except BaseException:
            storage._let_go()
            raise
        storage._writer.start()
        return storage

    async def append(
        self, table: str, version: int, events: Sequence[bytes], *, index: TableIndex | None = None
    ) -> None:
        if not events:
            raise ValueError("an append without events")
        now = time.time()
        rows = [(table, number, event, now) for number, event in enumerate(events, version)]
        facts = None if index is None else row_of(table, index)
        await self._writer.queue(Append(self._loop.create_future(), None, table, version, rows, facts))

    async def put_index(self, table: str, index: TableIndex) -> None:
        await self._writer.queue(Append(self._loop.create_future(), None, table, index=row_of(table, index)))

    async def cut_log(self, table: str, count: int) -> bool:
        def work(db: sqlite3.Connection) -> bool:
            db.execute("DELETE FROM snapshots WHERE table_id = ?", (table,))
            is_gone = db.execute(CUT, (table, table, count)).rowcount < count
            if is_gone:
                db.execute("UPDATE tables SET logged = 0 WHERE id = ?", (table,))
            return is_gone

        return await self._write(work)

    async def forget(self, table: str) -> None:
        def work(db: sqlite3.Connection) -> None:
            for statement in FORGET:
                db.execute(_marked(statement), (table,))

        await self._write(work)

    async def add_person(self, id: str, token_hash: bytes, name: str, language: str) -> None:  # noqa: A002
        def work(db: sqlite3.Connection) -> None:
            try:
                db.execute("INSERT INTO people VALUES (?, ?, ?, ?)", (id, token_hash, name, language))
            except sqlite3.IntegrityError:
                raise PersonTaken("This id or token belongs to somebody already.") from None

        await self._write(work)

    async def take_ticket(self, hash: bytes, now: float) -> bytes | None:  # noqa: A002
        def work(db: sqlite3.Connection) -> bytes | None:
            db.execute("DELETE FROM tickets WHERE expires <= ?", (now,))
            body = db.execute("DELETE FROM tickets WHERE hash = ? RETURNING body", (hash,)).fetchall()
            return body[0][0] if body else None

        return await self._write(work)

    async def listen(self, callback: Callback) -> None:
        self._callbacks.append(callback)

    async def migrate(self) -> None:
        def work(db: sqlite3.Connection) -> None:
            for number, sql in missing("sqlite", schema_version(db)).items():
                for statement in statements(sql):
                    db.execute(statement)
                db.execute("INSERT INTO schema_versions VALUES (?, ?)", (number, time.time()))

        await self._execute("CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY, applied_at REAL)")
        await self._write(work)

    async def backup(self, path: Path) -> None:
        if not self._path:
            raise NoBackup("A database in memory has no backup.")

        def work(db: sqlite3.Connection) -> None:
            with new_file(path) as part:
                db.execute("VACUUM INTO ?", (str(part),))

        await self._read(work)

    async def ping(self) -> None:
        await self._read(lambda db: db.execute("SELECT 1"))
        if not self._writer.has_its_file():
            raise StorageGone(MOVED)

    async def close(self) -> None:
        if self._writer.is_closed:
            return
        await self._writer.close()
        await asyncio.to_thread(self._readers.shutdown)
        self._let_go()

    # Reading

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` beside the writer; in memory there is only one connection, so in its turn."""
        if not self._path:
            return await self._write(work)
        if self._writer.is_closed:
            raise StorageGone(CLOSED)
        return await self._loop.run_in_executor(self._readers, self._borrow, work)

    def _borrow(self, work: Callable[[sqlite3.Connection], T]) -> T:
        db = self._idle.get()
        try:
            return work(db)
        except sqlite3.Error as error:
            raise trouble(error) from error
        finally:
            self._idle.put(db)

    async def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return await self._read(lambda db: db.execute(_marked(query), values).fetchall())

    # Writing

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What `work` returned, once it is on the disk."""
        answer: T = await self._writer.queue(Job(self._loop.create_future(), work))
        return answer

    async def _execute(self, statement: str, *values: object) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute(_marked(statement), values)

        await self._write(work)

    def _let_go(self) -> None:
        self._readers.shutdown()
        with contextlib.suppress(Empty):
            while True:
                self._idle.get_nowait().close()
        self._writer.db.close()


@cache
def _marked(words: str) -> str:
    """A statement with the marks that SQLite takes for values in their order."""
    return re.sub(r"\$\d+", "?", words)
