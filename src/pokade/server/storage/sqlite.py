"""The log in SQLite: one writer thread that commits whatever is queued, readers beside it."""

import asyncio
import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self, TypeVar

from pokade.server.storage.interface import (
    BadDatabase,
    Callback,
    CodeTaken,
    Found,
    Kept,
    Logged,
    NoBackup,
    Person,
    PersonTaken,
    Snapshot,
    StorageFull,
    StorageGone,
    TableIndex,
    VersionTaken,
)
from pokade.server.storage.migrations import missing
from pokade.server.storage.rows import COLUMNS, REPLACED, found, new_file, row_of, tell

T = TypeVar("T")
READERS = 2
BUSY_SECONDS = 5.0  # how long to wait for another process that has the file
CLOSED = "The storage is closed."
MOVED = "The file of the database is no longer there."
# OR FAIL keeps no copy of the pages for undoing half a statement: the whole transaction is rolled back anyway.
PUT_EVENT = "INSERT OR FAIL INTO events (table_id, version, event, written_at) VALUES (?, ?, ?, ?)"
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
TOGETHER = 16  # events that one statement puts: the interpreter's lock changes hands once, not for each
PUT_EVENTS = PUT_EVENT + ", (?, ?, ?, ?)" * (TOGETHER - 1)
WHO = (
    "SELECT id, token_hash, name, language FROM people WHERE token_hash = ? "
    "OR id = (SELECT person FROM devices WHERE token_hash = ?)"
)
PUT_INDEX = (
    f"INSERT INTO tables ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "  # noqa: S608 # names of columns, no values
    f"ON CONFLICT (id) DO UPDATE SET {REPLACED}"
)


@dataclass(slots=True)
class _Job:
    """Something to do inside the next transaction. It may be done again, if the transaction fails."""

    future: asyncio.Future[Any]
    work: Callable[[sqlite3.Connection], Any] | None = None

    def refusal(self, error: Exception) -> Exception:
        """What the failure of a transaction with this job alone is to its caller."""
        return error


@dataclass(slots=True)
class _Append(_Job):
    """Events for a log. Those of all appends in a transaction are put together."""

    table: str = ""
    version: int = 0  # of the first event
    rows: Sequence[tuple[str, int, bytes, float]] = ()
    index: tuple[Any, ...] | None = None

    def refusal(self, error: Exception) -> Exception:
        """Which of the unique things was taken; anything else is a bug and stays as it is."""
        if not isinstance(error, sqlite3.IntegrityError):
            return error
        if "events.version" in str(error):
            return VersionTaken(f"Table {self.table} has got past version {self.version}.")
        return CodeTaken("Another table has this code.") if "tables.code" in str(error) else error


class SqliteStorage:
    """One file, WAL, synchronous=FULL. Listeners hear of this process's commits only."""

    is_shared = False

    def __init__(self, path: str) -> None:
        self._path = path
        self._loop = asyncio.get_running_loop()
        self._callbacks: list[Callback] = []
        self._fresh: list[_Job] = []  # of this turn of the loop
        self._jobs: SimpleQueue[list[_Job]] = SimpleQueue()  # an empty list is the last
        self._closed = False
        self._db = _connect(path)
        self._file = _identity(path)
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="sqlite-reader")
        self._writer = threading.Thread(target=self._write_until_closed, name="sqlite-writer", daemon=True)

    @classmethod
    async def open(cls, path: str) -> Self:
        """Open or create the file at `path`; an empty path is a database in memory."""
        storage = cls(path)
        try:
            missing("sqlite", _schema_version(storage._db))
            if path:
                for _ in range(READERS):
                    storage._idle.put(_connect(path))
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
        await self._queue(_Append(self._loop.create_future(), None, table, version, rows, facts))

    async def put_index(self, table: str, index: TableIndex) -> None:
        await self._queue(_Append(self._loop.create_future(), None, table, index=row_of(table, index)))

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
            for number, sql in missing("sqlite", _schema_version(db)).items():
                for statement in _statements(sql):
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
        if _identity(self._path) != self._file:
            raise StorageGone(MOVED)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._hand_over()
        self._jobs.put([])
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._readers.shutdown)
        self._let_go()

    # Reading

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` beside the writer; in memory there is only one connection, so in its turn."""
        if not self._path:
            return await self._write(work)
        if self._closed:
            raise StorageGone(CLOSED)
        return await self._loop.run_in_executor(self._readers, self._borrow, work)

    def _borrow(self, work: Callable[[sqlite3.Connection], T]) -> T:
        db = self._idle.get()
        try:
            return work(db)
        except sqlite3.Error as error:
            raise _trouble(error) from error
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
        answer: T = await self._queue(_Job(self._loop.create_future(), work))
        return answer

    def _queue(self, job: _Job) -> asyncio.Future[Any]:
        if self._closed:
            raise StorageGone(CLOSED)
        if not self._fresh:
            self._loop.call_soon(self._hand_over)
        self._fresh.append(job)
        return job.future

    def _hand_over(self) -> None:
        """What one turn of the loop brings goes to the writer together: earlier they would only fight for Python."""
        jobs, self._fresh = self._fresh, []
        if jobs:
            self._jobs.put(jobs)

    async def _execute(self, statement: str, *values: object) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute(statement, values)

        await self._write(work)

    def _write_until_closed(self) -> None:
        while jobs := self._queued():
            answers = self._commit(jobs)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits for an answer any more
                self._loop.call_soon_threadsafe(self._settle, jobs, answers)

    def _queued(self) -> list[_Job]:
        """Wait for jobs, then take all that are there; none once the storage closes."""
        jobs = self._jobs.get()
        with contextlib.suppress(Empty):
            while more := self._jobs.get_nowait():
                jobs += more
            if jobs:
                self._jobs.put([])  # to be met again
        return jobs

    def _commit(self, jobs: list[_Job]) -> list[Any]:
        """One transaction for all. If something in it fails, each half by itself, down to the one at fault."""
        if _identity(self._path) != self._file:  # it would take everything, and nobody would find it again
            return [StorageGone(MOVED) for _ in jobs]
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:  # the file is held or broken, which is no job's fault
            return [_trouble(error) for _ in jobs]
        try:
            answers = self._do(jobs)
            self._db.execute("COMMIT")
        except Exception as error:
            with contextlib.suppress(sqlite3.Error):  # some failures have rolled back already
                self._db.rollback()
            half = len(jobs) // 2
            return self._commit(jobs[:half]) + self._commit(jobs[half:]) if half else [_trouble(jobs[0].refusal(error))]
        return answers

    def _do(self, jobs: list[_Job]) -> list[Any]:
        appends = [job for job in jobs if isinstance(job, _Append)]
        rows = [row for job in appends for row in job.rows]
        whole = len(rows) - len(rows) % TOGETHER
        for at in range(0, whole, TOGETHER):
            self._db.execute(PUT_EVENTS, list(chain.from_iterable(rows[at : at + TOGETHER])))
        if whole < len(rows):
            self._db.executemany(PUT_EVENT, rows[whole:])
        if indexes := [job.index for job in appends if job.index is not None]:
            self._db.executemany(PUT_INDEX, indexes)
        return [job.work(self._db) if job.work is not None else None for job in jobs]

    def _settle(self, jobs: list[_Job], answers: list[Any]) -> None:
        told = {}
        for job, answer in zip(jobs, answers, strict=True):
            refused = isinstance(answer, BaseException)
            if isinstance(job, _Append) and job.rows and not refused:
                told[job.table] = job.version + len(job.rows) - 1
            if not job.future.done():
                job.future.set_exception(answer) if refused else job.future.set_result(answer)
        # After those who wait for it: an appender knows its own events before it hears of them.
        self._loop.call_soon(tell, self._callbacks, told)

    def _let_go(self) -> None:
        self._readers.shutdown()
        with contextlib.suppress(Empty):
            while True:
                self._idle.get_nowait().close()
        self._db.close()


def _connect(path: str) -> sqlite3.Connection:
    """A connection to the file, which is made readable for its owner only: it holds what is still sealed."""
    try:
        if path:
            _make_private(path)
        db = sqlite3.connect(path or ":memory:", BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
    except (OSError, sqlite3.Error) as error:
        raise BadDatabase(f"{path} can't be opened as a SQLite database: {error}.") from None
    return db


def _make_private(path: str) -> None:
    """Make the file, if it is not there. One that is must not be opened and closed here: that would drop the locks of
    this process on it (POSIX), and another process that closes the database would take the log from under us.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _identity(path: str) -> tuple[int, int] | None:
    """Which file lies at a path; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _schema_version(db: sqlite3.Connection) -> int:
    """The schema that a database has; 0 if it is empty."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_versions'").fetchall():
        return 0
    newest = db.execute("SELECT coalesce(max(version), 0) FROM schema_versions").fetchone()
    return int(newest[0])


def _statements(sql: str) -> Iterator[str]:
    """One statement after the other, since sqlite3's own way to run several would end the transaction."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _trouble(error: Exception) -> Exception:
    """What a failed transaction is to the caller; a refusal or a bug stays as it is."""
    if not isinstance(error, sqlite3.OperationalError) and type(error) is not sqlite3.DatabaseError:
        return error
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return StorageFull("There is no room left on the disk.")
    return StorageGone(f"The database does not work: {error}.")
