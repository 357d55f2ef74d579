"""Who sits at compiled tables: built-in players of every level and temper, and functions that are written like rules.

A rule of thumb is compiled by itself and called by its address, so any number of kinds meet in one compiled loop. A
player that searches is asked outside of the loop, and searches in compiled code of its own.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from pokade.arena.bots import ARENA, Budget, bot, thought, warm
from pokade.arena.kernel import Ints, address_of
from pokade.arena.outside import Outsider, checked
from pokade.games.game import Game
from pokade.games.play import View
from pokade.games.state import TOLD, WIDTH, columns
from pokade.players import RANDOM, THUMBS, Player, Policy, Source, by_policy, is_player, is_strong, policy

Entrant: TypeAlias = str | Policy | Player | Outsider  # the name of a built-in player, or somebody from outside

LEVEL, TEMPER = 0, 1  # a kind of player: the address of its rule of thumb, and of its temper's if it has one
NO_TEMPER: Final = 0
AT_RANDOM, ELSEWHERE = 0, -1  # instead of an address: any choice, or one that is made outside of the loop


def policy_of(who: Entrant) -> Policy | None:
    """The function of somebody from outside that is written like a rule."""
    return who.policy if isinstance(who, Outsider) else None


def is_compiled(who: Entrant) -> bool:
    """Can this player sit at a compiled table?"""
    if isinstance(who, str):
        return is_player(who) and (is_strong(who) or who.partition("-")[0] in (RANDOM, *THUMBS))
    return policy_of(who) is not None


class Cast:
    """The players of compiled games, each by a number: its place in the list."""

    def __init__(self, game: Game, players: Sequence[str | Policy | Outsider], budget: Budget = ARENA) -> None:
        self.game, self.budget = game, budget
        self.kinds: Ints = np.array([self._kind(who) for who in players], np.int64)
        self.is_searching = bool((self.kinds[:, LEVEL] == ELSEWHERE).any())
        if self.is_searching:
            warm(game)

    def _kind(self, who: str | Policy | Outsider) -> tuple[int, int]:
        if not isinstance(who, str):
            decide: Any = who if not isinstance(who, Outsider) else who.policy
            return address_of(decide, self.game), NO_TEMPER
        name, _, temper = who.partition("-")
        likes = address_of(policy(temper, self.game), self.game) if temper else NO_TEMPER
        if is_strong(who):
            return ELSEWHERE, likes
        return AT_RANDOM if name == RANDOM else address_of(policy(name, self.game), self.game), likes

    def ask(self, seat: int, view: Ints, luck: int) -> int:
        """What a player that searches chooses."""
        return thought(View(self.game, seat, state_of(self.game, view)), luck, self.budget)


def state_of(game: Game, cells: Ints) -> Any:
    """A state from its flat record, with nothing told."""
    values, at = cells.tolist(), 0
    state: Any = game.state()
    for column in columns(game.state)[:-1]:
        setattr(state, column.name, _shaped(values[at : at + column.cells], column.shape))
        at += column.cells
    state.n_told, state.told = 0, [0] * (TOLD * WIDTH)
    return state


def _shaped(values: list[int], shape: tuple[int, ...]) -> Any:
    if not shape:
        return values[0]
    if len(shape) == 1:
        return values
    return [values[at : at + shape[1]] for at in range(0, len(values), shape[1])]


def plain_player(who: Entrant, game: Game, source: Source, budget: Budget = ARENA, name: str = "") -> Player:
    """The same player for a plain table: with the same luck it makes the same choices."""
    if isinstance(who, str):
        return bot(who, game, source, budget)
    decide = policy_of(who)
    return by_policy(decide, source) if decide else checked(who, name)  # type: ignore[arg-type]
