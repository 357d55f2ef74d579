"""The front door, on every screen and in every language."""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Final

import httpx
import pytest
from playwright.sync_api import expect

from pokade.games import GAMES
from pokade.texts import LANGUAGES
from tests.web.conftest import Console, Opens, check_access, check_fits, picture
from tests.web.houses import House

TABS: Final = ("", "watch", "mine", "rules")
OWNERS: Final = {"Benedikt": "20s", "Emil": "none", "Cleo": "45s", "Gus": "2min", "Hana": "1day"}  # and their clocks


@pytest.fixture(scope="module")
def house(client: Path) -> Iterator[House]:
    """A house with few tables: the lists show them all."""
    opened = House()
    opened.start()
    yield opened
    opened.kill()


@pytest.fixture(scope="module")
def tables(house: House) -> list[str]:
    """Open tables with people at them, so that the lists have something to show."""
    codes = []
    for (name, clock), game in zip(OWNERS.items(), cycle(reversed(GAMES)), strict=False):
        with httpx.Client(base_url=house.url) as person:
            person.post("/api/guest", json={"name": name})
            seats = max(3, GAMES[game].usual_seats)
            table = {"game": game, "seats": seats, "bots": seats - 2, "clock": clock, "listed": True}
            codes.append(person.post("/api/tables", json=table).json()["code"])
    return codes


@pytest.mark.parametrize("size", ["phone", "landscape", "desktop"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_front_door_is_open_to_all(open_page: Opens, tables: list[str], size: str, theme: str) -> None:
    page = open_page("/", size=size, theme=theme)

    expect(page.get_by_role("link", name=f"Sit: {list(GAMES.values())[-1].title}")).to_be_visible()
    check_fits(page)
    check_access(page)
    picture(page, f"home-{size}-{theme}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tab_fits_a_small_phone_in_every_language(open_page: Opens, tables: list[str], language: str) -> None:
    page = open_page("/", language=language)

    for place, tab in enumerate(TABS):
        page.locator(f'nav.bottom a[href$="/{tab}"]').click()
        expect(page.locator(f'nav.bottom a[href$="/{tab}"][aria-current]')).to_be_visible()
        check_fits(page)
        if place == list(LANGUAGES).index(language) % len(TABS):  # each tab in one of the languages
            check_access(page)
        picture(page, f"home-{tab or 'play'}-{language}", full=True)


def test_the_language_changes_in_place_and_is_remembered(open_page: Opens) -> None:
    page = open_page("/")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    check_access(page)
    picture(page, "settings")

    page.get_by_role("radio", name="Deutsch").check()

    expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    picture(page, "settings-de")
    page.reload()
    expect(page.get_by_role("link", name="Neuer Tisch").first).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "de"


def test_the_theme_changes_in_place(open_page: Opens) -> None:
    page = open_page("/")
    page.get_by_role("button", name="Settings").click()

    page.get_by_role("radio", name="Dark").check()

    expect(page.locator("body")).to_have_css("background-color", "rgb(21, 15, 38)")
    page.get_by_role("switch", name="Left-handed").click()
    page.get_by_role("switch", name="Large pieces").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-hand", "left")
    expect(page.locator("html")).to_have_attribute("data-pieces", "large")


def test_one_can_take_a_name(open_page: Opens) -> None:
    page = open_page("/", size="desktop")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Your name").fill("Ada")

    page.get_by_role("button", name="Keep the name").click()

    expect(page.get_by_text("Ada (guest)")).to_be_visible()


def test_a_code_that_does_not_exist_is_said_to_be_wrong(open_page: Opens, console: Console) -> None:
    console.expects(r"404 .*/api/join/ZZZZZ")
    page = open_page("/join")
    check_access(page)
    picture(page, "join")
    page.get_by_label("Table code").fill("ZZZZZ")

    page.get_by_role("button", name="Join").click()

    expect(page.get_by_role("alert")).to_have_text("There is no such table.")
    expect(page.get_by_label("Table code")).to_have_accessible_description("There is no such table.")
    check_access(page)
    picture(page, "join-wrong")
    page.get_by_label("Table code").fill("")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Join").click(force=True)
    expect(page.locator("[aria-live]").get_by_text("Type the code first.")).to_be_attached()


def test_a_code_leads_to_its_table(open_page: Opens, tables: list[str]) -> None:
    page = open_page(f"/join/{tables[0].lower()}")

    expect(page).to_have_url(f"{page.url.split('/join')[0]}/t/{tables[0]}")


@pytest.mark.parametrize(
    ("path", "complaints"),
    [
        ("/foo", [r"404 .*/foo"]),
        ("/rules/nothing", []),
        ("/t/ZZZZZ", [r"404 .*/api/join/ZZZZZ"]),
        ("/over/0123456789abcdef", []),
    ],
)
def test_an_address_that_leads_nowhere_leads_home(
    open_page: Opens, console: Console, path: str, complaints: list[str]
) -> None:
    console.expects(*complaints)
    page = open_page(path)

    expect(page.get_by_role("link", name="Home").first).to_be_visible()
    picture(page, f"lost{path.replace('/', '-')}")
    check_access(page)
