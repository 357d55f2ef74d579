"""The parts of a table are drawn in turn: on a slow phone each in a frame of its own, here when the test says so."""

from typing import Any, Final

import pytest
from playwright.sync_api import Page

from pokade.games import GAMES
from pokade.games.state import columns
from tests.web.conftest import Opens
from tests.web.tables import against_bots, choices

SEALING: Final = [name for name, game in GAMES.items() if any(one.mark == "sealed" for one in columns(game.state))]
BY_HAND: Final = """(() => {
  const soon = scheduler.postTask.bind(scheduler);
  const kept = [];
  window.isByHand = false;
  scheduler.postTask = (task) => (window.isByHand ? new Promise((done) => kept.push(() => done(task()))) : soon(task));
  window.turn = () => {
    kept.shift()?.();
    const isOfTable = (one) => one instanceof CSSAnimation && one.effect.target.closest(".table, .sheet");
    return {
      isDrawing: document.querySelector("[data-drawing]") !== null,
      play: document.querySelector("[data-play]").dataset.play,
      sheet: document.querySelector(".sheet").getBoundingClientRect().height,
      states: document.getAnimations().filter(isOfTable).map((one) => one.playState),
    };
  };
})()"""  # from `isByHand` on nothing is drawn before the test says so


def begun(open_page: Opens, game: str) -> Page:
    page = open_page("/", script=BY_HAND, reduced_motion="no-preference")
    against_bots(page, game)
    return page


def drawn_by_hand(page: Page) -> list[dict[str, Any]]:
    """What the page shows after each turn of a movement, up to the one in which all parts are there."""
    page.evaluate("() => (isByHand = true)")
    choices(page).first.click()
    page.wait_for_function("() => { const now = turn(); return now.isDrawing && now.play; }")
    shown = [page.evaluate("() => turn()")]
    while shown[-1]["isDrawing"]:
        shown.append(page.evaluate("() => turn()"))
    return shown


@pytest.mark.parametrize("game", SEALING)
def test_what_moves_stands_still_until_the_last_part_is_drawn(open_page: Opens, game: str) -> None:
    *drawing, all_there = drawn_by_hand(begun(open_page, game))

    assert len(drawing) > 1
    assert {state for shown in drawing for state in shown["states"]} == {"paused"}
    assert "paused" not in all_there["states"]
    assert "running" in all_there["states"]


@pytest.mark.parametrize("game", SEALING)
def test_ones_own_things_never_jump_while_they_are_drawn(open_page: Opens, game: str) -> None:
    page = begun(open_page, game)
    before = page.locator(".sheet").evaluate("(sheet) => sheet.getBoundingClientRect().height")

    shown = drawn_by_hand(page)

    assert {round(one["sheet"], 1) for one in shown} == {round(before, 1)}
