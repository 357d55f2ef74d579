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

from pokade.server.storage.interface import BadDatabase, Callback, NoBackup, PersonTaken, StorageGone, TableIndex
from pokade.server.storage.migrations import missing
from pokade.server.storage.postgresql_connection import ANSWER_SECONDS, GONE, schema_version, settings, trouble
from pokade.server.storage.postgresql_listener import Listener
from pokade.server.storage.postgresql_writer import Writer
from pokade.server.storage.rows import CLOSED, COLUMNS, REPLACED, new_file, row_of
from pokade.server.storage.sql import FORGET, SqlStorage

T = TypeVar("T")
READERS = 4
MIGRATE_SECONDS = 3600.0
MIGRATING = 7_063_655  # the key of the lock that lets one process migrate at a time

VERSIONS = "CREATE TABLE IF NOT EXISTS schema_versions (version int PRIMARY KEY, applied_at timestamptz DEFAULT now())"
PUT_ROW = (
    f"INSERT INTO tables ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) "  # noqa: S608 # names of columns
    f"ON CONFLICT (id) DO UPDATE SET {REPLACED}"
)
CUT = (
    "DELETE FROM events WHERE table_id = $1 AND version IN "
    "(SELECT version FROM events WHERE table_id = $1 ORDER BY version LIMIT $2) RETURNING 1"
)


class PostgresStorage(SqlStorage):
    """A database that several processes share. Listeners hear of all commits, their own and those of the others."""

    is_shared = True
    no_limit = None

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

    async def take_ticket(self, hash: bytes, now: float) -> bytes | None:  # noqa: A002
        async def work(db: Any) -> bytes | None:
            rows = await db.fetch("DELETE FROM tickets WHERE hash = $1 RETURNING body, expires", hash)
            # Sweep what nobody will take any more; rows that another process is taking are its business.
            stale = "SELECT hash FROM tickets WHERE expires <= $1 FOR UPDATE SKIP LOCKED"
            await db.execute(f"DELETE FROM tickets WHERE hash IN ({stale})", now)  # noqa: S608 # a constant
            return rows[0][0] if rows and rows[0][1] > now else None

        return await self._run(work)

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


def _without_password(url: str) -> tuple[str, dict[str, str]]:
    """The address for a command line, which others on the machine can read, and the password for its environment."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    environment = {"PGPASSWORD": unquote(password)} if password else {}
    return urlunsplit(parts._replace(netloc=name + at + host)), environment
