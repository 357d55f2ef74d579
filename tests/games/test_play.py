"""A play as its user holds it: choices in words, what is legal, what it looks like in a shell, and in a pickle."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.errors import BadRecord, IllegalChoice
from pokade.games.game import Game
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOBODY, WATCHER, packed
from pokade.loop import run
from pokade.testing import at_random
from tests.games.doors import refused

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


def thrown() -> Play:
    """Three at POK, who have to choose."""
    play = Play(GAMES["pok"], 3)
    for face in (0, 1, 3):
        play.happen(face)
    return play


def moments(game: Game) -> list[Play]:
    """A random game, at every moment."""
    play, chance = Play(game, game.seats[0]), Seeded("moments")
    return [play.copy(), *(play.copy() for _ in run(play, chance, at_random(chance)))]


def test_a_choice_says_whether_anything_opened_by_it():
    play = thrown()

    assert [play.choose(seat, 0) for seat in (0, 1, 1, 2)] == [False, False, False, True]
    assert play.take(CHANCE, 2) is True


def test_a_choice_may_be_the_words_of_a_record():
    play = thrown()

    play.choose(0, "pick T")
    play.choose(1, "  pick   S ")

    assert play.steps[-2:] == [(0, 2), (1, 1)]


@every_game
def test_every_choice_is_read_as_it_is_written(game: Game):
    for play in moments(game):
        for seat in range(play.n_seats):
            view = play.view(seat)
            assert [play.check(seat, words) for words in view.choice_words] == view.choices


@pytest.mark.parametrize("words", ["", " ", "pick", "pick Q", "pick O O", "bid 3", "O", "0"])
def test_words_that_mean_no_choice_are_refused_with_what_is_meant(words: str):
    play = thrown()

    with refused(play, "choice/words"):
        play.choose(0, words)
    with pytest.raises(IllegalChoice, match="a choice is written pick O, pick S or pick T"):
        play.choose(0, words)


@every_game
def test_empty_words_are_refused_in_every_phase(game: Game):
    for play in moments(game):
        for seat in range(play.n_seats):
            with refused(play, "choice/words" if play.legal(seat) else "choice/not-now"):
                play.choose(seat, "")


def test_words_are_read_only_when_it_is_the_seats_turn():
    with refused(play := Play(GAMES["pok"], 3), "choice/not-now"):
        play.choose(0, "nonsense")


def test_a_choice_may_be_an_integer_of_another_kind():
    play = thrown()

    play.choose(0, np.int8(2))

    assert play.steps[-1] == (0, 2)
    assert type(play.steps[-1][1]) is int


@every_game
def test_what_is_legal_is_what_the_seat_sees_as_its_choices(game: Game):
    for play in moments(game):
        turn = play.turn
        for seat in range(play.n_seats):
            assert play.legal(seat) == play.view(seat).choices
            assert bool(play.legal(seat)) == (turn not in (CHANCE, NOBODY) and bool(turn >> seat & 1))
        assert play.legal(WATCHER) == play.legal(99) == []


# In a shell.


def test_a_play_says_in_a_line_where_it_stands():
    play = Play(GAMES["poch"], 4)
    assert repr(play) == "<Play poch 4 seats, round 1, chance is due>"
    assert repr(thrown()) == "<Play pok 3 seats, round 1, seats 0, 1 and 2 to choose>"
    assert repr(moments(GAMES["pok"])[-1]).endswith("over (five)>")


def test_a_view_says_whose_it_is():
    play = thrown()

    assert repr(play.view(1)) == "<View of seat 1: pok 3 seats, round 1, seats 0, 1 and 2 to choose>"
    assert repr(play.view(WATCHER)).startswith("<View of a watcher: pok 3 seats")


@every_game
def test_what_is_printed_is_short_and_the_same_for_every_eye(game: Game):
    for play in moments(game):
        views = [play.view(seat) for seat in range(play.n_seats)]
        shown = {repr(view).partition(": ")[2] for view in views} | {repr(play).partition("Play ")[2]}

        assert len(shown) == 1
        assert len({repr(view.state) for view in views} | {repr(play.state)}) == 1
        assert len(repr(play.state)) < 100
    assert repr(Play(game, game.seats[0]).state).startswith(f"<{game.state.__name__} {game.seats[0]} seats, round 1,")
    assert repr(game) == f"<Game {game.name}>"


def test_one_seat_alone_is_named_alone():
    chosen = [play for play in moments(GAMES["poch"]) if play.turn == 0b10]

    assert repr(chosen[0]).endswith("seat 1 to choose>")


# In a pickle.


@every_game
def test_plays_views_and_outcomes_are_the_same_after_a_pickle(game: Game):
    play = moments(game)[-1]
    view = play.view(0)

    again, seen, ended = pickle.loads(pickle.dumps((play, view, play.outcome())))  # noqa: S301 - our own

    assert again.game is seen.game is game
    assert (packed(again.state), again.steps) == (packed(play.state), play.steps)
    assert (seen, ended) == (view, play.outcome())


def test_a_play_goes_on_after_a_pickle():
    play = thrown()
    play.choose(0, "pick O")

    again = pickle.loads(pickle.dumps(play))  # noqa: S301 - our own
    opened = [(again.choose(seat, "pick S"), play.choose(seat, "pick S")) for seat in (1, 2)]

    assert opened == [(False, False), (True, True)]
    assert packed(again.state) == packed(play.state)


def test_changed_rules_do_not_pickle_as_the_games_own():
    other = replace(GAMES["pok"], title="POK with a hat")

    with pytest.raises(TypeError, match="can't be pickled"):
        pickle.dumps(other)


def test_an_error_is_the_same_in_another_process():
    bad = BadRecord(3, "record/choice", "p1 may not pick O now", seat="p1", words="pick O")

    again = pickle.loads(pickle.dumps(bad))  # noqa: S301 - our own

    assert (type(again), str(again)) == (BadRecord, str(bad))
    assert (again.action, again.code, again.values) == (3, bad.code, bad.values)


def test_rules_with_another_number_have_files_of_their_own():
    for name, game in GAMES.items():
        other = replace(game, changes=(("counters", 3), ("blanks", 0)))

        assert (game.file, other.file) == (name, f"{name}__counters_3__blanks_0")
