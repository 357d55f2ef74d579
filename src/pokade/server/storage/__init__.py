"""The logs of the tables, durable before anyone is told: one small interface, SQLite and PostgreSQL behind it."""

from pokade.server.storage.alone import alone
from pokade.server.storage.interface import (
    BadDatabase,
    Callback,
    CodeTaken,
    DatabaseInUse,
    Found,
    Kept,
    Logged,
    NoBackup,
    Person,
    PersonTaken,
    Snapshot,
    Storage,
    StorageError,
    StorageFull,
    StorageGone,
    TableIndex,
    VersionTaken,
)

__all__ = [
    "BadDatabase",
    "Callback",
    "CodeTaken",
    "DatabaseInUse",
    "Found",
    "Kept",
    "Logged",
    "NoBackup",
    "Person",
    "PersonTaken",
    "Snapshot",
    "Storage",
    "StorageError",
    "StorageFull",
    "StorageGone",
    "TableIndex",
    "VersionTaken",
    "alone",
    "open_storage",
]


async def open_storage(url: str) -> Storage:
    """Open `sqlite:///PATH`, `sqlite://` (in memory) or `postgresql://…`. A newer schema than ours is refused.

    What is opened belongs to the running event loop. Call `migrate` before the first use.
    """
    # Each backend loads only when asked for: a server on SQLite needs no PostgreSQL client in memory.
    if url.startswith(("postgresql://", "postgres://")):
        from pokade.server.storage.postgresql import PostgresStorage  # noqa: PLC0415

        return await PostgresStorage.open(url)
    if url == "sqlite://" or (url.startswith("sqlite:///") and url != "sqlite:///"):
        from pokade.server.storage.sqlite import SqliteStorage  # noqa: PLC0415

        return await SqliteStorage.open(url.removeprefix("sqlite://").removeprefix("/"))
    raise BadDatabase("A database address looks like sqlite:///PATH or postgresql://USER@HOST/NAME.")
