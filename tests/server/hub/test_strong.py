"""Strong bots at the tables: off the loop, shorter when many wait, and casual until they are ready."""

import asyncio
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from pokade import locks
from pokade.arena import bots as arena_bots
from pokade.arena import warm
from pokade.arena.bots import Budget, bot_at_once, thought
from pokade.arena.searching import Search
from pokade.games import GAMES
from pokade.games.play import Play, View
from pokade.games.pokopop import POKO
from pokade.server.hub import Hub, strong
from pokade.server.hub.bots import Bots
from pokade.server.hub.strong import StrongBots
from pokade.server.storage import open_storage
from pokade.server.table import OPEN, Seat, Table
from tests.games.test_pokopop import dealt, in_final_round, lay
from tests.patience import PATIENCE, until, wait_until

GAME = GAMES["pokopop"]
CROWD = 10
CASUAL = 99  # what nobody can choose
pytestmark = pytest.mark.xdist_group("search of pokopop")


def view() -> View:
    play = Play(GAME, 3)
    for _ in range(2):
        play.happen(4)
    return play.view(0)


@pytest.fixture
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Nothing is compiled: a strong bot says 1, and writes down how long it was to think."""
    found: list[float] = []

    def bot(name, game, budget):
        def choose(_: View) -> int:
            found.append(budget.seconds)
            return 1

        return choose

    async def made(self: StrongBots, game: str) -> None:
        self._ready.add(game)

    monkeypatch.setattr(strong, "bot", bot)
    monkeypatch.setattr(strong, "player", lambda *_: lambda _: 0)
    monkeypatch.setattr(StrongBots, "_make", made)
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
        bots = StrongBots(seconds=1.0, patience=PATIENCE)
        bots.get_ready(GAME.name)
        await asyncio.sleep(0)
        everybody_is_there = threading.Event()
        bots._pool.submit(everybody_is_there.wait, PATIENCE)  # nobody thinks before
        choices = asyncio.gather(*(bots.choose("strong", view()) for _ in range(CROWD)))
        while bots._waiting < CROWD:
            await asyncio.sleep(0)
        everybody_is_there.set()
        await choices
        await bots.choose("strong", view())
        await bots.close()

    asyncio.run(choose())

    assert budgets[0] == 1 / CROWD
    assert budgets == sorted(budgets)  # those who have thought no longer wait
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


def test_an_answer_is_counted_when_it_may_be_known(budgets: list[float]):
    async def choose() -> None:
        bots, sealed = StrongBots(), []
        for _ in range(2):  # one of a bot that stands in, one of its own
            await bots.choose("strong", view(), sealed.append)
        assert (bots.stood_in, sum(bots.took.counts)) == (0, 0)
        for count in sealed:
            count()
        assert (bots.stood_in, sum(bots.took.counts)) == (1, 1)
        await bots.close()

    asyncio.run(choose())


def test_a_machine_that_cannot_compile_has_casual_bots(monkeypatch: pytest.MonkeyPatch):
    told: list[BaseException] = []
    monkeypatch.setattr(strong.sys, "executable", "/nowhere/python")
    monkeypatch.setattr(strong, "log_bug", told.append)
    monkeypatch.setattr(strong, "player", lambda level, _: lambda _: CASUAL if level == "casual" else 0)

    async def choose() -> tuple[list[int], int]:
        bots = StrongBots()
        bots.get_ready(GAME.name)
        await bots._compiling
        chosen = [await bots.choose("strong", view()) for _ in range(3)]
        await bots.close()
        return chosen, bots.stood_in

    assert asyncio.run(choose()) == ([CASUAL] * 3, 3)
    assert [type(error) for error in told] == [FileNotFoundError]


# What is compiled, and when.


class Compilers:
    """Nothing is compiled: each game is done when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.loaded: list[str] = []
        self._done: dict[str, asyncio.Event] = {}
        monkeypatch.setattr(strong, "warm", lambda game: self.loaded.append(game.name))
        monkeypatch.setattr(StrongBots, "_compile", lambda _, game: self._compile(game))

    async def _compile(self, game: str) -> None:
        self.begun.append(game)
        await self._done.setdefault(game, asyncio.Event()).wait()

    async def finish(self, game: str) -> None:
        begun = len(self.begun)
        self._done[game].set()
        await until(lambda: len(self.begun) > begun)


def test_one_compiler_runs_at_a_time_and_begins_with_what_is_most_waited_for(monkeypatch: pytest.MonkeyPatch):
    async def work() -> None:
        compilers, bots = Compilers(monkeypatch), StrongBots()
        bots.make_ahead(["pokerdice"])
        await until(lambda: compilers.begun)
        bots.make_ahead(GAMES)
        for game in ("pok", "pokopop", "pokopop"):
            bots.get_ready(game)
        for game in ("pokerdice", "pokopop", "pok"):
            assert compilers.begun[-1] == game
            await compilers.finish(game)
        assert compilers.begun == ["pokerdice", "pokopop", "pok", "poch"]
        assert compilers.loaded == ["pokopop", "pok"]  # for whom somebody waits
        await bots.close()

    asyncio.run(work())


def test_what_is_made_ahead_is_loaded_when_somebody_waits_for_it(monkeypatch: pytest.MonkeyPatch):
    async def work() -> None:
        compilers, told = Compilers(monkeypatch), []
        bots = StrongBots(tell=told.append)
        bots.make_ahead(["pok"])
        await until(lambda: compilers.begun)
        compilers._done["pok"].set()
        await until(lambda: bots._compiling is None)
        assert (compilers.loaded, bots.is_ready("pok"), told) == ([], False, [])
        bots.get_ready("pok")
        await until(lambda: bots._compiling is None)
        assert (compilers.begun, compilers.loaded, bots.is_ready("pok"), told) == (["pok"], ["pok"], True, ["pok"])
        await bots.close()

    asyncio.run(work())


def test_after_a_compiler_that_was_killed_nothing_is_compiled_among_the_tables(monkeypatch: pytest.MonkeyPatch):
    told: list[BaseException] = []
    monkeypatch.setattr(strong, "log_bug", told.append)
    monkeypatch.setattr(strong, "warm", lambda _: pytest.fail("compiled here"))
    monkeypatch.setattr(strong.sys, "executable", "/bin/false")

    async def work() -> bool:
        bots = StrongBots()
        bots.get_ready(GAME.name)
        await bots._compiling
        bots.get_ready(GAME.name)
        await bots.close()
        return bots.is_ready(GAME.name)

    assert not asyncio.run(work())
    assert [type(error) for error in told] == [ChildProcessError]


def test_processes_that_compile_wait_for_each_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    tries, slept = iter([False, False, True]), []
    monkeypatch.setattr(locks, "lock_now", lambda _: next(tries))
    monkeypatch.setattr(locks.time, "sleep", slept.append)

    with locks.one_at_a_time(tmp_path / "cache" / "compiling.lock"):
        assert slept == [locks.GLANCE] * 2


def test_a_table_says_while_the_casual_level_stands_in(monkeypatch: pytest.MonkeyPatch):
    async def work() -> None:
        compilers, frames = Compilers(monkeypatch), asyncio.Queue()
        storage = await open_storage("sqlite://")
        await storage.migrate()
        hub = Hub(storage)
        table = await hub.create(
            "ada", {"game": "pok", "seats": 3, "options": {}, "clock": "none", "listed": False, "tells": False}
        )
        await hub.listen(table.id, "ada", frames)
        await hub.ask(table.id, lambda t, now: t.sit("ada", "Ada", now))
        assert bots_frames(frames) == []
        await hub.ask(table.id, lambda t, now: t.seat_bot("ada", 1, "strong-bold", "Robi", now))
        assert bots_frames(frames) == [{"kind": "bots", "ready": False}]
        await hub.ask(table.id, lambda t, now: t.seat_bot("ada", 2, "casual", "Rita", now))
        assert bots_frames(frames) == []
        await until(lambda: compilers.begun)
        compilers._done["pok"].set()
        await until(lambda: hub.strong.is_ready("pok"))
        assert bots_frames(frames) == [{"kind": "bots", "ready": True}]
        await hub.listen(table.id, "ben", late := asyncio.Queue())
        assert bots_frames(late) == []
        await hub.close()
        await storage.close()

    asyncio.run(work())


def test_asking_whether_the_casual_level_stands_in_compiles_nothing():
    bots = Bots(lambda _: pytest.fail("nobody chooses"), lambda _: None)
    table = Table("t")
    table.status, table.game = OPEN, GAME.name
    table.seats = [Seat(bot="strong")]

    assert bots.has_stand_ins(table)
    assert bots.strong._next() is None
    table.seats = [Seat(bot="casual")]
    assert not bots.has_stand_ins(table)


def bots_frames(frames: "asyncio.Queue[bytes]") -> list[Any]:
    """What has come of them since the last time."""
    found = [orjson.loads(frames.get_nowait()) for _ in range(frames.qsize())]
    return [frame for frame in found if frame["kind"] == "bots"]


# The real search, for as long as its clock says.


def won_by_a_jump() -> View:
    """Only a jump for the last pile wins."""
    play = in_final_round(0, "5 5 5")
    lay(play, 1, "5 5")
    lay(play, 2, "5 4")
    return play.view(0)


def test_a_strong_bot_searches_once_its_code_is_compiled_in_another_process(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(strong, "player", lambda *_: pytest.fail("the casual level was asked"))
    started: list[Any] = []
    honest = asyncio.create_subprocess_exec

    async def start(*command: str, **how: Any) -> Any:
        assert how["start_new_session"]  # Ctrl-C in the server's terminal is not for it: it would print a traceback
        started.append((command[1:], await honest(*command, **how)))
        return started[-1][1]

    monkeypatch.setattr(strong.asyncio, "create_subprocess_exec", start)

    async def choose() -> tuple[list[int], int, int]:
        bots = StrongBots(patience=PATIENCE)
        bots.get_ready(GAME.name)
        await bots._compiling
        chosen = [await bots.choose("strong", won_by_a_jump()) for _ in range(3)]
        await bots.close()
        return chosen, bots.stood_in, sum(bots.took.counts)

    assert asyncio.run(choose()) == ([POKO] * 3, 0, 3)
    assert [(command, process.returncode) for command, process in started] == [
        (("-m", "pokade.arena.warm", "pokopop"), 0)
    ]


def test_the_other_process_compiles_every_game_it_is_told(monkeypatch: pytest.MonkeyPatch):
    compiled: list[str] = []
    monkeypatch.setattr(warm, "warm", lambda game: compiled.append(game.name))
    monkeypatch.setattr(warm.os, "nice", lambda _: None)
    monkeypatch.setattr(warm.signal, "signal", lambda *_: None)
    monkeypatch.setattr(warm.sys, "argv", ["warm", "poch", "pok"])

    warm.main()

    assert compiled == ["poch", "pok"]


def test_a_search_goes_on_until_its_time_is_up(monkeypatch: pytest.MonkeyPatch):
    def after(looks: int) -> SimpleNamespace:
        """A clock that shows that the time is up when it is looked at so often."""
        times = iter([0.0] * looks + [1.0])
        return SimpleNamespace(monotonic=lambda: next(times))

    monkeypatch.setattr(Search, "thinks_once", False)
    pondered: list[int] = []
    honest = Search.ponder
    monkeypatch.setattr(Search, "ponder", lambda self, n: pondered.append(n) or honest(self, n))
    for chunks in (1, 4):
        monkeypatch.setattr(arena_bots, "time", after(chunks))
        pondered.clear()

        chosen = thought(dealt("4 3 3").view(0), 7, Budget(seconds=0.5))

        assert pondered == [Search(GAME).chunk] * chunks
        assert chosen == thought(dealt("4 3 3").view(0), 7, Budget(iterations=sum(pondered)))


def test_nobody_waits_for_the_compiler_in_the_terminal(monkeypatch: pytest.MonkeyPatch):
    honest, may_compile = arena_bots.warm, threading.Event()
    monkeypatch.setattr(arena_bots, "warm", lambda game: may_compile.wait(PATIENCE) and honest(game))
    monkeypatch.setattr(arena_bots, "player", lambda level, _: lambda _: CASUAL if level == "casual" else 0)
    chooses = bot_at_once("strong", GAME, budget=Budget(iterations=150))

    assert chooses(won_by_a_jump()) == CASUAL
    may_compile.set()
    wait_until(lambda: chooses(won_by_a_jump()) == POKO)
