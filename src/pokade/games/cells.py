"""What the cells of a state's fields hold: the encoder makes its layout from that (`Game.holds`).

    few(count)    one of 0 … count − 1, each of which means something else: a number of its own for each
    scale(most)   a count, up to `most`: one number from 0 to 1
    A_SEAT        a seat, or nobody: told as seen from the viewer's own
    SOME_SEATS    a bit set of seats: the same
    some(count)   a bit set of others: a number for each that may be in it
    PAST          what no rule asks for again, and what nothing still hidden can be guessed from
    RETOLD        what follows from other fields that the viewer sees
    STANDING      what stays as it is throughout a game

The last three are not told again. A bound may be a function of the state before anything has happened: of seats and
options. Of NOTHING, and of anything else below its bounds, no number says anything.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

Bound = int | Callable[[Any], int]

NO_SEATS: Final = 1 << 30  # no value and no place of a field stands for a seat


@dataclass(frozen=True, slots=True)
class Holds:
    """What a field's cells hold."""

    form: str
    bound: Bound = 0  # how many values or members there are, or the largest number
    least: int = 0  # the smallest number
    named_from: int = NO_SEATS  # this value stands for seat 0, the next for seat 1 …
    placed_from: int = NO_SEATS  # this place of a row stands for seat 0, the next for seat 1 …

    def size(self, state: Any) -> int:
        """The bound at a table, which a state before the first step tells."""
        return self.bound(state) if callable(self.bound) else self.bound


def few(count: Bound, named_from: int = NO_SEATS) -> Holds:
    """One of a few values."""
    return Holds("few", count, named_from=named_from)


def scale(most: Bound, least: int = 0, named_from: int = NO_SEATS, placed_from: int = NO_SEATS) -> Holds:
    """A count, or anything else that is more or less."""
    return Holds("scale", most, least, named_from, placed_from)


def some(count: Bound) -> Holds:
    """A bit set of anything but seats."""
    return Holds("some", count)


A_SEAT: Final = Holds("seat")
SOME_SEATS: Final = Holds("seats")
A_PHASE: Final = Holds("phase")
PAST: Final = Holds("past")
RETOLD: Final = Holds("retold")
STANDING: Final = Holds("standing")
UNTOLD: Final = (PAST, RETOLD, STANDING)
COMMON: Final = {  # the fields that every game has, but its round
    "n_seats": STANDING,
    "phase": A_PHASE,
    "ending": PAST,
    "winners": PAST,
    "step": PAST,
    "n_told": PAST,
    "told": PAST,
}
