"""More players, or the double game: chances to win by the points that everybody will probably have in the end.

The chance to be ahead of one rival is a curve over the difference of points; it is weighed over what that rival may
have sealed. Against several rivals, the odds of falling behind each of them are added.
"""

import math
from typing import Any, Final

from pokade.arena.search.pokerdice.memory import BEYOND, CURVE, FINE
from pokade.games.pokerdice import n_rounds
from pokade.games.state import rule

SPREAD: Final = 1.1  # of the difference of two scores, by the square root of the cards to come (logistic)
SHARP: Final = 0.03  # the same when all is known
NEVER: Final = 1e-6


@rule
def weigh_crowd(state: Any, table: Any, memory: Any) -> None:
    """The curve for the rounds to come, and what everybody will have with each option and end of the dice."""
    left = n_rounds(state) - state.round
    spread = SPREAD * math.sqrt(left * (1 + state.variant)) + SHARP
    for step in range(CURVE):
        memory.curve[step] = 1.0 / (1.0 + math.exp(min(60.0, (BEYOND - step / FINE) / spread)))
    last = (state.active + left) % state.n_seats
    edge = min(0.5, 0.9 / (state.n_seats - 1))  # a draw is won by the seat that is active last (§5.4)
    for seat in range(state.n_seats):
        start = state.score[seat] - edge * ((last - seat) % state.n_seats)
        for option in range(memory.n_options[seat]):
            for kind in range(table.n_kinds):
                gain = memory.gain[seat, option, kind]
                memory.points[seat, option, kind] = start + gain + memory.ahead[seat, option]


@rule
def ahead(memory: Any, difference: float) -> float:
    """The chance to have more than one rival in the end."""
    step = int((difference + BEYOND) * FINE + 0.5)
    return float(memory.curve[max(0, min(CURVE - 1, step))])


@rule
def odds_against(chance: float) -> float:
    """How many times likelier it is to be behind than ahead."""
    return (1.0 - chance) / max(NEVER, chance)


@rule
def count_misses(state: Any, table: Any, memory: Any) -> None:
    """How many points the others probably give to the active player, by the end of the dice."""
    for kind in range(table.n_kinds):
        memory.all_missed[kind] = 0.0
        for seat in range(state.n_seats):
            memory.missed[seat, kind] = 0.0
            for option in range(memory.n_options[seat]):
                memory.missed[seat, kind] += memory.now[seat, option] * memory.miss[seat, option, kind]
            memory.all_missed[kind] += memory.missed[seat, kind]


@rule
def crowd_worth(state: Any, memory: Any, mine: int, kind: int) -> float:
    """What final dice are worth to the active player with an option."""
    active = state.active
    against = 0.0
    for seat in range(state.n_seats):
        if seat != active:
            taken = memory.all_missed[kind] - memory.missed[seat, kind]
            own = memory.points[active, mine, kind] + taken
            chance = 0.0
            for option in range(memory.n_options[seat]):
                if memory.now[seat, option] > 0.0:
                    theirs = memory.points[seat, option, kind] - memory.miss[seat, option, kind]
                    chance += memory.now[seat, option] * ahead(memory, own - theirs)
            against += odds_against(chance)
    return 1.0 / (1.0 + against)


@rule
def crowd_answer(state: Any, table: Any, memory: Any, seat: int, option: int) -> float:
    """What an option of another player brings against everybody's mixtures."""
    active = state.active
    worth = 0.0
    for kind in range(table.n_kinds):
        own = memory.points[seat, option, kind]
        against = against_others(state, memory, seat, own, kind)
        given = memory.miss[seat, option, kind] + memory.all_missed[kind] - memory.missed[seat, kind]
        for mine in range(memory.n_options[active]):
            joint = memory.joint[mine, kind]
            if joint > 0.0:
                behind = odds_against(ahead(memory, own - memory.points[active, mine, kind] - given))
                worth += joint / (1.0 + against + behind)
    return worth


@rule
def against_others(state: Any, memory: Any, seat: int, own: float, kind: int) -> float:
    """The odds against a seat from all who are not active, if it will have so many points."""
    against = 0.0
    for other in range(state.n_seats):
        if other not in (seat, state.active):
            chance = 0.0
            for option in range(memory.n_options[other]):
                if memory.now[other, option] > 0.0:
                    chance += memory.now[other, option] * ahead(memory, own - memory.points[other, option, kind])
            against += odds_against(chance)
    return against
