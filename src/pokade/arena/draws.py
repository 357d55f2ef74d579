"""Random numbers for compiled code: SplitMix64 in an array of one word, so that a run repeats itself everywhere.

These functions are only ever run compiled, where 64-bit words wrap round without a sound; `streams.py` has the plain
ones, which draw the same.
"""

from typing import Any, Final

import numpy as np

from pokade.games.state import rule

PLAYERS: Final = 0x5EA75EA75EA75EA7  # tells the luck of players from that of dice and cards


@rule
def next_word(rng: Any) -> Any:
    """SplitMix64: one 64-bit word."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    word = rng[0]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@rule
def below(rng: Any, count: int) -> Any:
    """One of 0 … count − 1, all exactly equally likely: the few words that would make some likelier are drawn again."""
    limit = np.uint64(count)
    low_bits = np.uint64(0xFFFFFFFF)
    product = (next_word(rng) >> np.uint64(32)) * limit
    if (product & low_bits) < limit:
        threshold = (low_bits - limit + np.uint64(1)) % limit
        while (product & low_bits) < threshold:
            product = (next_word(rng) >> np.uint64(32)) * limit
    return np.int64(product >> np.uint64(32))


@rule
def fraction(rng: Any) -> Any:
    """A number from 0 up to, but not including, 1."""
    return np.float64(next_word(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@rule
def start_stream(rng: Any, seed: Any, game: int) -> None:
    """Every game of a run has a stream of its own, so the result does not depend on the order of games."""
    rng[0] = seed
    rng[0] = next_word(rng) ^ np.uint64(game)
    rng[0] = next_word(rng)


@rule
def start_round(rng: Any, seed: Any, deal: int, number: int) -> None:
    """So has every round of a deal: however the rounds before went, dice and cards are the same."""
    start_stream(rng, seed, deal)
    rng[0] = next_word(rng) ^ np.uint64(number)
    rng[0] = next_word(rng)


@rule
def start_luck(rng: Any, seed: Any, game: int) -> None:
    """And so has the luck that the players of a game mix with: dice and cards do not depend on how often they do."""
    start_stream(rng, seed ^ np.uint64(PLAYERS), game)


@rule
def copy_cells(source: Any, target: Any) -> None:
    """Cell by cell: assigning a slice would compile numba's whole machinery of error messages, for two seconds."""
    for cell in range(len(source)):
        target[cell] = source[cell]
