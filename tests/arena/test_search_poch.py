"""How the strong level plays Poch, on arranged hands; how it plays out, and what it bids by."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pokade.arena.bots import Budget, thought
from pokade.arena.memory import made
from pokade.arena.search.poch import Memory, Table, read
from pokade.arena.search.poch.bidding import BLIND, bids_allowed, class_of, likelihood, prepare_tails
from pokade.arena.search.poch.book import BETTER, FILE, SIZES, VARIANTS, learn
from pokade.arena.search.poch.memory import BIDS, CLASSES, FEWEST
from pokade.arena.search.poch.playout import best_start, finish, solve_playout
from pokade.chance import Seeded
from pokade.games.cards import BY_NAME
from pokade.games.play import Play
from pokade.games.poch import BID, DEALING, GAME, HOLD, PASS, STARTING, PochState
from pokade.games.state import CHANCE, copied
from tests.games.test_poch import bid, dealt, filled, say
from tests.players.test_poch import LONG_CLUBS, LOW_AND_HIGH

QUICK = Budget(iterations=100)
# The last to speak has no pair, and the others have three of a kind.
NO_PAIR_LAST = "AcAdAhKcKdKs7d7h QcQhQsJdJhJs7s8c 8h8s9c9d9sTcTdTh 7c8d9hTsJcQdKhAs"
LEVEL = 1  # neither far behind nor far ahead


@pytest.fixture(scope="module")
def table() -> Table:
    """What the search knows before."""
    found, _ = made(Table)
    read(found)
    prepare_tails(found)
    return found


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


def test_the_last_to_speak_takes_the_pocher_unseen_but_not_if_everybody_shows():
    unseen, shown = (
        answers(bid("pass pass pass", NO_PAIR_LAST, showdown=showdown)) for showdown in ("bidders", "everyone")
    )

    assert unseen[PASS] <= 3
    assert shown[PASS] >= 25


def test_a_pair_that_can_lose_but_a_bid_opens_more_often():
    hands = filled("KcKd7h8s9cTdJhQs", "7d")
    doubled, spared = (answers(dealt(hands, bluff=bluff))[PASS] for bluff in ("not-best", "no-set"))

    assert spared < doubled


def test_a_high_limit_is_not_used_but_understood():
    play = dealt(max_bid=1000)

    assert max(answers(play)) <= BID + 10  # as docs/bots.md says
    say(play, "60")
    assert answers(play)[PASS] >= 25  # two queens


def best_end(state: PochState) -> PochState:
    """The end of a deal in which everybody, by the rules, makes the choice that brings themselves the most counters."""
    if state.phase == DEALING or GAME.turn(state) < 1:
        return state
    seat = state.acting
    ends = []
    for index in range(GAME.n_choices(state, seat)):
        tried = copied(state)
        GAME.choose(tried, seat, GAME.choice_at(tried, seat, index))
        ends.append(best_end(tried))
    return max(ends, key=lambda end: end.counters[seat])


@pytest.mark.parametrize("n_seats", [2, 3, 4, 8])
def test_playing_out_is_solved_as_the_rules_have_it(n_seats: int):
    chance = Seeded(f"playing out {n_seats}")
    for _ in range(4):
        state = GAME.new(n_seats, {"deals": 2})
        while GAME.turn(state) == CHANCE:
            GAME.happen(state, GAME.outcome_at(state, chance.draw(GAME.tickets(state))))
        while state.phase != STARTING:
            GAME.choose(state, state.acting, PASS)
        memory, _ = made(Memory)
        solve_playout(state, memory)
        seat, expected = state.acting, best_end(state)

        finish(state, memory, best_start(state, memory, seat))

        assert state.counters[seat] == expected.counters[seat]


def test_a_book_for_every_number_of_players_and_variant_comes_with_the_package(table: Table):
    heading = json.loads(FILE.read_bytes().split(b"\n", 1)[0])

    assert len(heading["learnt"]) == VARIANTS * SIZES
    assert FILE.stat().st_size < 400_000
    opening = table.book[:, :, LEVEL, 0].astype(int).sum(axis=-1)
    assert ((abs(opening - 255) < BIDS) | (opening == 0)).all()
    assert (opening > 0).sum(axis=-1).min() > CLASSES // 2  # with few cards some classes are empty


def test_what_the_book_says_adds_up(table: Table):
    play = dealt()
    say(play, "2")
    state, seat = play.state, play.state.acting
    hand = class_of(table, 4, state.hand[seat], state.trumps)
    can = bids_allowed(state, seat)

    chances = [likelihood(state, seat, table.book[0, 1], table.sizes[0, 1], hand, option) for option in range(BIDS)]

    assert can == 0b1110011
    assert sum(chances[option] for option in range(BIDS) if can >> option & 1) == pytest.approx(1.0)


@pytest.mark.parametrize("n_seats", [3, 4])
def test_no_size_of_an_opening_belongs_to_one_kind_of_hand(table: Table, n_seats: int):
    share = np.diff([0.0, *BETTER, 1.0])[:, None]
    own = table.book[0, n_seats - FEWEST, LEVEL, 0, :, HOLD + 1 :] / 255.0
    blind = table.sizes[0, n_seats - FEWEST, LEVEL, 0, HOLD + 1 :] / 255.0
    opens = share * ((1.0 - BLIND) * own + BLIND * own.sum(axis=1, keepdims=True) * blind)
    best = BETTER[4]  # three of a kind, or better

    by_size = opens[:5].sum(axis=0) / opens.sum(axis=0)

    assert best == 0.15
    assert (by_size < 0.85).all()


@pytest.mark.soak
def test_a_book_is_learnt_the_same_in_one_go_or_in_two(tmp_path: Path):
    class Stopped(Exception):
        pass

    def stop(done: int, of: int) -> None:
        if done == of // 2:
            raise Stopped

    def go_on(done: int, of: int) -> None:
        pass

    learn(tmp_path / "one", 100, 1, go_on)
    with pytest.raises(Stopped):
        learn(tmp_path / "two", 100, 1, stop)
    learn(tmp_path / "two", 100, 1, go_on)

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
