"""`pokade report`: what it refuses, and what it writes."""

from pathlib import Path

import pytest

from tests.cli.test_commands import called, complaint


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("chess",), "chess"),
        (("pok", "--players", 9), "POK"),
        (("pok", "--change", "colour=3"), "twos_blanks"),
        (("pok", "--change", "goal"), "NAME=NUMBER"),
    ],
)
def test_what_can_not_be_reported_on_is_refused(words: tuple[object, ...], why: str, tmp_path: Path):
    assert why in complaint(called("report", *words, "--out", tmp_path))


def test_a_folder_that_can_not_be_made_is_refused(tmp_path: Path):
    (tmp_path / "file").write_text("mine")

    assert "--out" in complaint(called("report", "pok", "--out", tmp_path / "file" / "report"))
    assert (tmp_path / "file").read_text() == "mine"


def test_a_report_is_a_page_and_its_tables(tmp_path: Path):
    done = called("report", "pok", "--players", 3, "--games", 40, "--out", tmp_path / "new", "--lang", "de")

    assert done.exit_code == 0, done.output
    assert "CSV-Dateien" in done.stdout
    names = {file.name for file in (tmp_path / "new").iterdir()}
    assert names >= {"index.html", "seats.csv", "length.csv", "options.csv", "measures.csv", "levels.csv"}
    assert (tmp_path / "new" / "seats.csv").read_text("utf-8").startswith("level,seat,share,share_error,points")
