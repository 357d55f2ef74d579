"""What stands between the network and the house: headers, origins, addresses and limits.

Limits are buckets of tokens in memory: a bucket holds a burst and fills up again at a rate. Whoever finds it empty gets
a stable code and the seconds to wait; nobody else notices. Each process has its own buckets. They count work: files of
the page are free.
"""

import contextlib
import ipaddress
import logging
import math
import re
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pokade import records
from pokade.games.errors import Refused
from pokade.server.connections import Handshake, Impatient
from pokade.server.metrics import Metrics
from pokade.server.people import COOKIE, hashed

HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Limit:
    """So many at once, then so many a second, for each of some."""

    code: str
    burst: float
    rate: float
    each: str = "person"


# Whoever is known by a cookie has limits of their own, so that nobody at the same address can use them up. Only those
# who are not known yet share what their address may do, and what they need to come in is apart from what floods.
REQUESTS: Final = Limit("limit/requests", burst=60, rate=10)  # a page asks some five times
REQUESTS_THERE: Final = Limit("limit/requests", burst=600, rate=60, each="address")  # two classes, before they are in
PAGES: Final = Limit("limit/requests", burst=300, rate=30, each="address")  # two classes that load the page anew
GUESTS: Final = Limit("limit/guests", burst=150, rate=120 / HOUR, each="address")  # two classes, with a second device
TABLES: Final = Limit("limit/tables", burst=20, rate=60 / HOUR)  # an evening of short games …
OWN_TABLES: Final = Limit("limit/tables", burst=6, rate=30 / HOUR)  # … of which these count for nobody else
TABLES_THERE: Final = Limit("limit/tables", burst=100, rate=300 / HOUR, each="address")  # the rest of all of them
TICKETS: Final = Limit("limit/tickets", burst=10, rate=30 / HOUR)  # a few devices, and clumsy fingers
REPLAYS: Final = Limit("limit/replays", burst=60, rate=1, each="person or address")  # a long game takes a second
SOCKETS: Final = Limit("limit/sockets", burst=30, rate=1)  # a few tabs, and a bad line
SOCKETS_THERE: Final = Limit("limit/sockets", burst=200, rate=10, each="address")  # watchers, and who is not known yet
MESSAGES: Final = Limit("limit/messages", burst=40, rate=10)  # quick fingers tap some five times a second
REFUSALS: Final = Limit("limit/refusals", burst=20, rate=1)  # nobody errs every second; a broken program does
CHATS: Final = Limit("limit/chat", burst=5, rate=0.5)  # short lines are typed in two seconds
ALL_LIMITS: Final = (
    *(REQUESTS, REQUESTS_THERE, PAGES, GUESTS, TABLES, OWN_TABLES, TABLES_THERE, TICKETS, REPLAYS),
    *(SOCKETS, SOCKETS_THERE, MESSAGES, REFUSALS, CHATS),
)

MOST_SOCKETS_THERE: Final = 200  # open at once from an address by those who are not known: a school hall that watches
MOST_SOCKETS: Final = 10  # open at once by a person: a few devices, a few tables
MOST_KNOWN: Final = 50_000  # people who were here lately, some five megabytes
MOST_BUCKETS: Final = 20_000  # of a limit, some two megabytes; beyond it those that are full again are forgotten
MOST_WARNINGS: Final = 50  # messages over the limit that are answered before the socket is closed

LARGEST_MESSAGE: Final = 4096  # bytes; the longest message of the protocol has some hundred
LARGEST_FRAME: Final = 16_384  # bytes; beyond it the socket is closed before the rest is even read
LARGEST_BODY: Final = records.LARGEST  # bytes; the largest thing that anybody uploads is a record
WAITING: Final = 256  # batches of frames that a slow reader may fall behind: several games' worth of a table's rounds
FAREWELL: Final = 5.0  # seconds that a slow reader has to take the closing frame
PING_INTERVAL: Final = 20.0  # seconds; routers at home forget a silent connection after thirty to sixty
PING_TIMEOUT: Final = 20.0  # seconds; a telephone in a tunnel answers later than that only if it is gone

STOPPING: Final = 10  # seconds that a request under way has when the house closes
SERVING: Final[dict[str, Any]] = {  # how the server under us is to be run
    "http": Impatient,
    "ws": Handshake,
    "ws_max_size": LARGEST_FRAME,
    "ws_ping_interval": PING_INTERVAL,
    "ws_ping_timeout": PING_TIMEOUT,
    "ws_per_message_deflate": False,  # 300 KB a socket, and lengths of compressed secrets tell something
    "timeout_graceful_shutdown": STOPPING,
    "proxy_headers": False,  # ours to believe, see `Gate`
    "server_header": False,
    "access_log": False,  # its lines hold codes and ids; ours hold the pattern of the route
}

SLOW: Final = 1013  # close codes: "try again later" …
UNWANTED: Final = 1008  # … and "policy violation"
OLD: Final = 4000  # our own: load the page anew
TOO_LARGE: Final = 1009
NO_TEXT: Final = 1007

WAY_OUT: Final = "pokade.way_out"
FREE: Final = ("/healthz",)
INSIDE: Final = ("/api/", "/qr/", "/readyz", "/metrics", "/openapi.json")  # what is no page
COUNTED_ELSEWHERE: Final = ("/api/guest", "/api/replay", "/api/verify")
UNSAFE_METHODS: Final = frozenset(("POST", "PUT", "PATCH", "DELETE"))
_HOST: Final = re.compile(r"[A-Za-z0-9._\-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")
_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}
_STATUS_CODES: Final = {404: "http/unknown", 405: "http/method", 413: "limit/body", 400: "message/json"}
LOG: Final = logging.getLogger("pokade.server.guard")


class TryAgain(Refused):
    """Not now; `wait` is how many seconds until there is room again."""

    status = 503

    def __init__(self, code: str, sentence: str, wait: float) -> None:
        super().__init__(code, sentence)
        self.wait = max(1, math.ceil(wait))


class LimitReached(TryAgain):
    """Too much of it."""

    status = 429

    def __init__(self, code: str, wait: float) -> None:
        super().__init__(code, "that was too much at once; wait a moment", wait)


class ForeignOrigin(Refused):
    """A page of another site speaks in the name of a person who is here."""


class _Buckets:
    """The buckets of one limit, by address or person: tokens left, and when that was true."""

    def __init__(self, limit: Limit, clock: Callable[[], float]) -> None:
        self._limit, self._clock = limit, clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> float:
        """Take a token; 0, or the seconds to wait for one."""
        now = self._clock()
        left = self._filled(key, now)
        if left < 1:
            return (1 - left) / self._limit.rate
        self._left[key] = (left - 1, now)
        if len(self._left) > MOST_BUCKETS:
            self._forget(now)
        return 0.0

    def _filled(self, key: str, now: float) -> float:
        left, at = self._left.get(key, (self._limit.burst, now))
        return min(self._limit.burst, left + (now - at) * self._limit.rate)

    def _forget(self, now: float) -> None:
        """Full buckets say nothing; if all are in use, the half that was touched longest ago goes."""
        self._left = {key: kept for key, kept in self._left.items() if self._filled(key, now) < self._limit.burst}
        if len(self._left) > MOST_BUCKETS // 2:
            latest = sorted(self._left.items(), key=lambda item: item[1][1])[-MOST_BUCKETS // 2 :]
            self._left = dict(latest)


@dataclass(slots=True)
class Guard:
    """The limits and counters of one house, and whom it believes."""

    is_limited: bool = True  # tests and benchmarks play faster than people
    trusted: Sequence[str] = ()  # peers whose forwarded headers are believed: addresses and networks
    origins: Sequence[str] = ()  # pages that may speak besides our own, such as https://play.example
    shows_metrics: bool = False  # to everybody, not only to this machine
    metrics: Metrics = field(default_factory=Metrics)
    clock: Callable[[], float] = time.monotonic
    _buckets: dict[Limit, _Buckets] = field(default_factory=dict)
    _open: Counter[str] = field(default_factory=Counter)
    _known: dict[bytes, str] = field(default_factory=dict)  # people, by the hash of their token

    def know(self, token: str, person: str) -> None:
        """Somebody has shown this token, and it is theirs."""
        self._known.pop(hashed(token), None)
        self._known[hashed(token)] = person
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]  # whoever came longest ago

    def person(self, scope: Scope) -> str | None:
        """Who asks, if they were here before; it takes no look into the database, which a flood would have too."""
        token = _token(scope)
        return self._known.get(hashed(token)) if token else None

    def who(self, scope: Scope) -> str:
        """Whom to count for: a person who is known, or else an address."""
        return self.person(scope) or address_of(scope)

    def take_table(self, person: str, scope: Scope) -> None:
        """Count a new table; one's first ones are not taken from anybody else at the same address."""
        self.take(TABLES, person)
        try:
            self.take(OWN_TABLES, person)
        except LimitReached:
            self.take(TABLES_THERE, address_of(scope))

    def take(self, limit: Limit, key: str) -> None:
        """Count one against a limit; raises LimitReached if there was none left."""
        if not self.is_limited:
            return
        buckets = self._buckets.get(limit)
        if buckets is None:
            buckets = self._buckets[limit] = _Buckets(limit, self.clock)
        wait = buckets.take(key)
        if wait:
            raise LimitReached(limit.code, wait)

    @contextlib.contextmanager
    def holding(self, key: str, most: int) -> Iterator[None]:
        """One of the sockets that an address or a person may have open."""
        if self.is_limited and self._open[key] >= most:
            raise LimitReached(SOCKETS.code, 1 / SOCKETS_THERE.rate)
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]

    def refuse(self, code: str) -> None:
        """Count what was refused."""
        self.metrics.refusals.labels(code).inc()
        LOG.debug("refused: %s", code)

    def wants_origin(self, headers: Headers) -> None:
        """A browser says which page speaks; it must be ours. Programs say nothing, and have no person's cookies."""
        origin = headers.get("origin")
        if origin is None or origin in self.origins:
            return
        page = urlsplit(origin)
        port = _DEFAULT_PORTS.get(page.scheme, "")
        if not port or page.netloc.lower().removesuffix(port) != headers.get("host", "").lower().removesuffix(port):
            raise ForeignOrigin("origin/foreign", "a page of another site can't speak here")


def address_of(scope: Scope) -> str:
    """Who is limited: an address, or the network of one household where everybody has billions (IPv6)."""
    peer = scope.get("client")
    try:
        address = ipaddress.ip_address(peer[0] if peer else "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _token(scope: Scope) -> str | None:
    """The token in the cookie of a request."""
    prefix = f"{COOKIE}="
    cookies = [value.decode("latin-1").split(";") for name, value in scope["headers"] if name == b"cookie"]
    found = [
        part.strip().removeprefix(prefix) for parts in cookies for part in parts if part.strip().startswith(prefix)
    ]
    return found[-1].strip('"') if found else None


def is_this_machine(scope: Scope) -> bool:
    """Asked from the loopback, and by no proxy on somebody's behalf."""
    headers = Headers(scope=scope)
    if "x-forwarded-for" in headers or "forwarded" in headers:
        return False
    peer = scope.get("client")
    try:
        return ipaddress.ip_address(peer[0] if peer else "").is_loopback
    except ValueError:
        return False


def refusal(error: Refused, status: int) -> JSONResponse:
    """A person's mistake is a message with a stable code, never a stack trace."""
    headers = {"Retry-After": str(error.wait)} if isinstance(error, TryAgain) else None
    return JSONResponse({"code": error.code, "text": str(error)}, status, headers)


def code_of_status(status: int) -> str:
    """The stable code of an answer that the framework gives."""
    return _STATUS_CODES.get(status, "http/refused")


def log_bug(error: Exception) -> None:
    """Where it happened and its kind; its words and values may hold what nobody may know."""
    places = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(traceback.extract_tb(error.__traceback__)))
    LOG.error("bug: %s at %s", type(error).__name__, places)


def security_headers(host: str) -> dict[str, str]:
    """A page loads only from us, speaks only to us, and stands in nobody's frame."""
    here = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""  # some browsers don't count them as 'self'
    policy = (
        f"default-src 'self'; connect-src 'self'{here}; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",  # an address may hold a table's code
        "X-Frame-Options": "DENY",
    }


class Gate:
    """The guard as the outermost layer of the application."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._guard = guard
        trusted = list(guard.trusted)
        inner: Any = self._pass
        self._app = app
        self._entry: Any = ProxyHeadersMiddleware(inner, trusted_hosts=trusted) if trusted else inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._entry(scope, receive, send)

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _Answer(send, security_headers(Headers(scope=scope).get("host", "")))
        began = time.perf_counter()
        try:
            await self._answer(scope, receive, answer)
        except ClientDisconnect:
            LOG.debug("gone before all of the request was here")
        except Exception as error:  # the last line of defence: a bug is told to nobody but the log
            log_bug(error)
            if not answer.status:
                bug = JSONResponse({"code": "house/bug", "text": "something went wrong here"}, 500)
                await bug(scope, receive, answer)
        self._count(scope, answer.status, time.perf_counter() - began)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            self._take(scope)
            if scope["method"] in UNSAFE_METHODS:
                self._guard.wants_origin(headers)
        except Refused as error:
            await self._refused(error)(scope, receive, send)
            return
        if _length(headers) > LARGEST_BODY:
            large = Refused(code_of_status(413), "that is too large")
            self._guard.refuse(large.code)
            await refusal(large, 413)(scope, receive, send)
            return
        await self._app(scope, _bounded(receive), send)

    def _take(self, scope: Scope) -> None:
        """Count a request. Files that never change are no work; what has a limit of its own is counted there."""
        path, person = scope["path"], self._guard.person(scope)
        if path in FREE or path in getattr(scope["app"].state, "served", ()):
            return
        if not path.startswith(INSIDE):
            self._guard.take(PAGES, address_of(scope))
        elif person is not None:
            self._guard.take(REQUESTS, person)
        elif path not in COUNTED_ELSEWHERE:
            self._guard.take(REQUESTS_THERE, address_of(scope))

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._guard.wants_origin(Headers(scope=scope))
            scope[WAY_OUT] = send
            with self._socket(scope):
                await self._app(scope, receive, send)
        except Refused as error:  # the handshake is answered with an error, so there is no socket
            answer = self._refused(error)
            answer.headers.update(security_headers(Headers(scope=scope).get("host", "")))
            await answer(scope, receive, send)

    def _socket(self, scope: Scope) -> AbstractContextManager[None]:
        """One more socket; those of a person who is known are counted where they can be told so."""
        person, address = self._guard.person(scope), address_of(scope)
        if person is not None:
            self._guard.take(SOCKETS, person)
            return contextlib.nullcontext()
        self._guard.take(SOCKETS_THERE, address)
        return self._guard.holding(f"at {address}", MOST_SOCKETS_THERE)

    def _refused(self, error: Refused) -> JSONResponse:
        self._guard.refuse(error.code)
        return refusal(error, error.status if isinstance(error, TryAgain) else 403)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "none")  # its pattern, so that no id and no code is written down
        self._guard.metrics.requests.labels(route, str(status)).observe(seconds)
        LOG.debug("%s %s %d in %.1f ms", scope["method"], route, status, seconds * 1000)


def way_out(scope: Scope) -> Send:
    """How frames leave a socket, past the layers of the framework: they only look at what happens before the first."""
    send: Send = scope[WAY_OUT]
    return send


class _Answer:
    """Sends an HTTP answer with our headers, and remembers its status."""

    def __init__(self, send: Send, headers: dict[str, str]) -> None:
        self._send, self._headers = send, headers
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            MutableHeaders(scope=message).update(self._headers)
        await self._send(message)


def _length(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 16 else LARGEST_BODY + 1


def _bounded(receive: Receive) -> Receive:
    """A body that comes in pieces is counted while it comes."""
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > LARGEST_BODY:
            raise HTTPException(413, "that is too large")
        return message

    return counted
