"""Where the dice and deals of a table come from: a lesson's script, or the table's own provable chance."""

from collections.abc import Callable
from functools import lru_cache

from pokade.chance import Chance, draw
from pokade.fairness import Provable
from pokade.games.play import Play
from pokade.server.table import Table

Fairness = Callable[[Table], Chance]


def outcomes(table: Table, play: Play, fairness: Fairness) -> list[int]:
    """What comes together now: the dice of a throw, the cards of a hand."""
    if table.script is None:
        ahead, chance = play.copy(), fairness(table)
        return [draw(ahead, chance) for _ in range(play.game.together(play.state))]
    return table.script.draws_after(table.draws, play.game.together(play.state))


def provable(table: Table) -> Provable:
    """The table's own chance, where its game has got to."""
    salts = tuple([seat.salt for seat in table.seats])
    return _first(table.secret, table.id, salts, table.game).after(table.draws)


@lru_cache(maxsize=1024)  # every throw asks for it, and the salts of a game stay
def _first(secret: str, table_id: str, salts: tuple[str, ...], game: str) -> Provable:
    """The chance of a table before its first draw. Nobody draws from this one: it is kept."""
    return Provable(bytes.fromhex(secret), table_id, salts, game)
