"""The pictures of the page in the README and the rules: a server, a browser, real tables with foreseeable dice."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.web.browsers import FLAGS, present
from tests.web.houses import House
from tests.web.luck import begin, foreseeable_page
from tests.web.tables import against_bots, asked, at_rest, choices, stop_the_clock

from pokade.games import GAMES
from pokade.texts import entry

HERE: Final = Path(__file__).with_name("pictures")
PHONE, DESKTOP, PRINTED = (360, 740), (1280, 800), (760, 1600)
GAP, CORNER = 24, 28  # pixels between phones, and of their corners
LENGTH, STEP, HOLD = 2500, 80, 2400  # ms: of a reveal, from frame to frame, of what stands still
SMOOTH: Final = 4  # times as large while corners are cut
COLOURS: Final = 128  # of a picture of the rules: flat cloth and paper need no more
SEEK: Final = """(time) => document.getAnimations().forEach((one) => { one.pause(); one.currentTime = time; })"""
SHOWS: Final = """() => document.querySelector('[data-play="reveal"]') && !document.querySelector("[data-drawing]")"""


def write_screens() -> None:
    """Draw the phones, the desktop, the reveal and the rules, if there is a browser to draw them with."""
    with sync_playwright() as playwright:
        path = present(playwright)
        if path is None:
            sys.stderr.write(
                "No pictures of the page: there is no browser. Install Chromium, or set POKADE_TEST_BROWSER.\n"
            )
            return
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        house = House()
        house.start()
        try:
            _phones(browser, house).save(HERE / "phones.png", optimize=True)
            _desktop(browser, house).save(HERE / "desktop.png", optimize=True)
            for game in GAMES:
                _rules(browser, house, game).save(HERE / f"rules-{game}.png", optimize=True)
            first, *rest = _reveal(browser, house)
            times = [HOLD // 2, *([STEP] * (len(rest) - 1)), HOLD]
            first.save(
                HERE / "reveal.webp", save_all=True, append_images=rest, duration=times, loop=0, quality=70, method=6
            )
        finally:
            house.kill()
            browser.close()


@contextmanager
def _page(browser: Browser, house: House, size: tuple[int, int], luck: str, **more: str) -> Iterator[Page]:
    begin(house, luck)
    settings = {"color_scheme": "light", "locale": "en", "reduced_motion": "reduce", **more}
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **settings)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(foreseeable_page(luck))
    page.goto(house.url)
    try:
        yield page
    finally:
        context.close()


def _shot(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def _phones(browser: Browser, house: House) -> Image.Image:
    """Five phones side by side: home, and a table of each game."""
    shots = []
    for name, game, seats in (("Mila", "pokopop", 4), ("Otto", "poch", 5)):  # somebody else is in
        with _page(browser, house, PHONE, name) as page:
            asked(page, "/api/guest", {"name": name})
            asked(page, "/api/tables", {"game": game, "seats": seats, "bots": seats - 2, "listed": True})
    with _page(browser, house, PHONE, "home") as page:
        expect(page.locator(".open .badges").first).to_be_visible()
        shots.append(_shot(page))
    for game, seats in (("pok", 5), ("pokerdice", 3), ("pokopop", 5), ("poch", 4)):
        with _page(browser, house, PHONE, f"a fine {game}") as page:
            against_bots(page, game, seats=seats)
            if game == "pok":
                choices(page).nth(1).click()
                expect(page.locator("[data-next]")).to_be_visible()
                at_rest(page)
            shots.append(_shot(page))
    return _beside(shots)


def _desktop(browser: Browser, house: House) -> Image.Image:
    with _page(browser, house, DESKTOP, "a set of three", color_scheme="dark") as page:
        against_bots(page, "poch", seats=5)
        return _shot(page)


def _rules(browser: Browser, house: House, game: str) -> Image.Image:
    """The drawn examples of a game, as its page of rules has them."""
    with _page(browser, house, PRINTED, f"rules of {game}") as page:
        page.goto(f"{house.url}/rules/{game}")
        expect(page.locator("figure")).to_have_count(len(entry("en", f"web.rules.{game}")))
        at_rest(page)
        drawn = Image.open(io.BytesIO(page.locator(".examples").screenshot()))
        return drawn.convert("RGB").quantize(COLOURS)


def _reveal(browser: Browser, house: House) -> Iterator[Image.Image]:
    """A table of POK from the throw to what came of it: time stands still, and the movement is wound on by hand."""
    with _page(browser, house, PHONE, "five fists", reduced_motion="no-preference") as page:
        against_bots(page, "pok", seats=5)
        stop_the_clock(page)
        yield _shot(page)
        choices(page).nth(1).click()
        page.wait_for_function(SHOWS)
        for time in range(0, LENGTH, STEP):
            page.evaluate(SEEK, time)
            yield _shot(page)
        page.evaluate("() => dispatchEvent(new PointerEvent('pointerdown'))")
        expect(page.locator("[data-play]")).to_have_attribute("data-play", "")
        yield _shot(page)


def _beside(shots: list[Image.Image]) -> Image.Image:
    """In one picture with round corners and nothing behind them."""
    wide, high = PHONE
    whole = Image.new("RGBA", (len(shots) * (wide + GAP) - GAP, high))
    cut = Image.new("L", (wide * SMOOTH, high * SMOOTH))
    ImageDraw.Draw(cut).rounded_rectangle((0, 0, wide * SMOOTH - 1, high * SMOOTH - 1), CORNER * SMOOTH, fill=255)
    for at, shot in enumerate(shots):
        whole.paste(shot, (at * (wide + GAP), 0), cut.resize(PHONE))
    return whole


if __name__ == "__main__":
    write_screens()
