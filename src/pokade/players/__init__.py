"""Players decide for seats. A player gets a view, which is all it ever sees, and returns one of the view's choices.

The built-in players are written like rules, so that the arena compiles them: `choose(view's state, seat, luck)`, where
luck is a random number below 2³¹ that they mix with. `random` picks any choice, `novice` plays as a child does after
one reading of the rules, `casual` follows rules of thumb. The `strong` level searches, in the arena; `master` plays as
it does until it has seen how its rivals play. A temper may be added to a level, as in `casual-bold`: now and then it
follows its liking instead of its judgement.
"""

import importlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, Protocol, get_args

from pokade.games.game import Game
from pokade.games.play import View
from pokade.games.state import NOTHING

Player = Callable[[View], int]
Policy = Callable[[Any, int, int], int]


class Source(Protocol):
    """Where a player's luck comes from: `random.Random`, or what the arena has instead."""

    def randrange(self, start: int, /) -> int: ...
    def choice(self, seq: Sequence[int], /) -> int: ...
    def getrandbits(self, k: int, /) -> int: ...


Level = Literal["random", "novice", "casual", "strong", "master"]
Temper = Literal["cautious", "bold", "bluffer"]
PLAYERS: Final = get_args(Level)
TEMPERS: Final = get_args(Temper)
RANDOM, CASUAL, STRONG, MASTER = "random", "casual", "strong", "master"
LEVELS: Final = PLAYERS[1:]
THUMBS: Final = LEVELS[: LEVELS.index(STRONG)]  # the levels that go by rules of thumb
NAMES: Final = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gwen", "Hugo", "Ivo", "Jule", "Kai", "Lia")  # of bots
LUCK: Final = 1 << 31
LIKING: Final = 3  # with a temper, one choice in so many is a matter of liking


def policy(name: str, game: Game) -> Policy:
    """The function behind a level that is a rule of thumb, or behind a temper (which may say NOTHING)."""
    if name not in (*THUMBS, *TEMPERS):
        raise ValueError(f"no player {name}; there are {', '.join(PLAYERS)}")
    found: Policy = getattr(importlib.import_module(f"pokade.players.{game.file}"), name)
    return found


def is_player(name: str) -> bool:
    """Is this the name of a built-in player: a level, perhaps with a temper?"""
    level, dash, temper = name.partition("-")
    return level in PLAYERS and (not dash or (temper in TEMPERS and level != RANDOM))


def is_strong(name: str) -> bool:
    """Does this player search? Where no search is at hand, the player that `stand_in` names plays instead."""
    return name.partition("-")[0] in (STRONG, MASTER)


def is_master(name: str) -> bool:
    """Does this player read its rivals, and so want the past of its seat?"""
    return name.partition("-")[0] == MASTER


def stand_in(name: str) -> str:
    """The casual player of the same temper."""
    return name.replace(name.partition("-")[0], CASUAL, 1)


@dataclass(frozen=True, slots=True)
class Recalling:
    """A player that remembers: the views that it gets come with the past of its seat."""

    decide: Player

    def __call__(self, view: View) -> int:
        return self.decide(view)


def recalls(who: Player) -> bool:
    """Is this player to be given the past of its seat?"""
    return isinstance(who, Recalling)


def source_of(seed: int | str | Source | None) -> Source:
    """Where a player's luck comes from; the same seed, the same luck."""
    if seed is None or isinstance(seed, int | str):
        return random.Random(None if seed is None else f"pokade player {seed}")
    return seed


def player(name: str, game: Game, seed: int | str | Source | None = None) -> Player:
    """A built-in player for one game that needs no search; with the same seed it makes the same choices.

    It can be pickled, and goes on after that as it would have.
    """
    source = source_of(seed)
    if name == RANDOM:
        return partial(_at_random, source)
    level, _, temper = name.partition("-")
    return tempered(by_policy(policy(level, game), source), temper, game, source)


def by_policy(decide: Policy, source: Source) -> Player:
    """A player that goes by a rule of thumb."""
    return partial(_by_thumb, decide, source)


def _at_random(source: Source, view: View) -> int:
    return source.choice(view.choices)


def _by_thumb(decide: Policy, source: Source, view: View) -> int:
    return decide(view.state, view.seat, source.randrange(LUCK))


def tempered(plain: Player, temper: str, game: Game, source: Source) -> Player:
    """The same player with a temper (none if it is ""): now and then it does what it likes, if it likes anything."""
    return partial(_by_temper, plain, policy(temper, game), source) if temper else plain


def _by_temper(plain: Player, likes: Policy, source: Source, view: View) -> int:
    liked = likes(view.state, view.seat, source.randrange(LUCK)) if source.randrange(LIKING) == 0 else NOTHING
    return plain(view) if liked == NOTHING else liked
