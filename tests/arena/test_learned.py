"""Bots that learn by themselves: what a network says, how it learns, and how its file plays without JAX."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pokade.arena.encoding import Encoder
from pokade.arena.learned.network import Layer, mixtures
from pokade.arena.learned.player import Learned
from pokade.arena.outside import outsider
from pokade.chance import Seeded, advance
from pokade.games import GAMES
from pokade.games.errors import BadPlayer
from pokade.games.play import Play, View
from tests.cli.test_commands import called, complaint

POK = GAMES["pok"]
WITH_JAX = Path(__file__).with_name("with_jax.py")


def opening() -> View:
    return thrown(3).view(0)


def thrown(n_seats: int) -> Play:
    """The first throw lies."""
    play, chance = Play(POK, n_seats), Seeded(1)
    while advance(play, chance):
        pass
    return play


def network(encoder: Encoder, bias: list[float]) -> list[Layer]:
    weights = np.zeros((encoder.size, encoder.n_actions), np.float32)
    return [Layer(weights, np.array(bias, np.float32))]


def test_a_mixture_is_a_softmax_over_what_is_allowed():
    layers = [
        Layer(np.array([[1.0, -1.0]], np.float32), np.zeros(2, np.float32)),
        Layer(np.array([[2.0, 0.0, 9.0], [7.0, 7.0, 7.0]], np.float32), np.array([0.0, 1.0, 0.0], np.float32)),
    ]

    found = mixtures(layers, np.array([[0.5]], np.float32), np.array([[1, 1, 0]], np.int8))  # hidden: 0.5 and 0

    assert found == pytest.approx(np.array([[0.5, 0.5, 0.0]]))


def test_a_player_draws_from_its_mixture():
    encoder, view = Encoder(POK, 3), opening()
    player = Learned(encoder, network(encoder, [0.0, np.log(3.0), -99.0, 0.0]), 1)

    drawn = [player(view) for _ in range(4000)]

    assert drawn.count(2) == 0
    assert drawn.count(1) / len(drawn) == pytest.approx(0.75, abs=0.03)


def test_a_player_knows_its_game_and_its_table():
    encoder = Encoder(POK, 3)

    with pytest.raises(ValueError, match="has learnt POK with 3"):
        Learned(encoder, network(encoder, [0.0] * 4), 1)(thrown(4).view(0))


def test_a_network_of_another_shape_is_refused():
    encoder = Encoder(POK, 4)

    with pytest.raises(ValueError, match="does not fit"):
        Learned(Encoder(POK, 3), network(encoder, [0.0] * 4), 1)


def test_a_file_that_does_not_fit_is_refused(tmp_path: Path):
    encoder = Encoder(POK, 3)
    made = Learned(encoder, network(encoder, [0.0] * 4), 1)
    made.network = network(Encoder(POK, 5), [0.0] * 4)
    (tmp_path / "odd.npz").write_bytes(made.saved({}))

    with pytest.raises(BadPlayer, match="does not fit"):
        outsider(str(tmp_path / "odd.npz"))


def test_without_jax_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "jax", None)

    assert "pokade[train]" in complaint(called("train", "pok", "--out", tmp_path / "learned.npz"))
    assert not (tmp_path / "learned.npz").exists()


def test_what_is_true_of_learning_is_tried_in_a_process_of_its_own():
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", WITH_JAX],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout
