"""The sealed round of POK: regret matching by sampling, over what each hand is worth afterwards."""

from dataclasses import dataclass
from typing import Any, Final

from pokade.arena.draws import fraction
from pokade.arena.memory import floats, ints
from pokade.arena.search.pok.lessons import learn
from pokade.arena.search.pok.positions import solve_positions
from pokade.arena.search.pok.table import (
    FEWEST,
    HABIT,
    THROWS,
    after,
    hand_of,
    left,
    list_what_goes,
    symbols_in,
    throw_of,
)
from pokade.arena.search.regrets import draw, match, note, regret
from pokade.games.pok import EACH, GOAL, SEATS, SYMBOLS
from pokade.games.state import rule
from pokade.players.pok import mixture

RECORDS: Final = 2
ITERATIONS: Final = 2000
CHUNK: Final = 1000
SHINES: Final = (3,)


@dataclass
class Memory:
    """What is kept while one choice is thought about."""

    step: Any = ints()
    hands: Any = ints(SEATS)
    shown: Any = ints(SEATS)  # a sample of what everybody shows
    regrets: Any = floats(SEATS, SYMBOLS)
    now: Any = floats(SEATS, SYMBOLS)  # everybody's mixture at this step …
    sums: Any = floats(SEATS, SYMBOLS)  # … and the sum of all so far
    habits: Any = floats(SEATS, SYMBOLS)  # how often the rules of thumb show each symbol
    worth: Any = floats(SYMBOLS)  # what each symbol would bring


@rule
def prepare(states: Any, flats: Any, table: Any, memory: Any) -> None:
    """Which symbols go, the worth of all positions of three, and the weights of hands among more."""
    states[1].unheard = 1
    for n_seats in range(FEWEST, SEATS + 1):
        for throw in range(THROWS):
            list_what_goes(states[1], table, n_seats, throw)
    solve_positions(states[1], table)
    for n_seats in range(FEWEST + 1, SEATS + 1):
        learn(states[1], flats[1], table, n_seats)


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any, iterations: int) -> None:
    """Regret matching by sampling: everybody weighs all their symbols against one sample of what the others show."""
    view = states[0]
    throw = throw_of(view.dice)
    is_last = view.round >= view.max_rounds
    if memory.step == 0:
        _take_in(view, memory)
    for _ in range(iterations):
        memory.step += 1
        discs, squares = 0, 0
        for other in range(view.n_seats):
            match(memory.regrets[other], symbols_in(memory.hands[other]), memory.now[other])
            note(memory.sums[other], memory.now[other], memory.step)
            symbol = draw(memory.habits[other] if fraction(rng) < HABIT else memory.now[other], SYMBOLS, rng)
            memory.shown[other] = symbol
            discs += 1 if symbol == 0 else 0
            squares += 1 if symbol == 1 else 0
        for other in range(view.n_seats):
            _think(table, memory, view.n_seats, throw, other, discs, squares, is_last)


@rule
def _take_in(view: Any, memory: Any) -> None:
    """The hands, and what the rules of thumb would show."""
    for seat in range(view.n_seats):
        memory.hands[seat] = hand_of(view, seat)
        weights = mixture(view, seat)
        for symbol in range(SYMBOLS):
            memory.habits[seat, symbol] = weights[symbol] / (weights[0] + weights[1] + weights[2])


@rule
def _think(
    table: Any, memory: Any, n_seats: int, throw: int, seat: int, discs: int, squares: int, is_last: bool
) -> None:
    """What each symbol would have brought the seat, the others showing what they show."""
    shown = memory.shown[seat]
    discs -= 1 if shown == 0 else 0
    squares -= 1 if shown == 1 else 0
    can = symbols_in(memory.hands[seat])
    for symbol in range(SYMBOLS):
        if can >> symbol & 1:
            all_discs, all_squares = discs + (1 if symbol == 0 else 0), squares + (1 if symbol == 1 else 0)
            memory.shown[seat] = symbol
            went = table.went[n_seats - FEWEST, throw, all_discs, all_squares]
            memory.worth[symbol] = _worth(table, memory, n_seats, seat, went, is_last)
    memory.shown[seat] = shown
    regret(memory.regrets[seat], can, memory.now[seat], memory.worth)


@rule
def _worth(table: Any, memory: Any, n_seats: int, seat: int, went: int, is_last: bool) -> float:
    """What a seat has after the round."""
    fewest = EACH * SYMBOLS
    for other in range(n_seats):
        fewest = min(fewest, left(_remaining(memory, other, went)))
    own = _remaining(memory, seat, went)
    if is_last or fewest <= EACH * SYMBOLS - GOAL:
        winners = 0
        for other in range(n_seats):
            if left(_remaining(memory, other, went)) == fewest:
                winners += 1
        return 1.0 / winners if left(own) == fewest else 0.0
    if n_seats == FEWEST:
        one, another = (seat + 1) % 3, (seat + 2) % 3
        worth: float = table.worth[own, _remaining(memory, one, went), _remaining(memory, another, went)]
        return worth
    total = 0.0
    for other in range(n_seats):
        total += table.weights[n_seats - FEWEST, _remaining(memory, other, went)]
    share: float = table.weights[n_seats - FEWEST, own] / total
    return share


@rule
def _remaining(memory: Any, seat: int, went: int) -> int:
    """The hand of a seat after the round."""
    hand: int = after(memory.hands[seat], memory.shown[seat], went)
    return hand


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any) -> int:
    """Drawn from the mean of all mixtures: nobody can read more of it than there is."""
    return draw(memory.sums[seat], SYMBOLS, rng)
