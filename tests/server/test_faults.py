"""A full disk, and a database that is gone for a while: clear answers, nothing told in vain, and on by itself."""

import asyncio
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pokade.games.game import Game
from pokade.games.play import View
from pokade.players import player
from pokade.server.hub import bots, hub
from pokade.server.hub.codec import batches
from pokade.server.storage import open_storage, sqlite, sqlite_connection, sqlite_writer
from pokade.server.storage.sqlite_connection import connect
from tests.patience import PATIENCE, wait_until
from tests.server.clients import NAMES, Guest, refusal, running
from tests.server.databases import Postgres
from tests.server.storage.test_storage import FULL, run_sql
from tests.server.test_kill import a_game, hear_some, kept_what_was_told

CLOCK, MORE_THAN_THAT = "20s", 30.0  # a table's clock, and seconds
FALLS = 4


# What can happen to a database. Each lasts as long as its context.

Fault = Callable[[], AbstractContextManager[None]]


@dataclass
class Trouble:
    """A database, and what can be done to it."""

    url: str
    fault: Fault
    code: str


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """All connections to a SQLite database that are opened from now on."""
    opened: list[sqlite3.Connection] = []
    for module in (sqlite_writer, sqlite):  # in the order in which they open them
        monkeypatch.setattr(module, "connect", lambda path: opened.append(connect(path)) or opened[-1])
    monkeypatch.setattr(sqlite_connection, "BUSY_SECONDS", 0.1)
    return opened


@pytest.fixture
def full_sqlite(sqlite_url: str, connections: list[sqlite3.Connection]) -> Trouble:
    @contextmanager
    def fault() -> Iterator[None]:
        pages = connections[0].execute("PRAGMA page_count").fetchone()[0]
        connections[0].execute(f"PRAGMA max_page_count = {pages}")
        fill(connections[0])
        yield
        connections[0].execute("PRAGMA max_page_count = 100000")

    return Trouble(sqlite_url, fault, "storage/full")


def fill(db: sqlite3.Connection) -> None:
    """Use up what is left in the last pages, to the last byte."""
    size = 100
    for number in range(1, 1000):
        try:
            db.execute("INSERT INTO events VALUES ('filler', ?, ?, 0)", (number, bytes(size)))
        except sqlite3.OperationalError:
            if size == 0:
                return
            size //= 2
    raise AssertionError("the disk does not get full")


@pytest.fixture
def held_sqlite(sqlite_url: str, connections: list[sqlite3.Connection]) -> Trouble:
    @contextmanager
    def fault() -> Iterator[None]:
        path = sqlite_url.removeprefix("sqlite:///")
        with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")

    return Trouble(sqlite_url, fault, "storage/gone")


@pytest.fixture
def moved_sqlite(sqlite_url: str, connections: list[sqlite3.Connection]) -> Trouble:
    @contextmanager
    def fault() -> Iterator[None]:
        path = Path(sqlite_url.removeprefix("sqlite:///"))
        away = path.rename(path.with_suffix(".away"))
        yield
        away.rename(path)

    return Trouble(sqlite_url, fault, "storage/gone")


@pytest.fixture
def full_postgres(postgres_url: str) -> Trouble:
    @contextmanager
    def fault() -> Iterator[None]:
        asyncio.run(run_sql(postgres_url, FULL.replace("> 100", "> 0")))
        yield
        asyncio.run(run_sql(postgres_url, "DROP TRIGGER full_disk ON events; DROP FUNCTION full_disk"))

    return Trouble(postgres_url, fault, "storage/full")


@pytest.fixture
def stopped_postgres(own_postgres_url: str, postgres: Postgres) -> Trouble:
    @contextmanager
    def fault() -> Iterator[None]:
        postgres.stop()
        try:
            yield
        finally:
            postgres.start()

    return Trouble(own_postgres_url, fault, "storage/gone")


TROUBLES = ("full_sqlite", "held_sqlite", "moved_sqlite", "full_postgres", "stopped_postgres")


@pytest.fixture(params=TROUBLES)
def trouble(request: pytest.FixtureRequest) -> Trouble:
    found: Trouble = request.getfixturevalue(request.param)
    return found


# The test says when a bot has thought enough, and what time it is.


class Thoughts:
    """What the house thinks for bots and for those who are late: not before it may, and counted."""

    def __init__(self) -> None:
        self.may, self.count = threading.Event(), 0

    def player(self, level: str, game: Game) -> Callable[[View], int]:
        def choose(view: View) -> int:
            assert self.may.wait(PATIENCE)
            self.count += 1
            return player(level, game)(view)

        return choose

    def come_to_nothing(self) -> None:
        """Let it think, and wait until it thinks once more: what it thought first could not be kept."""
        self.may.set()
        wait_until(lambda: self.count >= 2)


@pytest.fixture
def thoughts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thoughts]:
    found = Thoughts()
    monkeypatch.setattr(bots, "player", found.player)
    yield found
    found.may.set()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Moves the clock of the houses that open from now on."""
    added, honest = [0.0], hub.Hub.__init__

    def made(self: hub.Hub, *given: Any, **more: Any) -> None:
        honest(self, *given, **more, clock=lambda: time.time() + sum(added))

    monkeypatch.setattr(hub.Hub, "__init__", made)
    return added.append


# A table that it happens to.


class Evening:
    """A game of POK that has begun: two people, and a bot."""

    def __init__(self, address: str, stack: ExitStack, clock: str = "none") -> None:
        self.people = [stack.enter_context(Guest(address, name)) for name in NAMES[:2]]
        self.id = self.people[0].open("pok", 3, bots=1, clock=clock, options={"memory": "assisted"})["id"]
        self.tabs = [person.at(self.id) for person in self.people]
        self.tabs[1].say("sit", name=NAMES[1], seat=1)
        self.tabs[1].say("ready")
        self.tabs[0].table(lambda table: table["seats"][1]["ready"])
        self.tabs[0].say("start")
        for tab in self.tabs:
            tab.hear_until(is_asked)

    def seal(self, seat: int, choice_id: str) -> dict[str, Any]:
        """What the house answers to a choice."""
        self.tabs[seat].say("choose", seat=seat, choice=0, id=choice_id)
        return self.tabs[seat].hear_until(lambda frame: frame["kind"] in ("sealed", "step", "error"))


def is_asked(frame: dict[str, Any]) -> bool:
    return bool(frame["kind"] == "step" and frame["view"]["choices"])


def is_shown(frame: dict[str, Any]) -> bool:
    return "shown" in str(frame.get("told"))


async def choices_in(url: str, table: str) -> list[str]:
    """The ids of the choices that people have made at a table, as the database has them."""
    storage = await open_storage(url)
    log = [event for batch in batches(row.event for row in await storage.events(table)) for event in batch]
    await storage.close()
    return [event["id"] for event in log if event.kind == "choice" and event["id"]]


def test_a_choice_that_can_not_be_kept_is_refused_and_counts_when_it_is_sent_again(trouble: Trouble):
    with running(trouble.url) as address, ExitStack() as stack:
        evening = Evening(address, stack)

        with trouble.fault():
            answer = evening.seal(0, "first")
            assert (answer["kind"], answer.get("code")) == ("error", trouble.code)
        again = wait_for_an_answer(lambda: evening.seal(0, "first"))

        assert again["kind"] == "sealed"
        if not is_shown(evening.seal(1, "second")):  # unless the bot was the first
            evening.tabs[1].hear_until(is_shown)
        assert asyncio.run(choices_in(trouble.url, evening.id)) == ["first", "second"]


def wait_for_an_answer(ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Ask until it works: a database that has come back needs a moment."""
    answers: list[dict[str, Any]] = []
    wait_until(lambda: answers.append(ask()) or answers[-1]["kind"] != "error")
    return answers[-1]


def test_a_bot_that_was_held_up_goes_on_by_itself(trouble: Trouble, thoughts: Thoughts):
    with running(trouble.url) as address, ExitStack() as stack:
        evening = Evening(address, stack)
        evening.seal(0, "first")
        evening.seal(1, "second")

        with trouble.fault():
            thoughts.come_to_nothing()
            heard = evening.tabs[0].heard()

        assert [frame["kind"] for frame in heard] == []
        assert evening.tabs[0].hear_until("step")["told"]


def test_a_deadline_that_passed_meanwhile_is_seen_to_by_itself(
    trouble: Trouble, thoughts: Thoughts, later: Callable[[float], None]
):
    with running(trouble.url) as address, ExitStack() as stack:
        evening = Evening(address, stack, CLOCK)

        with trouble.fault():
            later(MORE_THAN_THAT)
            evening.tabs[0].say("next")  # the house looks at its clock
            thoughts.come_to_nothing()
            evening.tabs[0].heard()

        frame = evening.tabs[0].hear_until(lambda frame: frame.get("timeouts"))
        assert frame["timeouts"] == [0, 1]


def test_the_house_says_that_it_lives_and_is_not_ready(trouble: Trouble):
    with running(trouble.url) as address, ExitStack() as stack:
        evening, ask = Evening(address, stack), stack.enter_context(Guest(address)).http

        with trouble.fault():
            opened = evening.people[0].http.post("/api/tables", json={"game": "pok", "seats": 3})
            health, ready = ask.get("/healthz"), ask.get("/readyz")

        assert refusal(opened) == (503, trouble.code)
        assert opened.headers["Retry-After"]
        assert health.status_code == 200
        assert refusal(ready) == (503, trouble.code)
        wait_until(lambda: evening.people[0].http.post("/api/tables", json={"game": "pok", "seats": 3}).is_success)
        assert ask.get("/readyz").status_code == 200


def test_who_comes_while_the_database_is_gone_is_told_to_come_back(own_postgres_url: str, postgres: Postgres):
    with running(own_postgres_url) as address, ExitStack() as stack:
        evening = Evening(address, stack)
        postgres.stop()
        try:
            tab = evening.people[0].at(evening.id)
            assert tab.hear()["code"] == "storage/gone"
            assert tab.close_code() == 1013
        finally:
            postgres.start()
        wait_until(lambda: evening.people[0].http.get("/readyz").status_code == 200)
        assert evening.people[0].at(evening.id).hear()["kind"] == "snapshot"


@dataclass
class Standing:
    """A house that stands while its database falls."""

    address: str


@pytest.mark.parametrize("end", ["stop", "crash"])
def test_nothing_that_was_told_is_lost_when_the_database_falls(own_postgres_url: str, postgres: Postgres, end: str):
    moments, falls = random.Random(end), 0
    with running(own_postgres_url) as address:
        while falls < FALLS:
            clients = a_game(Standing(address), "assisted")
            while falls < FALLS and any(client.is_alive() for client in clients):
                hear_some(clients, moments.randrange(6))
                getattr(postgres, end)()
                postgres.start()
                falls += 1
            for client in clients:
                client.join(PATIENCE)
            assert all(client.is_over for client in clients), "a table is stuck"
            assert [client.wrong for client in clients] == [[], [], []]
            kept_what_was_told(Standing(address), clients)
