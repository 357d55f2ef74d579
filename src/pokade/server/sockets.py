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
from pokade.server import guard, messages, newcomers
from pokade.server.events import Event
from pokade.server.frames import Frame, packed
from pokade.server.guard import Guard, LimitReached
from pokade.server.hub import Ask, Hub, Listener
from pokade.server.messages import SAID
from pokade.server.people import COOKIE, known, known_by
from pokade.server.storage import StorageError
from pokade.server.table import ON, Table, TableRefused

GONE: Final = (OSError, RuntimeError, WebSocketDisconnect)  # what a server raises at one who is no longer there
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
        """An error for this client alone; one who sends without reading is given up too."""
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
            return  # done; or gone, which whoever reads from the socket notices
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
            await self._heed(message.get("text"))

    def _count_close(self, code: int | None) -> None:
        """Frames that the protocol layer refuses close the socket before anyone here sees them."""
        if code == guard.TOO_LARGE:
            self.watch.refuse("message/large")
        elif code == guard.NO_TEXT:
            self.watch.refuse("message/bytes")

    async def _heed(self, raw: str | None) -> None:
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
            self._refuse(error.code, "the house can't keep anything now", is_counted=False)
        except Exception as error:  # a bug ends neither the socket nor the table
            guard.log_bug(error)
            self._refuse("house/bug", "something went wrong here", is_counted=False)

    async def _do(self, raw: str | None) -> None:
        self.watch.take(guard.MESSAGES, self.person)
        if raw is None:
            raise TableRefused("message/bytes", "messages are text")
        if len(raw) > guard.LARGEST_MESSAGE or len(raw.encode()) > guard.LARGEST_MESSAGE:
            raise TableRefused("message/large", f"a message has at most {guard.LARGEST_MESSAGE} bytes")
        said = _understood(raw)
        if isinstance(said, messages.Ping):
            self.outbox.put_nowait(PONG)
            return
        if isinstance(said, messages.Chat):
            self.watch.take(guard.CHATS, self.person)
        if isinstance(said, messages.Next):
            await self.hub.tap_next(self.table, self.person)
        elif isinstance(said, messages.Rematch):
            self.watch.take_table(self.person, self.socket.scope)
            await self.hub.rematch(self.table, self.person, said.options, said.game)
        elif isinstance(said, messages.Pause):
            await self.hub.pause(self.table, self.person, said.paused)
        else:
            await self.hub.ask(self.table, _question(self.person, said))
        if not isinstance(said, messages.Choose):  # a sealed choice is counted with its reveal
            self.watch.metrics.actions[said.do] += 1

    def _refuse(self, code: str, text: str, *, is_counted: bool = True) -> None:
        """Answer with a code; one who is refused too often is only told that, and then no more."""
        try:
            if is_counted:
                self.watch.take(guard.REFUSALS, self.person)
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
        visit = Visit(socket, hub, watch, known(table), await _visitor(socket), Outbox(guard.way_out(socket.scope)))
        owner = watch.person(socket.scope) or visit.person  # who watches with a cookie is counted by it too
        with watch.holding(f"of {owner}", guard.MOST_SOCKETS):
            _want_build(socket)
            listener = await hub.listen(table, visit.person, visit.outbox, _last(socket))
            # A task of its own: else every message would wake all the layers of the framework above this one.
            await asyncio.create_task(_stay(visit, listener))
    except OldClient as error:
        watch.refuse(error.code)
        await _part(socket, guard.OLD, error.code, _answer(error.code, str(error)))
    except StorageError as error:
        watch.refuse(error.code)
        await _part(socket, guard.SLOW, error.code, _answer(error.code, "the house can't find anything now"))
    except Refused as error:
        watch.refuse(error.code)
        await _part(socket, guard.UNWANTED, error.code, _answer(error.code, str(error)))


_understood: Final = SAID.validator.validate_json  # what TypeAdapter calls, without its questions


class OldClient(Refused):
    """A page of another build: it must load anew before it can play on."""


def _want_build(socket: WebSocket) -> None:
    """A page says which build it is of; programs say nothing."""
    given = socket.query_params.get("build")
    if given is not None and given != socket.app.state.build:
        raise OldClient("client/old", "there is a newer page: load it anew, nothing is lost")


async def _visitor(socket: WebSocket) -> str:
    """The person behind the cookie. A screen that several people see asks to be a watcher, whoever has opened it."""
    if socket.query_params.get("as") == "watcher":
        return f"watcher {secrets.token_hex(8)}"
    token = socket.cookies.get(COOKIE)
    found = await known_by(socket.app.state.hub.storage, token)
    if found is None:
        return f"watcher {secrets.token_hex(8)}"
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
        await _part(visit.socket, guard.SLOW, "limit/slow")
    else:
        await _part(visit.socket, guard.UNWANTED, "limit/messages")


async def _part(socket: WebSocket, code: int, reason: str, *last: Frame) -> None:
    """Close with a code, so that the client knows whether to come back. It has a moment to take it."""
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        async with asyncio.timeout(guard.FAREWELL):
            for frame in last:
                await socket.send_bytes(packed(frame))
            await socket.close(code, reason)


def _answer(code: str, text: str) -> Frame:
    return {"kind": "error", "code": code, "text": text}


def _code_of(error: ValidationError) -> str:
    kind = error.errors(include_url=False, include_context=False, include_input=False)[0]["type"]
    return {"json_invalid": "message/json", "union_tag_invalid": "message/unknown"}.get(kind, "message/form")


def _question(person: str, said: Any) -> Ask:
    """What a message asks of a table."""
    asked = QUESTIONS[type(said)]
    return lambda table, now: asked(table, person, said, now)


def _sit(table: Table, person: str, said: messages.Sit, now: float) -> list[Event]:
    """Before the start a free seat is taken; later a bot's is asked for."""
    if table.status == ON:
        return newcomers.ask_for(table, person, said.name, said.seat, now)
    return table.sit(person, said.name, now, said.seat)


def _leave(table: Table, person: str, _: messages.Leave, now: float) -> list[Event]:
    has_claim = newcomers.claim_of(table, person) is not None
    return newcomers.withdraw(table, person, now) if has_claim else table.leave(person, now)


m = messages
QUESTIONS: Final[dict[type[Any], Callable[[Table, str, Any, float], list[Event]]]] = {
    m.Sit: _sit,
    m.Leave: _leave,
    m.Agree: lambda t, person, said, now: newcomers.agree(t, person, said.seat, now),
    m.Dismiss: lambda t, person, said, now: newcomers.dismiss(t, person, said.seat, now),
    m.SetPace: lambda t, person, said, now: t.set_pace(person, said.pace, now),
    m.Call: lambda t, person, said, now: t.call(person, now, said.called),
    m.Ready: lambda t, person, said, now: t.ready(person, said.ready, now),
    m.SeatBot: lambda t, person, said, now: t.seat_bot(person, said.seat, said.bot, said.name, now),
    m.Remove: lambda t, person, said, now: t.remove(person, said.seat, now),
    m.Seats: lambda t, person, said, now: t.resize(person, said.seats, now),
    m.Give: lambda t, person, said, now: t.give(person, said.seat, now),
    m.Salt: lambda t, person, said, now: t.salt(person, said.seat, said.salt, now),
    m.Start: lambda t, person, _, now: t.start(person, now),
    m.Choose: lambda t, person, said, now: t.choose(person, said.seat, said.choice, said.id, now),
    m.Back: lambda t, person, _, now: t.come_back(person, now),
    m.Vote: lambda t, person, said, now: t.vote(person, now, said.vote),
    m.Chat: lambda t, person, said, now: t.speak(person, said.phrase, said.text, now),
    m.Mute: lambda t, person, said, now: t.mute(person, said.seat, said.muted, now),
}
