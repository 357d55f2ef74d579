"""The requests of the page, answered as `server/network/routes.py` answers them over HTTP."""

import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

import orjson

from pokade import records
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.players import CASUAL
from pokade.server.browser import said
from pokade.server.browser.limits import LEVELS, not_here, want_level
from pokade.server.errors import TableRefused
from pokade.server.hub import Hub, Room, archive
from pokade.server.hub.opening import listed, opened
from pokade.server.hub.played import found_in, played_by, sums
from pokade.server.judge.judge import Question, answered
from pokade.server.storage import Person
from pokade.server.table import OVER, clean_name
from pokade.server.views.frames import described
from pokade.server.views.offers import offers

DEVICE: Final = b"this device"  # instead of a token: a person who holds the device is its guest
MOST_TABLES: Final = 50  # in a list
MOST_GAMES: Final = 1000
NOT_FOUND: Final = ("table/unknown", "person/unknown", "http/unknown")


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the page: its path has parts, its query has words, and its body is bytes."""

    hub: Hub
    build: str
    parts: tuple[str, ...]
    query: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return orjson.loads(self.raw) if self.raw else {}


async def answer(hub: Hub, build: str, method: str, address: str, raw: bytes) -> tuple[int, bytes]:
    """The status and the body of the answer to a request; a refusal is a status and a code."""
    split = urlsplit(address)
    try:
        for wanted, pattern, function in ROUTES:
            if wanted == method and (match := pattern.fullmatch(split.path)):
                parts = tuple(unquote(part) for part in match.groups())
                found = await function(Request(hub, build, parts, dict(parse_qsl(split.query)), raw))
                return 200, found if isinstance(found, bytes) else orjson.dumps(found)
        raise TableRefused("http/unknown", "there is no such address")
    except Refused as error:
        status = 404 if error.code in NOT_FOUND else 409
        return status, orjson.dumps({"code": error.code, "text": str(error)})


async def _person(asked: Request) -> Person:
    """The guest of this device."""
    found = await asked.hub.storage.person_by_token(DEVICE)
    if found is None:
        raise TableRefused("person/unknown", "come in with a name first")
    return found


def _described(person: Person) -> dict[str, str]:
    return {"person": person.id, "name": person.name, "language": person.language}


async def _server(asked: Request) -> Any:
    return offers(asked.build, LEVELS)


async def _come_in(asked: Request) -> Any:
    """Enter; a device has one guest, who may come in again under another name."""
    if await asked.hub.storage.person_by_token(DEVICE) is not None:
        return await _rename(asked)
    given = said.filled(asked.body, said.GUEST)
    person = Person(secrets.token_hex(8), DEVICE, clean_name(given["name"]), given["language"])
    await asked.hub.storage.add_person(person.id, DEVICE, person.name, person.language)
    return _described(person)


async def _who_am_i(asked: Request) -> Any:
    return _described(await _person(asked))


async def _rename(asked: Request) -> Any:
    given = said.filled(asked.body, said.GUEST)
    person = replace(await _person(asked), name=clean_name(given["name"]), language=given["language"])
    await asked.hub.storage.rename(person.id, person.name, person.language)
    return _described(person)


async def _open_table(asked: Request) -> Any:
    """A table for this device alone, so it is never listed."""
    new = said.filled(asked.body, said.NEW_TABLE) | {"listed": False}
    bots, level = new.pop("bots"), new.pop("level")
    if bots >= new["seats"]:
        raise TableRefused("table/bots", "there is no seat left for a person")
    want_level(level)
    return described(await opened(asked.hub, await _person(asked), new, bots, level))


async def _quick(asked: Request) -> Any:
    wish, person, game = said.filled(asked.body, said.QUICK), await _person(asked), _game(asked)
    level = wish["level"] if wish["level"] in LEVELS else CASUAL  # a guest who likes strong bots elsewhere plays on
    seats = GAMES[game].usual_seats
    settings = {name: value for name, value in said.NEW_TABLE.items() if name not in ("bots", "level")}
    table = await opened(asked.hub, person, settings | {"game": game, "seats": seats}, seats - 1, level)
    if wish["start"]:
        await asked.hub.ask(table.id, lambda t, now: t.start(person.id, now))
    return described(table)


async def _teach(asked: Request) -> Any:
    person = await _person(asked)
    return described(await asked.hub.teach(person.id, person.name, _game(asked)))


def _game(asked: Request) -> str:
    if asked.parts[0] not in GAMES:
        raise TableRefused("table/game", f"there are {', '.join(GAMES)}")
    return asked.parts[0]


async def _open_tables(asked: Request) -> Any:
    return listed(await asked.hub.storage.listed_tables(MOST_TABLES))


async def _my_tables(asked: Request) -> Any:
    return listed(await asked.hub.storage.tables_of((await _person(asked)).id, MOST_TABLES))


async def _my_games(asked: Request) -> Any:
    person = await _person(asked)
    games = played_by(person.id, await asked.hub.storage.tables_of(person.id, MOST_GAMES))
    wish = {"game": "", "find": "", "sort": "new", "first": "0", "most": "20"} | asked.query
    wanted = found_in(games, wish["game"], wish["find"], wish["sort"])  # type: ignore[arg-type] # one of the three
    first, most = int(wish["first"]), int(wish["most"])
    return {"all": len(games), "found": len(wanted), "sums": sums(games), "games": wanted[first : first + most]}


async def _by_code(asked: Request) -> Any:
    found = await asked.hub.storage.table_by_code(asked.parts[0].upper())
    if found is None:
        raise TableRefused("table/unknown", "there is no table with this code")
    return listed([found])[0]


async def _one_table(asked: Request) -> Any:
    return described((await asked.hub.room(asked.parts[0])).table)


async def _record_of(asked: Request) -> Any:
    """The record: full after the end; before it as a watcher may have it, and only where memory is not strict."""
    room = await asked.hub.room(asked.parts[0])
    return _written(room, archive.view_for(room.table, (await _person(asked)).id))


def _written(room: Room, view: str) -> bytes:
    if room.record:
        return room.record.encode()
    table, play = room.table, room.table.play
    assert play is not None  # noqa: S101 - asked only for a game that has begun
    how = {"notes": table.notes, "proof": archive.proof(table), "is_closed": table.status == OVER}
    return records.write(play, [place.name for place in table.seats], view=view, **how).encode()  # type: ignore[arg-type]


async def _replay_of(asked: Request) -> Any:
    return _judged(asked, "replay", await _finished(asked))


async def _verify_table(asked: Request) -> Any:
    return _judged(asked, "verify", await _finished(asked))


async def _finished(asked: Request) -> bytes:
    room = await asked.hub.room(asked.parts[0])
    archive.check_over(room.table)
    return _written(room, records.FULL)


async def _replay(asked: Request) -> Any:
    return _judged(asked, "replay", asked.raw)


async def _verify(asked: Request) -> Any:
    return _judged(asked, "verify", asked.raw)


def _judged(asked: Request, do: str, record: bytes) -> bytes:
    """The judge's own answers, without a process around it: here nobody else waits."""
    query: dict[str, Any] = dict(asked.query)
    words = {"eyes": "all", "first": 0, "most": 500} if do == "replay" else {"shown": ""}
    words |= {name: int(query[name]) if name in ("first", "most") else query[name] for name in words if name in query}
    if "language" in query:
        words["language"] = query["language"]
    return answered(Question(do, words, record))


async def _not_here(_: Request) -> Any:
    raise not_here()


def _route(method: str, path: str, function: Callable[[Request], Awaitable[Any]]) -> Any:
    return method, re.compile(re.sub(r"\{\w+\}", "([^/]+)", path)), function


ROUTES: Final = tuple(
    _route(*row)
    for row in (
        ("GET", "/api/server", _server),
        ("POST", "/api/guest", _come_in),
        ("GET", "/api/me", _who_am_i),
        ("PATCH", "/api/me", _rename),
        ("POST", "/api/tables", _open_table),
        ("GET", "/api/tables", _open_tables),
        ("GET", "/api/tables/{table}", _one_table),
        ("POST", "/api/quick/{game}", _quick),
        ("POST", "/api/lesson/{game}", _teach),
        ("GET", "/api/mine", _my_tables),
        ("GET", "/api/played", _my_games),
        ("GET", "/api/join/{code}", _by_code),
        ("GET", "/api/tables/{table}/record", _record_of),
        ("GET", "/api/tables/{table}/replay", _replay_of),
        ("POST", "/api/replay", _replay),
        ("GET", "/api/tables/{table}/verify", _verify_table),
        ("POST", "/api/verify", _verify),
        ("GET", "/api/problem", _not_here),  # its positions are packed in a way that Python in a browser lacks
        ("POST", "/api/handover", _not_here),
        ("POST", "/api/handover/{ticket}", _not_here),
        ("GET", "/api/tables/{table}/picture", _not_here),
        ("GET", "/api/tables/{table}/analysis", _not_here),
    )
)
