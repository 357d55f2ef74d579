"""How smooth a reveal is on a slow phone: the longest script task of each step, at a quarter of this machine's speed.

`python -m benchmarks reveals`, with a client that `make client` has built. A task below 16 ms fits into one frame.
"""

import json
from collections.abc import Iterator
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser, Page, expect, sync_playwright
from rich.table import Table
from tests.web.browsers import launched
from tests.web.houses import House

GAMES: Final = ("POK", "Pokerdice", "Poko Pop!", "Poch")
TRIES: Final = 3  # the machine has other things to do as well: the best of so many games counts, in it the usual step
FRAME: Final = 16.0  # ms
LONG: Final = 50.0  # ms: what people notice
SLOWDOWN: Final = 4
STEPS: Final = 8  # that are looked at, however long they take
REHEARSED: Final = 600  # ms until what is drawn before it is wanted has been drawn
TRACED: Final = ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"]
SCRIPT: Final = {
    "EvaluateScript",
    "EventDispatch",
    "FireAnimationFrame",
    "FireIdleCallback",
    "FunctionCall",
    "RunMicrotasks",
    "RunPostTaskCallback",
    "TimerFire",
}

MARKS: Final = """(() => {
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        const head = typeof data === "string" ? data : new TextDecoder().decode(data.slice(0, 200));
        if (/"kind": ?"step"/.test(head)) performance.mark("step");
      });
    }
  };
})()"""

PLAYS: Final = """() => {
  let turns = 0;
  setInterval(() => {
    performance.mark("tapped");
    document.querySelector("[data-next]:not(:disabled)")?.click();
    const choices = [...document.querySelectorAll("[data-choice]:not(:disabled)")];
    if (choices.some((choice) => choice.ariaPressed === "true")) return;
    choices[turns++ % choices.length]?.click();
  }, 450);
}"""


def reveals_table() -> Table:
    """A row a game: the usual step, and the longest of all."""
    table = Table(title=f"Script tasks of a step in the page, {SLOWDOWN} × slowed down, best of {TRIES} games")
    for heading in ("game", "median of the longest tasks", "longest task", "fits a frame of 16 ms", "none over 50 ms"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    house = House()
    house.start()
    try:
        with sync_playwright() as playwright:
            browser = launched(playwright)
            for game in GAMES:
                tasks = min((longest_tasks(traced(browser, house, game)) for _ in range(TRIES)), key=median)
                usual = median(tasks)
                table.add_row(
                    game,
                    f"{usual:.1f} ms",
                    f"{max(tasks):.1f} ms",
                    "yes" if usual <= FRAME else "no",
                    "yes" if max(tasks) <= LONG else "no",
                )
            browser.close()
    finally:
        house.kill()
    return table


def begun(page: Page, house: House, game: str) -> None:
    """A game against bots, on a page that moves and marks what it hears."""
    page.add_init_script(MARKS)
    page.goto(house.url)
    page.get_by_role("button", name=f"{game} against bots").click()
    expect(page.locator("[data-choice]").first).to_be_visible()
    page.wait_for_timeout(REHEARSED)


def traced(browser: Browser, house: House, game: str) -> list[dict[str, Any]]:
    """What a page did while it was played in, at a quarter of the speed."""
    page = browser.new_page(viewport={"width": 360, "height": 740})
    begun(page, house, game)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    browser.start_tracing(page=page, categories=TRACED)
    page.evaluate("() => performance.clearMarks()")
    page.evaluate(PLAYS)
    page.wait_for_function(f"() => performance.getEntriesByName('step').length > {STEPS}", timeout=0)
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    page.close()
    return events


def longest_tasks(events: list[dict[str, Any]]) -> list[float]:
    """For each step that the page heard of, the longest script task until the next one, in ms."""
    steps = sorted((event for event in events if is_mark(event, "step")), key=lambda event: int(event["ts"]))
    thread = (steps[0]["pid"], steps[0]["tid"])
    tasks = list(script_tasks([event for event in events if (event["pid"], event["tid"]) == thread]))
    ends = [*(step["ts"] for step in steps[1:]), float("inf")]
    found = [[long for at, long in tasks if step["ts"] <= at < end] for step, end in zip(steps, ends, strict=True)]
    return [max(each) for each in found if each]


def script_tasks(events: list[dict[str, Any]]) -> Iterator[tuple[int, float]]:
    """When each task was over, and how long it ran scripts in time of its own thread: other processes don't count.

    Those in which the benchmark taps are left out.
    """
    taps = [event["ts"] for event in events if is_mark(event, "tapped")]
    whole = sorted((event for event in events if event["ph"] == "X"), key=lambda event: (event["ts"], -event["dur"]))
    scripts = [event for event in whole if event["name"] in SCRIPT]
    for task in (event for event in whole if event["name"] == "RunTask"):
        inside = [event for event in scripts if is_within(event["ts"], task)]
        if inside and not any(is_within(tap, task) for tap in taps):
            yield task["ts"] + task["dur"], round(sum(event["tdur"] for event in outermost(inside)) / 1000, 1)


def outermost(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    end = 0
    for event in events:
        if event["ts"] >= end:
            end = event["ts"] + event["dur"]
            yield event


def is_mark(event: dict[str, Any], name: str) -> bool:
    return event.get("name") == name and "user_timing" in event.get("cat", "")


def is_within(moment: int, task: dict[str, Any]) -> bool:
    return bool(task["ts"] <= moment <= task["ts"] + task["dur"])
