"""The rules of each game: drawn examples, the short rules in words, and two ways to begin."""

import pytest
from playwright.sync_api import Page, expect

from pokade.games import GAMES
from pokade.texts import LANGUAGES, entry
from tests.web.conftest import Opens, check_access, check_fits, picture

each_game = pytest.mark.parametrize("game", GAMES)
CUT = """() => [...document.querySelectorAll("figure, figure .drawing")].filter((box) => {
  const whole = box.getBoundingClientRect();
  return [...box.querySelectorAll("*:not(.aside):not(use)")].some((part) => {
    const { left, right, width } = part.getBoundingClientRect();
    return width > 0 && (left < whole.left - 1 || right > whole.right + 1);
  });
}).map((box) => box.closest("figure").dataset.example)"""


def all_drawn(page: Page, game: str, language: str) -> None:
    """Every example of the catalogue is there with its words, and so are the short rules."""
    for name, told in entry(language, f"web.rules.{game}").items():
        expect(page.locator(f"[data-example={name}]")).to_contain_text(told["text"])
    expect(page.locator(".prose h3").first).to_be_visible()


def whole_picture(page: Page, name: str) -> None:
    """The page in one piece: on a screen so high that nothing has to be scrolled."""
    width, height = page.evaluate("() => [innerWidth, document.body.scrollHeight]")
    page.set_viewport_size({"width": width, "height": height})
    picture(page, name)


@each_game
def test_the_rules_open_in_every_language_and_fit_a_small_phone(open_page: Opens, game: str) -> None:
    for language in LANGUAGES:
        page = open_page(f"/rules/{game}", language=language)
        all_drawn(page, game, language)
        check_fits(page)
        assert page.evaluate(CUT) == [], language
        if language == "de":
            check_access(page)
            whole_picture(page, f"rules-{game}-phone-de")


@each_game
def test_the_rules_stand_beside_their_pictures_on_a_desktop_at_night(open_page: Opens, game: str) -> None:
    page = open_page(f"/rules/{game}", size="desktop", theme="dark")
    all_drawn(page, game, "en")
    check_access(page)
    assert page.evaluate(CUT) == []
    whole_picture(page, f"rules-{game}-desktop-dark")

    page.set_viewport_size({"width": 740, "height": 360})

    check_fits(page)
    assert page.evaluate(CUT) == []
    whole_picture(page, f"rules-{game}-landscape-dark")


def test_from_the_rules_one_comes_to_a_game(open_page: Opens) -> None:
    page = open_page("/rules")
    page.locator("a[href='/rules/pok']").click()
    expect(page.get_by_role("link", name="First game, three minutes")).to_have_attribute("href", "/learn/pok")

    page.get_by_role("button", name="Play now").click()

    expect(page.locator("[data-choice]").first).to_be_visible()


def test_a_table_of_the_rules_is_a_table(open_page: Opens) -> None:
    page = open_page("/rules/pokerdice")

    expect(page.get_by_role("row")).to_have_count(11)
    expect(page.get_by_role("row", name="Full house 5")).to_be_visible()
