"""The house on the network: HTTP for coming in and finding tables, a WebSocket for playing at one."""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Annotated, Any, Final

import orjson
from fastapi import Cookie, FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import ValidationError

from pokade import records
from pokade.fairness import proof_of
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.server import events, messages
from pokade.server.events import Event
from pokade.server.frames import Frame, described
from pokade.server.hub import Ask, Hub, Pace
from pokade.server.messages import SAID, Guest, NewTable
from pokade.server.storage import Found, Person, Storage, open_storage
from pokade.server.table import HOUSE, OVER, Table, TableRefused

COOKIE: Final = "pokade"
A_YEAR: Final = 365 * 86_400
WAITING: Final = 256  # batches of frames that a slow reader may fall behind
LARGEST: Final = 4096  # bytes of a message
MOST_TABLES: Final = 50  # in a list
BOT_NAMES: Final = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gwen", "Hugo")
NOT_FOUND: Final = ("table/unknown", "person/unknown")
Token = Annotated[str | None, Cookie(alias=COOKIE)]


def house(url: str, *, pace: Pace | None = None) -> FastAPI:
    """The application over one storage."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        storage = await open_storage(url)
        await storage.migrate()
        hub = Hub(storage, pace=pace)
        app.state.hub = hub
        try:
            yield
        finally:
            await hub.close()
            await storage.close()

    app = FastAPI(title="Pokade", lifespan=lifespan)
    app.add_exception_handler(Refused, _refused)
    for method, path, function in ROUTES:
        app.add_api_route(path, function, methods=[method])
    app.add_api_websocket_route("/ws/{table}", play_at)
    return app


async def _refused(request: Request, error: Exception) -> JSONResponse:
    """A person's mistake is a message with a stable code, never a stack trace."""
    code = getattr(error, "code", "refused")
    return JSONResponse({"code": code, "text": str(error)}, 404 if code in NOT_FOUND else 409)


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


async def come_in(request: Request, response: Response, guest: Guest) -> dict[str, str]:
    """Enter as a guest: no account, a device token in a cookie."""
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
    table = await hub.create(person.id, new.model_dump())
    await hub.ask(table.id, lambda t, now: t.sit(person.id, person.name, now))
    return described(table)


async def quick(request: Request, game: str, token: Token = None) -> Frame:
    """One tap: a table against bots that has begun."""
    hub = _hub(request)
    person = await _person(hub.storage, token)
    if game not in GAMES:
        raise TableRefused("table/game", f"there are {', '.join(GAMES)}")
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
    found = await _hub(request).storage.table_by_code(code.upper())
    if found is None:
        raise TableRefused("table/unknown", "there is no table with this code")
    return _listed([found])[0]


async def record_of(request: Request, table: str, token: Token = None) -> PlainTextResponse:
    """The record: full after the end; before it through one's own eyes, and only where memory is not strict."""
    hub = _hub(request)
    found = (await hub.room(table)).table
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


async def healthy() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


async def ready(request: Request) -> dict[str, str]:
    """The database answers too."""
    await _hub(request).storage.ping()
    return {"status": "ready"}


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
)


async def play_at(socket: WebSocket, table: str) -> None:
    """One client at one table: frames out, messages in."""
    hub: Hub = socket.app.state.hub
    await socket.accept()
    try:
        token = socket.cookies.get(COOKIE)
        found = await hub.storage.person_by_token(_hash(token)) if token else None
        person = found.id if found is not None else f"watcher {secrets.token_hex(8)}"
        queue: asyncio.Queue[list[Frame]] = asyncio.Queue(WAITING)
        listener = await hub.listen(table, person, queue)
    except Refused as error:
        await socket.send_bytes(_packed(_answer(error.code, str(error))))
        await socket.close()
        return
    writer = asyncio.create_task(_write(socket, queue))
    try:
        while not listener.is_dropped:
            await _heed(hub, table, person, await socket.receive_text(), queue)
    except (WebSocketDisconnect, RuntimeError):
        pass  # gone: the table notices below
    finally:
        writer.cancel()
        await hub.unlisten(table, listener)


async def _write(socket: WebSocket, queue: asyncio.Queue[list[Frame]]) -> None:
    while True:
        for frame in await queue.get():
            await socket.send_bytes(_packed(frame))


def _packed(frame: Frame) -> bytes:
    return orjson.dumps(frame)


def _answer(code: str, text: str) -> Frame:
    return {"kind": "error", "code": code, "text": text}


async def _heed(hub: Hub, table: str, person: str, raw: str, queue: asyncio.Queue[list[Frame]]) -> None:
    """Do what a client says, or answer why not."""
    try:
        if len(raw) > LARGEST:
            raise TableRefused("message/large", f"a message has at most {LARGEST} bytes")
        said = SAID.validate_json(raw)
        if isinstance(said, messages.Next):
            await hub.tap_next(table, person)
        else:
            await hub.ask(table, _question(person, said))
    except ValidationError:
        await queue.put([_answer("message/form", "this is no message of the protocol")])
    except Refused as error:
        await queue.put([_answer(error.code, str(error))])


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
