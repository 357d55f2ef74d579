"""Problems of a game that is not solved: games are played on from a position, and the search must agree.

A position is first looked at with few games, then with more, and at last with many: each time with fresh luck, so that
a position is not taken because it was lucky when it was found.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pokade.analysis.composing.selfplay import Played, Row
from pokade.analysis.moments import Moment, moments
from pokade.analysis.playouts import ByPlayouts, Floats, Mixture
from pokade.arena.bots import mixed
from pokade.games.play import View
from pokade.games.state import NOTHING, blinded, columns, members
from pokade.problems import Problem

GAP: Final = 0.04  # of a win that the best choice is ahead …
SURELY: Final = 3.0  # … by so many standard errors
GLANCED, LOOKED, PROVED = 300, 3_000, 16_000  # games for each choice, from look to look
PLAIN: Final = 0.5  # where more hangs on it, everybody sees it
HOPEFUL: Final = 0.05  # how far ahead the best choice must seem to be looked at again
FINAL: Final = 4  # choices that are looked at for the last time: the best one and those nearest to it
AGREED: Final = 0.5  # how often the strong level makes the best choice, at least
EARLY: Final = 0.7  # in every other game, the part of it that is looked at: the end is full of problems
PLACES: Final = 12  # choices of a game that are glanced at
DIGITS: Final = 4


def sampled(played: Played) -> Row | None:
    """A problem of this game, if there is one."""
    last = len(played.moments) if played.number % 2 else int(EARLY * len(played.moments))
    found = [(at, seat) for at, moment in enumerate(played.moments[:last]) for seat in moment.choices]
    random.Random(f"places {played.number}").shuffle(found)
    places = [Place(played, at, seat) for at, seat in found]
    looks = [place for place in places if len(place.choices) > 1][:PLACES]
    return next((row for place in looks if (row := place.row())), None)


def looked_again(problem: Problem, tries: int, luck: int) -> "Sums":
    """A problem of a file, looked at with luck of its own."""
    before, play = moments(problem.record, is_closed=True)
    here = Moment(play.state, dict.fromkeys(members(play.turn), NOTHING), len(problem.record.actions) + 1)
    played = Played(problem.game, luck, problem.record, [*before, here])
    return Place(played, len(before), problem.seat).again(tries)


@dataclass(frozen=True, slots=True)
class Sums:
    """What was found of some choices: the mean of each, and how far the best is ahead of each, with standard errors."""

    choices: Sequence[int]
    means: Floats
    errors: Floats
    behind: Floats
    margins: Floats

    @classmethod
    def of(cls, choices: Sequence[int], found: Floats) -> "Sums":
        best = int(found.mean(1).argmax())
        behind = found[best] - found
        root = np.sqrt(found.shape[1])
        return cls(choices, found.mean(1), found.std(1) / root, behind.mean(1), behind.std(1) / root)

    @property
    def ranked(self) -> list[int]:
        """The numbers of the choices, the best first."""
        return [int(number) for number in np.argsort(-self.means, kind="stable")]

    @property
    def gap(self) -> float:
        return float(self.behind[self.ranked[1]])

    def is_sure(self) -> bool:
        """Is the best ahead of each of the others by more than the limit, as surely as is wanted?"""
        rest = self.ranked[1:]
        return bool((self.behind[rest] - SURELY * self.margins[rest] >= GAP).all())


class Place:
    """A choice of a game of self-play."""

    def __init__(self, played: Played, at: int, seat: int) -> None:
        self._played, self._at, self._seat = played, at, seat
        self._moment = played.moments[at]
        self.choices = self._view(at, seat).choices

    def row(self) -> Row | None:
        """The problem, if it is one. Each look costs more than the one before."""
        first = self._look(self.choices, {}, {}, GLANCED, 0)
        if not HOPEFUL <= first.gap <= PLAIN:
            return None
        mixture = self._mixed(self._at, self._seat)
        if mixture[first.choices[first.ranked[0]]] < AGREED:
            return None
        others, sealed = self._others(), self._sealed()
        second = self._look(self.choices, others, sealed, LOOKED, 1)
        nearest = sorted(second.ranked[:FINAL])
        if second.gap < HOPEFUL or not _is_sure_without(second, nearest):
            return None
        third = self._look([second.choices[number] for number in nearest], others, sealed, PROVED, 2)
        best = third.choices[third.ranked[0]]
        is_agreed = best == second.choices[second.ranked[0]] and mixture[best] >= AGREED
        return self._written(mixture, second, third) if is_agreed and third.is_sure() and third.gap <= PLAIN else None

    def again(self, tries: int) -> Sums:
        """All choices, looked at once more."""
        return self._look(self.choices, self._others(), self._sealed(), tries, 3)

    def _others(self) -> dict[int, Mixture]:
        """What the others mix who choose at the same moment, and whose choice is one."""
        others = [other for other in self._moment.choices if other != self._seat]
        return {other: self._mixed(self._at, other) for other in others if len(self._view(self._at, other).choices) > 1}

    def _look(
        self,
        choices: Sequence[int],
        others: Mapping[int, Mixture],
        sealed: Mapping[int, Mixture],
        tries: int,
        look: int,
    ) -> Sums:
        """Play on with each of the choices; each look has luck of its own."""
        played = self._played
        luck = ((played.number << 12) + (self._at << 3) + self._seat << 2) + look
        reference = ByPlayouts(played.game, played.n_seats, tries, luck)
        return Sums.of(choices, reference.tried(self._moment.before, self._seat, choices, others, sealed, tries))

    def _sealed(self) -> dict[int, Mixture]:
        """What the others may have laid face down before."""
        found: dict[int, Mixture] = {}
        for other in range(self._played.n_seats):
            if other != self._seat and self._lies_sealed(other):
                at = max(at for at in range(self._at) if other in self._played.moments[at].choices)
                found[other] = self._mixed(at, other)
        return found

    def _lies_sealed(self, seat: int) -> bool:
        state = self._moment.before
        sealed = [column.name for column in columns(type(state)) if column.mark == "sealed"]
        return any(getattr(state, name)[seat] != NOTHING for name in sealed)

    def _mixed(self, at: int, seat: int) -> dict[int, float]:
        return mixed(self._view(at, seat), f"problem {self._played.number} {at} {seat}")

    def _view(self, at: int, seat: int) -> View:
        return View(self._played.game, seat, blinded(self._played.moments[at].before, seat, recall=True))

    def _written(self, mixture: Mixture, second: Sums, third: Sums) -> Row:
        """Each choice with what the last look at it found."""
        known: dict[int, tuple[float, float]] = {}
        for sums in (second, third):
            known |= dict(zip(sums.choices, zip(sums.means, sums.errors, strict=True), strict=True))
        rows = [(c, _rounded(mixture[c]), *(_rounded(value) for value in known[c])) for c in self.choices]
        gap = (third.gap, float(third.margins[third.ranked[1]]))
        return self._played.row(self._at, self._seat, rows, [_rounded(value) for value in gap])


def _is_sure_without(sums: Sums, nearest: Sequence[int]) -> bool:
    """Are the choices that are not looked at again surely worse?"""
    rest = [number for number in range(len(sums.choices)) if number not in nearest]
    return bool((sums.behind[rest] - SURELY * sums.margins[rest] >= GAP).all())


def _rounded(value: float) -> float:
    return round(float(value), DIGITS) + 0.0
