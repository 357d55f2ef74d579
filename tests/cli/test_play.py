"""`pokade play` as people use it: typed lines in, a table out."""

import base64
import builtins
import re
import threading
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import CliRunner, Result

from pokade import records, texts
from pokade.cli import app, draw, visits
from pokade.cli.saves import Setup, resumed, write_whole
from pokade.cli.screen import CLEAR_ALL, Leave, Screen
from pokade.cli.seating import Wish
from pokade.cli.table import Table
from pokade.games import GAMES
from pokade.games.game import Game
from tests.patience import PATIENCE

ANSWERS = ["1", "2", "3", "s", "4", "5", "p", "6", "7", "8", "9", "10"]  # some of them fit whatever is asked
SHORT = {"poch": ["--option", "deals=8"]}  # games that would take long
FRIENDS = ("Ada", "Ben", "Cleo", "Dora", "Emil")


def lines(count: int = 4000, start: int = 0) -> list[str]:
    return [ANSWERS[(start + at) % len(ANSWERS)] for at in range(count)]


def played(*arguments: str, said: list[str]) -> Result:
    return CliRunner().invoke(app, ["play", *arguments], input="".join(f"{line}\n" for line in said))


def replayed(path: Path) -> Any:
    return records.replay(records.read(path.read_text("utf-8")))


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_person_plays_a_whole_game_against_bots(game: str, language: str, tmp_path: Path) -> None:
    file = tmp_path / "game.pok.toml"

    result = played(game, "--seed", "3", "--lang", language, "--record", str(file), *SHORT.get(game, []), said=lines())

    assert result.exit_code == 0, result.output
    assert replayed(file).is_over
    assert texts.text(language, "play.bye") not in result.output
    assert texts.text(language, "play.save.recorded", file=file) in result.output


@pytest.mark.parametrize("game", GAMES)
def test_friends_play_a_whole_game_on_one_screen(game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.pok.toml"
    names = [word for name in FRIENDS[:3] for word in ("--name", name)]

    arguments = [*names, "--record", str(file), *SHORT.get(game, [])]

    result = played(game, "--hotseat", "--lang", "en", *arguments, said=lines())

    assert result.exit_code == 0, result.output
    assert replayed(file).is_over
    assert all(f"when only {name} is looking" in result.output for name in FRIENDS[:3])
    assert not re.search(r"\byour?\b", result.output, re.IGNORECASE)


def test_friends_and_bots_share_a_table(tmp_path: Path) -> None:
    file = tmp_path / "game.pok.toml"
    arguments = ("--hotseat", "--players", "4", "--bots", "random", "--name", "Zoe", "--name", "Yan")

    result = played("pok", *arguments, "--lang", "en", "--record", str(file), said=lines())

    assert result.exit_code == 0
    assert replayed(file).n_seats == 4
    assert "only Zoe" in result.output
    assert "only Ada" not in result.output


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("after", [0, 4, 13])
def test_a_saved_game_goes_on_as_if_nobody_had_left(game: str, after: int, tmp_path: Path) -> None:
    whole, saved, rest = (tmp_path / f"{name}.pok.toml" for name in ("whole", "saved", "rest"))
    table = [game, "--seed", "11", "--name", "Zoe", "--lang", "fr", *SHORT.get(game, [])]

    played(*table, "--record", str(whole), said=lines())
    leaving = played(*table, said=[*lines(after), "q", "1", str(saved)])
    result = played("--resume", str(saved), "--record", str(rest), said=lines(start=after))

    assert leaving.exit_code == 0, leaving.output
    assert result.exit_code == 0, result.output
    assert not resumed(saved)[1].is_over
    assert rest.read_text() == whole.read_text()
    assert any(word in result.output for word in ("Tour", "Manche", "Donne"))


@pytest.mark.parametrize("game", GAMES)
def test_a_saved_game_shows_no_more_than_its_person_has_seen(game: str, tmp_path: Path) -> None:
    saved = tmp_path / "saved.pok.toml"
    played(game, "--seed", "123456789", "--lang", "en", "--players", "4", said=[*lines(6), "q", "1", str(saved)])

    text, (_, play, _, _) = saved.read_text("utf-8"), resumed(saved)

    assert records.read(text).view == "p1"
    assert text.startswith(records.write(play, records.read(text).players, view="p1"))
    assert "123456789" not in text
    assert len(play.steps) > 6


def test_a_save_that_was_tampered_with_is_refused_in_one_line(tmp_path: Path) -> None:
    saved = tmp_path / "saved.pok.toml"
    played("pok", "--lang", "en", said=[*lines(3), "q", "1", str(saved)])
    honest = saved.read_text("utf-8")
    bomb = base64.b64encode(zlib.compress(b" " * (1 << 25))).decode()

    for sealed in ("x", "AAAA", bomb):
        saved.write_text(re.sub('sealed = ".*"', f'sealed = "{sealed}"', honest), "utf-8")
        result = played("--resume", str(saved), said=[])
        assert result.exit_code == 2
        assert "save.sealed is not what was saved" in result.stderr


class Typist:
    """Types one line after the other; an exception among them is raised."""

    def __init__(self, *said: str | type[BaseException]) -> None:
        self._said: Iterator[str | type[BaseException]] = iter(said)

    def __call__(self) -> str:
        line = next(self._said, EOFError)
        if isinstance(line, str):
            return line
        raise line


@pytest.mark.parametrize("game", GAMES)
def test_ctrl_c_offers_to_save(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = tmp_path / "saved.pok.toml"
    monkeypatch.setattr(builtins, "input", Typist(KeyboardInterrupt, "1", str(saved)))

    result = CliRunner().invoke(app, ["play", game, "--lang", "en", "--seed", "1"])

    assert result.exit_code == 0
    assert "Save and leave" in result.output
    assert saved.exists()


def test_ctrl_c_twice_just_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, "input", Typist(KeyboardInterrupt, KeyboardInterrupt))

    result = CliRunner().invoke(app, ["play", "pok", "--lang", "en"])

    assert result.exit_code == 0
    assert "Until next time!" in result.output


def test_who_thinks_again_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, "input", Typist("q", "3", "1", "q", "2"))

    result = CliRunner().invoke(app, ["play", "pok", "--lang", "en", "--seed", "2"])

    assert result.exit_code == 0
    assert "Round 2" in result.output


def test_the_end_of_the_input_is_a_kind_goodbye_and_keeps_the_record(tmp_path: Path) -> None:
    file = tmp_path / "game.pok.toml"

    result = played("pokopop", "--lang", "en", "--record", str(file), said=["1"])

    assert result.exit_code == 0
    assert "Until next time!" in result.output
    assert not replayed(file).is_over


def test_a_question_mark_shows_the_rules_and_nonsense_gets_one_line() -> None:
    result = played("pok", "--lang", "en", said=["?", "nonsense"])

    assert "the short rules" in result.output
    assert "Three dice are thrown" in result.output
    assert "That is not one of the choices" in result.output


def test_a_file_that_is_there_is_not_overwritten_without_a_yes(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("mine")

    refused = played("pok", "--lang", "en", "--record", str(file), said=["2", *lines()])
    assert refused.exit_code == 0
    assert file.read_text() == "mine"

    played("pok", "--lang", "en", "--record", str(file), said=["1", *lines()])
    assert replayed(file).is_over


@pytest.mark.parametrize(
    "arguments",
    [
        ["chess"],
        ["pok", "--players", "2"],
        ["pok", "--players", "9"],
        ["pok", "--bots", "genius"],
        ["pok", "--option", "memory"],
        ["pok", "--option", "memory=elephant"],
        ["pok", "--option", "colour=red"],
        ["pok", "--lang", "tlh"],
        ["pok", "--name", ""],
        ["pok", "--name", "Ada", "--name", "ada"],
        ["pok", "--name", "a name of many characters"],
        ["pok", "--name", "\x1b[31mred"],
        ["pok", "--players", "3", *(word for name in FRIENDS for word in ("--name", name))],
        ["pok", "--seed", "9" * 30],
        ["--resume", "/nowhere/at/all.pok.toml"],
        ["--resume", __file__],
        ["pok", "--resume", __file__],
        [],
    ],
)
def test_bad_use_is_one_clear_line_and_exit_status_2(arguments: list[str]) -> None:
    result = played(*arguments, said=[])

    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "9"], "POK ist für 3 bis 7 Personen."),
        (["--option", "colour=red"], "POK hat keine Option 'colour'. Es gibt: memory, max_rounds."),
        (["--option", "max_rounds=many"], "Für die Option max_rounds gilt: eine ganze Zahl von 1 bis 10000."),
        (["--option", "memory=elephant"], "Für die Option memory gilt: strict, assisted."),
        (["--option", "memory"], "Eine Option schreibt man NAME=WERT, nicht memory."),
    ],
)
def test_what_the_rules_refuse_is_told_in_the_language_asked_for(arguments: list[str], said: str) -> None:
    result = played("pok", "--lang", "de", *arguments, said=[])

    assert result.stderr == f"pokade: {said}\n"


def test_a_game_that_is_over_is_not_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.pok.toml"
    played("pok", "--lang", "en", "--record", str(file), said=lines())

    result = played("--resume", str(file), said=[])

    assert result.exit_code == 2
    assert "over" in result.stderr


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "game.pok.toml"
    file.write_text("before")

    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "after \ud800")

    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def live(language: str, *said: str) -> tuple[Screen, pytest.MonkeyPatch]:
    """A screen that believes in a terminal."""
    screen = Screen(language)
    screen.is_live = True
    patch = pytest.MonkeyPatch()
    patch.setattr(builtins, "input", Typist(*said))
    return screen, patch


def test_the_house_leads_to_a_table_and_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    said = ["9", "poch", "2", "1", "2", "40", "1", "3", "", "", "q", "2"]
    screen, patch = live("en", *said)
    with patch.context(), pytest.raises(Leave):
        visits.visit(screen, Wish("en"), None, None)
    patch.undo()

    shown = capsys.readouterr().out
    assert "Choose in secret" in shown
    assert "Deal 1 of 1" in shown


def test_a_resize_draws_the_question_again(capsys: pytest.CaptureFixture[str]) -> None:
    """While somebody is asked, and only then."""
    screen, patch = live("en")
    screen.console = Console(width=100, force_terminal=True, color_system=None)

    def typed() -> str:
        capsys.readouterr()
        screen.console.width = 60
        screen.redraw()
        return "1"

    patch.setattr(builtins, "input", typed)
    screen.show(draw.curtain("Zoe", 0, "en"))
    screen.read("Well?")
    patch.undo()
    shown = capsys.readouterr().out
    screen.redraw()

    assert "Zoe" in shown
    assert shown.endswith("  Well? > ")
    assert max(map(cell_len, shown.splitlines())) <= 60
    assert capsys.readouterr().out == ""


def test_whoever_waits_for_strong_bots_is_told_so_at_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told, may_go_on = threading.Event(), threading.Event()
    monkeypatch.setattr(visits, "warm_apart", lambda _: may_go_on.wait(PATIENCE))
    screen, patch = live("en")
    monkeypatch.setattr(screen, "_write", lambda words: told.set() or may_go_on.set() if "strong" in words else None)

    visits.get_ready(screen, Setup(GAMES["pok"], FRIENDS[:3], ("person", "strong", "casual"), {}, 5, "en"))
    patch.undo()

    assert told.is_set()


def test_without_a_seed_nobody_waits_for_strong_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "warm_apart", lambda _: pytest.fail("somebody waits"))
    setup = Setup(GAMES["pok"], FRIENDS[:3], ("person", "strong", "casual"), {}, None, "en")
    screen, patch = live("en")
    patch.undo()
    monkeypatch.setattr("pokade.cli.table.is_warm", lambda _: False)

    visits.get_ready(screen, setup)
    table = Table(setup, setup.play(), setup.chance(), {}, screen)

    assert table.news[0] == [texts.text("en", "play.warming_meanwhile")]


def test_the_playing_out_of_poch_is_drawn_and_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    setup = Setup(GAMES["poch"], FRIENDS[:4], ("person", *["casual"] * 3), {"deals": 4}, 5, "en")
    screen, patch = live("en", *lines(400))
    heard: list[str] = []
    table = Table(setup, setup.play(), setup.chance(), setup.bots(), screen)
    monkeypatch.setattr(table, "tell", lambda *told: heard.extend(told))
    with suppress(Leave):
        table.run()
    patch.undo()

    assert any("collect" in sentence for sentence in heard)
    assert not any(" play the " in sentence or " plays the " in sentence for sentence in heard)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_shared_screen_is_wiped_with_its_scrollback_before_the_next_sits_down(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies between two curtains belongs to one person."""
    shown: list[str] = []

    def curtain(name: str, *_: object) -> str:
        shown.append(f"curtain {name}")
        return ""

    monkeypatch.setattr("time.sleep", lambda _: None)
    setup = Setup(game, FRIENDS[:3], ("person",) * 3, {}, 5, "en")
    screen, patch = live("en", *[word for answer in lines(60) for word in ("", answer)])
    monkeypatch.setattr(screen, "clear", lambda *, everything=False: shown.append(CLEAR_ALL if everything else "weak"))
    monkeypatch.setattr(draw, "curtain", curtain)
    with suppress(Leave):
        Table(setup, setup.play(), setup.chance(), setup.bots(), screen).run()
    patch.undo()

    curtains = [at for at, what in enumerate(shown) if what.startswith("curtain")]
    assert len(curtains) > 3
    assert all(shown[at + 1] == CLEAR_ALL for at in curtains)
    assert "weak" not in shown


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_what_is_waited_for_fits_the_narrowest_terminal(language: str) -> None:
    assert len(f"  999 s  {texts.text(language, 'play.warming')}") < 60
