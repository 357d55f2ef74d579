"""An evening: games of the same people over all games, who has won how often, who sits out (docs/evening.md)."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.server.hub import A_DAY, Hub, Pace
from pokade.server.hub.archive import kept, restored
from pokade.server.hub.snapshots import frozen, thawed
from pokade.server.storage import Storage
from pokade.server.table import OVER, Seat, Table
from pokade.server.table.evening import MOST, Evening
from pokade.server.table.rematches import Plan, planned
from pokade.server.views.frames import Audience, described
from tests.server.hub.test_hub import Clock, until
from tests.server.table.test_table import NAMES, House, play_on, refused

ADA, BEN, CLEO = ("ada", "Ada"), ("ben", "Ben"), ("cleo", "Cleo")
BOT = None


def wins(evening: Evening) -> dict[str, tuple[int, int, int]]:
    return {one.name or "bots": (one.played, one.won, one.shared) for one in (*evening.members, evening.bots)}


def finished(game: str = "pok", seats: int = 3, **settings: Any) -> Table:
    """A game of Ada, Ben … that was played to its end."""
    house = House(game, seats, **settings).full()
    play_on(house, game)
    return house.table


def follow(old: Table, game: str | None = None, there: tuple[str, ...] = (), person: str = "ada") -> tuple[Plan, Table]:
    """The table that follows, with everybody at it."""
    plan = planned(old, person, game, None, there)
    house = House(**(plan.settings | {"host": plan.host}))
    house.do(plan.seated(house.now))
    return plan, house.table


def people_at(table: Table) -> list[str]:
    return [place.name for place in table.seats if place.person]


def bots_at(table: Table) -> int:
    return sum(place.bot is not None for place in table.seats)


# What counts.


def test_a_win_counts_for_who_has_it_and_a_shared_one_for_each_who_shares_it():
    evening = Evening("t0").after([ADA, BEN, CLEO], [0]).after([CLEO, ADA, BEN], [0, 1])

    assert wins(evening) == {"Ada": (2, 2, 1), "Ben": (2, 0, 0), "Cleo": (2, 1, 1), "bots": (0, 0, 0)}
    assert evening.games == 2


def test_where_everybody_wins_nobody_has_won():
    assert wins(Evening().after([ADA, BEN], [0, 1]))["Ada"] == (1, 0, 0)


def test_what_bots_win_is_theirs_together():
    evening = Evening().after([ADA, BOT, BOT], [1, 2]).after([ADA, BOT, BOT], [0])

    assert wins(evening) == {"Ada": (2, 1, 0), "bots": (2, 1, 1)}


def test_a_person_stays_the_same_under_another_name_and_two_on_a_device_are_two():
    evening = Evening().after([ADA, BEN], [0]).after([("ada", "Countess"), BEN], [0])
    shared = Evening().after([ADA, ("ada", "Zoe"), BEN], [1]).after([("ada", "Zoe"), ADA, BEN], [0])

    assert wins(evening)["Countess"] == (2, 2, 0)
    assert wins(shared) == {"Ada": (2, 0, 0), "Zoe": (2, 2, 0), "Ben": (2, 0, 0), "bots": (0, 0, 0)}


def test_a_seat_that_the_house_plays_at_the_end_is_a_bots():
    house = House().full()
    house.do(house.table.stand_by(2, house.now))

    assert house.table.sitters == [ADA, BEN, None]


def test_a_game_that_was_not_played_to_its_end_does_not_count():
    house = House().full().throw(0, 3, 3)
    house.do([house.table.ended("voted", house.now)])

    assert house.table.evening_now.games == 0
    assert described(house.table)["evening"] is None


# The running table.


@pytest.mark.parametrize("game", GAMES)
def test_the_running_table_is_handed_on_from_game_to_game(game: str):
    first = finished()
    _, second = follow(first, game)
    before = described(first)["evening"]

    shown = described(second)["evening"]

    assert (second.game, second.evening.id) == (game, "t1")
    assert before is not None
    assert shown["games"] == before["games"] == 1
    assert {row["name"]: row["won"] for row in shown["rows"]} == {row["name"]: row["won"] for row in before["rows"]}
    assert [second.seats[row["seat"]].name for row in shown["rows"] if not row["bots"]] == [
        row["name"] for row in shown["rows"] if not row["bots"]
    ]


def test_more_wins_are_better_and_then_those_that_were_not_shared():
    evening = Evening("t0").after([ADA, BEN, CLEO], [0, 1]).after([ADA, BEN, CLEO], [2])
    house = House(evening=evening.data(), follows="t0")
    house.do(house.table.sit("dora", "Dora", house.now))

    rows = described(house.table)["evening"]["rows"]

    assert [(row["place"], row["name"]) for row in rows] == [(1, "Cleo"), (2, "Ada"), (2, "Ben"), (4, "Dora")]
    assert [row["seat"] for row in rows] == [None, None, None, 0]


def test_nobody_reads_who_the_people_are():
    _, second = follow(finished(), "poch")

    shown = str(described(second)["evening"])

    assert "Ada" in shown
    assert "ada" not in shown


def test_a_snapshot_and_the_archive_keep_the_evening():
    evening = replace(Evening("t0").after([ADA, BEN, CLEO], [1]), resting=(("dora", "Dora"),), ways={"poch": {}})
    house = House(evening=evening.data()).full()
    play_on(house, "once more")

    thawn = thawed(frozen(house.audience))

    assert isinstance(thawn, Audience)
    for table in (thawn.table, restored("t1", kept(house.table))):
        assert table.evening == evening
        assert table.evening_now == house.table.evening_now
        assert described(table)["evening"] == described(house.table)["evening"]


def test_an_evening_forgets_those_who_came_first_and_are_gone_rather_than_grow_for_ever():
    evening = Evening().after([ADA, BEN], [0])
    for number in range(2 * MOST):
        evening = evening.after([ADA, ("cleo", f"{number}"), ("cleo", f"again {number}")], [0])

    assert len(evening.members) == MOST
    assert wins(evening)["Ada"] == (2 * MOST + 1, 2 * MOST + 1, 0)
    assert (evening.members[-1].name, "Ben" in wins(evening)) == (f"again {2 * MOST - 1}", False)


# Who sits where.


def test_the_same_game_has_the_same_people_one_seat_further_on():
    plan, second = follow(finished())

    assert [place.name for place in second.seats] == ["Cleo", "Ada", "Ben"]
    assert (plan.host, second.follows) == ("ada", "t1")


def test_bots_fill_what_a_game_needs_and_leave_again_when_it_does_not():
    first = finished("pokerdice", 2)
    _, pok = follow(first, "pok")
    assert (len(people_at(pok)), bots_at(pok), pok.evening.filled) == (2, 1, 1)
    assert len({place.name[0] for place in pok.seats}) == 3

    _, poch = follow(over(pok), "poch")

    assert (len(people_at(poch)), bots_at(poch), poch.evening.filled) == (2, 0, 0)


def test_bots_that_somebody_wanted_come_along_as_far_as_there_is_room():
    house = House("poch", 8)
    for seat, name in enumerate(NAMES[:4]):
        house.do(house.table.sit(name.lower(), name, house.now, seat))
    for seat in range(4, 8):
        house.do(house.table.seat_bot("ada", seat, "strong", "", house.now))
    _, pokopop = follow(over(house.table), "pokopop")

    assert (len(people_at(pokopop)), bots_at(pokopop)) == (4, 1)
    assert {place.bot for place in pokopop.seats} == {None, "strong"}


def over(table: Table) -> Table:
    """As if its game had come to an end without a winner; nobody has left."""
    table.status = OVER
    return table


def test_where_a_game_takes_fewer_people_sit_out_in_turn():
    table = finished("pok", 7)
    rested: list[str] = []
    for _ in range(4):
        plan, table = follow(table, "pokerdice", NAMES_THERE, person=table.host)
        out = [name for _, name in table.evening.resting]
        assert len(out) == 2
        assert described(table)["evening"]["resting"] == out
        assert plan.host in [place.person for place in table.seats]
        assert not set(out) & set(people_at(table))
        rested += out
        table = played(table)

    assert sorted(rested[:6]) == sorted(set(rested[:6]))  # nobody twice before everybody once …
    assert len(set(rested)) == 7  # … and everybody once


NAMES_THERE = tuple(name.lower() for name in NAMES)


def played(table: Table) -> Table:
    """The evening goes on as if this game had been won by its first seat."""
    table.status = OVER
    table.evening = table.evening.after(table.sitters, [0])
    return table


def test_who_sat_out_and_is_gone_keeps_the_turn_until_they_look_again():
    _, small = follow(finished("pok", 6), "pokerdice", NAMES_THERE)
    ((person, name),) = small.evening.resting
    _, without = follow(played(small), "pok", tuple(set(NAMES_THERE) - {person}), person=small.host)
    assert (name in people_at(without), without.evening.away) == (False, ((person, name),))

    _, back = follow(played(without), "pok", NAMES_THERE, person=without.host)

    assert (name in people_at(back), back.evening.away) == (True, ())


def test_who_was_to_sit_out_and_takes_a_free_seat_sits_out_no_more():
    _, small = follow(finished("pok", 6), "pokerdice", NAMES_THERE)
    house = House("pokerdice", 5, evening=small.evening.data())
    ((person, name),) = small.evening.resting

    house.do(house.table.sit(person, name, house.now))

    assert house.table.evening.resting == ()


def test_who_left_the_game_for_good_has_no_seat_in_the_next_one():
    house = House("pok", 4).full()
    house.do(house.table.leave("dora", house.now))
    _, second = follow(over(house.table))
    _, third = follow(over(second), there=("dora",))

    assert people_at(second) == ["Ada", "Ben", "Cleo"]
    assert "Dora" in people_at(third)


def test_those_who_wait_under_ever_new_names_are_not_more_and_more():
    table = finished("pok", 7)
    for number in range(MOST):
        for seat, place in enumerate(table.seats):
            if place.person != "ada":
                table.seats[seat] = Seat("ben", name=f"{number} {seat}", is_standby=True)
        _, table = follow(over(table))
    assert len(set(table.evening.away)) == MOST
    assert ("ben", f"{MOST - 1} 1") in table.evening.away

    plan, table = follow(over(table), there=("ben",))

    assert len(plan.seats) == 7
    assert len({*table.evening.resting, *table.evening.away}) == MOST - 6 + bots_at(table)


def test_a_game_comes_back_with_the_options_it_was_played_by():
    first = finished(options={"memory": "assisted"})
    _, poch = follow(first, "poch")
    assert poch.options == {}

    _, pok = follow(over(poch), "pok")

    assert pok.options == {"memory": "assisted"}


def test_options_are_known_through_other_games_between():
    _, poch = follow(finished(options={"memory": "assisted"}), "poch")
    _, pokerdice = follow(over(poch), "pokerdice")

    _, pok = follow(over(pokerdice), "pok")

    assert pok.options == {"memory": "assisted"}


def test_only_the_host_chooses_another_game_and_everybody_the_same():
    table = finished()

    refused("table/not-host", lambda: planned(table, "ben", "poch", None, ()))
    refused("table/game", lambda: planned(table, "ada", "chess", None, ()))
    assert planned(table, "ben", "pok", None, ()).host == "ben"
    assert planned(table, "ben", None, None, ()).host == "ben"


# Through a house, on both databases.


class Night:
    """Ada and Ben on a database that stays, in a house that may be opened again."""

    def __init__(self, storage: Storage) -> None:
        self.storage, self.clock = storage, Clock()
        self.hub = self._new()

    def _new(self) -> Hub:
        return Hub(self.storage, pace=Pace(0.0, (0.0, 0.0)), clock=self.clock)

    async def restart(self) -> None:
        await self.hub.close()
        self.hub = self._new()

    async def first(self) -> Table:
        data = {"game": "pokerdice", "seats": 2, "options": {}, "clock": "none", "listed": False, "tells": False}
        table = await self.hub.create("ada", data)
        await self.hub.ask(table.id, lambda t, now: t.sit("ada", "Ada", now))
        await self.hub.ask(table.id, lambda t, now: t.sit("ben", "Ben", now))
        return table

    async def to_the_end(self, table: Table) -> None:
        """Bots play for both; Ben, who leaves last, is the host by then."""
        for person in ("ben", "ada"):
            await self.hub.ask(table.id, lambda t, now, p=person: t.ready(p, True, now))
        if table.status != "on":
            await self.hub.ask(table.id, lambda t, now: t.start("ada", now))
        for person in ("ada", "ben"):
            await self.hub.ask(table.id, lambda t, now, p=person: t.leave(p, now))
        await until(lambda: table.status == OVER)


@pytest.fixture
def night(storage: Storage, runner: asyncio.Runner) -> Iterator[Night]:
    made = runner.run(_night(storage))
    yield made
    runner.run(made.hub.close())


async def _night(storage: Storage) -> Night:
    return Night(storage)


async def test_an_evening_lives_through_restarts_and_the_end_of_its_logs(night: Night):
    first = await night.first()
    await night.to_the_end(first)
    before = described(first)["evening"]
    await night.hub.listen(first.id, "ada", asyncio.Queue())
    second = await night.hub.rematch(first.id, "ben", game="pok")
    assert (second.game, bots_at(second), people_at(second)) == ("pok", 1, ["Ben", "Ada"])
    await night.restart()

    table = (await night.hub.room(second.id)).table
    assert described(table) == described(second)
    await night.to_the_end(table)
    after = described(table)["evening"]
    assert (before["games"], after["games"]) == (1, 2)
    night.clock.now += 91 * A_DAY
    await night.hub.sweep()

    assert await night.storage.events(second.id) == []
    assert described((await night.hub.room(second.id)).table)["evening"] == after
    with pytest.raises(Refused, match="record"):
        await night.hub.rematch(second.id, "ben")
