"""Clients that resend, change their minds, come late and vanish: no choice is lost and none counts twice."""

import asyncio
import random

import pytest

from pokade.games.errors import Refused
from pokade.games.state import CHANCE, NOBODY
from pokade.server.events import batches
from pokade.server.hub import Hub, Pace
from pokade.server.storage import open_storage
from pokade.server.table import OVER, Table

PEOPLE = ("ada", "ben", "cleo")
ROUNDS = 2_000


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
    async with asyncio.timeout(60):
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
def test_no_choice_is_lost_or_doubled(part: int):
    async def work() -> int:
        storage = await open_storage("sqlite://")
        await storage.migrate()
        hub = Hub(storage, pace=Pace(0.0, (0.0, 0.0)))
        rounds = number = 0
        while rounds < ROUNDS // 2:
            rounds += sum(await asyncio.gather(*(one_game(hub, part * 100_000 + number + i) for i in range(8))))
            number += 8
        await hub.close()
        await storage.close()
        return rounds

    assert asyncio.run(work()) >= ROUNDS // 2
