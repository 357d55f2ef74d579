"""The connection that hears of what other processes have appended to PostgreSQL."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Any

import asyncpg

from pokade.server.storage.interface import Callback
from pokade.server.storage.postgresql_connection import settings, trouble
from pokade.server.storage.postgresql_writer import CHANNEL
from pokade.server.storage.rows import tell

BEAT_SECONDS = 10.0  # how often a listener makes sure that it can still hear
RETRY_SECONDS = 0.25
MARGIN_SECONDS = 60.0  # a commit may become visible this long after its events were stamped

log = logging.getLogger(__name__)


class Listener:
    """Hears the other processes, and not its own, whose notifications are marked with `name`."""

    def __init__(self, url: str, name: str, callbacks: Sequence[Callback]) -> None:
        self._url, self._name, self._callbacks = url, name, callbacks
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen, if nobody does yet; returns when everything is heard."""
        if self._task is None:
            hears = asyncio.Event()
            self._task = asyncio.create_task(self._hear_until_closed(hears))
            await hears.wait()

    async def close(self) -> None:
        """Stop."""
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _hear_until_closed(self, hears: asyncio.Event) -> None:
        """Hear the other processes; after a break, hear first of all that was written meanwhile."""
        heard: float | None = None
        while True:
            try:
                async with self._ear() as (db, cut):
                    now = await _clock(db)
                    if heard is not None:
                        tell(self._callbacks, await _written_since(db, heard - MARGIN_SECONDS))
                    heard = now
                    hears.set()
                    while not await _is_set(cut, BEAT_SECONDS):
                        heard = await _clock(db)
            except Exception as error:
                log.warning("notifications are interrupted: %s", trouble(error))
            await asyncio.sleep(RETRY_SECONDS)

    @contextlib.asynccontextmanager
    async def _ear(self) -> AsyncIterator[tuple[Any, asyncio.Event]]:
        """A connection that listens, and an event that is set when it breaks."""
        db, cut = await asyncpg.connect(self._url, **settings()), asyncio.Event()
        try:
            db.add_termination_listener(lambda _: cut.set())
            await db.add_listener(CHANNEL, self._hear)
            yield db, cut
        finally:
            db.terminate()

    def _hear(self, *heard: Any) -> None:
        _connection, _process, _channel, note = heard
        sender, *lines = note.split("\n")
        if sender != self._name:  # of our own commits the writer has told already
            tell(self._callbacks, {table: int(version) for version, table in (line.split(" ", 1) for line in lines)})


async def _clock(db: Any) -> float:
    """The database's time. Asking for it also finds out whether the connection still works."""
    return float(await db.fetchval("SELECT extract(epoch FROM clock_timestamp())::float8"))


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    """Whether the event happens within that time."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


async def _written_since(db: Any, moment: float) -> dict[str, int]:
    query = "SELECT table_id, max(version) FROM events WHERE written_at > $1 GROUP BY table_id"
    return dict(await db.fetch(query, moment))
