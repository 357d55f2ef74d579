"""Around a game that is on: the menu, talk, pause, leaving and coming back, other devices, watchers, the big screen."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Opens, check_access, check_fits, picture, play_to_the_end
from tests.web.test_lobby import opened_table, sit_down


def two_at_a_table(open_page: Opens, *, size: str = "phone", game: str = "POK", bots: int = 2) -> tuple[Page, Page]:
    """Ada, who is host, and Ben, with bots, in a game that is on."""
    ada, ben = open_page("/"), open_page("/", size=size)
    ben.goto(f"{ben.url.rstrip('/')}/t/{opened_table(ada, game=game)}")
    sit_down(ben, "Ben")
    for _ in range(bots):
        ada.get_by_role("button", name="Add a bot").click()
    ben.get_by_role("button", name="I'm ready").click()
    ada.get_by_role("button", name="Start", exact=True).click()
    for page in (ada, ben):
        expect(page.locator("[data-choice]").first).to_be_visible()
    return ada, ben


def menu(page: Page, *names: str) -> None:
    page.get_by_role("button", name=re.compile("^Menu")).click()
    for name in names:
        page.get_by_role("dialog").get_by_role("button", name=name).click()


def test_rules_talk_pause_and_votes_are_a_tap_away(open_page: Opens) -> None:
    ada, ben = two_at_a_table(open_page, size="landscape")
    _asks_why(ada, ben)
    _talks(ada, ben)
    _pauses(ada, ben)

    menu(ben, "Vote to end the game")
    menu(ada)
    expect(ada.get_by_role("dialog")).to_contain_text("1 of 2 want to end it")
    ada.get_by_role("button", name="Vote to end the game").click()

    for page in (ada, ben):
        expect(page.locator("[data-over]")).to_be_visible()


def _asks_why(ada: Page, ben: Page) -> None:
    for page in (ada, ben):
        page.locator("[data-choice]").first.click()
    menu(ada)
    picture(ada, "menu-phone-light")
    check_access(ada)
    ada.get_by_role("button", name="Why did that happen?").click()
    expect(
        ada.get_by_role("dialog").get_by_role("listitem").first
    ).to_be_visible()  # what the dice asked for, who handed over
    expect(ada.get_by_role("dialog")).to_contain_text("Only the last step")
    picture(ada, "why-phone-light")
    check_access(ada)
    ada.get_by_role("dialog").get_by_role("button", name="Rules of POK").click()
    expect(ada.get_by_role("heading", name="Who hands over")).to_be_visible()
    picture(ada, "table-rules-phone-light")
    check_access(ada)
    ada.keyboard.press("Escape")


def _talks(ada: Page, ben: Page) -> None:
    menu(ben, "Say something", "Good luck!")
    expect(ada.locator(".bubble")).to_contain_text("Good luck!")
    picture(ada, "talk-bubble")
    menu(ada, "Say something")
    ada.get_by_label("A short line").fill("Thanks, and to you")
    ada.get_by_role("button", name="Send").click()
    expect(ada.get_by_role("dialog")).to_contain_text("Thanks, and to you")
    expect(ben.locator(".bubble")).to_contain_text("Thanks, and to you")
    picture(ada, "talk-phone-light")
    check_access(ada)
    ada.get_by_role("button", name="Don't hear Ben").click()
    expect(ada.get_by_role("button", name="Hear Ben again")).to_be_visible()
    expect(ada.locator("dialog .lines")).not_to_contain_text("Good luck!")
    ada.keyboard.press("Escape")


def _pauses(ada: Page, ben: Page) -> None:
    menu(ada, "Pause the game")
    expect(ben.get_by_role("heading", name="The game is paused")).to_be_visible()
    expect(ben.locator("[data-choice]")).to_have_count(0)
    picture(ada, "paused-phone-light")
    picture(ben, "paused-landscape")
    check_access(ben)
    ada.get_by_role("button", name="Go on playing").click()
    expect(ben.get_by_role("heading", name="The game is paused")).to_have_count(0)


def test_a_bot_holds_the_seat_until_its_person_is_back_or_a_friend_comes(open_page: Opens) -> None:
    ada, ben = two_at_a_table(open_page)
    table = ben.url
    menu(ben, "Leave the table", "Leave the game")
    expect(ben.get_by_role("button", name="POK against bots")).to_be_visible()
    ben.goto(table)
    expect(ben.get_by_role("heading", name="A bot keeps your seat")).to_be_visible()
    picture(ben, "standby-phone-light")
    check_access(ben)
    ben.get_by_role("button", name="Take the seat back").click()
    expect(ben.locator("[data-choice]").first).to_be_visible()

    menu(ben, "Leave the table")
    expect(ben.get_by_role("button", name="Leave the game")).to_be_visible()
    check_access(ben)
    ben.get_by_role("button", name="Leave the game").click()
    menu(ada, "Free the seat of Ben for a friend")
    cleo = open_page(table.removeprefix(table[: table.index("/t/")]))
    expect(cleo.get_by_text("Watching")).to_be_visible()
    picture(cleo, "watcher-phone-light")
    check_access(cleo)
    cleo.get_by_role("button", name="Take a seat").click()
    cleo.get_by_label("Your name").fill("Cleo")
    picture(cleo, "take-seat-phone-light")
    check_access(cleo)
    cleo.get_by_role("button", name="Play on for Ben").click()

    expect(cleo.locator("[data-choice]").first).to_be_visible()


def test_another_device_takes_the_seat(open_page: Opens) -> None:
    page = open_page("/", language="de", theme="dark")
    page.get_by_role("button", name="POK gegen Bots").click()
    expect(page.locator("[data-choice]").first).to_be_visible()
    page.get_by_role("button", name="Menü").click()
    picture(page, "menu-phone-de")
    check_fits(page)
    page.get_by_role("button", name="Am anderen Gerät weiterspielen").click()
    expect(page.get_by_role("img", name="QR-Code")).to_be_visible()
    picture(page, "hand-over-phone-de")
    check_access(page)
    link = page.locator("[data-link]").get_attribute("data-link")
    assert link is not None

    other = open_page(link[link.index("/over/") :], size="desktop")

    expect(other.locator("[data-choice]").first).to_be_visible()


@pytest.mark.parametrize("game", ["POK", "Poch"])
def test_a_big_screen_shows_what_everybody_may_see(open_page: Opens, game: str) -> None:
    ada = open_page("/", size="tv", theme="dark")
    code = opened_table(ada, game=game)
    tv = ada.context.new_page()
    tv.goto(f"{ada.url}/tv")
    expect(tv.get_by_text(code)).to_be_visible()
    picture(tv, f"tv-{game.lower()}-open")
    check_access(tv)
    for _ in range(3):
        ada.get_by_role("button", name="Add a bot").click()
    ada.get_by_role("button", name="Start", exact=True).click()
    expect(ada.locator("[data-choice]").first).to_be_visible()
    expect(tv.locator("[data-mode=tv]").first).to_be_visible()

    expect(tv.locator("button, a, input, [data-choice]")).to_have_count(0)
    assert "In your hand" not in tv.content()
    expect(tv.get_by_text("Take a seat")).to_be_visible()
    check_fits(tv)
    check_access(tv)
    picture(tv, f"tv-{game.lower()}-dark")
    if game == "POK":
        play_to_the_end(ada)
        expect(tv.get_by_role("heading", name=re.compile("win"))).to_be_visible()
        check_access(tv)
        picture(tv, "tv-over-dark")
