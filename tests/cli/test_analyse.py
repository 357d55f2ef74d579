"""`pokade analyse`: what it says to people and programs, and what it refuses."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pokade import records
from pokade.analysis import playouts
from pokade.games import GAMES
from pokade.games.play import Play
from pokade.testing import random_game
from pokade.texts import LANGUAGES, text
from tests.cli.test_commands import called

EXACT = Path(__file__).parents[1] / "golden" / "pok-1.pok.toml"


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "MOST", 100)
    monkeypatch.setattr(playouts, "FEWEST", 24)
    monkeypatch.setattr(playouts, "mixed", lambda view, _: dict.fromkeys(view.choices, 1 / len(view.choices)))


def written(tmp_path: Path, name: str) -> Path:
    play = random_game(GAMES[name], GAMES[name].usual_seats, {}, "told")
    file = tmp_path / f"{name}.pok.toml"
    file.write_text(records.write(play, ["<b>Ada</b>", *(f"p{seat}" for seat in range(1, play.n_seats))]), "utf-8")
    return file


def test_programs_get_one_object_for_each_record(tmp_path: Path):
    files = [written(tmp_path, name) for name in GAMES]

    answers = [json.loads(line) for line in called("analyse", *files, "--json").stdout.splitlines()]

    assert [answer["ok"] for answer in answers] == [True] * len(GAMES)
    for answer in answers:
        found = answer["analysis"]
        for seat, share in enumerate(found["shares"]):
            parts = found["seats"][seat]
            total = 1 / len(found["shares"]) + parts["luck"] + parts["choices"] + parts["meeting"]
            assert total == pytest.approx(share, abs=1e-8)


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_get_a_table_and_their_choices(language: str):
    said = called("analyse", EXACT, "--lang", language).stdout

    assert text(language, "analyse.column.luck") in said
    assert text(language, "analyse.worst", who="Cleo") in said
    assert "−67" in said  # the last choice of the game lost two thirds of a win


def test_a_game_still_on_is_refused_with_a_code(tmp_path: Path):
    file = tmp_path / "on.pok.toml"
    file.write_text(records.write(Play(GAMES["pok"], 3), ["a", "b", "c"]), "utf-8")

    plain, answer = called("analyse", file, "--lang", "en"), called("analyse", file, "--json")

    assert (plain.exit_code, answer.exit_code) == (1, 1)
    assert "still on" in plain.stdout
    assert json.loads(answer.stdout)["code"] == "analysis/on"


class _Tags(HTMLParser):
    """Every tag that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_needs_nothing_else_and_trusts_no_name(tmp_path: Path):
    out = tmp_path / "out.html"

    called("analyse", written(tmp_path, "pokopop"), EXACT, "--html", out, "--lang", "fr")

    made = out.read_text("utf-8")
    tags = _Tags()
    tags.feed(made)
    assert tags.open == []
    assert "b" not in tags.seen
    assert tags.seen.count("svg") == 2
    assert not re.search(r"(src|href)=", made)
