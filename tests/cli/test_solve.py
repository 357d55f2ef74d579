"""`pokade solve` and `pokade certify`: what they refuse, and what they say."""

from pathlib import Path

import pytest

from pokade.solver import pok
from pokade.solver.pok.certificate import Certificate
from pokade.texts import LANGUAGES, text
from tests.cli.test_commands import called, complaint


@pytest.mark.parametrize("command", ["solve", "certify"])
def test_a_game_without_a_solver_and_a_table_that_nobody_plays_at_are_refused(command: str):
    assert complaint(called(command, "poch", "--players", 3, "--lang", "en")) == "pokade: There is no solver for Poch."
    assert "POK is for 3 to 7 players" in complaint(called(command, "pok", "--players", 8, "--lang", "en"))


def test_a_file_without_a_solution_is_refused(tmp_path: Path):
    file = tmp_path / "nothing"
    file.write_text("nothing")

    assert "holds no solution" in complaint(called("certify", "pok", "--players", 3, "--file", file))
    assert "nowhere" in complaint(called("certify", "pok", "--players", 3, "--file", tmp_path / "nowhere"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_certificate_is_told_in_a_sentence(language: str, monkeypatch: pytest.MonkeyPatch):
    found = Certificate(3, None, 0.00012, 0.0015, (26, 26, 26), 457, 1.0, "abc")
    monkeypatch.setattr(pok, "certified", lambda *_: found)

    said = called("certify", "pok", "--players", 3, "--lang", language).stdout

    point = "." if language == "en" else ","
    gains = {"start": f"0{point}0001200", "worst": f"0{point}0015000"}
    values = {"game": "POK", "players": 3, "number": 457, "digest": "abc", **gains}
    assert said == text(language, "certify.done", **values) + "\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_solving_says_what_is_written_and_how_to_go_on(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    out = tmp_path / "out"

    def solve(work: pok.Solving, threads: int, progress: object) -> None:
        out.write_bytes(b"solved")

    def stop(work: pok.Solving, threads: int, progress: object) -> None:
        raise KeyboardInterrupt

    call = ("solve", "pok", "--players", 3, "--out", out, "--lang", language)
    monkeypatch.setattr(pok.Solving, "run", solve)
    done = called(*call)
    monkeypatch.setattr(pok.Solving, "run", stop)
    stopped = called(*call)

    assert (done.exit_code, stopped.exit_code) == (0, 130)
    assert str(out) in done.stdout
    assert text(language, "solve.stopped", done=0, total=457) in stopped.stderr
