"""Tables in rooms of every size: pieces grow with it, the left hand has its side, and letters may be twice as large."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Opens, check_fits, picture
from tests.web.tables import against_bots, check_no_scroll, check_targets

PIECES: Final = {
    "pok": ".dice .body",
    "pokerdice": ".tray .die",
    "pokopop": ".creatures .creature",
    "poch": ".board > svg",
}
LOWEST: Final = {"pok": ".felt .label", "pokerdice": ".tray", "pokopop": ".felt > *", "poch": ".board > *"}
LARGER: Final = {
    "pok": ".choices svg",
    "pokerdice": ".tray .die",
    "pokopop": ".creatures .creature",
    "poch": ".cards svg",
}
TWICE: Final = {"fontSizes": {"standard": 32, "fixed": 26}}
CUT: Final = """() => [...document.querySelectorAll("main button :is(b, span), main h2, .label b")]
  .filter((one) => one.checkVisibility() && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.trim())"""
SIDES: Final = "() => ['.sheet', '.table'].map((part) => document.querySelector(part).getBoundingClientRect().left)"


def sized(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})


def wide(page: Page, piece: str) -> float:
    box = page.locator(piece).first.bounding_box()
    assert box is not None
    return box["width"]


def be_set(page: Page, name: str, value: str) -> None:
    """As the settings set it on the page."""
    page.evaluate("([name, value]) => (document.documentElement.dataset[name] = value)", [name, value])


@pytest.mark.parametrize("game", ["pok", "pokerdice", "pokopop", "poch"])
def test_a_table_in_rooms_of_every_size(open_page: Opens, game: str) -> None:
    page = open_page("/")
    against_bots(page, game, seats=4)
    piece, larger = wide(page, PIECES[game]), wide(page, LARGER[game])

    be_set(page, "pieces", "large")
    assert wide(page, LARGER[game]) > larger * 1.1
    check_fits(page)
    check_no_scroll(page, LOWEST[game])
    check_targets(page)
    picture(page, f"large-{game}-phone-light")
    be_set(page, "pieces", "usual")
    sized(page, 844, 1000)
    assert wide(page, PIECES[game]) > piece * 1.3
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
    check_no_scroll(page, LOWEST[game])
    picture(page, f"left-{game}-landscape-light")

    sized(page, 360, 740)
    page.context.new_cdp_session(page).send("Page.setFontSizes", TWICE)
    page.wait_for_function("() => getComputedStyle(document.body).fontSize === '32px'")
    check_fits(page)
    assert page.evaluate(CUT) == []
    ends, begins = page.evaluate(
        """(parts) => [
          Math.max(...[...document.querySelectorAll(parts)].map((one) => one.getBoundingClientRect().bottom)),
          document.querySelector(".sheet").getBoundingClientRect().top,
        ]""",
        LOWEST[game],
    )
    assert ends <= begins
    picture(page, f"twice-{game}-phone-light")
