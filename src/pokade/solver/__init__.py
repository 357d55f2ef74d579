"""Games that are solved: strategies worked out from the rules, and certificates of how near to an equilibrium they are.

A folder for each game that has a solution, named after it, which offers

    SIZES                          numbers of players for which a solution comes with the package
    solved(n_seats, file)          the solution in a file, or the one that comes with the package
    limited(n_seats, file)         the same for a limit of rounds that matters
    chances(view)                  how likely each of the view's choices is, if it is solved
    warm()                         load and compile what that needs
    Solving(n_seats, out)          the work of solving it; what has been done stays in a file beside `out`
    LimitedSolving(n_seats, out, max_rounds)
                                   the same for a limit of rounds
    certified(solution, progress, max_rounds)
                                   what somebody who knows the solution gains against it
    covers(state)                  does a solution speak of a game with these options?
    shares(solution, state)        everybody's part of the win
    choices(solution, state)       by seat: how often each choice is mixed, and what it is worth
"""

import importlib
import importlib.util
from functools import cache
from types import ModuleType

from pokade.games.game import Game


@cache
def solver_of(game: Game) -> ModuleType | None:
    """What solves a game, if anything does."""
    name = f"pokade.solver.{game.name}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
