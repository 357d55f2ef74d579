"""What is worked out once about POK: which symbols go, and what hands are worth.

A hand is a number of three digits to the base 3: how many counters of each symbol.
"""

from dataclasses import dataclass
from typing import Any, Final

from pokade.arena.memory import floats, ints
from pokade.games.pok import GAME, SEATS, SYMBOLS, judge
from pokade.games.state import rule

N_HANDS: Final = 27
DIGITS: Final = (9, 3, 1)
THROWS: Final = 48
FEWEST: Final = GAME.seats[0]
SIZES: Final = len(GAME.seats)
COUNTS: Final = SEATS + 1


@dataclass
class Table:
    """What is worked out once."""

    went: Any = ints(SIZES, THROWS, COUNTS, COUNTS)  # by players, throw, discs and squares shown: which symbols go
    weights: Any = floats(SIZES, N_HANDS)  # of a hand in the race


@rule
def lay(state: Any, throw: int) -> None:
    """Put the dice as in a throw."""
    state.dice[0] = throw // 16
    state.dice[1] = throw // 4 % 4
    state.dice[2] = throw % 4


@rule
def hand_of(state: Any, seat: int) -> int:
    """What a seat has left, as one number."""
    hand: int = state.counters[seat][0] * 9 + state.counters[seat][1] * 3 + state.counters[seat][2]
    return hand


@rule
def left(hand: int) -> int:
    """How many counters are in a hand."""
    return hand // 9 + hand // 3 % 3 + hand % 3


@rule
def holds(hand: int, symbol: int) -> int:
    """How many counters of a symbol are in a hand."""
    return hand // DIGITS[symbol] % 3


@rule
def symbols_in(hand: int) -> int:
    """The symbols of a hand, as a bit set."""
    found = 0
    for symbol in range(SYMBOLS):
        found |= min(1, holds(hand, symbol)) << symbol
    return found


@rule
def after(hand: int, symbol: int, went: int) -> int:
    """The hand after the round."""
    return hand - DIGITS[symbol] if went >> symbol & 1 else hand


@rule
def list_what_goes(state: Any, table: Any, n_seats: int, throw: int) -> None:
    """Ask the rules: for any number of seats that show each symbol, which symbols go."""
    state.n_seats = n_seats
    lay(state, throw)
    for discs in range(n_seats + 1):
        for squares in range(n_seats + 1 - discs):
            for seat in range(n_seats):
                state.shown[seat] = 0 if seat < discs else 1 if seat < discs + squares else 2
            state.showing[0] = (1 << discs) - 1
            state.showing[1] = ((1 << squares) - 1) << discs
            state.showing[2] = (1 << n_seats) - (1 << (discs + squares))
            judge(state)
            went = 0
            for symbol in range(SYMBOLS):
                if state.gone & state.showing[symbol]:
                    went |= 1 << symbol
            table.went[n_seats - FEWEST, throw, discs, squares] = went
