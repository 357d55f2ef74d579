"""The random numbers of compiled games in plain Python: with them a plain game goes as the compiled one does.

The streams are those of `draws.py`, word for word.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

from pokade.arena.draws import PLAYERS
from pokade.games.play import Play

WORD: Final = (1 << 64) - 1
HALF: Final = (1 << 32) - 1


class Stream:
    """SplitMix64, started from a seed and further numbers."""

    def __init__(self, seed: int, *numbers: int) -> None:
        self._state = seed & WORD
        for number in numbers:
            self._state = self._word() ^ number & WORD
            self._state = self._word()

    def _word(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & WORD
        word = self._state
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
        word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
        return word ^ word >> 31

    def randrange(self, count: int) -> int:
        """One of 0 … count − 1, all equally likely."""
        product = (self._word() >> 32) * count
        if product & HALF < count:
            threshold = (HALF - count + 1) % count
            while product & HALF < threshold:
                product = (self._word() >> 32) * count
        return product >> 32

    def choice(self, choices: Sequence[int]) -> int:
        """One of the choices, all equally likely."""
        return choices[self.randrange(len(choices))]

    def getrandbits(self, bits: int) -> int:
        """A number of up to 64 bits."""
        return self._word() >> 64 - bits


def luck_of(seed: int, game: int) -> Stream:
    """What the players of a game mix with, one after another."""
    return Stream(seed ^ PLAYERS, game)


class Duplicate:
    """The same dice and deals for every game of a deal, round by round: however the last one went."""

    def __init__(self, seed: int | str, deal: int, play: Play) -> None:
        self._seed, self._deal, self._play = numbered(seed), deal, play
        self._round = -1
        self._stream = Stream(0)

    def draw(self, tickets: int) -> int:
        if self._play.state.round != self._round:
            self._round = self._play.state.round
            self._stream = Stream(self._seed, self._deal, self._round)
        return self._stream.randrange(tickets)


def numbered(seed: int | str) -> int:
    """A seed as a number."""
    return seed if isinstance(seed, int) else int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")
