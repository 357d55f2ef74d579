"""Guided first games: one sentence at a time, the choice that goes on is marked, and at the end a real game."""

from itertools import cycle
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from pokade.games import GAMES
from tests.web.conftest import Opens, at, check_access, check_fits, picture
from tests.web.tables import LONG_ENOUGH, stop_the_clock

SCREENS: Final = (("phone", "light"), ("phone", "dark"), ("desktop", "dark"))
READS_QUICKLY: Final = """(() => {
  const now = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => now() + (ahead += 400);
})()"""  # between two taps there is always time enough
LED: Final = """(isReading) => {
  const timer = setInterval(() => {
    const wanted = document.querySelector("[data-wanted]:not(:disabled)");
    if (document.querySelector("[data-over]") || (isReading && wanted)) return clearInterval(timer);
    const next = document.querySelector("[data-lesson] button");
    if (next) next.click();
    else if (wanted && wanted.ariaPressed !== "true") wanted.click();
  }, 10);
}"""


def read_on(page: Page) -> None:
    """Read until there is something to choose."""
    page.evaluate(LED, True)
    page.locator("[data-wanted]").wait_for()


def be_led(page: Page) -> None:
    """Do what a guided game says, to its end."""
    page.evaluate(LED, False)
    page.locator("[data-taught]").wait_for(timeout=LONG_ENOUGH)


NOTES_NEXT: Final = """(() => {
  window.told = 0;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (message) {
    told += message.includes("next") ? 1 : 0;
    send.call(this, message);
  };
})()"""


def test_a_second_tap_at_once_belongs_to_the_first(open_page: Opens) -> None:
    page = open_page("/learn/pok", script=NOTES_NEXT)
    said = page.locator("[data-lesson] p")
    expect(said).to_be_visible()
    stop_the_clock(page)
    go_on = page.get_by_role("button", name="Go on")
    first = said.inner_text()
    go_on.click()
    expect(said).not_to_have_text(first)
    second, told = said.inner_text(), page.evaluate("() => told")

    go_on.click()
    expect(said).to_have_text(second)
    assert page.evaluate("() => told") == told
    page.clock.run_for(400)
    go_on.click()

    expect(said).not_to_have_text(second)


@pytest.mark.parametrize(
    ("game", "size", "theme"),
    [(game, *screen) for game, screen in zip(GAMES, cycle(SCREENS), strict=False)],
)
def test_a_guided_game_leads_to_a_real_one(open_page: Opens, game: str, size: str, theme: str) -> None:
    page = open_page(f"/learn/{game}", size=size, theme=theme, script=READS_QUICKLY)
    said = page.locator("[data-lesson] p")
    expect(said).to_be_visible()
    check_access(page)
    check_fits(page)
    picture(page, f"learn-{game}-{size}-{theme}")
    first = said.inner_text()
    page.get_by_role("button", name="Go on").click()
    expect(said).not_to_have_text(first)

    be_led(page)

    expect(page.get_by_role("heading", level=1)).to_contain_text("You know")
    check_access(page)
    picture(page, f"taught-{game}-{size}-{theme}")
    page.get_by_role("button", name="Play a real game").click()
    expect(page.locator("[data-choice]").first).to_be_visible()
    mine = page.request.get(at(page, "/api/mine")).json()
    assert [table["status"] for table in mine if table["status"] == "on"] == ["on"]  # one lesson was opened, not two


def test_another_choice_than_the_marked_one_is_not_taken(open_page: Opens) -> None:
    page = open_page("/learn/pok", language="de", script=READS_QUICKLY)
    read_on(page)
    picture(page, "learn-choose-de")
    check_fits(page)

    page.locator("[data-choice]:not([data-wanted])").first.click()

    expect(page.get_by_role("alert")).to_contain_text("Gute Idee")
    expect(page.locator("[data-choice][aria-pressed=true]")).to_have_count(0)
    picture(page, "learn-other-de")
