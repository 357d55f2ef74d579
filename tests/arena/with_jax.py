"""Bots that learn with JAX. Other tests fork, which its threads do not stand: `test_learned.py` runs these apart."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from pokade.arena.learned.network import mixtures
from pokade.arena.learned.player import load
from pokade.arena.learned.selfplay import Learner, Settings, Training, train
from pokade.arena.outside import outsider
from pokade.arena.vector import Tables
from tests.arena.test_learned import POK, opening
from tests.cli.test_commands import called

LESSONS = 150
SMALL = Settings(tables=64, steps=8, units=(16,), epochs=1, batches=2)


def small(lessons: int, seed: int = 0) -> Training:
    return Training(POK, 3, 1.0, seed, settings=SMALL, lessons=lessons)


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


def test_the_command_says_what_came_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pokade.arena.learned.selfplay.Training", partial(Training, settings=SMALL))
    file = tmp_path / "learned.npz"
    done = called("train", "pok", "--players", 3, "--minutes", 0.01, "--out", file, "--lang", "de")

    assert done.exit_code == 0, done.output
    assert "learned.npz,strong,strong" in done.stdout.replace("\n", "")
    assert load(file).encoder.n_seats == 3
