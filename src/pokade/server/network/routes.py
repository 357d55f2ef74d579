"""What the server answers over HTTP: coming in, finding and opening tables, records, replays and proofs."""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Annotated, Any, Final

import orjson
from fastapi import Path, Query, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import BeforeValidator
from starlette.exceptions import HTTPException

from pokade.games import GAMES
from pokade.games.game import Game
from pokade.server.errors import TableRefused
from pokade.server.hub import Hub
from pokade.server.hub.opening import listed, opened
from pokade.server.hub.played import Sort, found_in, played_by, sums
from pokade.server.network import guard
from pokade.server.network.asking import Token, asking, guard_of, hub_of
from pokade.server.network.guard import address_of, is_this_machine
from pokade.server.network.judged import analysis_of, picture_of, record_of, replay, replay_of, verify, verify_table
from pokade.server.network.messages.said import Guest, NewTable, Quick
from pokade.server.network.people import COOKIE, hashed, is_word, known, the_person
from pokade.server.network.problems import problem_shown
from pokade.server.storage import Person
from pokade.server.table import Table, clean_name
from pokade.server.views.frames import Frame, described
from pokade.server.views.offers import offers

A_YEAR: Final = 365 * 86_400
MOST_TABLES: Final = 50  # in a list
MOST_GAMES: Final = 1000  # of a person that are looked through
TICKET_SECONDS: Final = 600.0


def _written(day: str) -> date:
    """A day as it is written, and not as a number of seconds, which pydantic would take too."""
    found = date.fromisoformat(day)
    if found.isoformat() != day:
        raise ValueError("a day is written as 2026-11-18")
    return found


Day = Annotated[date, BeforeValidator(_written), Query(alias="date", description="a day such as 2026-11-18")]
MaybeGame = Annotated[str, Query(pattern=f"^({'|'.join(GAMES)})?$", description="only this one")]
Played = Annotated[str, Path(json_schema_extra={"enum": list(GAMES)})]


def _allow_table(request: Request, person: Person) -> None:
    guard_of(request).take_share(guard.SHARED_TABLES, person.id, address_of(request.scope))


# Coming in.


async def the_server(request: Request) -> Frame:
    """What is played here, and how; all that a client must know to offer tables."""
    return offers(request.app.state.build)


async def come_in(request: Request, response: Response, guest: Guest) -> Frame:
    """Enter as a guest: no account, a device token in a cookie."""
    guard_of(request).take(guard.GUESTS, address_of(request.scope))
    person, token = secrets.token_hex(8), secrets.token_urlsafe(24)
    kept = Person(person, hashed(token), clean_name(guest.name), guest.language)
    await hub_of(request).storage.add_person(kept.id, kept.token_hash, kept.name, kept.language)
    _remember(request, response, token, kept.id)
    return _described(kept)


def _remember(request: Request, response: Response, token: str, person: str) -> None:
    guard_of(request).know(token, person)
    is_tls = request.url.scheme == "https"
    response.set_cookie(COOKIE, token, max_age=A_YEAR, httponly=True, samesite="lax", secure=is_tls)


async def who_am_i(request: Request, token: Token = None) -> Frame:
    """The person behind the cookie."""
    return _described(await asking(request, token))


async def rename(request: Request, guest: Guest, token: Token = None) -> Frame:
    """Change your name and language, for the tables to come."""
    person = replace(await asking(request, token), name=clean_name(guest.name), language=guest.language)
    await hub_of(request).storage.rename(person.id, person.name, person.language)
    return _described(person)


def _described(person: Person) -> Frame:
    return {"person": person.id, "name": person.name, "language": person.language}


async def hand_over(request: Request, token: Token = None) -> Frame:
    """A ticket, for a link or a QR code, with which another device takes your seats; it is good for one device."""
    person = await asking(request, token)
    guard_of(request).take(guard.TICKETS, person.id)
    ticket, expires = secrets.token_hex(16), time.time() + TICKET_SECONDS
    await hub_of(request).storage.add_ticket(hashed(ticket), orjson.dumps(_described(person)), expires)
    return {"ticket": ticket, "expires": expires}


async def take_over(request: Request, response: Response, ticket: str) -> Frame:
    """Another device of the same person: it gets a token of its own."""
    guard_of(request).take(guard.GUESTS, address_of(request.scope))
    storage = hub_of(request).storage
    body = await storage.take_ticket(hashed(ticket), time.time()) if is_word(ticket) else None
    if body is None:
        raise TableRefused("ticket/unknown", "this link was used already, or is too old")
    token = secrets.token_urlsafe(24)
    await storage.add_device(orjson.loads(body)["person"], hashed(token))
    person = await the_person(storage, token)
    _remember(request, response, token, person.id)
    return _described(person)


# Tables.


async def open_table(request: Request, new: NewTable, token: Token = None) -> Frame:
    """Open a table and sit down as its host; the last seats may be bots."""
    person = await asking(request, token)
    if new.bots >= new.seats:
        raise TableRefused("table/bots", "there is no seat left for a person")
    _allow_table(request, person)
    return described(await _opened(hub_of(request), person, new))


async def _opened(hub: Hub, person: Person, new: NewTable) -> Table:
    return await opened(hub, person, new.model_dump(exclude={"bots", "level"}), new.bots, new.level)


async def quick(request: Request, game: Played, wish: Quick | None = None, token: Token = None) -> Frame:
    """One tap: a table against bots, which has begun unless you want to add salt first."""
    hub, person = hub_of(request), await asking(request, token)
    seats = _played_here(game).usual_seats
    _allow_table(request, person)
    wish = wish or Quick()
    table = await _opened(hub, person, NewTable(game=game, seats=seats, bots=seats - 1, level=wish.level))
    if wish.start:
        await hub.ask(table.id, lambda t, now: t.start(person.id, now))
    return described(table)


async def teach(request: Request, game: Played, token: Token = None) -> Frame:
    """A guided first game: a table with given dice, given rivals and sentences between."""
    person = await asking(request, token)
    _played_here(game)
    _allow_table(request, person)
    return described(await hub_of(request).teach(person.id, person.name, game))


def _played_here(game: str) -> Game:
    if game not in GAMES:
        raise TableRefused("table/game", f"there are {', '.join(GAMES)}")
    return GAMES[game]


async def open_tables(request: Request) -> list[Frame]:
    """Tables that anyone may join or watch."""
    return listed(await hub_of(request).storage.listed_tables(MOST_TABLES))


async def my_tables(request: Request, token: Token = None) -> list[Frame]:
    """The tables where you sit or sat."""
    person = await asking(request, token)
    return listed(await hub_of(request).storage.tables_of(person.id, MOST_TABLES))


async def my_games(
    request: Request,
    game: MaybeGame = "",
    find: Annotated[str, Query(max_length=32, description="letters of somebody's name")] = "",
    sort: Sort = "new",
    first: Annotated[int, Query(ge=0, le=MOST_GAMES)] = 0,
    most: Annotated[int, Query(ge=1, le=MOST_TABLES)] = 20,
    token: Token = None,
) -> Frame:
    """The finished games of the person behind the cookie, a page at a time, and what they come to; the latest 1000."""
    person = await asking(request, token)
    tables = await hub_of(request).storage.tables_of(person.id, MOST_GAMES)

    def answer() -> Frame:
        games = played_by(person.id, tables)
        wanted = found_in(games, game, find, sort)
        return {"all": len(games), "found": len(wanted), "sums": sums(games), "games": wanted[first : first + most]}

    return await asyncio.to_thread(answer)


async def by_code(request: Request, code: str) -> Frame:
    """The table behind a join code."""
    found = await hub_of(request).storage.table_by_code(code.upper()) if is_word(code) else None
    if found is None:
        raise TableRefused("table/unknown", "there is no table with this code")
    return listed([found])[0]


async def one_table(request: Request, table: str) -> Frame:
    """What everybody may know of a table besides its game."""
    return described((await hub_of(request).room(known(table))).table)


async def problem(request: Request, day: Day, game: MaybeGame = "") -> Frame:
    """The position of a day: of a game, or of the one whose turn it is. It is the same on every server."""
    guard_of(request).take(guard.REPLAYS, guard_of(request).who(request.scope))
    return await asyncio.to_thread(problem_shown, GAMES.get(game), day)


# The server itself.


async def healthy() -> Frame:
    """The process answers."""
    return {"status": "ok"}


async def ready(request: Request) -> Frame:
    """The database answers too."""
    await hub_of(request).storage.ping()
    return {"status": "ready"}


async def metrics(request: Request) -> PlainTextResponse:
    """Numbers for Prometheus; for this machine only, unless a setting says otherwise."""
    watch = guard_of(request)
    if not watch.shows_metrics and not is_this_machine(request.scope):
        raise HTTPException(404, "Not Found")
    return PlainTextResponse(watch.metrics.shown(), media_type="text/plain; version=0.0.4")


ROUTES: Final[tuple[tuple[str, str, Callable[..., Any]], ...]] = (
    ("GET", "/api/server", the_server),
    ("POST", "/api/guest", come_in),
    ("GET", "/api/me", who_am_i),
    ("PATCH", "/api/me", rename),
    ("POST", "/api/handover", hand_over),
    ("POST", "/api/handover/{ticket}", take_over),
    ("POST", "/api/tables", open_table),
    ("GET", "/api/tables", open_tables),
    ("GET", "/api/tables/{table}", one_table),
    ("POST", "/api/quick/{game}", quick),
    ("POST", "/api/lesson/{game}", teach),
    ("GET", "/api/mine", my_tables),
    ("GET", "/api/played", my_games),
    ("GET", "/api/join/{code}", by_code),
    ("GET", "/api/tables/{table}/record", record_of),
    ("GET", "/api/tables/{table}/replay", replay_of),
    ("GET", "/api/tables/{table}/picture", picture_of),
    ("GET", "/api/tables/{table}/analysis", analysis_of),
    ("GET", "/api/problem", problem),
    ("POST", "/api/replay", replay),
    ("GET", "/api/tables/{table}/verify", verify_table),
    ("POST", "/api/verify", verify),
    ("GET", "/healthz", healthy),
    ("GET", "/readyz", ready),
    ("GET", "/metrics", metrics),
)
