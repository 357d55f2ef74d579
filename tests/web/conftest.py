"""Browsers, houses and pages for the tests of the web client.

Nothing here knows how fast the machine is: a wait ends when what it waits for is there, and its bound is only for
what never comes. What a page does by the clock is tested with a clock that stands still until the test moves it.
"""

import fcntl
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.web.browsers import SHARED
from tests.web.houses import House
from tests.web.luck import begin, foreseeable_page

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
WEB: Final = ROOT / "web"
SCREENS: Final = WEB / "screens"
WANTS_PICTURES: Final = bool(os.environ.get("POKADE_TEST_PICTURES"))
DIST: Final = Path(os.environ.get("POKADE_TEST_CLIENT") or WEB / "dist").resolve()  # a build of your own, if wanted
AXE: Final = WEB / "node_modules/axe-core/axe.min.js"
SIZES: Final = {
    "phone": (360, 740),
    "landscape": (740, 360),
    "desktop": (1280, 800),
    "small": (360, 640),
    "tv": (1920, 1080),
}
PATIENCE: Final = 1000 * int(os.environ.get("POKADE_TEST_PATIENCE", "120"))  # ms: for what never comes
Opens = Callable[..., Page]

expect.set_options(timeout=PATIENCE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Playwright has a loop: it must be gone before a test elsewhere runs one of its own in this process."""
    yield
    if nextitem is None or HERE not in nextitem.path.parents:
        SHARED.close()


@pytest.fixture(scope="session")
def client() -> Path:
    """The client, built from what lies here now."""
    with (ROOT / ".venv" / "client.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one of the workers builds, the others wait
        if not AXE.exists():
            _npm("install")
        if _is_stale():
            _npm("run", "build", "--", "--outDir", str(DIST), "--emptyOutDir")
    return DIST


def _is_stale() -> bool:
    built = DIST / "index.html"
    if not built.exists():
        return True
    places = (WEB / "src", WEB / "public", ROOT / "src/pokade/texts")
    sources = [path for place in places for path in place.rglob("*") if path.suffix not in (".py", ".pyc")]
    sources += [WEB / "index.html", WEB / "plugins.ts", WEB / "python.ts", WEB / "vite.config.ts", WEB / "package.json"]
    # A page without a server brings these along.
    sources += [path for part in ("games", "players", "server") for path in (ROOT / "src/pokade" / part).rglob("*.py")]
    return max(path.stat().st_mtime for path in sources) > built.stat().st_mtime


def _npm(*arguments: str) -> None:
    subprocess.run([sys.executable, WEB / "npm.py", *arguments], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def browser() -> Browser:
    return SHARED.opened()


@pytest.fixture(scope="session")
def house(client: Path) -> Iterator[House]:
    """One for all tests of a process; nobody is alone in it."""
    opened = House()
    opened.start()
    yield opened
    opened.kill()


class Console:
    """What the pages of a test complain about: nothing, but for what the test has said."""

    def __init__(self) -> None:
        self._errors: list[str] = []
        self._expected: list[str] = []

    def expects(self, *patterns: str) -> None:
        """Each of these must come, as often as it likes, and nothing else may."""
        self._expected += patterns

    def listen(self, page: Page) -> None:
        page.on("console", self._note)
        page.on("pageerror", lambda error: self._errors.append(str(error)))

    def check(self) -> None:
        others = [error for error in self._errors if not any(re.search(wanted, error) for wanted in self._expected)]
        missing = [wanted for wanted in self._expected if not any(re.search(wanted, error) for error in self._errors)]
        assert (others, missing) == ([], []), f"not expected: {others}; missing: {missing}"

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._errors.append(f"{message.text} ({message.location.get('url')})")


@pytest.fixture
def console() -> Console:
    return Console()


@pytest.fixture
def open_page(browser: Browser, house: House, console: Console, request: pytest.FixtureRequest) -> Iterator[Opens]:
    """Opens pages, each of another person: `open_page("/", size="phone", theme="dark", language="de")`.

    The test fails if any of them writes an error to its console that the test does not expect.
    """
    contexts: list[BrowserContext] = []
    test = request.node.nodeid.partition("@")[0]  # without the group that it runs in, if tests are divided
    begin(house, test)

    def opens(
        path: str = "/",
        *,
        size: str = "phone",
        theme: str = "light",
        language: str = "en",
        host: str = "127.0.0.1",
        script: str = "",
        **more: Any,
    ) -> Page:
        width, height = SIZES[size]
        settings = {"color_scheme": theme, "locale": language, "reduced_motion": "reduce", **more}
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        console.listen(page)
        page.add_init_script(foreseeable_page(f"{test} {len(contexts)}") + script)
        page.goto(house.url.replace("127.0.0.1", host) + path)
        return page

    yield opens
    for context in contexts:
        context.close()
    console.check()


def at(page: Page, path: str) -> str:
    """An address of the house that a page was opened from."""
    return "/".join(page.url.split("/")[:3]) + path


IS_AT_REST: Final = """() => {
  const moves = (one) => one.playState === "running" && one.effect.getComputedTiming().iterations !== Infinity;
  return !document.querySelector("[data-drawing]") && !document.getAnimations().some(moves);
}"""


def picture(page: Page, name: str, *, full: bool = False) -> None:
    """Write a screenshot to web/screens, to be looked at, if POKADE_TEST_PICTURES is set."""
    if WANTS_PICTURES:
        SCREENS.mkdir(exist_ok=True)
        page.wait_for_function(IS_AT_REST)
        page.screenshot(path=SCREENS / f"{name}.png", full_page=full, animations="disabled")


def check_access(page: Page) -> None:
    """Nothing on the screen keeps anybody out, as far as axe can tell."""
    page.locator("main").first.wait_for()
    page.locator("h1").first.wait_for(state="attached")  # a game's own part may still be on its way
    page.wait_for_function(IS_AT_REST)  # what is half faded in can't be read yet
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    told = [f"{wrong['id']}: {node['html'][:200]}" for wrong in found["violations"] for node in wrong["nodes"]]
    assert not told, "\n".join(told)


def check_fits(page: Page) -> None:
    """Nothing has to be scrolled sideways."""
    size = page.viewport_size
    assert size is not None
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= size["width"], f"{wide} px on a screen of {size['width']}"  # a phone zooms to what is wide
