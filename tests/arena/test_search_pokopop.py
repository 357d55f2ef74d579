"""How the strong level plays Poko Pop!, on arranged cards."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pokade.arena.bots import thought
from pokade.arena.search.pokopop.memory import NODES
from pokade.arena.search.pokopop.worth import add_worth
from pokade.arena.searching import Search
from pokade.arena.tournament import Tournament
from pokade.games.play import Play
from pokade.games.pokopop import GAME, POKO, WAIT, PokopopState
from tests.games.test_pokopop import dealt, in_final_round, lay, show


def solved(play: Play) -> Any:
    """What it has in mind about a position."""
    search = Search(GAME)
    search.look(play.view(0).state, 0, 1)
    search.ponder(1)
    return search.memory


def mixture(play: Play, seat: int = 0) -> float:
    """How often it means to jump."""
    return float(solved(play).jumps[0, seat])


def test_alike_seats_are_treated_alike_and_have_the_same_part_of_the_win():
    for cards in ("5 3", "1 4", "4 3 3", "2 5 1", "5 3 3 3"):
        play = dealt(cards)
        found = solved(play)
        assert np.ptp(found.jumps[0, : play.n_seats]) < 1e-6
        assert abs(found.value[0, : play.n_seats] - 1 / play.n_seats).max() < 1e-6


def test_luck_changes_the_choice_but_not_the_mixture():
    play, search = dealt("5 3"), Search(GAME)
    lay(play, 0, "2")
    minds, choices = set(), set()
    for luck in range(30):
        search.look(play.view(0).state, 0, luck)
        search.ponder(1)
        minds.add(search.memory.tobytes())
        choices.add(search.settle())

    assert len(minds) == 1
    assert choices == {WAIT, POKO}


def test_nobody_gains_by_playing_otherwise_in_the_round():
    for cards, seat, more in (("5 3", 0, "5 5"), ("1 4", 1, "3"), ("4 3 3", 2, "5 4 1"), ("2 5 1", 3, "1 1 1")):
        play = dealt(cards)
        lay(play, seat % play.n_seats, more)
        assert solved(play).gaps.max() < 1e-3


def test_it_prefers_good_cards():
    assert mixture(dealt("1 3 3")) < mixture(dealt("5 3 3"))
    assert mixture(dealt("1 3")) < mixture(dealt("5 3"))


@pytest.mark.parametrize("cards", ["5 3", "5 1", "5 3 3", "5 4 4"])
def test_an_opening_five_is_no_sure_jump(cards: str):
    assert 0.2 < mixture(dealt(cards)) < 0.85


def test_it_jumps_for_the_last_pile_when_only_that_wins():
    play = in_final_round(0, "5 5 5")
    lay(play, 1, "5 5")
    lay(play, 2, "5 4")

    assert mixture(play, 0) > 0.5


def test_the_last_pile_is_judged_over_all_that_the_deck_may_hold():
    # The deck has two cards. Seat 1 leads with 10; seat 0 has nothing, and needs two cards of more than 10 with the 3.
    play = in_final_round(2, "3")
    lay(play, 1, "5 5")
    found, unseen = solved(play), play.state.unseen
    deck = [value for value, count in zip((1, 1, 2, 3, 4, 5), unseen, strict=False) for _ in range(count)]
    pairs = [one + other for index, one in enumerate(deck) for other in deck[index + 1 :]]
    wins = sum(3 + pair > 10 for pair in pairs) + sum(3 + pair == 10 for pair in pairs) / 2

    assert abs(found.ends[0b001, 0] - wins / len(pairs)) < 1e-9
    assert abs(found.ends[0b001, 1] - (1 - wins / len(pairs))) < 1e-9


def test_parts_of_the_win_add_up_to_one():
    play = dealt("4 2 5")
    lay(play, 0, "5 1")
    found = solved(play)

    assert abs(found.value[: found.n_nodes, :4].sum(axis=1) - 1.0).max() < 1e-9


def test_among_equals_a_round_that_is_called_off_changes_nothing_and_so_does_the_number_of_chances():
    assert abs(mixture(dealt("3 1", max_waits=1)) - mixture(dealt("3 1"))) < 1e-9


def test_with_a_leader_the_number_of_chances_counts():
    once, often = dealt("3 1", max_waits=1), dealt("3 1")
    for play in (once, often):
        lay(play, 0, "5")

    assert abs(mixture(once, 1) - mixture(often, 1)) > 1e-6


def test_without_a_limit_nobody_waits_for_ever():
    play = dealt("1 1", max_waits=0)
    for luck in range(2000):
        if play.turn != 0b111:
            break
        for seat in range(3):
            play.choose(seat, thought(play.view(seat), luck * 3 + seat))
    assert play.turn != 0b111


def test_a_tree_has_a_node_for_every_way_the_cards_may_go():
    for cards, nodes in (("4 2", 1 + 3), ("4 2 1", 1 + 4 + 12), ("4 2 1 3", NODES)):
        assert solved(dealt(cards)).n_nodes == nodes
    play = dealt("4 2 1")
    show(play, "PWWW")

    assert solved(play).n_nodes == 1 + 3


def worth_of_a_lead(n_seats: int, deck: int, lead: str) -> float:
    """The part of the win of a seat with these cards, the others having none."""
    state: PokopopState = GAME.new(n_seats)
    state.deck = deck
    for card in lead.split():
        state.face_up[0][(0, 0, 2, 3, 4, 5)[int(card)]] += 1
    parts = np.zeros(n_seats)
    add_worth(state, Search(GAME).table, 1.0, parts)
    return float(parts[0])


@pytest.mark.parametrize("n_seats", GAME.seats)
def test_a_lead_is_worth_more_towards_the_end_and_no_round_makes_a_leap(n_seats: int):
    worths = [worth_of_a_lead(n_seats, rounds * n_seats, "5") for rounds in range(1, 30 // n_seats)]

    assert worths == sorted(worths, reverse=True)
    assert max(before - after for before, after in pairwise(worths)) < 0.15
    assert worths[-1] > 1 / n_seats


def test_it_beats_the_rules_of_thumb():
    tournament = Tournament(GAME, ["strong", "casual", "casual"], seed=1)
    tournament.played = [tournament.play(number) for number in range(600)]

    assert tournament.standings()[0].low > 1 / 3
