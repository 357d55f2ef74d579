"""What a view lets its seat work out, so that a page needs no rules."""

import pytest

from pokade import texts
from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.cards import NAMES
from pokade.games.play import Play, View, look
from pokade.games.state import CHANCE, UNKNOWN, WATCHER
from pokade.testing import positions, random_game, tables
from tests.games import test_poch, test_pok, test_pokerdice, test_pokopop


def test_pok_says_how_many_counters_win_and_which_symbols_no_die_asks_for():
    assert test_pok.choosing("O OO -").view(0).facts == {"goal": 5, "unasked": 0b110}
    assert test_pok.throwing().view(0).facts == {"goal": 5}


def test_pokerdice_says_which_objectives_the_dice_meet_now():
    play = test_pokerdice.choosing()
    met = play.view(WATCHER).facts["met"]

    assert met & 1  # the joker always is
    assert met == test_pokerdice.met_objectives(play.state)
    assert "met" not in Play(GAMES["pokerdice"], 2).view(0).facts


def test_pokerdice_says_how_many_rounds_there_are_and_what_is_left_to_rethrow():
    assert Play(GAMES["pokerdice"], 3).view(WATCHER).facts == {"rounds": 10, "left": 2}
    assert Play(GAMES["pokerdice"], 3, {"equal_turns": True}).view(0).facts["rounds"] == 9
    play = test_pokerdice.choosing()
    for seat in range(play.state.n_seats):
        play.choose(seat, 0)
    play.choose(play.state.active, 0b11111)

    assert play.view(0).facts["left"] == 1


def test_pokopop_says_how_many_pokos_there_are_and_how_large_the_final_pile_is():
    play = Play(GAMES["pokopop"], 3)
    assert play.view(0).facts == {"pokos": 3}
    play.state.phase, play.state.deck, play.state.pile_size = test_pokopop.FINAL_CHOOSING, 2, 5

    assert play.view(0).facts == {"pokos": 3, "pile": 7}


@pytest.fixture
def bidding() -> Play:
    play = Play(GAMES["poch"], 4)
    play.happen(3)
    while play.turn == CHANCE:
        play.happen(min(play.chances()))
    return play


def test_poch_says_ones_best_set_and_what_one_may_bid(bidding: Play):
    first, second = bidding.view(0).facts, bidding.view(1).facts

    assert first == {"set_rank": 1, "set_size": 4, "lowest_bid": 1, "highest_bid": 10}
    assert second == {"set_rank": 3, "set_size": 4}
    assert bidding.view(WATCHER).facts == {}


def test_poch_says_what_it_costs_to_hold(bidding: Play):
    bidding.choose(0, test_poch.BID + 4)

    assert bidding.view(1).facts["hold_costs"] == 4
    assert bidding.view(1).facts["lowest_bid"] == 5
    assert bidding.view(1).state.hand[0] == UNKNOWN


def test_poch_says_who_opened(bidding: Play):
    bidding.choose(0, test_poch.PASS)
    assert "opener" not in bidding.view(WATCHER).facts
    bidding.choose(1, test_poch.BID + 2)
    bidding.choose(2, test_poch.BID + 3)

    assert bidding.view(WATCHER).facts["opener"] == 1


def test_poch_says_which_way_a_first_card_leads():
    play = Play(GAMES["poch"], 4)
    play.state.phase = test_poch.STARTING

    assert [play.game.said(play.state, 0, NAMES.index(card))[1]["way"] for card in ("7h", "Ah")] == [0, 1]


@pytest.mark.parametrize("game", GAMES)
def test_everybody_has_a_place_once_a_game_is_over(game: str):
    play = random_game(GAMES[game], GAMES[game].seats[0], {}, 1)
    places = play.view(WATCHER).places

    assert [seat for seat, place in enumerate(places) if place == 1] == list(play.outcome().winners)
    assert Play(GAMES[game], GAMES[game].seats[0]).view(WATCHER).places == []


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_has_a_name_of_its_own_and_every_turn_a_question(game: str):
    asked = set()
    for n_seats, options in tables(GAMES[game]):
        for play in positions(Play(GAMES[game], n_seats, options), Seeded(f"names {n_seats}")):
            for view in (play.view(seat) for seat in range(n_seats)):
                assert (view.question is None) == (not view.choices)
                if view.question is not None:
                    asked.add(view.question[0])
                    for language in texts.LANGUAGES:
                        want_words(view, language)
    assert asked == set(texts.entry("en", f"{game}.prompt")) == set(texts.entry("en", f"{game}.asked"))


def want_words(view: View, language: str) -> None:
    game = view.game.name
    key, values = view.question
    assert texts.text(language, f"{game}.prompt.{key}", **values)
    assert "Ada" in texts.text(language, f"{game}.asked.{key}", who="Ada", **values)
    names = [texts.text(language, f"{game}.choice.{key}", **values) for key, values in view.choice_texts]
    assert len(set(names)) == len(names) == len(view.choices)


def test_a_watcher_is_asked_nothing():
    assert test_pok.choosing("O OO -").view(WATCHER).question is None


def test_a_reveal_is_worth_a_look_and_what_one_seat_alone_hears_is_not(bidding: Play):
    reveal = test_pok.choosing("O OO -", seats=4)
    for seat in range(4):
        assert look(reveal.game, reveal.state) == 0
        reveal.choose(seat, 0)
    assert look(reveal.game, reveal.state) == 4

    dealing = Play(GAMES["poch"], 4)
    dealing.happen(3)
    dealing.happen(min(dealing.chances()))
    assert dealing.view(0).told != []
    assert look(dealing.game, dealing.state) == 0


def test_options_that_another_number_of_seats_does_not_allow_are_left_out():
    given = {"variant": "double", "equal_turns": True, "first_active": "p2"}

    assert GAMES["pokerdice"].options_for(given, 2) == given
    assert GAMES["pokerdice"].options_for(given, 3) == {"equal_turns": True, "first_active": "p2"}
    assert GAMES["pokerdice"].options_for({"first_active": "p4"}, 3) == {}
