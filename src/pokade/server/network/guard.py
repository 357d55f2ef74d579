"""Trusted proxies, allowed origins and rate limits.

Limits are token buckets in memory: a bucket holds a burst and fills up again at a rate. A client that finds it empty
gets a stable code and the seconds to wait; nobody else notices. Each process has its own buckets. They count work:
files of the page are free.
"""

import contextlib
import ipaddress
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope
from uvicorn.middleware.proxy_headers import _TrustedHosts

from pokade import records
from pokade.server.errors import ForeignOrigin, LimitReached
from pokade.server.network.connections import NOBODY, BoundedHttp, BoundedSocket, Crowd, network_of
from pokade.server.network.metrics import Metrics
from pokade.server.network.people import COOKIE, hashed

HOUR: Final = 3600.0
OWN: Final = "person, for nobody else"
REST: Final = "address, beyond that"
CHANGING: Final = "person, for changes of a table"


@dataclass(frozen=True, slots=True)
class Limit:
    """So many at once, then so many a second, for each of some."""

    code: str
    burst: float
    rate: float
    each: str = "person"


@dataclass(frozen=True, slots=True)
class Share:
    """What a person may do, of which some counts for nobody else, and all people of an address share the rest.

    So many guests at an address can't burden the server as one of them may. People who just play stay within what is
    their own: nobody can use that up, and nobody at their address can tell from the rest how often they choose.
    """

    most: Limit
    own: Limit
    rest: Limit


# A person with a cookie has rate limits of their own, so that nobody at the same address can use them up. Only people
# without one share the limits of their address, and what they need to come in is apart from what floods.
REQUESTS: Final = Limit("limit/requests", burst=60, rate=10)  # a page asks some five times
OWN_REQUESTS: Final = Limit("limit/requests", burst=30, rate=1, each=OWN)
REST_OF_REQUESTS: Final = Limit("limit/requests", burst=600, rate=60, each=REST)
REQUESTS_THERE: Final = Limit("limit/requests", burst=600, rate=60, each="address")  # two classes, before they are in
PAGES: Final = Limit("limit/requests", burst=300, rate=30, each="address")  # two classes that reload the page
GUESTS: Final = Limit("limit/guests", burst=150, rate=120 / HOUR, each="address")  # two classes, with a second device
TABLES: Final = Limit("limit/tables", burst=20, rate=60 / HOUR)  # an evening of short games …
OWN_TABLES: Final = Limit("limit/tables", burst=6, rate=30 / HOUR, each=OWN)  # … of which these count for nobody else
TABLES_THERE: Final = Limit("limit/tables", burst=100, rate=300 / HOUR, each=REST)  # the rest of all of them
TICKETS: Final = Limit("limit/tickets", burst=10, rate=30 / HOUR)  # a few devices, and clumsy fingers
REPLAYS: Final = Limit("limit/replays", burst=60, rate=1, each="person or address")  # a long game takes a second
DRAWINGS: Final = Limit("limit/requests", burst=120, rate=2, each="address")  # of QR codes that nobody has asked for
SOCKETS: Final = Limit("limit/sockets", burst=30, rate=1)  # a few tabs, and a bad line
OWN_SOCKETS: Final = Limit("limit/sockets", burst=10, rate=0.2, each=OWN)
REST_OF_SOCKETS: Final = Limit("limit/sockets", burst=200, rate=10, each=REST)
SOCKETS_THERE: Final = Limit("limit/sockets", burst=200, rate=10, each="address")  # watchers, and people not known yet
MESSAGES: Final = Limit("limit/messages", burst=40, rate=10)  # quick fingers tap some five times a second …
OWN_MESSAGES: Final = Limit("limit/messages", burst=30, rate=2, each=OWN)  # … and not for long; idle pages ping
REST_OF_MESSAGES: Final = Limit("limit/messages", burst=600, rate=150, each=REST)  # also of all who only watch
CHANGES: Final = Limit("limit/messages", burst=30, rate=1, each=CHANGING)  # everybody who looks is told of each
REFUSALS: Final = Limit("limit/refusals", burst=20, rate=1)  # nobody errs every second; a broken program does
CHATS: Final = Limit("limit/chat", burst=5, rate=0.5)  # short lines are typed in two seconds
ALL_LIMITS: Final = (
    *(REQUESTS, REQUESTS_THERE, PAGES, GUESTS, TABLES, OWN_TABLES, TABLES_THERE, TICKETS, REPLAYS, DRAWINGS),
    *(SOCKETS, SOCKETS_THERE, MESSAGES, CHANGES, REFUSALS, CHATS),
    *(OWN_REQUESTS, REST_OF_REQUESTS, OWN_SOCKETS, REST_OF_SOCKETS, OWN_MESSAGES, REST_OF_MESSAGES),
)
SHARED_REQUESTS: Final = Share(REQUESTS, OWN_REQUESTS, REST_OF_REQUESTS)
SHARED_SOCKETS: Final = Share(SOCKETS, OWN_SOCKETS, REST_OF_SOCKETS)
SHARED_MESSAGES: Final = Share(MESSAGES, OWN_MESSAGES, REST_OF_MESSAGES)
SHARED_TABLES: Final = Share(TABLES, OWN_TABLES, TABLES_THERE)

MOST_SOCKETS_THERE: Final = 200  # open at once from an address by those who are not known: a school hall that watches
MOST_SOCKETS: Final = 10  # open at once by a person: a few devices, a few tables …
FEW_SOCKETS: Final = 2  # … of which these count for nobody else …
MORE_SOCKETS_THERE: Final = 200  # … and so many more of them are open at once from an address
MOST_KNOWN: Final = 50_000  # people who were here lately, some five megabytes
MOST_BUCKETS: Final = 20_000  # of a limit, some two megabytes; beyond it those that are full again are forgotten
MOST_WARNINGS: Final = 50  # messages over the limit that are answered before the socket is closed

LARGEST_MESSAGE: Final = 4096  # bytes; the longest message of the protocol has some hundred
LARGEST_FRAME: Final = 16_384  # bytes; beyond it the socket is closed before the rest is even read
LARGEST_BODY: Final = records.LARGEST  # bytes; the largest thing that anybody uploads is a record
WAITING: Final = 256  # batches of frames that a slow reader may fall behind: several games' worth of a table's rounds
CLOSE_SECONDS: Final = 5.0  # seconds that a slow reader has to take the closing frame
PING_INTERVAL: Final = 20.0  # seconds; routers at home forget a silent connection after thirty to sixty
PING_TIMEOUT: Final = 20.0  # seconds; a telephone in a tunnel answers later than that only if it is gone

STOPPING: Final = 10  # seconds that a request under way has when the server closes
SERVING: Final[dict[str, Any]] = {  # for uvicorn
    "http": BoundedHttp,
    "ws": BoundedSocket,
    "ws_max_size": LARGEST_FRAME,
    "ws_ping_interval": PING_INTERVAL,
    "ws_ping_timeout": PING_TIMEOUT,
    "ws_per_message_deflate": False,  # 300 KB a socket, and lengths of compressed secrets tell something
    "timeout_graceful_shutdown": STOPPING,
    "proxy_headers": False,  # `Gate` reads them, from trusted proxies only
    "server_header": False,
    "access_log": False,  # its lines hold codes and ids; ours hold the pattern of the route
}

TRY_AGAIN_LATER: Final = 1013  # close codes: "try again later" …
POLICY_VIOLATION: Final = 1008  # … and "policy violation"
OLD_CLIENT: Final = 4000  # our own: reload the page
TOO_LARGE: Final = 1009
NO_TEXT: Final = 1007

_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}
LOG: Final = logging.getLogger("pokade.server.network.guard")


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
    """The rate limits and metrics of one server, its trusted proxies and allowed origins."""

    is_limited: bool = True  # tests and benchmarks play faster than people
    trusted: Sequence[str] = ()  # proxies whose forwarded headers count: addresses and networks
    origins: Sequence[str] = ()  # allowed besides our own, such as https://play.example
    shows_metrics: bool = False  # to everybody, not only to this machine
    metrics: Metrics = field(default_factory=Metrics)
    clock: Callable[[], float] = time.monotonic
    _buckets: dict[Limit, _Buckets] = field(default_factory=dict)
    _open: Counter[str] = field(default_factory=Counter)
    _known: dict[bytes, str] = field(default_factory=dict)  # people, by the hash of their token

    @property
    def crowd(self) -> Crowd:
        """Counts the connections of each address, but not those of trusted proxies."""
        proxies = _TrustedHosts([*self.trusted])
        return Crowd(is_free=proxies.__contains__) if self.is_limited else NOBODY

    def know(self, token: str, person: str) -> None:
        """Somebody has shown this token, and it is theirs."""
        self._known.pop(hashed(token), None)
        self._known[hashed(token)] = person
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]  # the address that came longest ago

    def person(self, scope: Scope) -> str | None:
        """The person who asks, if they were here before; without the database, which a flood would reach too."""
        token = _token(scope)
        return self._known.get(hashed(token)) if token else None

    def who(self, scope: Scope) -> str:
        """What a rate limit counts by: a person who is known, or else an address."""
        return self.person(scope) or address_of(scope)

    def take_share(self, share: Share, person: str, address: str, *, is_known: bool = True) -> None:
        """Count one of a person's; a person who is not known has nothing of their own."""
        self.take(share.most, person)
        with contextlib.suppress(LimitReached):
            if is_known:
                self.take(share.own, person)
                return
        self.take(share.rest, address)

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

    @contextlib.contextmanager
    def holding_some(self, person: str, address: str) -> Iterator[None]:
        """One of the sockets of a person who is known: a few are theirs, and of more there are only so many there."""
        has_more = self._open[f"of {person}"] >= FEW_SOCKETS
        with ExitStack() as held:
            held.enter_context(self.holding(f"of {person}", MOST_SOCKETS))
            if has_more:
                held.enter_context(self.holding(f"more at {address}", MORE_SOCKETS_THERE))
            yield

    def refuse(self, code: str) -> None:
        """Count what was refused."""
        self.metrics.refusals.labels(code).inc()
        LOG.debug("refused: %s", code)

    def check_origin(self, headers: Headers) -> None:
        """A browser says which origin a request comes from; it must be ours or allowed. Programs say nothing."""
        origin = headers.get("origin")
        if origin is None or origin in self.origins:
            return
        page = urlsplit(origin)
        port = _DEFAULT_PORTS.get(page.scheme, "")
        if not port or page.netloc.lower().removesuffix(port) != headers.get("host", "").lower().removesuffix(port):
            raise ForeignOrigin("origin/foreign", "a page of another site can't speak here")


def address_of(scope: Scope) -> str:
    """The address that is limited."""
    peer = scope.get("client")
    return network_of(peer[0] if peer else "")


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
