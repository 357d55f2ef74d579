"""Guesses of many kinds of players at once, by a compiled function over the rules of thumb."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pokade.arena.kernel import compiled, record_type
from pokade.arena.reading.beliefs import REFERENCE, Chances, slipped
from pokade.games.game import Game
from pokade.games.state import packed

Guesses = list[list[list[float]]]  # by seat, kind and choice


def guessed(
    game: Game, guess: Callable[..., None], kinds: int, anything: int, state: Any, reference: Sequence[Chances]
) -> Guesses:
    """What `guess(view, seat, out)` says of each seat, with the reference put first.

    `anything` is the kind that does anything: everybody is thought to slip like that.
    """
    record, found = np.zeros(1, record_type(game)), []
    record.view(np.int64)[:] = packed(state)
    for seat, mixture in enumerate(reference):
        out = np.zeros((kinds, len(mixture)))
        compiled(guess, game)(record[0], seat, out)
        out[REFERENCE] = mixture
        found.append([slipped(one, out[anything].tolist()) for one in out.tolist()])
    return found
