"""Finished games of a tournament: one by one as they are kept in a file, and in columns as they are counted."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pokade.arena.kernel import Ints
from pokade.arena.loops import Floats
from pokade.arena.runs import CONFIDENCE

BLOCK: Final = 50_000  # games that are counted in one go


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a tournament; all but the first two go by seat."""

    number: int
    deal: int
    who: tuple[int, ...]  # which of the entrants sat there
    shares: tuple[float, ...]  # their part of the win
    points: tuple[int, ...]
    seconds: tuple[float, ...]  # that they thought …
    choices: tuple[int, ...]  # … about so many choices

    @classmethod
    def of(cls, row: dict[str, Any]) -> Self:
        """A game as it is kept."""
        fields: dict[str, Any] = {
            name: tuple(cells) if isinstance(cells, list) else cells for name, cells in row.items()
        }
        return cls(**fields)


class Columns(NamedTuple):
    """Games in columns, a row a game; all but the first two have a column a seat."""

    number: Ints
    deal: Ints
    who: Ints
    shares: Floats
    points: Ints
    seconds: Floats
    choices: Ints


class Games(Sequence[Played]):
    """Games in a row, in columns: a million of them take little room."""

    def __init__(self) -> None:
        self._parts: list[Columns] = []
        self._length = 0

    def add(self, part: Columns) -> None:
        """Further games."""
        self._parts.append(part)
        self._length += len(part.number)

    def columns(self) -> Columns:
        """All of them."""
        if len(self._parts) > 1:
            self._parts = [Columns(*(np.concatenate(pieces) for pieces in zip(*self._parts, strict=True)))]
        return self._parts[0]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Played]:
        for part in self._parts:
            yield from rows_of(part)

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index]


def rows_of(part: Columns) -> Iterator[Played]:
    """Games one by one."""
    for number, deal, *by_seat in zip(*(column.tolist() for column in part), strict=True):
        yield Played(number, deal, *(tuple(cells) for cells in by_seat))


def columns_of(played: Sequence[Played]) -> Columns:
    """Games in columns."""
    if isinstance(played, Games):
        return played.columns()
    rows = [(one.number, one.deal, one.who, one.shares, one.points, one.seconds, one.choices) for one in played]
    numbers, deals, who, shares, points, seconds, choices = (np.array(column) for column in zip(*rows, strict=True))
    return Columns(numbers, deals, who, shares.astype(np.float64), points, seconds.astype(np.float64), choices)


def clustered(values: Iterable[tuple[int, float]]) -> tuple[float, float]:
    """The mean of values that come in deals, and the half width of its 95 % interval."""
    listed = list(values)
    deals, shares = np.array([deal for deal, _ in listed], np.int64), np.array([share for _, share in listed])
    return clustered_mean(deals, shares)


def clustered_mean(deals: Ints, values: Floats) -> tuple[float, float]:
    """The same, of two columns.

    Games of one deal are no independent trials, deals are: their sums of deviations are what varies.
    """
    if not len(values):
        return 0.0, 1.0
    mean = float(values.mean())
    different, which = np.unique(deals, return_inverse=True)
    if len(different) < 2:
        return mean, 1.0
    sums = np.bincount(which, values - mean)
    spread = math.sqrt(float((sums * sums).sum()) * len(sums) / (len(sums) - 1))
    return mean, CONFIDENCE * spread / len(values)


def wins_over(found: Columns, name_of: NDArray[np.int64], names: int) -> Floats:
    """By two different players: what the first won of games where both sat, as if one of each had."""
    wins = np.zeros((names, names))
    for begin in range(0, len(found.number), BLOCK):
        who, shares = name_of[found.who[begin : begin + BLOCK]], found.shares[begin : begin + BLOCK]
        seats, won = np.zeros((2, len(who), names))
        for name in range(names):
            seats[:, name] = (who == name).sum(axis=1)
            won[:, name] = np.where(who == name, shares, 0.0).sum(axis=1)
        wins += (won / np.maximum(seats, 1)).T @ (seats > 0)
    return wins
