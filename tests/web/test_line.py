"""A lost line shows, heals by itself, and loses no choice."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Opens, check_access, picture, play_to_the_end
from tests.web.houses import House


@pytest.fixture
def house(client: Path, tmp_path: Path) -> Iterator[House]:
    """A house of this test alone: it is killed in the middle."""
    opened = House(tmp_path)
    opened.start()
    yield opened
    opened.kill()


def waiting_game(page: Page) -> None:
    """A game with a second person at the table, so that a sealed choice waits."""
    page.get_by_role("button", name="POK against bots").click()
    expect(page.locator("[data-choice]").first).to_be_visible()


def test_a_killed_house_that_comes_back_goes_on_where_it_was(
    open_page: Opens, house: House, expected_errors: list[str]
) -> None:
    page = open_page("/")
    waiting_game(page)
    house.kill()

    expect(page.get_by_role("alert")).to_contain_text("Connection lost")
    page.locator("[data-choice]").first.click()
    expect(page.get_by_text("not in yet")).to_be_visible()
    picture(page, "offline")
    check_access(page)
    house.start()

    expect(page.get_by_role("alert")).to_have_count(0, timeout=20_000)  # by now the page tries only every few seconds
    expect(page.get_by_text("not in yet")).to_have_count(0)
    play_to_the_end(page)


def test_a_reload_in_the_middle_goes_on_where_it_was(open_page: Opens) -> None:
    page = open_page("/")
    waiting_game(page)

    page.reload()

    expect(page.locator("[data-choice]").first).to_be_visible()


def test_the_back_button_leaves_the_table_and_comes_back_to_it(open_page: Opens) -> None:
    page = open_page("/")
    waiting_game(page)

    page.go_back()
    expect(page.get_by_role("button", name="POK against bots")).to_be_visible()
    page.go_forward()

    expect(page.locator("[data-choice]").first).to_be_visible()


def test_two_tabs_show_the_same_game(open_page: Opens) -> None:
    page = open_page("/")
    waiting_game(page)
    other = page.context.new_page()
    other.goto(page.url)

    expect(other.locator("[data-choice]").first).to_be_visible()
    play_to_the_end(other)
    expect(page.locator("[data-over]")).to_be_visible()


def test_a_page_that_is_older_than_the_house_loads_itself_anew(open_page: Opens, expected_errors: list[str]) -> None:
    page = open_page("/")
    page.evaluate("() => document.querySelector('meta[name=build]').setAttribute('content', 'old')")

    waiting_game(page)

    assert page.evaluate("() => document.querySelector('meta[name=build]').content") != "old"


def test_everything_works_where_there_is_no_secure_context(open_page: Opens) -> None:
    page = open_page("/", host="pokade.test")
    assert page.evaluate("() => isSecureContext") is False

    waiting_game(page)
    play_to_the_end(page)

    expect(page.locator("[data-fair]")).to_have_attribute("data-fair", "fair")  # with a SHA-256 and an HMAC of our own
    page.locator("[data-fair]").get_by_role("button").click()
    expect(page.locator("[data-draws]").first).to_be_visible()
    check_access(page)
