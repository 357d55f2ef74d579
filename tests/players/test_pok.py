"""The rules of thumb of POK, on arranged dice."""

import random
from collections import Counter

from pokade.games.play import Play
from pokade.games.pok import DISC, GAME, SQUARE, TRIANGLE
from pokade.games.state import NOTHING
from pokade.players import LUCK, policy
from pokade.players.pok import mixture
from tests.games.test_pok import choosing

LUCKS = [random.Random(number).randrange(LUCK) for number in range(200)]


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
