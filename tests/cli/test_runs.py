"""What long runs print: the same numbers in every language, each as that language writes them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pokade.cli import app
from pokade.games import GAMES
from pokade.texts import LANGUAGES, entry, text, written

SIMULATE = ("simulate", "pok", "--games", "2000", "--seed", "3")
ARENA = ("arena", "pok", "--seats", "random,novice,casual", "--games", "1500", "--seed", "3")
TITLES = {
    "en": "{} games of POK, 3 players, seed 3",
    "de": "POK: {} Spiele zu 3, Startwert 3",
    "fr": "POK\u00a0: {} parties à 3, graine 3",
    "es": "POK: {} partidas con 3 jugadores, semilla 3",
}
GROUPS = {"en": ",", "de": ".", "fr": "\u202f", "es": "\u202f"}


def on_one_line(shown: str) -> str:
    return " ".join(shown.split())


def printed(*words: str) -> str:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("words", [SIMULATE, ARENA], ids=["simulate", "arena"])
def test_a_table_is_in_the_language_that_was_asked_for(words: tuple[str, ...], language: str):
    shown = printed(*words, "--lang", language)
    total = f"{int(words[words.index('--games') + 1]):,}".replace(",", GROUPS[language])

    assert TITLES[language].format(total) in shown
    assert all(name in shown for name in entry(language, f"{words[0]}.column").values())
    assert on_one_line(entry(language, f"{words[0]}.caption")) in on_one_line(shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_tells_the_numbers_that_json_has(language: str):
    found, shown = json.loads(printed(*SIMULATE, "--json")), printed(*SIMULATE, "--lang", language)
    point = "." if language == "en" else ","

    for seat in range(3):
        assert f"{100 * found['shares'][seat]:.2f}".replace(".", point) + " % ±" in shown
    for name, part in found["endings"].items():
        assert f"{100 * part:.2f} %  ".replace(".", point) + text(language, f"pok.ending.{name}") in shown


def test_without_being_told_a_command_speaks_the_language_of_the_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")

    assert "parties à 3, graine 3" in printed(*SIMULATE)
    assert json.loads(printed(*SIMULATE, "--json"))["game"] == "pok"


@pytest.mark.parametrize("command", ["simulate", "arena", "exploit"])
def test_what_is_refused_is_said_in_the_language_that_was_asked_for(command: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    more = {"exploit": ["--against", "casual"]}.get(command, [])

    refused = CliRunner().invoke(app, [command, "pok", "--option", "memory", "--lang", "de", *more])

    assert refused.stderr == "pokade: Eine Option schreibt man NAME=WERT, nicht memory.\n"


@pytest.mark.parametrize("words", [("--lang", "de", "--seed", "-1"), ("--seed", "-1", "--lang", "de")])
def test_a_bad_seed_is_refused_in_the_language_that_was_asked_for_wherever_it_stands(words: tuple[str, ...]):
    refused = CliRunner().invoke(app, ["simulate", "pok", *words])

    assert refused.exit_code == 2
    assert refused.stderr == "pokade: ein Startwert ist eine ganze Zahl von 0 bis 2⁶³ − 1\n"


def test_a_mistake_of_a_bot_file_is_said_in_the_language_that_was_asked_for(tmp_path: Path):
    (tmp_path / "bot.py").write_text("def choose(view):\n    return 99\n", "utf-8")
    words = ["simulate", "pok", "--games", "1", "--player", str(tmp_path / "bot.py"), "--lang", "es"]

    refused = CliRunner().invoke(app, words)

    assert text("es", "engine.player/choice", player="", seat="p1", choice=99, allowed="")[:9] in refused.stderr
    assert "99" in refused.stderr


def test_every_ending_that_is_counted_has_a_sentence():
    for game in GAMES.values():
        for language in LANGUAGES:
            assert set(game.endings[1:]) == set(entry(language, f"{game.name}.ending"))


@pytest.mark.parametrize(
    ("language", "value", "digits", "words"),
    [
        ("en", 1234567.891, 2, "1,234,567.89"),
        ("de", 1234567.891, 2, "1.234.567,89"),
        ("fr", 1234567.891, 2, "1\u202f234\u202f567,89"),
        ("de", -0.5, 1, "−0,5"),
        ("es", 12, 0, "12"),
    ],
)
def test_numbers_are_written_as_a_language_writes_them(language: str, value: float, digits: int, words: str):
    assert written(language, value, digits).words == words
