"""What a position of POK is worth by its solution, to everybody and choice by choice: for looking back at games."""

from itertools import product
from typing import Any, Final

from pokade.games.play import View
from pokade.games.pok import CHOOSING, GAME, OVER, SYMBOLS, choose
from pokade.games.state import copied, how_many
from pokade.solver.pok.hands import hand_of
from pokade.solver.pok.solution import LIMITED, Solution

LONG: Final = 60  # rounds; a limit beyond them is hardly ever reached

BySymbol = list[dict[int, float]]  # for each seat


def covers(state: Any) -> bool:
    """Does a solution speak of this game? One with an early last round is another game, not solved for every table."""
    return bool(state.max_rounds >= LONG or LIMITED[state.n_seats].exists())


def shares(solution: Solution, state: Any) -> list[float]:
    """Everybody's part of the win."""
    if state.phase != CHOOSING:
        return _between(solution, state)
    mixed, worths = choices(solution, state)
    return [sum(own[symbol] * worth[symbol] for symbol in own) for own, worth in zip(mixed, worths, strict=True)]


def choices(solution: Solution, state: Any) -> tuple[BySymbol, BySymbol]:
    """By seat: how often each symbol is shown, and what it is worth while all others mix as they should."""
    seats = range(state.n_seats)
    mixed = [_mixture(solution, state, seat) for seat in seats]
    worths: BySymbol = [dict.fromkeys(own, 0.0) for own in mixed]
    for showing in product(*mixed):
        after = _shares_after(solution, state, showing)
        for seat in seats:
            weight = 1.0
            for other in seats:
                weight *= 1.0 if other == seat else mixed[other][showing[other]]
            worths[seat][showing[seat]] += weight * after[seat]
    return mixed, worths


def _mixture(solution: Solution, state: Any, seat: int) -> dict[int, float]:
    found = solution.mixture(View(GAME, seat, state))
    return {symbol: found[symbol] for symbol in range(SYMBOLS) if state.counters[seat][symbol]}


def _shares_after(solution: Solution, state: Any, showing: tuple[int, ...]) -> list[float]:
    """What everybody has when this is shown: asked of the rules."""
    after = copied(state)
    after.unheard = 1
    for seat, symbol in enumerate(showing):
        choose(after, seat, symbol)
    return _between(solution, after)


def _between(solution: Solution, state: Any) -> list[float]:
    """Between two rounds, or at the end."""
    seats = range(state.n_seats)
    if state.phase == OVER:
        return [(state.winners >> seat & 1) / how_many(state.winners) for seat in seats]
    hands = [hand_of(state.counters[seat]) for seat in seats]
    worths = solution.worths_with(state.max_rounds - state.round + 1).of(hands)
    return [worths[hand] for hand in hands]
