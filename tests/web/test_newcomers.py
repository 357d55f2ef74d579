"""A game that is on: people come to it between two rounds, slow ones are called, and nobody holds it up."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from pokade import texts
from pokade.games import GAMES
from tests.web.clocks import pass_time
from tests.web.conftest import Opens, at, check_access, check_fits, picture
from tests.web.houses import House
from tests.web.tables import (
    change,
    check_no_scroll,
    check_targets,
    check_uncovered,
    choices,
    go_on,
    opened,
    sealed,
    tab_to,
    two_people,
)

CALLABLE = 60  # seconds of a decision without a clock, until somebody may call time
NOTICE = 20  # seconds that are left then
LONGEST_PAUSE = 600


def menu(page: Page, *names: str) -> None:
    page.get_by_role("button", name=re.compile("^Menu")).click()
    for name in names:
        page.get_by_role("dialog").get_by_role("button", name=name).click()


def strip(page: Page) -> Locator:
    return page.locator("[data-strip]")


def spoken(page: Page) -> Locator:
    return page.locator("[aria-live=polite][role=status]")


def playing(open_page: Opens, game: str = "pok") -> tuple[Page, Page, str]:
    """Ada, who is host, and Ben, with two bots, are asked for a choice; and the address of their table."""
    ada, ben = two_people(open_page, game)
    for page in (ada, ben):
        expect(page.locator("[data-mode=play]").first).to_be_visible()
    return ada, ben, ada.url.removeprefix(at(ada, ""))


def asking(page: Page, name: str = "Zoe") -> Page:
    """A watcher asks for a bot's seat."""
    page.get_by_role("button", name="Take a seat").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play on for Cleo").click()
    return page


def reveal(*pages: Page) -> None:
    for page in pages:
        choices(page).first.click()
    for page in pages:
        expect(page.locator("[data-next]")).to_be_visible()


def test_a_watcher_asks_the_table_agrees_and_plays_from_the_next_round(open_page: Opens) -> None:
    ada, ben, table = playing(open_page)
    zoe = asking(open_page(table, theme="dark"))
    expect(zoe.get_by_role("heading", name="The table is asked")).to_be_visible()
    expect(zoe.locator("main")).to_contain_text("0 of 2 agreed so far.")
    picture(zoe, "claim-asked-phone-dark")
    check_access(zoe)

    for page in (ada, ben):
        expect(strip(page)).to_contain_text("Zoe would like to take the seat of Cleo")
        expect(spoken(page)).to_contain_text("Zoe would like to take the seat of Cleo")
        expect(choices(page).first).to_be_enabled()
        check_access(page)
        check_fits(page)
    check_no_scroll(ada)
    check_targets(ada)
    picture(ada, "claim-host-phone-light")
    picture(ben, "claim-desktop-dark")
    tab_to(ada, strip(ada).get_by_role("button", name="Agree"))
    ada.keyboard.press("Enter")
    expect(strip(ada)).to_have_count(0)
    expect(zoe.locator("main")).to_contain_text("1 of 2 agreed so far.")
    ada.reload()
    expect(choices(ada).first).to_be_visible()
    expect(strip(ada)).to_have_count(0)  # a person who has agreed is not asked again
    menu(ben, "Let Zoe play for Cleo")

    expect(zoe.get_by_role("heading", name="You are in from the next round")).to_be_visible()
    expect(spoken(ben)).to_contain_text("Zoe is in from the next round")
    picture(zoe, "claim-soon-phone-dark")
    zoe.reload()
    expect(zoe.get_by_role("heading", name="You are in from the next round")).to_be_visible()
    check_access(zoe)
    expect(choices(zoe)).to_have_count(0)
    reveal(ada, ben)
    expect(zoe.locator("[data-next]")).to_be_visible()  # the seat is hers, and what lies open is everybody's
    expect(zoe.get_by_text("Watching")).to_have_count(0)
    go_on(ada, ben, zoe)
    choices(zoe).first.click()
    expect(sealed(zoe)).to_have_count(1)


@pytest.mark.parametrize("game", GAMES)
def test_who_asks_stands_beside_the_game_and_covers_nothing_of_it(open_page: Opens, game: str) -> None:
    ada, most = open_page("/", language="de"), GAMES[game].seats[-1]
    _, code = opened(ada, name="Annegret Sophie", game=game, seats=most, bots=most - 1)
    ada.get_by_role("button", name="Anfangen", exact=True).click()
    expect(choices(ada).first).to_be_visible()
    zoe = asking(open_page(f"/t/{code}", size="desktop"), "Maximilian Otto")

    expect(strip(ada)).to_contain_text("Maximilian Otto möchte den Platz von Cleo übernehmen")
    picture(ada, f"claim-{game}-phone-de")
    check_fits(ada)
    check_no_scroll(ada)
    check_access(ada)
    ada.set_viewport_size({"width": 360, "height": 640})
    check_fits(ada)
    check_no_scroll(ada)
    check_targets(ada)
    check_uncovered(ada, ".beside [data-strip]")
    picture(ada, f"claim-{game}-small-de")
    ada.set_viewport_size({"width": 740, "height": 360})
    check_fits(ada)
    check_no_scroll(ada)
    picture(ada, f"claim-{game}-landscape-de")
    strip(ada).get_by_role("button", name="Zustimmen").click()

    soon = texts.text("en", f"web.claim.you.{game}")
    expect(zoe.get_by_role("heading", name=soon)).to_be_visible()
    expect(zoe.locator("main")).not_to_contain_text("Seal ")  # a watcher is not told to
    picture(zoe, f"claim-{game}-desktop-light")


def test_a_curtain_says_that_somebody_asks_and_the_table_behind_it_answers(open_page: Opens) -> None:
    page = open_page("/")
    _, code = opened(page, bots=2)
    page.get_by_role("button", name="On this device").click()
    page.get_by_label("Your name").fill("Dora")
    page.get_by_role("dialog").get_by_role("button", name="Take a seat").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("[data-curtain]")).to_be_visible()
    zoe = asking(open_page(f"/t/{code}"))

    asks = page.get_by_role("button", name="Zoe would like to take the seat of Cleo")
    expect(asks).to_be_visible()
    picture(page, "claim-curtain")
    check_access(page)
    asks.click()
    agree = strip(page).get_by_role("button", name="Agree")
    expect(agree).to_be_visible()
    picture(page, "claim-board")
    check_access(page)
    agree.click()

    expect(zoe.get_by_role("heading", name="You are in from the next round")).to_be_visible()


def test_the_host_turns_somebody_down_for_good(open_page: Opens) -> None:
    ada, ben, table = playing(open_page, "pokopop")
    zoe = asking(open_page(table))

    strip(ben).get_by_role("button", name="Not now").click()
    expect(strip(ben)).to_have_count(0)
    expect(zoe.get_by_role("heading", name="The table is asked")).to_be_visible()
    strip(ada).get_by_role("button", name="Turn down").click()
    turns_down = ada.get_by_role("dialog").get_by_role("button", name="Turn down")
    expect(turns_down).to_be_visible()
    picture(ada, "refuse-phone-light")
    check_access(ada)
    turns_down.click()

    expect(zoe.get_by_text("The host has turned down your request. You can watch on.").last).to_be_visible()
    expect(zoe.get_by_role("button", name="Take a seat")).to_have_count(0)
    picture(zoe, "claim-refused-phone-light")
    check_access(zoe)
    zoe.reload()
    asking(zoe)
    expect(zoe.get_by_role("alert")).to_have_text("The host has turned down your request.")
    check_access(zoe)


def test_one_asks_no_longer_and_another_may(open_page: Opens) -> None:
    _, ben, table = playing(open_page)
    zoe = asking(open_page(table))
    expect(strip(ben)).to_be_visible()

    zoe.get_by_role("button", name="Withdraw").click()

    expect(zoe.get_by_role("button", name="Take a seat")).to_be_visible()
    expect(strip(ben)).to_have_count(0)
    asking(zoe)
    expect(strip(ben)).to_be_visible()
    yuri = open_page(table)
    yuri.get_by_role("button", name="Take a seat").click()
    expect(yuri.get_by_role("button", name="Play on for Cleo")).to_have_count(0)
    yuri.get_by_label("Your name").fill("Yuri")
    yuri.get_by_role("button", name="Play on for").click()
    expect(yuri.get_by_role("heading", name="The table is asked")).to_be_visible()


def test_the_host_sends_a_newcomer_away_and_the_bot_plays_on(open_page: Opens) -> None:
    ada = open_page("/")
    _, code = opened(ada, bots=3)
    ada.get_by_role("button", name="Start", exact=True).click()
    expect(choices(ada).first).to_be_visible()
    zoe = asking(open_page(f"/t/{code}"))
    strip(ada).get_by_role("button", name="Agree").click()
    reveal(ada)
    go_on(ada, zoe)
    expect(choices(zoe).first).to_be_visible()

    menu(ada, "Send Zoe away")
    picture(ada, "send-away-phone-light")
    check_access(ada)
    ada.get_by_role("dialog").get_by_role("button", name="Send away").click()

    expect(zoe.locator("main")).to_contain_text("The host has sent you away.")
    expect(choices(zoe)).to_have_count(0)
    check_access(zoe)
    menu(ada)
    expect(ada.get_by_role("button", name="Send Zoe away")).to_have_count(0)


def test_where_no_further_round_comes_one_is_told(open_page: Opens) -> None:
    ada, ben, table = playing(open_page)
    zoe = asking(open_page(table))
    expect(zoe.get_by_role("heading", name="The table is asked")).to_be_visible()

    for page in (ada, ben):
        menu(page, "Vote to end the game")

    expect(zoe.locator("[data-over]")).to_contain_text("The game ended before a seat came free")
    picture(zoe, "claim-over-phone-light")
    check_access(zoe)


def test_time_is_called_and_the_house_plays_for_those_who_are_missing(open_page: Opens, house: House) -> None:
    ada, ben, table = playing(open_page)
    choices(ada).first.click()
    menu(ada)
    expect(ada.get_by_role("button", name="Call time")).to_have_count(0)
    ada.keyboard.press("Escape")
    pass_time(house, CALLABLE)
    for page in (ada, ben):
        page.reload()  # the page has a clock of its own, which does not leap
        expect(choices(page).first).to_be_attached()
    expect(strip(ben)).to_have_count(0)  # a player with something to choose is not asked to hurry others
    menu(ben)
    expect(ben.get_by_role("button", name="Call time")).to_be_visible()
    ben.keyboard.press("Escape")
    expect(strip(ada)).to_contain_text("The table has waited for a minute.")
    picture(ada, "slow-phone-light")
    check_access(ada)
    check_no_scroll(ada)
    room = open_page(f"{table}/tv", size="tv")

    strip(ada).get_by_role("button", name="Call time").click()

    strip(ada).get_by_role("button", name="Take it back").click()
    expect(strip(ada)).to_contain_text("The table has waited for a minute.")
    expect(strip(ben)).to_have_count(0)
    expect(spoken(ben)).to_contain_text("Time is no longer called.")
    strip(ada).get_by_role("button", name="Call time").click()
    for page, who in ((ada, "You have"), (ben, "Ada has")):
        expect(strip(page)).to_contain_text(f"{who} called time: 20 seconds, then the house chooses.")
        expect(page.get_by_role("timer").first).to_be_visible()
        check_access(page)
    expect(spoken(ben)).to_contain_text("Ada has called time")
    expect(room.get_by_text("Ada has called time")).to_be_visible()
    expect(room.get_by_role("timer")).to_be_visible()
    picture(ben, "called-desktop-dark")
    picture(room, "called-tv")
    pass_time(house, NOTICE)
    for page, whom in ((ada, "Ben"), (ben, "you")):
        expect(page.get_by_text(f"Time ran out: the house has chosen for {whom}.").first).to_be_attached()
        expect(page.locator("[data-next]")).to_be_visible()
        expect(strip(page)).to_have_count(0)
        expect(page.get_by_role("timer")).to_have_count(0)


def test_anybody_at_the_table_ends_a_pause_that_is_too_long(open_page: Opens, house: House) -> None:
    ada, ben, _ = playing(open_page)
    menu(ada, "Pause the game")
    expect(ben.get_by_role("heading", name="The game is paused")).to_be_visible()
    expect(ben.locator("main")).to_contain_text("Ada has paused the game.")
    expect(ben.locator("main")).to_contain_text(re.compile(r"You can play on from \d+:\d\d"))
    ben.get_by_role("button", name="Go on playing").click()
    expect(ben.get_by_role("alert")).to_contain_text("The player who paused is still here")
    picture(ben, "paused-held-desktop-dark")
    check_access(ben)

    pass_time(house, LONGEST_PAUSE)
    ben.reload()
    expect(ben.locator("main")).to_contain_text("You can play on whenever you like.")
    picture(ben, "paused-free-desktop-dark")
    ben.get_by_role("button", name="Go on playing").click()

    for page in (ada, ben):
        expect(choices(page).first).to_be_visible()


def test_a_pause_of_one_who_is_gone_holds_nobody_up(open_page: Opens) -> None:
    ada, ben, _ = playing(open_page)
    menu(ada, "Pause the game")
    expect(ben.get_by_role("heading", name="The game is paused")).to_be_visible()
    ada.goto("about:blank")

    ben.get_by_role("button", name="Go on playing").click()

    expect(choices(ben).first).to_be_visible()


def test_after_twenty_changes_of_mind_the_last_one_stays(open_page: Opens) -> None:
    ada, _, _ = playing(open_page)
    for turn in range(21):
        if turn > 0:
            change(ada)
        choices(ada).nth(turn % 2).click()
        expect(choices(ada).nth(turn % 2)).to_have_attribute("aria-pressed", "true")
        expect(ada.locator("[data-choice].pending")).to_have_count(0)

    change(ada)
    choices(ada).nth(1).click()

    expect(ada.get_by_role("alert")).to_have_text("You have changed your mind often enough in this round.")
    expect(choices(ada).nth(0)).to_have_attribute("aria-pressed", "true")
    expect(sealed(ada)).to_have_count(1)
    check_access(ada)
