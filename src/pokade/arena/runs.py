"""What runs of many games share: how several games run at once, and how sure a mean is."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Final, TypeVar

CONFIDENCE: Final = 1.959964  # standard deviations on either side that hold 95 % of a normal distribution

Asked = TypeVar("Asked")
Found = TypeVar("Found")


def all_threads() -> int:
    """As many threads as this process may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(work: Callable[[Asked], Found], pieces: Iterable[Asked], threads: int) -> Iterator[Found]:
    """What comes of each piece of work, in order; for compiled work, during which other threads run."""
    return _in_order(ThreadPoolExecutor(threads), work, pieces, threads)


def in_processes(
    make: Callable[..., Callable[[Asked], Found]], given: tuple[Any, ...], pieces: Iterable[Asked], processes: int
) -> Iterator[Found]:
    """The same for work in plain Python, which computes in one thread at a time: `make(*given)` is the work.

    What is given and what comes of it must pickle.
    """
    start = multiprocessing.get_context("spawn")  # everywhere the same, and safe beside threads
    pool = ProcessPoolExecutor(processes, start, _begin, (make, given))
    return _in_order(pool, _do, pieces, processes)


def _in_order(pool: Executor, work: Callable[[Asked], Found], pieces: Iterable[Asked], at_once: int) -> Iterator[Found]:
    """With no more pieces waiting than keep everybody busy."""
    waiting: list[Future[Found]] = []
    try:
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) > 2 * at_once:
                yield waiting.pop(0).result()
        for future in waiting:
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


_work: list[Callable[[Any], Any]] = []  # of this process, if it is one of several


def _begin(make: Callable[..., Callable[[Any], Any]], given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one hears it, and ends all
    _work[:] = [make(*given)]


def _do(piece: Any) -> Any:
    return _work[0](piece)
