"""The WebSocket of a client at a table: frames out, messages in."""

import asyncio
import contextlib
import re
import secrets
import types
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, Final

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.types import Send

from pokade.games.errors import Refused
from pokade.server.errors import LimitReached, OldClient, TableRefused
from pokade.server.hub import Hub, Listener
from pokade.server.hub.codec import packed
from pokade.server.hub.handlers import handle
from pokade.server.logs import log_bug
from pokade.server.network import guard
from pokade.server.network.gate import way_out
from pokade.server.network.guard import Guard, address_of
from pokade.server.network.messages.said import SAID, Chat, Choose, Next, Ping, Rematch
from pokade.server.network.people import COOKIE, known, known_by
from pokade.server.storage import StorageError
from pokade.server.views.frames import Frame

GONE: Final = (OSError, RuntimeError, WebSocketDisconnect)  # what uvicorn raises when a client is gone
HAS_SEALED: Final = "choice/changes"  # to count this refusal would tell that somebody has chosen
PONG: Final = packed({"kind": "pong"})
_LAST: Final = re.compile(r"(-?\d):(\d{1,9})")
_LASTS: Final = re.compile(r"(-?\d:\d{1,9},?){1,9}", re.ASCII)


class Outbox:
    """The way out to a client. A frame leaves at once as long as its reader keeps up; the others wait for a task.

    One frame too many that waits, and the reader counts as too slow, at that moment.
    """

    __slots__ = ("_reader", "_send", "_waiting", "_writer", "is_over")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: deque[bytes] = deque()
        self._writer: asyncio.Task[None] | None = None
        self._reader: asyncio.Task[Any] | None = None  # while it waits for what the client says
        self.is_over = False

    def put_nowait(self, frame: bytes) -> None:
        """Send, or give up this reader."""
        if self._writer is None:
            self._begin(frame)
        elif len(self._waiting) < guard.WAITING:
            self._waiting.append(frame)
        else:
            self._give_up()
            raise asyncio.QueueFull

    def answer(self, code: str, text: str) -> None:
        """An error for this client alone; a client that sends without reading is given up too."""
        with contextlib.suppress(asyncio.QueueFull):
            self.put_nowait(packed(_answer(code, text)))

    async def until_over(self, receive: Callable[[], Awaitable[Any]]) -> Any:
        """What the client says next; None once it is too slow. Only the waiting is cut short, never the work."""
        if self.is_over:
            return None
        self._reader = reader = asyncio.current_task()
        try:
            return await receive()
        except asyncio.CancelledError:
            if not self.is_over or reader is None or reader.uncancel() > 0:
                raise
            return None
        finally:
            self._reader = None

    def close(self) -> None:
        """Send nothing more."""
        if self._writer is not None:
            self._writer.cancel()

    def _begin(self, frame: bytes) -> None:
        """Send without a task, up to where it has to wait: as a rule it never does."""
        steps = self._send({"type": "websocket.send", "bytes": frame}).__await__()
        try:
            first = next(steps)
        except (StopIteration, *GONE):
            return  # done; or gone, which reading from the socket notices
        self._writer = asyncio.create_task(self._write(_rest(steps, first)))

    async def _write(self, rest: Awaitable[None]) -> None:
        with contextlib.suppress(*GONE):
            await rest
            while self._waiting:
                await self._send({"type": "websocket.send", "bytes": self._waiting.popleft()})
            self._writer = None

    def _give_up(self) -> None:
        self.is_over = True
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None


@types.coroutine
def _rest(steps: Generator[Any, Any, None], first: Any) -> Generator[Any, Any, None]:
    """What is left of some work that waits for `first`."""
    try:
        yield first
    except BaseException as error:  # cancelled while it waited
        steps.throw(error)
        raise
    yield from steps


@dataclass(slots=True)
class Visit:
    """One client at one table."""

    socket: WebSocket
    hub: Hub
    watch: Guard
    table: str
    person: str
    outbox: Outbox
    owner: str | None  # whose limits count: the person behind the cookie, also where they only watch
    address: str
    warnings: int = 0  # messages over the limit

    async def listen(self) -> None:
        """Read until the client goes, is too slow, or doesn't stop when told to."""
        while self.warnings <= guard.MOST_WARNINGS:
            message = await self.outbox.until_over(self.socket.receive)
            if message is None:
                return
            if message["type"] == "websocket.disconnect":
                self._count_close(message.get("code"))
                raise WebSocketDisconnect(message.get("code") or 1005)
            await self._handle(message.get("text"))

    def _count_close(self, code: int | None) -> None:
        """Frames that the protocol layer refuses close the socket before anyone here sees them."""
        if code == guard.TOO_LARGE:
            self.watch.refuse("message/large")
        elif code == guard.NO_TEXT:
            self.watch.refuse("message/bytes")

    async def _handle(self, raw: str | None) -> None:
        """Do what a client says, or answer why not."""
        try:
            await self._do(raw)
        except ValidationError as error:
            self._refuse(_code_of(error), "this is no message of the protocol")
        except LimitReached as error:
            self.warnings += 1
            self._refuse(error.code, str(error), is_counted=False)
        except Refused as error:
            self._refuse(error.code, str(error))
        except StorageError as error:
            self._refuse(error.code, "the server can't store anything now", is_counted=False)
        except Exception as error:  # a bug ends neither the socket nor the table
            log_bug(error)
            self._refuse("server/bug", "something went wrong here", is_counted=False)

    async def _do(self, raw: str | None) -> None:
        who, is_known = self.owner or self.person, self.owner is not None
        self.watch.take_share(guard.SHARED_MESSAGES, who, self.address, is_known=is_known)
        if raw is None:
            raise TableRefused("message/bytes", "messages are text")
        if len(raw) > guard.LARGEST_MESSAGE or len(raw.encode()) > guard.LARGEST_MESSAGE:
            raise TableRefused("message/large", f"a message has at most {guard.LARGEST_MESSAGE} bytes")
        said = _understood(raw)
        if isinstance(said, Ping):
            self.outbox.put_nowait(PONG)
            return
        self._take(said)
        await handle(self.hub, self.table, self.person, said)
        if not isinstance(said, Choose):  # a sealed choice is counted with its reveal
            self.watch.metrics.actions[said.do] += 1

    def _take(self, said: Any) -> None:
        """Count what costs more than other messages."""
        who = self.owner or self.person
        if isinstance(said, Chat):
            self.watch.take(guard.CHATS, who)
        elif not isinstance(said, Choose | Next):
            self.watch.take(guard.CHANGES, who)
        if isinstance(said, Rematch):
            self.watch.take_share(guard.SHARED_TABLES, who, self.address)

    def _refuse(self, code: str, text: str, *, is_counted: bool = True) -> None:
        """Answer with a code; a client that is refused too often is only told that, and then no more."""
        try:
            if is_counted:
                self.watch.take(guard.REFUSALS, self.owner or self.person)
        except LimitReached as error:
            self.warnings += 1
            code, text = error.code, str(error)
        if code != HAS_SEALED:
            self.watch.refuse(code)
        self.outbox.answer(code, text)


async def play_at(socket: WebSocket) -> None:
    """One client at one table: frames out, messages in."""
    hub, watch, table = socket.app.state.hub, socket.app.state.guard, socket.path_params["table"]
    await socket.accept()
    try:
        guest, address = await _guest(socket), address_of(socket.scope)
        person = guest or f"watcher {secrets.token_hex(8)}"
        owner = guest or watch.person(socket.scope)  # a watcher with a cookie is counted by it too
        visit = Visit(socket, hub, watch, known(table), person, Outbox(way_out(socket.scope)), owner, address)
        with watch.holding_some(owner or person, address):
            _want_build(socket)
            listener = await hub.listen(table, visit.person, visit.outbox, _last(socket))
            # A task of its own: else every message would wake all the layers of the framework above this one.
            await asyncio.create_task(_stay(visit, listener))
    except OldClient as error:
        watch.refuse(error.code)
        await _close(socket, guard.OLD_CLIENT, error.code, _answer(error.code, str(error)))
    except StorageError as error:
        watch.refuse(error.code)
        await _close(
            socket, guard.TRY_AGAIN_LATER, error.code, _answer(error.code, "the server can't read anything now")
        )
    except Refused as error:
        watch.refuse(error.code)
        await _close(socket, guard.POLICY_VIOLATION, error.code, _answer(error.code, str(error)))


_understood: Final = SAID.validator.validate_json  # what TypeAdapter calls, without its questions


def _want_build(socket: WebSocket) -> None:
    """A page says which build it is of; programs say nothing."""
    given = socket.query_params.get("build")
    if given is not None and given != socket.app.state.build:
        raise OldClient("client/old", "there is a newer page: reload it, nothing is lost")


async def _guest(socket: WebSocket) -> str | None:
    """The person behind the cookie. A screen that several people see asks to be a watcher, whatever its cookie."""
    if socket.query_params.get("as") == "watcher":
        return None
    token = socket.cookies.get(COOKIE)
    found = await known_by(socket.app.state.hub.storage, token)
    if found is None:
        return None
    socket.app.state.guard.know(str(token), found.id)
    return found.id


def _last(socket: WebSocket) -> dict[int, int]:
    """The number of the last frame that the client has of each viewer it is: `0:12,2:9`."""
    given = socket.query_params.get("last", "")
    return {int(viewer): int(n) for viewer, n in _LAST.findall(given)} if _LASTS.fullmatch(given) else {}


async def _stay(visit: Visit, listener: Listener) -> None:
    try:
        await visit.listen()
    except (WebSocketDisconnect, RuntimeError):
        return  # gone: the table notices below
    finally:
        visit.outbox.close()
        await visit.hub.unlisten(visit.table, listener)
    if visit.outbox.is_over:
        visit.watch.metrics.drops.inc()
        await _close(visit.socket, guard.TRY_AGAIN_LATER, "limit/slow")
    else:
        await _close(visit.socket, guard.POLICY_VIOLATION, "limit/messages")


async def _close(socket: WebSocket, code: int, reason: str, *last: Frame) -> None:
    """Close with a code, so that the client knows whether to come back. It has a moment to take it."""
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        async with asyncio.timeout(guard.CLOSE_SECONDS):
            for frame in last:
                await socket.send_bytes(packed(frame))
            await socket.close(code, reason)


def _answer(code: str, text: str) -> Frame:
    return {"kind": "error", "code": code, "text": text}


def _code_of(error: ValidationError) -> str:
    kind = error.errors(include_url=False, include_context=False, include_input=False)[0]["type"]
    return {"json_invalid": "message/json", "union_tag_invalid": "message/unknown"}.get(kind, "message/form")
