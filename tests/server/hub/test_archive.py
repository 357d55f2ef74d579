"""Logs go after a while, records later: until then a finished game is found, shown and checked as before."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from pokade import records
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.state import WATCHER
from pokade.server.hub import A_DAY, Hub, Pace, Patience, Room, sweeping
from pokade.server.hub.archive import kept, restored, view_for
from pokade.server.judge.judge import answered
from pokade.server.network.judged import _question
from pokade.server.storage import Kept, Storage, open_storage
from pokade.server.table import OVER, STAND_IN, Table
from pokade.server.views.frames import described
from tests.server.hub.test_hub import Clock, until

every_game = pytest.mark.parametrize("game", GAMES)
DOINGS: dict[str, dict[str, Any]] = {
    "write": {},
    "replay": {"eyes": "all", "first": 0, "most": 500},
    "verify": {"shown": ""},
    "picture": {"shape": "wide", "language": "en"},
}


class Years:
    """A house on a database, and time that the test turns."""

    def __init__(self, storage: Storage) -> None:
        self.storage, self.clock = storage, Clock()
        self.hub = self.new_hub()

    def new_hub(self) -> Hub:
        return Hub(self.storage, pace=Pace(0.0, (0.0, 0.0)), clock=self.clock)

    async def restart(self) -> None:
        await self.hub.close()
        self.hub = self.new_hub()

    async def opened(self, game: str) -> Table:
        data = {"game": game, "seats": 3, "options": {}, "clock": "none", "listed": False, "tells": False}
        return await self.hub.create("ada", data)

    async def begun(self, game: str) -> Table:
        """Ada and two bots at a table, and a game that is on."""
        table = await self.opened(game)
        await self.hub.ask(table.id, lambda t, now: t.sit("ada", "Ada", now))
        await self.hub.ask(table.id, lambda t, now: t.salt("ada", 0, "salt", now))
        for seat in (1, 2):
            await self.hub.ask(table.id, lambda t, now, s=seat: t.seat_bot("ada", s, STAND_IN, "", now))
        await self.hub.ask(table.id, lambda t, now: t.start("ada", now))
        return table

    async def played(self, game: str) -> Table:
        table = await self.begun(game)
        await self.hub.ask(table.id, lambda t, now: t.leave("ada", now))
        await until(lambda: table.status == OVER)
        return table

    async def sweep_after(self, days: float) -> None:
        self.clock.now += days * A_DAY
        await self.hub.sweep()

    async def refused(self, table: Table) -> str:
        with pytest.raises(Refused) as refusal:
            await self.hub.room(table.id)
        return refusal.value.code


@asynccontextmanager
async def years_on(storage: Storage) -> AsyncIterator[Years]:
    years = Years(storage)
    yield years
    await years.hub.close()


def told(room: Room) -> dict[str, Any]:
    """All that can be asked about a finished game."""
    asked = {do: answered(_question(do, words, room, "")) for do, words in DOINGS.items()}
    snapshot = {k: v for k, v in room.audience.snapshot(WATCHER).items() if k in ("table", "view", "deadline")}
    return asked | {"table": described(room.table), "snapshot": snapshot, "people": room.table.people}


@every_game
async def test_a_finished_game_is_shown_and_checked_without_its_log(storage: Storage, game: str):
    async with years_on(storage) as years:
        table = await years.played(game)
        before, mine = told(years.hub.rooms[table.id]), await storage.tables_of("ada", 9)

        await years.sweep_after(91)

        assert await storage.events(table.id) == []
        assert await storage.snapshot(table.id) is None
        assert table.id not in years.hub.rooms
        assert told(await years.hub.room(table.id)) == before
        assert orjson.loads(before["verify"])["fair"]
        assert await storage.tables_of("ada", 9) == mine != []
        found = await storage.table_by_code(table.code)
        assert found is not None
        assert found.table == table.id


async def test_before_its_time_nothing_goes(storage: Storage):
    async with years_on(storage) as years:
        table = await years.played("pokopop")

        await years.sweep_after(89)
        assert len(await storage.events(table.id)) == table.version
        await years.sweep_after(2)
        await years.sweep_after(308)

        assert await storage.record(table.id) is not None


async def test_after_its_time_the_record_goes_too(storage: Storage):
    async with years_on(storage) as years:
        table = await years.played("pokopop")
        await years.sweep_after(91)

        await years.sweep_after(310)

        assert await years.refused(table) == "table/unknown"
        assert await storage.record(table.id) is None
        assert await storage.tables_of("ada", 9) == []
        assert await storage.table_by_code(table.code) is None


async def test_an_abandoned_game_is_kept_as_far_as_it_got(storage: Storage):
    async with years_on(storage) as years:
        table = await years.begun("pokerdice")
        await until(lambda: table.missing == [0])  # the bots have chosen: nothing more happens by itself
        await years.sweep_after(1.1)
        assert (table.status, table.ending) == (OVER, "forgotten")

        await years.sweep_after(91)

        checked = orjson.loads(told(await years.hub.room(table.id))["verify"])
        assert (checked["fair"], len(checked["draws"])) == (True, table.draws)


async def test_before_the_end_a_record_shows_one_seat_to_its_owner_alone(storage: Storage):
    async with years_on(storage) as years:
        table = await years.begun("poch")

        assert [view_for(table, person) for person in ("ada", "eve")] == ["p1", records.PUBLIC]
        table.seats[1].person = "ada"  # a device that goes round: any of its people may ask
        assert view_for(table, "ada") == records.PUBLIC


async def test_a_table_at_which_nothing_was_played_leaves_nothing(storage: Storage):
    async with years_on(storage) as years:
        table = await years.opened("pok")
        await years.sweep_after(1.1)

        await years.sweep_after(91)

        assert await years.refused(table) == "table/unknown"
        assert await storage.table_by_code(table.code) is None


async def test_a_game_that_is_on_never_goes(storage: Storage):
    async with years_on(storage) as years:
        years.hub._sweeper._patience = Patience(usual=1000 * A_DAY)
        table = await years.begun("pok")
        await until(lambda: set(table.missing) == {0})  # the bots have chosen: nothing happens any more without Ada

        await years.sweep_after(500)

        assert table.status != OVER
        assert len(await storage.events(table.id)) == table.version


async def test_nothing_more_is_appended_to_a_record(storage: Storage):
    async with years_on(storage) as years:
        table = await years.played("pokopop")
        await years.sweep_after(91)

        for asked in (
            years.hub.ask(table.id, lambda t, now: t.speak("ada", "", "is anybody here?", now)),
            years.hub.rematch(table.id, "ada"),
        ):
            with pytest.raises(Refused) as refusal:
                await asked
            assert refusal.value.code == "table/archived"
        assert await storage.events(table.id) == []


async def test_a_log_that_was_cut_halfway_is_cut_to_its_end(storage: Storage):
    async with years_on(storage) as years:
        table = await years.played("pokopop")
        before = told(years.hub.rooms[table.id])
        await storage.keep_record(table.id, kept(table))
        assert not await storage.cut_log(table.id, 3)
        await years.restart()

        assert told(await years.hub.room(table.id)) == before
        await years.sweep_after(91)

        assert await storage.events(table.id) == []
        assert told(await years.hub.room(table.id)) == before


async def test_a_long_log_is_cut_in_slices(storage: Storage, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sweeping, "CUT", 7)
    async with years_on(storage) as years:
        table = await years.played("pok")

        await years.sweep_after(91)

        assert await storage.events(table.id) == []


async def test_a_table_that_somebody_looks_at_waits(storage: Storage):
    async with years_on(storage) as years:
        table = await years.played("pokopop")
        listener = await years.hub.listen(table.id, "ada", asyncio.Queue())

        await years.sweep_after(91)
        assert len(await storage.events(table.id)) == table.version
        await years.hub.unlisten(table.id, listener)
        await years.sweep_after(0)

        assert await storage.events(table.id) == []


async def test_facts_of_another_version_are_no_trouble(storage: Storage):
    async with years_on(storage) as years:
        table = await years.played("pokopop")
        found = kept(table)
        facts = orjson.loads(found.facts) | {"of a later version": 1}
        del facts["follows"]

        again = restored(table.id, Kept(found.text, orjson.dumps(facts).decode()))

        assert described(again) == described(table)


async def test_a_backup_has_the_records_and_the_snapshots(sqlite_url: str, runner: asyncio.Runner, tmp_path: Path):
    storage = await open_storage(sqlite_url)
    await storage.migrate()
    async with years_on(storage) as years:
        table = await years.played("pokopop")
        await years.sweep_after(91)
        before = told(await years.hub.room(table.id))
        await storage.backup(tmp_path / "copy.db")
    await storage.close()

    copy = await open_storage(f"sqlite:///{tmp_path / 'copy.db'}")
    async with years_on(copy) as years:
        assert told(await years.hub.room(table.id)) == before
    await copy.close()
