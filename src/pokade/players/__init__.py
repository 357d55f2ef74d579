"""Who decides for a seat. A player gets a view, which is all it ever sees, and returns one of the view's choices.

The built-in players are written like rules, so that the arena compiles them: `choose(view's state, seat, luck)`, where
luck is a random number below 2³¹ that they mix with. `random` picks any choice; `casual` follows a few rules of thumb.
"""

import importlib
import random
from collections.abc import Callable
from typing import Any, Final

from pokade.games.game import Game
from pokade.games.play import View

Player = Callable[[View], int]
Policy = Callable[[Any, int, int], int]

RANDOM: Final = "random"
PLAYERS: Final = (RANDOM, "casual")
LUCK: Final = 1 << 31


def policy(name: str, game: Game) -> Policy:
    """The function behind a built-in player that has a mind of its own."""
    if name not in PLAYERS or name == RANDOM:
        raise ValueError(f"no player {name}; there are {', '.join(PLAYERS)}")
    found: Policy = getattr(importlib.import_module(f"pokade.players.{game.name}"), name)
    return found


def player(name: str, game: Game, seed: int | str | None = None) -> Player:
    """A built-in player for one game; with the same seed it makes the same choices."""
    source = random.Random(None if seed is None else f"pokade player {seed}")
    if name == RANDOM:
        return lambda view: source.choice(view.choices)
    decide = policy(name, game)
    return lambda view: decide(view.state, view.seat, source.randrange(LUCK))
