"""Who sits at compiled tables: built-in players of every level and temper, and functions that are written like rules.

A rule of thumb is compiled by itself and called by its address, so any number of kinds meet in one compiled loop. A
player that searches is asked outside of the loop, and searches in compiled code of its own.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokade.arena.bots import ARENA, Budget, bot, read, thought, warm
from pokade.arena.kernel import Ints, address_of
from pokade.arena.outside import Outsider, checked
from pokade.arena.reading import has_reader
from pokade.games.game import Game
from pokade.games.play import View
from pokade.games.state import NOTHING, TOLD, UNKNOWN, WIDTH, columns
from pokade.players import RANDOM, THUMBS, Player, Policy, Source, by_policy, is_master, is_player, is_strong, policy

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
        self.recalls = [isinstance(who, str) and is_master(who) and has_reader(game) for who in players]
        self.is_recalling = any(self.recalls)
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

    def ask(self, number: int, seat: int, view: Ints, luck: int, past: Sequence[View] = ()) -> int:
        """What a player that searches chooses."""
        return self.think(number, View(self.game, seat, state_of(self.game, view), tuple(past)), luck)

    def think(self, number: int, view: View, luck: int) -> int:
        """The same from a view."""
        return (read if self.recalls[number] else thought)(view, luck, self.budget)


class Pasts:
    """What those who remember have seen of the game under way at a compiled table (see `games/recall.py`)."""

    def __init__(self, cast: Cast, visible: NDArray[np.bool_]) -> None:
        self._cast, self._visible = cast, visible
        self._game, self._seen = NOTHING, defaultdict[int, list[View]](list)

    def look(self, number: int, who: Ints, flat: Ints) -> None:
        """Something has happened in game `number`, where these players sit."""
        if number != self._game:
            self._game, self._seen = number, defaultdict(list)
        for seat in range(len(who)):
            if self._cast.recalls[who[seat]]:
                cells = np.where(self._visible[seat], flat, UNKNOWN)
                self._seen[seat].append(View(self._cast.game, seat, state_of(self._cast.game, cells)))

    def of(self, number: int, seat: int) -> Sequence[View]:
        """What a seat has seen of this game."""
        return self._seen[seat] if number == self._game else ()


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
