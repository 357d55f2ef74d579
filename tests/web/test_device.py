"""What a phone does for the page: the screen stays on, a notice says whose turn it is, and waking up heals the line."""

from typing import Any, Final

from playwright.sync_api import Page, expect

from tests.web.conftest import Console, Opens, at, check_access
from tests.web.tables import (
    against_bots,
    at_rest,
    choices,
    go_on,
    opened,
    play_to_the_end,
    sealed,
    sit_down,
    stop_the_clock,
)
from tests.web.test_shell import menu

STUBS: Final = """() => {
  let hidden = false;
  let isAsleep = false;
  const sockets = [];
  Object.assign(window, { asked: 0, released: 0, noticed: [] });
  Object.defineProperty(document, "hidden", { get: () => hidden });
  Object.defineProperty(navigator, "wakeLock", {
    value: { request: async () => ({ release: async () => void released++, asked: asked++ }) },
  });
  const worker = { register() {}, getRegistration: async () => undefined, ready: new Promise(() => {}) };
  Object.defineProperty(navigator, "serviceWorker", { value: worker });
  window.Notification = class {
    static permission = "default";
    static requestPermission = async () => (Notification.permission = "granted");
    constructor(title, how) { noticed.push([title, how.body]); }
  };
  window.WebSocket = class extends WebSocket {
    constructor(address) {
      super(isAsleep ? "ws://127.0.0.1:9" : address);
      sockets.push(this);
    }
  };
  window.hide = (is) => {
    hidden = is;
    document.dispatchEvent(new Event("visibilitychange"));
  };
  window.sleep = async () => {
    isAsleep = true;
    hide(true);
    const closed = (socket) => new Promise((done) => socket.addEventListener("close", done));
    const open = sockets.filter((socket) => socket.readyState !== WebSocket.CLOSED);
    const all = Promise.all(open.map(closed)); // the page has heard of it before
    open.forEach((socket) => socket.close());
    await all;
  };
  window.wake = () => {
    isAsleep = false;
    hide(false);
    dispatchEvent(new Event("pageshow"));
  };
}"""


def stubbed(page: Page) -> Page:
    page.add_init_script(f"({STUBS})()")
    page.reload()
    return page


def counted(page: Page, what: str) -> Any:
    return page.evaluate(f"() => {what}")


def test_the_screen_stays_on_while_one_plays(open_page: Opens) -> None:
    page = stubbed(open_page("/"))
    assert counted(page, "asked") == 0
    opened(page, bots=3, options={"max_rounds": 2})
    assert counted(page, "asked") == 0
    page.locator("main button.main").click()
    expect(choices(page).first).to_be_visible()

    page.wait_for_function("() => asked === 1 && released === 0")
    play_to_the_end(page)

    page.wait_for_function("() => released === 1")


def test_a_notice_says_that_it_is_ones_turn_in_a_game_of_days(open_page: Opens) -> None:
    ada, ben = stubbed(open_page("/")), open_page("/")
    _, code = opened(ada, seats=3, bots=1, clock="1day")
    ben.goto(at(ben, f"/t/{code}"))
    sit_down(ben, "Ben")
    ben.get_by_role("button", name="I'm ready").click()
    ada.get_by_role("button", name="Start", exact=True).click()
    choices(ada).first.click()
    expect(sealed(ada)).to_have_count(1)
    menu(ada)
    ada.get_by_role("switch", name="Notice").click()
    check_access(ada)
    ada.keyboard.press("Escape")
    choices(ben).first.click()
    go_on(ada, ben)
    for page in (ada, ben):
        choices(page).first.click()
    expect(ada.locator("[data-next]")).to_be_visible()
    assert counted(ada, "noticed") == []  # one looks

    ada.evaluate("() => hide(true)")
    go_on(ada, ben)

    ada.wait_for_function("() => noticed.length > 0")
    assert counted(ada, "noticed") == [["POK", "It is your turn."]]


def test_coming_back_from_the_background_goes_on_at_once_and_brings_the_choice(
    open_page: Opens, console: Console
) -> None:
    console.expects(r"^Connecting to 'ws://127.0.0.1:9/' violates")  # the page may connect to its own house only
    page = stubbed(open_page("/"))
    against_bots(page, "pok")
    stop_the_clock(page)

    page.evaluate("() => sleep()")
    page.clock.run_for(5_000)  # by now the page tries only every few seconds
    expect(page.get_by_role("alert")).to_contain_text("Connection lost")
    choices(page).first.click()
    expect(page.get_by_text("not sent yet")).to_be_visible()
    page.evaluate("() => wake()")

    expect(page.get_by_role("alert")).to_have_count(0)  # though no time has passed
    expect(page.get_by_text("not sent yet")).to_have_count(0)
    expect(page.locator("[data-next]")).to_be_visible()


HEARD: Final = """(() => {
  window.sounds = 0;
  window.AudioContext = class extends AudioContext {
    constructor(...given) {
      super(...given);
      sounds++;
    }
  };
})()"""


def test_nothing_is_heard_until_one_wants_sounds(open_page: Opens) -> None:
    page = open_page("/", script=HEARD)
    table = against_bots(page, "pok")
    choices(page).first.click()
    expect(page.locator("[data-next]")).to_be_visible()
    at_rest(page)
    assert counted(page, "sounds") == 0

    page.goto(at(page, "/"))
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("slider", name="Volume")).to_have_count(0)
    page.get_by_role("switch", name="Sound").click()
    expect(page.get_by_role("slider", name="Volume")).to_have_value("50")
    page.get_by_role("radio", name="Slow").check()
    page.wait_for_function("() => sounds > 0")  # one hears how loud it is
    page.go_back()  # which loads the page again
    choices(page).first.click()

    page.wait_for_function("() => sounds > 0")
    page.wait_for_function(
        "async (table) => (await (await fetch(`/api/tables/${table}`)).json()).pace === 'slow'", arg=table
    )


SECONDS: Final = "() => parseInt(document.querySelector('[role=timer]')?.ariaLabel.replace(/[^0-9]/g, ''))"


def test_the_ring_counts_down_to_the_deadline(open_page: Opens) -> None:
    page = open_page("/")
    against_bots(page, "pok", clock="1day")  # which no machine is too slow for
    page.get_by_role("timer").first.wait_for()
    before = page.evaluate(SECONDS)
    assert 0 < before <= 86_400

    stop_the_clock(page)
    page.clock.fast_forward(10_000)

    page.wait_for_function(f"(before) => ({SECONDS})() <= before - 10", arg=before)
