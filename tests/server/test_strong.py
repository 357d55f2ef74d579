"""Strong bots at the tables: off the loop, shorter when many wait, and casual until they are ready."""

import asyncio
import threading
import time

import pytest

from pokade.games import GAMES
from pokade.games.play import Play, View
from pokade.server import strong
from pokade.server.strong import StrongBots

GAME = GAMES["pokopop"]


def view() -> View:
    play = Play(GAME, 3)
    for _ in range(2):
        play.happen(4)
    return play.view(0)


@pytest.fixture
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Nothing is compiled: a strong bot says 1, after a while, and writes down how long it was to think."""
    found: list[float] = []

    def bot(name, game, budget):
        def choose(_: View) -> int:
            found.append(budget.seconds)
            time.sleep(0.02)
            return 1

        return choose

    async def warmed(self: StrongBots, game: str) -> None:
        self._ready.add(game)

    monkeypatch.setattr(strong, "bot", bot)
    monkeypatch.setattr(strong, "player", lambda *_: lambda _: 0)
    monkeypatch.setattr(StrongBots, "_warm", warmed)
    return found


def test_before_its_code_is_ready_the_casual_level_plays(budgets: list[float]):
    async def choose() -> list[int]:
        bots = StrongBots()
        first = await bots.choose("strong", view())
        second = await bots.choose("strong", view())
        await bots.close()
        return [first, second]

    assert asyncio.run(choose()) == [0, 1]


def test_the_more_of_them_wait_the_shorter_each_thinks(budgets: list[float]):
    async def choose() -> None:
        bots = StrongBots(seconds=1.0)
        bots.get_ready(GAME.name)
        await asyncio.sleep(0)
        await asyncio.gather(*(bots.choose("strong", view()) for _ in range(10)))
        await bots.choose("strong", view())
        await bots.close()

    asyncio.run(choose())

    assert budgets[1:] == sorted(budgets[1:])  # the first began before the others came
    assert budgets[1] <= 1 / 9
    assert budgets[-1] == 1.0


def test_whoever_thinks_too_long_is_answered_for(budgets: list[float], monkeypatch: pytest.MonkeyPatch):
    stop = threading.Event()
    monkeypatch.setattr(strong, "bot", lambda *_, **__: lambda _: int(stop.wait(30)))

    async def choose() -> tuple[int, int, list[int]]:
        bots = StrongBots(patience=0.05)
        bots.get_ready(GAME.name)
        await asyncio.sleep(0)
        chosen = await bots.choose("strong", view())
        stop.set()
        await bots.close()
        return chosen, bots.stood_in, bots.took.counts

    chosen, stood_in, took = asyncio.run(choose())

    assert (chosen, stood_in) == (0, 1)
    assert sum(took) == 1  # that it took too long is counted too


def test_a_machine_that_cannot_compile_has_casual_bots(monkeypatch: pytest.MonkeyPatch):
    told: list[BaseException] = []
    monkeypatch.setattr(strong.sys, "executable", "/nowhere/python")
    monkeypatch.setattr(strong, "log_bug", told.append)

    async def choose() -> list[int]:
        bots = StrongBots()
        chosen = [await bots.choose("strong", view()) for _ in range(3)]
        await bots.close()
        return chosen

    assert set(asyncio.run(choose())) <= {0, 1}
    assert [type(error) for error in told] == [FileNotFoundError]
