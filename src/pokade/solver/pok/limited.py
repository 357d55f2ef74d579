"""POK with a limit of rounds that matters: what every position is worth by the number of rounds left.

After the last round those with the fewest counters share the win. With one round left, every throw is a game of its
own whose ends are known; and so on backwards. Mixtures are not kept: the path to one is followed again. Where only the
game without a limit is solved, worths in between are thought to be a part of both ends.
"""

from functools import cached_property, lru_cache
from math import log
from typing import Any, Final

import numpy as np

from pokade.arena.kernel import compiled
from pokade.games.errors import BadSolution, Unsolved
from pokade.games.pok import GAME, SYMBOLS, finish_round
from pokade.games.state import how_many
from pokade.solver.pok.files import File
from pokade.solver.pok.hands import THROWS, Hands, counters, faces, kinds, left, positions
from pokade.solver.pok.loops import UNIT, solve_round
from pokade.solver.pok.settling import FAILED
from pokade.solver.pok.worths import Floats, Worths

MATTERS: Final = 30  # rounds left; with more, the game is played as if there were no limit
END: Final = 1e-8  # of every path, see path.py
HALFWAY: Final = 6.0  # rounds left with which the limit and the game without it are thought to count alike


class Limited:
    """A game with a limit of rounds for a number of players, solved; or guessed from the game without a limit."""

    def __init__(self, n_seats: int, file: File | None = None, beyond: Worths | None = None) -> None:
        self.n_seats, self._file, self._beyond = n_seats, file, beyond
        self.digest = file.digest if file else ""
        self.max_rounds = file.settings.get("max_rounds", 0) if file else MATTERS
        if not self.max_rounds:
            sentence = f"this solution of {GAME.title} is for games without a limit of rounds"
            raise BadSolution("solution/unlimited", sentence, game=GAME.title)
        self.worths = lru_cache(4 if beyond else None)(self._worths)

    def _worths(self, rounds_left: int) -> Worths:
        """What positions are worth with so many rounds left."""
        found = stopped(self.n_seats)
        if rounds_left and self._file:
            every = positions(self.n_seats)
            first = (rounds_left - 1) * len(every)
            for position, solved in zip(every, self._file.solved[first : first + len(every)], strict=True):
                found.learn(position, solved.worths)
        elif rounds_left and self._beyond:
            part = rounds_left / (rounds_left + HALFWAY)
            found.table[:] = part * self._beyond.table + (1.0 - part) * found.table
        return found

    @cached_property
    def _faces(self) -> Floats:
        return np.array(faces(), np.float64)

    def strategy(self, position: Hands, rounds_left: int | None) -> Floats:
        """How often each seat shows each symbol with so many rounds left, by throw."""
        if rounds_left is None or rounds_left > self.max_rounds:
            sentence = f"this solution of {GAME.title} is for at most {self.max_rounds} rounds"
            raise BadSolution("solution/rounds", sentence, game=GAME.title, rounds=self.max_rounds)
        return self.found(position, rounds_left, -1)

    def found(self, position: Hands, rounds_left: int, throw: int) -> Floats:
        """The same for one throw alone."""
        found, _ = solve_with(self.worths(rounds_left - 1), position, self._faces, throw)
        return found


def stopped(n_seats: int) -> Worths:
    """What positions are worth when the rounds are out: the rules say who shares the win."""
    found = Worths(n_seats)
    for position in positions(n_seats):
        state: Any = GAME.new(n_seats)
        state.round = state.max_rounds = state.unheard = 1
        for seat, hand in enumerate(position):
            state.counters[seat][:] = counters(hand)
            state.left[seat] = left(hand)
        finish_round(state)
        each = UNIT // how_many(state.winners)
        seats = [position.index(hand) for hand in kinds(position)]
        found.learn(position, [each * (state.winners >> seat & 1) for seat in seats[:-1]])
    return found


def solve_with(worths: Worths, position: Hands, chances: Floats, throw: int = -1) -> tuple[Floats, Floats]:
    """The mixtures of a position by throw, seat and symbol, and what each kind has, if later positions have worths."""
    found, has = np.zeros((len(THROWS), worths.n_seats, SYMBOLS)), np.zeros(worths.n_seats)
    by_hand = worths.of(position)
    again = np.array([by_hand[hand] for hand in kinds(position)])
    loop: Any = compiled(solve_round, GAME)
    if loop(worths.for_one_thread(), np.array(position), chances, log(END), again, throw, found, has) == FAILED:
        sentence = f"no path leads to an equilibrium of {position}"
        raise Unsolved("solution/unsolved", sentence, position=str(position))
    return found, has
