"""The rules of thumb as they were on 18 November 2026, unchanged: opponents that stay the same from version to version.

`FROZEN` is the name of their casual level in a pool. Compiled games seat it beside built-in levels:
`Arena(game, 3).play(seed, 0, games, [frozen(game), "casual", "casual"])`.
"""

import importlib
from typing import Final

from pokade.games.game import Game
from pokade.players import CASUAL, Policy

FROZEN: Final = "frozen-casual"


def frozen(game: Game) -> Policy:
    """The casual level of a game as it was."""
    found: Policy = getattr(importlib.import_module(f"benchmarks.frozen.{game.name}"), CASUAL)
    return found
