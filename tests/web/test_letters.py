"""Letters twice as large: nothing has to be scrolled sideways, and the game can still be played."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from pokade.games import GAMES
from tests.web.conftest import Opens, check_fits, picture
from tests.web.tables import opened, play_to_the_end

TWICE: Final = """() => {
  for (const name of ["text-size-adjust", "-webkit-text-size-adjust"]) {
    document.documentElement.style.setProperty(name, "200%", "important");
  }
}"""


def enlarged(page: Page, name: str) -> None:
    """As the settings of a phone do it."""
    page.evaluate(TWICE)
    check_fits(page)
    picture(page, f"letters-{name}", full=True)


@pytest.mark.parametrize("game", GAMES)
def test_one_can_play_with_letters_twice_as_large(open_page: Opens, game: str) -> None:
    page = open_page("/", is_mobile=True, has_touch=True)
    expect(page.get_by_role("button", name="against bots").first).to_be_visible()
    enlarged(page, "home")
    opened(page, game=game, bots=3, options={"max_rounds": 2} if game == "pok" else {})
    begin = page.locator("main button.main")
    expect(begin).to_be_visible()
    enlarged(page, "lobby")
    begin.click()
    expect(page.locator("[data-choice]").first).to_be_visible()
    enlarged(page, game)

    page.locator("[data-choice]:enabled").first.click(trial=True)
    if game == "pok":
        play_to_the_end(page)
        enlarged(page, "end")
        page.get_by_role("button", name="Rematch", exact=True).click(trial=True)
