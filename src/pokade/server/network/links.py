"""What a link to a finished game shows where it is pasted: who won, how it stands, and a picture of it."""

import asyncio
from dataclasses import dataclass
from typing import Final

from fastapi import Request

from pokade import texts
from pokade.games.errors import Refused
from pokade.server.hub import CODE_LENGTH, Hub
from pokade.server.network.people import is_word
from pokade.server.storage import StorageError
from pokade.server.table import OVER, Table
from pokade.server.views.result import Result

AT_MOST: Final = 2.0  # seconds, after which the page comes without it
ADDRESSES: Final = ("t", "replay")


@dataclass(frozen=True, slots=True)
class Link:
    """A title, a sentence, and where the picture lies."""

    title: str
    text: str
    picture: str


async def shown(request: Request) -> Link | None:
    """What is to be seen of the game that an address names, if it is over."""
    _, first, *rest = [*request.url.path.split("/"), ""]
    if first not in ADDRESSES or not is_word(rest[0]):
        return None
    try:
        async with asyncio.timeout(AT_MOST):
            table = await _finished(request.app.state.hub, rest[0])
    except (Refused, StorageError, TimeoutError):  # the page itself says what is wrong
        return None
    asked = request.query_params.get("lang", "")
    return None if table is None else _link(table, asked if asked in texts.LANGUAGES else "en")


async def _finished(hub: Hub, word: str) -> Table | None:
    """The table with this code or id, if its game is over. One that is on is not even loaded for its code."""
    found = await hub.storage.table_by_code(word.upper()) if len(word) == CODE_LENGTH else None
    if found is not None and found.index.status != OVER:
        return None
    table = (await hub.room(found.table if found else word)).table
    return table if table.status == OVER and table.play is not None else None


def _link(table: Table, language: str) -> Link:
    assert table.play is not None  # noqa: S101 - looked at above
    result = Result.of(table.play, [place.name for place in table.seats])
    text = texts.text(language, "web.picture.link", places=result.standing())
    picture = f"api/tables/{table.id}/picture?language={language}"
    return Link(f"{result.title(language)} · {result.game.title}", text, picture)
