"""How the strong level plays Pokerdice, on arranged dice."""

from collections import Counter

from pokade.arena.bots import Budget, thought
from pokade.arena.search.pokerdice.lattice import node_of
from pokade.arena.search.pokerdice.memory import INNER, THROWS
from pokade.arena.searching import Search
from pokade.arena.tournament import Tournament
from pokade.games.play import Play
from pokade.games.pokerdice import GAME, ROUNDS, met_objectives
from tests.games.test_pokerdice import CARDS, STOP, choice, choosing, rethrowing

QUICK = Budget(iterations=20)


def answers(play: Play, seat: int = 0, times: int = 20) -> Counter[int]:
    """What the strong level chooses, over many lucks."""
    return Counter(thought(play.view(seat), luck, QUICK) for luck in range(times))


def dice(positions: str) -> int:
    """A rethrow, by the positions of its dice."""
    return sum(1 << int(position) - 1 for position in positions.split())


def last_round(throw: str, mine: str, theirs: str) -> Play:
    """Two players with one card each; the first has turned it up and may throw again."""
    play = choosing(throw, seats=2)
    play.state.round = ROUNDS
    play.state.hand[:2] = [1 << CARDS[mine], 1 << CARDS[theirs]]
    for seat, card in enumerate((mine, theirs)):
        play.choose(seat, choice(card))
    return play


def test_every_throw_is_judged_by_the_rules_and_as_likely_as_dice_make_it():
    table, throws = Search(GAME).table, Counter[int]()
    state = GAME.new(2)
    for number in range(6**5):
        state.dice = [number // 6**die % 6 + 1 for die in range(5)]
        node = node_of(state, table, 0)
        throws[node] += 1
        assert table.met[table.kind[node - INNER]] == met_objectives(state)
    assert len(throws) == THROWS
    for node, times in throws.items():
        assert abs(table.odds[node - INNER] - times / 6**5) < 1e-12


def test_the_odds_of_three_more_equal_dice_are_exact():
    state = GAME.new(2)
    state.dice = [5, 5, 5, 1, 2]
    table = Search(GAME).table
    throw = node_of(state, table, 0) - INNER
    by_hand = 1 - (25 / 36) ** 2  # at least one of two dice, twice

    assert abs(table.mine[throw, CARDS["four"]] - by_hand) < 1e-12


def test_it_takes_a_long_straight_that_lies_there_if_no_rival_can_gain_by_it():
    play = choosing("2 3 4 5 6", seats=2)
    play.state.round = ROUNDS - 1
    play.state.hand[:2] = [1 << CARDS["joker"] | 1 << CARDS["long-straight"], 1 << CARDS["joker"] | 1 << CARDS["pair"]]

    assert set(answers(play)) == {choice("long-straight")}


def test_it_throws_again_what_does_not_help_its_card():
    assert set(answers(rethrowing("2 5 2 6 2", "four pair"))) == {dice("2 4")}


def test_it_spoils_the_only_card_a_rival_can_have():
    assert STOP not in answers(last_round("3 3 3 6 6", "joker", "full-house"))


def test_it_stops_when_the_only_card_a_rival_can_have_is_missed():
    assert set(answers(last_round("3 3 1 6 6", "two-pairs", "long-straight"))) == {STOP}


def test_it_gives_up_a_met_card_when_only_a_spoilt_one_wins():
    play = last_round("3 3 3 6 6", "three", "full-house")
    play.state.score[:2] = [10, 9]

    assert STOP not in answers(play)


def test_it_is_not_readable():
    assert max(len(answers(choosing(throw, seats=2), seat=1)) for throw in ("1 2 2 4 6", "1 1 3 4 6", "1 2 3 5 6")) > 1


def test_it_beats_the_rules_of_thumb():
    tournament = Tournament(GAME, ["strong", "casual"], seed=1, budget=QUICK)
    tournament.played = [tournament.play(number) for number in range(60)]

    assert tournament.standings()[0].share > 0.55
