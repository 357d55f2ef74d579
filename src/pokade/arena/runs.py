"""What runs of many games share: how several games run at once, and how sure a mean is."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

CONFIDENCE: Final = 1.959964  # standard deviations on either side that hold 95 % of a normal distribution

Asked = TypeVar("Asked")
Found = TypeVar("Found")


def all_threads() -> int:
    """As many threads as this process may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(work: Callable[[Asked], Found], pieces: Iterable[Asked], threads: int) -> Iterator[Found]:
    """What comes of each piece of work, in order; for compiled work, during which other threads run.

    No more pieces wait than keep everybody busy.
    """
    pool, waiting = ThreadPoolExecutor(threads), list[Future[Found]]()
    try:
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) > 2 * threads:
                yield waiting.pop(0).result()
        for future in waiting:
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)
