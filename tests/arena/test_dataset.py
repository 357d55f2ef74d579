"""Datasets: every choice of the very games that a tournament plays, the same bytes for the same seed."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

from pokade import records
from pokade.arena.bots import solution_chances
from pokade.arena.dataset.files import COLUMNS, Dataset, load, write
from pokade.arena.dataset.playing import Paper, Writing, games_of
from pokade.arena.encoding import Encoder
from pokade.arena.tournament import Tournament
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.games.play import Play
from pokade.games.state import CHANCE
from pokade.texts import LANGUAGES, entry
from tests.cli.test_commands import called, complaint

FIRST, *OTHERS = GAMES.values()
every_compiled_game = pytest.mark.parametrize(  # each takes seconds to compile, so `make soak` has the others
    "game", [FIRST, *(pytest.param(game, marks=pytest.mark.soak) for game in OTHERS)], ids=lambda game: game.name
)
POK = GAMES["pok"]


def tournament(game: Game, n: int, seed: int = 4) -> Tournament:
    return Tournament(game, ["casual", "random", "novice"], seed, n_seats=n)


@every_compiled_game
def test_rows_are_the_views_and_choices_of_the_games_that_the_arena_plays(game: Game):
    asked = tournament(game, game.usual_seats)
    piece = Writing.of(asked)(range(3, 9))
    encoder, row = Encoder(game, game.usual_seats), 0

    for number, steps in games_of(piece):
        play = Play(game, game.usual_seats)
        for actor, value in steps:
            if actor != CHANCE:
                view = play.view(actor)
                assert (piece.numbers[row] == encoder.observation(view)).all()
                assert (piece.masks[row] == encoder.mask(view)).all()
                assert piece.rows[row].tolist() == [number - 3, view.state.round, actor, view.state.phase, value]
                row += 1
            play.take(actor, value)
        played = asked.play(number)
        assert play.outcome().shares == played.shares == tuple(piece.shares[number - 3])
        assert played.points == tuple(piece.points[number - 3])
        assert played.who == tuple(piece.who[number - 3])
    assert row == len(piece.rows)


def test_paper_that_is_too_small_is_made_larger():
    asked = tournament(POK, 4)
    small, large = Paper(asked), Paper(asked)
    small._room = 8

    for one, other in zip(small.write(range(5)), large.write(range(5)), strict=True):
        assert np.array_equal(one, other, equal_nan=isinstance(one, np.ndarray) and one.dtype == np.float32)


def test_mixtures_are_known_of_random_players_and_of_solutions():
    asked = Tournament(POK, ["strong", "random", "casual"], 1)
    piece = Writing.of(asked)(range(1))
    (_, steps), *_ = games_of(piece)
    play, row = Play(POK, 3), 0

    for actor, value in steps:
        if actor != CHANCE:
            view, mixture = play.view(actor), piece.mixtures[row]
            who = asked.entrants[piece.who[0, actor]]
            if who == "casual":
                assert np.isnan(mixture).all()
            else:
                chances = solution_chances(view) if who == "strong" else [1 / len(view.choices)] * len(view.choices)
                assert mixture[view.choices] == pytest.approx(chances, abs=1e-6)
                assert mixture.sum() == pytest.approx(1)
            row += 1
        play.take(actor, value)


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(tmp_path: Path):
    for name, threads in (("one", 1), ("two", 3)):
        (tmp_path / name).mkdir()
        write(Dataset(tournament(POK, 3), 1100, tmp_path / name, 20), threads)

    one, two = ({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert one == two
    assert set(one) == {"choices-00000.parquet", "records.pok.toml", "schema.json"}


def test_a_dataset_is_loaded_as_it_was_written(tmp_path: Path):
    work = Dataset(tournament(POK, 3), 30, tmp_path)
    write(work)
    frame = load(tmp_path).collect()
    known = json.loads((tmp_path / "schema.json").read_text("utf-8"))

    assert frame.columns == list(COLUMNS) == list(known["columns"])
    assert len(frame) == work.choices == known["choices"]
    assert frame["observation"].dtype.shape == (len(known["features"]),)
    assert frame["mask"].dtype.shape == (known["actions"],)
    assert set(frame["player"]) == {"casual", "random", "novice"}
    of_seats = frame.unique(["game", "seat"], maintain_order=True)
    assert of_seats["share"].sum() == pytest.approx(30)
    with (tmp_path / "records.pok.toml").open("rb") as file:
        found = [records.read(raw) for _, raw in records.pieces(file)]
    assert len(found) == 30
    assert (
        sum(len([step for step in records.replay(record).steps if step[0] != CHANCE]) for record in found)
        == work.choices
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_writes_a_card(language: str, tmp_path: Path):
    assert list(entry(language, "dataset.column")) == list(COLUMNS)
    done = called("dataset", "pok", "--games", 6, "--seats", "novice", "--out", tmp_path / "data", "--lang", language)

    assert done.exit_code == 0, done.output
    card = (tmp_path / "data" / "README.md").read_text("utf-8")
    assert not re.search(r"[{}]", card)
    assert all(f"`{name}`" in card for name in COLUMNS)


@pytest.mark.parametrize("words", [("chess",), ("pok", "--seats", "genius"), ("pok", "--players", 9)])
def test_what_can_not_be_written_is_refused(words: tuple[object, ...], tmp_path: Path):
    assert complaint(called("dataset", *words, "--out", tmp_path / "new"))
    assert not (tmp_path / "new").exists()


def test_records_are_parted_as_a_file_of_several_wants_it(tmp_path: Path):
    write(Dataset(tournament(POK, 3), 3, tmp_path, 2))

    text = (tmp_path / "records.pok.toml").read_bytes()
    assert len(list(records.pieces(io.BytesIO(text)))) == 2
