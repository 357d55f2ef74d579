"""What holds for the table of every game in a browser, whether its scene is drawn by hand or plain."""

from itertools import product
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from pokade.games import GAMES
from pokade.games.state import columns
from tests.web.conftest import Opens, check_access, check_fits, picture
from tests.web.tables import (
    against_bots,
    at_rest,
    change,
    check_no_scroll,
    check_screen,
    check_that_nothing_tells,
    choices,
    opened,
    play_to_the_end,
    sealed,
    tab_to,
    two_people,
)

every_game = pytest.mark.parametrize("game", GAMES)
SEALING: Final = [name for name, game in GAMES.items() if any(one.mark == "sealed" for one in columns(game.state))]
SCREENS: Final = (
    ("phone", "light", "de"),
    ("small", "light", "fr"),
    ("landscape", "dark", "fr"),
    ("desktop", "dark", "es"),
)


def begun(open_page: Opens, game: str) -> tuple[Page, Page]:
    """Two people and two bots, all of whom may choose."""
    ada, ben = two_people(open_page, game)
    for page in (ada, ben):
        expect(choices(page).first).to_be_visible()
        at_rest(page)
    return ada, ben


@pytest.mark.parametrize("game", SEALING)
def test_two_people_and_bots_seal_change_and_play_to_the_end(open_page: Opens, game: str) -> None:
    ada, ben = begun(open_page, game)
    for page, name in ((ada, "phone-light"), (ben, "desktop-dark")):
        check_screen(page)
        picture(page, f"{game}-open-{name}")

    check_that_nothing_tells(ada, ben)
    change(ada)
    choices(ada).nth(1).click()
    expect(ada.locator("[data-waiting]").get_by_role("heading")).to_be_visible()
    expect(sealed(ada)).to_have_count(1)
    check_screen(ada)
    picture(ada, f"{game}-choose-phone-light")
    play_to_the_end(ada, ben)

    for page in (ada, ben):
        expect(page.get_by_role("heading", level=1)).to_contain_text("win")


@pytest.mark.parametrize(
    ("game", "screen"),
    list(product(GAMES, SCREENS)),
    ids=lambda one: "-".join([one][0]) if isinstance(one, tuple) else one,
)
def test_as_many_as_may_sit_fit_on_every_screen(open_page: Opens, game: str, screen: tuple[str, str, str]) -> None:
    size, theme, language = screen
    page = open_page("/", size=size, theme=theme, language=language)
    against_bots(page, game, seats=GAMES[game].seats[-1])

    check_screen(page)
    picture(page, f"{game}-full-{size}-{theme}-{language}")
    choices(page).first.click()
    page.locator("[data-next], [data-choice]:not([aria-pressed=true])").first.wait_for()
    at_rest(page)
    check_fits(page)
    picture(page, f"{game}-full-after-{size}-{theme}-{language}")


@every_game
def test_a_choice_by_keyboard_alone(open_page: Opens, game: str) -> None:
    page = open_page("/", size="desktop")
    against_bots(page, game)
    page.evaluate("() => document.activeElement?.blur()")

    tab_to(page, page.locator("[data-choice]:enabled"))
    picture(page, f"{game}-focus-desktop-light")
    page.keyboard.press("Enter")

    expect(page.locator("aside, main").get_by_text("You").first).to_be_visible()


@every_game
def test_who_watches_sees_everybody_and_nothing_to_press(open_page: Opens, game: str) -> None:
    ada = open_page("/")
    _, code = opened(ada, game=game, bots=3)
    watcher = open_page(f"/t/{code}", size="desktop")
    ada.locator("main button.main").click()
    expect(choices(ada).first).to_be_visible()

    expect(watcher.get_by_text("Watching", exact=True)).to_be_visible()
    for name in ("Ada", "Ben"):
        expect(watcher.locator("main").get_by_text(name, exact=True).first).to_be_visible()
    expect(choices(watcher)).to_have_count(0)
    check_access(watcher)
    check_no_scroll(watcher)
    picture(watcher, f"{game}-watch-desktop-light")
