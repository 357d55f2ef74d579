"""How soon you play: from one tap to the first choice at the usual pace, and how the first load blocks a slow phone.

`python -m benchmarks first`, with a client that `make client` has built. A load blocks by what tasks take beyond 50 ms.
"""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Final

from playwright.sync_api import Browser, Page, expect, sync_playwright
from rich.table import Table
from tests.web.browsers import launched
from tests.web.houses import free_port

from pokade.games import GAMES

TITLES: Final = [game.title for game in GAMES.values()]
TRIES: Final = 5
SLOWDOWN: Final = 4
PATIENCE: Final = 60.0  # seconds until the server answers
LOADS: Final = 3
SETTLED: Final = 3_000  # ms after which nothing of the first load is left to do
BLOCKS: Final = """(() => {
  window.blocked = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.blocked += duration - 50;
  }).observe({ type: "longtask", buffered: true });
})()"""


def first_table() -> Table:
    """A row a game, and one for the first load."""
    table = Table(
        title=f"From one tap to the first choice, {TRIES} tries a game; the first load {SLOWDOWN} × slowed down"
    )
    for heading in ("", "median", "longest", "wanted"):
        table.add_column(heading, justify="left" if heading == "" else "right")
    with serving() as url, sync_playwright() as playwright:
        browser = launched(playwright)
        for game in TITLES:
            times = [first_choice(browser, url, game) for _ in range(TRIES)]
            table.add_row(game, f"{median(times):.1f} s", f"{max(times):.1f} s", "5 s")
        blocked = [blocking(browser, url) for _ in range(LOADS)]
        table.add_row("first load blocks", f"{median(blocked):.0f} ms", f"{max(blocked):.0f} ms", "300 ms")
        browser.close()
    return table


def first_choice(browser: Browser, url: str, game: str) -> float:
    """Seconds from a tap on a door until something can be chosen."""
    page = small(browser)
    page.goto(url)
    door = page.get_by_role("button", name=f"{game} against bots")
    expect(door).to_be_visible()
    page.wait_for_timeout(SETTLED / 3)
    start = time.perf_counter()
    door.click()
    expect(page.locator("[data-choice]:visible").first).to_be_visible(timeout=30_000)
    taken = time.perf_counter() - start
    page.context.close()
    return taken


def blocking(browser: Browser, url: str) -> float:
    """For how many ms in all the first load keeps a slow phone from answering."""
    page = small(browser)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.add_init_script(BLOCKS)
    page.goto(url)
    expect(page.get_by_role("button", name=f"{TITLES[0]} against bots")).to_be_visible()
    page.wait_for_timeout(SETTLED)
    blocked = float(page.evaluate("() => blocked"))
    page.context.close()
    return blocked


def small(browser: Browser) -> Page:
    return browser.new_context(viewport={"width": 360, "height": 740}).new_page()


@contextmanager
def serving() -> Iterator[str]:
    """A server as `pokade serve` opens it, without a file."""
    port = free_port()
    call = "from pokade.cli import main; main()"
    words = ["serve", "--host", "127.0.0.1", "--port", str(port), "--db", "sqlite://"]
    house = subprocess.Popen([sys.executable, "-c", call, *words], stdout=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(url)
        yield url
    finally:
        house.terminate()
        house.wait()


def wait_for(url: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{url}/readyz", timeout=5) as answer:  # noqa: S310 - our own server
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server does not answer")
