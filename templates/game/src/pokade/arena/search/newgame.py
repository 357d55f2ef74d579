"""How the strong level plays New Game: each choice is tried in games that rules of thumb play to the end.

What a choice has won so far makes it likelier, but never sure. The others' choices are unknown, so a trial draws them.
"""

# TODO: a search of your own, once your rules stand. This one needs no knowledge of the game, and plays accordingly.

import math
from dataclasses import dataclass
from typing import Any, Final

from pokade.arena.draws import below, copy_cells
from pokade.arena.memory import floats, ints
from pokade.arena.search.regrets import draw
from pokade.games.newgame import choice_at, choose, happen, n_choices, outcome_at, tickets, turn
from pokade.games.state import CHANCE, NOBODY, how_many, rule
from pokade.players import LUCK
from pokade.players.newgame import casual

MOST: Final = 2  # choices that a seat may have
RECORDS: Final = 2  # the view, and a game to try things in
TRIAL: Final = 1
ITERATIONS: Final = 400
CHUNK: Final = 100
SHINES: Final = (3,)
WARMTH: Final = 0.05  # a choice that wins so much less is drawn a third as often


@dataclass
class Table:
    """There is nothing to work out beforehand."""


@dataclass
class Memory:
    """What is kept while one choice is thought about."""

    turn: Any = ints()  # the choice that is tried next
    won: Any = floats(MOST)  # of each choice: its shares of the win …
    tried: Any = floats(MOST)  # … and how often it was tried
    liking: Any = floats(MOST)


@rule
def prepare(states: Any, flats: Any, table: Any, memory: Any) -> None:
    """There is nothing to work out beforehand."""


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any, iterations: int) -> None:
    """Try the choices in turn."""
    for _ in range(iterations):
        index = memory.turn
        memory.turn = (index + 1) % n_choices(states[0], seat)
        copy_cells(flats[0], flats[TRIAL])
        memory.won[index] += _tried(states[TRIAL], seat, choice_at(states[0], seat, index), rng)
        memory.tried[index] += 1.0


@rule
def _tried(state: Any, seat: int, choice: int, rng: Any) -> float:
    """A seat's share of a game that goes on with this choice."""
    state.chosen = 0
    _seal(state, seat, choice, rng)
    while turn(state) != NOBODY:
        if turn(state) == CHANCE:
            happen(state, outcome_at(state, below(rng, tickets(state))))
        else:
            _seal(state, seat, casual(state, seat, below(rng, LUCK)), rng)
    share: float = (state.winners >> seat & 1) / how_many(state.winners)
    return share


@rule
def _seal(state: Any, seat: int, choice: int, rng: Any) -> None:
    """One seat does this, the others do what they like."""
    for other in range(state.n_seats):
        if other != seat:
            choose(state, other, casual(state, other, below(rng, LUCK)))
    choose(state, seat, choice)


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any) -> int:
    """Drawn: the more a choice has won, the likelier it is."""
    count = n_choices(states[0], seat)
    for index in range(count):
        memory.liking[index] = math.exp(memory.won[index] / max(1.0, memory.tried[index]) / WARMTH)
    return choice_at(states[0], seat, draw(memory.liking, count, rng))
