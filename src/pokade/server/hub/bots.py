"""What the server chooses for a seat: a bot's choice, a stand-in's or a lesson's, from the seat's view alone."""

from collections.abc import Awaitable, Callable

from pokade.players import is_strong, player
from pokade.server.hub.room import Room
from pokade.server.hub.strong import StrongBots, remembers
from pokade.server.table import OVER, STAND_IN, Table

Think = Callable[[Callable[[], int]], Awaitable[int]]


class Bots:
    """All bots of this process; `tell` hears of a game whose strong bots are ready."""

    def __init__(self, think: Think, tell: Callable[[str], None]) -> None:
        self._think = think
        self.strong = StrongBots(tell=tell)

    async def choice_for(self, room: Room, seat: int) -> int:
        """What a bot or a lesson chooses."""
        table, play = room.table, room.table.play
        assert play is not None  # noqa: S101 - somebody is to choose
        given = table.script.choice(table.step, seat) if table.script is not None else None
        if given is not None:
            return given
        level = table.seats[seat].bot or STAND_IN
        if is_strong(level):
            view = room.view_with_past(play, seat) if remembers(level, play.game) else play.view(seat)
            return await self.strong.choose(level, view, room.unshown.counts.append)
        view = play.view(seat)
        return await self._think(lambda: player(level, play.game)(view))

    def get_ready(self, table: Table) -> None:
        """Strong bots that sit at a table have their code compiled, while people still gather."""
        if self.has_stand_ins(table):
            self.strong.get_ready(table.game)

    def has_stand_ins(self, table: Table) -> bool:
        """Does the casual level play for strong bots of this table, since their code is not compiled yet?"""
        has_strong = table.status != OVER and any(is_strong(seat.bot or "") for seat in table.seats)
        return has_strong and not self.strong.is_ready(table.game)
