"""Tables for pieces of work: each is used by one thread at a time, and kept for the next piece."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

Place = TypeVar("Place")


class Places(Generic[Place]):
    """As many places as are used at once. A pickle holds only how to make one, so each process has its own."""

    def __init__(self, make: Callable[[], Place]) -> None:
        self._make, self._idle = make, list[Place]()

    def __reduce__(self) -> tuple[Any, ...]:
        return Places, (self._make,)

    @contextmanager
    def one(self) -> Iterator[Place]:
        """A place that nobody else uses meanwhile."""
        try:
            place = self._idle.pop()
        except IndexError:
            place = self._make()
        try:
            yield place
        finally:
            self._idle.append(place)
