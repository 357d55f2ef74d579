"""How the strong level plays Poko Pop!, on arranged cards."""

import pytest

from pokade.arena.bots import Budget, thought
from pokade.arena.search import pokopop as search
from pokade.arena.searching import Search
from pokade.arena.tournament import Tournament
from pokade.games.play import Play
from pokade.games.pokopop import GAME, POKO
from tests.games.test_pokopop import dealt, in_final_round, lay, show

QUICK = Budget(iterations=150)


def jumps(play: Play, seat: int = 0, times: int = 20) -> int:
    """How many times out of twenty the strong level jumps."""
    return sum(thought(play.view(seat), luck, QUICK) == POKO for luck in range(times))


def mixture(play: Play, seat: int = 0) -> float:
    """How often it means to jump."""
    game = Search(GAME)
    game.look(play.view(seat).state, seat, 1)
    game.ponder(QUICK.iterations or 0)
    return float(game.memory.jumps[0, seat])


def test_it_prefers_good_cards():
    assert mixture(dealt("1 3 3")) < mixture(dealt("5 3 3"))
    assert mixture(dealt("1 3")) < mixture(dealt("5 3"))


def test_it_jumps_for_the_last_pile_when_only_that_wins():
    play = in_final_round(0, "5 5 5")
    lay(play, 1, "5 5")
    lay(play, 2, "5 4")

    assert jumps(play, 0) == 20


def test_with_the_round_about_to_be_called_off_it_does_not_wait_for_more_waiting():
    play = dealt("3 1", max_waits=1)

    assert 0.1 < mixture(play) < 1.0


def test_without_a_limit_nobody_waits_for_ever():
    play = dealt("1 1", max_waits=0)
    for luck in range(2000):
        if play.turn != 0b111:
            break
        for seat in range(3):
            play.choose(seat, thought(play.view(seat), luck * 3 + seat, Budget(iterations=5)))
    assert play.turn != 0b111


def test_a_tree_has_a_node_for_every_way_the_cards_may_go():
    game = Search(GAME)
    for cards, nodes in (("4 2", 1 + 3), ("4 2 1", 1 + 4 + 12), ("4 2 1 3", search.NODES)):
        game.look(dealt(cards).view(0).state, 0, 1)
        game.ponder(1)
        assert game.memory.n_nodes == nodes
    play = dealt("4 2 1")
    show(play, "PWWW")
    game.look(play.view(1).state, 1, 1)
    game.ponder(1)
    assert game.memory.n_nodes == 1 + 3


def test_a_lead_is_worth_more_towards_the_end():
    for n_seats in (3, 4, 5):
        leads = Search(GAME).table.lead[0, n_seats]
        assert leads[0] > leads[2] > leads[4]


@pytest.mark.parametrize("cards", ["4 3 3", "3 2 4", "5 3 3"])
def test_it_is_not_readable_where_neither_choice_is_sure(cards: str):
    assert 0.2 < mixture(dealt(cards)) < 0.8
    assert 2 <= jumps(dealt(cards)) <= 18


def test_it_beats_the_rules_of_thumb():
    tournament = Tournament(GAME, ["strong", "casual", "casual"], seed=1, budget=QUICK)
    tournament.played = [tournament.play(number) for number in range(60)]

    assert tournament.standings()[0].share > 0.45
