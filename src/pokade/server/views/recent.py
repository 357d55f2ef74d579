"""The last frames of each viewer, for those who come back: what they have missed, or else what is true now.

What is kept of a viewer is what that viewer was sent, to the byte. Whether it is enough depends on nothing else: on how
many frames that viewer got, how long they were, and whether anybody looked through these eyes.
"""

from collections import deque
from collections.abc import Collection, Sequence
from typing import Final

from pokade.server.table import events
from pokade.server.table.events import Event

FRAMES: Final = 64  # of a viewer that are kept at most …
BYTES: Final = 1 << 15  # … and how long they may be together
_HANDED_ON: Final = (events.SEATED, events.UNSEATED)


class _Kept:
    """The frames of one viewer, without a gap up to the newest."""

    __slots__ = ("frames", "size", "unseen")

    def __init__(self) -> None:
        self.frames: deque[bytes] = deque()
        self.size = 0
        self.unseen = 0  # frames since anybody looked

    def add(self, frame: bytes) -> None:
        self.frames.append(frame)
        self.size += len(frame)
        while len(self.frames) > FRAMES or self.size > BYTES:
            self.size -= len(self.frames.popleft())


class Recent:
    """The last frames of the viewers whom somebody is, or was not long ago."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}

    @property
    def viewers(self) -> Collection[int]:
        """Whose frames are kept."""
        return self._kept.keys()

    def follow(self, viewers: Collection[int]) -> None:
        """Somebody looks through these eyes: from now on their frames are kept."""
        for viewer in viewers:
            self._kept.setdefault(viewer, _Kept()).unseen = 0

    def keep(self, viewer: int, frame: bytes, *, is_seen: bool) -> None:
        """The next frame of a viewer. Once nobody who was there could use what is kept, nothing is kept any more."""
        kept = self._kept[viewer]
        kept.add(frame)
        kept.unseen = 0 if is_seen else kept.unseen + 1
        if kept.unseen > len(kept.frames):
            del self._kept[viewer]

    def hand_on(self, batch: Sequence[Event]) -> None:
        """Nothing that was sent to a seat is kept for its next owner."""
        for event in batch:
            if event.kind in _HANDED_ON:
                self._kept.pop(event["seat"], None)

    def since(self, viewer: int, last: int, newest: int) -> list[bytes] | None:
        """The frames behind number `last` up to the `newest`; None if not all of them are kept."""
        kept = self._kept.get(viewer)
        frames = kept.frames if kept is not None else ()
        missed = newest - last
        if last <= 0 or not 0 <= missed <= len(frames):
            return None
        return list(frames)[len(frames) - missed :]
