"""Master bots at the tables: what they have seen follows from the table's log, in any process."""

import asyncio

from pokade.arena.bots import read
from pokade.games import GAMES
from pokade.games.play import View
from pokade.games.state import CHANCE, packed
from pokade.server.hub import Hub
from pokade.server.hub.strong import remembers
from pokade.server.table import Table
from tests.patience import until
from tests.server.hub.test_hub import hub_on

GAME = GAMES["pok"]
ROUNDS, MASTER = 4, 2
LUCKS = range(40)


async def opened(hub: Hub) -> Table:
    """Two people and a master bot."""
    data = {"game": GAME.name, "seats": 3, "options": {}, "clock": "none", "listed": True, "tells": False}
    table = await hub.create("ada", data)
    for seat, person in enumerate(("ada", "ben")):
        await hub.ask(table.id, lambda t, now, who=person: t.sit(who, who, now))
        if seat:
            await hub.ask(table.id, lambda t, now, who=person: t.ready(who, True, now))
    await hub.ask(table.id, lambda t, now: t.seat_bot("ada", MASTER, "master", "Kai", now))
    await hub.ask(table.id, lambda t, now: t.start("ada", now))
    return table


async def play_rounds(hub: Hub, table: Table) -> None:
    """The people show the first symbol that they have, round after round, up to the choice of a further one."""
    for number in range(1, ROUNDS + 1):
        await until(lambda: table.turn not in (0, CHANCE))
        for seat, person in enumerate(("ada", "ben")):
            choice = table.play.legal(seat)[0]
            await hub.ask(
                table.id, lambda t, now, s=seat, c=choice, who=person, n=number: t.choose(who, s, c, f"{s} {n}", now)
            )
        await until(lambda n=number: table.play.state.round > n)
    await until(lambda: table.turn not in (0, CHANCE))


async def view_of_master(hub: Hub, table_id: str) -> View:
    room = await hub.room(table_id)
    return room.view_with_past(room.table.play, MASTER)


def test_a_table_that_was_killed_gives_the_same_choice_at_the_same_luck(sqlite_url: str):
    async def work() -> None:
        async with hub_on(sqlite_url) as first:
            table = await opened(first)
            await play_rounds(first, table)
            before = await view_of_master(first, table.id)
            chosen = [read(before, luck) for luck in LUCKS]
        async with hub_on(sqlite_url) as second:
            after = await view_of_master(second, table.id)

            assert [packed(one.state) for one in after.past] == [packed(one.state) for one in before.past]
            assert len(after.past) >= 2 * ROUNDS
            assert [read(after, luck) for luck in LUCKS] == chosen

    asyncio.run(work())


def test_only_master_bots_of_games_with_a_reader_are_given_a_past():
    assert remembers("master-bold", GAME)
    assert not remembers("strong", GAME)
    assert not remembers("casual", GAME)
