"""Heads, lines and handshakes over real sockets: bounded, refused with an answer, and seldom written down."""

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState

from pokade.server.network import connections
from pokade.server.network.connections import (
    LARGEST_HEAD,
    LONGEST_LINE,
    MOST_HEADERS,
    BoundedSocket,
    Crowd,
    OncePerMinute,
)
from pokade.server.network.guard import Guard
from tests.server.clients import PATIENCE, Guest, running

UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
ENDLESS = 40 << 20  # bytes, far more than what fits the line between
TOO_LARGE = {
    "a long address": f"GET /{'x' * LONGEST_LINE} HTTP/1.1\r\nHost: h\r\n",
    "a long line": f"GET / HTTP/1.1\r\nHost: h\r\nX-More: {'x' * LONGEST_LINE}\r\n",
    "many headers": "GET / HTTP/1.1\r\nX: y\r\n" + "X: y\r\n" * MOST_HEADERS,
    "large together": "GET / HTTP/1.1\r\n" + f"X: {'x' * (LONGEST_LINE - 10)}\r\n" * (LARGEST_HEAD // LONGEST_LINE + 1),
    "a handshake with a long line": f"GET /ws/t HTTP/1.1\r\nHost: h\r\n{UPGRADE}X: {'x' * LONGEST_LINE}\r\n",
    "a handshake with many headers": f"GET /ws/t HTTP/1.1\r\nHost: h\r\n{UPGRADE}" + "X: y\r\n" * MOST_HEADERS,
}


@pytest.fixture
def address(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(connections, "ONCE_PER_MINUTE", OncePerMinute())
    with running(sqlite_url, watch=Guard(clock=lambda: 0.0)) as found:
        yield found


@pytest.fixture
def written(address: str, caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What is written down, also by the server under us, which keeps its lines to itself."""
    theirs = logging.getLogger("uvicorn")
    theirs.addHandler(caplog.handler)
    caplog.handler.setLevel(logging.WARNING)
    yield caplog
    theirs.removeHandler(caplog.handler)


def answer(address: str, *said: bytes) -> bytes:
    """All that the house says to some bytes, up to where it hangs up."""
    with socket.create_connection(address.split(":"), PATIENCE) as raw:
        for part in said:
            raw.sendall(part)
        heard = b""
        while more := raw.recv(65536):
            heard += more
    return heard


@pytest.mark.parametrize("head", TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_head_that_is_too_large_is_refused_and_the_connection_closed(address: str, head: str):
    heard = answer(address, head.encode() + b"\r\n")

    assert heard.startswith(b"HTTP/1.1 431 ")
    assert heard.endswith(b'{"code":"limit/head","text":"this head is too large"}')


@pytest.mark.parametrize("begin", ["GET /", "GET / HTTP/1.1\r\nX-More: ", "GET / HTTP/1.1\r\nX-", "\r\n"])
def test_a_head_without_end_is_not_kept(address: str, begin: str):
    endless = (b"\r\n" if begin == "\r\n" else b"x") * 65_536
    with socket.create_connection(address.split(":"), PATIENCE) as raw:
        raw.sendall(begin.encode())
        with suppress(OSError):  # a broken pipe or a reset, as it happens
            for _ in range(ENDLESS // len(endless)):
                raw.sendall(endless)
            pytest.fail("all of it was taken")


def test_what_is_no_request_is_refused_and_the_connection_closed(address: str):
    assert answer(address, b"hello\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_usual_heads_are_taken_also_one_after_the_other_on_a_connection(address: str):
    cookie = "c" * (LONGEST_LINE - 100)
    with httpx.Client(base_url=f"http://{address}", timeout=PATIENCE) as http:
        for _ in range(LARGEST_HEAD // len(cookie) + 2):
            assert http.get("/healthz", headers={"Cookie": cookie}).status_code == 200
            assert http.post("/api/verify", content=b"x" * 100_000).status_code == 200


def test_requests_that_come_together_are_all_answered(address: str):
    upload = b"POST /api/verify HTTP/1.1\r\nHost: h\r\nContent-Length: 60000\r\n\r\n" + b"x" * 60_000
    last = b"GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"

    assert answer(address, upload + last[:30], last[30:]).count(b"HTTP/1.1 200 OK") == 2


def test_a_refused_upload_is_answered_and_the_connection_lives_on(address: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "REST_SECONDS", 0.0)
    with httpx.Client(base_url=f"http://{address}", timeout=PATIENCE) as http:
        for _ in range(70):  # more than an address may look back at
            refused = http.post("/api/verify", content=b"x" * 500_000)
        assert refused.json()["code"] == "limit/replays"
        assert http.get("/healthz").status_code == 200


def test_refusals_are_written_down_once_a_minute_for_an_address(address: str, written: pytest.LogCaptureFixture):
    for _ in range(3):
        answer(address, b"hello\r\n\r\n")
        answer(address, TOO_LARGE["a long line"].encode() + b"\r\n")

    assert written.messages == ["a connection was refused with 400"]


@pytest.mark.parametrize(
    ("more", "status"), [("Origin: http://evil.example\r\n", 403), ("Sec-WebSocket-Key: twice\r\n", 400)]
)
def test_a_refused_handshake_is_no_error(address: str, written: pytest.LogCaptureFixture, more: str, status: int):
    heard = answer(address, f"GET /ws/t HTTP/1.1\r\nHost: h\r\n{UPGRADE}{more}\r\n".encode())

    assert heard.startswith(b"HTTP/1.1 %d " % status)
    assert written.messages == []


def test_another_upgrade_is_passed_over(address: str, written: pytest.LogCaptureFixture):
    head = b"GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n"

    assert answer(address, head).startswith(b"HTTP/1.1 200 ")
    assert written.messages == []


# Frames of a socket that are no messages.


def frame(kind: int, payload: bytes = b"", *, is_last: bool = True) -> bytes:
    """A frame as a client sends it; a mask of zeros changes nothing."""
    return bytes([0x80 * is_last | kind, 0x80 | len(payload), 0, 0, 0, 0]) + payload


@contextmanager
def shaken(address: str) -> Iterator[socket.socket]:
    """A raw socket at a table."""
    table = httpx.post(f"http://{address}/api/guest", json={"name": "Ada"}, timeout=PATIENCE)
    opened = httpx.post(
        f"http://{address}/api/tables", json={"game": "pok", "seats": 3}, cookies=table.cookies, timeout=PATIENCE
    )
    with socket.create_connection(address.split(":"), PATIENCE) as raw:
        raw.sendall(f"GET /ws/{opened.json()['id']} HTTP/1.1\r\nHost: h\r\n{UPGRADE}\r\n".encode())
        heard = b""
        while b'"kind":"snapshot"' not in heard:
            heard += raw.recv(65536)
        yield raw


PING, PONG, TEXT, PIECE = 9, 10, 1, 0
WITHOUT_END = {
    "pings": (b"", frame(PING)),
    "long pings": (b"", frame(PING, b"x" * 125)),
    "pongs": (b"", frame(PONG, b"me")),
    "pieces": (frame(TEXT, is_last=False), frame(PIECE, is_last=False)),
}


@pytest.mark.parametrize("kind", WITHOUT_END)
def test_a_socket_that_sends_frames_without_end_is_hung_up_on(address: str, kind: str):
    first, more = WITHOUT_END[kind]
    with shaken(address) as raw, suppress(OSError):  # a broken pipe or a reset, as it happens
        raw.sendall(first)
        for _ in range(ENDLESS // (4 * len(more) * 1000)):
            raw.sendall(more * 1000)
        pytest.fail("all of it was taken")


def test_pings_of_a_browser_are_answered(address: str):
    with shaken(address) as raw:
        raw.sendall(frame(PING, b"still there?") * 50)
        heard = b""
        while heard.count(b"still there?") < 50:
            heard += raw.recv(65536)

    assert heard == (bytes([0x80 | PONG, 12]) + b"still there?") * 50


class Line:
    """A transport that remembers whether it was cut."""

    is_cut = is_over = False

    def abort(self) -> None:
        self.is_cut = True

    def close(self) -> None:
        self.is_over = True

    def is_closing(self) -> bool:
        return self.is_over


class Later:
    """A loop whose time goes on when it is told to."""

    def __init__(self) -> None:
        self._calls: list[tuple[float, asyncio.TimerHandle]] = []
        self._loop = asyncio.new_event_loop()
        self.now = 0.0

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(self.now + seconds, call, (), self._loop)
        self._calls.append((self.now + seconds, handle))
        return handle

    def go_on(self, seconds: float) -> None:
        self.now += seconds
        for at, handle in self._calls:
            if at <= self.now and not handle.cancelled():
                handle._run()

    def close(self) -> None:
        self._loop.close()


@pytest.fixture
def later() -> Iterator[Later]:
    made = Later()
    yield made
    made.close()


@pytest.fixture
def bounded(later: Later) -> BoundedSocket:
    async def app(scope: object, receive: object, send: object) -> None:
        """Nobody asks it."""

    made = BoundedSocket(uvicorn.Config(app, log_config=None), ServerState(), {}, later)
    made.transport = Line()
    return made


def test_a_socket_that_takes_nothing_is_cut_and_one_that_reads_on_is_not(bounded: BoundedSocket, later: Later):
    bounded.pause_writing()
    later.go_on(connections.LINGER_SECONDS - 1)
    bounded.resume_writing()
    later.go_on(2)
    assert not bounded.transport.is_cut

    bounded.pause_writing()
    later.go_on(connections.LINGER_SECONDS)
    assert bounded.transport.is_cut


def test_a_socket_that_is_over_is_cut_in_the_end_though_it_takes_nothing(bounded: BoundedSocket, later: Later):
    bounded.transport.close()
    bounded.on_task_complete(None)
    bounded.resume_writing()
    assert not bounded.transport.is_cut

    later.go_on(connections.LINGER_SECONDS)
    assert bounded.transport.is_cut


def test_each_is_heard_once_a_minute():
    now = [0.0]
    seldom = OncePerMinute(lambda: now[0])

    assert [seldom.may("a"), seldom.may("a"), seldom.may("b")] == [True, False, True]
    now[0] = 59.0
    assert not seldom.may("a")
    now[0] = 60.0
    assert seldom.may("a")


def test_whom_one_has_heard_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "MOST_HEARD", 3)
    now = [0.0]
    seldom = OncePerMinute(lambda: now[0])

    assert [seldom.may(str(number)) for number in range(5)] == [True, True, True, False, False]
    now[0] = 60.0
    assert seldom.may("4")
    assert len(seldom._heard) == 1


def connected(address: str, count: int) -> list[socket.socket]:
    return [socket.create_connection(address.split(":"), PATIENCE) for _ in range(count)]


def test_an_address_with_too_many_connections_loses_those_that_say_nothing(
    address: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(connections, "MOST_THERE", 5)
    with ExitStack() as stack, httpx.Client(base_url=f"http://{address}") as browser:
        first = [stack.enter_context(raw) for raw in connected(address, 4)]
        browser.get("/healthz").raise_for_status()
        first += [stack.enter_context(raw) for raw in connected(address, 3)]

        assert [raw.recv(1) for raw in first[:3]] == [b""] * 3  # hung up on
        line = stack.enter_context(Guest(address, "Ada"))
        browser.get("/healthz").raise_for_status()
        first[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
        assert first[-1].recv(12) == b"HTTP/1.1 200"
        assert line.get("/api/tables") == []


def test_sockets_are_no_connections_that_say_nothing(address: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "MOST_THERE", 2)
    with ExitStack() as stack:
        ada = stack.enter_context(Guest(address, "Ada"))
        table = ada.open()["id"]
        tabs = [ada.at(table) for _ in range(4)]
        for tab in tabs:
            tab.hear()
        silent = [stack.enter_context(raw) for raw in connected(address, 4)]
        assert silent[0].recv(1) == b""

        for tab in tabs:
            tab.say("ping")
        assert [tab.hear()["kind"] for tab in tabs] == ["pong"] * 4


def test_connections_of_a_trusted_proxy_are_everybodys(sqlite_url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "MOST_THERE", 2)
    with running(sqlite_url, watch=Guard(trusted=("127.0.0.0/8",))) as address, ExitStack() as stack:
        raws = [stack.enter_context(raw) for raw in connected(address, 6)]
        for raw in raws:
            raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")

        assert [raw.recv(12) for raw in raws] == [b"HTTP/1.1 200"] * 6


def test_what_is_counted_of_an_address_is_forgotten_when_it_is_gone(monkeypatch: pytest.MonkeyPatch):
    crowd, lost = Crowd(), []

    class Connection:
        def __init__(self, host: str) -> None:
            self.host, self.transport = host, self

        def abort(self) -> None:
            lost.append(self)

    monkeypatch.setattr(connections, "MOST_THERE", 2)
    one, two, other = Connection("2001:db8::1"), Connection("2001:db8::2"), Connection("192.0.2.1")
    more = Connection("2001:db8::3")  # of the same household
    for connection in (one, two, other, one, more):
        crowd.come(connection)  # type: ignore[arg-type] # as much of one as is needed

    assert lost == [two]
    for connection in (one, two, other, more):
        crowd.go(connection)  # type: ignore[arg-type]
    assert crowd._there == {}
