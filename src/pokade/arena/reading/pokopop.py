"""How the master level reads its rivals in Poko Pop!: by when they jumped and when they waited.

Cards and points are known to all, so every reveal says how likely it was for each kind of player.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pokade.arena.bots import searching
from pokade.arena.reading.beliefs import Chances, slipped
from pokade.arena.reading.spots import KEPT, Spot, spot_of
from pokade.arena.search.pokopop.search import PATIENCE
from pokade.games.play import View
from pokade.games.pokopop import CHOOSING, FINAL_CHOOSING, FIVE, FOUR, GAME, POKO, VALUES
from pokade.games.state import NOTHING
from pokade.players.pokopop import ORDINARY, THOUSAND, bluffer, bold, cautious, eagerness, shyness, worth

SHIFTS: Final = (-2.0, -1.0, 1.0, 2.0)  # somebody more shy or more daring than a level: by so much in the log of odds
LIKING: Final = 1 / 3  # a temper does what it likes in one choice of three
HABITS: Final = 6
KINDS: Final = 3 + 2 * len(SHIFTS) + 3 + HABITS
ANYTHING: Final = (0.5, 0.5)

Mixtures = Sequence[Chances]  # by seat: how often it waits and how often it jumps


@dataclass(frozen=True, slots=True)
class Solved:
    """A sealed choice as the search has solved it."""

    mixed: Mixtures
    inside: tuple[int, ...]  # the seats that choose
    ends: NDArray[np.float64]  # by who of them jumps (a bit set of places in `inside`) and seat: its part of the win


@lru_cache(KEPT)
def solved(spot: Spot) -> Solved:
    """What the search finds, whoever looks."""
    state = spot.state
    inside = tuple(seat for seat in range(state.n_seats) if state.inside >> seat & 1)
    with searching(GAME) as search:
        search.look(state, inside[0], 0)
        search.ponder(1)
        jumps, ends = search.memory.jumps[0].tolist(), search.memory.ends[: 1 << len(inside)].copy()
    least = 0.0 if state.max_waits or state.phase == FINAL_CHOOSING else PATIENCE
    return Solved([_mixture(max(least, jumps[seat])) for seat in range(state.n_seats)], inside, ends)


def _mixture(jumps: float) -> tuple[float, float]:
    return 1.0 - jumps, jumps


def covers(view: View) -> bool:
    """Is a card or the last pile to be jumped for?"""
    return view.state.phase in (CHOOSING, FINAL_CHOOSING)


def reference(state: Any) -> Mixtures:
    """How often each seat waits and jumps."""
    return solved(spot_of(state)).mixed


def answers(state: Any, seat: int, mixed: Sequence[Mixtures]) -> list[list[float]]:
    """What waiting and jumping are worth to a seat while the others mix in one way, and while they mix in another …"""
    found = solved(spot_of(state))
    return [_worths(found, seat, one) for one in mixed]


def _worths(found: Solved, own: int, mixed: Mixtures) -> list[float]:
    worths = [0.0, 0.0]
    for jumpers, ends in enumerate(found.ends):
        weight = 1.0
        for place, seat in enumerate(found.inside):
            weight *= 1.0 if seat == own else mixed[seat][jumpers >> place & 1]
        worths[jumpers >> found.inside.index(own) & 1] += weight * float(ends[own])
    return worths


def guesses(state: Any) -> list[list[Chances]]:
    """By seat, kind, and waiting or jumping."""
    return _guesses(spot_of(state))


@lru_cache(KEPT)
def _guesses(spot: Spot) -> list[list[Chances]]:
    mixed = solved(spot).mixed
    return [
        [slipped(_mixture(jumps), ANYTHING) for jumps in _kinds(spot.state, seat, mixed[seat][POKO])]
        for seat in range(spot.state.n_seats)
    ]


def _kinds(state: Any, seat: int, reference: float) -> list[float]:
    """How often each kind jumps."""
    casual = eagerness(state, seat) / THOUSAND
    shifted = [_shifted(often, shift) for often in (reference, casual) for shift in SHIFTS]
    tempers = [_tempered(casual, temper(state, seat, 0)) for temper in (cautious, bold, bluffer)]
    return [reference, casual, 1 / shyness(state, seat), *shifted, *tempers, *_habits(state, seat)]


def _shifted(often: float, shift: float) -> float:
    """More daring, or less: also where somebody never or always jumps."""
    often = min(0.95, max(0.05, often))
    return often * exp(shift) / (often * exp(shift) + 1.0 - often)


def _tempered(casual: float, liked: int) -> float:
    return casual if liked == NOTHING else (1.0 - LIKING) * casual + LIKING * liked


def _habits(state: Any, seat: int) -> list[float]:
    """Always; never; only at the end, never at the end; for good cards, for poor ones."""
    is_final = state.phase == FINAL_CHOOSING
    card = ORDINARY if is_final else worth(state, seat, state.row[state.poko])
    wants = (True, False, is_final, not is_final, is_final or card >= VALUES[FIVE], is_final or card < VALUES[FOUR])
    return [float(want) for want in wants]


def warm() -> None:
    """Load the search, and try it."""
    state: Any = GAME.new(GAME.seats[0])
    state.row[: state.n_seats] = [0] * state.n_seats
    state.phase, state.inside = CHOOSING, (1 << state.n_seats) - 1
    answers(state, 0, (reference(state),))
