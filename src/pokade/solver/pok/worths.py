"""What positions of POK are worth to those who sit there, as far as it is known."""

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from pokade.arena.kernel import record_type
from pokade.games.pok import GAME
from pokade.solver.pok.hands import ALL_HANDS, OPEN, TURNINGS, Hands, goes, kinds, renamed, turned
from pokade.solver.pok.loops import UNIT
from pokade.solver.pok.rounds import Known

Floats = NDArray[np.float64]


class Worths:
    """What everybody's hand is worth in each position, however seats and symbols are named; as far as it is known."""

    def __init__(self, n_seats: int) -> None:
        self.n_seats = n_seats
        self.places = np.zeros((n_seats, ALL_HANDS), np.int64)
        for slot in range(n_seats):
            for number, hand in enumerate(OPEN):
                self.places[slot, hand] = comb(number + slot, slot + 1)
        self.table: Floats = np.full((comb(len(OPEN) - 1 + n_seats, n_seats), n_seats), np.nan)
        self.known = Known(np.zeros(1, record_type(GAME)), np.array(goes(n_seats)), self.table, self.places)

    def learn(self, position: Hands, worths: Sequence[int]) -> None:
        """Write a position's worths down under all its names."""
        by_hand = dict(zip(kinds(position), shares(position, worths), strict=True))
        for turning in TURNINGS:
            names = {turned(hand, turning): worth for hand, worth in by_hand.items()}
            hands = renamed(position, turning)
            self.table[self._rank(hands)] = [names[hand] for hand in hands]

    def of(self, hands: Sequence[int]) -> dict[int, float]:
        """What each hand is worth among these."""
        ordered = sorted(hands)
        return dict(zip(ordered, self.table[self._rank(ordered)].tolist(), strict=True))

    def for_one_thread(self) -> Known:
        """What compiled loops read, with a record of their own to play in."""
        return self.known._replace(states=np.zeros(1, record_type(GAME)))

    def _rank(self, ordered: Sequence[int]) -> int:
        return int(sum(self.places[slot, hand] for slot, hand in enumerate(ordered)))


def shares(position: Hands, worths: Sequence[int]) -> list[float]:
    """Each kind's part of the win: the last kind has what the others leave, so that all parts sum to 1."""
    parts = [worth / UNIT for worth in worths]
    hands = kinds(position)
    rest = 1.0
    for hand, part in zip(hands, parts, strict=False):
        rest -= position.count(hand) * part
    return [*parts, rest / position.count(hands[-1])]
