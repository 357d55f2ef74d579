"""How often each kind of player would show each symbol, kept for as long as a game may ask again."""

from functools import lru_cache
from typing import Any

from pokade.arena.reading.guessing import Guesses, guessed
from pokade.arena.reading.pok.kinds import KINDS, RANDOM, guess
from pokade.arena.reading.pok.reference import answers, mixtures, reference
from pokade.arena.reading.spots import KEPT, Spot, spot_of
from pokade.games.pok import GAME


def guesses(state: Any) -> Guesses:
    """By seat, kind and symbol."""
    return _guesses(spot_of(state))


@lru_cache(KEPT)
def _guesses(spot: Spot) -> Guesses:
    return guessed(GAME, guess, KINDS, RANDOM, spot.state, mixtures(spot))


def warm() -> None:
    """Load and compile, for every number of players."""
    for n_seats in GAME.seats:
        state: Any = GAME.new(n_seats)
        state.dice[:] = [0] * len(state.dice)
        guesses(state)
        answers(state, 0, (reference(state),))
