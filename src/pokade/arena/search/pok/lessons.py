"""What a hand weighs in the race, learnt from games that the search plays with itself."""

import math
from typing import Any, Final

import numpy as np

from pokade.arena.draws import below
from pokade.arena.search.pok.naming import NAMINGS, place_of
from pokade.arena.search.pok.table import FEWEST, N_HANDS, hand_of, left
from pokade.arena.search.pok.thinking import think
from pokade.arena.search.regrets import draw
from pokade.games.pok import OVER, SEATS, SYMBOLS, begin, choose, happen, outcome_at, tickets, turn
from pokade.games.state import CHANCE, rule

LESSONS: Final = 400  # games to learn from
LONGEST: Final = 256  # rounds of such a game
THOUGHTS: Final = 100  # iterations about a round


@rule
def learn(state: Any, flat: Any, table: Any, memory: Any, n_seats: int) -> None:
    """The weights with which a hand's share of all weights foretells its part of the win."""
    rng = np.zeros(1, np.uint64)
    shapes = np.zeros((LONGEST, SEATS), np.int64)
    weights = np.zeros(N_HANDS)
    for lesson in range(LESSONS):
        for hand in range(N_HANDS):
            table.weights[n_seats - FEWEST, hand] = math.exp(weights[_shape(hand)])
        rounds = _play(state, flat, table, memory, n_seats, rng, shapes)
        rate = 0.1 / (1.0 + lesson / 100.0)
        winners = 0
        for seat in range(n_seats):
            winners += state.winners >> seat & 1
        for number in range(rounds):
            total = 0.0
            for seat in range(n_seats):
                total += math.exp(weights[shapes[number, seat]])
            for seat in range(n_seats):
                guess = math.exp(weights[shapes[number, seat]]) / total
                weights[shapes[number, seat]] += rate * ((state.winners >> seat & 1) / winners - guess)


@rule
def _shape(hand: int) -> int:
    """How many counters and how many different ones: which symbols they are makes no difference."""
    different = min(1, hand // 9) + min(1, hand // 3 % 3) + min(1, hand % 3)
    return left(hand) * 3 + different


@rule
def _play(state: Any, flat: Any, table: Any, memory: Any, n_seats: int, rng: Any, shapes: Any) -> int:
    """A game of the search with itself; the shapes of all hands before every round."""
    for cell in range(len(flat)):
        flat[cell] = 0
    state.n_seats = n_seats
    state.unheard = 1
    state.max_rounds = len(shapes)
    begin(state)
    rounds = 0
    while state.phase != OVER:
        if turn(state) == CHANCE:
            happen(state, outcome_at(state, below(rng, tickets(state))))
            continue
        for seat in range(n_seats):
            shapes[state.round - 1, seat] = _shape(hand_of(state, seat))
        rounds += 1
        _choose_all(state, table, memory, n_seats, rng)
    return rounds


@rule
def _choose_all(state: Any, table: Any, memory: Any, n_seats: int, rng: Any) -> None:
    """One thought serves all seats, since they would all find the same."""
    memory.step = 0
    memory.regrets[:] = 0.0
    memory.sums[:] = 0.0
    think(state, table, memory, THOUGHTS)
    picks = np.zeros(SEATS, np.int64)
    for seat in range(n_seats):
        mixture = memory.sums[memory.kind[place_of(state, memory, seat)]]
        picks[seat] = NAMINGS[memory.naming][draw(mixture, SYMBOLS, rng)]
    for seat in range(n_seats):
        choose(state, seat, picks[seat])
