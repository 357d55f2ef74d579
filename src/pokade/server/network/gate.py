"""The outermost layer of the application: rate limits, origins, sizes and security headers, before all else."""

import contextlib
import logging
import re
import time
from contextlib import AbstractContextManager
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pokade.games.errors import Refused
from pokade.server.errors import TryAgain
from pokade.server.logs import log_bug
from pokade.server.network import guard
from pokade.server.network.guard import Guard, address_of

WAY_OUT: Final = "pokade.way_out"
FREE: Final = ("/healthz",)
INSIDE: Final = ("/api/", "/qr/", "/readyz", "/metrics", "/openapi.json")  # what is no page
UPLOADS: Final = ("/api/replay", "/api/verify")  # records; all that is sent elsewhere is a few words
COUNTED_ELSEWHERE: Final = ("/api/guest", *UPLOADS)
UNSAFE_METHODS: Final = frozenset(("POST", "PUT", "PATCH", "DELETE"))
_HOST: Final = re.compile(r"[A-Za-z0-9._\-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")
_STATUS_CODES: Final = {404: "http/unknown", 405: "http/method", 413: "limit/body", 400: "message/json"}
LOG: Final = logging.getLogger("pokade.server.network.gate")


def refusal(error: Refused, status: int) -> JSONResponse:
    """A person's mistake is a message with a stable code, never a stack trace."""
    headers = {"Retry-After": str(error.wait)} if isinstance(error, TryAgain) else None
    return JSONResponse({"code": error.code, "text": str(error)}, status, headers)


def code_of_status(status: int) -> str:
    """The stable code of an answer that the framework gives."""
    return _STATUS_CODES.get(status, "http/refused")


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
    """The outermost layer of the application: asks the guard, adds the headers, counts what is answered."""

    def __init__(self, app: ASGIApp, watch: Guard) -> None:
        self._guard = watch
        trusted = list(watch.trusted)
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
                bug = JSONResponse({"code": "server/bug", "text": "something went wrong here"}, 500)
                await bug(scope, receive, answer)
        self._count(scope, answer.status, time.perf_counter() - began)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            self._take(scope)
            if scope["method"] in UNSAFE_METHODS:
                self._guard.check_origin(headers)
        except Refused as error:
            await self._refused(error)(scope, receive, send)
            return
        largest = _largest(scope["path"])
        if _length(headers) > largest:
            large = Refused(code_of_status(413), "that is too large")
            self._guard.refuse(large.code)
            await refusal(large, 413)(scope, receive, send)
            return
        await self._app(scope, _bounded(receive, largest), send)

    def _take(self, scope: Scope) -> None:
        """Count a request. Files that never change are no work; what has a limit of its own is counted there."""
        path, person = scope["path"], self._guard.person(scope)
        if path in FREE or path in getattr(scope["app"].state, "served", ()):
            return
        if not path.startswith(INSIDE):
            self._guard.take(guard.PAGES, address_of(scope))
        elif person is not None:
            self._guard.take_share(guard.SHARED_REQUESTS, person, address_of(scope))
        elif path not in COUNTED_ELSEWHERE:
            self._guard.take(guard.REQUESTS_THERE, address_of(scope))

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._guard.check_origin(Headers(scope=scope))
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
            self._guard.take_share(guard.SHARED_SOCKETS, person, address)
            return contextlib.nullcontext()
        self._guard.take(guard.SOCKETS_THERE, address)
        return self._guard.holding(f"at {address}", guard.MOST_SOCKETS_THERE)

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
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers.setdefault(name, value)  # one file has a policy of its own (static.py)
        await self._send(message)


def _largest(path: str) -> int:
    """How many bytes a body may have: whatever takes words reads them on the event loop."""
    return guard.LARGEST_BODY if path in UPLOADS else guard.LARGEST_MESSAGE


def _length(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 16 else guard.LARGEST_BODY + 1


def _bounded(receive: Receive, largest: int) -> Receive:
    """A body that comes in pieces is counted while it comes."""
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > largest:
            raise HTTPException(413, "that is too large")
        return message

    return counted
