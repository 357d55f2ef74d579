"""The pool of benchmarks/ and the matrix made with it: legal habits, goals that can be missed, nothing played twice."""

import re
from pathlib import Path

import pytest
from benchmarks import cells, matrix, pool
from benchmarks.cells import Cell, Found, Goal, Kept, Pool

from pokade.arena.tournament import Tournament, run
from pokade.games import GAMES
from pokade.testing import tables

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


@every_game
def test_habits_are_legal_in_all_kinds_of_variants(game):
    habits = pool.habits(game)
    for number, (n_seats, options) in enumerate(list(tables(game))[::4]):
        for one in habits:
            names = [one.name, *["casual"] * (n_seats - 1)]
            Tournament(game, names, number, options, outsiders={one.name: one}).play(number)  # refuses what is illegal


@every_game
def test_habits_sit_at_compiled_tables(game):
    found = {one.name: one for one in (*pool.habits(game)[-1:], *pool.frozen_players(game))}
    tournament = Tournament(game, [*found, "casual"], 3, n_seats=pool.sizes(game)[0], outsiders=found)

    run(tournament, 12)

    assert tournament.is_compiled
    plain = [tournament.play(number) for number in range(12)]
    assert [(one.who, one.points, one.choices) for one in tournament.played] == [
        (one.who, one.points, one.choices) for one in plain
    ]


@pytest.mark.parametrize(
    ("one", "among", "goal"),
    [
        ("ones die", "casual", Goal(1 / 3 + 0.03, is_at_most=True)),
        ("random", "casual", Goal(1 / 3 + 0.03, is_at_most=True)),
        ("novice", "casual", None),
        ("ones die", "novice", None),
        ("novice", "random", Goal(1 / 3, is_sure=True)),
        ("casual", "novice", Goal(1 / 3, is_sure=True)),
        ("strong", "casual", Goal(1 / 3, is_sure=True)),
        ("strong", "ones die", Goal(1 / 3 - 0.02)),
        ("strong", "frozen-casual", Goal(1 / 3 - 0.02)),
        ("casual", "ones die", None),
        ("master", "strong", Goal(1 / 3 - 0.02)),
        ("master", "frozen-casual", Goal(1.25 * (1 / 3))),
    ],
)
def test_levels_have_goals(one: str, among: str, goal: Goal | None, tmp_path: Path):
    assert Pool(GAMES["pok"], 3, tmp_path).goal(Cell("pok", 3, one, among)) == goal


def test_a_goal_can_be_missed():
    found = Found(share=0.35, low=0.32, high=0.38, games=100)

    assert found.meets(Goal(0.36, is_at_most=True))
    assert not found.meets(Goal(0.34, is_at_most=True))
    assert found.meets(Goal(0.33))
    assert not found.meets(Goal(0.33, is_sure=True))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """A matrix without searches, of few games, and a page to write it to."""
    monkeypatch.setattr(pool, "built_in", lambda: ["random", "novice", "casual"])
    monkeypatch.setattr(matrix, "PAGE", tmp_path / "page.md")
    (tmp_path / "page.md").write_text(f"before\n{matrix.BEGIN}\nold\n{matrix.END}\nafter\n", "utf-8")
    words = ["--games-of", "pokopop", "--levels", "novice,casual", "--threads", "1", "--write"]
    return [*words, "--keep", str(tmp_path / "kept"), "--learnt", str(tmp_path)]


def test_a_matrix_is_played_once_and_written_into_its_page(
    small: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    matrix.main([*small, "--games", "60"])
    written = matrix.PAGE.read_text("utf-8")
    monkeypatch.setattr(cells, "run", lambda *_: pytest.fail("played again"))
    matrix.main([*small, "--games", "60"])

    assert matrix.PAGE.read_text("utf-8") == written
    assert written.startswith(f"before\n{matrix.BEGIN}\n")
    assert written.endswith(f"{matrix.END}\nafter\n")
    line = next(line for line in written.splitlines() if line.startswith("| always jump |"))
    assert len(re.findall(r"\d+\.\d ± \d+\.\d( ✓| \*\*✗\*\*)?", line)) == 5  # two levels both ways, and a rating
    assert "…" not in written
    assert written.count("✗") == written.count("- Poko Pop!, ") > 0
    assert "- Poko Pop!, " in capsys.readouterr().out


def test_what_the_page_says_of_other_tables_stays(small: list[str]):
    others = "**POK, 3 players** (a fair share is 33.3 %)\n\n| the other |\n| --- |\n"
    misses = "- POK, 3 players: one strong among novice has 1 %\n- Poko Pop!, 3 players: long ago"
    text = f"{matrix.BEGIN}\n\n{others}\n**Goals that are missed**\n\n{misses}\n\n{matrix.END}\n"
    matrix.PAGE.write_text(text, "utf-8")

    matrix.main([*small, "--games", "60", "--players", "3"])

    written = matrix.PAGE.read_text("utf-8")
    assert others in written
    assert "- POK, 3 players: one strong" in written
    assert "long ago" not in written
    assert written.count("**Poko Pop!, 3 players**") == 1
    assert "Poko Pop!, 4 players" not in written


def test_a_matrix_of_other_code_is_played_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    players, seats = Pool(GAMES["pokopop"], 3, tmp_path), ["random", "casual", "casual"]
    before = players.key(seats)
    kept = Kept(tmp_path / "kept")
    kept.put(before, {"games": 60})

    cells.code_of.cache_clear()
    honest = Path.read_bytes
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", lambda file: honest(file) + b"#" * (file.name == "pokopop.py"))
        after = players.key(seats)
    cells.code_of.cache_clear()

    assert kept.get(before, 60)
    assert kept.get(before, 61) is None
    assert kept.get(after, 60) is None
