"""The table of Poch in a browser: collecting, bidding, playing out, whole games, on every screen."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import poch_game
from tests.web.conftest import Opens, at, check_access, check_fits, picture
from tests.web.tables import (
    MOVES,
    against_bots,
    check_screen,
    check_targets,
    choices,
    play_to_the_end,
    stop_the_clock,
    two_people,
)
from tests.web.test_learn import READS_QUICKLY

FROM_THE_FIRST: Final = [3]  # the fourth seat deals, so the first is asked first
WIDEST_FONT: Final = """() => document.documentElement.style.setProperty("--sans", "'DejaVu Sans', sans-serif")"""

LED_TO: Final = """(words) => {
  const wanted = document.querySelector("[data-wanted]");
  const next = document.querySelector("[data-lesson] button");
  if (wanted && wanted.textContent.includes(words)) return true;
  if (next) next.click();
  else if (wanted?.ariaPressed === "false") wanted.click();
  return false;
}"""


def be_led_to(page: Page, words: str) -> Locator:
    """In a guided game, whose cards are given: do what it says until a button with these words is the one to press."""
    page.goto(at(page, "/learn/poch"))
    page.wait_for_function(LED_TO, arg=words, polling=20)
    return page.get_by_role("button", name=words)


def check_all(page: Page, name: str) -> None:
    check_screen(page)
    picture(page, f"poch-{name}")


def test_the_game_that_the_clients_tests_replay_is_that_of_todays_rules() -> None:
    assert poch_game.FILE.read_text("utf-8") == poch_game.written(), "python -m tests.web.poch_game writes it again"


def test_two_people_and_bots_play_to_the_end(open_page: Opens) -> None:
    ada, ben = two_people(open_page, "poch", options={"deals": 2}, tickets=FROM_THE_FIRST)

    expect(choices(ada).first).to_be_visible()
    check_all(ada, "bid-phone-light")
    expect(choices(ben)).to_have_count(0)
    expect(ben.locator(".seat").filter(has=ben.locator(".badge .outer"))).to_contain_text("Ada")
    ada.get_by_role("button", name="Open with 1").click()
    expect(choices(ben).first).to_be_visible()
    expect(ben.locator(".trumps .all")).to_be_visible()  # on a desktop there is room for the sentence
    check_all(ben, "bid-desktop-dark")
    ben.get_by_role("button", name="Hold for").click()
    for page in (ada, ben):
        page.locator(".poch.playing").wait_for()
        picture(page, f"poch-play-{page.viewport_size}")
    play_to_the_end(ada, ben)

    for page in (ada, ben):
        expect(page.get_by_role("heading", level=1)).to_contain_text("win")


def test_the_pad_counts_within_what_may_be_bid(open_page: Opens) -> None:
    page, ben = two_people(open_page, "poch", options={"max_bid": 12}, tickets=FROM_THE_FIRST)
    bid = choices(page).first
    less, more = page.get_by_role("button", name="Bid one less"), page.get_by_role("button", name="Bid one more")

    expect(bid).to_have_text(re.compile(r"^\s*Open with 1\b"))
    less.click(force=True)  # there is nothing below the lowest bid, and it says so
    expect(bid).to_have_text(re.compile(r"^\s*Open with 1\b"))
    more.click()
    page.keyboard.press("+")
    expect(bid).to_have_text(re.compile(r"^\s*Open with 3\b"))
    page.keyboard.press("-")
    expect(bid).to_have_text(re.compile(r"^\s*Open with 2\b"))
    more.hover()
    page.mouse.down()
    expect(bid).to_have_text(re.compile(r"^\s*Open with 12\b"))
    page.mouse.up()
    page.keyboard.press("r")

    expect(ben.locator(".seat").filter(has_text="Ada").locator(".aside")).to_contain_text("12")
    expect(choices(ben).first).to_be_visible()


@pytest.mark.parametrize(("size", "theme"), [("phone", "dark"), ("desktop", "light")])
def test_a_card_to_start_with_and_the_next_suit_are_buttons_with_keys(open_page: Opens, size: str, theme: str) -> None:
    page = open_page("/", size=size, theme=theme, script=READS_QUICKLY)

    start = be_led_to(page, "Start with the seven of clubs")
    check_fits(page)
    check_targets(page)
    check_access(page)
    picture(page, f"poch-start-{size}-{theme}")
    start.click()
    page.locator("[data-lesson] button").click()
    expect(page.get_by_role("button", name="Name spades")).to_be_visible()
    check_access(page)
    picture(page, f"poch-name-{size}-{theme}")
    page.keyboard.press("1")

    expect(page.get_by_role("heading", name="You closed spades. Name a suit.")).to_be_visible()


NOTES_COINS: Final = """(() => {
  const note = () => {
    const coins = [...document.querySelectorAll(".layer .coin")].flatMap((coin) => coin.getAnimations());
    const frames = coins.flatMap((one) => one.effect.getKeyframes());
    const names = frames.flatMap(({ offset, computedOffset, easing, composite, ...rest }) => Object.keys(rest));
    if (names.length > 0) window.flown = [...new Set(names)];
  };
  addEventListener("DOMContentLoaded", () => {
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
  });
})()"""


TAP_ENDS: Final = """async () => {
  dispatchEvent(new PointerEvent("pointerdown"));
  for (let turn = 0; turn < 9; turn++) await null; // what the page draws at once is drawn now
  return !document.querySelector("[data-telling]");
}"""


def test_counters_fly_and_a_tap_shows_the_end(open_page: Opens) -> None:
    page = open_page("/", reduced_motion="no-preference", script=NOTES_COINS)
    against_bots(page, "poch", tickets=FROM_THE_FIRST)
    page.wait_for_function("() => window.flown")  # antes
    stop_the_clock(page)
    choices(page).last.click()
    expect(page.locator("[data-telling]")).to_be_attached()

    page.wait_for_function(TAP_ENDS)  # at once: the clock stands, and a bot's next step may be on its way

    flown = set(page.evaluate("() => flown"))
    assert "transform" in flown
    assert flown <= MOVES


@pytest.mark.parametrize(
    ("seats", "size", "theme", "language"),
    [
        (8, "small", "light", "fr"),
        (3, "phone", "dark", "es"),
        (2, "landscape", "dark", "fr"),
        (2, "desktop", "dark", "de"),
    ],
)
def test_every_number_of_seats_fits(open_page: Opens, seats: int, size: str, theme: str, language: str) -> None:
    page = open_page("/", size=size, theme=theme, language=language)
    against_bots(page, "poch", seats=seats)
    page.evaluate(WIDEST_FONT)

    check_all(page, f"{seats}-{size}-{theme}-{language}")
    if size == "small":
        expect(page.locator(".board .sign:visible")).to_have_count(7)  # every plate has its name, the pocher its fist
