"""A page without a house: Python in a worker, the same rules, the same screens, and no line to anywhere.

The worker's luck follows from a word, and its time runs faster than ours, so that nobody waits for pauses.
"""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest
from docs.static_page import lay_out
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pokade.games import GAMES
from tests.web.conftest import PATIENCE, SIZES, Console, Opens, at, check_access, check_fits, picture
from tests.web.luck import foreseeable_page
from tests.web.tables import choices, play_to_the_end

HURRIES: Final = """(() => {
  const times = 30, began = performance.now(), day = Date.now(), now = performance.now.bind(performance);
  const later = setTimeout;
  performance.now = () => began + times * (now() - began);
  Date.now = () => day + times * (now() - began);
  globalThis.setTimeout = (what, wait = 0, ...given) => later(what, wait / times, ...given);
  let state = 7;
  crypto.getRandomValues = (numbers) => {
    for (let at = 0; at < numbers.length; at++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      numbers[at] = state >>> 8;
    }
    return numbers;
  };
})();
"""


class Quiet(SimpleHTTPRequestHandler):
    """A site that has files and nothing else."""

    extensions_map: Final = SimpleHTTPRequestHandler.extensions_map | {  # type: ignore[misc]
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def site(client: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page in a folder of a site."""
    place = tmp_path_factory.mktemp("site")
    lay_out(client, place / "pokade" / "play")
    [worker] = (place / "pokade" / "play" / "assets").glob("worker-*.js")
    worker.write_text(HURRIES + worker.read_text("utf-8"), "utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=place))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/pokade/play/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def device(browser: Browser, console: Console) -> Iterator[BrowserContext]:
    """Somebody's phone."""
    width, height = SIZES["phone"]
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    context.on("page", console.listen)
    yield context
    context.close()
    console.check()


def opened(device: BrowserContext, site: str) -> Page:
    page = device.new_page()
    page.add_init_script(foreseeable_page("alone"))
    page.goto(site)
    expect(page.locator('[data-here="ready"]')).to_be_visible()
    return page


def test_every_game_is_played_to_its_end_offline(device: BrowserContext, site: str) -> None:
    page = opened(device, site)
    check_fits(page)
    check_access(page)
    picture(page, "alone-home-phone-light", full=True)
    device.set_offline(True)

    for game in GAMES.values():
        page.get_by_role("button", name=f"{game.title} against bots").click()
        choices(page).first.wait_for()
        play_to_the_end(page)
        expect(page.locator('[data-fair="fair"]')).to_be_visible()
        page.get_by_role("link", name="Home").click()
        expect(page.locator("[data-here]")).to_be_visible()

    page.get_by_role("link", name="My games").last.click()
    expect(page.locator("[data-found] li")).to_have_count(len(GAMES))
    page.locator("[data-found] li a").first.click()
    expect(page.locator("[data-at]")).to_be_visible()


def test_one_device_goes_round_and_keeps_its_games(device: BrowserContext, site: str) -> None:
    page = opened(device, site)
    page.get_by_role("link", name="One device for everybody").click()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("button", name="On this device")).to_be_visible()
    expect(page.locator(".share")).to_be_hidden()
    check_access(page)
    picture(page, "alone-lobby-phone-light", full=True)
    page.get_by_role("button", name="Add a bot").click()
    page.get_by_role("button", name="Add a bot").click()
    page.get_by_role("button", name="On this device").click()
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("dialog").get_by_role("button", name="Take a seat").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("[data-curtain]")).to_be_visible()

    page.reload()

    expect(page.locator("[data-curtain]")).to_be_visible()
    page.goto(f"{site}#/learn/{next(iter(GAMES))}")
    expect(page.locator("[data-lesson]")).to_be_visible()


def test_a_page_that_came_from_a_house_plays_on_without_it(open_page: Opens, console: Console) -> None:
    page = open_page("/", reduced_motion="reduce")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Keep the games on this device").click()
    expect(page.get_by_text("The games are on this device now.").first).to_be_visible()
    console.expects("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    page.goto(at(page, "/"))

    page.get_by_role("button", name="Play here, without a house").click()

    expect(page.locator('[data-here="ready"]')).to_be_visible()
    page.get_by_role("button", name="POK against bots").click()
    expect(choices(page).first).to_be_visible()
    page.context.set_offline(False)
    page.goto(at(page, "/"))
    page.get_by_role("button", name="Back to the house").click()
    expect(page.locator("[data-here]")).to_have_count(0)
