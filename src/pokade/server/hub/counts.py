"""What people do and how long it takes to store it, counted so that nobody can read a sealed choice from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pokade.server.hub.durations import Durations
from pokade.server.table import events
from pokade.server.table.events import Event


@dataclass(slots=True)
class Unshown:
    """What is to be counted of choices that are still sealed. To count it at once would tell that they are there."""

    choices: int = 0
    appends: list[float] = field(default_factory=list)  # how long each took
    counts: list[Callable[[], None]] = field(default_factory=list)  # what else is to be counted then


@dataclass(slots=True)
class Counts:
    """The choices of people that lie open, and how long appends took."""

    choices: int = 0
    appends: Durations = field(default_factory=Durations)

    def add(self, unshown: Unshown, batch: Sequence[Event], took: float, has_moved: bool) -> None:
        """An append and its choices: with a choice or a step it is put with what is not shown yet."""
        chosen = [event for event in batch if event.kind == events.CHOICE]
        if not chosen and not has_moved:
            self.appends.observe(took)
            return
        unshown.choices += sum(bool(event["id"]) for event in chosen)
        unshown.appends.append(took)

    def show(self, unshown: Unshown) -> None:
        """What was sealed lies open: all of it is counted."""
        self.choices += unshown.choices
        for seconds in unshown.appends:
            self.appends.observe(seconds)
        for count in unshown.counts:
            count()
