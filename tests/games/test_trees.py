"""Counted trees: how many ways there are to go k steps on, from the start of each game and from near its end.

A step is a die, a card or one seat's choice; the seats of a sealed round choose in seat order. The numbers were counted
by `ways`, which lists nothing: it tries every number at the checked doors and sees which are let in. The compiled
rules are counted in tests/arena/test_trees.py.
"""

from collections.abc import Callable, Sequence

import pytest

from pokade import records
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOBODY, members

TRIED = range(-1, 34)  # no choice and no outcome of these trees lies beyond
PLAIN = 8_000  # positions that are walked by the plain rules; deeper numbers are for the compiled ones


def start(name: str, n_seats: int, **options: object) -> Callable[[], Play]:
    return lambda: Play(GAMES[name], n_seats, options)


def after(name: str, n_seats: int, actions: Sequence[str], **options: object) -> Callable[[], Play]:
    """The position after some actions of a record."""

    def played() -> Play:
        play = Play(GAMES[name], n_seats, options)
        for action in actions:
            records.perform(play, action)
        return play

    return played


def few_counters() -> Play:
    """POK with two counters each: O and S, S and T, T and O."""
    play = Play(GAMES["pok"], 3)
    for seat, hand in enumerate(((1, 1, 0), (0, 1, 1), (1, 0, 1))):
        play.state.counters[seat][:], play.state.left[seat] = hand, sum(hand)
    return play


def few_cards() -> Play:
    """The last round of Pokerdice, with two cards in each hand."""
    play = after("pokerdice", 2, ["d first p1", "d roll 1 3 3 5 6"])()
    play.state.round, play.state.hand[0], play.state.hand[1] = 10, 0b11, 0b1001
    return play


HANDS = ("7c9cJcKc8dTdQdAd7h9hJhKh8sTsQsAs", "8cTcQcAc7d9dJdKd8hThQhAh7s9sJsKs")
DEALT = ["d dealer p2", f"d deal p1 {HANDS[0]}", f"d deal p2 {HANDS[1]}"]
TREES: dict[str, tuple[Callable[[], Play], list[int]]] = {
    "pok": (start("pok", 3), [3, 12, 48, 144, 432, 1296, 3888, 15552, 62208]),
    "pok, few counters": (few_counters, [3, 12, 48, 96, 192, 384, 198, 792, 3168, 6336, 12672, 25344, 13068]),
    "pokerdice": (start("pokerdice", 2), [2, 12, 72, 432, 2592, 15552, 155520]),
    "pokerdice, last round": (few_cards, [2, 4, 128, 744, 7584, 82224, 687744]),
    "pokopop": (start("pokopop", 3, max_waits=2), [5, 25, 50, 100, 200, 700, 2900, 13975, 31700, 83050, 180650]),
    "pokopop, effects": (start("pokopop", 3, max_waits=1, effects=True), [11, 115, 230, 460, 920, 6410, 55600, 504243]),
    "poch, bidding": (after("poch", 2, DEALT, deals=1, max_bid=3), [4, 13, 52, 156, 312, 0]),
}


def ways(play: Play, depth: int, due: tuple[int, ...] = ()) -> list[int]:
    """The ways to go 1, 2 … steps on, by trying every number."""
    turn = play.turn
    if depth == 0 or turn == NOBODY:
        return [0] * depth
    actor, *later = (CHANCE,) if turn == CHANCE else due or members(turn)
    counts = [0] * depth
    for value in TRIED:
        ahead = play.copy()
        try:
            ahead.take(actor, value)
        except Refused:
            continue
        below = ways(ahead, depth - 1, tuple(later))
        counts = [a + b for a, b in zip(counts, [1, *below], strict=True)]
    return counts


@pytest.mark.parametrize("name", TREES)
def test_there_are_so_many_ways_to_go_on(name: str):
    begin, counted = TREES[name]
    depth = sum(sum(counted[: k + 1]) <= PLAIN for k in range(len(counted)))

    assert ways(begin(), depth) == counted[:depth]
