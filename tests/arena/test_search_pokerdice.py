"""How the strong level plays Pokerdice, on arranged dice."""

import itertools
import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from pokade.arena.bots import Budget, thought
from pokade.arena.search.pokerdice import duel, search, values
from pokade.arena.search.pokerdice.lattice import lay, node_of
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


def likeliest(search: Search, seat: int, cards: int, seed: int) -> float:
    """How often one of two players plays their likeliest card, in a round that chance has arranged."""
    chance = random.Random(seed)
    play = choosing(" ".join(str(chance.randint(1, 6)) for _ in range(5)), seats=2)
    play.state.round = ROUNDS + 1 - cards
    for one in range(2):
        play.state.hand[one] = sum(1 << card for card in chance.sample(range(10), cards))
        play.state.score[one] = chance.randint(10, 14)
    search.look(play.view(seat).state, seat, seed)
    search.ponder(100)
    weights = search.memory.sums[seat]
    return float(weights.max() / weights.sum())


@pytest.mark.parametrize(("seat", "most"), [(0, 0.45), (1, 0.4)], ids=["active", "waiting"])
def test_its_card_is_seldom_certain(seat: int, most: float):
    game = Search(GAME)
    found = [likeliest(game, seat, cards, seed) for cards in (3, 5, 8) for seed in range(12)]

    assert sum(part > 0.99 for part in found) / len(found) < most


def test_it_believes_in_nobodys_rules_of_thumb():
    for file in Path(search.__file__).parent.glob("*.py"):
        assert "pokade.players" not in file.read_text("utf-8")


def least_pairs(dice: tuple[int, ...], left: int) -> float:
    """The chance to end without a pair, by the best of all rethrows: another way to work a last round out."""
    best = float(len(set(dice)) == 5)
    for kept in (
        {tuple(sorted(kept)) for size in range(5) for kept in itertools.combinations(dice, size)} if left else ()
    ):
        best = max(best, mean_after(kept, left))
    return best


@cache
def mean_after(kept: tuple[int, ...], left: int) -> float:
    """The mean over all faces of the dice that are thrown again."""
    if len(kept) == 5:
        return least_pairs(tuple(sorted(kept)), left - 1)
    return sum(mean_after(tuple(sorted((*kept, face))), left) for face in range(1, 7)) / 6


def test_the_last_round_is_exact():  # joker against one pair, a point behind: the pair must fail
    table = Search(GAME).table

    assert abs(duel.chance(table, 1 << CARDS["joker"], 1 << CARDS["pair"], -1) - mean_after((), 3)) < 1e-12
    for lead, certain in ((0, 1.0), (-1, 0.0)):  # a draw is the active player's
        assert abs(duel.chance(table, 1 << CARDS["joker"], 1 << CARDS["joker"], lead) - certain) < 1e-12


def test_evens_and_odds_are_alike():
    table = Search(GAME).table
    mine, theirs = 1 << CARDS["no-evens"] | 1 << CARDS["four"], 1 << CARDS["no-odds"] | 1 << CARDS["pair"]

    swapped = duel.chance(table, values.mirrored(mine), values.mirrored(theirs), 2)

    assert 0.0 < duel.chance(table, mine, theirs, 2) == swapped < 1.0


@pytest.mark.parametrize("cards", [2, 4, 7])
def test_chances_that_come_with_the_package_follow_from_those_a_round_later(cards: int):
    chance = random.Random(cards)
    hands = [sum(1 << card for card in chance.sample(range(10), cards)) for _ in range(2)]
    play, game = choosing(seats=2), Search(GAME)
    play.state.round, play.state.hand[:2] = ROUNDS + 1 - cards, hands
    found = 0.0
    for throw in range(THROWS):
        lay(play.state, game.table, throw)
        play.state.thrown = list(play.state.dice)
        game.look(play.view(0).state, 0, 0)
        game.ponder(30)
        found += game.table.odds[throw] * sum(game.memory.now[0] * game.memory.worth_of[0])

    assert abs(found - duel.chance(game.table, hands[0], hands[1], 0)) < 0.03


@pytest.mark.parametrize(
    ("players", "options", "least"),
    [(2, {}, 0.52), (2, {"variant": "double"}, 0.4), (3, {"equal_turns": True}, 0.36), (4, {}, 0.3)],
    ids=["two", "double", "equal turns", "four"],
)
def test_it_beats_the_rules_of_thumb(players: int, options: dict[str, object], least: float):
    seats = ["strong", *["casual"] * (players - 1)]
    tournament = Tournament(GAME, seats, seed=1, budget=QUICK, options=options)
    tournament.played = [tournament.play(number) for number in range(60)]

    assert tournament.standings()[0].share > least
