"""A whole game of each kind by keyboard alone, from the front door to the end."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Opens, tab_to

KEYS: Final = {"POK": "123", "Pokerdice": "1234567890s", "Poko Pop!": "12", "Poch": "p1"}
MOST_KEYS: Final = 2500
PACE: Final = 40  # ms between two keys


@pytest.mark.parametrize("game", KEYS)
def test_a_whole_game_by_keyboard_alone(open_page: Opens, game: str) -> None:
    page = open_page("/", size="desktop")
    tab_to(page, page.get_by_role("button", name=f"{game} against bots"))
    page.keyboard.press("Enter")
    tab_to(page, page.locator("[data-choice]:enabled"))
    page.keyboard.press("Enter")

    play_by_keys(page, KEYS[game])

    expect(page.get_by_role("heading", level=1)).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Rematch"))


def play_by_keys(page: Page, keys: str) -> None:
    """The keys that stand on the choices, one after the other: what can't be chosen now is passed over."""
    over = page.locator("[data-over]")
    for at in range(MOST_KEYS):
        if over.is_visible():
            return
        page.keyboard.press(keys[at % len(keys)])
        page.wait_for_timeout(PACE)
    raise AssertionError("the game does not end")
