"""One device, several people: a curtain before each choice, nothing secret behind it, one reveal for all."""

from typing import Final

from playwright.sync_api import Page, expect

from tests.web.conftest import Opens, check_access, check_fits, picture
from tests.web.tables import HEARS, add_bots, opened, sit_down

HOLD = "Hold to look and choose"
HOLDS_BACK: Final = """(() => {
  const held = (window.heldBack = []);
  window.letGo = () => held.splice(0).forEach(([socket, event]) => socket.dispatchEvent(event));
  window.WebSocket = class extends WebSocket {
    constructor(address) {
      super(address);
      if (!address.includes("as=watcher")) return;
      this.addEventListener("message", (event) => {
        if (!event.isTrusted) return; // let go
        event.stopImmediatePropagation();
        held.push([this, new MessageEvent("message", { data: event.data })]);
      });
    }
  };
})()"""  # what everybody may see comes to the page when the test lets it go

STAYS_INSIDE: Final = """(disc) => {
  const { left, top, width } = disc.getBoundingClientRect(), middle = width / 2;
  const corners = [...disc.children].flatMap((words) => {
    const range = document.createRange();
    range.selectNodeContents(words);
    const ends = ({ left, right, top, height }) => [left, right].map((x) => [x, top + height / 2]);
    return [...range.getClientRects()].flatMap(ends);
  });
  return corners.every(([x, y]) => Math.hypot(x - left - middle, y - top - middle) <= middle);
}"""  # every line of its words, whatever the size of letters


def passed_around(page: Page, *names: str, game: str = "pok", bots: int = 0, others: int = 0) -> str:
    """A game of people who share a device; the first opens the table."""
    _, code = opened(page, name=names[0], game=game, seats=len(names) + bots + others)
    for name in names[1:]:
        page.get_by_role("button", name="On this device").click()
        page.get_by_label("Your name").fill(name)
        page.get_by_role("dialog").get_by_role("button", name="Take a seat").click()
        expect(page.get_by_text(name, exact=True)).to_be_visible()
    add_bots(page, bots)
    return code


def curtain_of(page: Page, name: str) -> None:
    expect(page.locator("[data-curtain] h1")).to_contain_text(name)


def hold(page: Page) -> None:
    box = page.locator(".hold").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30)
    page.mouse.down()


def slide_onto(page: Page, choice: str) -> None:
    box = page.locator(choice).first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)


def test_a_phone_goes_round_and_all_show_together(open_page: Opens) -> None:
    page = open_page("/", theme="dark")
    passed_around(page, "Ada", "Ben", bots=2)
    page.get_by_role("button", name="Start", exact=True).click()

    curtain_of(page, "Ada")
    expect(page.locator("[data-choice]")).to_have_count(0)
    check_access(page)
    hold(page)
    expect(page.locator("[data-choice]").first).to_be_visible()
    picture(page, "curtain-peek-dark")
    page.mouse.up()
    expect(page.locator("[data-choice]")).to_have_count(0)
    hold(page)
    slide_onto(page, "[data-choice='1']")
    picture(page, "curtain-aim-dark")
    page.mouse.up()

    curtain_of(page, "Ben")
    expect(page.locator("[data-choice]")).to_have_count(0)
    picture(page, "curtain-phone-dark")
    check_fits(page)
    page.get_by_role("button", name=HOLD).press("Enter")
    expect(page.locator("[data-choice]").first).to_be_focused()
    check_access(page)
    page.keyboard.press("Escape")
    expect(page.locator("[data-choice]")).to_have_count(0)
    page.get_by_role("button", name=HOLD).press("Enter")
    page.locator("[data-choice]").first.press("Enter")

    expect(page.get_by_role("button", name="Next now")).to_be_visible()
    picture(page, "curtain-reveal-dark")
    page.get_by_role("button", name="Next now").click()
    curtain_of(page, "Ada")
    expect(page.locator("[data-choice]")).to_have_count(0)


def test_the_curtain_falls_once_the_table_behind_it_has_caught_up(open_page: Opens) -> None:
    page = open_page("/", script=f"{HEARS};{HOLDS_BACK}")
    passed_around(page, "Ada", "Ben", bots=1)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_function("() => heard.includes('step') && heldBack.length > 0")
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    expect(page.locator("[data-curtain]")).to_have_count(0)

    page.evaluate("() => letGo()")

    curtain_of(page, "Ada")
    page.evaluate("() => letGo()")
    expect(page.locator("[data-curtain]")).to_be_visible()


def test_a_thumb_slides_onto_a_choice(open_page: Opens) -> None:
    page = open_page("/", has_touch=True, is_mobile=True)
    passed_around(page, "Ada", "Ben", bots=2)
    page.get_by_role("button", name="Start", exact=True).click()
    curtain_of(page, "Ada")
    touch = page.context.new_cdp_session(page)
    start = page.locator(".hold").bounding_box()
    assert start is not None
    finger = {"x": start["x"] + 100, "y": start["y"] + 30}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    page.locator("[data-choice]").nth(1).hover(trial=True)  # it lies where it will stay
    end = page.locator("[data-choice]").nth(1).bounding_box()
    assert end is not None
    for x, y in ((150, start["y"] - 40), (end["x"] + 30, end["y"] + 30)):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})

    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    curtain_of(page, "Ben")
    expect(page.get_by_role("button", name="Ada has chosen here")).to_be_visible()


def test_the_hands_of_poch_are_not_in_the_page_while_the_curtain_is_down(open_page: Opens) -> None:
    page = open_page("/")
    passed_around(page, "Annalena Maria", "Ben", "Cleo", game="poch", bots=1)
    page.get_by_role("button", name="Start", exact=True).click()
    for _ in range(3):
        page.locator("[data-curtain]").wait_for()
        name = page.locator("[data-curtain] h1 b").inner_text()
        expect(page.locator("[aria-live]").get_by_text(name).last).to_be_attached()
        expect(page.locator("[data-choice]")).to_have_count(0)
        page.get_by_role("button", name=HOLD).press("Enter")
        cards = page.locator(".secret .fan").get_attribute("aria-label")
        assert cards is not None
        assert cards in page.content()
        picture(page, "curtain-poch-peek")
        page.keyboard.press("Escape")
        expect(page.locator("[data-choice]")).to_have_count(0)
        assert cards not in page.content()
        page.get_by_role("button", name=HOLD).press("Enter")
        page.locator("[data-choice]").last.press("Enter")
        expect(page.locator("[data-choice]")).to_have_count(0)
    picture(page, "curtain-poch")


def test_the_curtain_speaks_german_on_a_small_phone(open_page: Opens) -> None:
    page = open_page("/", language="de")
    page.goto(f"{page.url}new/pokopop")
    page.get_by_label("Dein Name").fill("Maximilian Otto")
    page.get_by_role("button", name="Tisch aufmachen").click()
    page.get_by_role("button", name="An diesem Gerät").click()
    page.get_by_label("Dein Name").fill("Annegret")
    page.get_by_role("dialog").get_by_role("button", name="Platz nehmen").click()
    for count in (1, 2):
        page.get_by_role("button", name="Bot dazusetzen").click()
        expect(page.locator("button.who")).to_have_count(count)
    page.get_by_role("button", name="Anfangen", exact=True).click()

    curtain_of(page, "Maximilian Otto")
    check_fits(page)
    picture(page, "curtain-phone-de")
    page.evaluate("() => document.documentElement.style.setProperty('font-size', '200%')")
    assert page.locator("[data-curtain] h1").evaluate(STAYS_INSIDE)
    check_fits(page)
    picture(page, "curtain-letters-de")
    page.evaluate("() => document.documentElement.style.removeProperty('font-size')")
    page.set_viewport_size({"width": 740, "height": 360})
    check_fits(page)
    picture(page, "curtain-landscape-de")
    hold(page)
    expect(page.locator("[data-choice]").first).to_be_visible()
    picture(page, "curtain-landscape-peek-de")
    page.mouse.up()


def test_people_here_and_elsewhere_play_at_one_table(open_page: Opens) -> None:
    here, there = open_page("/", size="desktop"), open_page("/")
    code = passed_around(here, "Ada", "Ben", bots=1, others=1)
    there.goto(f"{there.url.rstrip('/')}/t/{code}")
    sit_down(there, "Dora")
    there.get_by_role("button", name="I'm ready").click()
    here.get_by_role("button", name="Start", exact=True).click()
    for name in ("Ada", "Ben"):
        curtain_of(here, name)
        picture(here, "curtain-desktop")
        here.get_by_role("button", name=HOLD).press("Enter")
        here.locator("[data-choice]").first.press("Enter")

    expect(here.get_by_text("All have chosen on this device.")).to_be_visible()
    expect(here.locator("[data-choice]")).to_have_count(0)
    picture(here, "curtain-board-desktop")
    check_access(here)
    here.get_by_role("button", name="Ben has chosen here").click()
    curtain_of(here, "Ben")
    there.locator("[data-choice]").first.click()

    expect(here.get_by_role("button", name="Next now")).to_be_visible()
