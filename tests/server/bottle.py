"""A house in a bottle: the real application, spoken to over ASGI, in time that leaps and with its log in memory.

Nothing waits and nothing is drawn: the same things said at the same times bring the same bytes at the same times.
"""

import asyncio
import json
import logging
import random
import re
import selectors
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

import prometheus_client.metrics
import pytest
from fastapi import FastAPI

from pokade.games.play import Play, View
from pokade.server.hub import Hub, Pace, archive, bots, hub, log, presence, times
from pokade.server.judge.analysing import Analysing
from pokade.server.judge.judge import Question, answered
from pokade.server.judge.judging import Judging
from pokade.server.network import gate, guard, metrics, routes, sockets
from pokade.server.network.app import create_app
from pokade.server.network.metrics import Metrics
from pokade.server.network.people import COOKIE, hashed
from pokade.server.storage import CodeTaken, Found, Kept, Logged, Person, Snapshot, TableIndex, VersionTaken
from pokade.server.table import Table

EPOCH = 1_000_000.0  # the house's clock when a bottle is opened
TICKS = 1024  # a second
A_BIT = 1 / TICKS / 2**18  # more than the loop takes for the same moment; those of hundreds of bots change no tick
MOST_OUTCOMES = 64
_SECONDS = re.compile(r"[\d.]+ ms")


def tick(time: float) -> float:
    """The tick of a clock that is nearest."""
    return round(time * TICKS) / TICKS


def neutral_delay(rng: random.Random) -> float:
    """A bot's delay; after the part of it used where seats decide in turn, nothing else happens at that moment."""
    return 8 * (tick(rng.uniform(1.0, 1.8) / 8) + A_BIT)


class _Leap(selectors.DefaultSelector):
    """Waits for nobody: if nothing is due now, it is later."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.loop: Any = None

    def select(self, timeout: float | None = None) -> list[Any]:
        assert timeout is not None, "nothing will ever happen in this bottle"
        if timeout > 0:
            self.now = max(self.now, self.loop._scheduled[0]._when)
        return []


class Leaping(asyncio.SelectorEventLoop):
    """A loop whose time leaps to whatever is due next."""

    def __init__(self) -> None:
        self.leap = _Leap()
        super().__init__(self.leap)
        self.leap.loop = self

    def time(self) -> float:
        return self.leap.now


class Memory:
    """The log, the index and the people of one house, in dictionaries."""

    is_shared = False

    def __init__(self) -> None:
        self.logs: dict[str, list[Logged]] = {}
        self.indexes: dict[str, TableIndex] = {}
        self.people: dict[bytes, Person] = {}
        self.snapshots: dict[str, Snapshot] = {}
        self.tickets: dict[bytes, tuple[bytes, float]] = {}
        self.callbacks: list[Callable[[str, int], None]] = []

    async def append(
        self, table: str, version: int, events: Sequence[bytes], *, index: TableIndex | None = None
    ) -> None:
        log = self.logs.setdefault(table, [])
        if version != len(log) + 1:
            raise VersionTaken("somebody was faster")
        if index is not None:
            await self.put_index(table, index)
        log += [Logged(number, event, 0.0) for number, event in enumerate(events, version)]
        for callback in self.callbacks:
            asyncio.get_running_loop().call_soon(callback, table, len(log))

    async def put_index(self, table: str, index: TableIndex) -> None:
        if any(other.code == index.code for key, other in self.indexes.items() if key != table):
            raise CodeTaken("another table has this code")
        self.indexes[table] = index

    async def events(self, table: str, after: int = 0, limit: int | None = None) -> list[Logged]:
        return self.logs.get(table, [])[after:][:limit]

    async def put_snapshot(self, table: str, snapshot: Snapshot) -> None:
        self.snapshots[table] = snapshot

    async def snapshot(self, table: str) -> Snapshot | None:
        return self.snapshots.get(table)

    def _found(self, wanted: Callable[[TableIndex], bool]) -> list[Found]:
        found = [Found(table, index) for table, index in self.indexes.items() if wanted(index)]
        return sorted(found, key=lambda f: -f.index.updated_at)

    async def table_by_code(self, code: str) -> Found | None:
        return next(iter(self._found(lambda index: index.code == code)), None)

    async def listed_tables(self, limit: int) -> list[Found]:
        return self._found(lambda index: index.listed and index.status != "over")[:limit]

    async def tables_of(self, person: str, limit: int) -> list[Found]:
        return self._found(lambda index: person in index.seats)[:limit]

    async def due(self, now: float, limit: int) -> list[Found]:
        return self._found(lambda index: index.deadline is not None and index.deadline <= now)[:limit]

    async def idle(self, before: float, limit: int, after: float = 0.0) -> list[Found]:
        return self._found(lambda index: index.status != "over" and after < index.updated_at < before)[::-1][:limit]

    async def over(self, *_: object, **__: object) -> list[Found]:
        return []

    async def record(self, _: str) -> Kept | None:
        return None

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        return self.people.get(token_hash)

    async def add_person(self, person: str, token_hash: bytes, name: str, language: str) -> None:
        self.people[token_hash] = Person(person, token_hash, name, language)

    async def add_device(self, person: str, token_hash: bytes) -> None:
        known = next(found for found in self.people.values() if found.id == person)
        self.people[token_hash] = replace(known, token_hash=token_hash)

    async def add_ticket(self, ticket: bytes, body: bytes, expires: float) -> None:
        self.tickets[ticket] = (body, expires)

    async def take_ticket(self, ticket: bytes, now: float) -> bytes | None:
        body, expires = self.tickets.pop(ticket, (None, 0.0))
        return body if expires > now else None

    async def ping(self) -> None:
        """It always answers."""

    async def listen(self, callback: Callable[[str, int], None]) -> None:
        self.callbacks.append(callback)


class AtOnce(Judging):
    """Judges in this process, since another one would have a time of its own."""

    async def ask(self, address: str, question: Question) -> bytes:  # noqa: ARG002 - as it is asked
        return answered(question)


class Told(Analysing):
    """Its analysis of a game is the record of all that it was told: whatever is worked out follows from that."""

    def ask(self, table: str, address: str, question: Question) -> None:  # noqa: ARG002 - as it is asked
        self._kept[table] = json.dumps(hashed(answered(replace(question, do="write")).hex()).hex()).encode()


class Line:
    """A client's socket. What comes is kept, with the time it came."""

    def __init__(self, bottle: "Bottle", person: str, table: str, query: str = "", name: str = "line") -> None:
        self.bottle, self.name = bottle, name
        self.tell: Callable[[bytes], object] = lambda _: None  # for those that want to hear at once
        self.came: list[tuple[float, str, bytes]] = []
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        scope = {"type": "websocket", "scheme": "ws", "subprotocols": [], "query_string": query.encode()}
        call = bottle.app({**scope, **_scope(f"/ws/{table}", person)}, self._said.get, self._send)
        self.task = bottle.loop.create_task(call)

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.accept":
            return
        payload = message.get("bytes") or json.dumps(message).encode()
        self.came.append((self.bottle.time, self.name, payload))
        self.bottle.heard.append((self.bottle.time, self.name, payload))
        self.tell(payload)

    def say(self, **message: object) -> None:
        self._said.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    def close(self) -> None:
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1001})


def _scope(path: str, person: str) -> dict[str, Any]:
    cookie = [(b"cookie", f"{COOKIE}={person}".encode())] if person else []
    return {
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "path": path,
        "raw_path": path.encode(),
        "headers": [(b"host", b"house"), (b"content-type", b"application/json"), *cookie],
        "client": ("127.0.0.1", 9),
        "server": ("house", 80),
    }


@cache
def _app(number: int) -> FastAPI:
    """Built once: a hub is put in whenever its bottle runs."""
    return create_app("sqlite://", judging=AtOnce())


class Bottle:
    """One house and everybody in it. People are known by their own names, which are their tokens too."""

    running: ClassVar["Bottle"]

    def __init__(self, number: int = 0, *, delay: float = 1.0, seed: str = "") -> None:
        self.app, self.loop, self.seed, self.is_limited = _app(number), Leaping(), seed, False
        self.guard: Any = self.app.state.guard
        self.guard._buckets.clear()
        self.app.state.analysing, self.app.state.pictures = Told(), {}
        self.failures: list[BaseException] = []
        self.loop.set_exception_handler(self._failed)
        self.storage = Memory()
        self.heard: list[tuple[float, str, bytes]] = []  # by everybody, in order
        self.written: list[str] = []  # to the log
        self.deal: Callable[[Table], list[int]] = lambda _: []  # what comes in a whole deal, if not what is liked best
        self.drawn = (0.0, 0)  # when a secret was last made, and which one it was at that moment
        self.planned: dict[int, int] = {}  # what the house will choose for a seat
        self.thinking: dict[int, float] = {}  # how long it will think about it
        Bottle.running = self
        self.metrics = Metrics()
        self.hub: Any = Hub(
            self.metrics.watched(self.storage),  # type: ignore[arg-type]  # as much of a storage as a table needs
            fairness=lambda table: Preferring(table, self),
            pace=Pace(1.0, (delay, delay)),
            clock=lambda: EPOCH + self.time,
            think=self._thought,
        )
        self.metrics.watch(self.hub)

    @property
    def time(self) -> float:
        """In ticks that numbers can hold exactly: how often somebody looked at the clock leaves no trace in it."""
        return tick(self.loop.time())

    async def _thought(self, think: Callable[[], int]) -> int:
        choice = think()
        await asyncio.sleep(self.thinking.get(choice, 0.0))
        return choice

    def plan(self, view: View) -> int:
        choice = self.planned.get(view.seat)
        return choice if choice in view.choices else view.choices[0]

    def run(self, work: Awaitable[Any]) -> Any:
        Bottle.running, self.app.state.hub = self, self.hub
        self.guard.metrics, self.guard.shows_metrics = self.metrics, True
        self.guard.is_limited, self.guard.clock = self.is_limited, lambda: self.time
        done = self.loop.run_until_complete(work)
        if self.failures:
            raise self.failures[0]
        return done

    def _failed(self, _: Any, context: dict[str, Any]) -> None:
        """What nobody caught must not pass in silence."""
        self.failures.append(context.get("exception") or AssertionError(context["message"]))

    def run_until(self, time: float) -> None:
        self.run(asyncio.sleep(max(0.0, time - self.loop.time())))

    def at(self, time: float, action: Callable[[], object]) -> None:
        self.loop.call_at(time, action)

    def let_in(self, *people: str) -> None:
        for person in people:
            self.storage.people[hashed(person)] = Person(person, hashed(person), person, "en")

    def line(self, person: str, table: str, query: str = "", name: str = "line") -> Line:
        """Somebody opens a socket; call it while the bottle runs."""
        return Line(self, person, table, query, name)

    def get(self, path: str, person: str, name: str = "get") -> None:
        """Somebody asks for a page; call it while the bottle runs."""
        self.loop.create_task(self.ask("GET", path, person, name))  # it ends before the time does

    async def ask(self, method: str, path: str, person: str, name: str, body: object = None) -> bytes:
        """Somebody asks over HTTP, and hears the answer."""
        sent: list[dict[str, Any]] = []
        raw = b"" if body is None else json.dumps(body).encode()
        there, _, query = path.partition("?")

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": raw, "more_body": False}

        scope = {"type": "http", "scheme": "http", "method": method, "query_string": query.encode()}
        await self.app({**scope, **_scope(there, person)}, receive, send)
        answer = b"".join(part.get("body", b"") for part in sent)
        self.heard.append((self.time, f"{name} {path}", answer + repr(sent).encode()))
        return answer

    def close(self) -> None:
        """Let go of everything that still waits."""
        try:
            self.run(self._end(asyncio.all_tasks(self.loop)))
        finally:
            self.loop.close()

    async def _end(self, tasks: set[asyncio.Task[Any]]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.hub.close()


class Preferring:
    """Chance that brings, of what can come, what it likes best: the same in two tables, as far as both can have it."""

    def __init__(self, table: Table, bottle: Bottle) -> None:
        assert table.play is not None
        self._play: Play = table.play.copy()
        self._draws, self._seed = table.draws, bottle.seed
        self._given = bottle.deal(table)

    def draw(self, tickets: int) -> int:
        game, state = self._play.game, self._play.state
        likes = liked(self._seed, self._draws)
        given = self._given.pop(0) if self._given else None
        is_wanted = {ticket: likes[game.outcome_at(state, ticket)] for ticket in range(tickets)}
        ticket = max(is_wanted, key=lambda ticket: (game.outcome_at(state, ticket) == given, is_wanted[ticket]))
        self._play.happen(game.outcome_at(state, ticket))
        self._draws += 1
        return ticket


def liked(seed: str, draws: int) -> list[float]:
    """How much chance likes each outcome of a draw."""
    liking = random.Random(f"{seed} {draws}")
    return [liking.random() for _ in range(MOST_OUTCOMES)]


class Tokens:
    """Secrets that follow from the bottle and the moment: what is made at the same time in two bottles is the same."""

    def _drawn(self) -> random.Random:
        if not hasattr(Bottle, "running"):
            return random.Random(0)
        bottle = Bottle.running
        at, count = bottle.drawn
        bottle.drawn = (bottle.time, count + 1 if at == bottle.time else 0)
        return random.Random(f"{bottle.seed} {bottle.drawn}")

    def token_hex(self, size: int) -> str:
        return self._drawn().randbytes(size).hex()

    token_urlsafe = token_hex

    def choice(self, given: Sequence[Any]) -> Any:
        return self._drawn().choice(given)

    def new_seed(self) -> bytes:
        return self._drawn().randbytes(32)


class Hands:
    """The clocks of everything that is no table, such as of a request: they stand where the bottle's stands."""

    @staticmethod
    def time() -> float:
        return EPOCH + Hands.perf_counter()

    @staticmethod
    def perf_counter() -> float:
        return Bottle.running.time if hasattr(Bottle, "running") else 0.0

    monotonic = perf_counter


@pytest.fixture(autouse=True)
def bottled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For tests that import it: bots do what is planned, and nothing is drawn or timed outside the bottle."""
    honest, ours, notebook = archive.proof_of, logging.getLogger("pokade"), Notebook()
    monkeypatch.setattr(bots, "player", lambda *_: Bottle.running.plan)
    monkeypatch.setattr(archive, "proof_of", lambda *given: replace(honest(*given), commitment="c" * 64))
    monkeypatch.setattr(asyncio, "to_thread", _at_once)
    monkeypatch.setattr(ours, "propagate", False)
    _seal_off(monkeypatch)
    level = ours.level
    ours.addHandler(notebook)
    ours.setLevel(logging.DEBUG)
    yield
    ours.removeHandler(notebook)
    ours.setLevel(level)


async def _at_once(work: Callable[..., Any], *given: Any) -> Any:
    return work(*given)


def _seal_off(patch: pytest.MonkeyPatch) -> None:
    tokens = Tokens()
    for place in (hub, presence, routes, sockets):
        patch.setattr(place, "secrets", tokens)
    patch.setattr(hub, "new_seed", tokens.new_seed)
    for place in (gate, guard, log, times, metrics, routes, prometheus_client.metrics):
        patch.setattr(place, "time", Hands)


class Notebook(logging.Handler):
    """Writes what the house logs into its bottle, without how long things took."""

    def emit(self, record: logging.LogRecord) -> None:
        if hasattr(Bottle, "running"):
            Bottle.running.written.append(
                f"{record.name} {record.levelname} {_SECONDS.sub('… ms', record.getMessage())}"
            )
