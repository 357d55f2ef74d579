"""A bot file may do what a script may, and its mistakes are told as its own."""

import json
import os
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pokade.arena.outside import Outsider, outsider
from pokade.chance import Seeded, advance
from pokade.cli import app
from pokade.games import GAMES
from pokade.games.play import Play, View


def written(folder: Path, **files: str) -> Path:
    """Files of Python in a folder; the folder."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    return folder


def arena(*words: object) -> Result:
    return CliRunner().invoke(app, ["arena", "pok", "--games", "1", *map(str, words)])


def complaint(result: Result) -> str:
    """The one line with which the run ended."""
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.splitlines()
    return line


def a_view() -> View:
    play, chance = Play(GAMES["pok"], 3), Seeded(1)
    while advance(play, chance):
        pass
    return play.view(1)


def test_any_kind_of_integer_is_a_choice(tmp_path: Path):
    bots = written(
        tmp_path,
        bot="import numpy as np\n"
        "def small(view): return np.int8(view.choices[0])\n"
        "def array(view): return np.array(view.choices)[0]\n"
        "def truth(view): return True\n",
    )

    for name in ("small", "array", "truth"):
        found = outsider(f"{bots}/bot.py:{name}")
        assert found is not None
        assert type(found(a_view())) is int


def test_a_file_without_a_function_means_choose(tmp_path: Path):
    bot = written(tmp_path, bot="def choose(view): return view.choices[-1]") / "bot.py"

    assert json.loads(arena("--seats", f"{bot},novice,novice", "--json").stdout)["games"] == 1


def test_a_bot_imports_its_own_neighbours_also_beside_a_bot_with_others_of_the_same_name(tmp_path: Path):
    first = written(tmp_path / "v1", bot="import near\ndef choose(view): return near.PICK", near="PICK = 0")
    second = written(tmp_path / "v2", bot="import near\ndef choose(view): return near.PICK", near="PICK = 1")

    found = [outsider(f"{folder}/bot.py:choose") for folder in (first, second, first)]

    assert [bot and bot(a_view()) for bot in found] == [0, 1, 0]


def test_a_bot_may_define_dataclasses_and_have_the_name_of_another_module(tmp_path: Path):
    text = (
        "from __future__ import annotations\nfrom dataclasses import dataclass, field\nfrom typing import ClassVar\n"
        "@dataclass\nclass Memory:\n    seen: ClassVar[int] = 0\n    turns: list[int] = field(default_factory=list)\n"
        "def choose(view): return Memory([0]).turns[0]\n"
    )
    bots = written(tmp_path, random=text, records=text)

    for name in ("random", "records"):
        found = outsider(f"{bots}/{name}.py:choose")
        assert found is not None
        assert found(a_view()) == 0
    assert "site-packages" not in (sys.modules["random"].__file__ or "")
    assert str(tmp_path) not in (sys.modules["random"].__file__ or "")
    others = PathFinder.find_spec("random")  # what a process that is started from here imports
    assert others is not None
    assert str(tmp_path) not in (others.origin or "")


def test_a_bot_may_use_numbas_cache(tmp_path: Path):
    text = "import numba\n@numba.njit(cache=True)\ndef at(n): return 0\ndef choose(view): return view.choices[at(1)]\n"
    bot = written(tmp_path, cached=text) / "cached.py"
    call = [sys.executable, "-m", "pokade", "arena", "pok", "--games", "1", "--json", "--seats", f"{bot},random,random"]

    for _ in range(2):  # the second time it comes from the cache
        done = subprocess.run(call, capture_output=True, text=True, check=False, env=os.environ)
        assert (done.returncode, done.stderr) == (0, "")


def test_what_a_bot_prints_goes_to_the_error_stream(tmp_path: Path):
    bot = (
        written(tmp_path, bot="print('loaded')\ndef choose(view):\n    print('chose')\n    return view.choices[0]\n")
        / "bot.py"
    )

    result = arena("--seats", f"{bot}:choose,random,random", "--json")

    assert json.loads(result.stdout)["games"] == 1
    assert {"loaded", "chose"} <= set(result.stderr.split())


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return 7", "(p1) chose 7; allowed: 0, 1, 2"),
        ("return None", "(p1) chose None, which is not an integer; allowed: 0, 1, 2"),
        ("return 1.0", "(p1) chose 1.0, which is not an integer; allowed: 0, 1, 2"),
        ("return 1 / 0", "(p1) raised ZeroDivisionError: division by zero (bot.py, line 2); --debug shows"),
        ("raise SystemExit(3)", "(p1) raised SystemExit: 3 (bot.py, line 2)"),
    ],
)
def test_a_mistake_is_one_line_with_the_player_the_value_and_what_was_allowed(tmp_path: Path, body: str, told: str):
    bot = written(tmp_path, bot=f"def choose(view):\n    {body}\n") / "bot.py"

    line = complaint(arena("--seats", f"{bot}:choose,random,random"))

    assert line.startswith(f"pokade: {bot}:choose ")
    assert told in line


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def choose(:", "could not be loaded: SyntaxError"),
        ("import nowhere_at_all", "could not be loaded: ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("class choose:\n    def __init__(self, deep): ...", "could not be made: TypeError"),
        ("class choose:\n    def choose(self, view): ...", "is a class without __call__(self, view)"),
        ("def other(view): ...", "has no function choose"),
    ],
)
def test_a_file_that_can_not_be_used_is_one_line(tmp_path: Path, text: str, told: str):
    bot = written(tmp_path, bot=text) / "bot.py"

    assert told in complaint(arena("--seats", f"{bot}:choose,random,random"))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", "(p1) wählte 7; erlaubt: 0, 1, 2"),
        ("fr", "(p1) a choisi 7\u00a0; permis\u00a0: 0, 1, 2"),
        ("es", "(p1) eligió 7; permitido: 0, 1, 2"),
    ],
)
def test_a_mistake_is_told_in_the_language_of_the_terminal(
    tmp_path: Path, language: str, told: str, monkeypatch: pytest.MonkeyPatch
):
    bot = written(tmp_path, bot="def choose(view):\n    return 7\n") / "bot.py"
    monkeypatch.setenv("LC_ALL", f"{language}.UTF-8")

    assert told in complaint(arena("--seats", f"{bot}:choose,random,random"))
    assert "--plot takes" not in complaint(arena("--plot", "cross.txt"))
    assert f"--keep {tmp_path}" in complaint(arena("--keep", str(tmp_path)))


def test_debug_shows_the_bots_own_frames_only(tmp_path: Path):
    text = "def deep(view):\n    return [][view.seat]\ndef choose(view):\n    return deep(view)\n"
    bot = written(tmp_path, bot=text) / "bot.py"

    result = arena("--seats", f"{bot}:choose,random,random", "--debug")

    shown = [line.split(",")[0].strip() for line in result.stderr.splitlines() if line.startswith("  File")]
    assert result.exit_code == 2
    assert shown == [f'File "{bot}"'] * 2
    assert "IndexError: list index out of range\n" in result.stderr


def test_a_bot_that_scribbles_on_its_view_may_still_choose_only_what_it_was_offered():
    def choose(view: View) -> int:
        view.state.counters[view.seat] = [0, 0, 0]
        return 0

    assert Outsider("scribbler", choose)(a_view()) == 0
