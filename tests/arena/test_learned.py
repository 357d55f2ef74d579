"""Bots that learn by themselves: what a network says, how it learns, and how its file plays without JAX."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pokade.arena.encoding import Encoder
from pokade.arena.learned.network import Layer, mixtures
from pokade.arena.learned.player import Learned, load
from pokade.arena.learned.selfplay import Learner, Settings, Training, train
from pokade.arena.outside import outsider
from pokade.arena.vector import Tables
from pokade.chance import Seeded, advance
from pokade.games import GAMES
from pokade.games.errors import BadPlayer
from pokade.games.play import Play, View
from pokade.texts import LANGUAGES
from tests.cli.test_commands import called, complaint

POK = GAMES["pok"]
LESSONS = 150
SMALL = Settings(tables=64, steps=8, units=(16,), epochs=1, batches=2)


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


def small(lessons: int, seed: int = 0) -> Training:
    return Training(POK, 3, 1.0, seed, settings=SMALL, lessons=lessons)


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


def test_lessons_with_the_same_seed_give_the_same_bytes():
    one, two, other = (train(asked).saved(asked.about() | {"minutes": 0}) for asked in map(small, (2, 2, 3)))

    assert one == two
    assert one != other


def test_nothing_is_preferred_before_the_first_lesson():
    view, player = opening(), Learner(small(1)).player()

    found = mixtures(player.network, player.encoder.observation(view)[None], player.encoder.mask(view)[None])

    assert found[0].tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_after_some_lessons_it_beats_random_players():
    player = train(small(LESSONS))
    tables = Tables(POK, 256, 3, opponents=["random", "random"], seed=3)
    won, games = 0.0, 0

    while games < 3000:
        found = mixtures(player.network, tables.observations[:, 0], tables.masks[:, 0])
        tables.step(found.argmax(-1)[:, None])
        won, games = won + float(tables.rewards.sum()), games + int(tables.dones.sum())

    assert won / games > 0.4  # a fair share is 0.333, with a spread of 0.009


def test_a_file_plays_without_jax(tmp_path: Path):
    asked = small(1)
    (tmp_path / "learned.npz").write_bytes(train(asked).saved(asked.about()))
    code = (
        "import sys; sys.modules['jax'] = None\n"
        "from pokade.cli import app\n"
        "app(['arena', 'pok', '--seats', 'learned.npz,random,random', '--games', '6', '--json'])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)

    assert json.loads(done.stdout)["games"] == 6


def test_a_loaded_player_is_the_one_that_was_written(tmp_path: Path):
    asked = small(1)
    made, file = train(asked), tmp_path / "learned.npz"
    file.write_bytes(made.saved(asked.about()))

    found = load(file)

    assert all(
        np.array_equal(*parts)
        for one in zip(made.network, found.network, strict=True)
        for parts in zip(*one, strict=True)
    )
    assert outsider(str(file)) is not None


def test_a_file_that_does_not_fit_is_refused(tmp_path: Path):
    encoder = Encoder(POK, 3)
    made = Learned(encoder, network(encoder, [0.0] * 4), 1)
    made.network = network(Encoder(POK, 5), [0.0] * 4)
    (tmp_path / "odd.npz").write_bytes(made.saved({}))

    with pytest.raises(BadPlayer, match="does not fit"):
        outsider(str(tmp_path / "odd.npz"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_says_what_came_of_it(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pokade.arena.learned.selfplay.Settings", lambda: SMALL)
    file = tmp_path / "learned.npz"
    done = called("train", "pok", "--players", 3, "--minutes", 0.01, "--out", file, "--lang", language)

    assert done.exit_code == 0, done.output
    assert "learned.npz,strong,strong" in done.stdout.replace("\n", "")
    assert load(file).encoder.n_seats == 3


def test_without_jax_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "jax", None)

    assert "pokade[train]" in complaint(called("train", "pok", "--out", tmp_path / "learned.npz"))
    assert not (tmp_path / "learned.npz").exists()
