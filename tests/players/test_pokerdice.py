"""The rules of thumb of Pokerdice, on arranged dice."""

import random
from collections import Counter

import pytest

from pokade.chance import Seeded
from pokade.games.play import Play, View
from pokade.games.pokerdice import GAME
from pokade.games.state import NOTHING
from pokade.loop import finish
from pokade.players import LUCK, TEMPERS, THUMBS, player, policy
from pokade.testing import tables
from tests.games.test_pokerdice import CARDS, STOP, choice, choosing, rethrow, rethrowing

LUCKS = [random.Random(number).randrange(LUCK) for number in range(60)]


def answers(name: str, play: Play, seat: int = 0) -> Counter[int]:
    """What a player chooses, over many lucks."""
    view = play.view(seat).state
    return Counter(policy(name, GAME)(view, seat, luck) for luck in LUCKS)


def always(name: str, play: Play, seat: int = 0) -> int:
    """What a player chooses whatever its luck."""
    (only,) = answers(name, play, seat)
    return only


def holding(play: Play, cards: str, seat: int = 0) -> Play:
    """The same game, but a seat has only these cards left."""
    play.state.hand[seat] = sum(1 << CARDS[name] for name in cards.split())
    return play


def dice(positions: str) -> int:
    """A rethrow, by the positions of its dice."""
    return sum(1 << int(position) - 1 for position in positions.split())


@pytest.mark.parametrize("name", THUMBS)
def test_every_level_scores_in_every_variant(name: str):
    for number, (n_seats, options) in enumerate(tables(GAME)):
        play = finish(Play(GAME, n_seats, options), Seeded(number), [player(name, GAME, number)] * n_seats)

        assert max(play.points()) > 0


@pytest.mark.parametrize("name", TEMPERS)
def test_every_temper_likes_something_in_every_variant(name: str):
    likes, luck = policy(name, GAME), random.Random(2)
    for number, (n_seats, options) in enumerate(tables(GAME)):
        liked = []

        def choose(view: View, liked: list[int] = liked) -> int:
            liked.append(likes(view.state, view.seat, luck.randrange(LUCK)))
            return luck.choice(view.choices) if liked[-1] == NOTHING else liked[-1]

        finish(Play(GAME, n_seats, options), Seeded(number), [choose] * n_seats)

        assert set(liked) != {NOTHING}


def test_a_novice_plays_the_dearest_card_that_lies_there():
    assert always("novice", choosing("3 3 3 6 6")) == choice("full-house")


def test_a_novice_whose_dice_meet_nothing_plays_anything():
    play = holding(choosing("1 2 3 5 6"), "no-odds long-straight four")

    assert len(answers("novice", play)) == 3


def test_a_novice_stops_once_the_card_is_met():
    assert always("novice", rethrowing("3 3 3 6 6", "three three")) == STOP


def test_casual_takes_a_long_straight_that_lies_there():
    assert always("casual", choosing("2 3 4 5 6")) == choice("long-straight")


def test_casual_tries_dear_cards_only_when_active():
    play = holding(choosing("4 4 1 2 6", seats=2), "joker four")
    holding(play, "joker four", seat=1)

    assert always("casual", play, seat=0) == choice("four")
    assert always("casual", play, seat=1) == choice("joker")


def test_casual_keeps_the_joker_for_a_day_with_worse_dice():
    play = holding(choosing("4 4 1 1 6", seats=2), "joker two-pairs", seat=1)

    assert always("casual", play, seat=1) == choice("two-pairs")


def test_casual_is_not_readable_where_cards_are_about_as_good():
    play = holding(choosing("4 4 1 2 6", seats=2), "joker pair three", seat=1)

    assert set(answers("casual", play, seat=1)) == {choice("joker"), choice("pair")}


def test_casual_throws_again_what_does_not_help_its_card():
    assert always("casual", rethrowing("2 5 2 6 2", "four pair")) == dice("2 4")


def test_casual_with_its_card_met_spoils_the_dice_that_a_rival_counts_on():
    assert always("casual", rethrowing("3 3 3 6 6", "pair full-house")) == dice("3 4 5")


def test_casual_with_its_card_met_stops_when_the_dice_are_no_good_to_a_rival():
    play = rethrowing("3 3 3 6 6", "pair full-house")

    rethrow(play, "3 4 5", "1 2 5")

    assert always("casual", play) == STOP


def test_casual_goes_for_the_dearer_of_two_cards_first():
    play = rethrowing("2 2 2 5 6", "pair+four joker+pair", variant="double")

    assert always("casual", play) == dice("4 5")


def test_the_cautious_like_what_lies_there_and_never_risk_it():
    liked = answers("cautious", choosing("2 2 5 5 6"))

    assert set(liked) == {choice("joker"), choice("pair"), choice("two-pairs")}
    assert always("cautious", rethrowing("2 2 5 5 6", "two-pairs joker")) == STOP
    assert always("cautious", rethrowing("2 2 5 5 6", "full-house joker")) == NOTHING


def test_the_bold_like_dear_cards_unless_they_are_hopeless():
    liked = answers("bold", choosing("2 2 2 5 6"))

    assert set(liked) == {choice("no-odds"), choice("full-house"), choice("long-straight"), choice("four")}
    assert always("bold", holding(choosing("2 2 2 5 6"), "joker no-evens")) == NOTHING


def test_the_bluffer_plays_a_sure_card_over_good_dice_and_throws_them_all_away():
    assert set(answers("bluffer", choosing("2 3 4 5 6"))) == {choice("joker")}
    assert always("bluffer", rethrowing("2 3 4 5 6", "joker long-straight")) == dice("1 2 3 4 5")
    assert always("bluffer", choosing("2 3 4 5 6"), seat=1) == NOTHING
