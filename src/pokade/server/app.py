"""The house on the network: HTTP for coming in and finding tables, a WebSocket for playing at one."""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

import orjson
from fastapi import Cookie, FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from pokade import records
from pokade.fairness import proof_of
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.server import events, guard, messages
from pokade.server.events import Event
from pokade.server.frames import Frame, described
from pokade.server.guard import Gate, Guard, LimitReached, address_of, code_of_status, is_this_machine, refusal
from pokade.server.hub import Ask, Hub, Listener, Pace
from pokade.server.messages import SAID, Guest, NewTable
from pokade.server.storage import Found, Person, Storage, StorageError, open_storage
from pokade.server.table import HOUSE, OVER, Table, TableRefused

COOKIE: Final = "pokade"
A_YEAR: Final = 365 * 86_400
MOST_TABLES: Final = 50  # in a list
LONGEST_ID: Final = 64
BOT_NAMES: Final = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gwen", "Hugo")
NOT_FOUND: Final = ("table/unknown", "person/unknown")
TRY_AGAIN: Final = "5"  # seconds, for a database that is full or gone
Token = Annotated[str | None, Cookie(alias=COOKIE)]


def house(url: str, *, pace: Pace | None = None, watch: Guard | None = None) -> FastAPI:
    """The application over one storage. Without a guard of its own it has no limits: tests play faster than people."""
    watch = watch or Guard(is_limited=False)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        storage = watch.metrics.timed(await open_storage(url))
        await storage.migrate()
        hub = Hub(storage, pace=pace)
        await hub.attend()
        watch.metrics.watch(hub)
        app.state.hub = hub
        try:
            yield
        finally:
            await hub.close()
            await storage.close()

    # No pages about the API: they would load from elsewhere. /openapi.json is there.
    app = FastAPI(title="Pokade", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.guard = watch
    app.add_middleware(Gate, guard=watch)
    for kind, handler in HANDLERS:
        app.add_exception_handler(kind, handler)
    for method, path, function in ROUTES:
        app.add_api_route(path, function, methods=[method])
    app.add_api_websocket_route("/ws/{table}", play_at)
    return app


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)  # noqa: S101 - registered for nothing else
    _guard(request).refuse(error.code)
    limited = 429 if isinstance(error, LimitReached) else 409
    return refusal(error, 404 if error.code in NOT_FOUND else limited)


async def _no_storage(request: Request, error: Exception) -> JSONResponse:
    """The database is full or gone; nothing was acknowledged."""
    code = getattr(error, "code", "storage/gone")
    _guard(request).refuse(code)
    return JSONResponse({"code": code, "text": "the house can't keep anything now"}, 503, {"Retry-After": TRY_AGAIN})


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    """What was wrong and where, without what was sent."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for nothing else
    _guard(request).refuse("message/form")
    detail = [{key: wrong[key] for key in ("loc", "msg", "type")} for wrong in error.errors()]
    return JSONResponse({"code": "message/form", "text": "this is no such message", "detail": detail}, 422)


async def _unanswered(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for nothing else
    code = code_of_status(error.status_code)
    _guard(request).refuse(code)
    return JSONResponse({"code": code, "text": str(error.detail)}, error.status_code, error.headers)


HANDLERS: Final[tuple[tuple[type[Exception], Any], ...]] = (
    (Refused, _refused),
    (StorageError, _no_storage),
    (RequestValidationError, _malformed),
    (HTTPException, _unanswered),
)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="replace")).digest()


async def _person(storage: Storage, token: str | None) -> Person:
    found = await storage.person_by_token(_hash(token)) if token else None
    if found is None:
        raise TableRefused("person/unknown", "come in with a name first")
    return found


def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


def _guard(request: Request) -> Guard:
    watch: Guard = request.app.state.guard
    return watch


def _allow_table(request: Request, person: Person) -> None:
    _guard(request).take(guard.TABLES, person.id)
    _guard(request).take(guard.TABLES_THERE, address_of(request.scope))


async def come_in(request: Request, response: Response, guest: Guest) -> dict[str, str]:
    """Enter as a guest: no account, a device token in a cookie."""
    _guard(request).take(guard.GUESTS, address_of(request.scope))
    person, token = secrets.token_hex(8), secrets.token_urlsafe(24)
    await _hub(request).storage.add_person(person, _hash(token), guest.name, guest.language)
    is_tls = request.url.scheme == "https"
    response.set_cookie(COOKIE, token, max_age=A_YEAR, httponly=True, samesite="lax", secure=is_tls)
    return {"person": person, "name": guest.name}


async def who_am_i(request: Request, token: Token = None) -> dict[str, str]:
    """The person behind the cookie."""
    person = await _person(_hub(request).storage, token)
    return {"person": person.id, "name": person.name, "language": person.language}


async def open_table(request: Request, new: NewTable, token: Token = None) -> Frame:
    """Open a table and sit down as its host."""
    hub = _hub(request)
    person = await _person(hub.storage, token)
    _allow_table(request, person)
    table = await hub.create(person.id, new.model_dump())
    await hub.ask(table.id, lambda t, now: t.sit(person.id, person.name, now))
    return described(table)


async def quick(request: Request, game: str, token: Token = None) -> Frame:
    """One tap: a table against bots that has begun."""
    hub = _hub(request)
    person = await _person(hub.storage, token)
    if game not in GAMES:
        raise TableRefused("table/game", f"there are {', '.join(GAMES)}")
    _allow_table(request, person)
    new = NewTable(game=game, seats=GAMES[game].usual_seats)
    table = await hub.create(person.id, new.model_dump())
    await hub.ask(table.id, lambda t, now: t.sit(person.id, person.name, now))
    names = [name for name in BOT_NAMES if name != person.name]
    for seat in range(1, new.seats):
        await hub.ask(table.id, lambda t, now, s=seat: t.seat_bot(person.id, s, HOUSE, names[s - 1], now))  # type: ignore[misc]
    await hub.ask(table.id, lambda t, now: t.start(person.id, now))
    return described(table)


def _listed(found: Sequence[Found]) -> list[Frame]:
    return [{"id": f.table, "code": f.index.code, "game": f.index.game, "status": f.index.status} for f in found]


async def open_tables(request: Request) -> list[Frame]:
    """Tables that anyone may join or watch."""
    return _listed(await _hub(request).storage.listed_tables(MOST_TABLES))


async def my_tables(request: Request, token: Token = None) -> list[Frame]:
    """Where one sits or sat."""
    storage = _hub(request).storage
    return _listed(await storage.tables_of((await _person(storage, token)).id, MOST_TABLES))


async def by_code(request: Request, code: str) -> Frame:
    """The table behind a join code."""
    found = await _hub(request).storage.table_by_code(code.upper()) if _is_word(code) else None
    if found is None:
        raise TableRefused("table/unknown", "there is no table with this code")
    return _listed([found])[0]


async def record_of(request: Request, table: str, token: Token = None) -> PlainTextResponse:
    """The record: full after the end; before it through one's own eyes, and only where memory is not strict."""
    hub = _hub(request)
    found = (await hub.room(_known(table))).table
    if found.play is None:
        raise TableRefused("record/none", "no game has begun here")
    if found.is_forgetful:
        raise TableRefused("record/strict", "under strict memory there is no record before the end")
    person = await hub.storage.person_by_token(_hash(token)) if token else None
    return PlainTextResponse(_record(found, person.id if person else ""), media_type="application/toml")


def _record(table: Table, person: str) -> str:
    assert table.play is not None  # noqa: S101 - asked only for a game that has begun
    seat = table.viewers_of(person)[0]
    view = records.FULL if table.status == OVER else f"p{seat + 1}" if seat >= 0 else records.PUBLIC
    proof = proof_of(bytes.fromhex(table.secret), table.id, [place.salt for place in table.seats])
    names = [place.name for place in table.seats]
    return records.write(table.play, names, view=view, notes=table.notes, proof=proof)


def _is_word(given: str) -> bool:
    """Letters and digits: codes and ids have nothing else, and databases choke on some of the rest."""
    return given.isascii() and given.isalnum() and len(given) <= LONGEST_ID


def _known(table: str) -> str:
    if not _is_word(table):
        raise TableRefused("table/unknown", "there is no such table")
    return table


async def healthy() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


async def ready(request: Request) -> dict[str, str]:
    """The database answers too."""
    await _hub(request).storage.ping()
    return {"status": "ready"}


async def metrics(request: Request) -> PlainTextResponse:
    """Numbers for those who look after the house; for this machine only, unless a setting says otherwise."""
    watch = _guard(request)
    if not watch.shows_metrics and not is_this_machine(request.scope):
        raise HTTPException(404, "Not Found")
    return PlainTextResponse(watch.metrics.shown(), media_type="text/plain; version=0.0.4")


ROUTES: Final[tuple[tuple[str, str, Callable[..., Any]], ...]] = (
    ("POST", "/api/guest", come_in),
    ("GET", "/api/me", who_am_i),
    ("POST", "/api/tables", open_table),
    ("GET", "/api/tables", open_tables),
    ("POST", "/api/quick/{game}", quick),
    ("GET", "/api/mine", my_tables),
    ("GET", "/api/join/{code}", by_code),
    ("GET", "/api/tables/{table}/record", record_of),
    ("GET", "/healthz", healthy),
    ("GET", "/readyz", ready),
    ("GET", "/metrics", metrics),
)


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
        visit = Visit(socket, hub, watch, _known(table), await _visitor(socket))
        with watch.holding(f"of {visit.person}", guard.MOST_SOCKETS):
            await _stay(visit, await hub.listen(table, visit.person, visit.outbox, _last(socket)))
    except (Refused, StorageError) as error:
        watch.refuse(error.code)
        await _part(socket, guard.UNWANTED, error.code, _answer(error.code, str(error)))


async def _visitor(socket: WebSocket) -> str:
    token = socket.cookies.get(COOKIE)
    found = await socket.app.state.hub.storage.person_by_token(_hash(token)) if token else None
    return found.id if found is not None else f"watcher {secrets.token_hex(8)}"


def _last(socket: WebSocket) -> int:
    """The number of the last frame that the client has, if it comes back."""
    given = socket.query_params.get("last", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0


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
        m.Chat: lambda t, now: _chat(t, person, said.text, now),
    }
    return questions[type(said)]


def _chat(table: Table, person: str, text: str, now: float) -> list[Event]:
    seats = [place for place in table.seats if place.person == person]
    if not seats:
        raise TableRefused("chat/watcher", "only those who sit at the table can speak")
    line = "".join(c for c in text if c.isprintable()).strip()
    return [Event(events.CHAT, now, {"name": seats[0].name, "text": line})] if line else []
