"""An evening in a browser: the host picks the next game with one tap, and everybody sees who has won how often."""

from playwright.sync_api import Page, expect

from tests.web.conftest import Opens, at, check_access, check_fits, picture
from tests.web.tables import against_bots, play_to_the_end

LEAVES = """(table) => new Promise((done) => {
  const line = new WebSocket(`ws://${location.host}/ws/${table}`);
  line.binaryType = "arraybuffer";
  line.onopen = () => line.send(JSON.stringify({do: "leave"}));
  line.onmessage = ({data}) => {
    const frame = JSON.parse(new TextDecoder().decode(data));
    if (frame.table?.status === "over") done(line.close());
  };
})"""


def bots_play_on(page: Page) -> None:
    """The only person leaves, so the house plays to the end of the game."""
    page.evaluate(LEAVES, _id(page))


def _id(page: Page) -> str:
    code = page.url.rsplit("/", 1)[-1]
    return code if len(code) > 8 else page.request.get(at(page, f"/api/join/{code}")).json()["id"]


def test_the_host_picks_the_next_game_and_the_wins_are_counted(open_page: Opens) -> None:
    ada = open_page("/")
    table = against_bots(ada, "pok", seats=3, options={"max_rounds": 1})
    play_to_the_end(ada)
    expect(ada.locator("[data-evening]")).to_have_count(0)  # one game is no evening yet
    picture(ada, "evening-pick-phone-light", full=True)
    check_access(ada)

    ada.locator("[data-next-game=poch]").click()

    expect(ada.locator("[data-game=poch] [data-choice]").first).to_be_visible()
    assert table not in ada.url
    bots_play_on(ada)
    ada.locator("[data-over]").wait_for()
    rows = ada.locator("[data-evening] li")
    expect(rows).to_have_count(2)
    expect(ada.locator("[data-evening]")).to_contain_text("2 games")
    expect(rows.filter(has_text="Bots")).to_have_count(1)
    expect(rows.filter(has_text="You")).to_have_count(1)
    check_fits(ada)
    check_access(ada)
    picture(ada, "evening-end-phone-light", full=True)
    tv = open_page(f"/t/{_id(ada)}/tv", size="tv", theme="dark")
    expect(tv.locator("[data-evening] li")).to_have_count(2)
    check_fits(tv)
    check_access(tv)
    picture(tv, "evening-tv-dark")
