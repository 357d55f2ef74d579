"""The last pile of Poko Pop!: one sealed choice, with the deck's last cards judged over all that they may be."""

from typing import Any, Final

import numpy as np

from pokade.arena.draws import copy_cells
from pokade.arena.search.pokopop.memory import SECOND, N
from pokade.arena.search.stages import expect, list_gains, solve_afresh, tremble
from pokade.games.pokopop import (
    DOUBLER,
    DOUBLERS,
    FIRST_ICON,
    KINDS,
    OVER,
    POKO,
    VALUES,
    WAIT,
    choose,
    points,
)
from pokade.games.state import how_many, rule

DRAWN: Final = N  # the deck has fewer cards than players
SLIPS: Final = 0.02  # of rivals: a player who can't win in any case still takes what a mistake may offer
MOST: Final = 5 * (DRAWN - 1) + 1  # points that they may have, and one


@rule
def judge_final(state: Any, states: Any, flats: Any, flat: Any, memory: Any) -> None:
    """Everybody's part of the win, by who jumps for the pile."""
    second = states[SECOND]
    ways = np.zeros((DRAWN, MOST, DOUBLERS + 1))
    if not state.effects:
        _draw(state, 0, ways)  # a card is worth the same to everybody
    for jumpers in range(1 << state.n_seats):
        for seat in range(state.n_seats):
            memory.ends[jumpers, seat] = 0.0
        copy_cells(flat, flats[SECOND])
        for seat in range(state.n_seats):
            choose(second, seat, POKO if jumpers >> seat & 1 else WAIT)
        if second.phase == OVER:
            for seat in range(state.n_seats):
                memory.ends[jumpers, seat] = (second.winners >> seat & 1) / how_many(second.winners)
        else:
            if state.effects:
                _draw(state, second.taker, ways)
            _take(state, second.taker, ways, memory.ends[jumpers])


@rule
def solve_final(state: Any, states: Any, flats: Any, flat: Any, memory: Any) -> float:
    """How often everybody jumps for the pile, and what that is worth to them; returns what could still be gained."""
    judge_final(state, states, flats, flat, memory)
    for seat in range(state.n_seats):
        memory.inside[seat] = seat
    list_gains(memory.ends, memory.inside, state.n_seats, memory.gains)
    tremble(memory.gains, state.n_seats, SLIPS)
    left = solve_afresh(memory.gains, state.n_seats, memory.dares)
    expect(memory.ends, state.n_seats, memory.dares, state.n_seats, memory.found)
    return left


@rule
def _take(state: Any, taker: int, ways: Any, parts: Any) -> None:
    """One seat takes the pile: the others stay as they are, so only the best of them counts."""
    best, equals = -1000, 0
    for other in range(state.n_seats):
        if other != taker and points(state, other) > best:
            best, equals = points(state, other), 0
        if other != taker and points(state, other) == best:
            equals += 1
    above, level, total = 0.0, 0.0, 0.0
    sure, twice = _with_pile(state, taker)
    for value in range(5 * state.deck + 1):
        for doublers in range(DOUBLERS * state.effects + 1):
            chance = ways[state.deck, value, doublers]
            have = sure + value << twice + doublers
            total += chance
            above += chance if have > best else 0.0
            level += chance if have == best else 0.0
    parts[taker] = (above + level / (1 + equals)) / total
    for other in range(state.n_seats):
        if other != taker and points(state, other) == best:
            parts[other] = ((total - above - level) / equals + level / (1 + equals)) / total


@rule
def _value(kind: int, seat: int) -> int:
    """What a card of the pile counts for a seat: another's icon nothing."""
    return VALUES[kind] if kind < FIRST_ICON or kind == FIRST_ICON + seat else 0


@rule
def _with_pile(state: Any, taker: int) -> tuple[int, int]:
    """What a seat has with the pile, before it is doubled, and how often it is."""
    total, twice = -state.face_down[taker], state.face_up[taker][DOUBLER]
    for kind in range(KINDS):
        total += _value(kind, taker) * state.face_up[taker][kind]
    for place in range(state.pile_size):
        total += _value(state.pile[place], taker)
        twice += 1 if state.pile[place] == DOUBLER else 0
    return total, twice


@rule
def _draw(state: Any, taker: int, ways: Any) -> None:
    """In how many ways so many unseen cards have this value for the taker, and so many ×2 among them."""
    most, twos = 5 * state.deck, DOUBLERS * state.effects
    for cards in range(state.deck + 1):
        for total in range(most + 1):
            for doublers in range(twos + 1):
                ways[cards, total, doublers] = 0.0
    ways[0, 0, 0] = 1.0
    for kind in range(KINDS):
        value, twice = _value(kind, taker), 1 if kind == DOUBLER else 0
        for _ in range(state.unseen[kind]):
            for cards in range(state.deck, 0, -1):
                for total in range(most, value - 1, -1):
                    for doublers in range(twice, twos + 1):
                        ways[cards, total, doublers] += ways[cards - 1, total - value, doublers - twice]
