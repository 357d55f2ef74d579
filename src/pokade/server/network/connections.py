"""Bounds on the size and the time of requests: headers, bodies, answers that nobody reads.

Uvicorn would take headers of any size, wait for ever, and log a line for everything that is wrong.
"""

import asyncio
import ipaddress
import logging
import time
from collections.abc import Callable
from typing import Any, Final

import httptools
import orjson
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

HEAD_SECONDS: Final = 10.0  # for the head of a request, and for the first one to begin
BODY_SECONDS: Final = 60.0  # for its body: the largest record over a bad line
ANSWER_SECONDS: Final = 120.0  # for an answer to be taken, once it does not fit the line
REST_SECONDS: Final = 1.0  # before the rest of a body is taken that nobody wants any more
LONGEST_LINE: Final = 8000  # bytes of an address or a header; the WebSocket layer takes 8190 …
MOST_HEADERS: Final = 100  # … and 128
LARGEST_HEAD: Final = 32_768  # bytes
SLICE: Final = 4096  # bytes of a socket that are read before it is asked whether to go on
MOST_FRAMES: Final = 100  # of a socket that are no messages (pings, pongs, pieces) …
FRAMES_PER_SECOND: Final = 5.0  # … then so many: browsers send one every twenty seconds
LINGER_SECONDS: Final = 30.0  # for a socket to take what was sent to it
A_MINUTE: Final = 60.0
MOST_HEARD: Final = 10_000  # addresses that are remembered for a minute

MOST_THERE: Final = 500  # connections of an address that are no sockets: two classes, with six a browser
CLOSING: Final = "pokade.closing"  # in the state of the application: to be called when the server closes …
CROWD: Final = "pokade.crowd"  # … and the connections of each address
LOG: Final = logging.getLogger("pokade.server.network.connections")


class OncePerMinute:
    """For log lines: lets each key pass once a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._heard: dict[str, float] = {}

    def may(self, key: str) -> bool:
        now = self._clock()
        if now - self._heard.get(key, -A_MINUTE) < A_MINUTE:
            return False
        if len(self._heard) >= MOST_HEARD:
            self._heard = {other: at for other, at in self._heard.items() if now - at < A_MINUTE}
        if len(self._heard) < MOST_HEARD:  # else there are too many to be told of
            self._heard[key] = now
            return True
        return False


ONCE_PER_MINUTE: Final = OncePerMinute()


class Crowd:
    """The connections of each address that are no sockets: each is an open file, of which a process has only so many.

    Where there are too many, the one goes that has said nothing for the longest: browsers ask as soon as they connect.
    """

    def __init__(self, is_free: Callable[[str], bool] = lambda _: False) -> None:
        self._is_free = is_free  # a proxy, through which everybody comes
        self._there: dict[str, dict[BoundedHttp, None]] = {}

    def come(self, connection: "BoundedHttp") -> None:
        """A connection was made, or has asked for something."""
        if self._is_free(connection.host):
            return
        there = self._there.setdefault(network_of(connection.host), {})
        there.pop(connection, None)
        there[connection] = None
        if len(there) > MOST_THERE:
            silent = next(iter(there))
            self.go(silent)
            silent.transport.abort()

    def go(self, connection: "BoundedHttp") -> None:
        """A connection is lost, or became a socket, which is counted as such."""
        there = self._there.get(network_of(connection.host), {})
        there.pop(connection, None)
        if not there:
            self._there.pop(network_of(connection.host), None)


def network_of(host: str) -> str:
    """The address that is limited: for IPv6 its network, since a household has billions of addresses."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


class _TooLarge(Exception):
    """A head that nobody needs."""


class BoundedHttp(HttpToolsProtocol):
    """Hangs up on a client that takes too long over a request or its answer, or whose head is too large."""

    _waiting: asyncio.TimerHandle | None = None  # for the client to go on asking …
    _reading: asyncio.TimerHandle | None = None  # … and to take the answer
    _resting: asyncio.TimerHandle | None = None
    _is_in_head = True
    _head = 0  # bytes of it
    _requests = 0  # that were complete

    @property
    def host(self) -> str:
        """Where it comes from."""
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait(HEAD_SECONDS)
        self._crowd.come(self)

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        if self._waiting is None and self._is_in_head:
            self._wait(HEAD_SECONDS)  # empty lines before a request begin none
        was_in_head, requests = self._is_in_head, self._requests
        try:
            self.parser.feed_data(data)
            if was_in_head and self._is_in_head and requests == self._requests:
                self._count(len(data))
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
        except (_TooLarge, httptools.HttpParserError) as error:
            is_large = isinstance(error, _TooLarge) or isinstance(error.__context__, _TooLarge)
            self._refuse(431 if is_large else 400)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = 0
        self._wait(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > LONGEST_LINE:
            raise _TooLarge

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(name) + len(value) > LONGEST_LINE or len(self.headers) > MOST_HEADERS:
            raise _TooLarge
        self._count(len(name) + len(value))

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        super().on_headers_complete()
        self._wait(BODY_SECONDS)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._is_in_head, self._head = True, 0
        self._requests += 1
        self._stop_waiting()
        self._crowd.come(self)

    def on_response_complete(self) -> None:
        """After a refusal in the middle of a large body the rest of it is read, but slowly."""
        super().on_response_complete()
        if not self._is_in_head and not self.transport.is_closing() and self._resting is None:
            self.flow.pause_reading()
            self._resting = self.loop.call_later(REST_SECONDS, self._read_on)

    def handle_websocket_upgrade(self) -> None:
        """From here on pings find out who is gone."""
        self._stop_waiting()
        self._crowd.go(self)
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading = self.loop.call_later(ANSWER_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_reading()

    def shutdown(self) -> None:
        self.app_state.get(CLOSING, _nothing)()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_reading()
        if self._resting is not None:
            self._resting.cancel()
        self._crowd.go(self)
        super().connection_lost(exc)

    @property
    def _crowd(self) -> Crowd:
        crowd: Crowd = self.app_state.get(CROWD, NOBODY)
        return crowd

    def _count(self, size: int) -> None:
        self._head += size
        if self._head > LARGEST_HEAD:
            raise _TooLarge

    def _refuse(self, status: int) -> None:
        """Answer in one line and hang up; in the middle of another answer only hang up."""
        if ONCE_PER_MINUTE.may(self.host):
            LOG.warning("a connection was refused with %d", status)
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return
        code, text = ("limit/head", "this head is too large") if status == 431 else ("http/refused", "this is no HTTP")
        body = orjson.dumps({"code": code, "text": text})
        head = b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body)
        self.transport.write(STATUS_LINE[status] + head + body)
        self.transport.close()

    def _read_on(self) -> None:
        self._resting = None
        self.flow.resume_reading()

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._waiting = self.loop.call_later(seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


def _nothing() -> None:
    pass


NOBODY: Final = Crowd(is_free=lambda _: True)  # where there are no limits, nobody is counted


class BoundedSocket(WebSocketsSansIOProtocol):
    """Hangs up on a client that sends frames without end, or does not take what it is sent.

    A refused handshake is an answer like any other, and no error to be written down.
    """

    _left = float(MOST_FRAMES)  # frames that may still come …
    _left_at = 0.0  # … as counted then
    _lingering: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), SLICE):
            if not self.transport.is_closing():
                super().data_received(data[at : at + SLICE])

    def handle_ping(self) -> None:
        self._count_frame()
        super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if bytes(event.data) != self.pending_ping_payload:  # nobody has asked for it
            self._count_frame()
        super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        self._count_frame()
        super().handle_cont(event)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._linger()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self._stop_lingering()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._linger()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """The socket is closed as soon as all is taken that was sent to it, which may be never."""
        super().on_task_complete(task)
        if not self.disconnected:
            self._linger()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_lingering()
        super().connection_lost(exc)

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True

    def _count_frame(self) -> None:
        """A token bucket, as for messages; but a client that overdraws it is no browser, and is told nothing."""
        now = self.loop.time()
        self._left = min(MOST_FRAMES, self._left + (now - self._left_at) * FRAMES_PER_SECOND) - 1
        self._left_at = now
        if self._left < 0:
            self.transport.abort()

    def _linger(self) -> None:
        if self._lingering is None:
            self._lingering = self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _stop_lingering(self) -> None:
        if self._lingering is not None:
            self._lingering.cancel()
            self._lingering = None
