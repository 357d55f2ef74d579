"""The log in PostgreSQL, for several processes: one writer connection commits whatever is queued, readers beside it."""

import asyncio
import contextlib
import os
import secrets
import shutil
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

from pokade.server.storage.interface import (
    BadDatabase,
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
from pokade.server.storage.postgresql_connection import ANSWER_SECONDS, GONE, schema_version, settings, trouble
from pokade.server.storage.postgresql_listener import Listener
from pokade.server.storage.postgresql_writer import Writer
from pokade.server.storage.rows import CLOSED, COLUMNS, REPLACED, found, new_file, row_of

T = TypeVar("T")
READERS = 4
MIGRATE_SECONDS = 3600.0
MIGRATING = 7_063_655  # the key of the lock that lets one process migrate at a time

VERSIONS = "CREATE TABLE IF NOT EXISTS schema_versions (version int PRIMARY KEY, applied_at timestamptz DEFAULT now())"
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


class PostgresStorage:
    """A database that several processes share. Listeners hear of all commits, their own and those of the others."""

    is_shared = True

    def __init__(self, url: str) -> None:
        self._url = url
        self._callbacks: list[Callback] = []
        name = secrets.token_hex(8)
        self._writer = Writer(url, name, self._callbacks)
        self._listener = Listener(url, name, self._callbacks)
        self._pool: Any = None

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect and check the schema version."""
        storage = cls(url)
        try:
            storage._pool = await asyncpg.create_pool(url, min_size=0, max_size=READERS, **settings())
            missing("postgresql", await storage._run(schema_version))
        except ValueError as error:  # what asyncpg makes of an address that it can't read
            raise BadDatabase(f"This is no PostgreSQL address: {error}.") from None
        except BaseException:
            await storage.close()
            raise
        storage._writer.start()
        return storage

    async def append(
        self, table: str, version: int, events: Sequence[bytes], *, index: TableIndex | None = None
    ) -> None:
        await self._writer.append(table, version, events, index)

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
                for number, sql in missing("postgresql", await schema_version(db)).items():
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
        await self._writer.close()
        await self._listener.close()
        with contextlib.suppress(*GONE):
            if self._pool:
                await asyncio.wait_for(self._pool.close(), ANSWER_SECONDS)
            await self._writer.hang_up()

    async def listen(self, callback: Callback) -> None:
        self._callbacks.append(callback)
        await self._listener.start()

    # Everything but appends: a connection of the pool for each

    async def _run(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """What `work` makes of a connection."""
        if self._writer.is_closed:
            raise StorageGone(CLOSED)
        try:
            async with self._pool.acquire() as db:
                return await work(db)
        except Exception as error:
            raise trouble(error) from error

    async def _rows(self, query: str, *values: object) -> list[Any]:
        rows: list[Any] = await self._run(lambda db: db.fetch(query, *values))
        return rows

    async def _execute(self, statement: str, *values: object) -> None:
        await self._run(lambda db: db.execute(statement, *values))

    async def _found(self, condition: str, *values: object) -> list[Found]:
        query = f"SELECT {COLUMNS} FROM tables WHERE {condition}"  # noqa: S608 # conditions are ours, values are bound
        return [found(row) for row in await self._rows(query, *values)]


def _without_password(url: str) -> tuple[str, dict[str, str]]:
    """The address for a command line, which others on the machine can read, and the password for its environment."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    environment = {"PGPASSWORD": unquote(password)} if password else {}
    return urlunsplit(parts._replace(netloc=name + at + host)), environment
