"""The log in SQLite: one writer thread that commits whatever is queued, readers beside it."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self, TypeVar

from pokade.server.storage.interface import (
    Callback,
    Found,
    Kept,
    Logged,
    NoBackup,
    Person,
    PersonTaken,
    Snapshot,
    StorageGone,
    TableIndex,
)
from pokade.server.storage.migrations import missing
from pokade.server.storage.rows import CLOSED, COLUMNS, found, new_file, row_of
from pokade.server.storage.sqlite_connection import connect, schema_version, statements, trouble
from pokade.server.storage.sqlite_writer import MOVED, Append, Job, Writer

T = TypeVar("T")
READERS = 2
EVENTS = "SELECT version, event, written_at FROM events WHERE table_id = ? AND version > ? ORDER BY version LIMIT ?"
ALL = -1  # what SQLite calls no limit
PUT_SNAPSHOT = (
    "INSERT INTO snapshots VALUES (?, ?, ?, ?) "
    "ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, maker = excluded.maker, body = excluded.body "
    "WHERE excluded.version > version OR excluded.maker <> maker"
)
CUT = (
    "DELETE FROM events WHERE table_id = ? AND version IN "
    "(SELECT version FROM events WHERE table_id = ? ORDER BY version LIMIT ?)"
)
FORGET = (
    "DELETE FROM records WHERE table_id = ?",
    "DELETE FROM seated WHERE table_id = ?",
    "DELETE FROM tables WHERE id = ? AND NOT logged",
)
WHO = (
    "SELECT id, token_hash, name, language FROM people WHERE token_hash = ? "
    "OR id = (SELECT person FROM devices WHERE token_hash = ?)"
)


class SqliteStorage:
    """One file, WAL, synchronous=FULL. Listeners hear of this process's commits only."""

    is_shared = False

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

    async def events(self, table: str, after: int = 0, limit: int | None = None) -> list[Logged]:
        return [Logged(*row) for row in await self._rows(EVENTS, table, after, ALL if limit is None else limit)]

    async def put_snapshot(self, table: str, snapshot: Snapshot) -> None:
        await self._execute(PUT_SNAPSHOT, table, snapshot.version, snapshot.maker, snapshot.body)

    async def snapshot(self, table: str) -> Snapshot | None:
        rows = await self._rows("SELECT version, maker, body FROM snapshots WHERE table_id = ?", table)
        return Snapshot(*rows[0]) if rows else None

    async def table_by_code(self, code: str) -> Found | None:
        found = await self._found("code = ?", code)
        return found[0] if found else None

    async def listed_tables(self, limit: int) -> list[Found]:
        return await self._found("listed AND status <> 'over' ORDER BY updated_at DESC LIMIT ?", limit)

    async def tables_of(self, person: str, limit: int) -> list[Found]:
        condition = "id IN (SELECT table_id FROM seated WHERE person = ?) ORDER BY updated_at DESC LIMIT ?"
        return await self._found(condition, person, limit)

    async def due(self, now: float, limit: int) -> list[Found]:
        return await self._found("deadline <= ? ORDER BY deadline LIMIT ?", now, limit)

    async def idle(self, before: float, limit: int) -> list[Found]:
        return await self._found("status <> 'over' AND updated_at < ? ORDER BY updated_at LIMIT ?", before, limit)

    async def over(self, before: float, limit: int, *, logged: bool) -> list[Found]:
        condition = "status = 'over' AND logged = ? AND updated_at < ? ORDER BY updated_at LIMIT ?"
        return await self._found(condition, logged, before, limit)

    async def keep_record(self, table: str, kept: Kept) -> None:
        await self._execute("INSERT OR IGNORE INTO records VALUES (?, ?, ?)", table, kept.text, kept.facts)

    async def record(self, table: str) -> Kept | None:
        rows = await self._rows("SELECT text, facts FROM records WHERE table_id = ?", table)
        return Kept(*rows[0]) if rows else None

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
                db.execute(statement, (table,))

        await self._write(work)

    async def add_person(self, id: str, token_hash: bytes, name: str, language: str) -> None:  # noqa: A002
        def work(db: sqlite3.Connection) -> None:
            try:
                db.execute("INSERT INTO people VALUES (?, ?, ?, ?)", (id, token_hash, name, language))
            except sqlite3.IntegrityError:
                raise PersonTaken("This id or token belongs to somebody already.") from None

        await self._write(work)

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        rows = await self._rows(WHO, token_hash, token_hash)
        return Person(*rows[0]) if rows else None

    async def add_device(self, person: str, token_hash: bytes) -> None:
        await self._execute("INSERT INTO devices VALUES (?, ?)", token_hash, person)

    async def rename(self, id: str, name: str, language: str) -> None:  # noqa: A002
        await self._execute("UPDATE people SET name = ?, language = ? WHERE id = ?", name, language, id)

    async def add_ticket(self, hash: bytes, body: bytes, expires: float) -> None:  # noqa: A002
        await self._execute("INSERT INTO tickets VALUES (?, ?, ?)", hash, body, expires)

    async def take_ticket(self, hash: bytes, now: float) -> bytes | None:  # noqa: A002
        def work(db: sqlite3.Connection) -> bytes | None:
            db.execute("DELETE FROM tickets WHERE expires <= ?", (now,))
            body = db.execute("DELETE FROM tickets WHERE hash = ? RETURNING body", (hash,)).fetchall()
            return body[0][0] if body else None

        return await self._write(work)

    async def arrive(self, process: str, table: str, person: str, until: float) -> None:
        await self._execute("INSERT OR REPLACE INTO present VALUES (?, ?, ?, ?)", table, person, process, until)

    async def depart(self, process: str, table: str, person: str) -> None:
        condition = "table_id = ? AND person = ? AND process = ?"
        await self._execute(f"DELETE FROM present WHERE {condition}", table, person, process)  # noqa: S608 # a constant

    async def stay(self, process: str, until: float) -> None:
        await self._execute("UPDATE present SET until = ? WHERE process = ?", until, process)

    async def present(self, table: str, now: float) -> set[str]:
        rows = await self._rows("SELECT person FROM present WHERE table_id = ? AND until > ?", table, now)
        return {row[0] for row in rows}

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
        return await self._read(lambda db: db.execute(query, values).fetchall())

    async def _found(self, condition: str, *values: object) -> list[Found]:
        query = f"SELECT {COLUMNS} FROM tables WHERE {condition}"  # noqa: S608 # conditions are ours, values are bound
        return [found(row) for row in await self._rows(query, *values)]

    # Writing

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What `work` returned, once it is on the disk."""
        answer: T = await self._writer.queue(Job(self._loop.create_future(), work))
        return answer

    async def _execute(self, statement: str, *values: object) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute(statement, values)

        await self._write(work)

    def _let_go(self) -> None:
        self._readers.shutdown()
        with contextlib.suppress(Empty):
            while True:
                self._idle.get_nowait().close()
        self._writer.db.close()
