"""Connections to a SQLite file: how it is opened, which schema it has, and what its errors mean to a caller."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator

from pokade.server.storage.interface import BadDatabase, StorageFull, StorageGone

BUSY_SECONDS = 5.0  # how long to wait for another process that has the file


def connect(path: str) -> sqlite3.Connection:
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


def identity(path: str) -> tuple[int, int] | None:
    """Which file lies at a path; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def schema_version(db: sqlite3.Connection) -> int:
    """The schema that a database has; 0 if it is empty."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_versions'").fetchall():
        return 0
    newest = db.execute("SELECT coalesce(max(version), 0) FROM schema_versions").fetchone()
    return int(newest[0])


def statements(sql: str) -> Iterator[str]:
    """One statement after the other, since sqlite3's own way to run several would end the transaction."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def trouble(error: Exception) -> Exception:
    """What a failed transaction is to the caller; a refusal or a bug stays as it is."""
    if not isinstance(error, sqlite3.OperationalError) and type(error) is not sqlite3.DatabaseError:
        return error
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return StorageFull("There is no room left on the disk.")
    return StorageGone(f"The database does not work: {error}.")
