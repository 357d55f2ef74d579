"""One server a file: two that wrote to the same SQLite file would not hear of each other's games.

A lock on a file beside the database says who has it. The system lets go of it when the process ends, however it ends,
so a killed server never locks the next one out. A backup only copies the database and takes no lock.
"""

import contextlib
import os
from collections.abc import Iterator
from typing import Final

from pokade.locks import lock_now
from pokade.server.storage.interface import BadDatabase, DatabaseInUse

SQLITE: Final = "sqlite:///"


@contextlib.contextmanager
def alone(url: str) -> Iterator[None]:
    """Be the only server on this database as long as the block runs; PostgreSQL serves several. Raises StorageError."""
    if not url.startswith(SQLITE):
        yield
        return
    path = os.path.realpath(url.removeprefix(SQLITE))
    handle = _open(path)
    try:
        if not lock_now(handle):
            raise DatabaseInUse(f"Another server is running on {path}.")
        yield
    finally:
        os.close(handle)


def _open(path: str) -> int:
    try:
        return os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise BadDatabase(f"{path} can't be locked: {error.strerror}.") from None
