"""Browsers, houses and pages for the tests of the web client."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from tests.web.browsers import launched
from tests.web.houses import House

ROOT: Final = Path(__file__).parents[2]
WEB: Final = ROOT / "web"
SCREENS: Final = WEB / "screens"
DIST: Final = Path(os.environ.get("POKADE_TEST_CLIENT") or WEB / "dist").resolve()  # a build of one's own, if wanted
AXE: Final = WEB / "node_modules/axe-core/axe.min.js"
SIZES: Final = {"phone": (360, 740), "landscape": (740, 360), "desktop": (1280, 800), "tv": (1920, 1080)}
Opens = Callable[..., Page]


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
    sources += [WEB / "index.html", WEB / "plugins.ts", WEB / "vite.config.ts", WEB / "package.json"]
    return max(path.stat().st_mtime for path in sources) > built.stat().st_mtime


def _npm(*arguments: str) -> None:
    subprocess.run([sys.executable, WEB / "npm.py", *arguments], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for a module: Playwright's loop must not outlive it, or tests with loops of their own would trip."""
    with sync_playwright() as playwright:
        opened = launched(playwright)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def house(client: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    opened = House(tmp_path_factory.mktemp("house"))
    opened.start()
    yield opened
    opened.kill()


@pytest.fixture
def open_page(browser: Browser, house: House) -> Iterator[Opens]:
    """Opens pages, each of another person: `open_page("/", size="phone", theme="dark", language="de")`.

    The test fails if any of them writes an error to its console.
    """
    contexts, errors = [], []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"{message.text} ({message.location.get('url')})")

    def opens(
        path: str = "/", *, size: str = "phone", theme: str = "light", language: str = "en", host: str = "", **more: Any
    ) -> Page:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,  # type: ignore[arg-type]
            locale=language,
            reduced_motion="reduce",
            **more,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", note)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(house.url.replace("127.0.0.1", host or "127.0.0.1") + path)
        return page

    opens.errors = errors  # type: ignore[attr-defined]
    yield opens
    for context in contexts:
        context.close()
    assert not errors, errors


@pytest.fixture
def expected_errors(open_page: Opens) -> Iterator[list[str]]:
    """For tests in which the console must complain, as when the house is gone: forgets what it has said."""
    errors: list[str] = open_page.errors  # type: ignore[attr-defined]
    yield errors
    errors.clear()


def picture(page: Page, name: str, *, full: bool = False) -> None:
    """Write a screenshot to web/screens, to be looked at."""
    SCREENS.mkdir(exist_ok=True)
    page.wait_for_timeout(150)
    page.screenshot(path=SCREENS / f"{name}.png", full_page=full)


def check_access(page: Page) -> None:
    """Nothing on the screen keeps anybody out, as far as axe can tell."""
    page.locator("main").first.wait_for()
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    told = [f"{wrong['id']}: {node['html'][:200]}" for wrong in found["violations"] for node in wrong["nodes"]]
    assert not told, "\n".join(told)


def check_fits(page: Page) -> None:
    """Nothing has to be scrolled sideways."""
    size = page.viewport_size
    assert size is not None
    wide, seen = (
        page.evaluate("() => document.documentElement.scrollWidth"),
        size["width"],
    )  # a phone zooms to what is wide
    assert wide <= seen, f"{wide} px on a screen of {seen}"


MOST_TABS: Final = 80
MOST_BOTS: Final = 7


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until it has the focus: by keyboard alone, and not for ever."""
    expect(wanted.first).to_be_visible()
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if wanted.evaluate_all("(found) => found.includes(document.activeElement)"):
            return
    raise AssertionError(f"Tab does not lead to {wanted}")


def fill_with_bots(page: Page) -> None:
    """Add bots until no seat is free."""
    add, bots = page.get_by_role("button", name="Add a bot"), page.locator("button.who")
    for _ in range(MOST_BOTS):
        if not add.is_visible():
            return
        before = bots.count()
        add.click()
        expect(bots).to_have_count(before + 1)


PLAYS: Final = """() => {
  let turns = 0;
  const timer = setInterval(() => {
    if (document.querySelector("[data-over]")) return clearInterval(timer);
    const choices = [...document.querySelectorAll("[data-choice]:not(:disabled)")];
    if (choices.some((choice) => choice.ariaPressed === "true")) return;
    choices[turns++ % choices.length]?.click();
  }, 30);
}"""


def play_to_the_end(*pages: Page, minutes: float = 2) -> None:
    """Press one of the choices whenever none is sealed, each time the next one in the row, on all pages of a table."""
    for page in pages:
        page.evaluate(PLAYS)
    for page in pages:
        page.locator("[data-over]").wait_for(timeout=minutes * 60_000)
