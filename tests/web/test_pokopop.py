"""The table of Poko Pop! in a browser: jumping, waiting, clashes, whole games, on every screen."""

from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Opens, check_access, check_fits, fill_with_bots, picture, tab_to
from tests.web.test_lobby import opened_table, sit_down

SMALLEST_TARGET: Final = 44  # px
PLAYS: Final = """(always) => {
  let turns = 0;
  const timer = setInterval(() => {
    if (document.querySelector("[data-over]")) return clearInterval(timer);
    const next = document.querySelector("[data-next]:not(:disabled)");
    if (next) return next.click();
    const choices = [...document.querySelectorAll("[data-choice]:not(:disabled)")];
    if (!choices.length || choices.some((choice) => choice.ariaPressed === "true")) return;
    choices[always ?? turns++ % choices.length].click();
  }, 30);
}"""

OPENS: Final = """async (wanted) => {
  const asked = async (path, body) => {
    const headers = {"content-type": "application/json"};
    return (await fetch(path, {method: "POST", headers, body: JSON.stringify(body)})).json();
  };
  await asked("/api/guest", {name: "Ada"});
  return (await asked("/api/tables", wanted)).code;
}"""

STOPS_AT_A_CLASH: Final = """(() => {
  const hears = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  let isDeaf = false;
  Object.defineProperty(WebSocket.prototype, "onmessage", {set(listener) {
    hears.set.call(this, (event) => {
      if (!isDeaf) listener(event);
      isDeaf ||= new TextDecoder().decode(event.data).includes('"clashed",');
    });
  }});
})()"""


def choices(page: Page) -> Locator:
    return page.locator("[data-choice]")


def sealed(page: Page) -> Locator:
    return page.locator("[data-choice][aria-pressed=true]")


def at_rest(page: Page) -> None:
    """Wait until nothing moves."""
    page.locator('[data-play=""]').wait_for(state="attached")


def against_bots(page: Page, *, seats: int = 4, effects: bool = False) -> None:
    """Play at a table whose other seats have bots."""
    wanted = {"game": "pokopop", "seats": seats, "bots": seats - 1, "options": {"effects": effects}}
    code = page.evaluate(OPENS, wanted)
    page.evaluate("code => location.assign(`/t/${code}`)", code)
    page.locator("main button.main").click()
    expect(choices(page)).to_have_count(2)
    at_rest(page)


def two_people(open_page: Opens) -> tuple[Page, Page]:
    """Ada on a phone and Ben at a desk in the dark begin a game with bots."""
    ada = open_page("/", size="phone")
    ben = open_page(f"/t/{opened_table(ada, game='Poko Pop!')}", size="desktop", theme="dark")
    sit_down(ben, "Ben")
    fill_with_bots(ada)
    ben.get_by_role("button", name="I'm ready").click()
    ada.get_by_role("button", name="Start", exact=True).click()
    for page in (ada, ben):
        expect(choices(page)).to_have_count(2)
        at_rest(page)
    return ada, ben


def check_screen(page: Page) -> None:
    """Nothing has to be scrolled, nothing lies beneath one's own things, and all of it can be pressed and read."""
    check_fits(page)
    high, seen = page.evaluate("() => [document.documentElement.scrollHeight, window.innerHeight]")
    assert high <= seen, f"{high} px on a screen of {seen}"
    ends, begins = page.evaluate(
        """() => [
          Math.max(...[...document.querySelector(".felt").children].map((one) => one.getBoundingClientRect().bottom)),
          matchMedia("(orientation: landscape) and (max-height: 499px)").matches
            ? window.innerHeight : document.querySelector(".sheet").getBoundingClientRect().top,
        ]"""
    )
    assert ends <= begins, f"the table ends at {ends}, the sheet begins at {begins}"
    sizes = page.locator("button:visible").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map(({width, height}) => Math.min(width, height))"
    )
    assert min(sizes) >= SMALLEST_TARGET - 0.1, sizes
    check_access(page)


def test_two_people_and_bots_play_to_the_end(open_page: Opens) -> None:
    ada, ben = two_people(open_page)
    for page, name in ((ada, "phone-light"), (ben, "desktop-dark")):
        check_screen(page)
        picture(page, f"pokopop-open-{name}")

    ada.get_by_role("button", name="Poko!").click()
    expect(ada.get_by_role("heading", name="Poko, sealed")).to_be_visible()
    ada.get_by_role("button", name="Wait!").click()
    expect(ada.get_by_role("heading", name="Wait, sealed")).to_be_visible()
    expect(sealed(ada)).to_have_count(1)
    check_screen(ada)
    picture(ada, "pokopop-choose-phone-light")

    ben.evaluate(PLAYS)
    ada.evaluate(PLAYS)
    for page in (ada, ben):
        page.locator("[data-over]").wait_for(timeout=50_000)


@pytest.mark.parametrize(
    ("size", "theme", "language", "seats"),
    [("phone", "light", "de", 5), ("landscape", "dark", "fr", 5), ("desktop", "dark", "es", 3)],
)
def test_a_clash_keeps_nobody_out(open_page: Opens, size: str, theme: str, language: str, seats: int) -> None:
    page = open_page("/", size=size, theme=theme, language=language)
    page.add_init_script(STOPS_AT_A_CLASH)
    against_bots(page, seats=seats, effects=seats == 3)
    check_screen(page)
    picture(page, f"pokopop-open-{size}-{theme}-{language}")

    page.evaluate(PLAYS, 0)
    page.locator(".clash").wait_for(timeout=30_000)
    at_rest(page)

    check_screen(page)
    picture(page, f"pokopop-clash-{size}-{theme}-{language}")


def test_nothing_on_a_screen_tells_who_has_chosen(open_page: Opens) -> None:
    ada, ben = two_people(open_page)
    ben.wait_for_timeout(300)  # the bots have chosen long since
    before = ben.locator("main").evaluate("main => main.outerHTML")

    choices(ada).first.click()
    expect(sealed(ada)).to_have_count(1)
    ben.wait_for_timeout(300)

    assert ben.locator("main").evaluate("main => main.outerHTML") == before


def test_a_choice_by_keyboard_alone(open_page: Opens) -> None:
    ada, ben = two_people(open_page)
    ben.keyboard.press("p")
    expect(ben.locator("[data-choice='1']")).to_have_attribute("aria-pressed", "true")
    ben.keyboard.press("2")
    expect(ben.locator("[data-choice='0']")).to_have_attribute("aria-pressed", "true")

    tab_to(ben, ben.locator("[data-choice='1']"))
    picture(ben, "pokopop-focus-desktop-dark")
    ben.keyboard.press("Enter")

    expect(ben.locator("[data-choice='1']")).to_have_attribute("aria-pressed", "true")
    expect(sealed(ada)).to_have_count(0)


def test_all_duck_and_show_in_one_movement_and_a_tap_shows_its_end(open_page: Opens) -> None:
    page = open_page("/", size="phone")
    page.emulate_media(reduced_motion="no-preference")
    against_bots(page)
    choices(page).last.click()
    page.locator(':is([data-play="reveal"], [data-play="clash"])').wait_for(state="attached")
    moved = page.evaluate(
        """() => document.getAnimations().filter((one) => one.animationName)
          .flatMap((one) => one.effect.getKeyframes()).flatMap(Object.keys)"""
    )

    page.evaluate("() => dispatchEvent(new PointerEvent('pointerdown'))")

    expect(page.locator(".early")).to_have_count(0)
    assert {"transform", "opacity"} >= set(moved) - {"offset", "computedOffset", "easing", "composite"}


def test_a_big_screen_shows_the_creatures_and_nothing_to_press(open_page: Opens) -> None:
    ada = open_page("/", size="tv", theme="dark")
    opened_table(ada, game="Poko Pop!")
    tv = ada.context.new_page()
    tv.goto(f"{ada.url}/tv")
    fill_with_bots(ada)
    ada.get_by_role("button", name="Start", exact=True).click()
    expect(choices(ada)).to_have_count(2)

    expect(tv.locator("[data-seat]")).to_have_count(4)
    expect(tv.locator("button, a, input, [data-choice]")).to_have_count(0)
    check_fits(tv)
    check_access(tv)
    picture(tv, "pokopop-tv-dark")
