"""The logs of the tables in memory, for a server that has no database: the one in a browser.

What is to outlive the process is handed to a shelf, row by row, as text under a key; a shelf that is given back brings
everything back but snapshots, which follow from the logs.
"""

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from pokade.server.storage.interface import (
    Callback,
    CodeTaken,
    Found,
    Kept,
    Logged,
    NoBackup,
    Person,
    PersonTaken,
    Snapshot,
    StorageGone,
    TableIndex,
    VersionTaken,
)
from pokade.server.storage.rows import CLOSED, tell

Shelve = Callable[[str, str | None], None]  # a key and its text, or None for what is to be forgotten
TEXT: Final = "latin-1"  # each byte is one sign, so whatever is stored comes back


def _forgets(_key: str, _text: str | None) -> None:
    """No shelf: everything is gone with the process."""


class MemoryStorage:
    """Everything in dictionaries of one process, and its rows on a shelf."""

    is_shared = False

    def __init__(self, shelf: Mapping[str, str] | None = None, shelve: Shelve = _forgets) -> None:
        self._shelve = shelve
        self._callbacks: list[Callback] = []
        self._logs: dict[str, dict[int, Logged]] = {}
        self._cut: set[str] = set()  # tables whose log is gone
        self._index: dict[str, TableIndex] = {}
        self._records: dict[str, Kept] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._people: dict[str, Person] = {}
        self._devices: dict[bytes, str] = {}
        self._tickets: dict[bytes, tuple[bytes, float]] = {}
        self._present: dict[tuple[str, str, str], float] = {}
        self._is_closed = False
        for key, text in (shelf or {}).items():
            self._take_back(*key.split(" "), text=json.loads(text))

    def _take_back(self, kind: str, key: str, version: str = "", *, text: Any) -> None:
        if kind == "log":
            rows = [Logged(n, event.encode(TEXT), text["at"]) for n, event in enumerate(text["events"], int(version))]
            self._logs.setdefault(key, {}).update({row.version: row for row in rows})
        elif kind == "index":
            self._index[key] = TableIndex(**text["index"] | {"seats": tuple(text["index"]["seats"])})
            self._cut |= set() if text["logged"] else {key}
        elif kind == "record":
            self._records[key] = Kept(**text)
        else:
            self._know(Person(key, bytes.fromhex(text["token"]), text["name"], text["language"]))

    # The log.

    async def append(
        self, table: str, version: int, events: Sequence[bytes], *, index: TableIndex | None = None
    ) -> None:
        self._want_open()
        if not events:
            raise ValueError("an append without events")
        now, log = time.time(), self._logs.get(table, {})
        rows = [Logged(number, bytes(memoryview(event)), now) for number, event in enumerate(events, version)]
        if any(row.version in log for row in rows):
            raise VersionTaken("Somebody else has appended first.")
        if index is not None:
            self._want_code(table, index.code)
            self._put(table, index)
        self._logs.setdefault(table, {}).update({row.version: row for row in rows})
        self._keep(f"log {table} {version}", {"at": now, "events": [row.event.decode(TEXT) for row in rows]})
        # Listeners hear of it when the appender has its answer.
        asyncio.get_running_loop().call_soon(tell, self._callbacks, {table: rows[-1].version})

    async def put_index(self, table: str, index: TableIndex) -> None:
        self._want_open()
        if table in self._index:
            self._put(table, index)

    async def events(self, table: str, after: int = 0, limit: int | None = None) -> list[Logged]:
        self._want_open()
        rows = sorted(self._logs.get(table, {}).values(), key=lambda row: row.version)
        return [row for row in rows if row.version > after][:limit]

    async def put_snapshot(self, table: str, snapshot: Snapshot) -> None:
        known = self._snapshots.get(table)
        if known is None or known.maker != snapshot.maker or known.version <= snapshot.version:
            self._snapshots[table] = snapshot

    async def snapshot(self, table: str) -> Snapshot | None:
        return self._snapshots.get(table)

    # What can be searched.

    async def table_by_code(self, code: str) -> Found | None:
        return next(iter(self._found(lambda index: index.code == code)), None)

    async def listed_tables(self, limit: int) -> list[Found]:
        return _latest(self._found(lambda index: index.listed and index.status != "over"))[:limit]

    async def tables_of(self, person: str, limit: int) -> list[Found]:
        return _latest(self._found(lambda index: person in index.seats))[:limit]

    async def due(self, now: float, limit: int) -> list[Found]:
        late = self._found(lambda index: index.deadline is not None and index.deadline <= now)
        return sorted(late, key=lambda found: found.index.deadline or 0.0)[:limit]

    async def idle(self, before: float, limit: int, after: float = 0.0) -> list[Found]:
        return _oldest(self._found(lambda index: index.status != "over" and after < index.updated_at < before))[:limit]

    async def over(self, before: float, limit: int, *, logged: bool) -> list[Found]:
        old = self._found(lambda index: index.status == "over" and index.updated_at < before)
        return _oldest(found for found in old if (found.table not in self._cut) == logged)[:limit]

    # What stays of finished games.

    async def keep_record(self, table: str, kept: Kept) -> None:
        if table not in self._records:
            self._records[table] = kept
            self._keep(f"record {table}", asdict(kept))

    async def record(self, table: str) -> Kept | None:
        return self._records.get(table)

    async def cut_log(self, table: str, count: int) -> bool:  # noqa: ARG002 # all of it takes no time
        self._snapshots.pop(table, None)
        for version in list(self._logs.pop(table, {})):
            self._shelve(f"log {table} {version}", None)
        self._cut.add(table)
        if table in self._index:
            self._put(table, self._index[table])
        return True

    async def forget(self, table: str) -> None:
        await self.cut_log(table, 0)
        self._index.pop(table, None)
        self._records.pop(table, None)
        self._cut.discard(table)
        self._shelve(f"index {table}", None)
        self._shelve(f"record {table}", None)

    # People.

    async def add_person(self, id: str, token_hash: bytes, name: str, language: str) -> None:  # noqa: A002
        if id in self._people or token_hash in self._devices:
            raise PersonTaken("This id or token belongs to somebody already.")
        self._know(Person(id, token_hash, name, language))

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        return self._people.get(self._devices.get(token_hash, ""))

    async def add_device(self, person: str, token_hash: bytes) -> None:
        self._devices[token_hash] = person

    async def rename(self, id: str, name: str, language: str) -> None:  # noqa: A002
        self._know(Person(id, self._people[id].token_hash, name, language))

    async def add_ticket(self, hash: bytes, body: bytes, expires: float) -> None:  # noqa: A002
        self._tickets[hash] = body, expires

    async def take_ticket(self, hash: bytes, now: float) -> bytes | None:  # noqa: A002
        self._tickets = {key: ticket for key, ticket in self._tickets.items() if ticket[1] > now}
        return self._tickets.pop(hash, (None, 0.0))[0]

    async def arrive(self, process: str, table: str, person: str, until: float) -> None:
        self._present[process, table, person] = until

    async def depart(self, process: str, table: str, person: str) -> None:
        self._present.pop((process, table, person), None)

    async def stay(self, process: str, until: float) -> None:
        self._present |= {key: until for key in self._present if key[0] == process}

    async def present(self, table: str, now: float) -> set[str]:
        return {person for (_, at, person), until in self._present.items() if at == table and until > now}

    # The storage itself.

    async def listen(self, callback: Callback) -> None:
        self._callbacks.append(callback)

    async def migrate(self) -> None:
        """Nothing here is older than the program."""

    async def backup(self, path: Path) -> None:  # noqa: ARG002
        raise NoBackup("A database in memory has no backup.")

    async def ping(self) -> None:
        self._want_open()

    async def close(self) -> None:
        self._is_closed = True

    def _want_open(self) -> None:
        if self._is_closed:
            raise StorageGone(CLOSED)

    def _want_code(self, table: str, code: str) -> None:
        if any(index.code == code for other, index in self._index.items() if other != table):
            raise CodeTaken("Another table has this code.")

    def _put(self, table: str, index: TableIndex) -> None:
        self._index[table] = index
        self._keep(f"index {table}", {"index": asdict(index), "logged": table not in self._cut})

    def _know(self, person: Person) -> None:
        self._people[person.id], self._devices[person.token_hash] = person, person.id
        told = {"token": person.token_hash.hex(), "name": person.name, "language": person.language}
        self._keep(f"person {person.id}", told)

    def _keep(self, key: str, value: Any) -> None:
        self._shelve(key, json.dumps(value, ensure_ascii=False))

    def _found(self, is_wanted: Callable[[TableIndex], bool]) -> list[Found]:
        return [Found(table, index) for table, index in self._index.items() if is_wanted(index)]


def _latest(found: Iterable[Found]) -> list[Found]:
    return sorted(found, key=lambda one: -one.index.updated_at)


def _oldest(found: Iterable[Found]) -> list[Found]:
    return sorted(found, key=lambda one: one.index.updated_at)
