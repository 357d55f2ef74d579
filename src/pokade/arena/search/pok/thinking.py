"""The sealed round of POK: regret matching by sampling, over what each hand is worth afterwards.

Its samples come from the position alone, so that everybody who thinks about it as long finds the same.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pokade.arena.draws import start_stream
from pokade.arena.memory import floats, ints
from pokade.arena.search.pok.naming import take_in
from pokade.arena.search.pok.table import FEWEST, after, left, symbols_in
from pokade.arena.search.regrets import draw, match, note, regret
from pokade.games.pok import EACH, GOAL, SEATS, SYMBOLS
from pokade.games.state import rule

HALFWAY: Final = 6.0  # rounds left with which a stop by the limit and the race count alike


@dataclass
class Memory:
    """What is kept while one choice is thought about; a place is one of the sorted hands."""

    step: Any = ints()
    naming: Any = ints()  # in which of six ways symbols are renamed
    key: Any = ints()  # one number for all hands
    throw: Any = ints()
    race: Any = floats()  # the part of a worth that is a race, and not how things stand
    hands: Any = ints(SEATS)  # by place
    kind: Any = ints(SEATS)  # by place: the first place with the same hand, where its thoughts are kept
    shown: Any = ints(SEATS)  # a sample of what everybody shows
    regrets: Any = floats(SEATS, SYMBOLS)
    now: Any = floats(SEATS, SYMBOLS)  # everybody's mixture at this step …
    sums: Any = floats(SEATS, SYMBOLS)  # … and the sum of all so far
    worth: Any = floats(SYMBOLS)  # what each symbol would bring


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any, iterations: int) -> None:
    """Think about the view."""
    think(states[0], table, memory, iterations)


@rule
def think(view: Any, table: Any, memory: Any, iterations: int) -> None:
    """Everybody weighs all their symbols against one sample of what the others show."""
    if memory.step == 0:
        take_in(view, memory)
        rounds_left = view.max_rounds - view.round
        memory.race = rounds_left / (rounds_left + HALFWAY)
    own = np.zeros(1, np.uint64)
    for _ in range(iterations):
        memory.step += 1
        start_stream(own, np.uint64(memory.key), memory.step)
        discs, squares = _sample(memory, view.n_seats, own)
        for place in range(view.n_seats):
            _weigh(table, memory, view.n_seats, place, discs, squares)


@rule
def _sample(memory: Any, n_seats: int, rng: Any) -> tuple[int, int]:
    """What everybody shows; gives how many discs and squares that are."""
    discs, squares = 0, 0
    for place in range(n_seats):
        kind = memory.kind[place]
        if kind == place:
            match(memory.regrets[kind], symbols_in(memory.hands[place]), memory.now[kind])
            note(memory.sums[kind], memory.now[kind], memory.step)
        symbol = draw(memory.now[kind], SYMBOLS, rng)
        memory.shown[place] = symbol
        discs += 1 if symbol == 0 else 0
        squares += 1 if symbol == 1 else 0
    return discs, squares


@rule
def _weigh(table: Any, memory: Any, n_seats: int, place: int, discs: int, squares: int) -> None:
    """What each symbol would have brought, the others showing what they show."""
    shown, kind = memory.shown[place], memory.kind[place]
    discs -= 1 if shown == 0 else 0
    squares -= 1 if shown == 1 else 0
    can = symbols_in(memory.hands[place])
    for symbol in range(SYMBOLS):
        if can >> symbol & 1:
            all_discs, all_squares = discs + (1 if symbol == 0 else 0), squares + (1 if symbol == 1 else 0)
            memory.shown[place] = symbol
            went = table.went[n_seats - FEWEST, memory.throw, all_discs, all_squares]
            memory.worth[symbol] = worth_after(table, memory, n_seats, place, went)
    memory.shown[place] = shown
    regret(memory.regrets[kind], can, memory.now[kind], memory.worth)


@rule
def worth_after(table: Any, memory: Any, n_seats: int, place: int, went: int) -> float:
    """What a place has after the round: a part of the win if it ends now, and of the race if it goes on."""
    fewest, winners, total = EACH * SYMBOLS, 0, 0.0
    for other in range(n_seats):
        hand = after(memory.hands[other], memory.shown[other], went)
        total += table.weights[n_seats - FEWEST, hand]
        if left(hand) < fewest:
            fewest = left(hand)
            winners = 0
        if left(hand) == fewest:
            winners += 1
    own = after(memory.hands[place], memory.shown[place], went)
    stopped = 1.0 / winners if left(own) == fewest else 0.0
    if fewest <= EACH * SYMBOLS - GOAL:
        return stopped
    worth: float = memory.race * table.weights[n_seats - FEWEST, own] / total + (1.0 - memory.race) * stopped
    return worth
