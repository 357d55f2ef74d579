"""Two processes serve one table: what happens, happens once, and everybody sees the same, at whichever they are."""

import asyncio
import contextlib
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import groupby
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from pokade import fairness, records
from pokade.games.state import CHANCE, WATCHER
from pokade.server.hub import Hub
from pokade.server.hub.codec import batches
from pokade.server.table import OVER, Table
from pokade.server.table.events import Event
from tests.patience import PATIENCE, until, wait_until
from tests.server.clients import NAMES, Guest
from tests.server.hub.test_hub import Clock, hub_on, opened, run
from tests.server.test_kill import Mortal

ROUNDS = 4  # a game of POK takes at least five: everybody has five counters to hand over
SOME = 6  # frames, of the first rounds of a game
Frame = dict[str, Any]


# Two hubs in one process, with a database between them.


async def log_of(hub: Hub, table: Table) -> list[Event]:
    rows = await hub.storage.events(table.id)
    return [event for batch in batches(row.event for row in rows) for event in batch]


def rounds_of(log: list[Event]) -> list[list[Event]]:
    """What came between one throw and the next."""
    game = [event for event in log if event.kind in ("chance", "choice", "timeout")]
    return [list(group) for is_chance, group in groupby(game, lambda event: event.kind == "chance") if not is_chance]


class Window:
    """Somebody who looks at a table through one of the hubs."""

    def __init__(self) -> None:
        self.frames: dict[tuple[int, int], Frame] = {}  # by viewer and number
        self.doubles = 0

    def put_nowait(self, raw: bytes) -> None:
        frame = json.loads(raw)
        if frame["kind"] != "snapshot":
            self.doubles += (frame["viewer"], frame["n"]) in self.frames
            self.frames[frame["viewer"], frame["n"]] = frame


def test_a_deadline_and_a_bot_fire_once_and_all_windows_show_the_same(postgres_url: str):
    async def work() -> None:
        clock = Clock()
        async with hub_on(postgres_url, clock) as one, hub_on(postgres_url, clock) as two:
            table = await opened(one, "pok", bots=1, clock="20s")
            other = (await two.room(table.id)).table
            windows = {(hub, who): Window() for hub in (one, two) for who in ("ada", "p2", "p3", "a watcher")}
            for (hub, who), window in windows.items():
                await hub.listen(table.id, who, window)
            for number in range(1, ROUNDS + 1):
                await until(lambda: table.turn not in (0, CHANCE) and other.version == table.version)
                clock.now += 60  # both see that the deadline has passed
                for hub in (one, two):
                    hub.rooms[table.id].woken.set()
                await until(lambda n=number: table.play.state.round > n and other.version == table.version)
            played = rounds_of(await log_of(one, table))[:ROUNDS]

            assert len(played) == ROUNDS
            for events in played:
                assert Counter((e.kind, e["seat"]) for e in events) == Counter(
                    [*(("choice", seat) for seat in range(4)), *(("timeout", seat) for seat in (0, 2, 3))]
                )
            for who in ("ada", "a watcher"):
                here, there = windows[one, who], windows[two, who]
                both = here.frames.keys() & there.frames.keys()
                assert len(both) >= 2 * ROUNDS - 1  # a throw and a reveal each; the first throw may have come before
                assert {key: here.frames[key] for key in both} == {key: there.frames[key] for key in both}
                assert here.doubles == there.doubles == 0

    run(work())


def test_a_choice_sent_to_both_processes_counts_once(postgres_url: str):
    async def work() -> None:
        async with hub_on(postgres_url) as one, hub_on(postgres_url) as two:
            table = await opened(one, "pok", bots=0)
            await two.room(table.id)
            await until(lambda: table.turn not in (0, CHANCE))
            for seat, who in enumerate(("ada", "p1", "p2", "p3")):
                same = [
                    hub.ask(table.id, lambda t, now, w=who, s=seat: t.choose(w, s, 0, "id", now)) for hub in (one, two)
                ]
                await asyncio.gather(*same, return_exceptions=True)  # the second may come after the round
            log = await log_of(one, table)

            assert [event["seat"] for event in log if event.kind == "choice"] == [0, 1, 2, 3]

    run(work())


# Two real processes.


@pytest.fixture
def houses(postgres_url: str) -> Iterator[list[Mortal]]:
    with ExitStack() as stack:
        opened_houses = []
        for _ in range(2):
            opened_houses.append(Mortal(postgres_url))
            stack.callback(opened_houses[-1].end)
        yield opened_houses


class Seated(threading.Thread):
    """Somebody at a table through one process: takes the first choice, and keeps every frame by its number."""

    def __init__(self, person: Guest, house: Mortal, table: str, seat: int, **query: object) -> None:
        super().__init__(daemon=True)
        self.door, self.seat = Guest(house.address), seat
        self.door.http.cookies.update(person.http.cookies)
        self.tab = self.door.at(table, **query)
        self.frames: dict[int, Frame] = {}
        self.view: Frame = {}  # the last one
        self.wrong: list[Frame] = []
        self.stops_after: int | None = None  # so many frames, as if for ever in thought
        self.is_over = False

    def run(self) -> None:
        self._choose()  # of what one knew before
        with contextlib.suppress(OSError, EOFError, WebSocketException), self.door:
            while not self.is_over:
                self._heed(self.tab.hear())

    def _heed(self, frame: Frame) -> None:
        if frame["kind"] == "error":  # the same choice came in through another door
            return
        if frame["n"] in self.frames and frame["kind"] != "snapshot":
            self.wrong.append(frame)
        self.frames[frame["n"]] = frame
        self.is_over = frame.get("table", {}).get("status") == OVER
        if "view" in frame:
            self.view = frame["view"]
            self._choose()

    def _choose(self) -> None:
        is_lost_in_thought = self.stops_after is not None and len(self.frames) > self.stops_after
        if self.seat >= 0 and self.view.get("choices") and not is_lost_in_thought:
            self.tab.say("choose", seat=self.seat, choice=self.view["choices"][0], id=f"{self.view['state']['step']}")


def begun(people: list[Guest]) -> str:
    """A table of POK with these people and a bot, which has begun."""
    table: str = people[0].open("pok", len(people) + 1, bots=1, options={"memory": "assisted"})["id"]
    tabs = [person.at(table) for person in people]
    for seat in range(1, len(people)):
        tabs[seat].say("sit", name=NAMES[seat], seat=seat)
        tabs[seat].say("ready")
        tabs[0].table(lambda shown, s=seat: shown["seats"][s]["ready"])
    tabs[0].say("start")
    for tab in tabs:
        tab.table(lambda shown: shown["status"] == "on")
        tab.close()
    return table


def all_start(*seated: Seated) -> None:
    for one in seated:
        one.start()


def assert_the_same(one: Seated, other: Seated) -> None:
    """Behind the first frames, which say what was true when each came in."""
    both = sorted(one.frames.keys() & other.frames.keys())[1:]
    assert len(both) > 3
    assert [one.frames[n] for n in both] == [other.frames[n] for n in both]
    assert both == list(range(both[0], both[-1] + 1))
    assert one.wrong == other.wrong == []


def test_people_at_two_processes_get_the_same_frames_with_the_same_numbers(houses: list[Mortal]):
    with (
        Guest(houses[0].address, "Ada") as ada,
        Guest(houses[0].address, "Ben") as ben,
        Guest(houses[0].address) as stranger,
    ):
        table = begun([ada, ben])
        here, there = (Seated(ada, house, table, 0) for house in houses)
        watchers = [Seated(stranger, house, table, WATCHER) for house in houses]
        all_start(here, there, *watchers, friend := Seated(ben, houses[1], table, 1))
        for one in (here, there, friend, *watchers):
            one.join(PATIENCE)
        text = ada.http.get(f"/api/tables/{table}/record").text

    assert_the_same(here, there)
    assert_the_same(*watchers)
    assert fairness.verify(records.read(text))
    assert "timeout" not in text


def test_a_table_goes_on_in_the_other_process_when_one_dies(houses: list[Mortal]):
    with Guest(houses[1].address, "Ada") as ada, Guest(houses[1].address, "Ben") as ben:
        table = begun([ada, ben])
        stays, goes = Seated(ada, houses[1], table, 0), Seated(ben, houses[0], table, 1)
        goes.stops_after = SOME  # the game can't be over before its house dies
        all_start(stays, goes)
        wait_until(lambda: len(goes.frames) > SOME)

        houses[0].die()
        goes.join(PATIENCE)
        back = Seated(ben, houses[1], table, 1, last=f"1:{max(goes.frames)}")
        back.view = goes.view
        all_start(back)
        for one in (stays, back):
            one.join(PATIENCE)
        text = ada.http.get(f"/api/tables/{table}/record").text

    assert (stays.is_over, goes.is_over, back.is_over) == (True, False, True)
    assert min(back.frames) >= max(goes.frames)  # the frames missed, or a snapshot where this process has none of them
    assert sorted(back.frames) == list(range(min(back.frames), max(back.frames) + 1))
    assert stays.wrong == back.wrong == []
    assert fairness.verify(records.read(text))
