"""The table of Pokerdice in a browser: sealing cards, shelves of dice, reveals, whole games, on every screen."""

from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Opens, check_access, check_fits, fill_with_bots, picture, tab_to
from tests.web.test_learn import be_led
from tests.web.test_lobby import opened_table, sit_down

SMALLEST_TARGET: Final = 44  # px
PLAYS: Final = """() => {
  let turns = 0;
  const timer = setInterval(() => {
    if (document.querySelector("[data-over]")) return clearInterval(timer);
    const next = document.querySelector("[data-next]:not(:disabled)");
    if (next) return next.click();
    const choices = [...document.querySelectorAll("[data-choice]:not(:disabled)")];
    if (choices.some((choice) => choice.ariaPressed === "true")) return;
    const dice = [...document.querySelectorAll("[data-die]:not(:disabled)")];
    turns++;
    if (dice.length && turns % 3) dice[turns % dice.length].click();
    else choices[turns % choices.length]?.click();
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
      isDeaf ||= new TextDecoder().decode(event.data).includes('"revealed",');
    });
  }});
})()"""


def choices(page: Page) -> Locator:
    return page.locator("[data-choice]")


def sealed(page: Page) -> Locator:
    return page.locator("[data-choice][aria-pressed=true]")


def dice(page: Page) -> Locator:
    return page.locator("[data-die]:not(:disabled)")


def at_rest(page: Page) -> None:
    """Wait until nothing moves."""
    page.locator('[data-play=""]').wait_for(state="attached")


def against_bots(page: Page, *, seats: int = 4, active: int = 1, variant: str = "normal") -> None:
    """Play at a table whose other seats have bots; the first seat is ours."""
    options = {"first_active": f"p{active}", "variant": variant}
    code = page.evaluate(OPENS, {"game": "pokerdice", "seats": seats, "bots": seats - 1, "options": options})
    page.evaluate("code => location.assign(`/t/${code}`)", code)
    page.locator("main button.main").click()
    expect(choices(page).first).to_be_visible()
    at_rest(page)


def two_people(open_page: Opens) -> tuple[Page, Page]:
    """Ada on a phone and Ben at a desk in the dark begin a game with bots."""
    ada = open_page("/", size="phone")
    ben = open_page(f"/t/{opened_table(ada, game='Pokerdice')}", size="desktop", theme="dark")
    sit_down(ben, "Ben")
    fill_with_bots(ada)
    ben.get_by_role("button", name="I'm ready").click()
    ada.get_by_role("button", name="Start", exact=True).click()
    for page in (ada, ben):
        expect(choices(page)).to_have_count(10)
    return ada, ben


def check_targets(page: Page) -> None:
    """All that can be pressed is large enough for a thumb."""
    sizes = page.locator("button:visible").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map(({width, height}) => Math.min(width, height))"
    )
    assert min(sizes) >= SMALLEST_TARGET - 0.1, sizes


def check_no_scroll(page: Page) -> None:
    """While a choice is open nothing has to be scrolled, and the tray does not lie beneath one's own things."""
    high, seen = page.evaluate("() => [document.documentElement.scrollHeight, window.innerHeight]")
    assert high <= seen, f"{high} px on a screen of {seen}"
    ends, begins = page.evaluate(
        """() => [
          document.querySelector(".tray").getBoundingClientRect().bottom,
          matchMedia("(orientation: landscape) and (max-height: 499px)").matches
            ? window.innerHeight : document.querySelector(".sheet").getBoundingClientRect().top,
        ]"""
    )
    assert ends <= begins, f"the tray ends at {ends}, the sheet begins at {begins}"


def check_screen(page: Page) -> None:
    check_fits(page)
    check_no_scroll(page)
    check_targets(page)
    check_access(page)


def test_two_people_and_bots_play_to_the_end(open_page: Opens) -> None:
    ada, ben = two_people(open_page)
    for page, name in ((ada, "phone-light"), (ben, "desktop-dark")):
        check_screen(page)
        picture(page, f"pokerdice-open-{name}")

    choices(ada).nth(0).click()
    expect(ada.get_by_role("heading", name="Joker, sealed")).to_be_visible()
    choices(ada).nth(7).click()
    expect(ada.get_by_role("heading", name="Full house, sealed")).to_be_visible()
    expect(sealed(ada)).to_have_count(1)
    picture(ada, "pokerdice-choose-phone-light")
    check_access(ada)

    ben.evaluate(PLAYS)
    ada.evaluate(PLAYS)
    for page in (ada, ben):
        page.locator("[data-over]").wait_for(timeout=50_000)
        expect(page.get_by_role("heading", level=1)).to_contain_text("win")


@pytest.mark.parametrize(("size", "theme"), [("phone", "light"), ("landscape", "dark"), ("desktop", "light")])
def test_dice_are_held_and_freed_with_a_tap(open_page: Opens, size: str, theme: str) -> None:
    page = open_page("/", size=size, theme=theme)
    page.add_init_script(STOPS_AT_A_REVEAL)
    against_bots(page)
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
    page.wait_for_timeout(300)
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


def test_nothing_on_a_screen_tells_who_has_chosen(open_page: Opens) -> None:
    ada, ben = two_people(open_page)
    at_rest(ben)
    ben.wait_for_timeout(300)  # the bots have chosen long since
    before = ben.locator("main").evaluate("main => main.outerHTML")

    choices(ada).first.click()
    expect(sealed(ada)).to_have_count(1)
    ben.wait_for_timeout(300)

    assert ben.locator("main").evaluate("main => main.outerHTML") == before


def test_cards_turn_in_one_movement_and_a_tap_shows_its_end(open_page: Opens) -> None:
    page = open_page("/", size="phone")
    page.emulate_media(reduced_motion="no-preference")
    against_bots(page)
    choices(page).first.click()
    page.get_by_role("button", name="Stop").click()
    page.locator('[data-play="reveal"]').wait_for(state="attached")
    moved = page.evaluate(
        """() => document.getAnimations().filter((one) => one.animationName)
          .flatMap((one) => one.effect.getKeyframes()).flatMap(Object.keys)"""
    )

    page.evaluate("() => dispatchEvent(new PointerEvent('pointerdown'))")

    expect(page.locator('[data-play="reveal"]')).to_have_count(0)
    assert {"transform", "opacity"} >= set(moved) - {"offset", "computedOffset", "easing", "composite"}


@pytest.mark.parametrize(
    ("size", "theme", "language"), [("phone", "light", "de"), ("landscape", "dark", "fr"), ("desktop", "dark", "es")]
)
def test_five_at_a_table(open_page: Opens, size: str, theme: str, language: str) -> None:
    page = open_page("/", size=size, theme=theme, language=language)
    page.add_init_script(STOPS_AT_A_REVEAL)
    against_bots(page, seats=5, active=3)

    check_screen(page)
    picture(page, f"pokerdice-five-{size}-{theme}-{language}")
    choices(page).first.click()
    expect(page.locator("[data-next]")).to_be_visible()
    at_rest(page)
    check_fits(page)
    check_access(page)
    picture(page, f"pokerdice-five-reveal-{size}-{theme}-{language}")


def test_two_cards_are_sealed_together_in_the_double_game(open_page: Opens) -> None:
    page = open_page("/", size="phone")
    against_bots(page, seats=2, active=2, variant="double")

    choices(page).nth(0).click()
    expect(page.get_by_role("heading", name="Joker, and one more")).to_be_visible()
    expect(sealed(page)).to_have_count(0)
    check_screen(page)
    picture(page, "pokerdice-double-phone-light")
    choices(page).nth(7).click()

    expect(page.locator("[data-next]")).to_be_visible()
    picture(page, "pokerdice-double-reveal-phone-light")
    page.evaluate(PLAYS)
    page.locator("[data-over]").wait_for(timeout=50_000)


def test_the_guided_game_marks_the_dice_to_be_freed(open_page: Opens) -> None:
    page = open_page("/learn/pokerdice")

    be_led(page)

    expect(page.get_by_role("heading", level=1)).to_contain_text("You know")
