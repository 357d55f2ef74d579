"""How the strong level plays Poch, on arranged hands."""

from collections import Counter

from pokade.arena.bots import Budget, thought
from pokade.games.cards import BY_NAME
from pokade.games.play import Play
from pokade.games.poch import HOLD, PASS
from tests.games.test_poch import bid, dealt, say
from tests.players.test_poch import LONG_CLUBS, LOW_AND_HIGH

QUICK = Budget(iterations=100)


def answers(play: Play, times: int = 30) -> Counter[int]:
    """What the strong level chooses where it is asked now, over many lucks."""
    return Counter(thought(play.view(play.state.acting), luck, QUICK) for luck in range(times))


def test_who_surely_has_the_best_set_does_not_pass():
    play = dealt(LOW_AND_HIGH, deals=1)
    play.state.counters[:2] = [100, 100]
    say(play, "5")

    assert answers(play)[PASS] == 0


def test_who_surely_has_not_the_best_set_does_not_hold():
    play = dealt(LOW_AND_HIGH, dealer=0, deals=1)
    play.state.counters[:2] = [100, 90]
    say(play, "5")

    assert answers(play)[PASS] >= 25


def test_three_aces_hold_a_high_bid_in_the_last_deal():
    play = bid("10 pass pass", deals=1)
    play.state.counters[:4] = [90, 100, 100, 90]

    assert answers(play)[HOLD] >= 25


def test_the_suit_that_leads_to_going_out_first_is_started():
    play = bid("pass pass", LONG_CLUBS, deals=1)
    play.state.counters[:2] = [100, 100]

    assert set(answers(play)) <= {BY_NAME["7c"], BY_NAME["Ac"]}


def test_bids_of_equal_worth_are_mixed():
    play = dealt(LOW_AND_HIGH)
    say(play, "pass")

    said = answers(play)

    assert said[PASS] == 0
    assert len(said) > 2
