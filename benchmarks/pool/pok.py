"""Habits of POK."""

from pokade.games.pok import BLANK, SYMBOLS, PokState, choice_at, n_choices
from pokade.games.state import rule

SIZES = (3, 5, 7)
EXPLOITED = 0.03


@rule
def _symbol_of(view: PokState, seat: int, die: int) -> int:
    """The symbol of a die; if you have none of it, the first that you have."""
    symbol = view.dice[die]
    return symbol if symbol != BLANK and view.counters[seat][symbol] > 0 else choice_at(view, seat, 0)


@rule
def first_symbol(view: PokState, seat: int, luck: int) -> int:
    """Always the first symbol that you have."""
    return choice_at(view, seat, 0)


@rule
def last_symbol(view: PokState, seat: int, luck: int) -> int:
    """Always the last symbol that you have."""
    return choice_at(view, seat, n_choices(view, seat) - 1)


@rule
def ones_die(view: PokState, seat: int, luck: int) -> int:
    """Show the ones die's symbol."""
    return _symbol_of(view, seat, 0)


@rule
def twos_die(view: PokState, seat: int, luck: int) -> int:
    """Show the twos die's symbol."""
    return _symbol_of(view, seat, 1)


@rule
def threes_die(view: PokState, seat: int, luck: int) -> int:
    """Show the threes die's symbol."""
    return _symbol_of(view, seat, 2)


@rule
def most_held(view: PokState, seat: int, luck: int) -> int:
    """Show what you have the most of."""
    best = choice_at(view, seat, 0)
    for symbol in range(SYMBOLS):
        if view.counters[seat][symbol] > view.counters[seat][best]:
            best = symbol
    return best


@rule
def on_no_die(view: PokState, seat: int, luck: int) -> int:
    """Show what no die asks for."""
    for index in range(n_choices(view, seat)):
        symbol = choice_at(view, seat, index)
        if symbol not in (view.dice[0], view.dice[1], view.dice[2]):
            return symbol
    return choice_at(view, seat, luck % n_choices(view, seat))


HABITS = (first_symbol, last_symbol, ones_die, twos_die, threes_die, most_held, on_no_die)
