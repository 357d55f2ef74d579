"""Locks between processes: a byte of a file, which the system lets go of when a process ends, however it ends."""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

GLANCE: Final = 0.2  # seconds from one try to the next


def lock_now(handle: int) -> bool:
    """Lock the first byte for this process, which its children don't inherit; False if another process has it."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - there is one of the two on each system

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Wait until no other process is in such a block with this file. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not lock_now(handle):
            time.sleep(GLANCE)
        yield
    finally:
        os.close(handle)
