"""The table of POK in a browser: sealing, showing, whole games, on every screen."""

from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Opens, check_access, check_fits, picture, tab_to
from tests.web.test_lobby import opened_table, sit_down

SMALLEST_TARGET: Final = 44  # px
PLAYS: Final = """() => {
  let turns = 0;
  const timer = setInterval(() => {
    if (document.querySelector("[data-over]")) return clearInterval(timer);
    const choices = [...document.querySelectorAll("[data-choice]")];
    const next = document.querySelector("[data-next]:not(:disabled)");
    if (next) next.click();
    else if (!choices.some((choice) => choice.ariaPressed === "true")) choices[turns++ % choices.length]?.click();
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

STOPS_AT_A_REVEAL: Final = """(() => {
  const hears = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  let isDeaf = false;
  Object.defineProperty(WebSocket.prototype, "onmessage", {set(listener) {
    hears.set.call(this, (event) => {
      if (!isDeaf) listener(event);
      isDeaf ||= new TextDecoder().decode(event.data).includes('"shown",');
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


def against_bots(page: Page, *, seats: int = 4, memory: str = "strict") -> None:
    """Play at a table whose other seats have bots."""
    wanted = {"game": "pok", "seats": seats, "bots": seats - 1, "options": {"memory": memory}}
    code = page.evaluate(OPENS, wanted)
    page.evaluate("code => location.assign(`/t/${code}`)", code)
    page.locator("main button.main").click()
    expect(choices(page).first).to_be_visible()
    at_rest(page)


def two_people(open_page: Opens) -> tuple[Page, Page]:
    """Ada on a phone and Ben at a desk in the dark begin a game with two bots."""
    ada = open_page("/", size="phone")
    ben = open_page(f"/t/{opened_table(ada)}", size="desktop", theme="dark")
    sit_down(ben, "Ben")
    ada.get_by_role("button", name="Add a bot").click()
    ada.get_by_role("button", name="Add a bot").click()
    ben.get_by_role("button", name="I'm ready").click()
    ada.get_by_role("button", name="Start", exact=True).click()
    for page in (ada, ben):
        expect(choices(page)).to_have_count(3)
    return ada, ben


def check_targets(page: Page) -> None:
    """All that can be pressed is large enough for a thumb."""
    sizes = page.locator("button:visible").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map(({width, height}) => Math.min(width, height))"
    )
    assert min(sizes) >= SMALLEST_TARGET, sizes


def check_no_scroll(page: Page) -> None:
    """While a choice is open nothing has to be scrolled, and nothing lies beneath the sheet."""
    high, seen = page.evaluate("() => [document.documentElement.scrollHeight, window.innerHeight]")
    assert high <= seen, f"{high} px on a screen of {seen}"
    ends, begins = page.evaluate(
        """() => [
          Math.max(...[...document.querySelectorAll(".felt .label")].map((one) => one.getBoundingClientRect().bottom)),
          matchMedia("(orientation: landscape) and (max-height: 499px)").matches
            ? window.innerHeight : document.querySelector(".sheet").getBoundingClientRect().top,
        ]"""
    )
    assert ends <= begins, f"the dice end at {ends}, the sheet begins at {begins}"


def test_two_people_and_bots_play_to_the_end(open_page: Opens) -> None:
    ada, ben = two_people(open_page)
    for page, name in ((ada, "phone-light"), (ben, "desktop-dark")):
        check_fits(page)
        check_no_scroll(page)
        check_targets(page)
        check_access(page)
        picture(page, f"pok-open-{name}")

    choices(ada).nth(0).click()
    expect(ada.get_by_role("heading", name="Disc, sealed")).to_be_visible()
    choices(ada).nth(2).click()
    expect(ada.get_by_role("heading", name="Triangle, sealed")).to_be_visible()
    expect(sealed(ada)).to_have_count(1)
    picture(ada, "pok-choose-phone-light")
    check_access(ada)
    ben.keyboard.press("2")
    for page in (ada, ben):
        expect(page.locator("[data-next]")).to_be_visible()

    ben.evaluate(PLAYS)
    ada.evaluate(PLAYS)
    for page in (ada, ben):
        page.locator("[data-over]").wait_for(timeout=50_000)
        expect(page.get_by_role("heading", level=1)).to_contain_text("win")


def test_the_reveal_keeps_nobody_out(open_page: Opens) -> None:
    for size, theme in (("phone", "light"), ("desktop", "dark")):
        page = open_page("/", size=size, theme=theme)
        page.add_init_script(STOPS_AT_A_REVEAL)
        against_bots(page)
        choices(page).first.click()

        expect(page.locator("[data-next]")).to_be_visible()
        at_rest(page)
        check_fits(page)
        check_access(page)
        check_targets(page)
        picture(page, f"pok-reveal-{size}-{theme}")


def test_nothing_on_a_screen_tells_who_has_chosen(open_page: Opens) -> None:
    ada, ben = two_people(open_page)
    at_rest(ben)
    ben.wait_for_timeout(300)  # the bots have chosen long since
    before = ben.locator("main").evaluate("main => main.outerHTML")

    choices(ada).first.click()
    expect(sealed(ada)).to_have_count(1)
    ben.wait_for_timeout(300)

    assert ben.locator("main").evaluate("main => main.outerHTML") == before


def test_a_choice_by_keyboard_alone(open_page: Opens) -> None:
    page = open_page("/", size="desktop")
    against_bots(page)
    page.evaluate("() => document.activeElement?.blur()")

    tab_to(page, page.locator("[data-choice='1']"))
    picture(page, "pok-focus-desktop-light")
    page.keyboard.press("Enter")

    tab_to(page, page.locator("[data-next]"))
    page.keyboard.press("Enter")
    expect(choices(page).first).to_be_visible()


def test_hands_open_in_one_movement_and_a_tap_shows_its_end(open_page: Opens) -> None:
    page = open_page("/", size="phone")
    page.emulate_media(reduced_motion="no-preference")
    against_bots(page)
    choices(page).first.click()
    page.locator('[data-play="reveal"]').wait_for(state="attached")
    moved = page.evaluate(
        """() => document.getAnimations().filter((one) => one.animationName)
          .flatMap((one) => one.effect.getKeyframes()).flatMap(Object.keys)"""
    )

    page.evaluate("() => dispatchEvent(new PointerEvent('pointerdown'))")

    expect(page.locator('[data-play="reveal"]')).to_have_count(0)
    assert {"transform", "opacity"} >= set(moved) - {"offset", "computedOffset", "easing", "composite"}


@pytest.mark.parametrize(
    ("size", "theme", "language", "memory"),
    [
        ("phone", "light", "de", "assisted"),
        ("landscape", "dark", "fr", "strict"),
        ("desktop", "light", "es", "assisted"),
    ],
)
def test_seven_at_a_table(open_page: Opens, size: str, theme: str, language: str, memory: str) -> None:
    page = open_page("/", size=size, theme=theme, language=language)
    page.add_init_script(STOPS_AT_A_REVEAL)
    against_bots(page, seats=7, memory=memory)

    check_fits(page)
    check_no_scroll(page)
    check_targets(page)
    check_access(page)
    picture(page, f"pok-seven-{size}-{theme}-{language}")
    choices(page).first.click()
    expect(page.locator("[data-next]")).to_be_visible()
    at_rest(page)
    check_fits(page)
    picture(page, f"pok-seven-reveal-{size}-{theme}-{language}")


def test_ones_own_counters_come_before_the_rivals_and_phrases_after_them(open_page: Opens) -> None:
    ada, ben = two_people(open_page)
    order = ben.evaluate(
        """() => [".aside", "[data-choice]", ".hands", "[data-phrase]"]
          .map((one) => document.querySelector(`main > ${one}, main > * ${one}`))
          .map((one, at, all) => at === 0 || !!(all[at - 1].compareDocumentPosition(one) & 4))"""
    )

    ben.get_by_role("button", name="Well played!").click()

    assert order == [True] * 4
    expect(ada.get_by_text("Well played!").first).to_be_visible()
