"""Positions of POK: everybody's hands with the names of seats and symbols left out.

A hand is a number of three digits to the base 3: how many counters of each symbol. A position is the sorted hands of
all seats, in the one of the six ways to name the symbols that comes first.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import Any, Final

from pokade.games.pok import BLANK, DICE, EACH, GAME, GOAL, SYMBOLS, judge, weight

Hands = tuple[int, ...]

BASE: Final = EACH + 1
ALL_HANDS: Final = BASE**SYMBOLS
FULL: Final = ALL_HANDS - 1
TURNINGS: Final = tuple(permutations(range(SYMBOLS)))
THROWS: Final = tuple(
    (one, two, three) for one in range(BLANK) for two in range(BLANK + 1) for three in range(BLANK + 1)
)
COUNTS: Final = 64  # two counts of those who show a symbol, below eight each


def counters(hand: int) -> tuple[int, ...]:
    """How many counters of each symbol are in a hand."""
    return tuple(hand // BASE ** (SYMBOLS - 1 - symbol) % BASE for symbol in range(SYMBOLS))


def hand_of(held: Sequence[int]) -> int:
    """The number of a hand."""
    hand = 0
    for count in held:
        hand = hand * BASE + count
    return hand


def left(hand: int) -> int:
    """How many counters are in a hand."""
    return sum(counters(hand))


OPEN: Final = tuple(hand for hand in range(ALL_HANDS) if left(hand) > EACH * SYMBOLS - GOAL)  # hands that go on


@cache
def turned(hand: int, turning: tuple[int, ...]) -> int:
    """The hand when symbol `turning[s]` is called `s`."""
    held = counters(hand)
    return hand_of([held[symbol] for symbol in turning])


def renamed(hands: Sequence[int], turning: tuple[int, ...]) -> Hands:
    """All hands with the symbols renamed, sorted."""
    return tuple(sorted(turned(hand, turning) for hand in hands))


def canonical(hands: Sequence[int]) -> tuple[Hands, tuple[int, ...]]:
    """The position of these hands, and the way to name the symbols that leads there."""
    return min((renamed(hands, turning), turning) for turning in TURNINGS)


@cache
def positions(n_seats: int) -> tuple[Hands, ...]:
    """Every position of a game that goes on or is dead, those with the fewest counters first: no round leads upward."""
    others = [[turned(hand, turning) for hand in range(ALL_HANDS)] for turning in TURNINGS[1:]]
    sizes = [left(hand) for hand in range(ALL_HANDS)]

    def comes_first(hands: Hands) -> bool:
        """Is this the name that the position goes by?"""
        return all(hands <= tuple(sorted([other[hand] for hand in hands])) for other in others)

    every = filter(comes_first, combinations_with_replacement(OPEN, n_seats))
    return tuple(sorted(every, key=lambda hands: (sum(sizes[hand] for hand in hands), hands)))


def kinds(hands: Hands) -> tuple[int, ...]:
    """The different hands of a position: seats that hold the same play the same."""
    return tuple(dict.fromkeys(hands))


@cache
def faces() -> tuple[int, ...]:
    """On how many of the 216 ways in which three dice fall each throw lies."""
    found = []
    for throw in THROWS:
        state: Any = GAME.new(GAME.seats[0])
        ways = 1
        for die in range(DICE):
            state.n_dice = die
            ways *= weight(state, throw[die])
        found.append(ways)
    return tuple(found)


@cache
def goes(n_seats: int) -> tuple[tuple[int, ...], ...]:
    """By throw and by how many show discs and squares (8 × discs + squares): the symbols that go, as a bit set."""
    return tuple(tuple(_goes(throw, n_seats, count // 8, count % 8) for count in range(COUNTS)) for throw in THROWS)


def _goes(throw: tuple[int, ...], n_seats: int, discs: int, squares: int) -> int:
    """Ask the rules."""
    if discs + squares > n_seats:
        return 0
    state: Any = GAME.new(n_seats)
    state.dice[:] = throw
    state.shown[:n_seats] = [0] * discs + [1] * squares + [2] * (n_seats - discs - squares)
    for seat in range(n_seats):
        state.showing[state.shown[seat]] |= 1 << seat
    judge(state)
    return sum(1 << symbol for symbol in range(SYMBOLS) if state.gone & state.showing[symbol])
