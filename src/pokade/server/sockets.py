"""The WebSocket of a client at a table: frames out, messages in."""

import asyncio
import contextlib
import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from pokade.games.errors import Refused
from pokade.server import guard, messages
from pokade.server.frames import Frame
from pokade.server.guard import Guard, LimitReached
from pokade.server.hub import Ask, Hub, Listener
from pokade.server.messages import SAID
from pokade.server.people import COOKIE, known, known_by
from pokade.server.storage import StorageError
from pokade.server.table import TableRefused

_LAST: Final = re.compile(r"(-?\d):(\d{1,9})")
_LASTS: Final = re.compile(r"(-?\d:\d{1,9},?){1,9}", re.ASCII)


class Outbox(asyncio.Queue[list[Frame]]):
    """What a socket has yet to send. One frame too many, and its reader counts as too slow, at that moment."""

    def __init__(self) -> None:
        super().__init__(guard.WAITING)
        self.is_over = False
        self._listening: asyncio.Timeout | None = None

    def put_nowait(self, item: list[Frame]) -> None:
        """Put, or give up this reader."""
        try:
            super().put_nowait(item)
        except asyncio.QueueFull:
            self._give_up()
            raise

    def _give_up(self) -> None:
        if self.is_over:
            return
        self.is_over = True
        if self._listening is not None:
            self._listening.reschedule(asyncio.get_running_loop().time())

    def answer(self, code: str, text: str) -> None:
        """An error for this client alone; one who sends without reading is given up too."""
        with contextlib.suppress(asyncio.QueueFull):
            self.put_nowait([_answer(code, text)])

    async def until_over(self, receive: Callable[[], Awaitable[Any]]) -> Any:
        """What the client says next; None once it is too slow. Only the waiting is cut short, never the work."""
        if self.is_over:
            return None
        try:
            async with asyncio.timeout(None) as self._listening:
                return await receive()
        except TimeoutError:
            return None
        finally:
            self._listening = None


@dataclass(slots=True)
class Visit:
    """One client at one table."""

    socket: WebSocket
    hub: Hub
    watch: Guard
    table: str
    person: str
    outbox: Outbox = field(default_factory=Outbox)
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

    async def write(self) -> None:
        """Send what is due, one frame after the other."""
        while True:
            for frame in await self.outbox.get():
                await self.socket.send_bytes(_packed(frame))

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
        said = SAID.validate_json(raw)
        if isinstance(said, messages.Chat):
            self.watch.take(guard.CHATS, self.person)
        if isinstance(said, messages.Next):
            await self.hub.tap_next(self.table, self.person)
        elif isinstance(said, messages.Rematch):
            self.watch.take(guard.TABLES, self.person)
            await self.hub.rematch(self.table, self.person, said.options)
        else:
            await self.hub.ask(self.table, _question(self.person, said))
        self.watch.metrics.actions.labels(said.do).inc()

    def _refuse(self, code: str, text: str, *, is_counted: bool = True) -> None:
        """Answer with a code; one who is refused too often is only told that, and then no more."""
        try:
            if is_counted:
                self.watch.take(guard.REFUSALS, self.person)
        except LimitReached as error:
            self.warnings += 1
            code, text = error.code, str(error)
        self.watch.refuse(code)
        self.outbox.answer(code, text)


async def play_at(socket: WebSocket, table: str) -> None:
    """One client at one table: frames out, messages in."""
    hub, watch = socket.app.state.hub, socket.app.state.guard
    await socket.accept()
    try:
        visit = Visit(socket, hub, watch, known(table), await _visitor(socket))
        with watch.holding(f"of {visit.person}", guard.MOST_SOCKETS):
            _want_build(socket)
            await _stay(visit, await hub.listen(table, visit.person, visit.outbox, _last(socket)))
    except OldClient as error:
        watch.refuse(error.code)
        await _part(socket, guard.OLD, error.code, _answer(error.code, str(error)))
    except (Refused, StorageError) as error:
        watch.refuse(error.code)
        await _part(socket, guard.UNWANTED, error.code, _answer(error.code, str(error)))


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
    found = await known_by(socket.app.state.hub.storage, socket.cookies.get(COOKIE))
    return found.id if found is not None else f"watcher {secrets.token_hex(8)}"


def _last(socket: WebSocket) -> dict[int, int]:
    """The number of the last frame that the client has of each viewer it is: `0:12,2:9`."""
    given = socket.query_params.get("last", "")
    return {int(viewer): int(n) for viewer, n in _LAST.findall(given)} if _LASTS.fullmatch(given) else {}


async def _stay(visit: Visit, listener: Listener) -> None:
    writer = asyncio.create_task(visit.write())
    try:
        await visit.listen()
    except (WebSocketDisconnect, RuntimeError):
        return  # gone: the table notices below
    finally:
        writer.cancel()
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
                await socket.send_bytes(_packed(frame))
            await socket.close(code, reason)


def _packed(frame: Frame) -> bytes:
    return orjson.dumps(frame)


def _answer(code: str, text: str) -> Frame:
    return {"kind": "error", "code": code, "text": text}


def _code_of(error: ValidationError) -> str:
    kind = error.errors(include_url=False, include_context=False, include_input=False)[0]["type"]
    return {"json_invalid": "message/json", "union_tag_invalid": "message/unknown"}.get(kind, "message/form")


def _question(person: str, said: Any) -> Ask:
    """What a message asks of a table."""
    m = messages
    questions: dict[type[Any], Ask] = {
        m.Sit: lambda t, now: t.sit(person, said.name, now, said.seat),
        m.Leave: lambda t, now: t.leave(person, now),
        m.Ready: lambda t, now: t.ready(person, said.ready, now),
        m.SeatBot: lambda t, now: t.seat_bot(person, said.seat, said.level, said.name, now),
        m.Remove: lambda t, now: t.remove(person, said.seat, now),
        m.Give: lambda t, now: t.give(person, said.seat, now),
        m.Salt: lambda t, now: t.salt(person, said.seat, said.salt, now),
        m.Start: lambda t, now: t.start(person, now),
        m.Choose: lambda t, now: t.choose(person, said.seat, said.choice, said.id, now),
        m.Back: lambda t, now: t.come_back(person, now),
        m.Pause: lambda t, now: t.pause(person, said.paused, now),
        m.Vote: lambda t, now: t.vote(person, now),
        m.Chat: lambda t, now: t.speak(person, said.phrase, said.text, now),
        m.Mute: lambda t, now: t.mute(person, said.seat, said.muted, now),
    }
    return questions[type(said)]
