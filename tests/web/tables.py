"""A table in a browser: how tests open one, play at it, look at what moves, and hear all that the house has said."""

from typing import Any, Final
from weakref import WeakSet

from playwright.sync_api import Error, Locator, Page, expect

from tests.web.conftest import PATIENCE, Opens, at, check_access, check_fits

SMALLEST_TARGET: Final = 44  # px
A_PIXEL_OF_ROUNDING: Final = 0.1
MOST_TABS: Final = 80
LONG_ENOUGH: Final = 5 * PATIENCE  # for a whole game on a machine that has much else to do

# Opening a table.


ASKS: Final = """async ([path, body]) => {
  const headers = {"content-type": "application/json"};
  const answer = await fetch(path, {method: "POST", headers, body: JSON.stringify(body)});
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}"""


def asked(page: Page, path: str, body: Any) -> Any:
    """What the house answers to the person whose page it is."""
    return page.evaluate(ASKS, [path, body])


def opened(page: Page, *, name: str = "Ada", tickets: list[int] | None = None, **wanted: Any) -> tuple[str, str]:
    """Open a table as somebody: its id and its code; the page is in its lobby. Tickets are what chance does first."""
    asked(page, "/api/guest", {"name": name})
    page.evaluate("() => localStorage.setItem('pokade.has-come', 'yes')")
    table = asked(page, "/api/tables", {"game": "pok", "seats": 4, **wanted})
    if tickets is not None:
        asked(page, f"/chance/{table['id']}", tickets)
    page.goto(at(page, f"/t/{table['code']}"))
    return table["id"], table["code"]


def against_bots(page: Page, game: str, *, seats: int = 4, **wanted: Any) -> str:
    """Play at a table whose other seats have bots, and be asked for a choice: the table's id."""
    table, _ = opened(page, game=game, seats=seats, bots=seats - 1, **wanted)
    page.locator("main button.main").click()
    expect(choices(page).first).to_be_visible()
    at_rest(page)
    return table


def two_people(open_page: Opens, game: str, *, size: str = "desktop", **wanted: Any) -> tuple[Page, Page]:
    """Ada on a phone and Ben, usually at a desk in the dark, begin a game with two bots."""
    ada = open_page("/", script=HEARS)
    _, code = opened(ada, game=game, **wanted)
    ben = open_page(f"/t/{code}", size=size, theme="dark", script=HEARS)
    sit_down(ben, "Ben")
    add_bots(ada, 2)
    ben.get_by_role("button", name="I'm ready").click()
    ada.get_by_role("button", name="Start", exact=True).click()
    return ada, ben


def sit_down(page: Page, name: str) -> None:
    page.get_by_role("button", name="Take a seat").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("dialog").get_by_role("button", name="Take a seat").click()
    expect(page.get_by_role("button", name="I'm ready")).to_be_visible()


def add_bots(page: Page, number: int) -> None:
    """In the lobby, one after the other."""
    for count in range(1, number + 1):
        page.get_by_role("button", name="Add a bot").click()
        expect(page.locator("button.who")).to_have_count(count)


# Playing.


def choices(page: Page) -> Locator:
    return page.locator("[data-choice]")


def sealed(page: Page) -> Locator:
    return page.locator("[data-choice][aria-pressed=true]")


APART: Final = """() => {
  const piece = document.querySelector("[data-waiting] .piece > *")?.getBoundingClientRect();
  const button = document.querySelector("[data-waiting] button").getBoundingClientRect();
  return !piece || piece.bottom <= button.top || piece.right <= button.left;
}"""


def change(page: Page) -> None:
    """After a choice: ask for the choices once more; the focus is on the one that lies sealed."""
    assert page.evaluate(APART), "the piece that lies sealed covers a button"
    page.locator("[data-waiting]").get_by_role("button").click()
    expect(sealed(page).first).to_be_focused()


def go_on(*pages: Page) -> None:
    """Tap Next on all pages of a table: the house waits for the last of them."""
    for page in pages:
        page.locator("[data-next]").click()


PLAYS: Final = """() => {
  let turns = 0;
  const timer = setInterval(() => {
    if (document.querySelector("[data-over]")) return clearInterval(timer);
    const next = document.querySelector("[data-next]:not(:disabled)");
    if (next) return next.click();
    const choices = [...document.querySelectorAll("[data-choice]:not(:disabled)")];
    if (choices.some((choice) => choice.ariaPressed === "true")) return;
    const dice = [...document.querySelectorAll("[data-die]:not(:disabled)")];
    turns++;
    if (dice.length && turns % 3) dice[turns % dice.length].click();
    else choices[turns % choices.length]?.click();
  }, 10);
}"""


def play_to_the_end(*pages: Page) -> None:
    """Tap Next, or one of the choices if none is sealed, each time the next one in the row, on all pages of a table."""
    for page in pages:
        page.evaluate(PLAYS)
    for page in pages:
        page.locator("[data-over]").wait_for(timeout=LONG_ENOUGH)


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until it has the focus: by keyboard alone, and not for ever."""
    expect(wanted.first).to_be_visible()
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if wanted.evaluate_all("(found) => found.includes(document.activeElement)"):
            return
    raise AssertionError(f"Tab does not lead to {wanted}")


# What moves.

MOVES: Final = {"transform", "translate", "rotate", "scale", "opacity"}  # all that a phone can animate without drawing
NOTES_MOVEMENTS: Final = """(() => {
  const moved = (window.moved = {});
  const note = () => {
    const play = document.querySelector("[data-play]")?.dataset.play ?? "";
    for (const one of document.getAnimations()) {
      const frames = one.effect.getKeyframes();
      const names = frames.flatMap(({ offset, computedOffset, easing, composite, ...rest }) => Object.keys(rest));
      moved[play] = [...new Set([...(moved[play] ?? []), ...names])];
    }
  };
  addEventListener("DOMContentLoaded", () => {
    const what = { childList: true, subtree: true, attributes: true };
    new MutationObserver(note).observe(document.documentElement, what);
  });
})()"""  # what is animated in each movement, noted whenever the document changes


def at_rest(page: Page) -> None:
    """Wait until nothing moves."""
    page.wait_for_function(
        "() => !document.querySelector('[data-play]:not([data-play=\"\"]), [data-telling], [data-drawing]')"
    )


_WITH_A_CLOCK: Final[WeakSet[Page]] = WeakSet()


def stop_the_clock(page: Page) -> None:
    """From now on nothing happens on a page because time passes, unless the test lets it; axe needs time too."""
    if page not in _WITH_A_CLOCK:
        _WITH_A_CLOCK.add(page)
        page.clock.install()
    _pause(page, 1)


def _pause(page: Page, ahead: int) -> None:
    """Stop its clock a little ahead; further ahead if that moment had passed when the page heard of it."""
    try:
        page.clock.pause_at(page.evaluate(f"() => Date.now() / 1000 + {ahead}"))
    except Error as error:
        if "to the past" not in error.message:
            raise
        _pause(page, 4 * ahead)


def check_movement(page: Page, play: str) -> None:
    """With the clock stopped: pieces move in a way that costs a phone nothing, and a tap shows the end at once."""
    expect(page.locator(f'[data-play="{play}"]')).to_be_attached()
    page.wait_for_function("(play) => moved[play]?.length", arg=play)

    page.evaluate("() => dispatchEvent(new PointerEvent('pointerdown'))")

    expect(page.locator("[data-play]")).to_have_attribute("data-play", "")
    check_moved(page)


TOLD_AT: Final = """(marked) => [...document.querySelectorAll(marked)]
  .filter((one) => one.checkVisibility() && one.textContent + one.innerHTML)
  .map((one) => getComputedStyle(one))
  .map(({ animationName, animationDelay }) => (animationName === "none" ? 0 : 1000 * parseFloat(animationDelay)))"""
ALL_OPEN: Final = 800  # ms after the lock


def check_order(page: Page) -> None:
    """With the clock stopped: no verdict before all lies open, and what it means for the viewer comes last."""
    verdicts, own = (page.evaluate(TOLD_AT, f"[data-{marked}]") for marked in ("verdict", "outcome"))
    assert verdicts
    assert own
    assert min(verdicts) >= ALL_OPEN, verdicts
    assert min(own) >= max(verdicts), (verdicts, own)


def check_moved(page: Page) -> None:
    """Whatever was animated on a page, a phone can do without drawing again."""
    animated = {name for names in page.evaluate("() => Object.values(moved)") for name in names}
    assert animated
    assert animated <= MOVES


# What the house has said.

HEARS: Final = """(() => {
  const heard = (window.heard = []);
  const answered = new Map();
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", (event) => {
        const frame = JSON.parse(typeof event.data === "string" ? event.data : new TextDecoder().decode(event.data));
        if (frame.kind === "pong") return; // the answer to the page's own heartbeat
        if (frame.code !== "message/json") return void heard.push(frame.kind);
        event.stopImmediatePropagation(); // the page has not asked
        answered.get(this)();
      });
      answered.set(this, () => {});
    }
  };
  window.hearAll = async () => {
    const open = [...answered.keys()].filter((socket) => socket.readyState === WebSocket.OPEN);
    await Promise.all(open.map((socket) => new Promise((done) => (answered.set(socket, done), socket.send("{")))));
    return heard.splice(0);
  };
})()"""


def heard(page: Page) -> list[str]:
    """The kinds of all frames that came since this was last asked: the answer to nonsense comes behind them."""
    kinds: list[str] = page.evaluate("() => hearAll()")
    return kinds


def shows(page: Page) -> str:
    """All that is in the table's part of the document, once nothing is left to be drawn."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done)))")
    markup: str = page.locator("main").evaluate("main => main.outerHTML")
    return markup


def check_that_nothing_tells(chooser: Page, other: Page) -> None:
    """A choice of one person changes nothing on the screen of another, who hears nothing of it either."""
    at_rest(other)
    heard(other)
    before = shows(other)

    choices(chooser).first.click()

    expect(sealed(chooser)).to_have_count(1)
    assert "sealed" in heard(chooser)
    assert heard(other) == []
    assert shows(other) == before


# What must hold on every screen.

HIGH: Final = "() => [document.documentElement.scrollHeight, window.innerHeight]"
# What lies on the table: drawings and words that can be seen, whichever game it is.
LYING: Final = """() => [...document.querySelectorAll(".table *")].filter((one) => {
  const isWords = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const isInside = one.parentElement.closest("svg, .aside") || one.matches(".aside, [data-loose]");
  const isSeen = one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  return (isWords || one.matches("svg")) && !isInside && isSeen && one.getBoundingClientRect().width > 1;
})"""
COVERED: Final = f"""(by) => {{
  const top = document.querySelector(by).getBoundingClientRect().top;
  const isBeside = by === ".sheet" && matchMedia("(orientation: landscape) and (max-height: 499px)").matches;
  return ({LYING})().map((one) => [one.getBoundingClientRect().bottom - (isBeside ? innerHeight : top), one.outerHTML])
    .filter(([below]) => below > 0.5).map(([below, what]) => `${{below}} px: ${{what.slice(0, 200)}}`);
}}"""


def check_targets(page: Page) -> None:
    """All that can be pressed is large enough for a thumb."""
    sizes = page.locator("button:visible").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map(({width, height}) => Math.min(width, height))"
    )
    assert min(sizes) >= SMALLEST_TARGET - A_PIXEL_OF_ROUNDING, sizes


def check_no_scroll(page: Page) -> None:
    """While a choice is open nothing has to be scrolled, and no part of the table lies beneath your own things."""
    high, seen = page.evaluate(HIGH)
    assert high <= seen, f"{high} px on a screen of {seen}"
    check_uncovered(page, ".sheet")


WHOLE: Final = """() => [...document.querySelectorAll("header > p")]
  .every((words) => words.scrollWidth <= words.clientWidth && words.scrollHeight <= words.clientHeight + 1)"""


def check_uncovered(page: Page, by: str) -> None:
    """Nothing that lies on the table is covered by something."""
    covered: list[str] = page.evaluate(COVERED, by)
    assert not covered, "\n".join(covered)


def check_screen(page: Page) -> None:
    check_fits(page)
    assert page.evaluate(WHOLE), "the bar cuts which round it is"
    check_no_scroll(page)
    check_targets(page)
    check_access(page)
