"""The log in PostgreSQL, for several processes: one writer connection commits whatever is queued, readers beside it."""

import asyncio
import contextlib
import logging
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

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
READERS = 4
BATCH = 1000  # appends in one transaction at most
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 15.0  # a database that takes longer is gone
MIGRATE_SECONDS = 3600.0
CHANNEL = "pokade"
NOTE_BYTES = 7000  # PostgreSQL carries less than 8000 in one notification
BEAT_SECONDS = 10.0  # how often a listener makes sure that it can still hear
RETRY_SECONDS = 0.25
MARGIN_SECONDS = 60.0  # a commit may become visible this long after its events were stamped
MIGRATING = 7_063_655  # the key of the lock that lets one process migrate at a time
CLOSED = "The storage is closed."

log = logging.getLogger(__name__)

VERSIONS = "CREATE TABLE IF NOT EXISTS schema_versions (version int PRIMARY KEY, applied_at timestamptz DEFAULT now())"
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
PUT_ROW = (
    f"INSERT INTO tables ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) "  # noqa: S608 # names of columns
    f"ON CONFLICT (id) DO UPDATE SET {REPLACED}"
)
PUT_PRESENT = (
    "INSERT INTO present VALUES ($1, $2, $3, $4) ON CONFLICT (table_id, person, process) DO UPDATE SET until = $4"
)
EVENTS = "SELECT version, event, written_at FROM events WHERE table_id = $1 AND version > $2 ORDER BY version LIMIT $3"
PUT_SNAPSHOT = (
    "INSERT INTO snapshots VALUES ($1, $2, $3, $4) "
    "ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, maker = excluded.maker, body = excluded.body "
    "WHERE excluded.version > snapshots.version OR excluded.maker <> snapshots.maker"
)
CUT = (
    "DELETE FROM events WHERE table_id = $1 AND version IN "
    "(SELECT version FROM events WHERE table_id = $1 ORDER BY version LIMIT $2) RETURNING 1"
)
FORGET = (
    "DELETE FROM records WHERE table_id = $1",
    "DELETE FROM seated WHERE table_id = $1",
    "DELETE FROM tables WHERE id = $1 AND NOT logged",
)
WHO = (
    "SELECT id, token_hash, name, language FROM people WHERE token_hash = $1 "
    "OR id = (SELECT person FROM devices WHERE token_hash = $1)"
)
NOTIFY = f" SELECT pg_notify('{CHANNEL}', note) FROM unnest($4::text[]) AS note"  # noqa: S608 # a constant

GONE = (
    OSError,  # refused, reset, timed out
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.exceptions.OperatorInterventionError,  # shutting down, starting up, cancelled
)


@dataclass(slots=True)
class _Append:
    table: str
    version: int
    events: Sequence[bytes]
    index: TableIndex | None
    future: asyncio.Future[None]


class PostgresStorage:
    """A database that several processes share. Listeners hear of all commits, their own and those of the others."""

    is_shared = True

    def __init__(self, url: str) -> None:
        self._url = url
        self._name = secrets.token_hex(8)  # marks our own notifications
        self._callbacks: list[Callback] = []
        self._waiting: list[_Append] = []
        self._wake = asyncio.Event()
        self._closed = False
        self._db: Any = None  # the writer's connection, opened again when it breaks
        self._pool: Any = None
        self._writer: asyncio.Task[None] | None = None
        self._listener: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect and check the schema version."""
        storage = cls(url)
        try:
            storage._pool = await asyncpg.create_pool(url, min_size=0, max_size=READERS, **_settings())
            missing("postgresql", await storage._run(_schema_version))
        except ValueError as error:  # what asyncpg makes of an address that it can't read
            raise BadDatabase(f"This is no PostgreSQL address: {error}.") from None
        except BaseException:
            await storage.close()
            raise
        storage._writer = asyncio.create_task(storage._write_until_closed())
        return storage

    async def append(
        self, table: str, version: int, events: Sequence[bytes], *, index: TableIndex | None = None
    ) -> None:
        if self._closed:
            raise StorageGone(CLOSED)
        if not events:
            raise ValueError("an append without events")
        waiting = _Append(table, version, events, index, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._wake.set()
        await waiting.future

    async def put_index(self, table: str, index: TableIndex) -> None:
        await self._execute(PUT_ROW, *row_of(table, index))

    async def events(self, table: str, after: int = 0, limit: int | None = None) -> list[Logged]:
        return [Logged(*row) for row in await self._rows(EVENTS, table, after, limit)]

    async def put_snapshot(self, table: str, snapshot: Snapshot) -> None:
        await self._execute(PUT_SNAPSHOT, table, snapshot.version, snapshot.maker, snapshot.body)

    async def snapshot(self, table: str) -> Snapshot | None:
        rows = await self._rows("SELECT version, maker, body FROM snapshots WHERE table_id = $1", table)
        return Snapshot(*rows[0]) if rows else None

    async def table_by_code(self, code: str) -> Found | None:
        tables = await self._found("code = $1", code)
        return tables[0] if tables else None

    async def listed_tables(self, limit: int) -> list[Found]:
        return await self._found("listed AND status <> 'over' ORDER BY updated_at DESC LIMIT $1", limit)

    async def tables_of(self, person: str, limit: int) -> list[Found]:
        condition = "id IN (SELECT table_id FROM seated WHERE person = $1) ORDER BY updated_at DESC LIMIT $2"
        return await self._found(condition, person, limit)

    async def due(self, now: float, limit: int) -> list[Found]:
        return await self._found("deadline <= $1 ORDER BY deadline LIMIT $2", now, limit)

    async def idle(self, before: float, limit: int) -> list[Found]:
        return await self._found("status <> 'over' AND updated_at < $1 ORDER BY updated_at LIMIT $2", before, limit)

    async def over(self, before: float, limit: int, *, logged: bool) -> list[Found]:
        condition = "status = 'over' AND logged = $1 AND updated_at < $2 ORDER BY updated_at LIMIT $3"
        return await self._found(condition, logged, before, limit)

    async def keep_record(self, table: str, kept: Kept) -> None:
        statement = "INSERT INTO records VALUES ($1, $2, $3) ON CONFLICT (table_id) DO NOTHING"
        await self._execute(statement, table, kept.text, kept.facts)

    async def record(self, table: str) -> Kept | None:
        rows = await self._rows("SELECT text, facts FROM records WHERE table_id = $1", table)
        return Kept(*rows[0]) if rows else None

    async def cut_log(self, table: str, count: int) -> bool:
        async def work(db: Any) -> bool:
            async with db.transaction():
                await db.execute("DELETE FROM snapshots WHERE table_id = $1", table)
                is_gone = len(await db.fetch(CUT, table, count)) < count
                if is_gone:
                    await db.execute("UPDATE tables SET logged = false WHERE id = $1", table)
                return is_gone

        return await self._run(work)

    async def forget(self, table: str) -> None:
        async def work(db: Any) -> None:
            async with db.transaction():
                for statement in FORGET:
                    await db.execute(statement, table)

        await self._run(work)

    async def add_person(self, id: str, token_hash: bytes, name: str, language: str) -> None:  # noqa: A002
        try:
            await self._execute("INSERT INTO people VALUES ($1, $2, $3, $4)", id, token_hash, name, language)
        except asyncpg.UniqueViolationError:
            raise PersonTaken("This id or token belongs to somebody already.") from None

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        rows = await self._rows(WHO, token_hash)
        return Person(*rows[0]) if rows else None

    async def add_device(self, person: str, token_hash: bytes) -> None:
        await self._execute("INSERT INTO devices VALUES ($1, $2)", token_hash, person)

    async def rename(self, id: str, name: str, language: str) -> None:  # noqa: A002
        await self._execute("UPDATE people SET name = $2, language = $3 WHERE id = $1", id, name, language)

    async def add_ticket(self, hash: bytes, body: bytes, expires: float) -> None:  # noqa: A002
        await self._execute("INSERT INTO tickets VALUES ($1, $2, $3)", hash, body, expires)

    async def take_ticket(self, hash: bytes, now: float) -> bytes | None:  # noqa: A002
        async def work(db: Any) -> bytes | None:
            rows = await db.fetch("DELETE FROM tickets WHERE hash = $1 RETURNING body, expires", hash)
            # Sweep what nobody will take any more; rows that another process is taking are its business.
            stale = "SELECT hash FROM tickets WHERE expires <= $1 FOR UPDATE SKIP LOCKED"
            await db.execute(f"DELETE FROM tickets WHERE hash IN ({stale})", now)  # noqa: S608 # a constant
            return rows[0][0] if rows and rows[0][1] > now else None

        return await self._run(work)

    async def arrive(self, process: str, table: str, person: str, until: float) -> None:
        await self._execute(PUT_PRESENT, table, person, process, until)

    async def depart(self, process: str, table: str, person: str) -> None:
        await self._execute(
            "DELETE FROM present WHERE table_id = $1 AND person = $2 AND process = $3", table, person, process
        )

    async def stay(self, process: str, until: float) -> None:
        await self._execute("UPDATE present SET until = $2 WHERE process = $1", process, until)

    async def present(self, table: str, now: float) -> set[str]:
        rows = await self._rows("SELECT person FROM present WHERE table_id = $1 AND until > $2", table, now)
        return {row[0] for row in rows}

    async def migrate(self) -> None:
        async def work(db: Any) -> None:
            async with db.transaction():
                await db.execute(f"SELECT pg_advisory_xact_lock({MIGRATING})", timeout=MIGRATE_SECONDS)
                await db.execute(VERSIONS)
                for number, sql in missing("postgresql", await _schema_version(db)).items():
                    await db.execute(sql, timeout=MIGRATE_SECONDS)
                    await db.execute("INSERT INTO schema_versions (version) VALUES ($1)", number)

        await self._run(work)

    async def backup(self, path: Path) -> None:
        program = shutil.which("pg_dump")
        if program is None:
            raise NoBackup("A backup of PostgreSQL needs its program pg_dump, which is not on the PATH.")
        address, environment = _without_password(self._url)
        with new_file(path) as part:
            dump = await asyncio.create_subprocess_exec(
                *(program, "--format=custom", "--no-password", f"--file={part}", f"--dbname={address}"),
                stderr=asyncio.subprocess.PIPE,
                env=os.environ | environment,
            )
            _, said = await dump.communicate()
            if dump.returncode:
                raise StorageGone((said.decode(errors="replace").strip().splitlines() or ["pg_dump failed"])[-1])

    async def ping(self) -> None:
        await self._execute("SELECT 1")

    async def close(self) -> None:
        self._closed = True
        self._wake.set()
        if self._writer:
            await self._writer
        if self._listener:
            self._listener.cancel()
            await asyncio.wait([self._listener])
        with contextlib.suppress(*GONE):
            if self._pool:
                await asyncio.wait_for(self._pool.close(), ANSWER_SECONDS)
            if self._db:
                await self._db.close(timeout=CONNECT_SECONDS)

    # Everything but appends: a connection of the pool for each

    async def _run(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """What `work` makes of a connection."""
        if self._closed:
            raise StorageGone(CLOSED)
        try:
            async with self._pool.acquire() as db:
                return await work(db)
        except Exception as error:
            raise _trouble(error) from error

    async def _rows(self, query: str, *values: object) -> list[Any]:
        rows: list[Any] = await self._run(lambda db: db.fetch(query, *values))
        return rows

    async def _execute(self, statement: str, *values: object) -> None:
        await self._run(lambda db: db.execute(statement, *values))

    async def _found(self, condition: str, *values: object) -> list[Found]:
        query = f"SELECT {COLUMNS} FROM tables WHERE {condition}"  # noqa: S608 # conditions are ours, values are bound
        return [found(row) for row in await self._rows(query, *values)]

    # Appending

    async def _write_until_closed(self) -> None:
        while self._waiting or not self._closed:
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            if batch:
                await self._commit(batch)
            else:
                self._wake.clear()
                await self._wake.wait()

    async def _commit(self, batch: list[_Append]) -> None:
        """One transaction for all. If something in it is refused, each half by itself, down to the one at fault."""
        try:
            await self._put(batch)
        except Exception as error:
            if _is_gone(error):
                self._drop()
                _fail(batch, _trouble(error))
            elif len(batch) == 1:
                _fail(batch, _refusal(error, batch[0]))
            else:
                await self._commit(batch[: len(batch) // 2])
                await self._commit(batch[len(batch) // 2 :])
        else:
            self._settle(batch)

    async def _put(self, batch: list[_Append]) -> None:
        if self._db is None or self._db.is_closed():
            self._db = await asyncpg.connect(self._url, **_settings())
        rows = sorted((one.table, one.version + i, event) for one in batch for i, event in enumerate(one.events))
        notes = _notes(self._name, _last_versions(batch))
        indexes = sorted({one.table: row_of(one.table, one.index) for one in batch if one.index}.values())
        if indexes:
            await self._db.execute(PUT + PUT_INDEX + NOTIFY, *_columns(rows), notes, *_columns(indexes))
        else:
            await self._db.execute(PUT + NOTIFY, *_columns(rows), notes)

    def _settle(self, batch: list[_Append]) -> None:
        for one in batch:
            if not one.future.done():
                one.future.set_result(None)
        # After those who wait for it: an appender knows its own events before it hears of them.
        asyncio.get_running_loop().call_soon(tell, self._callbacks, _last_versions(batch))

    def _drop(self) -> None:
        if self._db is not None:
            self._db.terminate()
            self._db = None

    # Listening

    async def listen(self, callback: Callback) -> None:
        self._callbacks.append(callback)
        if self._listener is None:
            hears = asyncio.Event()
            self._listener = asyncio.create_task(self._hear_until_closed(hears))
            await hears.wait()

    async def _hear_until_closed(self, hears: asyncio.Event) -> None:
        """Hear the other processes; after a break, hear first of all that was written meanwhile."""
        heard: float | None = None
        while True:
            try:
                async with self._ear() as (db, cut):
                    now = await _clock(db)
                    if heard is not None:
                        tell(self._callbacks, await _written_since(db, heard - MARGIN_SECONDS))
                    heard = now
                    hears.set()
                    while not await _is_set(cut, BEAT_SECONDS):
                        heard = await _clock(db)
            except Exception as error:
                log.warning("notifications are interrupted: %s", _trouble(error))
            await asyncio.sleep(RETRY_SECONDS)

    @contextlib.asynccontextmanager
    async def _ear(self) -> AsyncIterator[tuple[Any, asyncio.Event]]:
        """A connection that listens, and an event that is set when it breaks."""
        db, cut = await asyncpg.connect(self._url, **_settings()), asyncio.Event()
        try:
            db.add_termination_listener(lambda _: cut.set())
            await db.add_listener(CHANNEL, self._hear)
            yield db, cut
        finally:
            db.terminate()

    def _hear(self, *heard: Any) -> None:
        _connection, _process, _channel, note = heard
        sender, *lines = note.split("\n")
        if sender != self._name:  # of our own commits the writer has told already
            tell(self._callbacks, {table: int(version) for version, table in (line.split(" ", 1) for line in lines)})


def _settings() -> dict[str, Any]:
    """How every connection is made. Durability does not depend on how the server happens to be set up."""
    wanted = {"synchronous_commit": "on", "application_name": "pokade"}
    return {"timeout": CONNECT_SECONDS, "command_timeout": ANSWER_SECONDS, "server_settings": wanted}


async def _schema_version(db: Any) -> int:
    """The schema that a database has; 0 if it is empty."""
    if not await db.fetchval("SELECT to_regclass('schema_versions') IS NOT NULL"):
        return 0
    return int(await db.fetchval("SELECT coalesce(max(version), 0) FROM schema_versions"))


async def _clock(db: Any) -> float:
    """The database's time. Asking for it also finds out whether the connection still works."""
    return float(await db.fetchval("SELECT extract(epoch FROM clock_timestamp())::float8"))


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    """Whether the event happens within that time."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()


async def _written_since(db: Any, moment: float) -> dict[str, int]:
    query = "SELECT table_id, max(version) FROM events WHERE written_at > $1 GROUP BY table_id"
    return dict(await db.fetch(query, moment))


def _last_versions(batch: Iterable[_Append]) -> dict[str, int]:
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


def _fail(batch: Iterable[_Append], error: Exception) -> None:
    for one in batch:
        if not one.future.done():
            one.future.set_exception(error)


def _is_gone(error: BaseException) -> bool:
    """Whether the connection is of no more use. Values that the client refuses to send are ValueErrors besides."""
    return isinstance(error, GONE) and not isinstance(error, ValueError)


def _refusal(error: Exception, one: _Append) -> Exception:
    """Why an append was turned down."""
    constraint = getattr(error, "constraint_name", None)
    if constraint == "events_pkey":
        return VersionTaken(f"Table {one.table} has got past version {one.version}.")
    return CodeTaken("Another table has this code.") if constraint == "one_table_a_code" else _trouble(error)


def _trouble(error: Exception) -> Exception:
    """What a failure is to the caller; a value that does not fit its column is a bug and stays as it is."""
    if isinstance(error, asyncpg.DiskFullError):
        return StorageFull("There is no room left on the database's disk.")
    if isinstance(error, ValueError | asyncpg.DataError | asyncpg.IntegrityConstraintViolationError):
        return error
    if isinstance(error, (*GONE, asyncpg.PostgresError)):
        return StorageGone(f"The database does not work: {str(error) or type(error).__name__}.")
    return error


def _without_password(url: str) -> tuple[str, dict[str, str]]:
    """The address for a command line, which others on the machine can read, and the password for its environment."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    environment = {"PGPASSWORD": unquote(password)} if password else {}
    return urlunsplit(parts._replace(netloc=name + at + host)), environment
