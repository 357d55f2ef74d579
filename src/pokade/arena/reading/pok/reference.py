"""What the strong level does at a position of POK, whoever sits there, and what symbols are worth against others."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from pokade.arena.bots import searching
from pokade.arena.kernel import compiled
from pokade.arena.reading.beliefs import Chances
from pokade.arena.reading.spots import KEPT, Spot, spot_of
from pokade.arena.search.pok.answering import answer, everybody
from pokade.games.play import View
from pokade.games.pok import CHOOSING, GAME, SYMBOLS
from pokade.solver.pok.solution import SIZES, solved

Mixtures = Sequence[Chances]  # by seat and symbol


def covers(view: View) -> bool:
    """Is a counter to be shown?"""
    return bool(view.state.phase == CHOOSING)


def reference(state: Any) -> Mixtures:
    """How often each seat shows each symbol."""
    return mixtures(spot_of(state))


@lru_cache(KEPT)
def mixtures(spot: Spot) -> Mixtures:
    """The same, kept."""
    n_seats = spot.state.n_seats
    if n_seats in SIZES:
        return solved(n_seats).everybody(spot.state)
    found = np.zeros((n_seats, SYMBOLS))
    with searching(GAME) as search:
        search.look(spot.state, 0, 0)
        search.ponder(search.iterations)
        compiled(everybody, GAME)(search.records[0][0], search.memory, found)
    return found.tolist()  # type: ignore[no-any-return]


def answers(state: Any, seat: int, mixed: Sequence[Mixtures]) -> list[list[float]]:
    """What each symbol is worth to a seat while the others mix in one way, and while they mix in another …"""
    if state.n_seats in SIZES:
        return [solved(state.n_seats).answers(state, seat, one) for one in mixed]
    worths = np.zeros((len(mixed), SYMBOLS))
    with searching(GAME) as search:
        search.look(state, seat, 0)
        search.ponder(0)
        for one, out in zip(mixed, worths, strict=True):
            compiled(answer, GAME)(search.records[0], seat, search.table, search.memory, np.array(one), out)
    return worths.tolist()
