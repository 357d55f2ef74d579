"""The rules of thumb of POK, on arranged dice."""

import random
from collections import Counter

import pytest

from pokade.arena.loops import WINNERS, Arena
from pokade.games.play import Play
from pokade.games.pok import BLANK, DISC, GAME, SQUARE, TRIANGLE, PokState, choice_at
from pokade.games.state import NOTHING, rule
from pokade.players import LUCK, Policy, policy
from pokade.players.pok import bluffer, mixture
from tests.games.test_pok import choosing

LUCKS = [random.Random(number).randrange(LUCK) for number in range(200)]


@rule
def ones(view: PokState, seat: int, luck: int) -> int:
    """Always the symbol on the die of ones."""
    return _if_held(view, seat, view.dice[0])


@rule
def twos(view: PokState, seat: int, luck: int) -> int:
    """Always the symbol on the die of twos."""
    return _if_held(view, seat, view.dice[1])


@rule
def unasked(view: PokState, seat: int, luck: int) -> int:
    """Always a symbol on no die."""
    return _if_held(view, seat, bluffer(view, seat, luck))


@rule
def first(view: PokState, seat: int, luck: int) -> int:
    """Always discs, then squares."""
    return choice_at(view, seat, 0)


@rule
def _if_held(view: PokState, seat: int, symbol: int) -> int:
    """That symbol, or the first one that is held."""
    if symbol in (BLANK, NOTHING) or view.counters[seat][symbol] == 0:
        return choice_at(view, seat, 0)
    return symbol


def answers(name: str, play: Play, seat: int = 0) -> Counter[int]:
    """What a player chooses, over many lucks."""
    view = play.view(seat).state
    return Counter(policy(name, GAME)(view, seat, luck) for luck in LUCKS)


def test_a_novice_goes_for_the_die_that_its_table_meets_most_easily():
    assert answers("novice", choosing("S OO -", seats=3)).most_common(1)[0][0] == SQUARE
    assert answers("novice", choosing("S OO -", seats=5)).most_common(1)[0][0] == DISC
    assert answers("novice", choosing("S OO TTT", seats=7)).most_common(1)[0][0] == TRIANGLE


def test_casual_mixes_wherever_no_symbol_goes_for_sure():
    for dice in ("O - -", "S TT -", "T SS OOO"):
        for n_seats in (3, 4, 7):
            assert len(answers("casual", choosing(dice, n_seats))) > 1


def test_casual_shows_a_symbol_asked_once_that_nobody_else_has():
    play = choosing("O - -", hands="OST SST SST SST")

    assert answers("casual", play)[DISC] > 0.9 * len(LUCKS)


def test_casual_shows_no_symbol_that_cannot_go():
    play = choosing("O OO OOO", hands="OSST SST SST SST")  # alone with a disc

    assert answers("casual", play)[DISC] > 0.5 * len(LUCKS)
    play = choosing("S TTT -", hands="TSO SO SO SO")  # three triangles there are none

    assert answers("casual", play)[TRIANGLE] < 0.1 * len(LUCKS)


def test_casual_spoils_a_rivals_counter_when_its_own_can_only_stay():
    # Seat 1 must show a disc, which goes alone; a second disc keeps it on the table.
    play = choosing("O TT SSS", hands="OOT OO TTS", seats=3)

    weights = mixture(play.view(0).state, 0)

    assert weights[DISC] > weights[TRIANGLE]


def test_casual_weighs_symbols_alike_where_the_dice_and_hands_do():
    weights = mixture(choosing("O - -", seats=5).view(2).state, 2)

    assert weights[SQUARE] == weights[TRIANGLE] != weights[DISC]


def test_the_cautious_keep_their_single_counters():
    assert set(answers("cautious", choosing(hands="OSST OST OST OST"))) == {SQUARE}


def test_the_cautious_like_nothing_where_all_are_single():
    assert set(answers("cautious", choosing(hands="OST OST OST OST"))) == {NOTHING}


def test_the_bold_go_for_the_challenge_that_asks_the_most():
    assert set(answers("bold", choosing("O TT SSS"))) == {SQUARE}
    assert set(answers("bold", choosing("O TT SSS", hands="OOT OST OST OST"))) == {TRIANGLE}


def test_the_bluffer_shows_what_nobody_asks_for():
    assert set(answers("bluffer", choosing("O OO -"))) == {SQUARE, TRIANGLE}
    assert set(answers("bluffer", choosing("O SS TTT"))) == {NOTHING}


HABITS = (twos, unasked, first)  # each is compiled, which takes a while


@pytest.mark.parametrize("n_seats", [3, 5, 7])
@pytest.mark.parametrize("habit", [ones, *(pytest.param(habit, marks=pytest.mark.soak) for habit in HABITS)])
def test_no_simple_habit_does_well_among_casuals(habit: Policy, n_seats: int):
    rows = Arena(GAME, n_seats).play(1, 0, 3000, [habit, *["casual"] * (n_seats - 1)])

    shares = [(row[WINNERS] & 1) / int(row[WINNERS]).bit_count() for row in rows.tolist()]

    assert sum(shares) / len(shares) < 1 / n_seats + 0.03
