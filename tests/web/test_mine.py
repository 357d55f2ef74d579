"""My games in a browser: each tells how it went and leads to its last reveal; and all opens without a line too."""

from playwright.sync_api import Page, expect

from tests.web.conftest import Console, Opens, at, check_access, check_fits, picture
from tests.web.tables import against_bots, play_to_the_end

IS_KEPT = """async () => {
  const files = await (await fetch("/offline.json")).json();
  for (const path of [...files.all, ...files.en]) {
    while (!(await caches.match(path, {ignoreVary: true}))) await new Promise(requestAnimationFrame);
  }
}"""


def test_my_games_tell_their_story_with_a_line_and_without(open_page: Opens, console: Console) -> None:
    page = open_page("/")
    table = against_bots(page, "pok", seats=3, options={"max_rounds": 1})
    play_to_the_end(page)
    page.locator("[data-fair]").wait_for()

    page.goto(at(page, "/mine"))

    rows = page.locator("[data-found] li")
    expect(rows).to_have_count(1)
    expect(page.get_by_role("list", name="What your games come to")).to_contain_text("1 played")
    check_fits(page)
    check_access(page)
    picture(page, "mine-phone-light", full=True)
    _is_searched(page)
    _leads_to_the_last_reveal(page, table)
    page.evaluate(IS_KEPT)
    _opens_without_a_line(page, console)


def _is_searched(page: Page) -> None:
    rows = page.locator("[data-found] li")
    page.get_by_label("Find a player").fill("zzz")
    expect(rows).to_have_count(0)
    page.get_by_label("Find a player").fill("ada")
    expect(rows).to_have_count(1)
    page.get_by_role("combobox", name="Game").select_option("poch")
    expect(rows).to_have_count(0)
    page.get_by_role("combobox", name="Game").select_option("pok")
    expect(rows).to_have_count(1)


def _leads_to_the_last_reveal(page: Page, table: str) -> None:
    steps = page.request.get(at(page, f"/api/tables/{table}/replay")).json()["steps"]
    last = max(number for number, step in enumerate(steps) if step["told"])
    page.locator("[data-found] li a").click()
    expect(page.locator("[data-at]")).to_have_attribute("data-at", str(last))


def _opens_without_a_line(page: Page, console: Console) -> None:
    console.expects("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    page.goto(at(page, "/"))
    expect(page.locator("[data-offline]")).to_contain_text("No connection to the server")
    expect(page.get_by_role("button", name="POK against bots")).to_have_attribute("aria-disabled", "true")
    check_fits(page)
    check_access(page)
    picture(page, "offline-phone-light", full=True)
    page.get_by_role("link", name="Rules").first.click()
    page.get_by_role("link", name="Short rules").first.click()
    expect(page.get_by_text("Be the first to hand over five of them.").first).to_be_visible()
    page.goto(at(page, "/mine"))
    expect(page.get_by_text("The server can't be reached.")).to_be_visible()
    check_access(page)
    picture(page, "mine-offline-phone-light", full=True)
    page.locator("[data-found] li a").click()
    expect(page.locator("[data-at]")).to_be_visible()
    page.context.set_offline(False)
    page.goto(at(page, "/"))
    expect(page.locator("[data-offline]")).to_have_count(0)
