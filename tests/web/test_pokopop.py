"""The table of Poko Pop! in a browser: jumping, waiting, clashes, whole games, on every screen."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.server.clients import Guest
from tests.web import tables
from tests.web.conftest import Opens, check_access, check_fits, picture
from tests.web.houses import House
from tests.web.tables import (
    NOTES_MOVEMENTS,
    against_bots,
    at_rest,
    check_movement,
    check_screen,
    choices,
    opened,
    sealed,
    sit_down,
    stop_the_clock,
    tab_to,
)

POKO: Final = 1


def two_people(open_page: Opens) -> tuple[Page, Page]:
    ada, ben = tables.two_people(open_page, "pokopop")
    for page in (ada, ben):
        expect(choices(page)).to_have_count(2)
        at_rest(page)
    return ada, ben


@pytest.mark.parametrize(
    ("size", "theme", "language", "seats"),
    [("phone", "light", "de", 5), ("landscape", "dark", "fr", 5), ("desktop", "dark", "es", 3)],
)
def test_a_clash_keeps_nobody_out(
    open_page: Opens, house: House, size: str, theme: str, language: str, seats: int
) -> None:
    page = open_page("/", size=size, theme=theme, language=language)
    table, _ = opened(page, game="pokopop", seats=seats, bots=seats - 2, options={"effects": seats == 3})
    with Guest(house.url.removeprefix("http://"), "Ben") as ben:
        tab = ben.at(table)
        tab.say("sit", name="Ben")
        tab.say("ready", ready=True)
        page.locator("main button.main:not([aria-disabled=true])").click()
        expect(choices(page)).to_have_count(2)
        at_rest(page)
        check_screen(page)
        picture(page, f"pokopop-open-{size}-{theme}-{language}")

        page.locator(f"[data-choice='{POKO}']").click()
        tab.say("choose", seat=1, choice=POKO, id="1")

        expect(page.locator(".clash")).to_be_visible()
        at_rest(page)
        check_screen(page)
        picture(page, f"pokopop-clash-{size}-{theme}-{language}")


def test_a_choice_by_keyboard_alone(open_page: Opens) -> None:
    ada, ben = two_people(open_page)
    ben.keyboard.press("p")
    expect(ben.locator("[data-choice='1']")).to_have_attribute("aria-pressed", "true")
    ben.keyboard.press("2")
    expect(ben.locator("[data-choice='0']")).to_have_attribute("aria-pressed", "true")

    tab_to(ben, ben.locator("[data-waiting] button"))
    ben.keyboard.press("Enter")
    expect(ben.locator("[data-choice='0']")).to_be_focused()
    tab_to(ben, ben.locator("[data-choice='1']"))
    picture(ben, "pokopop-focus-desktop-dark")
    ben.keyboard.press("Enter")

    expect(ben.locator("[data-choice='1']")).to_have_attribute("aria-pressed", "true")
    expect(sealed(ada)).to_have_count(0)


def test_all_duck_and_show_in_one_movement_and_a_tap_shows_its_end(open_page: Opens) -> None:
    page = open_page("/", reduced_motion="no-preference", script=NOTES_MOVEMENTS)
    against_bots(page, "pokopop")
    stop_the_clock(page)
    page.locator(f"[data-choice='{POKO}']").click()  # alone it takes the card, with others it is a clash
    shown = page.locator(':is([data-play="reveal"], [data-play="clash"])')
    expect(shown).to_be_attached()
    expect(page.locator(".pokopop.early")).to_be_attached()  # all still duck
    expect(page.get_by_role("heading", name="Poko, sealed")).to_be_visible()  # the sheet says what it said
    expect(page.locator(":is([data-verdict], [data-outcome]):visible")).to_have_count(0)

    check_movement(page, shown.get_attribute("data-play") or "")

    expect(page.locator(".early")).to_have_count(0)


def test_what_is_asked_next_is_not_said_before_all_have_shown(open_page: Opens) -> None:
    ada = open_page("/", reduced_motion="no-preference")
    _, code = opened(ada, game="pokopop", seats=3)
    others = [open_page(f"/t/{code}") for _ in range(2)]
    for page, name in zip(others, ("Ben", "Cleo"), strict=True):
        sit_down(page, name)
        page.get_by_role("button", name="I'm ready").click()
    ada.get_by_role("button", name="Start", exact=True).click()
    expect(ada.get_by_role("heading", name="On Poko 1")).to_be_visible()
    stop_the_clock(ada)

    for page, choice in zip((ada, *others), (1 - POKO, POKO, 1 - POKO), strict=True):
        page.locator(f"[data-choice='{choice}']").click()

    expect(ada.locator(".pokopop.early")).to_be_attached()  # Ben will take the card, and all still duck
    expect(ada.get_by_role("heading", name="On Poko 1")).to_be_visible()
    ada.evaluate("() => dispatchEvent(new PointerEvent('pointerdown'))")
    expect(ada.get_by_role("heading", name="On Poko 2")).to_be_visible()


def test_a_big_screen_shows_the_creatures_and_nothing_to_press(open_page: Opens) -> None:
    ada = open_page("/", size="tv", theme="dark")
    opened(ada, game="pokopop", bots=3)
    tv = ada.context.new_page()
    tv.goto(f"{ada.url}/tv")
    ada.locator("main button.main").click()
    expect(choices(ada)).to_have_count(2)

    expect(tv.locator("[data-seat]")).to_have_count(4)
    expect(tv.locator("button, a, input, [data-choice]")).to_have_count(0)
    check_fits(tv)
    check_access(tv)
    picture(tv, "pokopop-tv-dark")
