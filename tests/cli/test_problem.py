"""`pokade problem`: a position, a choice, and what it was worth."""

import json

import pytest
from typer.testing import CliRunner

from pokade.cli import app
from pokade.games import GAMES
from pokade.problems import file_of
from pokade.texts import LANGUAGES, text
from tests.cli.test_commands import called, complaint

DAY = "2026-11-18"


def answered(line: str) -> str:
    """What is said to somebody who types a line."""
    return CliRunner().invoke(app, ["problem", "pok", "--date", DAY, "--lang", "en"], input=f"{line}\n").stdout


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if file_of(game).exists()])
def test_programs_get_the_position_and_its_proof(name: str):
    found = json.loads(called("problem", name, "--date", DAY, "--json").stdout)

    assert (found["game"], found["date"]) == (name, DAY)
    assert set(found["best"]) <= {one["words"] for one in found["choices"]}
    assert 'game = "' + name in found["record"]


def test_the_position_of_a_day_is_always_the_same_and_the_next_day_has_another():
    one, other, next_one = (
        called("problem", "pok", "--date", day, "--json").stdout for day in (DAY, DAY, "2026-11-19")
    )

    assert one == other != next_one


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_see_the_table_and_then_what_each_choice_was_worth(language: str):
    said = called("problem", "pok", "--date", DAY, "--answer", "--lang", language).stdout

    assert text(language, "problem.column.worth") in said
    assert text(language, "problem.method.solution") in said


def test_a_choice_is_heard_and_judged():
    found = json.loads(called("problem", "pok", "--date", DAY, "--json").stdout)
    keys = {"pick O": "1", "pick S": "2", "pick T": "3"}
    wrong = next(one["words"] for one in found["choices"] if one["words"] not in found["best"])

    right_said = answered(keys[found["best"][0]])

    assert "that is the best choice" in right_said or "well chosen" in right_said
    assert "that costs" in answered(keys[wrong])


def test_nothing_is_told_to_somebody_who_leaves():
    assert text("en", "problem.column.worth") not in answered("q")


def test_what_is_no_date_is_refused():
    assert "yesterday is not a date" in complaint(called("problem", "--date", "yesterday", "--lang", "en"))
