"""A whole game of each kind by keyboard alone, from the front door to the end."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from pokade.games import GAMES
from tests.web.conftest import Opens
from tests.web.tables import tab_to

KEYS: Final = "1p2s34567890"  # that any game has on its choices
MOST_KEYS: Final = 2500
WAITS_FOR: Final = """() => {
  if (document.querySelector("[data-over]")) return "nothing";
  if (document.querySelector("[data-telling]")) return "story";
  if (document.querySelector("[data-drawing]")) return ""; // the story's Next may still be there
  if (document.querySelector("[data-next]:not(:disabled)")) return "next";
  const choices = [...document.querySelectorAll("[data-choice]:not(:disabled)")].filter((one) => one.checkVisibility());
  return choices.length > 0 && !choices.some((one) => one.ariaPressed === "true") ? "choice" : "";
}"""


@pytest.mark.parametrize("game", [game.title for game in GAMES.values()])
def test_a_whole_game_by_keyboard_alone(open_page: Opens, game: str) -> None:
    page = open_page("/", size="desktop")
    tab_to(page, page.get_by_role("button", name=f"{game} against bots"))
    page.keyboard.press("Enter")
    tab_to(page, page.locator("[data-choice]:enabled"))
    page.keyboard.press("Enter")

    play_by_keys(page, KEYS)

    expect(page.get_by_role("heading", level=1)).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Rematch"))


def play_by_keys(page: Page, keys: str) -> None:
    """The keys that stand on the choices, one after the other: what can't be chosen now is passed over."""
    has_found_next = False
    for number in range(MOST_KEYS):
        what = page.wait_for_function(WAITS_FOR, polling=10).json_value()
        if what == "nothing":
            return
        if what == "story":
            page.keyboard.press(" ")  # shows its end
        elif what == "choice":
            page.keyboard.press(keys[number % len(keys)])
        elif has_found_next:  # where Tab leads once it leads again
            page.evaluate("() => document.querySelector('[data-next]')?.focus()")
            page.keyboard.press("Enter")
        else:
            tab_to(page, page.locator("[data-next]"))
            page.keyboard.press("Enter")
            has_found_next = True
    raise AssertionError("the game does not end")
