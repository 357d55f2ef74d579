"""A finished game looked back at in a browser: luck, choices, the curve, and the way into the replay."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.server.clients import Guest
from tests.web.conftest import Opens, check_access, check_fits, picture
from tests.web.houses import House
from tests.web.luck import begin

LUCK: Final = "a game that is looked back at"
LONGEST: Final = """(number) => {
  number.firstChild.data = "+172";
  const line = parseFloat(getComputedStyle(number).lineHeight);
  return number.scrollWidth <= number.clientWidth && number.clientHeight < 1.5 * line;
}"""  # a number of four signs fits, in one line


@pytest.fixture(scope="session")
def over(house: House) -> Iterator[str]:
    """A game with a solution that bots have played to its end, the same in every run: the id of its table."""
    begin(house, LUCK)
    with Guest(house.url.removeprefix("http://"), "Ada") as ada:
        table: str = ada.open(seats=3, bots=2)["id"]
        tab = ada.at(table)
        for word in ("start", "leave"):  # then the bots play on
            tab.say(word)
        tab.table(lambda shown: shown["status"] == "over")
        yield table


def looked_at(page: Page) -> Page:
    expect(page.locator("[data-look]")).to_have_attribute("data-look", "done")
    return page


@pytest.mark.parametrize(("size", "theme"), [("phone", "light"), ("desktop", "dark")])
def test_luck_and_choices_of_a_game_stand_apart(open_page: Opens, over: str, size: str, theme: str) -> None:
    page = looked_at(open_page(f"/look/{over}?eyes=p1", size=size, theme=theme))

    expect(page.get_by_role("table", name="Chance of winning, in percent")).to_have_count(1)
    terms = page.locator("dl dt")
    expect(terms).to_have_text(["Luck", "Choices", "Interplay"])
    expect(page.get_by_role("heading", name="How readable")).to_be_visible()
    cards = page.locator("[data-judged]")
    expect(cards).not_to_have_count(0)
    for card in cards.all():
        card.scroll_into_view_if_needed()
    check_fits(page)
    check_access(page)
    picture(page, f"look-{size}-{theme}", full=True)
    assert page.locator("dl dd").last.evaluate(LONGEST)


def test_a_costly_choice_leads_to_its_step_of_the_replay(open_page: Opens, over: str) -> None:
    page = looked_at(open_page(f"/look/{over}?eyes=p1"))
    card = page.locator("[data-which=worst] [data-judged]").first
    card.scroll_into_view_if_needed()
    action = int(card.get_attribute("data-judged") or 0)
    expect(card.locator("main[data-mode=replay]")).to_be_visible()

    card.get_by_role("link", name="See it in the replay").click()

    expect(page.locator("[data-at]")).to_have_attribute("data-at", str(action - 1))
    expect(page).to_have_url(re.compile(r"eyes=p1"))


def test_anybody_at_the_table_can_be_looked_at_by_keyboard(open_page: Opens, over: str) -> None:
    page = looked_at(open_page(f"/look/{over}?eyes=p1"))
    numbers = page.locator("dl dd")
    before = numbers.all_inner_texts()
    page.get_by_role("radio").first.focus()

    page.keyboard.press("ArrowRight")

    expect(page.get_by_role("radio").nth(1)).to_be_checked()
    assert numbers.all_inner_texts() != before
