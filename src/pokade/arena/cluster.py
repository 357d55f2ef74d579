"""Many machines: pieces of work as tasks of Ray, which runs them wherever there is a free core.

What a lost machine was doing is done again elsewhere. Pieces carry their seeds and every machine must have the same
code, so where a piece is done changes nothing but the time it takes.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from pokade.arena.keeping import digest_of
from pokade.arena.runs import Asked, Found, windowed
from pokade.games.errors import BadRun

AUTO: Final = "auto"  # the cluster that this machine belongs to
FOREVER: Final = -1  # how often a task is tried again when its machine is lost


class Cluster:
    """A running Ray cluster; results come back to this machine in order, and it writes them down."""

    def __init__(self, address: str = AUTO) -> None:
        self._ray = _joined(address)
        self._code = code()

    @property
    def at_once(self) -> int:
        """The cores that the cluster has now; machines may come and go meanwhile."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def in_order(self, work: Callable[[Asked], Found], pieces: Iterable[Asked]) -> Iterator[Found]:
        """What comes of each piece, in order."""
        ray = self._ray
        shared = ray.put(work)  # large work travels once to each machine
        task = ray.remote(num_cpus=1, max_retries=FOREVER, scheduling_strategy="SPREAD")(_done)
        yield from windowed(partial(task.remote, shared, self._code), self._result, pieces, self.at_once)

    def _result(self, reference: Any) -> Any:
        """What a task gave; an error of the work is raised as it was there."""
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, Exception) else error) from None


def _joined(address: str) -> Any:
    """Ray, connected to a cluster that is there; this command never starts one."""
    try:
        import ray  # noqa: PLC0415 - an extra
    except ImportError:
        raise BadRun("cluster/missing", "--cluster needs Ray: pip install 'pokade[cluster]'") from None
    if not ray.is_initialized():
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError) as error:
            why = str(error).splitlines()[0][:200]
            raise BadRun("cluster/none", f"no cluster at {address}: {why}", address=address, why=why) from None
    return ray


@cache
def code() -> str:
    """A digest of everything that decides what comes of a piece of work."""
    here = Path(__file__).parents[1]
    folders = [here / name for name in ("games", "players", "arena", "solver")]
    files = [
        file for folder in folders for kind in ("*.py", "*.book", "*.solution", "*.xz") for file in folder.rglob(kind)
    ]
    return digest_of([here / "chance.py", here / "loop.py", *files])


def _done(work: Callable[[Any], Any], wanted: str, piece: Any) -> Any:
    """One piece, on whatever machine this is."""
    if code() != wanted:
        raise BadRun("cluster/code", "a machine of the cluster has another version of Pokade than this one")
    return work(piece)
