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
from pokade.games.game import Game
from tests.web.conftest import PATIENCE, SIZES, Console, check_access, check_fits, picture
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


def played(page: Page, game: Game) -> None:
    """From the start screen through a whole game and back."""
    page.get_by_role("button", name=f"{game.title} against bots").click()
    choices(page).first.wait_for()
    play_to_the_end(page)
    expect(page.locator('[data-fair="fair"]')).to_be_visible()
    page.get_by_role("link", name="Home").click()
    expect(page.locator("[data-here]")).to_be_visible()


def look_back(page: Page, games: int) -> None:
    """So many games were kept, and the last one can be stepped through."""
    page.get_by_role("link", name="My games").last.click()
    expect(page.locator("[data-found] li")).to_have_count(games)
    page.locator("[data-found] li a").first.click()
    expect(page.locator("[data-at]")).to_be_visible()


def test_a_game_is_played_to_its_end_offline(device: BrowserContext, site: str) -> None:
    page = opened(device, site)
    check_fits(page)
    check_access(page)
    picture(page, "alone-home-phone-light", full=True)
    device.set_offline(True)

    played(page, next(iter(GAMES.values())))

    look_back(page, 1)


@pytest.mark.soak
def test_every_game_is_played_to_its_end_offline(device: BrowserContext, site: str) -> None:
    page = opened(device, site)
    device.set_offline(True)

    for game in GAMES.values():
        played(page, game)

    look_back(page, len(GAMES))
