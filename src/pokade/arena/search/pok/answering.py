"""What a search of POK says to others: everybody's mixture, and what symbols are worth against any mixtures."""

from typing import Any

import numpy as np

from pokade.arena.search.pok.naming import NAMINGS, place_of
from pokade.arena.search.pok.table import FEWEST, symbols_in
from pokade.arena.search.pok.thinking import worth_after
from pokade.games.pok import SEATS, SYMBOLS
from pokade.games.state import rule


@rule
def everybody(view: Any, memory: Any, out: Any) -> None:
    """How often each seat shows each symbol, after what has been thought."""
    for seat in range(view.n_seats):
        sums, total = memory.sums[memory.kind[place_of(view, memory, seat)]], 0.0
        for name in range(SYMBOLS):
            total += sums[name]
        for name in range(SYMBOLS):
            out[seat, NAMINGS[memory.naming][name]] = sums[name] / total


@rule
def answer(states: Any, seat: int, table: Any, memory: Any, mixed: Any, out: Any) -> None:
    """What each symbol is worth to a seat while the others mix so, by seat and symbol: over all that they may show."""
    view = states[0]
    seats = _seats_by_place(view, memory, seat)
    own = place_of(view, memory, seat)
    for number in range(SYMBOLS ** (view.n_seats - 1)):
        weight, rest = 1.0, number
        discs, squares = 0, 0
        for place in range(view.n_seats):
            if place != own:
                name = rest % SYMBOLS
                rest //= SYMBOLS
                memory.shown[place] = name
                weight *= mixed[seats[place], NAMINGS[memory.naming][name]]
                discs += 1 if name == 0 else 0
                squares += 1 if name == 1 else 0
        if weight > 0.0:
            _add(view.n_seats, own, table, memory, weight, discs, squares, out)


@rule
def _add(n_seats: int, own: int, table: Any, memory: Any, weight: float, discs: int, squares: int, out: Any) -> None:
    """Add what each of my symbols brings, the others showing what they show."""
    can = symbols_in(memory.hands[own])
    for name in range(SYMBOLS):
        if can >> name & 1:
            memory.shown[own] = name
            all_discs, all_squares = discs + (1 if name == 0 else 0), squares + (1 if name == 1 else 0)
            went = table.went[n_seats - FEWEST, memory.throw, all_discs, all_squares]
            out[NAMINGS[memory.naming][name]] += weight * worth_after(table, memory, n_seats, own, went)


@rule
def _seats_by_place(view: Any, memory: Any, first: int) -> Any:
    """Who sits at each place; of seats with equal hands one comes first."""
    seats = np.full(SEATS, -1)
    seats[place_of(view, memory, first)] = first
    for seat in range(view.n_seats):
        if seat != first:
            place = place_of(view, memory, seat)
            while seats[place] >= 0:
                place += 1
            seats[place] = seat
    return seats
