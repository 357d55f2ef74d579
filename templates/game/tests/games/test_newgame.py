"""New Game, one rule a test. § marks: docs/rules/newgame.md."""

# TODO: a test for every § of the rulebook; `twin_for`, `is_between_rounds` and `conserved` from the rules' own words.

import random
from collections.abc import Collection

import pytest

from pokade import records
from pokade.games.errors import BadSeats
from pokade.games.newgame import CHOOSING, FACES, GAME, LEFT, RIGHT, SIDES, THROWING, NewgameState
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOTHING, UNKNOWN, WATCHER, copied
from tests.games.doors import heard, refused

LETTERS = {"L": LEFT, "R": RIGHT}


def choosing(die: int = 5, seats: int = 3, scores: str = "", **options: object) -> Play:
    """A game in which the die lies; `scores` gives what each seat has ("14 0 12")."""
    play = Play(GAME, seats, options)
    for seat, points in enumerate(scores.split()):
        play.state.score[seat] = int(points)
    play.happen(die)
    return play


def shown(sides: str, die: int = 5, scores: str = "", **options: object) -> Play:
    """A game after a round: "L R R" are the sides, in seat order."""
    play = choosing(die, len(sides.split()), scores, **options)
    for seat, letter in enumerate(sides.split()):
        play.choose(seat, LETTERS[letter])
    return play


def twin(play: Play, viewer: int, person: bool, rng: random.Random) -> NewgameState:
    """A state that the viewer can't tell from this one."""
    return twin_for(play, {viewer}, person, rng)


def twin_for(play: Play, group: Collection[int], person: bool, rng: random.Random) -> NewgameState:
    """What no seat of a group can tell: who else has picked, and what (§5.1)."""
    state = copied(play.state)
    if state.phase != CHOOSING:
        return state
    rivals = [seat for seat in range(state.n_seats) if seat not in group]
    own = [seat for seat in group if seat != WATCHER and state.chosen >> seat & 1]
    is_ours_in = len(own) == state.n_seats - len(rivals)
    picked = rng.sample(rivals, rng.randint(0, max(0, len(rivals) - is_ours_in)))  # with all in, all would show
    state.chosen = sum(1 << seat for seat in (*picked, *own))
    for seat in rivals:
        state.choice[seat] = rng.randrange(SIDES) if seat in picked else NOTHING
    return state


def is_between_rounds(state: NewgameState) -> bool:
    """§2: all have shown, and the die is still to come."""
    return state.phase == THROWING


def conserved(state: NewgameState) -> bool:
    """§3.1: nobody ever loses a point, so nobody has fewer than none."""
    return min(state.score) >= 0


@pytest.mark.parametrize("n_seats", [2, 3, 4])
def test_two_to_four_play_and_start_without_a_point(n_seats: int):  # newgame §1.1
    assert Play(GAME, n_seats).points() == (0,) * n_seats


@pytest.mark.parametrize("n_seats", [1, 5])
def test_no_other_number_plays(n_seats: int):  # newgame §1.1
    with pytest.raises(BadSeats):
        Play(GAME, n_seats)


def test_all_faces_of_the_die_are_equally_likely():  # newgame §1.2
    assert Play(GAME, 2).chances() == dict.fromkeys(range(1, FACES + 1), 1)


@pytest.mark.parametrize("face", [0, FACES + 1])
def test_a_die_has_no_other_face(face: int):  # newgame §1.2
    play = Play(GAME, 2)
    with refused(play, "chance/impossible"):
        play.happen(face)


def test_the_die_is_thrown_before_anybody_picks_and_says_what_both_sides_are_worth():  # newgame §2.1
    play = Play(GAME, 2)
    assert play.turn == CHANCE

    play.happen(2)

    assert play.turn == 0b11
    assert heard(play) == [("thrown", 0, 2, 5)]


def test_a_pick_is_one_of_two_sides_and_may_be_changed_until_all_are_in():  # newgame §2.2
    play = choosing(seats=2)
    with refused(play, "choice/illegal"):
        play.choose(0, SIDES)
    play.choose(0, LEFT)
    play.choose(0, RIGHT)

    play.choose(1, LEFT)

    assert play.state.shown[:2] == [RIGHT, LEFT]


def test_all_show_together():  # newgame §2.3
    assert heard(shown("L R R"))[:2] == [("shown", 0b001, LEFT, 0), ("shown", 0b110, RIGHT, 0)]


@pytest.mark.parametrize(
    ("sides", "points"),
    [("L R R", (5, 0, 0)), ("R L L", (2, 0, 0)), ("L R", (5, 2)), ("L L R R", (5, 5, 2, 2)), ("R L L L", (2, 0, 0, 0))],
)
def test_a_side_scores_if_it_has_no_more_players_than_the_other(sides: str, points: tuple[int, ...]):  # newgame §3.1
    assert shown(sides, die=5).points() == points


def test_with_all_on_one_side_nobody_scores():  # newgame §3.2
    play = shown("L L L")

    assert play.points() == (0, 0, 0)
    assert heard(play)[-1] == ("nobody_scored", 0, 0, 0)


def test_twenty_points_end_the_game():  # newgame §4.1
    assert shown("L R R", scores="15 0 0").is_over
    assert not shown("L R R", scores="14 19 0").is_over


def test_the_most_points_win_and_equals_share():  # newgame §4.2
    assert shown("L R R", scores="18 0 0").outcome().shares == (1.0, 0.0, 0.0)
    assert shown("L L R R", scores="15 15 0 0").outcome().shares == (0.5, 0.5, 0.0, 0.0)


def test_after_the_last_round_the_most_points_win():  # newgame §4.3
    play = shown("L R R", max_rounds=1)

    assert play.outcome().reason == "rounds"
    assert play.outcome().winners == (0,)
    assert play.view(WATCHER).facts == {"goal": 20}


def test_a_pick_is_its_owners_until_all_show():  # newgame §5.1
    play = choosing()
    play.choose(0, RIGHT)

    assert play.view(0).state.choice[0] == RIGHT
    assert play.view(1).state.choice[0] == UNKNOWN
    assert play.view(1).state.chosen == UNKNOWN


def test_a_record_tells_throws_and_picks_in_words():  # newgame §6.1
    play = shown("L R")

    assert records.actions_of(play) == ["d roll 5", "{ p1 pick left | p2 pick right }"]
    assert records.replay(records.read(records.write(play, ["Ada", "Ben"]))).state == play.state


@pytest.mark.parametrize("action", ["d roll 7", "d roll", "{ p1 pick edge | p2 pick right }"])
def test_a_record_with_other_words_is_refused(action: str):  # newgame §6.1
    play = Play(GAME, 2) if action.startswith("d") else choosing(seats=2)
    with pytest.raises(ValueError, match="is written"):
        records.perform(play, action)
