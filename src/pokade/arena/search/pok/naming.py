"""A position of POK under the names that come first: hands sorted, symbols renamed in one of six ways."""

from typing import Any, Final

import numpy as np

from pokade.arena.search.pok.table import N_HANDS, hand_of, holds
from pokade.games.pok import BLANK, DICE, SEATS
from pokade.games.state import rule

NAMINGS: Final = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))


@rule
def take_in(view: Any, memory: Any) -> None:
    """Write the position down under its first names, and which seats hold the same."""
    best = -1
    for naming in range(len(NAMINGS)):
        key = _key(_sorted_hands(view, naming), view.n_seats)
        if best < 0 or key < best:
            best = key
            memory.naming = naming
    memory.key = best
    hands = _sorted_hands(view, memory.naming)
    for place in range(view.n_seats):
        memory.hands[place] = hands[place]
        same = place > 0 and hands[place] == hands[place - 1]
        memory.kind[place] = memory.kind[place - 1] if same else place
    memory.throw = 0
    for die in range(DICE):
        memory.throw = memory.throw * (BLANK + 1) + new_name(memory.naming, view.dice[die])


@rule
def place_of(view: Any, memory: Any, seat: int) -> int:
    """Where a seat's hand lies among the sorted ones."""
    own, place = _renamed(hand_of(view, seat), memory.naming), 0
    while memory.hands[place] != own:
        place += 1
    return place


@rule
def new_name(naming: int, symbol: int) -> int:
    """How a symbol is called; a blank stays one."""
    for name in range(BLANK):
        if NAMINGS[naming][name] == symbol:
            return name
    return BLANK


@rule
def _renamed(hand: int, naming: int) -> int:
    """The same hand with its symbols in another order."""
    order = NAMINGS[naming]
    return holds(hand, order[0]) * 9 + holds(hand, order[1]) * 3 + holds(hand, order[2])


@rule
def _sorted_hands(view: Any, naming: int) -> Any:
    """All hands, renamed, the smallest first."""
    hands = np.zeros(SEATS, np.int64)
    for seat in range(view.n_seats):
        hand, place = _renamed(hand_of(view, seat), naming), seat
        while place > 0 and hands[place - 1] > hand:
            hands[place] = hands[place - 1]
            place -= 1
        hands[place] = hand
    return hands


@rule
def _key(hands: Any, n_seats: int) -> int:
    """One number for sorted hands."""
    key = 0
    for place in range(n_seats):
        key = key * N_HANDS + hands[place]
    return key
