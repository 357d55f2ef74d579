"""How the strong level plays Poch, on arranged hands."""

import random
from collections import Counter

from pokade.arena.bots import Budget, thought
from pokade.arena.kernel import Search
from pokade.chance import Seeded, advance
from pokade.games.cards import BY_NAME
from pokade.games.play import Play
from pokade.games.poch import GAME, HOLD, PASS
from pokade.testing import tables
from tests.games.test_poch import bid, dealt, random_plays, say, twin
from tests.players.test_poch import LONG_CLUBS, LOW_AND_HIGH

QUICK = Budget(iterations=100)


def answers(play: Play, times: int = 30) -> Counter[int]:
    """What the strong level chooses where it is asked now, over many lucks."""
    return Counter(thought(play.view(play.state.acting), luck, QUICK) for luck in range(times))


def test_the_strong_level_plays_legal_games_in_every_variant():
    luck = random.Random(1)
    for number, (n_seats, options) in enumerate(tables(GAME)):
        play, chance = Play(GAME, n_seats, options), Seeded(number)
        while not play.is_over:
            if not advance(play, chance):
                seat = play.state.acting
                view = play.view(seat)
                strong = seat == number % n_seats and play.state.round < 4
                play.choose(seat, thought(view, number, Budget(iterations=2)) if strong else luck.choice(view.choices))


def test_thinking_in_parts_is_thinking_in_one_go():
    view, search, chosen = dealt().view(0), Search(GAME), []
    for parts in ((60,), (20, 20, 20)):
        search.look(view.state, 0, 7)
        for part in parts:
            search.ponder(part)
        chosen.append((search._floats.tolist(), search.settle()))

    assert chosen[0] == chosen[1]


def test_what_the_seat_may_not_see_changes_nothing():
    rng, differing = random.Random(3), 0
    for play in random_plays(5, 4, deals=2):
        seat = play.state.acting
        if play.view(seat).choices:
            other = play.copy()
            other.state = twin(play, seat, False, rng)
            differing += other.state.hand != play.state.hand
            luck = rng.getrandbits(64)
            assert thought(play.view(seat), luck, QUICK) == thought(other.view(seat), luck, QUICK)
    assert differing > 0


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
