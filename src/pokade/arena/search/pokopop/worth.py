"""What points are worth after a round of Poko Pop!: each seat's part of the win.

Every seat has a liking, made of its points and of how far it is ahead of the best of the others, and its part of the
win is its part of all likings. How much points and a lead count depends smoothly on the rounds that the deck is good
for and on what lies in the pile. The weights come from games of this search with itself: `lessons.py` says how.
"""

import math
from typing import Any, Final

from pokade.arena.search.pokopop.memory import WEIGHTS, N
from pokade.arena.search.pokopop.weights import LEARNT
from pokade.games.pokopop import VALUES, points
from pokade.games.state import rule

SIDES: Final = WEIGHTS // 2
POINT: Final = 10.0  # points are counted in tens …
AHEAD: Final = 4.0  # … and a lead of more than about so many hardly grows any more
PILE: Final = 20.0  # what lies in a large pile


@rule
def fill_weights(table: Any) -> None:
    """Take over what was learnt."""
    for effects in range(2):
        for n_seats in range(3, N + 1):
            for weight in range(WEIGHTS):
                table.weights[effects, n_seats, weight] = LEARNT[effects][n_seats - 3][weight]


@rule
def side(state: Any, which: int) -> float:
    """How things stand for everybody: how near the end is, and what lies in the pile."""
    near = 1.0 / (1.0 + state.deck / state.n_seats)
    if which < 2:
        return near if which == 1 else 1.0
    pile = 0.0
    for place in range(state.pile_size):
        pile += VALUES[state.pile[place]] / PILE
    return pile * near if which == 3 else pile


@rule
def lead(state: Any, seat: int) -> float:
    """How far a seat is ahead of the best of the others; large leads are much alike."""
    best = -1000
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, points(state, other))
    return math.tanh((points(state, seat) - best) / AHEAD)


@rule
def add_worth(state: Any, table: Any, chance: float, parts: Any) -> None:
    """Add everybody's part of the win, times how likely this position is."""
    by_points, by_lead = 0.0, 0.0
    for which in range(SIDES):
        now = side(state, which)
        by_points += now * table.weights[state.effects, state.n_seats, which]
        by_lead += now * table.weights[state.effects, state.n_seats, SIDES + which]
    by_points, by_lead = max(0.0, by_points), max(0.0, by_lead)  # points never harm
    first = by_points * points(state, 0) / POINT + by_lead * lead(state, 0)
    total = 0.0
    for seat in range(state.n_seats):
        total += math.exp(by_points * points(state, seat) / POINT + by_lead * lead(state, seat) - first)
    for seat in range(state.n_seats):
        liking = math.exp(by_points * points(state, seat) / POINT + by_lead * lead(state, seat) - first)
        parts[seat] += chance * liking / total
