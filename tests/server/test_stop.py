"""A clean stop: whatever is under way when a house closes, it ends without a word of complaint."""

import asyncio
import contextlib
import gc
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from pokade.server.hub import Hub, Pace
from pokade.server.storage import Storage, StorageGone, open_storage
from tests.server.clients import Guest, Tab
from tests.server.open_house import COMMAND, OpenHouse

SLOW = """
import time
from pokade.server.storage.sqlite_writer import Writer

commit = Writer._commit

def slowly(self, jobs):
    time.sleep(0.05)
    return commit(self, jobs)

Writer._commit = slowly
"""


class Held:
    """A storage whose appends are kept on the disk, but answer only when they are let go."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self.is_held, self.has_kept, self.goes_on = False, asyncio.Event(), asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def append(self, table: str, version: int, events: Sequence[bytes], **more: Any) -> None:
        await self._storage.append(table, version, events, **more)
        if self.is_held:
            self.has_kept.set()
            await self.goes_on.wait()


@pytest.fixture
def complaints(runner: asyncio.Runner) -> list[dict[str, Any]]:
    """What the loop complains of, as it would in a log."""
    found: list[dict[str, Any]] = []
    runner.get_loop().set_exception_handler(lambda _, context: found.append(context))
    return found


async def opened(storage: Any, **how: Any) -> tuple[Hub, str]:
    """A hub with a table at which only bots play."""
    hub = Hub(storage, pace=Pace(0.0, (0.0, 0.0)), **how)
    await hub.attend()
    data = {"game": "pok", "seats": 3, "options": {}, "clock": "none", "listed": False, "tells": False}
    table = await hub.create("ada", data)
    await hub.ask(table.id, lambda t, now: t.sit("ada", "Ada", now))
    for seat in (1, 2):
        await hub.ask(table.id, lambda t, now, s=seat: t.seat_bot("ada", s, "casual", "", now))
    return hub, table.id


async def test_what_a_table_appends_while_the_house_closes_leaves_no_complaint(
    url: str, runner: asyncio.Runner, complaints: list[dict[str, Any]]
):
    storage = Held(await open_storage(url))
    await storage.migrate()
    hub, table = await opened(storage)
    storage.is_held = True
    starting = asyncio.create_task(hub.ask(table, lambda t, now: t.start("ada", now)))
    await storage.has_kept.wait()

    starting.cancel()  # the event is on the disk, and nobody has folded it
    hub.heard(table, hub.rooms[table].table.version + 1)
    await asyncio.gather(hub.close(), storage.close(), return_exceptions=True)
    gc.collect()
    await asyncio.sleep(0)

    assert complaints == []
    assert hub.background.is_idle


async def test_news_of_other_houses_are_not_followed_once_the_house_closes(
    url: str, runner: asyncio.Runner, complaints: list[dict[str, Any]]
):
    storage = await open_storage(url)
    await storage.migrate()
    hub, table = await opened(storage)
    room = hub.rooms[table]
    await storage.close()

    hub.heard(table, room.table.version + 1)  # as the last commit tells of itself
    await hub.close()
    hub.rooms[table] = room
    hub.heard(table, room.table.version + 1)
    await asyncio.sleep(0)
    gc.collect()

    assert complaints == []
    assert hub.background.is_idle


async def test_a_table_that_is_being_loaded_does_not_come_alive_in_a_closed_house(
    url: str, runner: asyncio.Runner, complaints: list[dict[str, Any]]
):
    storage = await open_storage(url)
    await storage.migrate()
    first, table = await opened(storage)
    await first.close()
    hub = Hub(storage)

    loading = asyncio.create_task(hub.room(table))
    await asyncio.sleep(0)
    await hub.close()
    await storage.close()
    with pytest.raises(StorageGone):
        await loading

    assert hub.rooms == {}
    assert complaints == []


def test_a_house_under_load_stops_without_a_word(tmp_path: Path):
    db = f"sqlite:///{tmp_path / 'house.sqlite'}"
    with OpenHouse(tmp_path, "--db", db, code=SLOW + COMMAND) as house, ExitStack() as stack:
        people = [stack.enter_context(Guest(house.address, f"P{n}")) for n in range(6)]
        tabs = [person.at(person.post("/api/quick/pok")["id"]) for person in people]
        going = threading.Barrier(len(tabs) + 1)
        with ThreadPoolExecutor(len(tabs)) as pool:
            busy = [pool.submit(play_on, tab, going) for tab in tabs]
            going.wait()

            status = house.stop()

            assert all(one.result() for one in busy)
        assert (status, house.log.read_text()) == (0, "")


def play_on(tab: Tab, going: threading.Barrier) -> bool:
    """Say something all the time, until the house is gone."""
    with contextlib.suppress(OSError, EOFError, WebSocketException):
        for number in range(10_000):
            tab.say("choose", seat=0, choice=number % 2, id=f"{number}")
            tab.hear()
            if number == 5:
                going.wait()
    return True
