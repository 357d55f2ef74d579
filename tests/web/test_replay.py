"""Looking back at a game in a browser: step by step, through anybody's eyes, by link or from a file."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from pokade.games import GAMES
from tests.server.clients import Guest
from tests.web.conftest import Console, Opens, check_access, check_fits, picture
from tests.web.houses import House


@pytest.fixture(scope="session")
def finished(house: House) -> Iterator[Callable[[str], str]]:
    """A game that the house has played to its end, once for all tests: its id."""
    tables: dict[str, str] = {}

    def of(game: str) -> str:
        if game not in tables:
            tables[game] = ada.post(f"/api/quick/{game}", start=False)["id"]
            tab = ada.at(tables[game])
            for word in ("start", "leave"):  # then the bots play on
                tab.say(word)
            tab.table(lambda shown: shown["status"] == "over")
        return tables[game]

    with Guest(house.url.removeprefix("http://"), "Ada") as ada:
        yield of


def at(page: Page) -> int:
    return int(page.locator("[data-at]").get_attribute("data-at") or -1)


def stands_at(page: Page, step: int) -> None:
    expect(page.locator("[data-at]")).to_have_attribute("data-at", str(step))


def seen_by(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name="Seen by").get_by_role("radio", name=name, exact=True)


def walk_to(page: Page, step: int) -> None:
    here = at(page)
    for there in range(here - 1, step - 1, -1) if step < here else range(here + 1, step + 1):
        page.keyboard.press("ArrowLeft" if step < here else "ArrowRight")
        stands_at(page, there)


def test_one_steps_through_a_game_by_buttons_and_keys(
    open_page: Opens, house: House, finished: Callable[[str], str]
) -> None:
    table = finished("poch")
    page = open_page(f"/replay/{table}", size="desktop")
    stands_at(page, 0)
    page.get_by_role("button", name="One step on").click()
    stands_at(page, 1)
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    stands_at(page, 3)
    texts = [step["text"] for step in page.request.get(f"{house.url}/api/tables/{table}/replay").json()["steps"]]
    for start, words in (("t standby p1", "Ada is away, and a stand-in bot plays on."), ("d deal p1", "Ada gets")):
        walk_to(page, next(number for number, text in enumerate(texts) if text.startswith(start)))
        expect(page.get_by_role("status")).to_contain_text(words)
    page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("^Deal 2, step"))
    second = at(page)
    page.keyboard.press("End")
    page.get_by_role("slider").press("End")
    expect(page.get_by_role("button", name="One step on")).to_be_disabled()
    page.keyboard.press("Shift+ArrowLeft")
    page.get_by_role("button", name="Deal 2").or_(page.get_by_text("Deal 2", exact=True)).first.click()
    stands_at(page, second)
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    picture(page, "replay-desktop-light")
    check_fits(page)
    check_access(page)
    _plays(page)


def _plays(page: Page) -> None:
    before = at(page)
    page.get_by_role("radio", name="4×").check(force=True)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.wait_for_function(f"() => Number(document.querySelector('[data-at]').dataset.at) >= {before + 2}")
    page.get_by_role("button", name="Pause").click()
    page.keyboard.press("ArrowLeft")


def test_each_sees_with_their_own_eyes_and_a_link_leads_there(open_page: Opens, finished: Callable[[str], str]) -> None:
    page = open_page(
        f"/replay/{finished('poch')}?at=8", size="desktop", permissions=["clipboard-read", "clipboard-write"]
    )
    stands_at(page, 8)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    seen_by(page, "Table only").check(force=True)
    page.wait_for_url("**eyes=public")
    assert any("eyes=public" in url for url in asked)
    picture(page, "replay-public-desktop-light")
    page.get_by_role("group", name="Seen by").get_by_role("radio").nth(3).check(force=True)
    page.wait_for_url("**?at=8&eyes=p2")
    page.get_by_role("button", name="Link to this step").click()
    expect(page.locator("[aria-live]").get_by_text("The link is copied.")).to_be_attached()
    link = page.evaluate("() => navigator.clipboard.readText()")

    assert link.endswith(f"/replay/{finished('poch')}?at=8&eyes=p2")
    other = open_page(link.split("/", 3)[3].join(("/", "")), size="phone", theme="dark")
    stands_at(other, 8)
    expect(other.get_by_label("Seen by")).to_have_value("p2")
    picture(other, "replay-phone-dark")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_looked_back_at_on_a_phone(open_page: Opens, finished: Callable[[str], str], game: str) -> None:
    page = open_page(f"/replay/{finished(game)}?at=4", language="de")
    stands_at(page, 4)
    check_fits(page)
    check_access(page)
    picture(page, f"replay-{game}-phone-de")
    high, seen = page.evaluate("() => [document.documentElement.scrollHeight, window.innerHeight]")
    assert high <= seen
    page.get_by_label("Gehe zu").select_option(index=1)
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile(r" 2, Schritt"))
    page.get_by_role("button", name="Fairness prüfen").click()
    expect(page.locator("[data-fair]")).to_have_attribute("data-fair", "fair")
    picture(page, f"fair-{game}-phone-de")
    check_access(page)
    page.keyboard.press("Escape")
    for name, size in (("landscape", (740, 360)), ("desktop", (1280, 800))):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        check_fits(page)
        picture(page, f"replay-{game}-{name}-de")


def test_a_record_file_of_ones_own_is_opened_and_checked(
    open_page: Opens, finished: Callable[[str], str], tmp_path: Path, house: House, console: Console
) -> None:
    console.expects(r"status of 4\d\d .*/api/replay")
    page = open_page("/replay")
    table = finished("pok")
    record = page.request.get(f"{house.url}/api/tables/{table}/record").text()
    bad, good, forged = tmp_path / "bad.toml", tmp_path / "good.pok.toml", tmp_path / "forged.pok.toml"
    bad.write_text("nothing of ours", "utf-8")
    good.write_text(record, "utf-8")
    forged.write_text(record.replace('salts = [""', 'salts = ["x"', 1), "utf-8")
    picture(page, "replay-file-phone-light")
    check_access(page)

    page.get_by_label("Choose a file").set_input_files(bad)
    expect(page.get_by_role("alert")).to_contain_text("This record is not right: not TOML")
    page.get_by_label("Choose a file").set_input_files(good)
    stands_at(page, 0)
    expect(page.get_by_role("button", name="Link to this step")).to_have_count(0)
    page.get_by_role("button", name="Check fairness").click()
    expect(page.locator("[data-fair]")).to_have_attribute("data-fair", "fair")
    page.reload()
    page.get_by_label("Choose a file").set_input_files(forged)
    page.get_by_role("button", name="Check fairness").click()
    expect(page.locator("[data-fair]")).to_have_attribute("data-fair", "unfair")


def test_there_is_nothing_to_look_back_at_where_no_game_was(open_page: Opens, console: Console) -> None:
    console.expects(r"status of 404 .*/api/tables/0123456789abcdef")
    page = open_page("/replay/0123456789abcdef")

    expect(page.get_by_role("link", name="Home")).to_be_visible()
    check_access(page)
