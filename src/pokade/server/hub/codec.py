"""Events and frames as bytes: how they are stored, and how they are sent."""

from collections.abc import Iterable, Iterator, Sequence

import orjson

from pokade.server.table.events import Event
from pokade.server.views.frames import Frame


def stored(batch: Sequence[Event]) -> list[bytes]:
    """Events that belong together, as they are stored: each says how many of its batch are still to come."""
    return [
        orjson.dumps([e.kind, e.at, e.data, left]) for left, e in zip(range(len(batch) - 1, -1, -1), batch, strict=True)
    ]


def batches(log: Iterable[bytes]) -> Iterator[list[Event]]:
    """The batches of a log, as they were stored."""
    batch: list[Event] = []
    for raw in log:
        kind, at, data, left = orjson.loads(raw)
        batch.append(Event(kind, at, data))
        if left == 0:
            yield batch
            batch = []


def packed(frame: Frame) -> bytes:
    """A frame as it is sent."""
    return orjson.dumps(frame)
