"""The frozen rules of thumb of benchmarks/ play in compiled games, beside built-in levels."""

from importlib.util import find_spec

import pytest
from benchmarks.frozen import frozen

from pokade.arena.loops import WINNERS, Arena
from pokade.games import GAMES


@pytest.mark.parametrize("name", [name for name in GAMES if find_spec(f"benchmarks.frozen.{name}")])
def test_a_frozen_player_beats_chance(name: str):
    game = GAMES[name]
    n_seats = game.seats[0]

    rows = Arena(game, n_seats).play(1, 0, 2000, [frozen(game), *["random"] * (n_seats - 1)])

    assert (rows[:, WINNERS] & 1).mean() > 1 / n_seats
