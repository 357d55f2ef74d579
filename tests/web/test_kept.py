"""A page without a server keeps its games on the device; and one that came from a server plays on without it."""

from playwright.sync_api import BrowserContext, expect

from tests.web.conftest import Console, Opens, at, check_access, picture
from tests.web.tables import choices
from tests.web.test_alone import device, opened, site

__all__ = ["device", "site"]  # fixtures


def test_one_device_goes_round_and_keeps_its_games(device: BrowserContext, site: str) -> None:
    page = opened(device, site)
    page.get_by_role("link", name="One device for everybody").click()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("button", name="On this device")).to_be_visible()
    expect(page.locator(".share")).to_be_hidden()
    check_access(page)
    picture(page, "alone-lobby-phone-light", full=True)
    page.get_by_role("button", name="Add a bot").click()
    page.locator("button.who").click()
    expect(page.get_by_role("dialog").get_by_text("Strong bots need a server.")).to_be_visible()
    expect(page.get_by_role("radio", name="Casual")).to_be_checked()
    expect(page.get_by_role("radio", name="Strong")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add a bot").click()
    page.get_by_role("button", name="On this device").click()
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("dialog").get_by_role("button", name="Take a seat").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("[data-curtain]")).to_be_visible()

    page.reload()

    expect(page.locator("[data-curtain]")).to_be_visible()


def test_a_page_that_came_from_a_server_plays_on_without_it(open_page: Opens, console: Console) -> None:
    page = open_page("/", reduced_motion="reduce")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Keep the games on this device").click()
    expect(page.get_by_text("The games are on this device now.").first).to_be_visible()
    console.expects("ERR_INTERNET_DISCONNECTED", "/api/me")  # nobody has come to the server itself
    page.context.set_offline(True)
    page.goto(at(page, "/"))

    page.get_by_role("button", name="Play here, without a server").click()

    expect(page.locator('[data-here="ready"]')).to_be_visible()
    page.get_by_role("button", name="POK against bots").click()
    expect(choices(page).first).to_be_visible()
    page.context.set_offline(False)
    page.goto(at(page, "/"))
    with page.expect_console_message(lambda said: said.location["url"].endswith("/api/me")):
        page.get_by_role("button", name="Back to the server").click()
    expect(page.locator("[data-here]")).to_have_count(0)
