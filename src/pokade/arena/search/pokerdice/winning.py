"""How likely a seat wins a game of Pokerdice, by what everybody will have."""

import math
from typing import Any, Final

from pokade.games.pokerdice import n_rounds
from pokade.games.state import rule

SPREAD: Final = 1.45  # of the difference of two scores, by the square root of the rounds to come (logistic)


@rule
def weigh_ends(state: Any, table: Any, memory: Any) -> None:
    """With two players the chance to win after every way the round may end; with more, what a point does to it."""
    if state.n_seats > 2:
        for seat in range(state.n_seats):
            memory.points[seat] = state.score[seat] + average_ahead(memory, seat)
        care(state, memory)
        return
    active = state.active
    rival = 1 - active
    for mine in range(memory.n_options[active]):
        for theirs in range(memory.n_options[rival]):
            for kind in range(table.n_kinds):
                settle_round(state, memory, active, mine, kind)
                settle_round(state, memory, rival, theirs, kind)
                memory.points[active] += memory.miss[rival, theirs, kind]
                memory.pay[mine, theirs, kind] = winning(state, memory, active)


@rule
def settle_round(state: Any, memory: Any, seat: int, option: int, kind: int) -> None:
    """What a seat will have in the end, by all that is known after this round."""
    memory.points[seat] = state.score[seat] + memory.ahead[seat, option] + memory.gain[seat, option, kind]


@rule
def average_ahead(memory: Any, seat: int) -> float:
    """What a hand promises before anything is played."""
    most = -1000.0
    for option in range(memory.n_options[seat]):
        most = max(most, memory.ahead[seat, option])
    return most


@rule
def winning(state: Any, memory: Any, seat: int) -> float:
    """How likely a seat wins, by what everybody will have; ties go to the seat that is active last (§5.4)."""
    left = n_rounds(state) - state.round
    spread = SPREAD * math.sqrt(left) + 0.03
    last = (state.active + left) % state.n_seats
    edge = min(0.5, 0.9 / (state.n_seats - 1))
    mine = memory.points[seat] - edge * ((last - seat) % state.n_seats)
    total = 0.0
    for other in range(state.n_seats):
        theirs = memory.points[other] - edge * ((last - other) % state.n_seats)
        total += math.exp(min(60.0, (theirs - mine) / spread))
    return 1.0 / total


@rule
def care(state: Any, memory: Any) -> None:
    """How much a point of one seat changes the chance of another to win."""
    n_seats = state.n_seats
    for seat in range(n_seats):
        before = winning(state, memory, seat)
        for other in range(n_seats):
            memory.points[other] += 1.0
            memory.cares[seat, other] = winning(state, memory, seat) - before
            memory.points[other] -= 1.0
