"""What both databases are asked in the same words. Values stand as $1, $2 …, each once and in this order."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from pokade.server.storage.interface import Found, Kept, Logged, Person, Snapshot
from pokade.server.storage.rows import COLUMNS, found

EVENTS: Final = (
    "SELECT version, event, written_at FROM events WHERE table_id = $1 AND version > $2 ORDER BY version LIMIT $3"
)
PUT_SNAPSHOT: Final = (
    "INSERT INTO snapshots VALUES ($1, $2, $3, $4) "
    "ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, maker = excluded.maker, body = excluded.body "
    "WHERE excluded.version > snapshots.version OR excluded.maker <> snapshots.maker"
)
FORGET: Final = (
    "DELETE FROM records WHERE table_id = $1",
    "DELETE FROM seated WHERE table_id = $1",
    "DELETE FROM tables WHERE id = $1 AND NOT logged",
)
WHO: Final = (
    "SELECT id, token_hash, name, language FROM people WHERE token_hash = $1 "
    "OR id = (SELECT person FROM devices WHERE token_hash = $2)"
)
PUT_PRESENT: Final = (
    "INSERT INTO present VALUES ($1, $2, $3, $4) "
    "ON CONFLICT (table_id, person, process) DO UPDATE SET until = excluded.until"
)


class SqlStorage(ABC):
    """The part of a storage that is one statement each, whichever database runs it."""

    no_limit: ClassVar[int | None]  # what the database takes as LIMIT for everything

    @abstractmethod
    async def _rows(self, query: str, *values: object) -> Sequence[Any]:
        """The rows that a query finds."""

    @abstractmethod
    async def _execute(self, statement: str, *values: object) -> None:
        """Run a statement; when this returns, what it has written is durable."""

    async def _found(self, condition: str, *values: object) -> list[Found]:
        query = f"SELECT {COLUMNS} FROM tables WHERE {condition}"  # noqa: S608 # conditions are ours, values are bound
        return [found(row) for row in await self._rows(query, *values)]

    # Logs and snapshots.

    async def events(self, table: str, after: int = 0, limit: int | None = None) -> list[Logged]:
        most = self.no_limit if limit is None else limit
        return [Logged(*row) for row in await self._rows(EVENTS, table, after, most)]

    async def put_snapshot(self, table: str, snapshot: Snapshot) -> None:
        await self._execute(PUT_SNAPSHOT, table, snapshot.version, snapshot.maker, snapshot.body)

    async def snapshot(self, table: str) -> Snapshot | None:
        rows = await self._rows("SELECT version, maker, body FROM snapshots WHERE table_id = $1", table)
        return Snapshot(*rows[0]) if rows else None

    # What can be searched.

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

    async def idle(self, before: float, limit: int, after: float = 0.0) -> list[Found]:
        condition = "status <> 'over' AND updated_at > $1 AND updated_at < $2 ORDER BY updated_at LIMIT $3"
        return await self._found(condition, after, before, limit)

    async def over(self, before: float, limit: int, *, logged: bool) -> list[Found]:
        condition = "status = 'over' AND logged = $1 AND updated_at < $2 ORDER BY updated_at LIMIT $3"
        return await self._found(condition, logged, before, limit)

    # What stays of finished games.

    async def keep_record(self, table: str, kept: Kept) -> None:
        statement = "INSERT INTO records VALUES ($1, $2, $3) ON CONFLICT (table_id) DO NOTHING"
        await self._execute(statement, table, kept.text, kept.facts)

    async def record(self, table: str) -> Kept | None:
        rows = await self._rows("SELECT text, facts FROM records WHERE table_id = $1", table)
        return Kept(*rows[0]) if rows else None

    # People.

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        rows = await self._rows(WHO, token_hash, token_hash)
        return Person(*rows[0]) if rows else None

    async def add_device(self, person: str, token_hash: bytes) -> None:
        await self._execute("INSERT INTO devices VALUES ($1, $2)", token_hash, person)

    async def rename(self, id: str, name: str, language: str) -> None:  # noqa: A002
        await self._execute("UPDATE people SET name = $1, language = $2 WHERE id = $3", name, language, id)

    async def add_ticket(self, hash: bytes, body: bytes, expires: float) -> None:  # noqa: A002
        await self._execute("INSERT INTO tickets VALUES ($1, $2, $3)", hash, body, expires)

    async def arrive(self, process: str, table: str, person: str, until: float) -> None:
        await self._execute(PUT_PRESENT, table, person, process, until)

    async def depart(self, process: str, table: str, person: str) -> None:
        statement = "DELETE FROM present WHERE table_id = $1 AND person = $2 AND process = $3"
        await self._execute(statement, table, person, process)

    async def stay(self, process: str, until: float) -> None:
        await self._execute("UPDATE present SET until = $1 WHERE process = $2", until, process)

    async def present(self, table: str, now: float) -> set[str]:
        rows = await self._rows("SELECT person FROM present WHERE table_id = $1 AND until > $2", table, now)
        return {row[0] for row in rows}
