"""What the pages say can be done: their commands exist, their links lead somewhere, the code of the README runs."""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from docs import theory

from pokade.chance import Seeded, advance
from pokade.cli import app
from pokade.games import GAMES
from pokade.games.play import Play

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "web" / "README.md"])
README = (ROOT / "README.md").read_text("utf-8")
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def python_with(words: str) -> str:
    """The block of the README that has these words."""
    return next(block for block in blocks(README, "python") if words in block)


def commands(text: str) -> Iterator[list[str]]:
    """Every call of `pokade` in the shell blocks of a page: its words, without remarks and settings before it."""
    for line in "".join(blocks(text, "sh")).splitlines():
        words = shlex.split(line, comments=True)
        while words and "=" in words[0]:
            words = words[1:]
        if words and words[0].endswith("pokade"):
            yield words[1:]


@each_page
def test_every_command_of_a_page_is_understood(page: Path) -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    for name, *arguments in commands(page.read_text("utf-8")):
        command = group.get_command(typer.Context(group), name)
        assert command is not None, name
        command.make_context(name, list(arguments))  # raises if an option or a value is not taken


def targets(page: Path) -> Iterator[tuple[str, str]]:
    """The links of a page within the project: a path and the heading in it, if one is named."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if not link.startswith("http"):
            path, _, heading = link.partition("#")
            yield path, heading


def anchors(page: Path) -> set[str]:
    """The names by which headings of a page are linked to."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_page
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for path, heading in targets(page):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), path
        assert not heading or heading in anchors(target), f"{path}#{heading}"


@each_page
def test_every_table_of_a_page_has_whole_rows(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        rows = [re.sub(r"\\\|", "", row) for row in table.splitlines()]
        assert {row.count("|") for row in rows} == {rows[0].count("|")}, rows[0]
        assert re.fullmatch(r"(\| --- )+\|", rows[1]), rows[0]


@pytest.mark.parametrize("name", GAMES)
def test_the_loop_of_the_readme_plays_every_game(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    loop = python_with("while not play.is_over")
    code = re.sub(r'GAMES\["\w+"\], n_seats=\d', f'GAMES["{name}"], n_seats={GAMES[name].usual_seats}', loop)

    exec(code, {})  # noqa: S102 - our own page

    assert capsys.readouterr().out.startswith("Outcome(")


@pytest.mark.parametrize("n_seats", GAMES["pokopop"].seats)
@pytest.mark.parametrize("effects", [False, True])
def test_the_bot_of_the_readme_plays_at_every_table(n_seats: int, effects: bool) -> None:
    found: dict[str, Any] = {}
    exec(python_with("def choose(view)"), found)  # noqa: S102 - our own page
    choose: Callable[[Any], int] = found["choose"]
    play, chance = Play(GAMES["pokopop"], n_seats, {"effects": effects, "max_waits": 2}), Seeded(n_seats)

    while not play.is_over:
        if not advance(play, chance):
            for seat in range(n_seats):
                view = play.view(seat)
                if view.choices:
                    play.choose(seat, choose(view))

    assert sum(play.outcome().shares) == pytest.approx(1)


def test_the_pictures_of_the_theory_show_its_numbers():
    page = (ROOT / "docs" / "theory.md").read_text("utf-8")
    for path, sheet in theory.drawn().items():
        assert path.read_text("utf-8") == sheet.svg()
        assert f"pictures/theory/{path.name}" in page
