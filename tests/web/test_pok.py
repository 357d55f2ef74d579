"""The table of POK in a browser: sealing, showing, whole games, on every screen."""

import re
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Opens, check_fits, picture
from tests.web.tables import (
    NOTES_MOVEMENTS,
    against_bots,
    at_rest,
    check_movement,
    check_no_scroll,
    check_order,
    check_screen,
    choices,
    go_on,
    stop_the_clock,
    tab_to,
    two_people,
)

WHO_SHOWS_WHAT = re.compile("shows a |show (discs|squares|triangles)")  # all by name, or how many there are


def test_what_was_read_out_of_a_reveal_is_gone_with_the_next_throw(open_page: Opens) -> None:
    page = open_page("/")
    against_bots(page, "pok")
    told = page.locator("[role=status]")
    choices(page).first.click()
    expect(told).to_contain_text(WHO_SHOWS_WHAT)

    go_on(page)

    expect(told).to_contain_text("The dice show")
    expect(told).not_to_contain_text(WHO_SHOWS_WHAT)


def test_a_choice_by_keyboard_alone(open_page: Opens) -> None:
    page = open_page("/", size="desktop")
    against_bots(page, "pok")
    page.evaluate("() => document.activeElement?.blur()")

    tab_to(page, page.locator("[data-choice='1']"))
    picture(page, "pok-focus-desktop-light")
    page.keyboard.press("Enter")

    expect(page.locator("[data-next]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Which counter")).to_be_focused()
    tab_to(page, page.get_by_role("button", name="Menu"))
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Why did that happen?").press("Enter")
    expect(page.get_by_role("dialog", name="Why did that happen?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Menu")).to_be_focused()


def test_hands_open_in_one_movement_and_a_tap_shows_its_end(open_page: Opens) -> None:
    page = open_page("/", reduced_motion="no-preference", script=NOTES_MOVEMENTS)
    against_bots(page, "pok")
    stop_the_clock(page)

    choices(page).first.click()
    expect(page.locator('[data-play="reveal"] .told > *').first).to_be_attached()
    check_order(page)
    check_movement(page, "reveal")
    go_on(page)
    check_movement(page, "throw")


@pytest.mark.parametrize(
    ("size", "theme", "language", "memory"),
    [
        ("phone", "light", "de", "assisted"),
        ("small", "light", "de", "strict"),
    ],
)
def test_seven_at_a_table(open_page: Opens, size: str, theme: str, language: str, memory: str) -> None:
    page = open_page("/", size=size, theme=theme, language=language)
    against_bots(page, "pok", seats=7, options={"memory": memory})

    check_screen(page)
    picture(page, f"pok-seven-{size}-{theme}-{language}")
    choices(page).first.click()
    expect(page.locator("[data-next]")).to_be_visible()
    at_rest(page)
    check_fits(page)
    check_no_scroll(page)
    if size in ("phone", "small"):
        assert page.evaluate(ROOM_FOR_A_BURST) >= 0  # whichever seat gives, the dots above stay free
    picture(page, f"pok-seven-reveal-{size}-{theme}-{language}")


# How far below the dots of the first row a burst behind a hand of the second row would begin.
ROOM_FOR_A_BURST: Final = """() => {
  const of = (seat, part) => document.querySelector(`.hands > li:nth-child(${seat}) ${part}`).getBoundingClientRect();
  const hand = of(4, ".hand");
  return hand.top - 0.216 * hand.height - of(1, ".dots").bottom;
}"""


def test_ones_own_counters_come_before_the_rivals_and_phrases_after_them(open_page: Opens) -> None:
    ada, ben = two_people(open_page, "pok")
    expect(choices(ben)).to_have_count(3)
    order = ben.evaluate(
        """() => [".aside", "[data-choice]", ".hands", "[data-phrase]"]
          .map((one) => document.querySelector(`main > ${one}, main > * ${one}`))
          .map((one, at, all) => at === 0 || !!(all[at - 1].compareDocumentPosition(one) & 4))"""
    )

    stop_the_clock(ada)
    ben.get_by_role("button", name="Well played!").click()

    assert order == [True] * 4
    expect(ada.locator(".bubble")).to_contain_text("Well played!")
    covers = "() => ['.bubble', '.hands'].map((part) => document.querySelector(part).getBoundingClientRect())"
    said, hands = ada.evaluate(covers)
    assert said["bottom"] <= hands["top"]  # it lies in the bar, over nobody's fist
