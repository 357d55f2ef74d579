"""A lost line shows, heals by itself, and loses no choice."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Console, Opens, check_access, picture
from tests.web.houses import House
from tests.web.tables import against_bots, choices, go_on, play_to_the_end


@pytest.fixture
def mortal(client: Path, tmp_path: Path) -> Iterator[House]:
    """A house of a test alone: it is killed in the middle, and remembers."""
    opened = House(tmp_path)
    opened.start()
    yield opened
    opened.kill()


def begun(page: Page) -> None:
    """A game against bots, in which the house waits for a choice."""
    page.get_by_role("button", name="POK against bots").click()
    expect(choices(page).first).to_be_visible()


class TestKilled:
    @pytest.fixture
    def house(self, mortal: House) -> House:
        return mortal

    def test_a_killed_house_that_comes_back_goes_on_where_it_was(
        self, open_page: Opens, house: House, console: Console
    ) -> None:
        console.expects(r"^WebSocket connection to '.*' failed: .*ERR_CONNECTION_REFUSED")
        page = open_page("/")
        begun(page)
        page.clock.install()
        house.kill()

        expect(page.get_by_role("alert")).to_contain_text("Connection lost")
        choices(page).first.click()
        expect(page.get_by_text("not sent yet")).to_be_visible()
        picture(page, "offline")
        check_access(page)
        house.start()
        page.clock.fast_forward(10_000)  # by now the page tries only every few seconds

        expect(page.get_by_role("alert")).to_have_count(0)
        expect(page.get_by_text("not sent yet")).to_have_count(0)
        expect(page.locator("[data-next]")).to_be_visible()  # the choice has come, and all show
        expect(page.get_by_text("Round 1").first).to_be_visible()
        go_on(page)
        expect(choices(page).first).to_be_visible()

    def test_a_frozen_house_is_noticed_though_nothing_has_closed(self, open_page: Opens, house: House) -> None:
        page = open_page("/")
        page.clock.install()
        begun(page)
        house.freeze()
        page.clock.run_for(5_000)  # in which a heartbeat goes unanswered

        expect(page.get_by_role("alert")).to_contain_text("Connection lost")
        choices(page).first.click()
        expect(page.get_by_text("not sent yet")).to_be_visible()
        expect(page.get_by_text("It is sent as soon as you are back online.").first).to_be_visible()
        house.thaw()

        expect(page.get_by_role("alert")).to_have_count(0)
        expect(page.locator("[data-next]")).to_be_visible()  # the choice has come, and all show


def test_a_reload_in_the_middle_goes_on_where_it_was(open_page: Opens) -> None:
    page = open_page("/")
    begun(page)
    dice = page.locator(".dice").inner_text()

    page.reload()

    expect(choices(page).first).to_be_visible()
    assert page.locator(".dice").inner_text() == dice


def test_two_tabs_show_the_same_game(open_page: Opens) -> None:
    page = open_page("/")
    against_bots(page, "pok", options={"max_rounds": 2})
    other = page.context.new_page()
    other.goto(page.url)

    expect(choices(other).first).to_be_visible()
    play_to_the_end(other)
    expect(page.locator("[data-over]")).to_be_visible()


def test_a_page_that_is_older_than_the_house_loads_itself_anew(open_page: Opens, console: Console) -> None:
    page = open_page("/")
    page.evaluate("() => document.querySelector('meta[name=build]').setAttribute('content', 'old')")

    begun(page)

    assert page.evaluate("() => document.querySelector('meta[name=build]').content") != "old"
    assert page.evaluate("() => sessionStorage.getItem('pokade.reloaded')") is not None


def test_everything_works_where_there_is_no_secure_context(open_page: Opens) -> None:
    page = open_page("/", host="pokade.test")
    assert page.evaluate("() => isSecureContext") is False

    against_bots(page, "pok", options={"max_rounds": 2})
    play_to_the_end(page)

    expect(page.locator("[data-fair]")).to_have_attribute("data-fair", "fair")  # with a SHA-256 and an HMAC of our own
    page.locator("[data-fair]").get_by_role("button").click()
    expect(page.locator("[data-draws]").first).to_be_visible()
    check_access(page)
