"""How often a browser with an empty cache asks before something can be tapped: on a bad line each request is a wait."""

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from pokade.games import GAMES
from tests.web.conftest import PATIENCE
from tests.web.houses import House

MOST = 12  # the API and the socket included


class Counted:
    """A browser that nobody has used, and what it asks for."""

    def __init__(self, browser: Browser, house: House) -> None:
        self.asked: list[str] = []
        self._house, self._context = house, browser.new_context(locale="en", reduced_motion="reduce")
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("request", lambda request: self.asked.append(request.url.removeprefix(house.url)))
        self.page.on("websocket", lambda socket: self.asked.append(socket.url))

    def goto(self, path: str) -> None:
        self.page.goto(self._house.url + path)

    def __enter__(self) -> "Counted":
        return self

    def __exit__(self, *_: object) -> None:
        self._context.close()


@pytest.fixture
def fresh(browser: Browser, house: House):
    with Counted(browser, house) as counted:
        yield counted


def test_home_can_be_tapped_after_few_requests(fresh: Counted) -> None:
    fresh.goto("/")
    expect(fresh.page.get_by_role("button", name="POK against bots")).to_be_enabled()

    assert "/" in fresh.asked
    assert len(fresh.asked) <= MOST, "\n".join(fresh.asked)


def test_a_table_by_link_can_be_sat_down_at_after_few_requests(fresh: Counted, house: House) -> None:
    with httpx.Client(base_url=house.url) as host:
        host.post("/api/guest", json={"name": "Olga"}).raise_for_status()
        code = host.post("/api/tables", json={"game": "poch", "seats": 4}).raise_for_status().json()["code"]

    fresh.goto(f"/t/{code}")
    expect(fresh.page.get_by_role("button", name="Take a seat").first).to_be_enabled()

    assert any("/ws/" in url for url in fresh.asked)
    assert len(fresh.asked) <= MOST, "\n".join(fresh.asked)


@pytest.mark.parametrize("game", GAMES)
def test_one_tap_leads_to_the_first_choice_after_few_requests(fresh: Counted, game: str) -> None:
    fresh.goto("/")
    fresh.page.get_by_role("button", name=f"{GAMES[game].title} against bots").click()
    expect(fresh.page.locator("[data-choice]").first).to_be_enabled()

    assert any("/ws/" in url for url in fresh.asked)
    assert len(fresh.asked) <= MOST, "\n".join(fresh.asked)


def test_files_are_asked_for_once_and_pages_each_time(fresh: Counted, house: House) -> None:
    fresh.goto("/")
    files = [url for url in fresh.asked if url.startswith("/assets/")]

    kept = {url: httpx.get(house.url + url).headers["cache-control"] for url in ["/", *files]}

    assert len(files) >= 3
    assert kept.pop("/") == "no-cache"
    assert set(kept.values()) == {"public, max-age=31536000, immutable"}
