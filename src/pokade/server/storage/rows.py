"""What both databases share: index rows, listeners, and how a backup becomes a file."""

import json
import logging
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pokade.server.storage.interface import Callback, Found, NoBackup, StorageError, TableIndex

CLOSED = "The storage is closed."
COLUMNS = "id, code, game, status, listed, deadline, updated_at, seats, shown"
REPLACED = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS.split(", ")[1:])

log = logging.getLogger(__name__)


def row_of(table: str, index: TableIndex) -> tuple[Any, ...]:
    """An index as a row of COLUMNS."""
    facts = (index.code, index.game, index.status, index.listed, index.deadline, index.updated_at)
    return (table, *facts, json.dumps(index.seats), index.shown)


def found(row: Sequence[Any]) -> Found:
    """A row of COLUMNS as a table with its index."""
    table, code, game, status, listed, deadline, updated_at, seats, shown = row
    index = TableIndex(code, game, status, bool(listed), deadline, updated_at, tuple(json.loads(seats)), shown)
    return Found(table, index)


def tell(callbacks: Sequence[Callback], commits: dict[str, int]) -> None:
    """Tell every listener of every table. One that fails is logged and does not keep the news from the others."""
    for table, version in commits.items():
        for callback in callbacks:
            try:
                callback(table, version)
            except Exception:
                log.exception("a listener failed")


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A file, private to its owner, to write a backup to. It takes its name only when it is whole and on the disk."""
    if path.exists():
        raise NoBackup(f"{path} exists already.")
    part = None
    try:
        handle, name = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
        os.close(handle)
        part = Path(name)
        yield part
        _sync(part, os.O_RDWR)
        part.replace(path)
        if hasattr(os, "O_DIRECTORY"):  # elsewhere folders can't be opened
            _sync(path.parent, os.O_RDONLY)
    except (StorageError, OSError) as error:
        raise NoBackup(f"The backup to {path} failed: {error}") from error
    finally:
        if part:
            part.unlink(missing_ok=True)


def _sync(path: Path, access: int) -> None:
    handle = os.open(path, access)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
