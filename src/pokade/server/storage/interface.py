"""What the server asks of a database, whichever it is, and what can go wrong there.

PokadeError
└── StorageError        has a stable `code` and one sentence
    ├── VersionTaken    storage/version-taken: somebody else appended first; read on and try again
    ├── CodeTaken       storage/code-taken: another table has this join code
    ├── PersonTaken     storage/person-taken: the id or the token belongs to somebody
    ├── StorageFull     storage/full: no room; nothing of it was written
    ├── StorageGone     storage/gone: the database does not answer; a write under way may or may not have been kept
    ├── BadDatabase     storage/bad-database: it can't be opened by this program
    ├── DatabaseInUse   storage/in-use: another server has it, and it is for one alone
    └── NoBackup        storage/no-backup: a backup could not be made
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from pokade.games.errors import PokadeError

Callback = Callable[[str, int], None]


class StorageError(PokadeError):
    """Something that the database refused or could not do."""

    code: ClassVar[str]


class VersionTaken(StorageError):
    """The log of this table already has an event with one of these versions; nothing was written."""

    code = "storage/version-taken"


class CodeTaken(StorageError):
    """Another table has this join code; nothing was written."""

    code = "storage/code-taken"


class PersonTaken(StorageError):
    """The id or the token of a new person belongs to somebody already."""

    code = "storage/person-taken"


class StorageFull(StorageError):
    """There is no room left; nothing was written."""

    code = "storage/full"


class StorageGone(StorageError):
    """The database does not answer. A write under way may have been kept: read the log before trying again."""

    code = "storage/gone"


class BadDatabase(StorageError):
    """An address that names no database, or a database that this program can't use."""

    code = "storage/bad-database"


class DatabaseInUse(StorageError):
    """Another server is running on a database that is for one alone."""

    code = "storage/in-use"


class NoBackup(StorageError):
    """A backup could not be made; no file was left behind."""

    code = "storage/no-backup"


@dataclass(frozen=True, slots=True)
class Logged:
    """One event of a table's log."""

    version: int
    event: bytes
    written_at: float


@dataclass(frozen=True, slots=True)
class TableIndex:
    """The searchable facts of a table. They follow from its log and are written together with it."""

    code: str  # the short join code
    game: str
    status: str  # "open", "on" or "over"
    listed: bool
    deadline: float | None  # when the next timer fires, in unix time
    updated_at: float
    seats: tuple[str, ...]  # the people at the table
    shown: str = "{}"  # what a list of tables shows of it, as JSON


@dataclass(frozen=True, slots=True)
class Found:
    """A table and its index row."""

    table: str
    index: TableIndex


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A folded table: the version that it has got to, the program that folded it, and what that one made of it."""

    version: int
    maker: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Kept:
    """What stays of a finished game when its log goes: the record, and the facts that a link to the table shows."""

    text: str
    facts: str  # JSON


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a device token, of which only the hash is kept."""

    id: str
    token_hash: bytes
    name: str
    language: str


class Storage(Protocol):
    """The logs of all tables, an index of them, people, and one-time tickets. Each write is durable when it returns."""

    is_shared: bool  # may other processes serve the same tables?

    async def append(
        self, table: str, version: int, events: Sequence[bytes], *, index: TableIndex | None = None
    ) -> None:
        """Write events as `version`, `version + 1`, …, and the index row: all, or nothing if a version is taken."""

    async def put_index(self, table: str, index: TableIndex) -> None:
        """Write the index row of a table that has one already: its log is ahead of it."""

    async def events(self, table: str, after: int = 0, limit: int | None = None) -> list[Logged]:
        """The log of a table behind version `after`, in order; of a long one only the first so many."""

    async def put_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Keep a folded table, instead of the one before; one that got further stays, if the same program made it."""

    async def snapshot(self, table: str) -> Snapshot | None:
        """The folded table that was kept last."""

    async def table_by_code(self, code: str) -> Found | None:
        """The table with this join code."""

    async def listed_tables(self, limit: int) -> list[Found]:
        """Tables that anyone may see and that are not over, the latest first."""

    async def tables_of(self, person: str, limit: int) -> list[Found]:
        """Where a person sits or sat, the latest first."""

    async def due(self, now: float, limit: int) -> list[Found]:
        """Tables whose deadline has passed, the longest overdue first."""

    async def idle(self, before: float, limit: int, after: float = 0.0) -> list[Found]:
        """Tables that are not over and were touched last between `after` and `before`, the longest idle first."""

    async def over(self, before: float, limit: int, *, logged: bool) -> list[Found]:
        """Tables that are over and were not touched since `before`, with their log or without, the oldest first."""

    async def keep_record(self, table: str, kept: Kept) -> None:
        """Keep what stays of a finished game. What was kept first stays."""

    async def record(self, table: str) -> Kept | None:
        """What has stayed of a finished game."""

    async def cut_log(self, table: str, count: int) -> bool:
        """Delete the first events of a log, and its snapshot; says whether all is gone now, and so does the index."""

    async def forget(self, table: str) -> None:
        """Delete all that is known of a table whose log is gone."""

    async def add_person(self, id: str, token_hash: bytes, name: str, language: str) -> None:  # noqa: A002 # a person's id
        """Remember a new person."""

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        """The person who holds this token, on whichever device."""

    async def add_device(self, person: str, token_hash: bytes) -> None:
        """Another token for a person: from now on both are theirs."""

    async def rename(self, id: str, name: str, language: str) -> None:  # noqa: A002 # a person's id
        """Change a person's name and language."""

    async def add_ticket(self, hash: bytes, body: bytes, expires: float) -> None:  # noqa: A002 # a ticket's hash
        """Keep what a one-time ticket stands for, until it is taken or expires."""

    async def take_ticket(self, hash: bytes, now: float) -> bytes | None:  # noqa: A002 # a ticket's hash
        """What the ticket stands for, to one caller only; None if it never was, was taken, or has expired."""

    async def arrive(self, process: str, table: str, person: str, until: float) -> None:
        """A person looks at a table through a process, which says so again before `until` as long as it is so."""

    async def depart(self, process: str, table: str, person: str) -> None:
        """A person looks away."""

    async def stay(self, process: str, until: float) -> None:
        """All who look through a process still do."""

    async def present(self, table: str, now: float) -> set[str]:
        """The people who look at a table, through whichever process; the list of a dead process expires."""

    async def listen(self, callback: Callback) -> None:
        """From now on call `callback(table, version)` after each commit, with the last version that it wrote."""

    async def migrate(self) -> None:
        """Bring the schema up to what this program needs."""

    async def backup(self, path: Path) -> None:
        """Write a consistent copy to a new file while others go on reading and writing."""

    async def ping(self) -> None:
        """Return if the database answers, else raise StorageGone."""

    async def close(self) -> None:
        """Finish what is under way and let go of the database."""
