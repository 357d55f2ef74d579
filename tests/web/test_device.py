"""What a phone does for the page: the screen stays on, a notice says whose turn it is, and waking up heals the line."""

from typing import Any, Final

from playwright.sync_api import Page, expect

from tests.web.conftest import Opens, check_access, play_to_the_end
from tests.web.test_end import opened
from tests.web.test_lobby import sit_down
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
  const worker = { register() {}, getRegistration: async () => undefined };
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
  window.sleep = () => {
    isAsleep = true;
    hide(true);
    sockets.forEach((socket) => socket.close());
  };
  window.wake = async () => {
    const start = performance.now();
    isAsleep = false;
    hide(false);
    dispatchEvent(new Event("pageshow"));
    while (document.querySelector("[role=alert]")) await new Promise((done) => setTimeout(done, 5));
    return performance.now() - start;
  };
}"""
SOON: Final = 1000  # ms
NAPS: Final = 3  # a busy machine may be slow once, not each time


def stubbed(page: Page) -> Page:
    page.add_init_script(f"({STUBS})()")
    page.reload()
    return page


def counted(page: Page, what: str) -> Any:
    return page.evaluate(f"() => {what}")


def test_the_screen_stays_on_while_one_plays(open_page: Opens) -> None:
    page = stubbed(open_page("/"))
    assert counted(page, "asked") == 0
    page.get_by_role("button", name="POK against bots").click()
    expect(page.locator("[data-choice]").first).to_be_visible()

    page.wait_for_function("() => asked === 1 && released === 0")
    play_to_the_end(page)

    page.wait_for_function("() => released === 1")


def test_a_notice_says_that_it_is_ones_turn_in_a_game_of_days(open_page: Opens) -> None:
    ada, ben = stubbed(open_page("/")), open_page("/")
    _, code = opened(ada, seats=3, bots=1, clock="1day")
    ben.goto(f"{ben.url.rstrip('/')}/t/{code}")
    sit_down(ben, "Ben")
    ben.get_by_role("button", name="I'm ready").click()
    ada.get_by_role("button", name="Start", exact=True).click()
    ada.locator("[data-choice]").first.click()
    expect(ada.locator("[data-choice][aria-pressed=true]")).to_be_visible()
    menu(ada)
    ada.get_by_role("switch", name="Notice").click()
    check_access(ada)
    ada.keyboard.press("Escape")
    assert counted(ada, "noticed") == []

    ada.evaluate("() => hide(true)")
    ben.locator("[data-choice]").first.click()

    ada.wait_for_function("() => noticed.length === 1")
    assert counted(ada, "noticed[0][0]") == "POK"


def test_coming_back_from_the_background_goes_on_at_once_and_brings_the_choice(
    open_page: Opens, expected_errors: list[str]
) -> None:
    page = stubbed(open_page("/"))
    page.get_by_role("button", name="POK against bots").click()
    expect(page.locator("[data-choice]").first).to_be_visible()

    took: list[float] = []
    while len(took) < NAPS and min(took, default=SOON + 1) > SOON:
        page.evaluate("() => sleep()")
        expect(page.get_by_role("alert")).to_contain_text("Connection lost")
        expect(page.locator("[data-choice]").first).to_be_visible()
        page.locator("[data-choice]").first.click()
        expect(page.get_by_text("not in yet")).to_be_visible()
        page.wait_for_timeout(3000)  # by now the page tries only every few seconds
        took.append(page.evaluate("() => wake()"))
        expect(page.get_by_text("not in yet")).to_have_count(0)

    assert min(took) <= SOON, took
    play_to_the_end(page)
