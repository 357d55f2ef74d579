"""The table of Pokerdice in a browser: sealing cards, shelves of dice, reveals, whole games, on every screen."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import tables
from tests.web.conftest import Opens, check_access, check_fits, picture
from tests.web.tables import (
    NOTES_MOVEMENTS,
    at_rest,
    check_movement,
    check_order,
    check_screen,
    check_targets,
    choices,
    go_on,
    sealed,
    stop_the_clock,
    tab_to,
)


def dice(page: Page) -> Locator:
    return page.locator("[data-die]:not(:disabled)")


def against_bots(page: Page, *, active: int = 1, variant: str = "normal", **wanted: Any) -> None:
    """Play at a table whose other seats have bots; the first seat is ours."""
    tables.against_bots(page, "pokerdice", options={"first_active": f"p{active}", "variant": variant}, **wanted)


@pytest.mark.parametrize(
    ("size", "theme", "seats"),
    [("phone", "light", 4), ("small", "light", 5), ("landscape", "dark", 4), ("desktop", "light", 4)],
)
def test_dice_are_held_and_freed_with_a_tap(open_page: Opens, size: str, theme: str, seats: int) -> None:
    page = open_page("/", size=size, theme=theme)
    against_bots(page, seats=seats)
    choices(page).nth(9).click()

    expect(dice(page)).to_have_count(5)
    again = page.get_by_role("button", name="Rethrow")
    expect(again).to_be_disabled()
    dice(page).nth(0).click()
    dice(page).nth(3).click()
    expect(page.get_by_role("button", name="Rethrow two")).to_have_accessible_description("Rethrow 1 4")
    dice(page).nth(3).click()
    expect(again).to_have_attribute("data-choice", "1")
    expect(page.locator("[data-die][aria-pressed=true]")).to_have_count(1)
    at_rest(page)
    check_screen(page)
    picture(page, f"pokerdice-rethrow-{size}-{theme}")

    again.click()
    expect(page.locator(".left p")).to_have_text("Last of two rethrows")
    expect(page.locator("[data-die][aria-pressed=true]")).to_have_count(1)  # what was thrown still lies apart
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("[data-next]")).to_be_visible()
    at_rest(page)
    check_fits(page)
    check_targets(page)
    check_access(page)
    picture(page, f"pokerdice-reveal-{size}-{theme}")


def test_a_round_by_keyboard_alone(open_page: Opens) -> None:
    page = open_page("/", size="desktop")
    against_bots(page)
    page.evaluate("() => document.activeElement?.blur()")
    page.keyboard.press("8")

    expect(dice(page)).to_have_count(5)
    page.keyboard.press("2")
    page.keyboard.press("5")
    expect(page.locator("[data-die][aria-pressed=true]")).to_have_count(2)
    page.keyboard.press("r")
    expect(page.locator(".left p")).to_have_text("Last of two rethrows")
    tab_to(page, page.locator("[data-choice='0']"))
    picture(page, "pokerdice-focus-desktop-light")
    page.keyboard.press("Enter")
    expect(page.locator("[data-next]")).to_be_visible()


def test_cards_turn_in_one_movement_and_a_tap_shows_its_end(open_page: Opens) -> None:
    page = open_page("/", reduced_motion="no-preference", script=NOTES_MOVEMENTS)
    against_bots(page)
    stop_the_clock(page)

    choices(page).first.click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator('[data-play="reveal"] [data-outcome]').first).to_be_attached()
    check_order(page)
    check_movement(page, "reveal")
    go_on(page)
    check_movement(page, "throw")


def test_two_cards_are_sealed_together_in_the_double_game(open_page: Opens) -> None:
    page = open_page("/")
    against_bots(page, seats=2, active=2, variant="double")

    choices(page).nth(0).click()
    expect(page.get_by_role("heading", name="Joker, and one more")).to_be_visible()
    expect(sealed(page)).to_have_count(0)
    check_screen(page)
    picture(page, "pokerdice-double-phone-light")
    choices(page).nth(7).click()

    expect(page.locator("[data-next]")).to_be_visible()
    expect(page.locator(".own .one")).to_have_count(2)
    picture(page, "pokerdice-double-reveal-phone-light")
    go_on(page)
    expect(choices(page).first).to_be_visible()
