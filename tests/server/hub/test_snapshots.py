"""Snapshots: a table that is folded from one and the rest of the log is the table that the whole log gives."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOBODY
from pokade.server.hub import Hub, snapshots
from pokade.server.hub.codec import stored
from pokade.server.hub.snapshots import frozen, thawed
from pokade.server.storage import Snapshot, Storage, open_storage
from pokade.server.table import OPEN, OVER, PACES, STAND_IN, Seat, Table, create, events, newcomers
from pokade.server.table.events import KINDS, Event
from pokade.server.table.lessons import lesson
from pokade.server.views.frames import Audience

PEOPLE = ("ada", "ben", "cleo", "dora", "emil", "fay", "gus", "hal")
A_DAY = 86_400.0
every_game = pytest.mark.parametrize("game", GAMES)
Question = Callable[[], Sequence[Event]]


class Restless:
    """A table at which people do all that can be done, again and again."""

    def __init__(self, game: str, seed: int) -> None:
        self.rng, self.chance, self.now = random.Random(f"{game} {seed}"), Seeded(f"{game} {seed}"), 1000.0
        self.audience, self.log, self.number = Audience(Table("t1")), list[list[Event]](), 0
        script = lesson(game) if seed % 8 == 7 else None
        seats = len(script.names) if script else 4
        options = {option.name: option.default(seats) for option in GAMES[game].options if seed % 2}
        settings = {"game": game, "seats": seats, "options": options, "clock": self.rng.choice(["none", "20s"])}
        named = {"code": "ABCD", "commitment": "c0", "secret": "5e", "host": "ada", "follows": "t0"}
        taught = {"script": script.data()} if script else {}
        self.do(create(settings | named | taught | {"listed": True, "tells": bool(seed % 2)}, self.now))

    @property
    def table(self) -> Table:
        return self.audience.table

    def do(self, batch: Sequence[Event]) -> None:
        if batch:
            self.log.append(list(batch))
            self.audience.frames(self.table.apply(batch), ())

    def evening(self, steps: int) -> "Restless":
        for _ in range(steps):
            self.now += self.rng.choice([0.0, 1.0, 30.0])
            with contextlib.suppress(Refused):
                self.do(self.rng.choice(self.moves())())
        return self

    def moves(self) -> list[Question]:
        """What anybody may ask of a table, the game's own business ten times as often as the rest."""
        table, now, person = self.table, self.now, self.rng.choice(PEOPLE)
        seats, yes = range(len(table.seats)), self.rng.random() < 0.7
        seat, other = self.rng.choice(seats), self.rng.choice(seats)
        asked: list[Question] = [
            lambda: table.sit(person, person.title(), now, seat),
            lambda: table.seat_bot("ada", seat, STAND_IN, "", now),
            lambda: table.ready(person, yes, now),
            lambda: table.speak(person, "", "words", now),
            lambda: table.mute(person, other, yes, now),
            lambda: table.set_pace(person, self.rng.choice(list(PACES)), now),
            lambda: table.leave(person, now),
            lambda: table.come_back(person, now),
        ]
        if table.status == OPEN:
            before: list[Question] = [
                lambda: table.remove(table.host, seat, now),
                lambda: table.resize(table.host, 3 + yes, now),
                lambda: table.salt(person, seat, "salt", now),
                lambda: table.pass_on(table.host, (person,), now),
            ]
            return [*asked, *asked, *before, lambda: table.start(table.host, now)]
        if table.status == OVER:
            return [*asked, lambda: table.follow(person, "t2", "WXYZ", now)]
        during: list[Question] = [
            lambda: table.give(table.host, seat, now),
            lambda: table.stand_by(seat, now),
            lambda: table.pause(table.host, yes, now),
            lambda: table.pause(table.host, False, now + A_DAY),
            lambda: table.call(person, now),
            lambda: self.run_out_of_time(person),
            lambda: newcomers.ask_for(table, person, person.title(), seat, now),
            lambda: newcomers.agree(table, person, seat, now),
            lambda: newcomers.agree(table, table.host, seat, now),
            lambda: newcomers.dismiss(table, table.host, seat, now) if yes else newcomers.withdraw(table, person, now),
            lambda: newcomers.let_in(table, now),
            lambda: table.vote(person, now) if self.rng.random() < 0.3 else [],
            lambda: [table.ended("played", now)] if table.turn == NOBODY else [],
        ]
        return [*asked, *during, *([self.go_on] * 40)]

    def go_on(self) -> Sequence[Event]:
        """Chance, or somebody's choice, or a change of mind."""
        play = self.table.play
        assert play is not None
        if self.table.turn == CHANCE:
            return self.table.chance([play.game.outcome_at(play.state, self.chance.draw(self.tickets(play)))], self.now)
        if not self.table.due:
            return []
        seat = self.rng.choice(self.table.due)
        choice = play.game.choice_at(play.state, seat, self.rng.randrange(play.game.n_choices(play.state, seat)))
        person = self.table.seats[seat].person
        self.number += 1
        if person is None or self.rng.random() < 0.2:
            return self.table.play_for(seat, choice, self.now)
        return self.table.choose(person, seat, choice, f"id {self.number}", self.now)

    def run_out_of_time(self, person: str) -> Sequence[Event]:
        """Somebody calls time, and the house plays for all who are missing."""
        play = self.table.play
        assert play is not None
        self.now += 70.0
        self.do(self.table.call(person, self.now))
        self.now += 30.0
        first = {seat: play.game.choice_at(play.state, seat, 0) for seat in self.table.missing}
        return [event for seat, choice in first.items() for event in self.table.play_for(seat, choice, self.now)]

    def tickets(self, play: Play) -> int:
        return play.game.tickets(play.state)


def plain(value: Any) -> Any:
    """Everything that is in a value, down to the last number."""
    if isinstance(value, Play):
        return {"game": value.game.name, "state": plain(value.state), "steps": value.steps}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return [plain(one) for one in value] if isinstance(value, list) else value


def evenings(game: str) -> Iterator[Restless]:
    for seed in range(16):
        yield Restless(game, seed).evening(700)


@every_game
def test_a_snapshot_and_the_rest_of_the_log_are_the_whole_log(game: str):
    for evening in evenings(game):
        cut = evening.rng.randrange(1, len(evening.log))
        first = Audience(Table("t1"))
        for batch in evening.log[:cut]:
            first.frames(first.table.apply(batch), ())

        again = thawed(frozen(first))
        assert plain(again) == plain(first)
        for batch in evening.log[cut:]:
            again.frames(again.table.apply(batch), ())

        assert plain(again) == plain(evening.audience)
        viewers = range(-1, len(again.table.seats))
        assert [again.snapshot(v) for v in viewers] == [evening.audience.snapshot(v) for v in viewers]


def test_these_evenings_have_every_kind_of_event_and_use_every_field():
    kinds, used = set[str](), set[str]()
    for game in GAMES:
        for evening in evenings(game):
            audience = Audience(Table("t1"))
            for batch in evening.log:
                kinds |= {event.kind for event in batch}
                audience.frames(audience.table.apply(batch), ())
                used |= changed(audience, Audience(Table("")))
                used |= changed(audience.table, Table(""))
                used |= {name for seat in audience.table.seats for name in changed(seat, Seat())}

    assert set(KINDS) - kinds == set()
    wanted = {f"{cls.__name__}.{field.name}" for cls in (Audience, Table, Seat) for field in snapshots._kept(cls)}
    assert wanted - used == set()


def changed(one: Any, fresh: Any) -> set[str]:
    names = [field.name for field in fields(one)]
    return {f"{type(one).__name__}.{name}" for name in names if getattr(one, name) != getattr(fresh, name)}


def test_a_type_that_a_snapshot_could_not_give_back_is_refused():
    with pytest.raises(TypeError):
        snapshots._thaw(list[range])
    with pytest.raises(TypeError):
        snapshots._as_plain(object())


async def written(storage: Storage, evening: Restless) -> None:
    version = 1
    for batch in evening.log:
        await storage.append("t1", version, stored(batch))
        version += len(batch)


async def settled(hub: Hub) -> None:
    """All background tasks of a hub are done."""
    while not hub.background.is_idle:
        await hub.background.settle()


class Counting:
    """A storage that counts the events which are read from it."""

    def __init__(self, storage: Storage) -> None:
        self._storage, self.read = storage, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def events(self, table: str, after: int = 0, limit: int | None = None) -> Any:
        found = await self._storage.events(table, after, limit)
        self.read += len(found)
        return found


async def test_a_table_that_was_let_go_is_folded_from_its_last_snapshot(url: str, runner: asyncio.Runner):
    evening, storage = Restless("poch", 3).evening(700), await open_storage(url)
    for number in range(2 * snapshots.EVERY):
        evening.do([Event(events.CHAT, evening.now, {"seat": 0, "name": "Ada", "text": f"{number}"})])
    await storage.migrate()
    await written(storage, evening)
    first = Hub(storage)
    await first.room("t1")
    await settled(first)
    await first.close()
    counting = Counting(storage)
    second = Hub(counting)  # type: ignore[arg-type]  # it passes everything on

    room = await second.room("t1")

    assert counting.read < 500
    assert plain(room.table) == plain(evening.table)
    await second.close()
    await storage.close()


async def test_a_table_is_kept_every_few_hundred_events(url: str, runner: asyncio.Runner):
    storage = await open_storage(url)
    await storage.migrate()
    hub = Hub(storage)
    data = {"game": "pok", "seats": 3, "options": {}, "clock": "none", "listed": False, "tells": False}
    table = await hub.create("ada", data)
    await hub.ask(table.id, lambda t, now: t.sit("ada", "Ada", now))
    assert await storage.snapshot(table.id) is None

    for _ in range(2 * snapshots.EVERY):
        await hub.ask(table.id, lambda t, now: t.speak("ada", "", "words", now))
    await settled(hub)

    found = await storage.snapshot(table.id)
    assert found is not None
    assert table.version - snapshots.EVERY < found.version <= table.version
    assert thawed(found.body).table.version == found.version
    await hub.close()
    await storage.close()


@pytest.mark.parametrize("wrong", [{"maker": "another program"}, {"body": b"{}"}, {"body": b"nothing"}])
async def test_a_snapshot_of_another_program_or_a_broken_one_is_ignored(
    url: str, runner: asyncio.Runner, wrong: dict[str, Any]
):
    evening, storage = Restless("pok", 2).evening(300), await open_storage(url)
    await storage.migrate()
    await written(storage, evening)
    other = Restless("pok", 5).evening(20).audience
    await storage.put_snapshot("t1", replace(Snapshot(20, snapshots.maker(), frozen(other)), **wrong))
    hub = Hub(storage)

    room = await hub.room("t1")

    assert plain(room.table) == plain(evening.table)
    await hub.close()
    await storage.close()


async def test_the_snapshot_that_got_further_stays(storage: Storage):
    await storage.put_snapshot("t", Snapshot(800, "a", b"newer"))
    await storage.put_snapshot("t", Snapshot(400, "a", b"older"))
    assert await storage.snapshot("t") == Snapshot(800, "a", b"newer")

    await storage.put_snapshot("t", Snapshot(400, "b", b"another program's"))

    assert await storage.snapshot("t") == Snapshot(400, "b", b"another program's")
    assert await storage.snapshot("u") is None


async def test_a_long_log_is_folded_in_slices_and_a_long_batch_is_whole(storage: Storage):
    first = create(
        {"game": "pok", "seats": 3, "options": {}, "clock": "none", "listed": False, "tells": False}
        | {"code": "ABCD", "commitment": "c0", "host": "ada"},
        0.0,
    )
    said = [Event(events.CHAT, 0.0, {"seat": 0, "name": "Ada", "text": f"{n}"}) for n in range(1000)]
    await storage.append("t1", 1, stored(first))
    await storage.append("t1", 2, stored(said))
    hub = Hub(storage)

    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    counting = asyncio.create_task(count())
    room = await hub.room("t1")
    counting.cancel()

    assert room.table.version == 1001
    assert turns > 3
    await hub.close()
