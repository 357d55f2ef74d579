"""What runs of many games share: who does the work, and how sure a mean is.

A run is a list of independent pieces of work, each with its own seeds; results come in their order. Threads,
processes and a cluster (`cluster.py`) do them alike, so a run has the same numbers wherever it is done.
"""

import os
import pickle
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from pokade.games.errors import BadRun

CONFIDENCE: Final = 1.959964  # standard deviations on either side that hold 95 % of a normal distribution

OUTSIDE: Final = "a bot from a file plays in this process only, without --cluster and --runs"

Asked = TypeVar("Asked")
Found = TypeVar("Found")


class Workers(Protocol):
    """Who does the work."""

    @property
    def at_once(self) -> int:
        """How many pieces are done at a time."""

    def in_order(self, work: Callable[[Asked], Found], pieces: Iterable[Asked]) -> Iterator[Found]:
        """What comes of each piece, in order. No more pieces wait than keep everybody busy."""


def all_threads() -> int:
    """As many threads as this process may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(work: Callable[[Asked], Found], pieces: Iterable[Asked], workers: "int | Workers") -> Iterator[Found]:
    """What comes of each piece of work, in order, by so many threads or by other workers."""
    return (Threads(workers) if isinstance(workers, int) else workers).in_order(work, pieces)


def count_of(workers: "int | Workers") -> int:
    """How many pieces are done at a time."""
    return workers if isinstance(workers, int) else workers.at_once


def check_seats(workers: "int | Workers", seats: Iterable[object]) -> None:
    """Refuses players from files where the work leaves this process: other machines do not have them."""
    if not isinstance(workers, int | Threads) and not all(isinstance(who, str) for who in seats):
        raise BadRun("cluster/outside", OUTSIDE)


def windowed(
    submit: Callable[[Asked], Any], result: Callable[[Any], Found], pieces: Iterable[Asked], at_once: int
) -> Iterator[Found]:
    """Hand pieces out, two for each worker, and give back what comes of them in their order."""
    waiting: deque[Any] = deque()
    for piece in pieces:
        waiting.append(submit(piece))
        if len(waiting) > 2 * at_once:
            yield result(waiting.popleft())
    while waiting:
        yield result(waiting.popleft())


class Threads:
    """Threads of this process; for compiled work, during which other threads run."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once

    def in_order(self, work: Callable[[Asked], Found], pieces: Iterable[Asked]) -> Iterator[Found]:
        """What comes of each piece, in order."""
        pool = ThreadPoolExecutor(self.at_once)
        try:
            yield from windowed(lambda piece: pool.submit(work, piece), Future.result, pieces, self.at_once)
        finally:
            pool.shutdown(cancel_futures=True)


class Processes:
    """Processes of this machine. Work and pieces are pickled; the work only once, for it may be large."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once

    def in_order(self, work: Callable[[Asked], Found], pieces: Iterable[Asked]) -> Iterator[Found]:
        """What comes of each piece, in order."""
        pool = ProcessPoolExecutor(self.at_once, get_context("spawn"))
        with tempfile.TemporaryDirectory(prefix="pokade-work-") as folder:
            file = Path(folder) / "work"
            file.write_bytes(pickle.dumps(work))
            try:
                place = str(file)
                yield from windowed(lambda piece: pool.submit(_done, place, piece), Future.result, pieces, self.at_once)
            finally:
                pool.shutdown(cancel_futures=True)


def _done(file: str, piece: Any) -> Any:
    """One piece, in another process."""
    return _work_of(file)(piece)


@lru_cache(1)
def _work_of(file: str) -> Callable[[Any], Any]:
    found: Callable[[Any], Any] = pickle.loads(Path(file).read_bytes())  # noqa: S301 - our own, written just now
    return found
