"""Records, replays, proofs and pictures over HTTP: the judge makes them, one after the other for each address."""

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from typing import Annotated, Final, Literal

from fastapi import Query, Request, Response
from starlette.types import Receive, Scope, Send

from pokade.games.errors import BadRecord
from pokade.server.errors import TableRefused
from pokade.server.hub import Room, archive
from pokade.server.judge.judge import Question, game_of
from pokade.server.network import guard
from pokade.server.network.asking import Token, analysing_of, guard_of, hub_of, judging_of
from pokade.server.network.guard import address_of
from pokade.server.network.openapi import PICTURE
from pokade.server.network.people import known, known_by
from pokade.server.table import OVER, Table
from pokade.server.views.frames import Frame
from pokade.server.views.replays import ALL, refusal
from pokade.texts import Language

MOST_STEPS: Final = 1000  # of a replay at a time
MOST_PICTURES: Final = 64  # that are kept, of a tenth of a megabyte each
A_WEEK: Final = 7 * 86_400
Eyes = Annotated[str, Query(max_length=8, description="all, public, or a seat such as p1")]
First = Annotated[int, Query(ge=0, le=1_000_000, description="the first action to show; 0 is the beginning")]
Most = Annotated[int, Query(ge=1, le=MOST_STEPS)]
Said = Annotated[Language, Query(description="the language in which it is said what is wrong with a record")]
Form = Literal["wide", "square"]
Shown = Annotated[str, Query(max_length=64, description="the commitment that somebody saw before the game")]


async def record_of(request: Request, table: str, token: Token = None) -> Response:
    """The record: full after the end; before it from your own point of view, and only where memory is not strict."""
    hub = hub_of(request)
    room = await hub.room(known(table))
    person = await known_by(hub.storage, token)
    archive.view_for(room.table, person.id if person else "")  # refused before anybody waits

    async def question() -> Question:
        return _question("write", {}, room, person.id if person else "")

    return await _judged(request, question, "application/toml")


def _question(do: str, words: Frame, room: Room, person: str) -> Question:
    """About a game of a table, or about its record where that is all that is left."""
    return (
        Question(do, words, room.record.encode())
        if room.record
        else Question(do, words, game=_told(room.table, person))
    )


def _told(table: Table, person: str) -> Frame:
    """The game of a table as this person may have it, to be written down by the judge: a long one takes a while."""
    assert table.play is not None  # noqa: S101 - asked only for a game that has begun
    view = archive.view_for(table, person)
    names, is_closed = [place.name for place in table.seats], table.status == OVER
    return game_of(table.play, names, view, table.notes, archive.proof(table), is_closed=is_closed)


async def replay_of(request: Request, table: str, eyes: Eyes = ALL, first: First = 0, most: Most = 500) -> Response:
    """A finished game, step by step, from the point of view of a seat, of a watcher or of all."""
    words = {"eyes": eyes, "first": first, "most": most}
    return await _judged(request, partial(_of_table, request, table, "replay", words))


async def replay(
    request: Request, eyes: Eyes = ALL, first: First = 0, most: Most = 500, language: Said = "en"
) -> Response:
    """A record that somebody sends, step by step; the body is the record."""
    words = {"eyes": eyes, "first": first, "most": most, "language": language}
    return await _judged(request, partial(_of_body, request, "replay", words))


async def verify_table(request: Request, table: str, shown: Shown = "") -> Response:
    """Did the dice and deals of a finished game follow from what the server had committed to?"""
    return await _judged(request, partial(_of_table, request, table, "verify", {"shown": shown}))


async def verify(request: Request, shown: Shown = "", language: Said = "en") -> Response:
    """The same for a record that somebody sends; the body is the record."""
    return await _judged(request, partial(_of_body, request, "verify", {"shown": shown, "language": language}))


async def picture_of(request: Request, table: str, shape: Form = "wide", language: Language = "en") -> Response:
    """The result of a finished game as a picture: 1200 × 630 or square, with what a watcher may know."""
    kept: dict[tuple[str, str, str], bytes] = request.app.state.pictures
    key = (known(table), shape, language)
    if key in kept:
        answer = Response(kept.pop(key), media_type=PICTURE)
    else:
        words = {"shape": shape, "language": language}
        answer = await _judged(request, partial(_of_table, request, table, "picture", words), PICTURE)
    kept[key] = bytes(answer.body)
    if len(kept) > MOST_PICTURES:
        del kept[next(iter(kept))]  # the one that nobody has asked for the longest
    answer.headers["Cache-Control"] = f"public, max-age={A_WEEK}"
    return answer


async def analysis_of(request: Request, table: str) -> Response:
    """A finished game looked back at: chances step by step, luck, and what choices cost. Until then, how far it is."""
    guard_of(request).take(guard.REPLAYS, guard_of(request).who(request.scope))
    analysing, key = analysing_of(request), known(table)
    if analysing.kept(key) is None and not analysing.is_asked_for(key):
        room = await hub_of(request).room(key)
        if room.table.play is None or room.table.status != OVER:
            raise TableRefused("analysis/on", "a game can be looked at when it is over")
        if not analysing.is_asked_for(key):  # by somebody else, meanwhile
            analysing.ask(key, address_of(request.scope), _question("analyse", {}, room, ""))
    return Response(analysing.status(key), media_type="application/json")


async def _of_table(request: Request, table: str, do: str, words: Frame) -> Question:
    room = await hub_of(request).room(known(table))
    archive.check_over(room.table)
    return _question(do, words, room, "")


async def _of_body(request: Request, do: str, words: Frame) -> Question:
    raw = await request.body()
    if not raw:
        raise refusal(BadRecord(0, "record/empty", "an empty record"), words["language"])
    return Question(do, words, raw)


async def _judged(
    request: Request, question: Callable[[], Awaitable[Question]], media_type: str = "application/json"
) -> Response:
    """The judge's answer. The place in the queue is taken before anything is read, and held until all is sent."""
    address, judging = address_of(request.scope), judging_of(request)
    guard_of(request).take(guard.REPLAYS, guard_of(request).who(request.scope))
    with ExitStack() as place:
        place.enter_context(judging.place(address))
        answer = await judging.ask(address, await question())
        return _Judged(answer, media_type, place.pop_all())


class _Judged(Response):
    """An answer of the judge, which may be large: until it is sent it holds its place in the queue."""

    def __init__(self, answer: bytes, media_type: str, place: ExitStack) -> None:
        super().__init__(answer, media_type=media_type)
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._place:
            await super().__call__(scope, receive, send)
