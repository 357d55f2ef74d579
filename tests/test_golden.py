"""Golden games: records that a second, independent implementation of the rules agreed with. They never change."""

from pathlib import Path

import pytest

from pokade import records
from pokade.games import GAMES

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.pok.toml"))


def test_every_game_has_golden_ones():
    assert {file.name.split("-")[0] for file in GOLDEN} == set(GAMES)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.name)
def test_a_golden_game_replays_to_its_result_and_its_bytes(file: Path):
    text = file.read_text("utf-8")
    record = records.read(text)

    play = records.replay(record)  # checks points and shares

    assert play.is_over
    assert records.write(play, record.players) == text
