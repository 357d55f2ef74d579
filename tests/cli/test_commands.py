"""What holds for every command: names, helps, versions, and one way to end with an error."""

import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import pokade
from pokade.cli import EXAMPLES, app
from pokade.cli.options import _games_begun
from pokade.games import GAMES
from tests.patience import PATIENCE

COMMANDS = [command.__name__.replace("_", "-") for command in EXAMPLES]
ROOT = Path(__file__).parents[2]


def called(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


def complaint(result: Result) -> str:
    """The one line that a call was answered with."""
    assert result.exit_code == 2, result.output
    assert not result.stdout
    (line,) = result.stderr.splitlines()
    return line


def test_the_version_has_one_source():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    module = subprocess.run([sys.executable, "-m", "pokade", "--version"], capture_output=True, text=True, check=True)

    assert called("--version").stdout == module.stdout == f"pokade {pokade.__version__}\n"
    assert project["tool"]["hatch"]["version"]["path"] == "src/pokade/__init__.py"
    assert "version" not in project["project"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_help_has_an_example_that_is_understood_and_no_types(command: str):
    shown = called(command, "--help").stdout
    example = " ".join(shown.partition("Example:")[2].split())

    assert example.startswith(f"pokade {command}")
    assert not re.search(r"<\w|[{}]", shown)
    assert all(word.partition("=")[0] in shown for word in example.split() if word.startswith("--"))


def test_the_list_of_commands_cuts_no_sentence_off():
    assert "..." not in called("--help").stdout.partition("Commands:")[2]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_a_call_that_is_not_understood_is_one_line(command: str):
    line = complaint(called(*command.split(), "--nonsense"))

    assert line.startswith("pokade: No such option: --nonsense")
    assert f"pokade {command}".strip() in line


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("simulate poch --players 9", "pokade: Poch ist für 2 bis 8 Personen."),
        ("arena poch --option stack=3", "pokade: Für die Option stack gilt: eine ganze Zahl von 8 bis 10000."),
        ("simulate pok --option stack", "pokade: Eine Option schreibt man NAME=WERT, nicht stack."),
    ],
)
def test_what_the_rules_refuse_is_said_in_the_language_of_the_terminal(
    words: str, sentence: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")

    assert complaint(called(*words.split())) == sentence


@pytest.mark.parametrize("name", ["POK", "Pok", "pok"])
def test_games_are_known_in_any_case(name: str):
    assert called("rules", name, "--lang", "en").stdout == called("rules", "pok", "--lang", "en").stdout
    assert "1 game of POK" in called("simulate", name, "--games", 1).stdout


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_game_is_also_known_by_its_title(game):
    assert called("rules", game.title, "--lang", "en").stdout == called("rules", game.name, "--lang", "en").stdout


def test_the_shell_completes_games():
    assert _games_begun("") == list(GAMES)
    assert _games_begun("POK") == [name for name in GAMES if name.startswith("pok")]


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "pok", "--games", 1, "--plot"),
        ("arena", "pok", "--seats", "random,random,random", "--games", 1, "--plot"),
        ("arena", "pok", "--seats", "random,random,random", "--games", 1, "--keep"),
        ("play", "pok", "--record"),
    ],
    ids=lambda words: f"{words[0]} {words[-1]}",
)
def test_a_place_that_can_not_be_written_is_refused_before_the_run(words: tuple[object, ...], tmp_path: Path):
    folder = tmp_path / "folder.png"
    folder.mkdir()

    assert "folder.png: Is a directory" in complaint(called(*words, folder))
    assert "No such file or directory" in complaint(called(*words, tmp_path / "nowhere" / "file.png"))


def test_a_place_that_is_tried_keeps_what_is_there(tmp_path: Path):
    kept, new = tmp_path / "kept.png", tmp_path / "new.png"
    kept.write_text("mine")

    for file in (kept, new):
        complaint(called("arena", "pok", "--seats", "genius", "--plot", file))

    assert kept.read_text() == "mine"
    assert not new.exists()


@pytest.mark.parametrize("words", [("simulate", "pok", "--player", "novice", "--player", "random-not")])
def test_a_mistake_in_a_name_leaves_no_file(words: tuple[str, ...], tmp_path: Path):
    complaint(called(*words, "--plot", tmp_path / "x.png"))

    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_ctrl_c_prints_what_there_is(command: str, tmp_path: Path):
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\ndef choose(view):\n    print('on', flush=True)\n    return view.choices[0]\n")
    names = {"simulate": ["--player", str(bot)], "arena": ["--seats", f"{bot},random,random"]}
    call = [sys.executable, "-m", "pokade", command, "pok", *names[command], "--games", "100000000"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for _ in range(2000):  # some games
            assert process.stderr.readline()
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate(timeout=PATIENCE)

    assert process.returncode == 130
    assert "games of p" in printed.casefold()
    assert "stopped after" in said
    assert "Traceback" not in said


def test_warm_compiles_the_games_named_or_all(monkeypatch: pytest.MonkeyPatch):
    warmed: list[str] = []
    monkeypatch.setattr("pokade.arena.bots.warm", lambda game: warmed.append(game.name))

    some, everything = called("warm", "Pok", "POCH"), called("warm")

    assert warmed == ["pok", "poch", *GAMES]
    assert "Poch" in some.stdout
    assert len(everything.stdout.splitlines()) == len(GAMES)
    assert "no game called chess" in complaint(called("warm", "chess"))
