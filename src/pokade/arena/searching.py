"""The strong level at work: what a search declares, made into room to think in, and its compiled functions."""

import importlib
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from pokade.arena.kernel import Ints, cell_of, compile_for, compiled, record_type, visible
from pokade.arena.memory import made
from pokade.games.game import Game
from pokade.games.state import packed


def search_of(game: Game) -> ModuleType:
    """The file or folder that says how the strong level thinks about a game."""
    return importlib.import_module(f"pokade.arena.search.{game.name}")


class Search:
    """The strong level at work on one game: room to think in, and the compiled functions. For one thread at a time."""

    def __init__(self, game: Game) -> None:
        self.game = game
        found = search_of(game)
        self.iterations: int = found.ITERATIONS
        self.chunk: int = found.CHUNK
        self.records = self._states, self._flats = _records(game)
        self._unheard = cell_of(game, "unheard")
        self.memory, self._bytes = made(found.Memory)
        self._rng = np.zeros(1, np.uint64)
        self.table = _prepared(game)
        self._ponder: Any = compiled(found.ponder, game)
        self._settle: Any = compiled(found.settle, game)
        room = (self._states, self._flats, 0, self.table, self.memory, self._rng)
        compile_for(self._ponder, *room, 1)
        compile_for(self._settle, *room)

    def __reduce__(self) -> tuple[Any, ...]:
        return Search, (self.game,)

    @property
    def thinks_once(self) -> bool:
        """Is its answer exact, so that more thinking changes nothing?"""
        return self.iterations == 1

    def look(self, view: Any, seat: int, luck: int) -> None:
        """Turn to a view, with nothing in mind; `luck` is a 64-bit number that all its random numbers come from."""
        self._flats[0] = packed(view)[: self._flats.shape[1]]
        self._flats[0, self._unheard] = 1
        self._bytes[:] = 0
        self._rng[0] = luck
        self._seat = seat

    def ponder(self, iterations: int) -> None:
        """Think on; other threads run meanwhile."""
        self._ponder(self._states, self._flats, self._seat, self.table, self.memory, self._rng, iterations)

    def mind(self) -> bytes:
        """All that it has thought so far, and its luck from here on: with equal minds it settles alike."""
        memory: bytes = self._bytes.tobytes()
        return memory + self._rng.tobytes()

    def settle(self) -> int:
        """The choice, after what has been thought so far."""
        return int(self._settle(self._states, self._flats, self._seat, self.table, self.memory, self._rng))


def _records(game: Game) -> tuple[Any, Ints]:
    """Records of the state to think in, by name and as flat rows without the events."""
    states = np.zeros(search_of(game).RECORDS, record_type(game))
    return states, states.view(np.int64).reshape(len(states), -1)[:, : visible(game).shape[1]]


@cache
def _prepared(game: Game) -> Any:
    """What a search works out once a process, for all searches of the game."""
    found = search_of(game)
    table, _ = made(found.Table)
    memory, _ = made(found.Memory)
    if hasattr(found, "read"):
        found.read(table)
    compiled(found.prepare, game)(*_records(game), table, memory)
    return table
