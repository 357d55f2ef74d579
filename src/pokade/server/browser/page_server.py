"""The server of a page: one hub in memory, requests with numbers, and lines to tables that carry frames."""

import contextlib
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import orjson

from pokade.games.errors import Refused
from pokade.server.browser.requests import DEVICE, answer
from pokade.server.browser.said import understood
from pokade.server.hub import A_DAY, Hub, Listener, Patience
from pokade.server.hub.codec import packed
from pokade.server.hub.handlers import handle
from pokade.server.logs import log_bug
from pokade.server.storage import StorageError
from pokade.server.storage.memory import MemoryStorage, Shelve

_LAST: Final = re.compile(r"(-?\d):(\d{1,9})")
# A phone has little room: what is over is soon kept as a record alone.
PATIENCE: Final = Patience(usual=30 * A_DAY, logs=A_DAY)
Tell = Callable[[str, int, str], None]  # "frame" or "closed", the line, and what is said


class Line:
    """The way from a table to a screen: frames go straight out, since nobody between is slow."""

    def __init__(self, number: int, table: str, person: str, tell: Tell) -> None:
        self.number, self.table, self.person, self._tell = number, table, person, tell
        self.listener: Listener | None = None

    def put_nowait(self, frame: bytes, /) -> None:
        self._tell("frame", self.number, frame.decode())

    def refuse(self, code: str, text: str) -> None:
        """An error for this screen alone."""
        self.put_nowait(packed({"kind": "error", "code": code, "text": text}))


class PageServer:
    """All that a page asks of a server."""

    def __init__(self, build: str, tell: Tell, shelf: Mapping[str, str], shelve: Shelve, **how: Any) -> None:
        self._build, self._tell = build, tell
        self.hub = Hub(MemoryStorage(shelf, shelve), patience=PATIENCE, think=_at_once, **how)
        self._lines: dict[int, Line] = {}

    async def ask(self, method: str, address: str, body: str) -> tuple[int, bytes]:
        """The status and the body of the answer to a request."""
        try:
            return await answer(self.hub, self._build, method, address, body.encode())
        except Exception as error:  # a bug ends nothing but its own request
            log_bug(error)
            return 500, orjson.dumps({"code": "server/bug", "text": "something went wrong here"})

    async def open(self, number: int, address: str) -> None:
        """A screen looks at a table: first what is true now, then every frame."""
        split = urlsplit(address)
        query, table = dict(parse_qsl(split.query)), split.path.removeprefix("/ws/")
        line = Line(number, table, await self._visitor(query), self._tell)
        last = {int(viewer): int(n) for viewer, n in _LAST.findall(query.get("last", ""))}
        self._lines[number] = line
        try:
            line.listener = await self.hub.listen(table, line.person, line, last)
        except (Refused, StorageError) as error:
            del self._lines[number]
            line.refuse(error.code, str(error))
            self._tell("closed", number, error.code)

    async def say(self, number: int, raw: str) -> None:
        """Do what a screen says, or answer why not."""
        line = self._lines.get(number)
        if line is None:
            return
        try:
            said = understood(raw)
            if said.do == "ping":
                line.put_nowait(packed({"kind": "pong"}))
            else:
                await handle(self.hub, line.table, line.person, said)
        except (Refused, StorageError) as error:
            line.refuse(error.code, str(error))
        except Exception as error:  # a bug ends neither the line nor the table
            log_bug(error)
            line.refuse("server/bug", "something went wrong here")

    async def close(self, number: int) -> None:
        """A screen looks away."""
        line = self._lines.pop(number, None)
        if line is not None and line.listener is not None:
            await self.hub.unlisten(line.table, line.listener)

    async def sweep(self) -> None:
        """Put old tables away, so that the shelf does not fill up."""
        with contextlib.suppress(Refused, StorageError):
            await self.hub.sweep()

    async def _visitor(self, query: Mapping[str, str]) -> str:
        found = await self.hub.storage.person_by_token(DEVICE)
        is_public = query.get("as") == "watcher" or found is None
        return f"watcher {secrets.token_hex(8)}" if is_public or found is None else found.id


async def _at_once(work: Callable[[], int]) -> int:
    """Bots of these levels think in a moment, and a browser's worker has one thread."""
    return work()
