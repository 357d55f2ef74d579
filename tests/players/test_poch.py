"""The rules of thumb of Poch, on arranged hands."""

import random
from collections import Counter

from pokade.games.cards import BY_NAME, HEARTS
from pokade.games.play import Play
from pokade.games.poch import GAME, HOLD, PASS
from pokade.players import LUCK, policy
from tests.games.test_poch import EIGHT, bid, dealt, say, start

LUCKS = [random.Random(number).randrange(LUCK) for number in range(200)]
# With two at the table: the first has four of each low rank, the second four of each high one.
LOW_AND_HIGH = "7c7d7h7s8c8d8h8s9c9d9h9sTcTdThTs JcJdJhJsQcQdQhQsKcKdKhKsAcAdAhAs"
# The first has all clubs, the diamonds but for the ace, and the 7 of hearts.
LONG_CLUBS = "7c8c9cTcJcQcKcAc7d8d9dTdJdQdKd7h Ad8h9hThJhQhKhAh7s8s9sTsJsQsKsAs"

# The first has two aces, which three of a kind would beat.
TWO_ACES = "As7cJs8dAcKcJhQd 7s8cQh7h8sTcAdKh QcKdTh9hQsAh9dJc 9sJd9cTd7dTs8hKs"


def answers(name: str, play: Play) -> Counter[int]:
    """What a player chooses where it is asked now, over many lucks."""
    seat = play.state.acting
    view = play.view(seat).state
    return Counter(policy(name, GAME)(view, seat, luck) for luck in LUCKS)


def test_with_two_at_the_table_casual_knows_who_has_the_best_set():
    play = dealt(LOW_AND_HIGH)

    assert set(answers("casual", play)) == {PASS}
    say(play, "pass")
    assert PASS not in answers("casual", play)


def test_casual_lets_another_be_the_highest_bidder():
    said = answers("casual", bid("2 pass pass"))  # and has three aces itself

    assert said[PASS] == 0
    assert said[HOLD] > sum(said.values()) / 2


def test_casual_bluffs_now_and_then():
    said = answers("casual", dealt(EIGHT))

    assert 0.8 < said[PASS] / sum(said.values()) < 1


def test_casual_fears_more_sets_the_more_can_still_bid():
    early, late = dealt(TWO_ACES), bid("pass pass pass", TWO_ACES, dealer=0)  # the aces speak first, or last

    assert late.state.acting == 0
    assert answers("casual", late)[PASS] == 0
    assert answers("casual", early)[PASS] > 180  # of two hundred; now and then it bluffs


def test_casual_starts_with_the_suit_that_it_ends():
    play = bid("pass pass", LONG_CLUBS)

    assert set(answers("casual", play)) <= {BY_NAME["7c"], BY_NAME["Ac"]}


def test_novice_passes_without_a_pair():
    assert set(answers("novice", dealt(EIGHT))) == {PASS}


def test_novice_names_its_longest_suit():
    play = bid("pass pass", LONG_CLUBS)
    start(play, "7c")

    assert HEARTS not in answers("novice", play)


def test_cautious_stays_out_and_bluffer_goes_in_without_a_pair():
    assert set(answers("cautious", dealt(EIGHT))) == {PASS}
    assert PASS not in answers("bluffer", dealt(EIGHT))


def test_bold_raises_where_casual_holds():
    said = answers("bold", bid("2 pass pass"))

    assert all(choice > HOLD for choice in said)
