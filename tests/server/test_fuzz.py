"""Clients that resend, change their minds, come late and vanish: no choice is lost and none counts twice."""

import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from pokade.games.errors import Refused
from pokade.games.state import CHANCE, NOBODY, WATCHER
from pokade.server.hub import Hub, Pace, Room, bots
from pokade.server.hub.codec import batches
from pokade.server.storage import open_storage
from pokade.server.table import ON, OVER, Table
from pokade.server.table.events import Event
from tests.patience import PATIENCE
from tests.server.bottle import Bottle, Line

PEOPLE = ("ada", "ben", "cleo")
ROUNDS = 2_000
SOAK_ROUNDS = 100_000
PARTS = 2
SLOWEST = 0.4  # seconds that a message may take, either way
LONG = 20_000.0  # seconds, in a bottle, after which a table counts as stuck


# Over the real application, in a bottle: lines that are slow, double and drop what they carry.


@dataclass
class Seat:
    """What a client knows of one viewer that it is."""

    viewer: int
    last: int = 0  # the number of the last frame it has
    view: dict[str, Any] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)  # its choices, by their ids
    acknowledged: dict[str, int] = field(default_factory=dict)  # ids of choices that the house said are in
    sealed: dict[int, int] = field(default_factory=dict)  # by step, the choice that was in last, as far as it knows


class Client:
    """A person with seats at one table, at the end of a bad line."""

    def __init__(self, bottle: Bottle, person: str, table: str, seats: tuple[int, ...], seed: str) -> None:
        self.bottle, self.person, self.table = bottle, person, table
        self.rng = random.Random(f"{seed} {person}")
        self.seats = {seat: Seat(seat) for seat in seats or (WATCHER,)}
        self.is_over = False
        self.breaks = self.resumed = 0
        self.line = self._call()
        self._act()

    def _call(self) -> Line:
        """Come in, or come back with the last number of each viewer; sometimes with none, as after a reload."""
        known = self.rng.random() < 0.8
        last = ",".join(f"{seat.viewer}:{seat.last}" for seat in self.seats.values() if seat.last and known)
        self.resumed += bool(last)
        line = self.bottle.line(self.person, self.table, f"last={last}", self.person)
        line.tell = self._carrier(line)
        return line

    def _carrier(self, line: Line) -> Any:
        """Frames come in order but late; what is on its way when the line breaks never comes.

        Each line has its own luck: which of two lines the server writes to first does not matter.
        """
        arrival, rng = 0.0, random.Random(self.rng.random())

        def carry(payload: bytes) -> None:
            nonlocal arrival
            arrival = max(arrival + 0.0001, self.bottle.loop.time() + rng.random() * SLOWEST)
            self.bottle.at(arrival, lambda: self._hear(json.loads(payload)) if line is self.line else None)

        return carry

    def _act(self) -> None:
        """Every now and then: choose, break the line, or nothing."""
        if self.is_over:
            return
        if self.rng.random() < 0.02:
            self._break()
        for seat in self.seats.values():
            if seat.view.get("choices") and self.rng.random() < 0.5:
                self._choose(seat)
        self.bottle.at(self.bottle.loop.time() + self.rng.random() * 0.3, self._act)

    def _break(self) -> None:
        """The line is gone at once for us; the house may learn of it later, or only after we are back."""
        self.breaks += 1
        old = self.line
        self.bottle.at(self.bottle.loop.time() + self.rng.random(), old.close)
        self.line = self._call()

    def _choose(self, seat: Seat) -> None:
        """A choice or a change of mind, sent once or several times, each copy with its own delay."""
        step = seat.view["state"]["step"]
        if step in seat.sealed and self.rng.random() < 0.8:
            return
        choice, choice_id = self.rng.choice(seat.view["choices"]), f"{len(seat.sent)}"
        seat.sent[choice_id] = choice
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            self._say(do="choose", seat=seat.viewer, choice=choice, id=choice_id)

    def _say(self, **message: object) -> None:
        line = self.line
        self.bottle.at(self.bottle.loop.time() + self.rng.random() * SLOWEST, lambda: line.say(**message))

    def _hear(self, frame: dict[str, Any]) -> None:
        self.is_over = self.is_over or frame.get("table", {}).get("status") == OVER
        if frame["kind"] == "error":
            return
        seat = self.seats[frame["viewer"]]
        self._count(seat, frame)
        if frame["kind"] == "sealed":
            seat.acknowledged[frame["id"]] = frame["choice"]
            seat.sealed[seat.view["state"]["step"]] = frame["choice"]
        if "view" in frame:
            seat.view = frame["view"]
            own = seat.view["state"]["choice"][seat.viewer] if seat.viewer != WATCHER else -1
            if own >= 0:
                seat.sealed[seat.view["state"]["step"]] = own

    def _count(self, seat: Seat, frame: dict[str, Any]) -> None:
        """No gap, and nothing twice; a snapshot holds what is true at its number, but not all that led to it."""
        if frame["kind"] == "snapshot":
            assert frame["n"] >= seat.last, (self.person, seat, frame["n"])
            if frame["n"] > seat.last and seat.view:
                seat.sealed.pop(seat.view["state"]["step"], None)  # the choice may have been changed once more
        else:
            assert frame["n"] == seat.last + 1, (self.person, seat, frame["n"], frame["kind"])
        seat.last = frame["n"]


class Night:
    """One table in a bottle, with people who hold one, two or three of its seats, and a watcher."""

    def __init__(self, seed: str) -> None:
        self.seed, self.rng = seed, random.Random(seed)
        self.bottle = Bottle(delay=0.5, seed=seed)
        self.bottle.let_in(*PEOPLE)
        self.n_seats = self.rng.randint(3, 7)
        cuts = sorted(self.rng.sample(range(1, self.n_seats), 2))
        seats = range(self.n_seats)
        self.seats = dict(zip(PEOPLE, (seats[: cuts[0]], seats[cuts[0] : cuts[1]], seats[cuts[1] :]), strict=True))
        self.table: Table = self.bottle.run(self._opened())
        self.clients = self.bottle.run(self._come_in())

    async def _opened(self) -> Table:
        options = {"memory": self.rng.choice(["strict", "assisted", "assisted"])}
        data = {"game": "pok", "seats": self.n_seats, "options": options, "clock": self.rng.choice(["none", "20s"])}
        hub: Hub = self.bottle.hub
        table = await hub.create("ada", {**data, "listed": False, "tells": self.rng.random() < 0.1})
        for person, seats in self.seats.items():
            for seat in seats:
                await hub.ask(table.id, lambda t, now, p=person, s=seat: t.sit(p, p, now, s))
            await hub.ask(table.id, lambda t, now, p=person: t.ready(p, True, now))
        await hub.ask(table.id, lambda t, now: t.start("ada", now))
        return table

    async def _come_in(self) -> list[Client]:
        everybody = [*self.seats.items(), ("", ())]
        return [Client(self.bottle, who, self.table.id, tuple(seats), self.seed) for who, seats in everybody]

    def play(self) -> int:
        """To the end; how many rounds were sealed."""
        try:
            return self._played()
        finally:
            self.bottle.close()

    def _played(self) -> int:
        while self.table.status == ON or not all(client.is_over for client in self.clients):
            self.bottle.run_until(self.bottle.loop.time() + 10)
            assert self.bottle.loop.time() < LONG, "the table is stuck"
        self.bottle.run_until(self.bottle.loop.time() + 10)  # for what is still on its way
        log = [
            event for batch in batches(row.event for row in self.bottle.storage.logs[self.table.id]) for event in batch
        ]
        return self._compared(log)

    def _compared(self, log: list[Event]) -> int:
        """Every acknowledged choice is in the log, once; every reveal shows what its clients were told was in last."""
        choices = [event for event in log if event.kind == "choice"]
        ids = [(event["seat"], event["id"]) for event in choices if event["id"]]
        assert len(ids) == len(set(ids))
        made = {(event["seat"], event["id"]): event["choice"] for event in choices if event["id"]}
        known = [seat for client in self.clients for seat in client.seats.values()]
        assert made.items() <= {(s.viewer, sent): choice for s in known for sent, choice in s.sent.items()}.items()
        told = {
            (s.viewer, choice_id): choice for s in known for choice_id, choice in s.acknowledged.items() if choice_id
        }
        assert told.items() <= made.items()
        reveals = list(revealed(self.table, choices))
        for step, shown, last in reveals:
            for seat in known:
                if step in seat.sealed and seat.viewer != last:  # the last choice is told by the reveal itself
                    assert shown[seat.viewer] == seat.sealed[step], (step, seat.viewer)
        return len(reveals)


def revealed(table: Table, choices: list[Event]) -> Iterator[tuple[int, dict[int, int], int]]:
    """Of each sealed round: the step it was made in, what it showed, and whose choice was the last."""
    assert table.play is not None
    again = type(table.play)(table.play.game, len(table.seats), table.options)
    made = iter(choices)
    final: dict[int, int] = {}
    for actor, value in table.play.steps:
        step = again.state.step
        if actor == CHANCE:
            again.happen(value)
            continue
        event = next(made)
        assert (event["seat"], event["choice"]) == (actor, value)
        final[actor] = value
        again.choose(actor, value)
        if again.state.step != step:
            assert again.state.shown[: len(table.seats)] == [final[seat] for seat in range(len(table.seats))]
            yield step, final, actor
            final = {}


def nights(rounds: int, first: int, patch: pytest.MonkeyPatch) -> list[Client]:
    patch.setattr(bots, "player", lambda *_: Bottle.running.plan)
    done, clients = 0, []
    while done < rounds:
        night = Night(f"night {first}")
        done += night.play()
        clients += night.clients
        first += 1
    return clients


@pytest.mark.parametrize("part", range(PARTS))
def test_no_choice_is_lost_or_doubled_over_bad_lines(part: int, monkeypatch: pytest.MonkeyPatch):
    clients = nights(ROUNDS // PARTS, part * 1_000_000, monkeypatch)

    assert sum(client.breaks for client in clients) > ROUNDS // PARTS
    assert sum(client.resumed for client in clients) > ROUNDS // PARTS // 2
    assert any(len(client.seats) > 1 for client in clients)


def test_a_night_is_the_same_whenever_it_comes(monkeypatch: pytest.MonkeyPatch):
    first, again = (nights(30, 0, monkeypatch) for _ in range(2))

    assert [(client.breaks, client.resumed) for client in first] == [
        (client.breaks, client.resumed) for client in again
    ]
    assert [client.seats for client in first] == [client.seats for client in again]


def test_a_house_that_forgets_ids_is_caught(monkeypatch: pytest.MonkeyPatch):
    honest = Table.choose

    def forgetful(table: Table, *given: Any) -> list[Event]:
        table.seen_ids.clear()
        return honest(table, *given)

    monkeypatch.setattr(Table, "choose", forgetful)

    with pytest.raises(AssertionError):
        nights(100, 0, monkeypatch)


def test_a_tail_that_lacks_a_frame_is_caught(monkeypatch: pytest.MonkeyPatch):
    honest = Room.tail
    monkeypatch.setattr(Room, "tail", lambda *given: honest(*given)[:1] + honest(*given)[2:])

    with pytest.raises(AssertionError):
        nights(100, 0, monkeypatch)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_soak_no_choice_is_lost_or_doubled_over_bad_lines(part: int, monkeypatch: pytest.MonkeyPatch):
    assert nights(SOAK_ROUNDS // PARTS, 7_000_000 + part * 1_000_000, monkeypatch)


# Over a hub on a real database, whose writes take their own time.


async def a_table(hub: Hub) -> Table:
    data = {"game": "pok", "seats": 3, "options": {}, "clock": "none", "listed": False, "tells": False}
    table = await hub.create("ada", data)
    for person in PEOPLE:
        await hub.ask(table.id, lambda t, now, p=person: t.sit(p, p, now))
        await hub.ask(table.id, lambda t, now, p=person: t.ready(p, True, now))
    await hub.ask(table.id, lambda t, now: t.start("ada", now))
    return table


class Restless:
    """A client at one seat: `sealed` is the last choice it was told is in, by the step of the game it was made in."""

    def __init__(self, hub: Hub, table: Table, seat: int, seed: str) -> None:
        self.hub, self.table, self.seat, self.rng = hub, table, seat, random.Random(seed)
        self.sealed: dict[int, int] = {}
        self.asked = 0

    async def play(self) -> None:
        while self.table.status != OVER:
            await asyncio.sleep(self.rng.random() * 0.0005)
            if self.table.turn not in (CHANCE, NOBODY):
                await self._seal()

    async def _seal(self) -> None:
        play = self.table.play
        assert play is not None
        step, choices = play.state.step, play.view(self.seat).choices
        if not choices or (step in self.sealed and self.rng.random() < 0.7):
            return
        choice, self.asked = self.rng.choice(choices), self.asked + 1
        choice_id = f"{self.seat} {self.asked}"
        for _ in range(self.rng.choice([1, 1, 2, 3])):  # the same message again, as after a lost answer
            await self._send(step, choice, choice_id)

    async def _send(self, step: int, choice: int, choice_id: str) -> None:
        def question(table: Table, now: float):
            in_time = table.play is not None and table.play.state.step == step
            return table.choose(PEOPLE[self.seat], self.seat, choice, choice_id, now) if in_time else []

        try:
            await self.hub.ask(self.table.id, question)
        except Refused:
            return
        if (self.seat, choice_id) in self.table.seen_ids:
            self.sealed[step] = choice


async def one_game(hub: Hub, number: int) -> int:
    """Plays a game with restless clients and compares every reveal with what they were told is in."""
    table = await a_table(hub)
    clients = [Restless(hub, table, seat, f"{number} {seat}") for seat in range(3)]
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(client.play() for client in clients))
    ids = [e["id"] for b in await _log(hub, table) for e in b if e.kind == "choice"]
    assert len(ids) == len(set(ids))
    return compared(table, clients)


async def _log(hub: Hub, table: Table):
    return list(batches(row.event for row in await hub.storage.events(table.id)))


def compared(table: Table, clients: list[Restless]) -> int:
    """Folds the game once more and looks at each reveal."""
    assert table.play is not None
    again = Table("again", game=table.game, seats=table.seats, options=table.options)
    again.play = type(table.play)(table.play.game, 3, table.options)
    reveals = 0
    for actor, value in table.play.steps:
        step = again.play.state.step
        if actor == CHANCE:
            again.play.happen(value)
            continue
        again.play.choose(actor, value)
        if again.play.state.step != step:
            reveals += 1
            assert again.play.state.shown[:3] == [client.sealed[step] for client in clients]
    return reveals


@pytest.mark.parametrize("part", range(2))
def test_no_choice_is_lost_or_doubled_on_a_real_database(part: int):
    async def work() -> int:
        storage = await open_storage("sqlite://")
        await storage.migrate()
        hub = Hub(storage, pace=Pace(0.0, (0.0, 0.0)))
        rounds = number = 0
        while rounds < ROUNDS // 4:
            rounds += sum(await asyncio.gather(*(one_game(hub, part * 100_000 + number + i) for i in range(8))))
            number += 8
        await hub.close()
        await storage.close()
        return rounds

    assert asyncio.run(work()) >= ROUNDS // 4
