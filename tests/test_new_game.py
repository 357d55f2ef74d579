"""`pokade new-game`: a further game is a few files and a name in the list, and what holds for games holds for it."""

import re
from pathlib import Path

import pytest

from pokade.cli.new_game import with_tables
from pokade.games import GAMES
from tests.cli.test_commands import called, complaint
from tests.further_game import NAME, TITLE, call, with_a_further_game
from tests.test_architecture import unfinished

pytestmark = pytest.mark.xdist_group("a further game")  # made once

# The files whose tests of every game are cheap; the others are run when a further game is really there.
FILES = (
    *("test_texts.py", "test_golden.py", "test_architecture.py", "games", "players", "arena/test_searches.py"),
    *("cli/test_draw.py", "cli/test_play.py"),
    *("server/test_house.py", "server/table/test_lessons.py", "server/judge/test_picture.py"),
)
MANY = 60  # tests that the list of games alone gives a further game
CONFORMS = (
    f"from tests.test_conformance import claims; from pokade import testing; testing.check_everything(claims('{NAME}'))"
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_a_further_game(tmp_path_factory.mktemp("further"))


def test_a_further_game_passes_what_every_game_passes(tree: Path):
    files = [f"tests/{file}" for file in FILES]

    done = call(tree, "pytest", "-p", "no:cacheprovider", "-k", f"{NAME} and not postgres", *files)

    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) > MANY


def test_it_conforms_plain_and_compiled(tree: Path):
    done = call(tree, "-c", CONFORMS)

    assert done.returncode == 0, done.stderr


def test_its_levels_meet_in_the_arena(tree: Path):
    done = call(tree, "pokade", "arena", NAME, "--seats", "strong,casual,novice,random", "--games", 8)

    assert done.returncode == 0, done.stderr
    assert "strong" in done.stdout


def test_its_files_are_as_the_linters_want_them(tree: Path):
    assert call(tree, "ruff", "check", "src", "tests", "docs").stdout == "All checks passed!\n"
    assert call(tree, "ruff", "format", "--check", "src", "tests", "docs").returncode == 0


def test_it_is_not_finished_before_its_todos_are_filled(tree: Path):
    left = {path.relative_to(tree).as_posix() for path in unfinished(tree)}

    assert f"src/pokade/games/{NAME}.py" in left
    assert f"docs/rules/{NAME}.md" in left
    assert not [path for path in left if NAME not in path and "/texts/" not in path]


def test_the_terminal_lists_it(tree: Path):
    assert TITLE in call(tree, "pokade", "rules", "--lang", "en").stdout


@pytest.mark.parametrize("name", ["Pennies", "two words", "import", "../x", next(iter(GAMES)), "state", "web"])
def test_a_name_that_is_none_or_taken_is_refused_and_nothing_is_written(tree: Path, name: str):
    before = sorted(tree.rglob("*"))

    line = complaint(called("new-game", name, "--tree", tree, "--lang", "en"))

    assert re.fullmatch(r"pokade: (The name of a game has .*|The name \w+ is taken.*)", line)
    assert sorted(tree.rglob("*")) == before


def test_outside_of_a_source_tree_there_is_nothing_to_write_to(tmp_path: Path):
    done = call(tmp_path, "pokade", "new-game", NAME)

    assert done.returncode == 2
    assert "is not a source tree of Pokade" in done.stderr


def test_tables_are_added_to_a_catalogue_and_keys_to_the_tables_it_has():
    old = '[one]\na = "1"\n\n# about two\n[two]\nb = "2"\n'

    assert with_tables(old, '[new]\nd = "4"\n\n[one]\nc = "3"\n\n[two]\ne = "5"\n') == (
        '[one]\na = "1"\nc = "3"\n\n# about two\n[two]\nb = "2"\ne = "5"\n\n[new]\nd = "4"\n'
    )
