"""The rules of thumb of Poko Pop!, on arranged cards."""

import random
from typing import Any

import pytest

from pokade.arena.loops import WINNERS, Arena
from pokade.games.play import Play
from pokade.games.pokopop import FINAL_CHOOSING, GAME, POKO, WAIT
from pokade.games.state import NOTHING, rule
from pokade.players import LUCK, THUMBS, policy
from pokade.players.pokopop import eagerness
from tests.games.test_pokopop import dealt, in_final_round, lay, show

LUCKS = [random.Random(number).randrange(LUCK) for number in range(200)]


def keen(play: Play, seat: int = 0) -> int:
    """How many times in a thousand casual jumps."""
    return eagerness(play.view(seat).state, seat)


def answers(name: str, play: Play, seat: int = 0) -> set[int]:
    """What a player chooses, over many lucks."""
    view = play.view(seat).state
    return {policy(name, GAME)(view, seat, luck) for luck in LUCKS}


@pytest.mark.parametrize("name", THUMBS)
def test_nobody_waits_for_ever_for_a_card_that_is_worth_nothing(name: str):
    play, luck = dealt("5@5 5@4", effects=True, max_waits=0), random.Random(3)
    while play.turn == 0b111:
        for seat in range(3):
            play.choose(seat, policy(name, GAME)(play.view(seat).state, seat, luck.randrange(LUCK)))
    assert play.state.waits < 1000


def test_a_novice_jumps_far_more_often_for_a_good_card():
    decide = policy("novice", GAME)
    good, poor = (
        sum(decide(dealt(cards).view(0).state, 0, luck) == POKO for luck in LUCKS) for cards in ("5 1", "1 5")
    )

    assert good > 4 * poor


def test_casual_jumps_the_more_often_the_better_the_card():
    chances = [keen(dealt(f"{card} 3 3")) for card in range(1, 6)]

    assert chances == sorted(chances)
    assert chances[0] < chances[4]


def test_casual_jumps_less_for_a_card_if_better_ones_follow():
    assert keen(dealt("3 5")) < keen(dealt("3 1"))


def test_casual_jumps_less_with_more_rivals():
    assert keen(dealt("5 3 3 3")) < keen(dealt("5 3 3")) < keen(dealt("5 3"))


def test_casual_goes_for_its_own_icon_and_hardly_for_anothers():
    play = dealt("5@1 3", effects=True)

    assert keen(play, 0) > 500
    assert keen(play, 1) < 50


def test_casual_wants_a_doubler_the_more_it_has_to_double():
    poor, rich = dealt("1x2 3", effects=True), dealt("1x2 3", effects=True)
    lay(rich, 0, "5 5 4")

    assert keen(poor) < keen(rich)


def test_for_the_last_pile_those_behind_jump_and_the_leader_waits():
    play = in_final_round(2, "5 4 3")
    lay(play, 0, "5 5")

    assert keen(play, 0) < 500
    assert keen(play, 1) > 600


def test_nobody_jumps_for_no_pile():
    assert keen(in_final_round(0, "")) == 0


def test_with_one_rival_left_casual_jumps_only_for_a_card_that_beats_the_last_one():
    chances = []
    for card in range(1, 6):
        play = dealt(f"4 {card}")
        show(play, "PWW")
        chances.append(keen(play, 1))

    assert chances[:3] == [30, 30, 30]
    assert 300 < chances[3] < chances[4] < 900


@rule
def always_wait(view: Any, seat: int, luck: int) -> int:
    """Never jumps."""
    return WAIT


@rule
def always_jump(view: Any, seat: int, luck: int) -> int:
    """Never waits."""
    return POKO


@rule
def wait_for_the_pile(view: Any, seat: int, luck: int) -> int:
    """Wants nothing but the last pile."""
    return POKO if view.phase == FINAL_CHOOSING else WAIT


@rule
def jump_but_at_the_end(view: Any, seat: int, luck: int) -> int:
    """Wants everything but the last pile."""
    return WAIT if view.phase == FINAL_CHOOSING else POKO


HABITS = (always_wait, always_jump, wait_for_the_pile, jump_but_at_the_end, "random", "novice")


@pytest.mark.parametrize("n_seats", GAME.seats)
@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: getattr(habit, "__name__", habit))
def test_no_habit_gets_much_more_than_its_share_among_casuals(habit: Any, n_seats: int):
    wins = 0.0
    for seat in range(n_seats):
        minds: list[Any] = ["casual"] * n_seats
        minds[seat] = habit
        winners = Arena(GAME, n_seats).play(seat, 0, 20_000 // n_seats, minds)[:, WINNERS]
        wins += sum((int(won) >> seat & 1) / int(won).bit_count() for won in winners)

    assert wins / 20_000 < 1 / n_seats + 0.03 + 0.003  # and a standard deviation


def test_casual_is_never_sure_of_a_jump():
    for cards in ("5 1", "5 1 1", "4 4 4 4"):
        assert answers("casual", dealt(cards)) == {WAIT, POKO}


def test_the_cautious_wait_while_many_could_clash():
    play = dealt("5 4")
    assert answers("cautious", play) == {WAIT}

    show(play, "PWW")

    assert answers("cautious", play, 1) == {NOTHING}


def test_the_bold_jump_for_good_cards():
    assert answers("bold", dealt("4 1")) == {POKO}
    assert answers("bold", dealt("2 1")) == {NOTHING}


def test_the_bluffer_takes_what_the_others_leave():
    assert answers("bluffer", dealt("2 5")) == {POKO}
    assert answers("bluffer", dealt("5 2")) == {WAIT}
