"""Somebody who looks at a table, and the way by which frames go there."""

import asyncio
from dataclasses import dataclass
from typing import Protocol


class Outbound(Protocol):
    """Where packed frames go. It never waits: too many, and it raises QueueFull."""

    def put_nowait(self, frame: bytes, /) -> None: ...


@dataclass(slots=True, eq=False)
class Listener:
    """Somebody who looks at a table: a bounded queue for the frames of all viewers they are."""

    person: str
    queue: Outbound
    viewers: tuple[int, ...] = ()
    claim: int | None = None  # the seat that they are known to have asked for
    sees_stand_ins: bool = False  # they know that the casual level plays for strong bots
    is_dropped: bool = False

    def offer(self, frame: bytes) -> None:
        """A slow reader is dropped, and comes back with the last number it has; it never holds up a table."""
        try:
            self.queue.put_nowait(frame)
        except asyncio.QueueFull:
            self.is_dropped = True
