"""What an analysis asks of a reference: everybody's chance of winning, and what each choice was worth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pokade.analysis.moments import Moment

Progress = Callable[[int, int], None]  # (done, of how many)


@dataclass(frozen=True, slots=True)
class Chances:
    """Everybody's part of the win as it is to be expected, with standard errors (0 where it is exact)."""

    shares: tuple[float, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One choice of one seat: what the reference mixes, what each choice is worth, and what the one made costs.

    Worths and the cost are in parts of a win, from what the seat could know, against rivals who play the reference.
    """

    seat: int
    chosen: int
    mixture: Mapping[int, float]
    worths: Mapping[int, float]  # of a choice that was not looked at there is none
    cost: float
    error: float = 0.0  # standard error of the cost
    margins: Mapping[int, float] = field(default_factory=dict)  # standard errors of worths, each against the mixture's

    @property
    def merit(self) -> float:
        """How much better the choice is than one picked blindly."""
        return self.worths[self.chosen] - sum(self.worths.values()) / len(self.worths)


class Reference(Protocol):
    """Says what a position is worth: a solution, or many games played on from there."""

    method: Mapping[str, Any]  # what an analysis says of it

    def chances(self, state: Any) -> Chances:
        """Everybody's part of the win from here, all cards open."""
        ...

    def judge(self, moment: Moment, known: Mapping[int, Judged], /) -> Mapping[int, Judged]:
        """The choices of a moment, where there was one to make; `known` has each seat's last one, if it had one."""
        ...
