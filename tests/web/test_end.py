"""The end of a game in a browser: who won, the chart, fairness worked out in the page, once more."""

import json
import re
from typing import Any, Final

from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Opens, at, check_access, check_fits, picture
from tests.web.tables import against_bots, opened, play_to_the_end, stop_the_clock

A_WIN: Final = 10_000  # ms: longer than any win is drawn and heard


def played(page: Page, **wanted: Any) -> str:
    """A game against bots, played to its end: the table's id."""
    table = against_bots(page, "pok", **wanted)
    play_to_the_end(page)
    return table


def fairness(page: Page) -> Any:
    return page.locator("[data-fair]")


HOW_IT_WENT_FIRST = """() => {
  const [chart, next] = ["caption", "[data-next-game]"].map((part) => document.querySelector(part));
  return !!(chart.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING);
}"""


def test_a_game_ends_with_a_winner_a_chart_and_every_draw_checked_in_the_page(open_page: Opens) -> None:
    page = open_page("/", accept_downloads=True)
    table = played(page, seats=5)

    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("wins?$"))
    draws = page.request.get(at(page, f"/api/tables/{table}/verify")).json()["draws"]
    expect(fairness(page)).to_have_attribute("data-fair", "fair")
    expect(fairness(page)).to_contain_text(f"Fair: all {len(draws)} dice check out")
    places = page.get_by_role("list", name="Places").get_by_role("listitem")
    expect(places).to_have_count(5)
    expect(places.filter(has_text="You")).to_have_count(1)
    assert page.evaluate(HOW_IT_WENT_FIRST)
    check_access(page)
    picture(page, "end-folded-phone-light")
    fairness(page).get_by_role("button").click()
    rows = page.locator("[data-draws]")
    expect(rows).to_have_count(len(draws) // 3)
    expect(page.get_by_text("You saw it yourself when you sat down.")).to_be_visible()
    expect(page.get_by_text("Your own salt is in every draw")).to_be_visible()
    rounds, body = page.locator("caption + thead"), page.locator("caption ~ tbody tr")
    expect(rounds).to_contain_text("You")
    expect(body).to_have_count(len(draws) // 3)
    picture(page, "end-phone-light")
    picture(page, "end-whole-phone-light", full=True)
    check_fits(page)
    check_access(page)
    page.get_by_role("button", name="Show the tickets").click()
    expect(page.locator(".tickets > span")).to_have_count(len(draws))
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the record").click()
    assert saved.value.suggested_filename.endswith(".pok.toml")
    assert table in saved.value.path().read_text("utf-8")
    _looks(page)
    _share(page)


def _share(page: Page) -> None:
    """The result as a picture, in both shapes."""
    page.get_by_role("button", name="Share").click()
    for shape, width in (("wide", 1200), ("square", 1080)):
        page.get_by_role("radio", name=shape.capitalize()).check()
        expect(page.locator(f"[data-drawn={shape}]")).to_be_visible()
        assert page.locator("dialog img").evaluate("(image) => image.naturalWidth") == width
        check_access(page)
        picture(page, f"end-share-{shape}-phone-dark")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the picture").click()
    assert saved.value.suggested_filename.endswith("-square.png")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def _looks(page: Page) -> None:
    """On every screen, by day and by night."""
    for name, size in (("landscape", (740, 360)), ("desktop", (1280, 800))):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        check_fits(page)
        picture(page, f"end-{name}-light")
    page.emulate_media(color_scheme="dark")
    picture(page, "end-desktop-dark")
    page.set_viewport_size({"width": 360, "height": 740})
    check_access(page)
    picture(page, "end-phone-dark")


def tampered(page: Page, change: str) -> None:
    """Let the house lie: `change` is done to its answer in the page's ear."""

    def answer(route: Route) -> None:
        told = route.fetch().json()
        if change == "seed":
            told["seed"] = ("1" if told["seed"][0] == "0" else "0") + told["seed"][1:]
        elif change == "draw":
            told["draws"][4]["ticket"] = (told["draws"][4]["ticket"] + 1) % 6
        else:
            told["draws"] = [draw for draw in told["draws"] if draw["action"] != 1]
        route.fulfill(body=json.dumps(told), content_type="application/json")

    page.route("**/verify*", answer)


def test_a_house_that_lies_about_seed_or_draws_is_found_out(open_page: Opens) -> None:
    page = open_page("/", service_workers="block")  # a worker asks past the lies that are told below
    played(page, options={"max_rounds": 3})
    said = {
        "seed": "The seed does not match the commitment",
        "draw": "Round 2: the seed gives another ticket",
        "gap": "Not fair",
    }

    for change, words in said.items():
        tampered(page, change)
        page.reload()
        expect(fairness(page)).to_have_attribute("data-fair", "unfair")
        expect(fairness(page)).to_contain_text(words)
        if change == "draw":
            fairness(page).get_by_role("button").click()
            expect(page.locator("li").filter(has=page.locator(".mark.bad"))).to_have_count(1)
            expect(page.locator("li").filter(has=page.locator(".mark.bad"))).to_contain_text("Round 2")
            check_access(page)
            picture(page, "end-unfair-phone-light")
        page.unroute("**/verify*")

    page.evaluate("""() => {
      const [[id, , salts]] = JSON.parse(localStorage.getItem("pokade.commitments"));
      localStorage.setItem("pokade.commitments", JSON.stringify([[id, "0".repeat(64), salts]]));
    }""")
    page.reload()
    expect(fairness(page)).to_contain_text("You saw another commitment")


RINGS: Final = """(() => {
  window.rung = 0;
  localStorage.setItem("pokade.settings", JSON.stringify({ sound: true }));
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...given) {
    rung++;
    start.apply(this, given);
  };
})()"""


def test_two_people_play_once_more_by_other_options(open_page: Opens) -> None:
    ada, ben = open_page("/"), open_page("/", size="desktop", language="de", script=RINGS)
    _, code = opened(ada, bots=2, options={"max_rounds": 2})
    ben.goto(at(ben, f"/t/{code}"))
    _sit_in_german(ben)
    ada.get_by_role("button", name="Start", exact=True).click()
    expect(ben.locator("[data-choice]").first).to_be_visible()
    asked: list[str] = []
    ben.on("request", lambda request: asked.append(request.url))
    ben.clock.install()
    play_to_the_end(ada, ben)
    stop_the_clock(ben)
    ben.clock.run_for(A_WIN)
    rung = ben.evaluate("() => rung")
    assert rung > 0
    ben.clock.resume()

    ada.get_by_role("button", name="Rematch with other options").click()
    ada.get_by_role("dialog").get_by_role("radio", name="The table keeps track for you").check()
    picture(ada, "rematch-phone-light")
    check_access(ada)
    ada.get_by_role("dialog").get_by_role("button", name="Rematch").click()
    expect(ben.get_by_role("main").get_by_text("Ada will Revanche")).to_be_visible()
    picture(ben, "end-asked-desktop-de")
    stop_the_clock(ben)
    ben.clock.run_for(A_WIN)
    assert ben.evaluate("() => rung") == rung  # the end is heard once, and looked up once
    assert len([url for url in asked if "/replay?" in url]) == 1
    ben.clock.resume()
    check_access(ben)
    ben.get_by_role("button", name="Revanche annehmen").click()

    for page in (ada, ben):
        expect(page.locator("[data-choice]").first).to_be_visible()
        assert code not in page.url
    kept = [len(page.evaluate("() => JSON.parse(localStorage.getItem('pokade.commitments'))")) for page in (ada, ben)]
    assert kept == [2, 2]


def _sit_in_german(ben: Page) -> None:
    ben.get_by_role("button", name="Platz nehmen").click()
    ben.get_by_label("Dein Name").fill("Ben")
    ben.get_by_role("dialog").get_by_role("button", name="Platz nehmen").click()
    ben.get_by_role("button", name="Ich bin bereit").click()


def test_a_table_that_voted_to_stop_says_so_and_proves_its_dice(open_page: Opens) -> None:
    ada = open_page("/", language="de")
    table = against_bots(ada, "pok")
    ada.evaluate(
        """(table) => {
          const line = new WebSocket(`ws://${location.host}/ws/${table}`);
          line.onopen = () => line.send(JSON.stringify({do: "vote"}));
        }""",
        table,
    )
    ada.locator("[data-over]").wait_for()

    expect(ada.get_by_text("Der Tisch hat für das Ende gestimmt")).to_be_visible()
    expect(ada.locator("[data-fair='fair']")).to_be_visible()
    check_fits(ada)
    picture(ada, "end-voted-de")
    check_access(ada)
