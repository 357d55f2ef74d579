"""Kinds of players of POK: how often each shows each symbol."""

from typing import Any, Final

from pokade.games.pok import SYMBOLS, PokState, choice_at, n_choices
from pokade.games.state import NOTHING, rule
from pokade.players.pok import bluffer, bold, cautious, mixture, novice

# The first kind is the reference, which `guess` leaves out; habits stand last.
CASUAL, EAGER, CAUTIOUS, BOLD, BLUFFER, NOVICE, RANDOM, ONES, TWOS, THREES, UNASKED, MOST, FIRST, LAST, SAME = range(
    1, 16
)
KINDS: Final = 16
LUCKS: Final = 12  # rules of thumb ask luck for one of two and one of three: with these numbers, all cases come once
LIKING: Final = 1 / 3  # a temper does what it likes in one choice of three
EAGERNESS: Final = 1.5  # power of the casual weights for somebody who follows the same thoughts more sharply


@rule
def guess(view: PokState, seat: int, out: Any) -> None:
    """How often each kind but the reference would show each symbol in a seat's place; by kind and symbol."""
    for kind in range(KINDS):
        for symbol in range(SYMBOLS):
            out[kind, symbol] = 0.0
    _weigh(view, seat, out)
    for luck in range(LUCKS):
        out[NOVICE, novice(view, seat, luck)] += 1.0 / LUCKS
        out[RANDOM, choice_at(view, seat, luck % n_choices(view, seat))] += 1.0 / LUCKS
        _like(out, CAUTIOUS, cautious(view, seat, luck))
        _like(out, BOLD, bold(view, seat, luck))
        liked = bluffer(view, seat, luck)
        _like(out, BLUFFER, liked)
        out[UNASKED, choice_at(view, seat, luck % n_choices(view, seat)) if liked == NOTHING else liked] += 1.0 / LUCKS
    for die in range(SYMBOLS):
        out[ONES + die, _symbol_of(view, seat, view.dice[die])] = 1.0
    out[MOST, _most_held(view, seat)] = 1.0
    out[FIRST, choice_at(view, seat, 0)] = 1.0
    out[LAST, choice_at(view, seat, n_choices(view, seat) - 1)] = 1.0
    out[SAME, _symbol_of(view, seat, view.shown[seat])] = 1.0


@rule
def _weigh(view: PokState, seat: int, out: Any) -> None:
    """The casual level, somebody sharper, and what is left of it with a temper."""
    weights = mixture(view, seat)
    total, eager = 0.0, 0.0
    for symbol in range(SYMBOLS):
        total += weights[symbol]
        eager += weights[symbol] ** EAGERNESS
    for symbol in range(SYMBOLS):
        out[CASUAL, symbol] = weights[symbol] / total
        out[EAGER, symbol] = weights[symbol] ** EAGERNESS / eager
        for temper in range(CAUTIOUS, BLUFFER + 1):
            out[temper, symbol] = (1.0 - LIKING) * out[CASUAL, symbol]


@rule
def _like(out: Any, temper: int, liked: int) -> None:
    """What a temper likes; if it likes nothing, it judges."""
    for symbol in range(SYMBOLS):
        share = out[CASUAL, symbol] if liked == NOTHING else 1.0 if symbol == liked else 0.0
        out[temper, symbol] += LIKING * share / LUCKS


@rule
def _symbol_of(view: PokState, seat: int, symbol: int) -> int:
    """This symbol, or the first that the seat has if it has none of it."""
    has: bool = 0 <= symbol < SYMBOLS and view.counters[seat][symbol] > 0
    return symbol if has else choice_at(view, seat, 0)


@rule
def _most_held(view: PokState, seat: int) -> int:
    """The first of the symbols that the seat has most of."""
    best = choice_at(view, seat, 0)
    for symbol in range(SYMBOLS):
        if view.counters[seat][symbol] > view.counters[seat][best]:
            best = symbol
    return best
