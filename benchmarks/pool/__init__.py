"""Players that levels are judged by: habits that anybody could have, a file a game, written like rules of thumb.

A file may have

    SIZES      numbers of players at which levels are judged; without them, the smallest and the largest table
    EXPLOITED  how many points above its fair share a learnt best response may reach against the strong level
    HABITS     functions of (view's state, seat, luck)

They play at compiled tables, in the terminal too, from the folder above this one:
`python -m pokade arena GAME --seats benchmarks/pool/GAME.py:HABIT,casual,casual`.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Final

from benchmarks.frozen import FROZEN, frozen
from pokade.arena.outside import Outsider, by_rule, outsider
from pokade.arena.searching import search_of
from pokade.games.game import Game
from pokade.players import LEVELS, RANDOM, TEMPERS

GAIN: Final = 0.05  # what a learnt best response may gain, if a game does not say


def _file(game: Game) -> ModuleType | None:
    name = f"{__name__}.{game.name}"
    return import_module(name) if find_spec(name) else None


def sizes(game: Game) -> tuple[int, ...]:
    """The numbers of players at which levels are judged."""
    found: tuple[int, ...] = getattr(_file(game), "SIZES", (game.seats[0], game.seats[-1]))
    return tuple(sorted(set(found)))


def shines(game: Game) -> tuple[int, ...]:
    """Those at which the top level must have clearly more than its fair share among frozen casuals."""
    found: tuple[int, ...] = search_of(game).SHINES
    return found


def exploited(game: Game) -> float:
    """What a learnt best response may gain against the strong level."""
    return float(getattr(_file(game), "EXPLOITED", GAIN))


def habits(game: Game) -> list[Outsider]:
    """Players that anybody could be."""
    return [by_rule(decide.__name__.replace("_", " "), decide) for decide in getattr(_file(game), "HABITS", ())]


def frozen_players(game: Game) -> list[Outsider]:
    """Rules of thumb that stay as they were."""
    return [by_rule(FROZEN, frozen(game))] if find_spec(f"benchmarks.frozen.{game.name}") else []


def learnt(game: Game, n_seats: int, folder: Path) -> list[Outsider]:
    """What `pokade exploit` has written into a folder as GAME-PLAYERS-LEVEL.npz."""
    files = sorted(folder.glob(f"{game.name}-{n_seats}-*.npz"))
    return [found for file in files if (found := outsider(str(file))) is not None]


def built_in() -> list[str]:
    """Every level and temper."""
    return [RANDOM, *(name for level in LEVELS for name in (level, *(f"{level}-{temper}" for temper in TEMPERS)))]
