"""What the server chooses for a seat: a bot's choice, a stand-in's or a lesson's, from the seat's view alone."""

import random
from collections.abc import Awaitable, Callable

from pokade.games.errors import IllegalChoice
from pokade.games.play import View
from pokade.games.state import NOTHING
from pokade.players import is_strong, player
from pokade.server.hub.room import Room
from pokade.server.hub.strong import StrongBots, remembers
from pokade.server.logs import log_bug
from pokade.server.table import OVER, STAND_IN, Table

Think = Callable[[Callable[[], int]], Awaitable[int]]


class Bots:
    """All bots of this process; `tell` hears of a game whose strong bots are ready."""

    def __init__(self, think: Think, tell: Callable[[str], None]) -> None:
        self._think = think
        self.strong = StrongBots(tell=tell)
        self._failed: set[tuple[str, str]] = set()  # games and levels of which the log has been told

    async def choice_for(self, room: Room, seat: int) -> int:
        """What a bot or a lesson chooses; NOTHING if somebody has chosen for the seat just before this begins."""
        table, play = room.table, room.table.play
        if seat not in table.missing:
            return NOTHING
        assert play is not None  # noqa: S101 - somebody is to choose
        given = table.script.choice(table.step, seat) if table.script is not None else None
        if given is not None:
            return given
        level = table.seats[seat].bot or STAND_IN
        return await self._legal_choice(room, level, play.view(seat))

    async def _legal_choice(self, room: Room, level: str, view: View) -> int:
        """A bot's choice. Where its code fails, the stand-in answers, or chance does: the game goes on without it."""
        for trying in dict.fromkeys((level, STAND_IN)):
            try:
                choice = await self._choice_of(room, trying, view)
                if choice in view.choices:
                    return choice
                raise IllegalChoice("choice/illegal", f"a bot of level {trying} chose {choice}")
            except Exception as error:  # a bug of the bot
                self._log_once(error, view.game.name, trying)
        return random.choice(view.choices)  # always the first could go on for ever

    async def _choice_of(self, room: Room, level: str, view: View) -> int:
        if not is_strong(level):
            return await self._think(lambda: player(level, view.game)(view))
        play = room.table.play
        if play is not None and remembers(level, view.game):
            view = room.view_with_past(play, view.seat)
        return await self.strong.choose(level, view, room.unshown.counts.append)

    def _log_once(self, error: Exception, game: str, level: str) -> None:
        """A bot that always fails does so at every decision of every table."""
        if (game, level) not in self._failed:
            self._failed.add((game, level))
            log_bug(error)

    def get_ready(self, table: Table) -> None:
        """Strong bots that sit at a table have their code compiled, while people still gather."""
        if self.has_stand_ins(table):
            self.strong.get_ready(table.game)

    def has_stand_ins(self, table: Table) -> bool:
        """Does the casual level play for strong bots of this table, since their code is not compiled yet?"""
        has_strong = table.status != OVER and any(is_strong(seat.bot or "") for seat in table.seats)
        return has_strong and not self.strong.is_ready(table.game)
