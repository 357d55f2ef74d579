"""Tables in rooms of every size: pieces grow with it, the left hand has its side, and letters may be twice as large."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from pokade.games import GAMES
from tests.web.conftest import Opens, check_fits, picture
from tests.web.tables import LYING, against_bots, at_rest, check_no_scroll, check_targets, check_uncovered, choices

WIDTHS: Final = "() => [...document.querySelectorAll('main svg')].map((one) => one.getBoundingClientRect().width)"
TWICE: Final = {"fontSizes": {"standard": 32, "fixed": 26}}
CUT: Final = """() => [...document.querySelectorAll("main button :is(b, span), main h2, .label b")]
  .filter((one) => one.checkVisibility() && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.trim())"""
# One's own things that lie on top of each other, by their words.
OVERLAPS: Final = """() => {
  const all = [...document.querySelectorAll(".sheet :is(h2, h3, p, button)")]
    .filter((one) => one.checkVisibility() && one.clientWidth > 1 && one.textContent.trim());
  const said = all.filter((one) => !all.some((other) => other !== one && one.contains(other)));
  const shared = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]) > 2;
  const meet = (a, b) => shared(a, b, "left", "right") && shared(a, b, "top", "bottom");
  return said.flatMap((one, at) => said.slice(at + 1)
    .filter((other) => meet(one.getBoundingClientRect(), other.getBoundingClientRect()))
    .map((other) => `${one.textContent.trim()} / ${other.textContent.trim()}`));
}"""
# How much of the table lies bare between its pieces and one's own things.
BARE: Final = f"""() => {{
  const box = (part) => part.getBoundingClientRect();
  const lowest = Math.max(...({LYING})().map((one) => box(one).bottom));
  const [table, sheet] = ["main > .table", "main > .sheet"].map((part) => box(document.querySelector(part)));
  return (sheet.top - lowest) / table.height;
}}"""
MOST_BARE: Final = 0.23
LARGE: Final = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1280, 800)}
SIDES: Final = "() => ['.sheet', '.table'].map((part) => document.querySelector(part).getBoundingClientRect().left)"


def sized(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})


def widths(page: Page) -> list[float]:
    """Of all that is drawn."""
    found: list[float] = page.evaluate(WIDTHS)
    return found


def has_grown(page: Page, before: list[float], times: float) -> bool:
    """Is some piece so much larger than before?"""
    return any(now > times * then for then, now in zip(before, widths(page), strict=False) if then > 20)


def check_letters(page: Page, width: int, height: int) -> None:
    """Twice as large as usual they are whole, and nothing lies on top of them; the page may have to be scrolled."""
    sized(page, width, height)
    check_fits(page)
    assert page.evaluate(CUT) == []
    assert page.evaluate(OVERLAPS) == []


def be_set(page: Page, name: str, value: str) -> None:
    """As the settings set it on the page."""
    page.evaluate("([name, value]) => (document.documentElement.dataset[name] = value)", [name, value])


@pytest.mark.parametrize("game", GAMES)
def test_a_table_in_rooms_of_every_size(open_page: Opens, game: str) -> None:
    page = open_page("/")
    against_bots(page, game, seats=4)
    before = widths(page)
    # In the flow the grid would lay the table out for each of its tries, with all that depends on its size.
    assert page.evaluate("() => getComputedStyle(document.querySelector('main > .table')).position") == "absolute"

    be_set(page, "pieces", "large")
    assert has_grown(page, before, 1.1)
    check_fits(page)
    check_no_scroll(page)
    check_targets(page)
    picture(page, f"large-{game}-phone-light")
    be_set(page, "pieces", "usual")
    sized(page, 820, 1180)
    assert page.evaluate(BARE) < MOST_BARE
    check_fits(page)
    picture(page, f"room-{game}-820")
    sized(page, 844, 1000)
    assert has_grown(page, before, 1.3)
    check_fits(page)
    picture(page, f"room-{game}-844")
    sized(page, 1024, 768)
    check_fits(page)
    expect(page.get_by_role("heading", name="How you win")).to_be_visible()
    picture(page, f"room-{game}-1024")
    sized(page, 740, 360)
    be_set(page, "hand", "left")
    sheet, table = page.evaluate(SIDES)
    assert sheet < table
    check_fits(page)
    check_no_scroll(page)
    picture(page, f"left-{game}-landscape-light")

    page.context.new_cdp_session(page).send("Page.setFontSizes", TWICE)
    page.wait_for_function("() => getComputedStyle(document.body).fontSize === '32px'")
    for name, size in LARGE.items():
        check_letters(page, *size)
        check_uncovered(page, ".sheet")
        picture(page, f"twice-{game}-{name}-light")
    choices(page).first.click()
    expect(page.locator("[data-next], [data-die]:not(:disabled)").or_(choices(page)).first).to_be_visible()
    at_rest(page)
    for name, size in LARGE.items():
        check_letters(page, *size)
        picture(page, f"twice-{game}-then-{name}-light")
