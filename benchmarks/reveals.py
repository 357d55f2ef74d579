"""How smooth a reveal is on a slow phone: the longest task of the page's main thread, four times slowed down.

`python -m benchmarks reveals`, with a client that `make client` has built. A task is all that the main thread does in
one go: script, style, layout and paint. It is measured in time of its own thread, into which the slowdown counts and
other processes do not (though they make every thread slower: measure on a quiet machine). A reveal is watched to its
end: nobody taps before its movement is over.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser, Page, expect, sync_playwright
from rich.table import Table
from tests.web.browsers import launched
from tests.web.houses import House

from pokade.games import GAMES
from pokade.games.game import Game

REVEALS: Final = 6  # of a game, if it has so many
LOOKED_AT: Final = 1.5  # seconds that people want to look at what happened, from which on it is a reveal
LONG: Final = 50.0  # ms: what people notice
SLOWDOWN: Final = 4
REHEARSED: Final = 600  # ms until what is drawn before it is wanted has been drawn
WATCHED: Final = 6_000  # ms that a reveal may move
TRACED: Final = [
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "blink.user_timing",
    "blink.animations",
]
PARTS: Final = {  # of a task, by the names of the trace
    "script": {"EvaluateScript", "EventDispatch", "FireAnimationFrame", "FireIdleCallback", "FunctionCall"}
    | {"RunMicrotasks", "RunPostTaskCallback", "TimerFire"},
    "style": {"UpdateLayoutTree"},
    "layout": {"Layout"},
    "paint": {"PrePaint", "Paint", "Layerize", "Commit"},
}
Happened = dict[str, Any]

MARKS: Final = """(reveals) => {
  const isReveal = new RegExp(`\\\\["(${reveals})",`);
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        const text = typeof data === "string" ? data : new TextDecoder().decode(data);
        if (!/"kind": ?"step"/.test(text.slice(0, 200))) return;
        performance.mark(isReveal.test(text) ? "reveal" : "step");
      });
    }
  };
}"""

PLAYS: Final = """(watched) => {
  let [turns, seen] = [0, 0];
  setInterval(() => {
    const reveals = performance.getEntriesByName("reveal");
    if (reveals.length > seen && performance.now() - reveals.at(-1).startTime < watched) return;
    if (document.querySelector("[data-telling]")) return;
    performance.mark(reveals.length > seen ? "watched" : "tapped");
    seen = reveals.length;
    document.querySelector("[data-next]:not(:disabled)")?.click();
    const choices = [...document.querySelectorAll("[data-choice]:not(:disabled)")];
    if (choices.some((choice) => choice.ariaPressed === "true")) return;
    choices[turns++ % choices.length]?.click();
  }, 450);
}"""

ENOUGH: Final = """(reveals) =>
  performance.getEntriesByName("watched").length >= reveals || document.querySelector("[data-fair]") !== null
"""


@dataclass(frozen=True, slots=True)
class Reveal:
    """What the main thread did from a reveal until it had been watched."""

    longest: float  # ms
    parts: dict[str, float]  # of that task
    moved: int  # animations that began


def reveals_table() -> Table:
    """A row a game: the usual reveal, and the worst of all."""
    table = Table(
        title=f"The longest task of each reveal in the page, {SLOWDOWN} × slowed down, up to {REVEALS} reveals a game"
    )
    for heading in ("game", "animations each", "median", "longest", "of which", "none over 50 ms"):
        table.add_column(heading, justify="left" if heading in ("game", "of which") else "right")
    house = House()
    house.start()
    try:
        with sync_playwright() as playwright:
            browser = launched(playwright)
            for game in GAMES.values():
                table.add_row(game.title, *cells(seen_in(traced(browser, house, game))))
            browser.close()
    finally:
        house.kill()
    return table


def cells(reveals: list[Reveal]) -> list[str]:
    worst = max(reveals, key=lambda reveal: reveal.longest)
    moved = [reveal.moved for reveal in reveals]
    usual = median(reveal.longest for reveal in reveals)
    parts = ", ".join(f"{name} {spent:.0f}" for name, spent in worst.parts.items() if spent >= 1)
    is_smooth = "yes" if worst.longest <= LONG else "no"
    return [f"{min(moved)} to {max(moved)}", f"{usual:.0f} ms", f"{worst.longest:.0f} ms", parts, is_smooth]


def begun(page: Page, house: House, game: Game) -> None:
    """A game against bots, on a page that moves and marks what it hears."""
    reveals = "|".join(event.name for event in game.events if event.look >= LOOKED_AT)
    page.add_init_script(f"({MARKS})({json.dumps(reveals)})")
    page.goto(house.url)
    page.get_by_role("button", name=f"{game.title} against bots").click()
    expect(page.locator("[data-choice]").first).to_be_visible()
    page.wait_for_timeout(REHEARSED)


def traced(browser: Browser, house: House, game: Game) -> list[Happened]:
    """What a page did while it was played in, at a quarter of the speed."""
    page = browser.new_page(viewport={"width": 360, "height": 740})
    begun(page, house, game)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    browser.start_tracing(page=page, categories=TRACED)
    page.evaluate("() => performance.clearMarks()")
    page.evaluate(PLAYS, WATCHED)
    page.wait_for_function(ENOUGH, arg=REVEALS, timeout=0, polling=1_000)  # by default it would ask in every frame
    events: list[Happened] = json.loads(browser.stop_tracing())["traceEvents"]
    page.close()
    return events


def seen_in(events: list[Happened]) -> list[Reveal]:
    """What a trace tells of each reveal."""
    marks = sorted(
        (event for event in events if is_mark(event, "reveal", "watched")), key=lambda event: int(event["ts"])
    )
    thread = (marks[0]["pid"], marks[0]["tid"])
    here = [event for event in events if (event["pid"], event["tid"]) == thread]
    tasks = list(tasks_in(here))
    moved_at = [event["ts"] for event in events if event.get("name") == "Animation" and event["ph"] == "b"]
    found = []
    for start, end in spans(marks):
        longest = max(
            (task for task in tasks if start <= task["ts"] + task["dur"] <= end), key=lambda task: task["tdur"]
        )
        moved = sum(start <= at < end for at in moved_at)
        found.append(Reveal(longest["tdur"] / 1000, parts_of(longest, here), moved))
    return found


def spans(marks: list[Happened]) -> Iterator[tuple[int, int]]:
    """From when to when each reveal was watched; those that follow at once are one."""
    start: int | None = None
    for mark in marks:
        if mark["name"] == "reveal" and start is None:
            start = mark["ts"]
        elif mark["name"] == "watched" and start is not None:
            yield start, mark["ts"]
            start = None


def tasks_in(events: list[Happened]) -> Iterator[Happened]:
    """The tasks of a thread, but for those in which the benchmark taps."""
    taps = [event["ts"] for event in events if is_mark(event, "tapped", "watched")]
    for event in events:
        if event["name"] == "RunTask" and event["ph"] == "X" and not any(is_within(tap, event) for tap in taps):
            yield event


def parts_of(task: Happened, events: list[Happened]) -> dict[str, float]:
    """How many ms of a task went into what; what happens within a part counts for that part."""
    inside = [event for event in events if event["ph"] == "X" and event is not task and is_within(event["ts"], task)]
    spent = dict.fromkeys(PARTS, 0.0)
    for part, names in PARTS.items():
        for event in outermost([event for event in inside if event["name"] in names]):
            spent[part] += event.get("tdur", 0) / 1000
    return spent


def outermost(events: list[Happened]) -> Iterator[Happened]:
    end = 0
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        if event["ts"] >= end:
            end = event["ts"] + event["dur"]
            yield event


def is_mark(event: Happened, *names: str) -> bool:
    return event.get("name") in names and "user_timing" in event.get("cat", "")


def is_within(moment: int, task: Happened) -> bool:
    return bool(task["ts"] <= moment <= task["ts"] + task["dur"])
