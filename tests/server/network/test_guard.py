"""Rate limits hold off floods, and nobody else notices: the real protocol on the loopback, buckets with a clock."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
from starlette.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pokade.server.errors import ForeignOrigin, LimitReached
from pokade.server.network import connections, guard
from pokade.server.network.guard import Guard, Limit, address_of
from tests.server.clients import PATIENCE, Guest, get, post, refusal, running, wait_until

Guests = Callable[..., Guest]


@pytest.fixture
def watch() -> Guard:
    """Its time stands still: what was used up does not come back, however long a test takes."""
    return Guard(clock=lambda: 0.0)


@pytest.fixture
def address(sqlite_url: str, watch: Guard) -> Iterator[str]:
    with running(sqlite_url, watch=watch) as found:
        yield found


@pytest.fixture
def table(guest: Guests) -> str:
    """A table that somebody has opened."""
    return str(guest("Olga").open()["id"])


def counted(watch: Guard, code: str) -> float:
    return watch.metrics.registry.get_sample_value("pokade_refusals_total", {"code": code}) or 0.0


# Headers and origins.


@pytest.mark.parametrize("path", ["/healthz", "/api/me", "/nowhere", "/openapi.json"])
def test_every_answer_says_that_a_page_loads_only_from_here(address: str, path: str):
    headers = get(f"http://{address}{path}").headers

    assert "default-src 'self'" in headers["content-security-policy"]
    assert f"connect-src 'self' ws://{address} wss://{address};" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_a_host_that_is_no_host_does_not_get_into_the_policy(address: str):
    headers = get(f"http://{address}/healthz", headers={"Host": "x; script-src *"}).headers

    assert "script-src" not in headers.get("content-security-policy", "")


def test_a_page_of_another_site_gets_no_socket(guest: Guests, table: str, watch: Guard):
    with pytest.raises(InvalidStatus) as refused:
        guest().at(table, {"Origin": "https://evil.example"})

    assert refused.value.response.status_code == 403
    assert json.loads(refused.value.response.body)["code"] == "origin/foreign"
    assert "frame-ancestors 'none'" in refused.value.response.headers["content-security-policy"]
    assert counted(watch, "origin/foreign") == 1


def test_our_own_page_and_programs_get_a_socket(address: str, guest: Guests, table: str):
    assert guest().at(table, {"Origin": f"http://{address}"}).hear()["kind"] == "snapshot"
    assert guest().at(table).hear()["kind"] == "snapshot"


def test_a_page_of_another_site_changes_nothing_over_http(guest: Guests):
    ada = guest("Ada")

    refused = ada.http.post("/api/quick/pok", headers={"Origin": "http://evil.example"})

    assert refusal(refused) == (403, "origin/foreign")
    assert ada.get("/api/mine") == []


@pytest.mark.parametrize(
    ("origin", "host", "is_ours"),
    [
        ("https://play.example", "play.example", True),
        ("https://play.example", "play.example:443", True),
        ("https://PLAY.example:443", "play.example", True),
        ("http://play.example:7654", "play.example:7654", True),
        ("http://[::1]:7654", "[::1]:7654", True),
        ("http://play.example:7655", "play.example:7654", False),
        ("https://play.example.evil", "play.example", False),
        ("https://play.example@evil.example", "play.example", False),
        ("null", "play.example", False),
        ("", "", False),
        ("file://", "", False),
        ("https://friends.example", "play.example", True),
    ],
)
def test_an_origin_is_ours_if_it_is_this_host_or_was_named(origin: str, host: str, is_ours: bool):
    watch = Guard(origins=["https://friends.example"])
    headers = Headers({"origin": origin, "host": host})

    with suppress(ForeignOrigin):
        watch.check_origin(headers)
        assert is_ours
        return
    assert not is_ours


# Who is asked, and by whom.


def test_forwarded_headers_are_believed_only_from_trusted_peers(sqlite_url: str):
    forwarded = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"}

    for trusted, is_secure in (((), False), (("10.0.0.0/8",), False), (("127.0.0.0/8",), True)):
        with running(sqlite_url, watch=Guard(trusted=trusted)) as address:
            cookie = post(f"http://{address}/api/guest", json={"name": "Ada"}, headers=forwarded)
            assert ("secure" in cookie.headers["set-cookie"].lower()) == is_secure


@pytest.mark.parametrize(
    ("peer", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("nonsense", "unknown"),
    ],
)
def test_a_household_counts_as_one_address(peer: str, key: str):
    assert address_of({"client": (peer, 1)}) == key


# Limits.


def test_a_bucket_holds_a_burst_and_fills_again():
    now = [0.0]
    watch, limit = Guard(clock=lambda: now[0]), Limit("limit/test", burst=2, rate=0.5)
    watch.take(limit, "a")
    watch.take(limit, "a")

    with pytest.raises(LimitReached) as refused:
        watch.take(limit, "a")
    watch.take(limit, "b")  # no harm to others

    assert (refused.value.code, refused.value.wait) == ("limit/test", 2)
    now[0] = 1.9
    with pytest.raises(LimitReached):
        watch.take(limit, "a")
    now[0] = 2.0
    watch.take(limit, "a")
    now[0] = 1000.0  # full again, and no fuller
    watch.take(limit, "a")
    watch.take(limit, "a")
    with pytest.raises(LimitReached):
        watch.take(limit, "a")


def test_buckets_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guard, "MOST_BUCKETS", 100)
    watch, limit = Guard(clock=lambda: 0.0), Limit("limit/test", burst=2, rate=0.5)

    for number in range(1000):
        watch.take(limit, str(number))

    assert len(watch._buckets[limit]._left) <= 100


def test_guests_of_one_address_are_limited_with_a_time_to_come_back(guest: Guests, watch: Guard):
    nobody, answers = guest(), []
    for _ in range(int(guard.GUESTS.burst) + 5):
        answers.append(nobody.http.post("/api/guest", json={"name": "Ada"}))
        nobody.http.cookies.clear()

    assert [answer.status_code for answer in answers] == [200] * int(guard.GUESTS.burst) + [429] * 5
    assert answers[-1].json()["code"] == "limit/guests"
    assert int(answers[-1].headers["retry-after"]) > 0
    assert counted(watch, "limit/guests") == 5


def test_tables_of_one_person_are_limited_and_nobody_elses(guest: Guests):
    ada, ben = guest("Ada"), guest("Ben")

    answers = [ada.http.post("/api/tables", json={"game": "pok", "seats": 3}) for _ in range(22)]

    assert refusal(answers[-1]) == (429, "limit/tables")
    assert ben.open()["status"] == "open"


def test_looking_back_is_limited_since_it_takes_a_while(guest: Guests, table: str):
    nobody = guest()

    answers = [nobody.http.post("/api/verify", content=b"# no record") for _ in range(int(guard.REPLAYS.burst) + 5)]

    assert answers[0].json()["code"] == "record/bad"
    assert refusal(answers[-1]) == (429, "limit/replays")
    for what in ("replay", "verify", "picture", "analysis"):
        assert refusal(nobody.http.get(f"/api/tables/{table}/{what}")) == (429, "limit/replays")
    assert nobody.get(f"/api/tables/{table}")["id"] == table


def test_sockets_of_one_person_are_limited(guest: Guests, table: str):
    ada, ben = guest("Ada"), guest("Ben")
    for _ in range(guard.MOST_SOCKETS):
        assert ada.at(table).hear()["kind"] == "snapshot"

    assert ada.at(table).hear()["code"] == "limit/sockets"
    assert ben.at(table).hear()["kind"] == "snapshot"


def test_sockets_of_one_address_are_limited_before_the_handshake(
    guest: Guests, table: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(guard, "MOST_SOCKETS_THERE", 1)
    first = guest().at(table)

    with pytest.raises(InvalidStatus) as refused:
        guest().at(table)

    assert refused.value.response.status_code == 429
    assert refused.value.response.headers["retry-after"] == "1"
    assert first.hear()["kind"] == "snapshot"


def test_a_body_that_is_too_large_is_refused_before_it_is_read(address: str):
    large = b"x" * (guard.LARGEST_BODY + 1)

    def in_pieces() -> Iterator[bytes]:
        yield large[:1000]
        yield large

    for content in (large, in_pieces()):
        refused = post(f"http://{address}/api/verify", content=content)
        assert refusal(refused) == (413, "limit/body")


@pytest.mark.parametrize("path", ["/api/guest", "/api/tables", "/api/quick/pok"])
def test_where_a_few_words_are_sent_a_large_body_is_refused_before_it_is_read(address: str, path: str):
    many = json.dumps({"game": "pok", "options": {str(number): [] for number in range(50_000)}}).encode()
    assert len(many) < guard.LARGEST_BODY

    for content in (many, iter((many[:1000], many[1000:]))):
        assert refusal(post(f"http://{address}{path}", content=content)) == (413, "limit/body")


def test_of_all_that_is_wrong_in_a_request_a_little_is_named(address: str):
    wrong = {"game": "pok", "seats": 3, "options": {str(number): [] for number in range(300)}}

    refused = post(f"http://{address}/api/tables", json=wrong)

    assert refusal(refused) == (422, "message/form")
    assert 0 < len(refused.json()["detail"]) <= 10


# What is no message.


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (b'{"do": "start"}', "message/bytes"),
        ("", "message/json"),
        ("{", "message/json"),
        ("[" * 4000, "message/json"),
        ('{"do": "dance"}', "message/unknown"),
        ('{"do": "sit"}', "message/form"),
        ('{"do": "start", "more": 1}', "message/form"),
        ("[]", "message/form"),
        ("null", "message/form"),
        ('{"do": "chat", "text": "\\ud800"}', "message/json"),
        ("x" * (guard.LARGEST_MESSAGE + 1), "message/large"),
        ("ü" * (guard.LARGEST_MESSAGE // 2 + 1), "message/large"),
    ],
)
def test_what_is_no_message_has_a_code_and_is_counted(
    guest: Guests, table: str, watch: Guard, said: str | bytes, code: str
):
    there = guest().at(table)

    assert there.code_of(said) == code
    assert counted(watch, code) == 1
    assert there.code_of("{") == "message/json"  # the socket lives on


def test_malformed_http_has_a_code_and_no_echo(address: str):
    for content in (b"{", b'{"name": 1}', b'{"name": "\\ud800"}', b'{"secret": "abc"}'):
        refused = post(f"http://{address}/api/guest", content=content, headers={"Content-Type": "application/json"})
        assert refusal(refused) == (422, "message/form")
        assert "abc" not in refused.text


@pytest.mark.parametrize("nowhere", ["%00", "x" * 100, "0123456789abcdef"])
def test_a_table_that_there_is_not_is_said(guest: Guests, nowhere: str):
    nobody = guest()

    assert nobody.at(nowhere).hear()["code"] == "table/unknown"
    for path in (f"/api/tables/{nowhere}", f"/api/tables/{nowhere}/record", f"/api/join/{nowhere}"):
        assert refusal(nobody.http.get(path)) == (404, "table/unknown")


def test_a_bug_is_told_to_nobody_but_the_log(
    guest: Guests, table: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    nobody = guest()
    there = nobody.at(table)

    def broken(*_: object) -> None:
        raise ValueError("the seed is 1234")

    monkeypatch.setattr("pokade.server.network.sockets.handle", broken)
    monkeypatch.setattr("pokade.server.network.routes.listed", broken)

    assert there.refused("start") == "server/bug"
    answer = nobody.http.get("/api/tables")
    assert refusal(answer) == (500, "server/bug")
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "bug: ValueError at broken" in caplog.text
    assert "1234" not in caplog.text


# Five kinds of abuse, with somebody else at the same table who must not notice.


@contextmanager
def a_calm_neighbour(address: str) -> Iterator[str]:
    """The table of somebody who goes on as if nothing were, while somebody else makes trouble there."""
    with Guest(address, "Ada") as ada:
        table = ada.open()["id"]
        there = ada.at(table)
        yield table
        there.say("chat", text="still here")
        there.hear_until("chat")


def test_a_flood_is_answered_and_then_cut_off(address: str, guest: Guests, watch: Guard):
    with a_calm_neighbour(address) as table:
        there = guest("Mallory").at(table)
        with suppress(ConnectionClosed):
            for _ in range(500):
                there.say("next")

        assert there.close_code() == guard.POLICY_VIOLATION
    assert counted(watch, "limit/messages") >= guard.MOST_WARNINGS


def test_a_flood_out_of_turn_is_cut_off(address: str, guest: Guests, watch: Guard):
    with a_calm_neighbour(address) as table:
        there = guest("Mallory").at(table)
        with suppress(ConnectionClosed):
            for number in range(300):
                there.say("choose", seat=0, choice=0, id=str(number))

        assert there.close_code() == guard.POLICY_VIOLATION
    assert counted(watch, "limit/refusals") > 0


def test_an_oversize_message_is_refused_before_it_is_there(address: str, guest: Guests, watch: Guard):
    with a_calm_neighbour(address) as table:
        there = guest().at(table)
        with suppress(ConnectionClosed):
            there.send("x" * (guard.LARGEST_FRAME * 100))

        assert there.close_code() == guard.TOO_LARGE
    assert counted(watch, "message/large") == 1


def test_a_half_open_socket_is_let_go(sqlite_url: str):
    with (
        running(sqlite_url, watch=Guard(), ws_ping_interval=0.1, ws_ping_timeout=8.0) as address,
        a_calm_neighbour(address) as table,
    ):
        host, port = address.split(":")
        with socket.create_connection((host, int(port))) as raw:  # shakes hands, then never answers a ping
            raw.sendall(
                f"GET /ws/{table} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            raw.settimeout(PATIENCE)
            while raw.recv(65536):
                pass


@pytest.fixture
def make_hasty(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From then on the house waits for a moment where it else waits for a minute."""

    def make() -> None:
        for name in ("HEAD_SECONDS", "BODY_SECONDS"):
            monkeypatch.setattr(connections, name, 1.0)

    return make


def is_hung_up(raw: socket.socket) -> bool:
    """Has the house closed this connection? Whatever it says is read."""
    raw.settimeout(0.02)
    try:
        return raw.recv(65536) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


@pytest.mark.parametrize(
    ("at_once", "bit_by_bit"),
    [
        ("", ""),
        ("GET /healthz HTTP/1.1\r\nX-More: ", "x"),
        ("POST /api/replay HTTP/1.1\r\nContent-Length: 9999\r\n\r\n", "x"),
        ("POST /api/guest HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
        ("GET /healthz HTTP/1.1\r\nContent-Length: 9999\r\n\r\n", "x"),  # a body that nobody reads
    ],
)
def test_who_takes_for_ever_to_ask_is_let_go(
    address: str, make_hasty: Callable[[], None], at_once: str, bit_by_bit: str, caplog: pytest.LogCaptureFixture
):
    def goes_on() -> None:
        with suppress(OSError):
            raw.sendall(bit_by_bit.encode())

    with a_calm_neighbour(address), ExitStack() as stack:
        make_hasty()
        raw = stack.enter_context(socket.create_connection(address.split(":")))
        raw.sendall(at_once.encode())
        wait_until(lambda: goes_on() or is_hung_up(raw))
    assert "bug:" not in caplog.text


def test_a_socket_stays_open_though_nobody_says_anything(
    address: str, make_hasty: Callable[[], None], guest: Guests, table: str
):
    ada = guest("Ada")
    make_hasty()
    there = ada.at(table)
    there.hear()

    with socket.create_connection(address.split(":")) as later:  # a later client, which has to ask, is let go …
        wait_until(lambda: is_hung_up(later))

    assert there.heard() == []  # … and the socket is there


def test_a_chat_goes_at_the_speed_of_people(guest: Guests):
    ada = guest("Ada")
    there = ada.at(ada.open()["id"])
    there.hear()

    for _ in range(int(guard.CHATS.burst)):
        there.say("chat", text="and another thing")
    there.say("chat", text="one too many")
    heard = [there.hear() for _ in range(int(guard.CHATS.burst) + 1)]

    assert [frame["kind"] for frame in heard] == [*["chat"] * int(guard.CHATS.burst), "error"]
    assert heard[-1]["code"] == "limit/chat"


# Metrics.


def test_the_numbers_are_for_this_machine_only(guest: Guests, table: str):
    nobody = guest()
    nobody.at(table).hear()

    shown = nobody.http.get("/metrics")
    elsewhere = nobody.http.get("/metrics", headers={"X-Forwarded-For": "198.51.100.7"})

    assert 'pokade_tables{status="open"} 1.0' in shown.text
    assert "pokade_people 1.0" in shown.text
    assert 'pokade_request_seconds_count{route="/api/guest",status="200"} 1.0' in shown.text
    assert "pokade_append_seconds_count 2.0" in shown.text
    assert elsewhere.status_code == 404


def test_the_numbers_are_for_everybody_if_a_setting_says_so(sqlite_url: str):
    with running(sqlite_url, watch=Guard(shows_metrics=True)) as address:
        shown = get(f"http://{address}/metrics", headers={"X-Forwarded-For": "198.51.100.7"})

    assert "pokade_queue_drops_total 0.0" in shown.text
