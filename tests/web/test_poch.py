"""The table of Poch in a browser: collecting, bidding, playing out, whole games, on every screen."""

from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import poch_game
from tests.web.conftest import Opens, check_access, check_fits, picture, tab_to
from tests.web.test_lobby import sit_down

SMALLEST_TARGET: Final = 44  # px
WIDEST_FONT: Final = """() => document.documentElement.style.setProperty("--sans", "'DejaVu Sans', sans-serif")"""
PLAYS: Final = """() => {
  let turns = 0;
  const timer = setInterval(() => {
    if (document.querySelector("[data-over]")) return clearInterval(timer);
    const choices = [...document.querySelectorAll("[data-choice]")];
    const next = document.querySelector("[data-next]");
    if (next) next.click();
    else if (!choices.some((choice) => choice.ariaPressed === "true")) choices[turns++ % choices.length]?.click();
  }, 30);
}"""

LED_TO: Final = """(words) => {
  const wanted = document.querySelector("[data-wanted]");
  const next = document.querySelector("[data-lesson] button");
  if (wanted && wanted.textContent.includes(words)) return true;
  if (next) next.click();
  else if (wanted?.ariaPressed === "false") wanted.click();
  return false;
}"""

ENDS: Final = """() => {
  const pieces = [...document.querySelectorAll(".middle > :is(.board, .track) > *")];
  const isBeside = matchMedia("(max-height: 499px)").matches;
  return [
    Math.max(...pieces.map((one) => one.getBoundingClientRect().bottom)),
    isBeside ? innerHeight : document.querySelector(".sheet").getBoundingClientRect().top,
  ];
}"""


def choices(page: Page) -> Locator:
    return page.locator("[data-choice]")


def at(page: Page, path: str) -> str:
    """An address of the house that a page was opened from."""
    return "/".join(page.url.split("/")[:3]) + path


def opened(page: Page, *, seats: int = 4, bots: int = 3, **options: Any) -> str:
    """Open a table of Poch as Ada; its code."""
    page.request.post(at(page, "/api/guest"), data={"name": "Ada", "language": "en"})
    wanted = {"game": "poch", "seats": seats, "bots": bots, "options": options}
    code: str = page.request.post(at(page, "/api/tables"), data=wanted).json()["code"]
    page.goto(at(page, f"/t/{code}"))
    return code


def against_bots(page: Page, *, seats: int = 4, **options: Any) -> None:
    """Play at a table whose other seats have bots."""
    opened(page, seats=seats, bots=seats - 1, **options)
    page.locator("main button.main").click()
    expect(choices(page).first).to_be_visible(timeout=15_000)  # trumps, antes and what is collected are shown first


def two_people(open_page: Opens) -> tuple[Page, Page]:
    """Ada on a phone and Ben at a desk in the dark begin a game of two deals with two bots."""
    ada = open_page("/", size="phone")
    ben = open_page(f"/t/{opened(ada, bots=2, deals=2)}", size="desktop", theme="dark")
    sit_down(ben, "Ben")
    ben.get_by_role("button", name="I'm ready").click()
    ada.get_by_role("button", name="Start", exact=True).click()
    return ada, ben


def asked(*pages: Page) -> Page:
    """The page whose turn it is to choose."""
    for _ in range(200):
        for page in pages:
            if choices(page).first.is_visible():
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("nobody is asked")


def be_led_to(page: Page, words: str) -> Locator:
    """In a guided game, whose cards are given: do what it says until a button with these words is the one to press."""
    page.goto(at(page, "/learn/poch"))
    page.wait_for_function(LED_TO, arg=words, polling=50, timeout=30_000)
    return page.get_by_role("button", name=words)


def check_targets(page: Page) -> None:
    """All that can be pressed is large enough for a thumb."""
    sizes = page.locator("button:visible").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map(({width, height}) => Math.min(width, height))"
    )
    assert min(sizes) >= SMALLEST_TARGET, sizes


def check_no_scroll(page: Page) -> None:
    """While a choice is open nothing has to be scrolled, and what lies on the table does not reach under the sheet."""
    high, seen = page.evaluate("() => [document.documentElement.scrollHeight, window.innerHeight]")
    assert high <= seen, f"{high} px on a screen of {seen}"
    ends, begins = page.evaluate(ENDS)
    assert ends <= begins, f"the table ends at {ends}, the sheet begins at {begins}"


def check_all(page: Page, name: str) -> None:
    check_fits(page)
    check_no_scroll(page)
    check_targets(page)
    check_access(page)
    picture(page, f"poch-{name}")


def test_the_game_that_the_clients_tests_replay_is_that_of_todays_rules() -> None:
    assert poch_game.FILE.read_text("utf-8") == poch_game.written(), "python -m tests.web.poch_game writes it anew"


def test_two_people_and_bots_play_to_the_end(open_page: Opens) -> None:
    ada, ben = two_people(open_page)
    names = {ada: "phone-light", ben: "desktop-dark"}

    first = asked(ada, ben)
    check_all(first, f"bid-{names[first]}")
    choices(first).first.click()
    second = asked(*(page for page in (ada, ben) if page is not first))
    check_all(second, f"bid-{names[second]}")
    second.get_by_role("button", name="Hold for").click()
    for page in (ada, ben):
        page.locator(".poch.playing").wait_for()
        picture(page, f"poch-play-{names[page]}")
    ben.evaluate(PLAYS)
    ada.evaluate(PLAYS)

    for page in (ada, ben):
        page.locator("[data-over]").wait_for(timeout=50_000)
        expect(page.get_by_role("heading", level=1)).to_contain_text("win")


def test_the_pad_counts_within_what_may_be_bid(open_page: Opens) -> None:
    page = open_page("/", size="desktop")
    against_bots(page, max_bid=12)
    bid = choices(page).first
    lowest = int(bid.inner_text().split()[2])
    less, more = page.get_by_role("button", name="Bid one less"), page.get_by_role("button", name="Bid one more")

    less.click(force=True)  # there is nothing below the lowest bid, and it says so
    expect(bid).to_contain_text(f" {lowest}")
    more.click()
    page.keyboard.press("+")
    expect(bid).to_contain_text(f" {min(lowest + 2, 12)}")
    page.keyboard.press("-")
    more.hover()
    page.mouse.down()
    expect(bid).to_contain_text(" 12")
    page.mouse.up()
    page.keyboard.press("r")

    expect(
        page.locator(".said, .told").get_by_text("12").or_(page.locator("aside").get_by_text("Ada raises to 12"))
    ).not_to_have_count(0)


def test_a_bid_by_keyboard_alone(open_page: Opens) -> None:
    page = open_page("/", size="desktop")
    against_bots(page)
    page.evaluate("() => document.activeElement?.blur()")

    tab_to(page, page.locator("[data-choice='0']"))
    picture(page, "poch-focus-desktop-light")
    page.keyboard.press("Enter")

    expect(page.locator("aside").get_by_text("Ada passes.")).to_be_visible()


@pytest.mark.parametrize(("size", "theme"), [("phone", "dark"), ("desktop", "light")])
def test_a_card_to_start_with_and_the_next_suit_are_buttons_with_keys(open_page: Opens, size: str, theme: str) -> None:
    page = open_page("/", size=size, theme=theme)

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


NOTES_COINS = """() => {
  const note = () => document.querySelector(".layer .coin") && requestAnimationFrame(() => {
    const keys = document.getAnimations().flatMap((one) => one.effect.getKeyframes()).flatMap(Object.keys);
    if (keys.length > 0) window.moved ??= keys;
  });
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
}"""


def test_counters_fly_and_a_tap_shows_the_end(open_page: Opens) -> None:
    page = open_page("/", size="phone")
    page.emulate_media(reduced_motion="no-preference")
    against_bots(page)
    page.evaluate(NOTES_COINS)
    page.evaluate(PLAYS)  # at the latest when somebody is out, counters change hands
    page.wait_for_function("() => window.moved", timeout=50_000)

    page.locator("h1").click()

    expect(page.locator("[data-telling]")).to_have_count(0)
    moved = set(page.evaluate("() => window.moved"))
    assert {"transform", "opacity"} >= moved - {"offset", "computedOffset", "easing", "composite"}


def test_who_watches_sees_the_table_and_nothing_to_press(open_page: Opens) -> None:
    ada = open_page("/", size="phone")
    code = opened(ada)
    watcher = open_page(f"/t/{code}", size="desktop")
    ada.locator("main button.main").click()
    asked(ada)

    expect(watcher.get_by_text("Watching", exact=True)).to_be_visible()
    expect(watcher.locator(".seat")).to_have_count(4)
    expect(choices(watcher)).to_have_count(0)
    check_access(watcher)
    picture(watcher, "poch-watch-desktop-light")


@pytest.mark.parametrize(
    ("seats", "size", "theme", "language"),
    [
        (8, "phone", "light", "de"),
        (3, "phone", "dark", "es"),
        (2, "landscape", "dark", "fr"),
        (8, "desktop", "light", "fr"),
        (2, "desktop", "dark", "de"),
    ],
)
def test_every_number_of_seats_fits(open_page: Opens, seats: int, size: str, theme: str, language: str) -> None:
    page = open_page("/", size=size, theme=theme, language=language)
    against_bots(page, seats=seats)
    page.evaluate(WIDEST_FONT)

    check_all(page, f"{seats}-{size}-{theme}-{language}")
