"""A table before the game: people come by link, bots fill up, and all begin together."""

from typing import Final

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.web.conftest import Opens, at, check_access, check_fits, picture
from tests.web.tables import add_bots, opened, sit_down

LOOKS = "(button) => getComputedStyle(button).backgroundColor"


def opened_table(page: Page, *, name: str = "Ada", game: str = "POK") -> str:
    """Open a table as somebody; the code of the table."""
    page.goto(page.url.rstrip("/") + "/new")
    page.get_by_role("radio", name=game, exact=True).check()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    return page.url.rsplit("/", 1)[1]


def test_people_come_by_link_bots_fill_up_and_all_begin_together(open_page: Opens) -> None:
    ada = open_page("/")
    code = opened_table(ada)
    expect(ada.get_by_text(code)).to_be_visible()
    expect(ada.get_by_role("img", name="QR code")).to_have_attribute("src", f"/qr/{code}.svg")
    start = ada.get_by_role("button", name="3 seats are still free")
    expect(start).to_have_attribute("aria-disabled", "true")
    assert start.evaluate(LOOKS) != ada.get_by_role("button", name="Copy link").evaluate(LOOKS)
    start.click(force=True)
    expect(ada.locator("[aria-live]").get_by_text("3 seats are still free")).to_be_attached()  # a dead button says why
    expect(ada.locator(".toast")).to_have_count(0)
    ben = open_page(f"/t/{code}", size="desktop")
    sit_down(ben, "Ben")
    add_bots(ada, 2)

    expect(ada.get_by_role("button", name="Start when all are ready")).to_be_visible()
    picture(ada, "lobby-phone-light")
    picture(ben, "lobby-desktop-light")
    for page in (ada, ben):
        check_fits(page)
        check_access(page)
    ben.get_by_role("button", name="I'm ready").click()
    ada.get_by_role("button", name="Start", exact=True).click()

    for page in (ada, ben):
        expect(page.locator("[data-choice]").first).to_be_visible()


def test_the_host_says_how_a_bot_plays(open_page: Opens) -> None:
    page = open_page("/")
    opened(page, game="pokopop")
    add_bots(page, 1)
    page.locator("button.who").first.click()

    page.get_by_role("radio", name="Beginner").check()
    page.get_by_role("radio", name="Bluffer").check()

    expect(page.locator("button.who")).to_contain_text("Bot · Beginner · Bluffer")
    expect(page.get_by_role("radio", name="Bluffer")).to_be_checked()
    check_fits(page)
    check_access(page)
    picture(page, "lobby-bot-phone-light")
    page.get_by_role("button", name="Close").click()
    picture(page, "lobby-bots-phone-light")


def test_somebody_else_on_the_same_phone_takes_a_seat(open_page: Opens) -> None:
    page = open_page("/", language="de")
    page.goto(page.url + "new/poch")
    page.get_by_label("Dein Name").fill("Annalena")
    check_fits(page)
    check_access(page)
    picture(page, "new-de", full=True)
    page.get_by_role("button", name="Tisch aufmachen").click()
    page.get_by_role("button", name="An diesem Gerät").click()
    picture(page, "lobby-here-de")
    page.get_by_label("Dein Name").fill("Annalena")
    page.get_by_role("dialog").get_by_role("button", name="Platz nehmen").click()

    expect(page.get_by_text("Auf diesem Gerät")).to_be_visible()
    expect(page.get_by_text("Annalena 2", exact=True)).to_be_visible()  # two of one name are told apart
    check_fits(page)
    check_access(page)
    picture(page, "lobby-phone-de", full=True)


@pytest.mark.parametrize("size", ["phone", "landscape", "desktop"])
def test_the_lobby_in_the_dark(open_page: Opens, size: str) -> None:
    page = open_page("/", size=size, theme="dark")
    opened(page, game="pokopop")

    expect(page.get_by_role("button", name="3 seats are still free")).to_be_visible()
    check_fits(page)
    check_access(page)
    picture(page, f"lobby-{size}-dark")


@pytest.mark.parametrize(
    ("opens", "shown"), [(".how", "How you play"), (".more", "Menu"), (".add button:last-child", "Who else plays")]
)
def test_every_sheet_of_the_lobby_is_open_to_all(open_page: Opens, opens: str, shown: str) -> None:
    page = open_page("/", theme="dark")
    opened(page)

    page.locator(opens).click()

    expect(page.get_by_role("dialog")).to_contain_text(shown)
    check_access(page)


def test_the_host_lets_a_bot_go_again(open_page: Opens) -> None:
    page = open_page("/")
    opened(page)
    add_bots(page, 1)

    page.get_by_role("button", name="Remove Ben").click()

    expect(page.get_by_role("button", name="3 seats are still free")).to_be_visible()


FORBIDDEN: Final = "() => (navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden')))"


def pasted(page: Page) -> Locator:
    """A field into which was pasted what was copied last."""
    page.evaluate("() => document.body.append(document.createElement('textarea'))")
    page.locator("textarea").press("ControlOrMeta+v")
    return page.locator("textarea")


def test_the_link_can_be_copied_where_there_is_no_secure_context(open_page: Opens) -> None:
    page = open_page("/", host="pokade.test")
    _, code = opened(page)
    assert page.evaluate("() => isSecureContext") is False

    page.get_by_role("button", name="Copy link").click()

    expect(page.locator("[aria-live]").get_by_text("The link is copied.")).to_be_attached()
    expect(pasted(page)).to_have_value(at(page, f"/t/{code}"))  # of this very table


def test_the_link_can_be_copied_where_the_browser_forbids_the_clipboard(open_page: Opens) -> None:
    page = open_page("/")
    _, code = opened(page)
    page.evaluate(FORBIDDEN)

    page.get_by_role("button", name="Copy link").click()

    expect(page.locator("[aria-live]").get_by_text("The link is copied.")).to_be_attached()
    expect(pasted(page)).to_have_value(at(page, f"/t/{code}"))


def test_what_was_read_out_stays_when_somebody_comes(open_page: Opens) -> None:
    ada = open_page("/")
    _, code = opened(ada)
    ada.get_by_role("button", name="Copy link").click()
    expect(ada.locator("[aria-live]").get_by_text("The link is copied.")).to_be_attached()

    sit_down(open_page(f"/t/{code}"), "Ben")

    expect(ada.get_by_text("Ben", exact=True)).to_be_visible()
    expect(ada.locator("[aria-live]").get_by_text("The link is copied.")).to_be_attached()


def test_whoever_leaves_frees_the_seat(open_page: Opens) -> None:
    ada = open_page("/")
    _, code = opened(ada)
    ben = open_page(f"/t/{code}")
    sit_down(ben, "Ben")
    expect(ada.get_by_text("Ben", exact=True)).to_be_visible()

    ben.get_by_role("button", name="Menu").click()
    ben.get_by_role("button", name="Leave the table").click()

    expect(ada.get_by_text("Ben", exact=True)).to_have_count(0)


def test_the_host_changes_the_number_of_seats_and_takes_a_seat_of_the_own_phone_back(open_page: Opens) -> None:
    page = open_page("/")
    opened(page)
    page.get_by_role("button", name="On this device").click()
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("dialog").get_by_role("button", name="Take a seat").click()
    expect(page.get_by_text("2 of 4 taken")).to_be_visible()

    page.get_by_role("button", name="One seat more").click()
    expect(page.get_by_text("2 of 5 taken")).to_be_visible()
    picture(page, "lobby-five-phone-light")
    check_fits(page)
    check_access(page)
    for left in (4, 3):
        page.get_by_role("button", name="One seat fewer").click()
        expect(page.get_by_text(f"2 of {left} taken")).to_be_visible()
    page.get_by_role("button", name="One seat fewer").click(force=True)
    expect(page.locator("[aria-live]").get_by_text("It takes 3 at least.")).to_be_attached()
    page.get_by_role("button", name="Remove Ben").click()

    expect(page.get_by_text("1 of 3 taken")).to_be_visible()


def test_a_name_typed_before_the_house_has_answered_stays(open_page: Opens) -> None:
    page = open_page("/")
    opened(page)
    held: list[Route] = []
    page.route("**/api/me", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks its handlers
    with page.expect_request("**/api/me"):
        page.goto(at(page, "/new"))
    page.get_by_label("Your name").fill("Maximilian")

    with page.expect_response("**/api/me"):
        held[0].continue_()
    page.evaluate("() => fetch('/healthz')")  # by now the page has taken the answer in

    expect(page.get_by_label("Your name")).to_have_value("Maximilian")
