"""Around a game that is on: the menu, talk, pause, leaving and coming back, other devices, watchers, the big screen."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Opens, at, check_access, check_fits, picture
from tests.web.tables import at_rest, choices, go_on, heard, opened, play_to_the_end, stop_the_clock, two_people


def two_at_a_table(open_page: Opens, *, size: str = "phone") -> tuple[Page, Page]:
    """Ada, who is host, and Ben, with bots, in a game that is on."""
    ada, ben = two_people(open_page, "pok", size=size)
    for page in (ada, ben):
        expect(choices(page).first).to_be_visible()
    return ada, ben


def check_drawn(image: Locator, address: str) -> None:
    """A picture comes from an address, and there is one."""
    expect(image).to_have_attribute("src", address)
    expect(image).to_have_js_property("complete", True)
    expect(image).not_to_have_js_property("naturalWidth", 0)


def menu(page: Page, *names: str) -> None:
    page.get_by_role("button", name=re.compile("^Menu")).click()
    for name in names:
        page.get_by_role("dialog").get_by_role("button", name=name).click()


def test_rules_talk_pause_and_votes_are_a_tap_away(open_page: Opens) -> None:
    ada, ben = two_at_a_table(open_page, size="landscape")
    _asks_why(ada, ben)
    _talks(ada, ben)
    _pauses(ada, ben)

    _votes(ada, ben)

    for page in (ada, ben):
        expect(page.locator("[data-over]")).to_be_visible()


def _votes(ada: Page, ben: Page) -> None:
    """Everybody sees who wants to end the game and how many do, and it can be taken back."""
    menu(ben, "Vote to end the game")
    expect(ada.locator("[data-strip]")).to_contain_text("Ben wants to end the game. 1 of 2 so far.")
    expect(ada.locator("[aria-live]").get_by_text("Ben wants to end the game.")).to_be_attached()
    picture(ada, "vote-phone-light")
    check_access(ada)
    expect(ben.locator("[data-strip]")).to_contain_text("You want to end the game.")
    check_access(ben)
    ben.locator("[data-strip]").get_by_role("button", name="Take it back").click()
    expect(ada.locator("[data-strip]")).to_have_count(0)
    menu(ben, "Vote to end the game")
    menu(ben, "Play on after all")
    expect(ada.locator("[data-strip]")).to_have_count(0)
    menu(ben, "Vote to end the game")
    ada.locator("[data-strip]").get_by_role("button", name="Play on").click()
    expect(ada.locator("[data-strip]")).to_have_count(0)
    menu(ada)
    expect(ada.get_by_role("dialog")).to_contain_text("1 of 2 want to end it")
    ada.get_by_role("button", name="Vote to end the game").click()


def _asks_why(ada: Page, ben: Page) -> None:
    for page in (ada, ben):
        choices(page).first.click()
    expect(ada.locator("[data-next]")).to_be_visible()
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
    go_on(ada, ben)
    for page in (ada, ben):
        expect(choices(page).first).to_be_visible()


def _talks(ada: Page, ben: Page) -> None:
    for page in (ada, ben):
        stop_the_clock(page)  # what somebody has said is shown for a moment only
    menu(ben, "Say something", "Good luck!")
    expect(ada.locator(".bubble")).to_contain_text("Good luck!")
    picture(ada, "talk-bubble")
    ada.clock.fast_forward(4_000)
    expect(ada.locator(".bubble")).to_have_count(0)
    menu(ada, "Say something")
    ada.get_by_label("A short line").fill("Thanks, and to you")
    ada.get_by_role("button", name="Send").click()
    expect(ada.get_by_role("dialog")).to_contain_text("Thanks, and to you")
    expect(ben.locator(".bubble")).to_contain_text("Thanks, and to you")
    for page in (ada, ben):
        page.clock.resume()
    picture(ada, "talk-phone-light")
    check_access(ada)
    ada.get_by_role("button", name="Mute Ben").click()
    expect(ada.get_by_role("button", name="Unmute Ben")).to_be_visible()
    expect(ada.locator("dialog .lines")).not_to_contain_text("Good luck!")
    ada.keyboard.press("Escape")
    _is_not_heard(ada, ben)


def _is_not_heard(ada: Page, ben: Page) -> None:
    stop_the_clock(ada)
    menu(ben, "Say something")
    ben.get_by_label("A short line").fill("Are you there?")
    ben.get_by_role("button", name="Send").click()
    expect(ben.get_by_role("dialog")).to_contain_text("Are you there?")
    ben.keyboard.press("Escape")
    heard(ada)
    expect(ada.locator(".bubble")).to_have_count(0)
    ada.clock.resume()


def test_one_who_hides_chat_sees_nothing_of_it(open_page: Opens) -> None:
    ada, ben = two_at_a_table(open_page)
    ada.evaluate("() => localStorage.setItem('pokade.settings', JSON.stringify({mute: true}))")
    ada.reload()
    expect(choices(ada).first).to_be_visible()
    heard(ada)
    stop_the_clock(ada)  # a line is shown for a moment only

    menu(ben, "Say something", "Good luck!")

    menu(ben, "Say something")
    expect(ben.get_by_role("dialog")).to_contain_text("Good luck!")
    assert heard(ada) == ["chat"]
    at_rest(ada)
    expect(ada.locator(".bubble")).to_have_count(0)


def _pauses(ada: Page, ben: Page) -> None:
    expect(choices(ben).first).to_be_visible()
    menu(ada, "Pause the game")
    expect(ben.get_by_role("heading", name="The game is paused")).to_be_visible()
    expect(ben.locator("[data-choice]")).to_have_count(0)
    picture(ada, "paused-phone-light")
    picture(ben, "paused-landscape")
    check_access(ben)
    ada.get_by_role("button", name="Go on playing").click()
    expect(ben.get_by_role("heading", name="The game is paused")).to_have_count(0)
    expect(choices(ben).first).to_be_visible()


def test_a_bot_holds_the_seat_until_its_person_is_back_or_a_friend_comes(open_page: Opens) -> None:
    ada, ben = two_at_a_table(open_page)
    table = ben.url.removeprefix(at(ben, ""))
    _goes_back(ben)
    expect(ben.get_by_role("heading", name="A bot keeps your seat")).to_be_visible()
    picture(ben, "standby-phone-light")
    check_access(ben)
    ben.get_by_role("button", name="Take the seat back").click()
    expect(ben.get_by_role("button", name="Change")).to_be_visible()  # the bot has sealed, and the seal is theirs now

    menu(ben, "Leave the table")
    ben.get_by_role("button", name="Leave the seat to a bot").click()
    menu(ada, "Free the seat of Ben for a friend")
    ada.keyboard.press("Escape")
    cleo = open_page(table)
    expect(cleo.get_by_text("Watching")).to_be_attached()
    assert cleo.locator("header p").evaluate("(round) => round.scrollWidth <= round.clientWidth")  # it is not cut
    picture(cleo, "watcher-phone-light")
    check_access(cleo)
    cleo.get_by_role("button", name="Take a seat").click()
    cleo.get_by_label("Your name").fill("Cleo")
    picture(cleo, "take-seat-phone-light")
    check_access(cleo)
    cleo.get_by_role("button", name="Play on for Ben").click()
    ada.get_by_role("button", name="Agree").click()
    choices(ada).first.click()
    go_on(ada, cleo)  # seats change hands between two rounds

    expect(choices(cleo).first).to_be_visible()


def _goes_back(page: Page) -> None:
    """The browser's way back asks first; the page's own does too; and home leads back to the game."""
    page.evaluate("() => history.back()")
    asks = page.get_by_role("dialog", name="Your game is on")
    expect(asks).to_be_visible()
    picture(page, "leave-phone-light")
    check_access(page)
    asks.get_by_role("button", name="Play on").click()
    expect(choices(page).first).to_be_visible()
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Leave the seat to a bot").click()

    expect(page.get_by_role("button", name="POK against bots")).to_be_visible()
    expect(page.locator("[aria-live]")).to_have_text("")  # it is emptied with its screen
    mine = page.get_by_role("region", name="Your game is on")
    expect(mine).to_contain_text("With Ada")
    picture(page, "home-on-phone-light")
    check_fits(page)
    check_access(page)
    mine.get_by_role("link", name="Back to the game").click()


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
    check_drawn(page.get_by_role("img", name="QR-Code"), f"/qr{link[link.index('/over/') :]}.svg")

    other = open_page(link[link.index("/over/") :], size="desktop")

    expect(other.locator("[data-choice]").first).to_be_visible()


@pytest.mark.parametrize("game", ["POK", "Poch"])
def test_a_big_screen_shows_what_everybody_may_see(open_page: Opens, game: str) -> None:
    ada = open_page("/", size="tv", theme="dark")
    _, code = opened(ada, game=game.lower(), bots=3, options={"max_rounds": 2} if game == "POK" else {})
    tv = ada.context.new_page()
    tv.goto(f"{ada.url}/tv")
    expect(tv.get_by_text(code)).to_be_visible()
    check_drawn(tv.get_by_role("img", name="QR code"), f"/qr/{code}.svg")
    large = tv.get_by_role("img", name="QR code").bounding_box()
    assert large is not None
    assert large["width"] > 1080 / 2  # it is scanned from the sofa
    picture(tv, f"tv-{game.lower()}-open")
    check_access(tv)
    ada.get_by_role("button", name="Start", exact=True).click()
    expect(ada.locator("[data-choice]").first).to_be_visible()
    expect(tv.locator("[data-mode=tv]").first).to_be_visible()

    expect(tv.locator("button, a, input, [data-choice]")).to_have_count(0)
    assert "In your hand" not in tv.content()
    expect(tv.get_by_text("Take a seat")).to_be_visible()
    check_fits(tv)
    check_access(tv)
    picture(tv, f"tv-{game.lower()}-dark")
    check_that_the_table_fills_the_width(tv)
    if game == "POK":
        check_a_pause_across_the_room(ada, tv)
        play_to_the_end(ada)
        expect(tv.get_by_role("heading", name=re.compile("win"))).to_be_visible()
        expect(tv.get_by_role("table", name="Handed over, round by round")).to_be_attached()
        check_access(tv)
        picture(tv, "tv-over-dark")
        ada.get_by_role("button", name="Rematch", exact=True).click()
        expect(ada.locator("[data-choice]").first).to_be_visible()
        expect(tv.locator("main[data-mode=tv]")).to_be_visible()
        assert code not in tv.url


BESIDE = """() => [".table", "aside"].map((part) => document.querySelector(part).getBoundingClientRect())"""


def check_that_the_table_fills_the_width(tv: Page) -> None:
    for width in (1920, 2520):
        tv.set_viewport_size({"width": width, "height": 1080})
        expect(tv.locator("aside")).to_be_in_viewport()
        table, beside = tv.evaluate(BESIDE)
        assert 0 < beside["left"] - table["right"] < 80
        assert beside["right"] > width - 80
    tv.set_viewport_size({"width": 1920, "height": 1080})


def check_a_pause_across_the_room(ada: Page, tv: Page) -> None:
    ada.get_by_role("button", name="Menu").click()
    ada.get_by_role("button", name="Pause the game").click()
    expect(tv.get_by_role("heading", name="The game is paused")).to_be_visible()
    expect(tv.get_by_text("Ada has paused the game.")).to_be_visible()
    expect(tv.locator("main[data-mode=tv]")).to_have_count(0)  # nothing of the table lies beneath it
    check_access(tv)
    picture(tv, "tv-paused-dark")
    ada.get_by_role("button", name="Go on playing").click()
    expect(tv.locator("main[data-mode=tv]")).to_be_visible()
