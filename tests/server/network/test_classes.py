"""Two school classes behind one address, and somebody among them who floods. Time stands still: nothing comes back."""

from collections.abc import Callable, Iterator
from contextlib import suppress

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pokade.server.errors import LimitReached
from pokade.server.network import guard, pages, static
from pokade.server.network.guard import Guard
from tests.server.clients import Guest, Tab, running, wait_until

CLASSES = 60
MOST = 2000  # tries of somebody who floods; more than any limit allows
Guests = Callable[..., Guest]
SHELL = '<script src="/assets/shell-1.js"></script><link href="/assets/shell-1.css"><head></head>'
FILES = ("assets/shell-1.js", "assets/shell-1.css", "assets/de-1.js", "assets/Table-1.js", "icon.svg", "sw.js")


@pytest.fixture
def address(
    sqlite_url: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """A house with a page of a few files, in which no time passes."""
    place = tmp_path_factory.mktemp("dist")
    (place / "assets").mkdir()
    (place / "index.html").write_text(SHELL)
    for name in FILES:
        (place / name).write_text("x")
    monkeypatch.setattr(pages, "PLACES", (place,))
    with running(sqlite_url, watch=Guard(clock=lambda: 0.0)) as found:
        yield found


def page(browser: Guest) -> None:
    """Load the page with all its files, as a fresh browser does."""
    for path in ("/", *(f"/{name}" for name in FILES)):
        browser.http.get(path).raise_for_status()


def seat(browser: Guest, name: str, code: str = "") -> None:
    """Come in by a link and sit down, or play against bots."""
    browser.post("/api/guest", name=name)
    there = browser.at(browser.get(f"/api/join/{code}")["id"] if code else browser.post("/api/quick/pok")["id"])
    if code:
        there.say("sit", name=name)
        there.table(lambda table: name in [seat["name"] for seat in table["seats"]])
    else:
        assert there.hear()["table"]["status"] == "on"


def until_refused(ask: Callable[[], httpx.Response], *codes: str) -> None:
    """Ask as often as it is allowed."""
    for _ in range(MOST):
        answer = ask()
        if answer.status_code in (429, 503):
            assert answer.json()["code"] in codes
            return
    pytest.fail(f"never {codes}")


def flood_uploads(http: httpx.Client) -> None:
    until_refused(lambda: http.post("/api/verify", content=b"x"), "limit/replays", "limit/requests")


def flood_requests(http: httpx.Client) -> None:
    until_refused(lambda: http.get("/api/tables"), "limit/requests")


def flood_guests(http: httpx.Client) -> None:
    def come_in() -> httpx.Response:
        http.cookies.clear()
        return http.post("/api/guest", json={"name": "More"})

    until_refused(come_in, "limit/guests")


def flood_tables(floods: Guest) -> None:
    until_refused(
        lambda: floods.http.post("/api/tables", json={"game": "pok", "seats": 3}), "limit/tables", "limit/requests"
    )


def flood_messages(floods: Guest, table: str) -> None:
    there = floods.at(table)
    with suppress(ConnectionClosed):
        for _ in range(MOST):
            there.say("chat", text="!")
    assert there.close_code() == guard.POLICY_VIOLATION


def flood_sockets(floods: Guest, table: str) -> None:
    with pytest.raises(InvalidStatus):  # noqa: PT012 - one of them is refused
        for _ in range(MOST):
            floods.at(table).close()


def test_two_classes_get_pages_and_seats_while_somebody_among_them_floods(guest: Guests):
    mallory, malcolm, anonymous = guest("Mallory"), guest("Malcolm"), guest()
    table = mallory.open(seats=3)["id"]

    def flood() -> None:
        flood_uploads(anonymous.http)
        flood_uploads(malcolm.http)
        flood_tables(mallory)
        flood_messages(mallory, table)

    browsers = [guest() for _ in range(CLASSES)]
    for browser in browsers[: CLASSES // 2]:
        page(browser)
    flood()
    for browser in browsers[CLASSES // 2 :]:
        page(browser)
    host = guest("Olga").open(game="poch", seats=8)
    for number, browser in enumerate(browsers):
        seat(browser, f"P{number}", host["code"] if number < 7 else "")


def test_those_who_are_in_play_on_whatever_others_at_their_address_use_up(guest: Guests):
    ada, ben, mallory, anonymous = guest("Ada"), guest("Ben"), guest("Mallory"), guest()
    table = ada.open()["id"]
    there = ada.at(table)
    flood_requests(anonymous.http)
    flood_requests(mallory.http)
    flood_uploads(anonymous.http)
    flood_sockets(anonymous, table)
    flood_messages(mallory, table)
    flood_guests(anonymous.http)

    there.say("chat", text="still here")
    there.hear_until("chat")
    assert ben.get("/api/tables") == []
    assert ben.at(table).hear()["kind"] == "snapshot"
    assert ben.open()["status"] == "open"
    assert ben.post("/api/quick/pok")["status"] == "on"
    assert ben.http.post("/api/verify", content=b"x").json()["code"] == "record/bad"


def test_tables_that_others_open_take_nothing_from_ones_first(guest: Guests, address: str):
    ada = guest("Ada")
    opened = 0
    for number in range(20):  # people of the same address who open all that they may
        other = guest(f"M{number}")
        for _ in range(int(guard.TABLES.burst)):
            opened += other.http.post("/api/tables", json={"game": "pok", "seats": 3}).status_code == 200

    assert opened == 20 * guard.OWN_TABLES.burst + guard.TABLES_THERE.burst
    for _ in range(int(guard.OWN_TABLES.burst)):
        assert ada.open()["status"] == "open"


GUESTS = 150  # as many as may come from an address at once


@pytest.mark.parametrize(
    ("share", "burst", "pause", "most"),
    [  # what somebody who plays does at once, and how many seconds then pass between two; what a flood may do a second
        (guard.SHARED_MESSAGES, 15, 1.0, 500),
        (guard.SHARED_REQUESTS, 15, 3.0, 250),
        (guard.SHARED_SOCKETS, 4, 15.0, 50),
    ],
    ids=["messages", "requests", "sockets"],
)
def test_all_guests_of_an_address_together_do_not_choke_the_house_nor_those_who_play(
    share: guard.Share, burst: int, pause: float, most: int
):
    now, here = [0.0], "192.0.2.1"
    watch = Guard(clock=lambda: now[0])

    def taken(person: str, tries: int) -> int:
        return tries - sum(_is_refused(watch, share, person, here) for _ in range(tries))

    seconds, settled, flooded, next_at = 60, 30, 0, pause
    assert all(taken(f"child {number}", burst) == burst for number in range(CLASSES))
    for second in range(seconds):
        now[0] = float(second)
        came = sum(taken(f"mallory {number}", 20) for number in range(GUESTS - CLASSES))
        flooded += came if second >= settled else 0
        while next_at <= second:
            next_at += pause
            assert all(taken(f"child {number}", 1) for number in range(CLASSES))

    assert flooded <= most * (seconds - settled)


def _is_refused(watch: Guard, share: guard.Share, person: str, address: str) -> bool:
    try:
        watch.take_share(share, person, address)
    except LimitReached:
        return True
    return False


def test_no_two_limits_are_counted_together():
    assert len(set(guard.ALL_LIMITS)) == len(guard.ALL_LIMITS)


@pytest.fixture
def little_rest(monkeypatch: pytest.MonkeyPatch) -> int:
    """People of an address have this many messages together, beyond those that are everybody's own."""
    rest = 5
    share = guard.Share(guard.MESSAGES, guard.OWN_MESSAGES, guard.Limit("limit/messages", rest, 1, each=guard.REST))
    monkeypatch.setattr(guard, "SHARED_MESSAGES", share)
    return rest


def pongs(*lines: Tab, often: int = 40) -> int:
    """How many of so many pings each are answered, by lines that are not cut off before."""
    for line in lines:
        line.hear()
        for _ in range(often):
            line.say("ping")
    return sum([line.hear()["kind"] for _ in range(often)].count("pong") for line in lines)


def test_what_guests_of_an_address_say_beyond_their_own_is_counted_together(guest: Guests, little_rest: int):
    ada, mallory, malcolm = guest("Ada"), guest("Mallory"), guest("Malcolm")
    table = ada.open()["id"]
    own = int(guard.OWN_MESSAGES.burst)

    flooded = pongs(mallory.at(table), malcolm.at(table))

    assert flooded == 2 * own + little_rest
    assert pongs(guest().at(table), often=3) == 0  # a client without a cookie has nothing but the rest
    assert pongs(ada.at(table), often=own) == own


def test_screens_that_watch_with_a_cookie_say_no_more_than_one_person(guest: Guests, little_rest: int):
    ada = guest("Ada")
    table = ada.open()["id"]

    said = pongs(*(ada.at(table, **{"as": "watcher"}) for _ in range(3)), often=30)

    assert said == guard.OWN_MESSAGES.burst + little_rest


def test_few_sockets_of_a_person_are_their_own_and_more_are_counted_together(
    guest: Guests, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(guard, "MORE_SOCKETS_THERE", 1)
    ada, ben = guest("Ada"), guest("Ben")
    table = ada.open()["id"]
    few = [who.at(table) for who in (ada, ben) for _ in range(guard.FEW_SOCKETS)]
    assert all(line.hear()["kind"] == "snapshot" for line in few)

    more = ada.at(table)

    assert more.hear()["kind"] == "snapshot"
    assert [who.at(table).hear()["code"] for who in (ada, ben)] == ["limit/sockets"] * 2
    more.close()
    wait_until(lambda: ben.at(table).hear()["kind"] == "snapshot")


def test_whatever_everybody_at_a_table_is_told_of_goes_at_the_speed_of_people(guest: Guests):
    ada, ben = guest("Ada"), guest("Ben")
    table = ada.open()["id"]
    line, watching = ada.at(table), ben.at(table)
    for each in (line, watching):
        each.hear()
    most = int(guard.CHANGES.burst)

    for number in range(most + 5):
        line.say("ready", ready=number % 2 == 0)
    for _ in range(most):
        assert watching.hear()["kind"] == "table"

    heard = [line.hear() for _ in range(most + 5)]
    assert [frame.get("code") for frame in heard] == [None] * most + ["limit/messages"] * 5
    line.say("chat", text="that was all")
    assert watching.hear()["kind"] == "chat"


def test_files_of_the_page_are_not_counted_and_the_page_is(address: str):
    with httpx.Client(base_url=f"http://{address}") as http:
        for _ in range(MOST // 4):
            http.get("/assets/shell-1.js").raise_for_status()
            http.get("/healthz").raise_for_status()
        until_refused(lambda: http.get("/"), "limit/requests")
        assert http.get("/assets/shell-1.js").headers["cache-control"] == static.FOREVER
        http.get("/api/tables").raise_for_status()
        http.post("/api/guest", json={"name": "Ada"}).raise_for_status()


def test_a_cookie_that_nobody_was_given_is_nobodys(guest: Guests, address: str):
    with httpx.Client(base_url=f"http://{address}") as http:
        number = iter(range(MOST))
        until_refused(
            lambda: http.get("/api/tables", headers={"Cookie": f"pokade=forged{next(number)}"}), "limit/requests"
        )
    assert guest("Ada").get("/api/tables") == []


def test_screens_that_watch_with_a_cookie_are_counted_by_it(guest: Guests):
    ada = guest("Ada")
    table = ada.open()["id"]
    screens = [ada.at(table, **{"as": "watcher"}) for _ in range(guard.MOST_SOCKETS)]
    assert all(screen.hear()["kind"] == "snapshot" for screen in screens)

    assert ada.at(table, **{"as": "watcher"}).hear()["code"] == "limit/sockets"


def test_whom_one_knows_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guard, "MOST_KNOWN", 2)
    watch = Guard()
    for name in ("ada", "ben", "ada", "cleo"):
        watch.know(f"token of {name}", name)

    asked = [{"headers": [(b"cookie", f"a=b; pokade=token of {name}".encode())]} for name in ("ada", "ben", "cleo")]
    assert [watch.person(scope) for scope in asked] == ["ada", None, "cleo"]
    assert watch.person({"headers": []}) is None
