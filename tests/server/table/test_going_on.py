"""Nobody can stop a table: calls of time, pauses and who may end them, and a machine whose clock jumps."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest

from pokade.games.errors import Refused
from pokade.games.state import CHANCE, WATCHER
from pokade.server.hub import Hub, Pace
from pokade.server.storage import open_storage
from pokade.server.table import Table
from pokade.server.table.events import Event
from pokade.server.table.terms import CALLABLE, CLOCKS, LONGEST_PAUSE, MOST_MISSED, NOTICE, ON, OVER
from tests.server.hub.test_hub import opened, until
from tests.server.table.test_table import House, refused

PEOPLE = ("ada", "ben", "cleo")


# Calling time.


def test_time_is_called_after_a_minute_and_the_house_plays_for_all_that_are_missing():
    house = House().full().throw(0, 3, 3)
    table = house.table
    early = table.opened_at + CALLABLE - 0.1
    assert house.frames[WATCHER][-1]["call_at"] == table.opened_at + CALLABLE
    refused("call/early", lambda: table.call("ada", early))
    refused("seat/none", lambda: table.call("zoe", early + 1))
    house.choose(1, 0)
    house.now = table.opened_at + CALLABLE

    called = house.do(table.call("ada", house.now))

    assert {frame["kind"] for frame in called.values()} == {"table"}
    assert {frame["deadline"] for frame in called.values()} == {house.now + NOTICE}
    assert {frame["table"]["called"] for frame in called.values()} == {0}
    refused("call/called", lambda: table.call("ada", house.now))
    refused("choice/not-now", lambda: table.play_for(2, 0, house.now + NOTICE - 1))
    for seat in table.missing:
        house.do(table.play_for(seat, 0, house.now + NOTICE))
    assert house.frames[WATCHER][-1]["timeouts"] == [0, 2]
    assert (table.called_by, table.deadline) == (None, None)


def called_by_ada() -> House:
    """A table whose minute is over, and Ada has called time."""
    house = House().full().throw(0, 3, 3)
    house.now = house.table.opened_at + CALLABLE
    house.do(house.table.call("ada", house.now))
    return house


def test_a_call_of_time_is_taken_back_by_whoever_called():
    house = called_by_ada()
    table = house.table
    assert table.call("ben", house.now, False) == []

    taken_back = house.do(table.call("ada", house.now + 5, False))

    for viewer in (WATCHER, 0, 1, 2):
        frame = taken_back[viewer]
        assert (frame["table"]["called"], frame["table"]["callers"], frame["deadline"]) == (None, [], None)
        assert frame["call_at"] == table.opened_at + CALLABLE
    house.do(table.call("ben", house.now + 6))
    assert (table.called_by, table.deadline) == (1, house.now + 6 + NOTICE)


def test_a_call_that_another_has_joined_stands_when_the_first_takes_it_back():
    house = called_by_ada()
    table = house.table
    joined = house.do(table.call("ben", house.now + 4))
    assert joined[WATCHER]["table"]["callers"] == [0, 1]

    house.do(table.call("ada", house.now + 19, False))

    assert (table.callers, table.deadline) == ([1], house.now + NOTICE)


def test_what_a_call_shows_depends_on_nothing_that_is_sealed():
    shown = []
    for sealed in ((), (1,), (1, 2)):
        house = House().full().throw(0, 3, 3)
        for seat in sealed:
            house.choose(seat, 0)
        house.now = house.table.opened_at + CALLABLE
        frames = house.do(house.table.call("ada", house.now))
        shown.append([(frames[viewer]["table"], frames[viewer]["deadline"]) for viewer in (WATCHER, 0)])

    assert shown[0] == shown[1] == shown[2]


@pytest.mark.parametrize("clock", [name for name, clock in CLOCKS.items() if clock.seconds])
def test_where_a_clock_runs_nobody_calls_time(clock: str):
    house = House(clock=clock).full().throw(0, 3, 3)

    refused("call/clock", lambda: house.table.call("ada", house.now + 1000))
    assert house.frames[0][-1]["call_at"] is None


def test_three_missed_rounds_in_a_row_put_a_seat_on_standby_and_two_do_not():
    house = House().full()
    table = house.table
    for number in range(MOST_MISSED + 1):
        assert table.idle == []
        house.throw(0, 3, 3)
        house.choose(0, number % 3)
        house.choose(1, number % 3)
        if number == 0:
            house.choose(2, 2)  # not yet: she is there
            continue
        house.now = table.opened_at + CALLABLE
        house.do(table.call("ada", house.now))
        house.do(table.play_for(2, table.play.view(2).choices[0], house.now + NOTICE))

    assert table.idle == [2]
    house.do(table.stand_by(2, house.now))
    assert table.idle == []
    house.do(table.come_back("cleo", house.now))
    assert (table.idle, table.seats[2].missed) == ([], 0)


def test_the_house_takes_the_seat_of_one_who_idles(sqlite_url: str):
    async def work() -> None:
        now = [1_000_000.0]
        storage = await open_storage(sqlite_url)
        await storage.migrate()
        hub = Hub(storage, pace=Pace(reveal=0.0, bots=(0.0, 0.0)), clock=lambda: now[0])
        table = await opened(hub, "pok", bots=2)
        for number in range(MOST_MISSED):
            await until(lambda: table.turn > 0)
            step, choice = table.step, table.play.view(0).choices[0]
            await hub.ask(table.id, lambda t, at, c=choice, n=number: t.choose("ada", 0, c, f"{n}", at))
            now[0] = table.opened_at + CALLABLE
            await hub.ask(table.id, lambda t, at: t.call("ada", at))
            now[0] += NOTICE
            hub.rooms[table.id].woken.set()
            await until(lambda s=step: table.step != s)
        await until(lambda: table.seats[3].is_standby)
        assert not table.seats[0].is_standby
        await hub.close()
        await storage.close()

    asyncio.run(work())


# Pauses.


def test_a_pause_keeps_the_time_that_is_left_and_a_call_too():
    house = House(clock="45s").full().throw(0, 3, 3)
    left = house.table.deadline - house.now
    house.do(house.table.pause("ada", True, house.now))
    house.now += 500
    house.do(house.table.pause("ada", False, house.now))
    assert house.table.deadline - house.now == left

    house = House().full().throw(0, 3, 3)
    house.now = house.table.opened_at + CALLABLE
    house.do(house.table.call("ben", house.now))
    house.do(house.table.pause("ada", True, house.now + 5))
    house.do(house.table.pause("ada", False, house.now + 105))
    assert house.table.deadline == house.now + 100 + NOTICE


def test_others_end_a_pause_after_ten_minutes_or_when_whoever_paused_is_gone():
    house = House().full().throw(0, 3, 3)
    table = house.table
    frames = house.do(table.pause("ada", True, house.now))
    assert (frames[1]["table"]["paused_by"], frames[1]["table"]["pause_ends"]) == (0, house.now + LONGEST_PAUSE)
    refused("pause/held", lambda: table.pause("ben", False, house.now + 599, PEOPLE))
    refused("seat/none", lambda: table.pause("zoe", False, house.now + 601, PEOPLE))
    assert table.pause("ben", False, house.now, ("ben", "cleo"))  # she is gone

    house.do(table.pause("ben", False, house.now + LONGEST_PAUSE, PEOPLE))

    assert not table.is_paused
    refused("pause/ended", lambda: table.pause("ada", True, house.now + 700))


def test_many_short_pauses_hold_a_step_up_no_longer_than_a_long_one():
    house = House().full().throw(0, 3, 3)
    for _ in range(2):
        house.do(house.table.pause("ada", True, house.now))
        house.now += LONGEST_PAUSE / 2 - 1
        house.do(house.table.pause("ada", False, house.now))
    house.do(house.table.pause("ada", True, house.now))

    refused("pause/held", lambda: house.table.pause("ben", False, house.now + 1, PEOPLE))
    house.do(house.table.pause("ben", False, house.now + 2, PEOPLE))
    assert not house.table.is_paused


# Every order of pausing, leaving, idling and voting.

MINUTE = 61.0
TEN_MINUTES = LONGEST_PAUSE + 1
DEPTH = 5


@dataclass(frozen=True)
class Moment:
    """A table at some time, and the people who look at it."""

    table: Table
    now: float
    there: frozenset[str]

    def asked(self, question: Callable[[Table], list[Event]]) -> "Moment | None":
        """The same a moment later, if the table allows it and it changes anything."""
        table = self.table.copy()
        try:
            batch = question(table)
        except Refused:
            return None
        table.apply(batch)
        return replace(self, table=table) if batch else None

    @property
    def key(self) -> object:
        """What the further course depends on, as far as this test goes."""
        t = self.table
        waited, paused = self.now - t.opened_at >= CALLABLE, t.is_paused and self.now >= t.pause_ends
        seats = [(s.person, s.is_standby, s.votes_to_end, s.missed) for s in t.seats]
        held = (t.is_paused, t.paused_by, paused, t.paused_for >= LONGEST_PAUSE)
        return (t.status, t.step, held, t.host, str(seats), tuple(t.chosen), tuple(t.callers), waited, self.there)


def following(at: Moment) -> Iterator[Moment | None]:
    """Everything that people may do next, and what happens by itself."""
    table, now = at.table, at.now
    for seat, person in enumerate(PEOPLE):
        is_there = person in at.there
        yield replace(at, there=at.there - {person} if is_there else at.there | {person})
        if not is_there:
            if not table.seats[seat].is_standby and table.grace is not None:
                yield at.asked(lambda t, s=seat: t.stand_by(s, now))  # the grace is over
            continue
        yield at.asked(lambda t, p=person: t.pause(p, True, now, at.there))
        yield at.asked(lambda t, p=person: t.pause(p, False, now, at.there))
        yield at.asked(lambda t, p=person: t.leave(p, now))
        yield at.asked(lambda t, p=person: t.come_back(p, now))
        for is_so in (True, False):  # and taken back
            yield at.asked(lambda t, p=person, v=is_so: t.vote(p, now, v))
            yield at.asked(lambda t, p=person, c=is_so: t.call(p, now, c))
        yield at.asked(lambda t, p=person, s=seat: t.choose(p, s, 0, f"{p} {t.version}", now))
    for seconds in (MINUTE, TEN_MINUTES):
        yield replace(at, now=now + seconds)


def goes_on(at: Moment, person: str) -> bool:
    """Can somebody who is there make the game take a step, whatever the others do not do?"""
    table, now = at.table.copy(), at.now
    if table.seats[PEOPLE.index(person)].is_standby:
        table.apply(table.come_back(person, now))
    if table.is_paused:
        may_now = at.asked(lambda t: t.pause(person, False, now, at.there)) if person in at.table.playing else None
        now = now if may_now else max(now, table.pause_ends)
        table.apply(table.pause(person, False, now, at.there))
    if table.turn == CHANCE:
        return bool(table.chance([0], now))
    seat = PEOPLE.index(person)
    if CLOCKS[table.clock].seconds is None and seat not in table.callers:
        now = max(now, table.call_at or now)
        table.apply(table.call(person, now))
    for other in (one for one in at.there if one != person and one in table.playing and table.callers):
        table.apply(table.call(other, now, False))  # the caller does not want it any more
    assert table.deadline is not None
    now, step = max(now, table.deadline), table.step
    for seat in table.missing:
        table.apply(table.play_for(seat, 0, now))
    return table.step != step


@pytest.mark.parametrize("clock", ["none", "20s", "1day"])
def test_at_each_moment_somebody_who_is_there_can_make_the_game_go_on(clock: str):
    house = House(clock=clock).full().throw(0, 3, 3)
    fresh = [Moment(house.table, house.now, frozenset(PEOPLE))]
    seen = {fresh[0].key}
    looked_at = 0
    for _ in range(DEPTH):
        further = []
        for at in fresh:
            looked_at += 1
            if at.table.status != ON:
                continue
            assert all(goes_on(at, person) for person in at.there), at
            for then in following(at):
                if then is not None and then.key not in seen:
                    seen.add(then.key)
                    further.append(then)
        fresh = further

    assert looked_at > 1000
    assert any(at.table.status == OVER for at in fresh)


# A machine whose clock jumps.


@pytest.mark.parametrize("hours", [6, -6])
def test_a_clock_that_jumps_under_an_open_house_changes_no_decision(hours: int, monkeypatch: pytest.MonkeyPatch):
    async def work() -> None:
        storage = await open_storage("sqlite://")
        await storage.migrate()
        hub = Hub(storage, pace=Pace(reveal=0.0, bots=(0.0, 0.0)))
        table = await opened(hub, "pok", bots=0, clock="2min")
        await until(lambda: table.turn > 0)
        monotonic, wall, at = time.monotonic(), time.time(), hub.clock()
        monkeypatch.setattr(time, "monotonic", lambda: monotonic)
        before = table.deadline - hub.clock()
        monkeypatch.setattr(time, "time", lambda: wall + hours * 3600)

        assert table.deadline - hub.clock() == before
        assert abs(before - (table.deadline - at)) < 120
        monkeypatch.undo()
        await hub.close()
        await storage.close()

    asyncio.run(work())


@pytest.mark.parametrize("jump", [6 * 3600.0, 0.0, -6 * 3600.0])
def test_after_a_restart_a_decision_has_between_nothing_and_its_full_time(jump: float, sqlite_url: str):
    async def work() -> None:
        now, still = 1_000_000.0, Pace(reveal=0.0, bots=(0.0, 0.0))
        for clock in ("2min", "1day"):
            storage = await open_storage(sqlite_url)
            await storage.migrate()
            hub = Hub(storage, pace=still, clock=lambda: now)
            table = await opened(hub, "pok", bots=0, clock=clock)
            await until(lambda t=table: t.turn > 0)
            full = table.deadline - now
            await hub.close()

            again = Hub(storage, pace=still, clock=lambda: now + jump)
            found = await again.room(table.id)
            left = found.table.deadline - (now + jump)

            assert left == full - max(0.0, jump)  # below nothing: the house plays at once
            await again.close()
            await storage.close()

    asyncio.run(work())
