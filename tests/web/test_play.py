"""One opens the address, taps once, and plays."""

from playwright.sync_api import expect

from tests.web.conftest import Opens, check_access, check_fits, picture
from tests.web.tables import choices, go_on, play_to_the_end


def test_one_tap_plays_pok_to_the_end(open_page: Opens) -> None:
    page = open_page("/")
    picture(page, "home")

    page.get_by_role("button", name="POK against bots").click()
    expect(choices(page).first).to_be_visible()
    check_fits(page)
    check_access(page)
    picture(page, "plain-pok")
    choices(page).first.click()
    go_on(page)
    play_to_the_end(page)

    expect(page.get_by_role("heading", level=1)).to_contain_text("win")
    picture(page, "end")
