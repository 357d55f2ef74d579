"""A game without a scene of its own, as `pokade new-game` makes it, in a browser: the plain table."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.further_game import NAME, TITLE, with_a_further_game
from tests.web.conftest import WEB, Opens, check_access, check_fits, picture
from tests.web.houses import House
from tests.web.tables import (
    change,
    check_screen,
    check_that_nothing_tells,
    choices,
    play_to_the_end,
    sealed,
    two_people,
)

pytestmark = pytest.mark.xdist_group("page of a further game")  # built once


@pytest.fixture(scope="module")
def tree(client: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source tree with a fifth game, and its page."""
    tree = with_a_further_game(tmp_path_factory.mktemp("further"))
    for tools in ("node_modules", ".node"):
        (tree / "web" / tools).symlink_to(WEB / tools)
    subprocess.run([sys.executable, tree / "web/npm.py", "run", "--silent", "build"], check=True, cwd=tree)
    return tree


@pytest.fixture(scope="module")
def house(tree: Path) -> Iterator[House]:
    """A house that runs the code of that tree."""
    opened = House(tree=tree)
    opened.start()
    yield opened
    opened.kill()


def test_a_game_without_a_scene_is_played_at_a_plain_table(open_page: Opens) -> None:
    ada, ben = two_people(open_page, NAME)
    for page, name in ((ada, "phone-light"), (ben, "desktop-dark")):
        expect(choices(page)).to_have_count(2)
        check_screen(page)
        picture(page, f"plain-open-{name}")

    check_that_nothing_tells(ada, ben)
    picture(ada, "plain-sealed-phone-light")
    change(ada)
    choices(ada).nth(1).click()
    expect(sealed(ada)).to_have_count(1)
    ben.keyboard.press("1")
    for page, name in ((ada, "phone-light"), (ben, "desktop-dark")):
        expect(page.locator("[data-next]")).to_be_visible()
        check_screen(page)
        picture(page, f"plain-reveal-{name}")
    play_to_the_end(ada, ben)

    for page in (ada, ben):
        expect(page.get_by_role("heading", level=1)).to_contain_text("win")


@pytest.mark.parametrize(("size", "theme"), [("phone", "light"), ("desktop", "dark")])
def test_its_door_stands_among_the_others(open_page: Opens, size: str, theme: str) -> None:
    page = open_page("/", size=size, theme=theme)

    expect(page.get_by_role("button", name=f"{TITLE} against bots")).to_be_visible()
    check_fits(page)
    check_access(page)
    picture(page, f"plain-home-{size}-{theme}", full=True)
