"""The reference where a game is solved: exact, up to what the solution's certificate says."""

from collections.abc import Mapping
from typing import Any

from pokade.analysis.judging import Chances, Judged
from pokade.analysis.moments import Moment
from pokade.games.game import Game
from pokade.solver import solver_of


class BySolution:
    """A solution that comes with the package."""

    def __init__(self, game: Game, n_seats: int) -> None:
        found: Any = solver_of(game)
        self._solver, self._solution = found, found.solved(n_seats)
        self.method: Mapping[str, Any] = {"kind": "solution", "digest": self._solution.digest}

    @staticmethod
    def covers(game: Game, state: Any) -> bool:
        """Is there a solution of this game, with so many players and these options?"""
        solver = solver_of(game)
        return solver is not None and state.n_seats in solver.SIZES and solver.covers(state)

    def chances(self, state: Any) -> Chances:
        """Exact."""
        found = tuple(self._solver.shares(self._solution, state))
        return Chances(found, (0.0,) * len(found))

    def judge(self, moment: Moment, _known: Mapping[int, Judged]) -> Mapping[int, Judged]:
        """Exact too."""
        mixed, worths = self._solver.choices(self._solution, moment.before)
        return {
            seat: _judged(seat, chosen, mixed[seat], worths[seat])
            for seat, chosen in moment.choices.items()
            if len(worths[seat]) > 1
        }


def _judged(seat: int, chosen: int, mixture: Mapping[int, float], worths: Mapping[int, float]) -> Judged:
    reference = sum(often * worths[choice] for choice, often in mixture.items())
    return Judged(seat, chosen, mixture, worths, reference - worths[chosen])
