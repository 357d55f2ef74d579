"""Tables kept going: dice, bots and deadlines, one process or two, and after a restart."""

import asyncio
import contextlib
import math
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from pokade import fairness, records
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.game import Game
from pokade.games.play import View
from pokade.games.state import CHANCE, NOTHING, how_many
from pokade.players import RANDOM, player
from pokade.server.hub import A_DAY, Hub, Pace, sweeping
from pokade.server.hub.keeper import UNATTENDED
from pokade.server.hub.room import BOTS_HAVE_CHOSEN
from pokade.server.hub.times import A_MONTH, wait
from pokade.server.storage import StorageGone, open_storage
from pokade.server.table import CLOCKS, ON, OPEN, OVER, STAND_IN, Table
from pokade.server.table.terms import HOSTLESS
from tests.patience import PATIENCE, until
from tests.server.leaping import AN_HOUR, leap, leaping_hub, soon

AT_ONCE = Pace(reveal=0.0, bots=(0.0, 0.001))
every_game = pytest.mark.parametrize("game", GAMES)


class Clock:
    """Time that the test turns."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def hub_on(url: str, clock: Callable[[], float] | None = None) -> AsyncIterator[Hub]:
    storage = await open_storage(url)
    await storage.migrate()
    hub = Hub(storage, pace=AT_ONCE, clock=clock or Clock())
    await hub.attend()
    try:
        yield hub
    finally:
        await hub.close()
        await storage.close()


async def opened(hub: Hub, game: str, bots: int, clock: str = "none") -> Table:
    """A table with Ada at seat 0, bots behind her, and friends on the rest."""
    n = GAMES[game].usual_seats
    data = {"game": game, "seats": n, "options": {}, "clock": clock, "listed": True, "tells": False}
    table = await hub.create("ada", data)
    await hub.ask(table.id, lambda t, now: t.sit("ada", "Ada", now))
    for seat in range(1, n):
        if seat <= bots:
            await hub.ask(table.id, lambda t, now, s=seat: t.seat_bot("ada", s, STAND_IN, f"Bot {s}", now))
        else:
            await hub.ask(table.id, lambda t, now, s=seat: t.sit(f"p{s}", f"P{s}", now))
            await hub.ask(table.id, lambda t, now, s=seat: t.ready(f"p{s}", True, now))
    await hub.ask(table.id, lambda t, now: t.start("ada", now))
    return table


def run(work: Awaitable[None]) -> None:
    asyncio.run(work)  # type: ignore[arg-type]  # a coroutine is what every test gives


@every_game
def test_bots_play_a_whole_game_when_everybody_has_left(game: str):
    async def work() -> None:
        async with hub_on("sqlite://") as hub:
            table = await opened(hub, game, bots=GAMES[game].usual_seats - 1)
            await hub.ask(table.id, lambda t, now: t.leave("ada", now))
            await until(lambda: table.status == OVER)
            assert table.ending == "played"
            proof = fairness.proof_of(bytes.fromhex(table.seed), table.id, [s.salt for s in table.seats])
            assert table.play is not None
            text = records.write(table.play, [s.name for s in table.seats], notes=table.notes, proof=proof)
            assert fairness.verify(records.read(text), table.commitment)

    run(work())


def test_a_table_goes_on_after_the_process_that_served_it_is_gone(url: str):
    async def work() -> None:
        async with hub_on(url) as first:
            table = await opened(first, "pok", bots=3)
            await until(lambda: table.turn not in (0, CHANCE))
            await first.ask(table.id, lambda t, now: t.choose("ada", 0, 0, "one", now))
            version = table.version
        async with hub_on(url) as second:
            again = (await second.room(table.id)).table
            assert again.version >= version
            assert (0, "one") in again.seen_ids
            await second.ask(table.id, lambda t, now: t.leave("ada", now))
            await until(lambda: again.status == OVER)

    run(work())


def test_two_processes_serve_one_table_and_nothing_happens_twice(url: str):
    async def work() -> None:
        async with hub_on(url) as one, hub_on(url) as two:
            table = await opened(one, "pok", bots=3)
            other = (await two.room(table.id)).table
            await until(lambda: table.turn not in (0, CHANCE))
            for hub in (one, two):
                await hub.ask(table.id, lambda t, now: t.choose("ada", 0, 0, "same id", now))
            await one.ask(table.id, lambda t, now: t.leave("ada", now))
            await until(lambda: table.status == OVER)
            logged = await one.storage.events(table.id)
            assert [row.version for row in logged] == list(range(1, len(logged) + 1))
            assert table.play is not None
            sealed = [step for step in table.play.steps[:8] if step[0] == 0]
            assert len(sealed) == 1
            async with asyncio.timeout(PATIENCE):
                while other.status != OVER:
                    await two._log.follow(two.rooms[table.id])  # a database without notices between processes
            assert other.play is not None
            assert other.play.steps == table.play.steps

    run(work())


def test_a_missed_deadline_is_played_by_the_house_once():
    async def work() -> None:
        clock = Clock()
        async with hub_on("sqlite://", clock) as hub:
            table = await opened(hub, "pok", bots=0, clock="20s")
            await until(lambda: table.turn not in (0, CHANCE))
            for seat in range(3):
                who = "ada" if seat == 0 else f"p{seat}"
                await hub.ask(table.id, lambda t, now, w=who, s=seat: t.choose(w, s, 0, f"{s}", now))
            clock.now += 21
            hub.rooms[table.id].woken.set()
            await until(lambda: bool(table.notes))
            assert table.notes[0][1] == "timeout p4"
            assert table.play is not None
            assert table.play.state.round >= 1

    run(work())


def test_a_rematch_brings_the_same_people_one_seat_further():
    async def work() -> None:
        async with hub_on("sqlite://") as hub:
            table = await opened(hub, "pok", bots=1)
            with pytest.raises(Refused) as refusal:
                await hub.rematch(table.id, "ada")
            assert refusal.value.code == "table/on"
            await hub.ask(table.id, lambda t, now: [t.ended("voted", now)])

            new = await hub.rematch(table.id, "ada")
            again = await hub.rematch(table.id, "p2")

            assert new.id == again.id == table.rematch
            assert [seat.name for seat in new.seats] == ["P3", "Ada", "Bot 1", "P2"]
            assert (new.host, new.status) == ("ada", "open")
            assert new.commitment != table.commitment

    run(work())


@pytest.mark.parametrize("stored", range(4))
def test_a_rematch_that_is_cut_off_leads_nobody_to_an_empty_table(stored: int, monkeypatch: pytest.MonkeyPatch):
    async def work() -> None:
        async with hub_on("sqlite://") as hub:
            table = await opened(hub, "pok", bots=1)
            await hub.ask(table.id, lambda t, now: [t.ended("voted", now)])
            append, left = hub.storage.append, stored

            async def append_a_few(*args: Any, **more: Any) -> None:
                nonlocal left
                left -= 1
                if left < 0:
                    raise StorageGone("the server was killed here")
                await append(*args, **more)

            monkeypatch.setattr(hub.storage, "append", append_a_few)
            with contextlib.suppress(StorageGone):
                await hub.rematch(table.id, "ada")
            monkeypatch.undo()

            assert bool(table.rematch) == (stored == 3)
            new = await hub.rematch(table.id, "p2")
            assert [seat.name for seat in new.seats] == ["P3", "Ada", "Bot 1", "P2"]

    run(work())


def test_a_table_that_nobody_comes_back_to_ends_after_a_day():
    async def work() -> None:
        clock = Clock()
        async with hub_on("sqlite://", clock) as hub:
            table = await opened(hub, "pok", bots=0)
            await until(lambda: table.turn not in (0, CHANCE))
            await hub.sweep()
            assert table.status == ON
            clock.now += A_DAY + 1
            await hub.sweep()
            assert (table.status, table.ending) == (OVER, "forgotten")

    run(work())


def test_tables_that_may_wait_for_a_month_do_not_keep_others_from_being_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sweeping, "SWEPT", 2)

    async def work() -> None:
        clock = Clock()
        async with hub_on("sqlite://", clock) as hub:
            tables = []
            for pace in ("1day", "1day", "1day", "none"):
                clock.now += 1
                tables.append(await waiting(hub, pace, "ada", "ben"))
            clock.now += A_DAY + 1
            for _ in range(3):
                await hub.sweep()
            found = [(await hub.room(table.id)).table.ending for table in tables]
            assert found == ["", "", "", "forgotten"]

            clock.now += A_MONTH
            for _ in range(3):
                await hub.sweep()
            assert [(await hub.room(table.id)).table.ending for table in tables] == ["forgotten"] * 4

    run(work())


def test_a_table_that_somebody_looks_at_through_another_process_is_not_forgotten(postgres_url: str):
    async def work() -> None:
        clock = Clock()
        async with hub_on(postgres_url, clock) as one, hub_on(postgres_url, clock) as other:
            table = await waiting(one, "none", "ada", "ben")
            await other.listen(table.id, "ben", asyncio.Queue(100))
            await other.background.settle()
            clock.now += A_DAY + 1
            await other._presence.stay()
            await one.sweep()
            assert table.status == OPEN

    run(work())


def test_a_slow_reader_is_dropped_and_holds_nobody_up():
    async def work() -> None:
        async with hub_on("sqlite://") as hub:
            table = await opened(hub, "pok", bots=3)
            slow = await hub.listen(table.id, "watcher", asyncio.Queue(2))
            await hub.ask(table.id, lambda t, now: t.leave("ada", now))
            await until(lambda: table.status == OVER)
            assert slow.is_dropped

    run(work())


def test_an_unknown_table_is_refused():
    async def work() -> None:
        async with hub_on("sqlite://") as hub:
            with pytest.raises(Refused) as refusal:
                await hub.room("nowhere")
            assert refusal.value.code == "table/unknown"

    run(work())


def test_whom_another_process_sees_is_not_gone(postgres_url: str):
    async def work() -> None:
        clock = Clock()
        async with hub_on(postgres_url, clock) as one, hub_on(postgres_url, clock) as other:
            table = await opened(one, "pok", bots=2)
            await other.listen(table.id, "ada", asyncio.Queue(100))
            await other.background.settle()  # the others have been told, before the clock moves
            await one.room(table.id)
            await until(lambda: table.turn > 0)
            for _ in range(8):  # more than five minutes, in which the process that sees her says so
                clock.now += 40
                await other.sweep()
                for hub in (one, other):
                    hub.rooms[table.id].woken.set()
            await until(lambda: table.seats[3].is_standby)  # whom nobody sees; her turn came before his
            assert not table.seats[0].is_standby

    run(work())


def test_who_does_not_come_back_after_a_restart_is_gone_after_the_grace(sqlite_url: str):
    async def work() -> None:
        clock = Clock()
        async with hub_on(sqlite_url, clock) as hub:
            table = await opened(hub, "pok", bots=2)
        async with hub_on(sqlite_url, clock) as hub:
            room = await hub.room(table.id)
            await until(lambda: room.table.turn > 0)
            clock.now += 301
            room.woken.set()
            await until(lambda: room.table.seats[0].is_standby)

    run(work())


def test_a_table_that_nobody_looks_at_needs_no_memory_and_comes_back(sqlite_url: str):
    async def work() -> None:
        async with hub_on(sqlite_url) as hub:
            n = GAMES["pok"].usual_seats
            data = {"game": "pok", "seats": n, "options": {}, "clock": "none", "listed": True, "tells": False}
            table = await hub.create("ada", data)
            listener = await hub.listen(table.id, "ada", asyncio.Queue(10))
            await hub.sweep()
            assert table.id in hub.rooms
            await hub.unlisten(table.id, listener)
            await hub.sweep()
            assert table.id not in hub.rooms
            assert (await hub.room(table.id)).table.code == table.code

    run(work())


def test_people_see_the_last_reveal_before_the_table_is_over():
    async def work() -> None:
        async with leaping_hub(Pace(reveal=1.0, bots=(0.0, 0.0))) as hub:
            table = await opened(hub, "pok", bots=GAMES["pok"].usual_seats - 1)
            await hub.listen(table.id, "ada", asyncio.Queue())
            while not table.play.is_over:
                await soon(lambda: 0 in table.missing or table.play.is_over)
                if 0 in table.missing:
                    first, choice_id = table.play.view(0).choices[0], f"id {table.step}"
                    await hub.ask(table.id, lambda t, now, c=first, i=choice_id: t.choose("ada", 0, c, i, now))
                await soon(lambda: 0 not in table.missing)
            assert table.status == ON  # the winning hands still lie open
            await asyncio.sleep(AN_HOUR)
            assert table.status == OVER

    leap(work())


def test_a_house_can_hold_each_reveal_until_all_have_tapped_next():
    async def work() -> None:
        async with leaping_hub(Pace(reveal=math.inf, bots=(0.0, 0.0))) as hub:
            table = await opened(hub, "pok", bots=GAMES["pok"].usual_seats - 2)
            last = len(table.seats) - 1
            people = {0: "ada", last: f"p{last}"}
            for person in people.values():
                await hub.listen(table.id, person, asyncio.Queue())
            await soon(lambda: table.turn != CHANCE)
            for seat, person in people.items():
                await hub.ask(table.id, lambda t, now, s=seat, who=person: t.choose(who, s, 0, who, now))
            await soon(lambda: table.turn == CHANCE)
            step = table.step

            await hub.tap_next(table.id, "ada")
            await asyncio.sleep(AN_HOUR)
            assert table.step == step
            await hub.tap_next(table.id, people[last])
            await soon(lambda: table.step > step)

    leap(work())


def test_a_reveal_is_over_when_all_who_look_have_tapped_next_and_not_before():
    async def work() -> None:
        async with leaping_hub(Pace(reveal=1.0, bots=(0.0, 0.0))) as hub:
            table = await opened(hub, "pok", bots=2)
            for person in ("ada", "p3"):
                await hub.listen(table.id, person, asyncio.Queue())
            await soon(lambda: 0 in table.missing)
            for seat, person in ((0, "ada"), (3, "p3")):
                await hub.ask(table.id, lambda t, now, s=seat, p=person: t.choose(p, s, 0, p, now))
            await soon(lambda: table.turn == CHANCE)
            reveal = table.step

            await hub.tap_next(table.id, "ada")
            await asyncio.sleep(1.0)
            assert table.step == reveal
            await hub.tap_next(table.id, "p3")
            await asyncio.sleep(0.1)
            assert table.step > reveal

    leap(work())


@pytest.mark.parametrize("has_sealed", [True, False])
def test_whether_a_bot_has_sealed_never_decides_if_a_table_stays_in_memory(has_sealed: bool):
    async def work() -> None:
        clock, answers = Clock(), asyncio.Event()

        async def think(choice: Callable[[], int]) -> int:
            await answers.wait()
            return choice()

        storage = await open_storage("sqlite://")
        await storage.migrate()
        hub = Hub(storage, pace=AT_ONCE, clock=clock, think=think)
        table = await opened(hub, "pok", bots=3, clock="1day")
        if has_sealed:
            answers.set()
        await until(lambda: table.turn > 0 and len(table.chosen) == (3 if has_sealed else 0))

        clock.now = table.opened_at + BOTS_HAVE_CHOSEN - 1
        await hub.sweep()
        assert table.id in hub.rooms
        clock.now += 1
        await hub.sweep()
        assert table.id not in hub.rooms
        await hub.close()
        await storage.close()

    run(work())


def test_the_house_takes_its_time_for_those_who_miss_the_deadline_too():
    async def work() -> None:
        async with leaping_hub(Pace(reveal=0.0, bots=(1.5, 1.5))) as hub:
            table = await opened(hub, "pok", bots=0, clock="20s")
            await soon(lambda: table.turn > 0)
            step, deadline = table.step, table.deadline
            await soon(lambda: table.step != step)
            assert table.stepped_at == pytest.approx(deadline + 1.5, abs=0.01)

    leap(work())


def always_raises(level: str, *_: object) -> Callable[[View], int]:
    def choose(_: View) -> int:
        raise ZeroDivisionError(level)

    return choose


def never_legal(*_: object) -> Callable[[View], int]:
    return lambda _: 99_999


@pytest.mark.parametrize("broken", [always_raises, never_legal])
def test_a_bot_whose_code_fails_holds_nobody_up_and_the_log_is_told_once(broken: Any, monkeypatch: pytest.MonkeyPatch):
    told: list[Exception] = []
    monkeypatch.setattr("pokade.server.hub.bots.random", random.Random(1))
    monkeypatch.setattr("pokade.server.hub.bots.player", broken)
    monkeypatch.setattr("pokade.server.hub.bots.log_bug", told.append)

    async def work() -> None:
        async with leaping_hub(Pace(reveal=0.0, bots=(0.5, 0.5))) as hub:
            table = await opened(hub, "pok", bots=GAMES["pok"].usual_seats - 1)
            await hub.ask(table.id, lambda t, now: t.leave("ada", now))
            await soon(lambda: table.status == OVER)
            assert table.ending == "played"

    leap(work())
    assert len(told) == 1


def test_a_bot_that_can_not_think_is_stood_in_for_by_one_that_can(monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []

    def answers(level: str, game: Game) -> Callable[[View], int]:
        asked.append(level)
        return player(level, game) if level == STAND_IN else always_raises(level)

    monkeypatch.setattr("pokade.server.hub.bots.player", answers)
    monkeypatch.setattr("pokade.server.hub.bots.log_bug", lambda _: None)

    async def work() -> None:
        async with leaping_hub(Pace(reveal=0.0, bots=(0.5, 0.5))) as hub:
            table = await waiting(hub, "none", "ada", "ben")
            await hub.ask(table.id, lambda t, now: t.seat_bot("ada", 2, RANDOM, "Rob", now))
            await hub.ask(table.id, lambda t, now: t.ready("ben", True, now))
            await hub.ask(table.id, lambda t, now: t.start("ada", now))
            await soon(lambda: 2 in table.chosen)

    leap(work())
    assert asked == [RANDOM, STAND_IN]


def test_a_bot_that_is_to_think_for_somebody_who_chooses_just_then_has_nothing_to_choose():
    async def work() -> None:
        async with leaping_hub(Pace(reveal=0.0, bots=(0.5, 0.5))) as hub:
            table = await opened(hub, "poch", bots=0)
            await soon(lambda: table.turn != CHANCE and how_many(table.turn) == 1)
            room, (seat,) = await hub.room(table.id), table.due
            person, (choice, *_) = table.seats[seat].person, table.play.view(seat).choices
            thinking = hub._bots.choice_for(room, seat)
            await hub.ask(table.id, lambda t, now: t.choose(person, seat, choice, "mine", now))

            assert seat not in table.missing
            assert await thinking == NOTHING

    leap(work())


async def waiting(hub: Hub, clock: str, *people: str) -> Table:
    """A table that has not begun, where people sit and a seat is free."""
    data = {"game": "pok", "seats": len(people) + 1, "options": {}, "clock": clock, "listed": True, "tells": False}
    table = await hub.create(people[0], data)
    for person in people:
        await hub.ask(table.id, lambda t, now, p=person: t.sit(p, p.title(), now))
    return table


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_host_who_never_came_to_the_table_is_not_waited_for_for_ever(clock: str):
    async def work() -> None:
        async with leaping_hub(Pace()) as hub:
            table = await waiting(hub, clock, "ada", "ben", "cleo")
            await hub.listen(table.id, "cleo", asyncio.Queue())
            await asyncio.sleep(50.0)
            assert table.host == "ada"
            await asyncio.sleep(2 * A_DAY)
            assert table.host == "cleo"  # a person who is there, and not the first in order

    leap(work())


def test_where_a_decision_has_a_day_the_host_s_role_passes_on_after_a_day_of_it():
    async def work() -> None:
        async with leaping_hub(Pace()) as hub:
            table = await waiting(hub, "1day", "ada", "ben")
            await hub.listen(table.id, "ben", asyncio.Queue())
            ada = await hub.listen(table.id, "ada", asyncio.Queue())
            await asyncio.sleep(2 * A_DAY)
            assert table.host == "ada"  # she is there

            await hub.unlisten(table.id, ada)
            await asyncio.sleep(HOSTLESS - 1)
            assert table.host == "ada"
            await asyncio.sleep(2)
            assert table.host == "ben"

    leap(work())


def test_a_day_of_the_host_s_role_is_counted_though_nobody_looked_at_the_table():
    async def work() -> None:
        async with leaping_hub(Pace()) as hub:
            table_id = (await waiting(hub, "1day", "ada", "ben")).id
            await hub.sweep()
            assert table_id not in hub.rooms
            await asyncio.sleep(A_DAY)

            await hub.listen(table_id, "ben", asyncio.Queue())
            await asyncio.sleep(HOSTLESS - 1)
            assert hub.rooms[table_id].table.host == "ada"
            await asyncio.sleep(2)
            assert hub.rooms[table_id].table.host == "ben"
            await hub.ask(table_id, lambda t, now: t.remove("ben", 0, now))

    leap(work())


def test_a_task_that_is_stopped_in_the_moment_when_it_is_woken_stops():
    async def work() -> None:
        woken = asyncio.Event()

        async def keep_going() -> None:
            while True:
                woken.clear()
                await wait(woken, AN_HOUR)

        task = asyncio.create_task(keep_going())
        await asyncio.sleep(0)
        woken.set()
        task.cancel()
        for _ in range(10):
            await asyncio.sleep(0)
        assert task.cancelled()

    run(work())


def test_who_only_watches_taps_for_nobody():
    async def work() -> None:
        async with hub_on("sqlite://") as hub:
            table = await opened(hub, "pok", bots=2)
            for person in ("watcher 1", "ada", "zoe"):
                await hub.tap_next(table.id, person)
            assert hub.rooms[table.id].next_tapped <= {"ada"}

    run(work())


def test_many_tables_that_everybody_has_left_take_turns_and_nobody_who_plays_waits_for_them():
    async def left(hub: Hub) -> Table:
        table = await opened(hub, "pok", bots=GAMES["pok"].usual_seats - 1)
        await hub.ask(table.id, lambda t, now: t.leave("ada", now))
        return table

    async def work() -> None:
        async with leaping_hub(Pace(reveal=0.0, bots=(1.0, 1.0))) as hub:
            alone = [await left(hub) for _ in range(4 * UNATTENDED)]
            played = await opened(hub, "pok", bots=GAMES["pok"].usual_seats - 1)
            await hub.listen(played.id, "ada", asyncio.Queue())
            await asyncio.sleep(2.0)  # all are under way

            def rounds() -> int:
                return sum(table.play.state.round for table in alone)

            before, began = rounds(), asyncio.get_running_loop().time()
            for number in range(3):
                await soon(lambda: 0 in played.missing)
                await hub.ask(played.id, lambda t, now, i=number: t.choose("ada", 0, 0, f"id {i}", now))
                await soon(lambda step=played.step: played.step > step)
            took = asyncio.get_running_loop().time() - began
            assert took < 6.0
            assert 0 < rounds() - before < 2 * UNATTENDED * took

            back = alone[0]
            await hub.listen(back.id, "ada", asyncio.Queue())
            await hub.ask(back.id, lambda t, now: t.come_back("ada", now))
            began = asyncio.get_running_loop().time()
            await soon(lambda: back.missing == [0])
            assert asyncio.get_running_loop().time() - began < 3.0

    leap(work())
