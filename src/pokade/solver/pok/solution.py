"""A solution of POK: what every position is worth, the kept mixtures, and the probabilities that follow from them."""

from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from pokade.arena.kernel import compiled
from pokade.games.errors import BadSolution
from pokade.games.play import View
from pokade.games.pok import GAME, SYMBOLS
from pokade.solver.pok.files import File, read
from pokade.solver.pok.hands import THROWS, Hands, canonical, hand_of, positions, turned
from pokade.solver.pok.limited import MATTERS, Limited
from pokade.solver.pok.loops import answer, mixtures
from pokade.solver.pok.worths import Floats, Worths, shares

PACKAGED: Final = {n: Path(__file__).with_name(f"{n}.solution") for n in GAME.seats}
LIMITED: Final = {n: Path(__file__).with_name(f"{n}-rounds.solution") for n in GAME.seats}
SIZES: Final = tuple(n for n, file in PACKAGED.items() if file.exists())  # those that come with the package


class Solution:
    """A solved game for a number of players."""

    def __init__(self, file: File) -> None:
        self.n_seats, self.digest = file.n_seats, file.digest
        self.worths = Worths(file.n_seats)
        self._solved = dict(zip(positions(file.n_seats), file.solved, strict=True))
        for position, found in self._solved.items():
            self.worths.learn(position, found.worths)

    @cached_property
    def _mixtures(self) -> Any:
        return compiled(mixtures, GAME)

    def mixture(self, view: View) -> list[float]:
        """How often the view's seat shows each symbol: from what bots remember and the dice, and from nothing else."""
        return self.everybody(view.state)[view.seat]

    def everybody(self, state: Any) -> list[list[float]]:
        """How often each seat shows each symbol: from what all remember and the dice."""
        hands = self._hands(state)
        position, turning = canonical(hands)
        throw = THROWS.index(tuple(turning.index(symbol) if symbol < SYMBOLS else symbol for symbol in state.dice))
        found = self._by_rounds(position, _rounds_left(state), throw)[throw].tolist()
        own = [found[position.index(turned(hand, turning))] for hand in hands]
        return [[mixed[turning.index(symbol)] for symbol in range(SYMBOLS)] for mixed in own]

    def answers(self, state: Any, seat: int, mixed: Sequence[Sequence[float]]) -> list[float]:
        """What each symbol is worth to a seat while the others mix so, by seat and symbol, and later all as solved."""
        hands = self._hands(state)
        order = sorted(range(self.n_seats), key=lambda one: (hands[one], one != seat))  # the first of its kind
        known, place = self.worths_with(_rounds_left(state) - 1), order.index(seat)
        position, throw = np.array([hands[one] for one in order]), THROWS.index(tuple(state.dice))
        again, found = known.of(hands)[hands[seat]], np.zeros(SYMBOLS)
        others = np.array([mixed[one] for one in order], np.float64)
        compiled(answer, GAME)(known.for_one_thread(), position, throw, again, others, place, found)
        return found.tolist()

    def _hands(self, state: Any) -> list[int]:
        return [hand_of(state.counters[seat]) for seat in range(self.n_seats)]

    def strategy(self, position: Hands, rounds_left: int | None = None) -> Floats:
        """The same for every throw, seat and symbol of a position; without a limit of rounds unless one is given."""
        return self._by_rounds(position, rounds_left, -1)

    def worths_with(self, rounds_left: int) -> Worths:
        """What positions are worth before so many more rounds."""
        return self.worths if rounds_left > MATTERS else limited(self.n_seats).worths(rounds_left)

    def _by_rounds(self, position: Hands, rounds_left: int | None, throw: int) -> Floats:
        if rounds_left is None or rounds_left > MATTERS:
            return self._found(position, throw)
        return limited(self.n_seats).found(position, rounds_left, throw)

    def _found(self, position: Hands, only: int) -> Floats:
        solved = self._solved[position]
        found = np.zeros((len(THROWS), self.n_seats, SYMBOLS))
        worths, marks = np.array(shares(position, solved.worths)), solved.marks.astype(np.int64)
        self._mixtures(self.worths.for_one_thread(), np.array(position), worths, marks, only, found)
        return found


def _rounds_left(state: Any) -> int:
    """With this one."""
    return int(state.max_rounds - state.round + 1)


@cache
def solved(n_seats: int, file: Path | None = None) -> Solution:
    """The solution in a file, or the one that comes with the package."""
    if file is None and n_seats not in SIZES:
        sentence = f"no solution of {GAME.title} for {n_seats} players comes with the package"
        raise BadSolution("solution/none", sentence, game=GAME.title, players=n_seats)
    return Solution(_checked(n_seats, file or PACKAGED[n_seats]))


@cache
def limited(n_seats: int, file: Path | None = None) -> Limited:
    """The same for a limit of rounds; where none comes with the package, made from the solution without a limit."""
    if file is None and not LIMITED[n_seats].exists():
        return Limited(n_seats, beyond=solved(n_seats).worths)
    return Limited(n_seats, _checked(n_seats, file or LIMITED[n_seats]))


def _checked(n_seats: int, file: Path) -> File:
    found = read(file)
    if found.n_seats != n_seats:
        sentence = f"{file} is for {found.n_seats} players, not {n_seats}"
        raise BadSolution("solution/players", sentence, file=str(file), players=found.n_seats, asked=n_seats)
    return found


def chances(view: View) -> list[float] | None:
    """How likely each of the view's choices is, by the solution that comes with the package; None if none does."""
    if view.state.n_seats not in SIZES:
        return None
    mixture = solved(view.state.n_seats).mixture(view)
    return [mixture[choice] for choice in view.choices]


def warm() -> None:
    """Load all that comes with the package, and compile."""
    for n_seats in SIZES:
        start = positions(n_seats)[-1]
        solved(n_seats)._found(start, 0)
        limited(n_seats).found(start, 1, 0)
