"""The compiled rules go as many ways as the plain ones (tests/games/test_trees.py), and pickle."""

import pickle

import pytest

from pokade.arena.loops import Arena
from pokade.arena.simulate import Match
from pokade.games import GAMES
from tests.games.test_trees import TREES

QUICK = ("pok", "pok, few counters", "pokopop", "pokopop, effects")  # to compile


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.soak) for name in TREES]
)
def test_the_compiled_rules_go_as_many_ways(name: str):
    begin, counted = TREES[name]
    play = begin()

    assert Arena(play.game, play.n_seats, play.options).tree(play.state, len(counted)) == counted


def test_an_arena_plays_the_same_games_after_a_pickle():
    arena = Arena(GAMES["pok"], 3, {"max_rounds": 5})

    again = pickle.loads(pickle.dumps(arena))  # noqa: S301 - our own

    assert again.play(1, 0, 50, ["random"] * 3).tolist() == arena.play(1, 0, 50, ["random"] * 3).tolist()
    assert pickle.loads(pickle.dumps(Match(GAMES["pok"], ["casual"] * 3, 5))).players == ["casual"] * 3  # noqa: S301
