"""A solution of POK: what every position is worth, the kept mixtures, and the probabilities that follow from them.

The file is one line of JSON, then the numbers, compressed. Worths count in whole parts of 2⁻³² of a win.
"""

import hashlib
import json
import lzma
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pokade.arena.kernel import compiled, record_type
from pokade.games.errors import BadSolution
from pokade.games.play import View
from pokade.games.pok import GAME, SYMBOLS
from pokade.solver.pok.hands import (
    ALL_HANDS,
    OPEN,
    THROWS,
    TURNINGS,
    Hands,
    canonical,
    goes,
    hand_of,
    kinds,
    positions,
    renamed,
    turned,
)
from pokade.solver.pok.loops import UNIT, mixtures
from pokade.solver.pok.rounds import Known

Floats = NDArray[np.float64]

FORMAT: Final = "solution/1"
SUFFIX: Final = ".solution"
PACKAGED: Final = {n: Path(__file__).with_name(f"{n}{SUFFIX}") for n in GAME.seats}
SIZES: Final = tuple(n for n, file in PACKAGED.items() if file.exists())  # those that come with the package


@dataclass(frozen=True, slots=True)
class Solved:
    """One position: the worth of each kind but the last, in units, and its marks."""

    worths: tuple[int, ...]
    marks: NDArray[np.uint16]


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


class Solution:
    """A solved game for a number of players."""

    def __init__(self, n_seats: int, solved: Sequence[Solved], settings: dict[str, Any], digest: str) -> None:
        self.n_seats, self.settings, self.digest = n_seats, settings, digest
        self.worths = Worths(n_seats)
        self._solved = dict(zip(positions(n_seats), solved, strict=True))
        for position, found in self._solved.items():
            self.worths.learn(position, found.worths)

    @cached_property
    def _mixtures(self) -> Any:
        return compiled(mixtures, GAME)

    def mixture(self, view: View) -> list[float]:
        """How often the view's seat shows each symbol: from what bots remember and the dice, and from nothing else."""
        state = view.state
        hands = [hand_of(state.counters[seat]) for seat in range(self.n_seats)]
        position, turning = canonical(hands)
        throw = tuple(turning.index(symbol) if symbol < SYMBOLS else symbol for symbol in state.dice)
        seat = position.index(turned(hands[view.seat], turning))
        found = self._found(position, THROWS.index(throw))[THROWS.index(throw), seat]
        return [float(found[turning.index(symbol)]) for symbol in range(SYMBOLS)]

    def strategy(self, position: Hands) -> Floats:
        """The same for every throw, seat and symbol of a position."""
        return self._found(position, -1)

    def _found(self, position: Hands, only: int) -> Floats:
        solved = self._solved[position]
        found = np.zeros((len(THROWS), self.n_seats, SYMBOLS))
        worths, marks = np.array(shares(position, solved.worths)), solved.marks.astype(np.int64)
        self._mixtures(self.worths.known, np.array(position), worths, marks, only, found)
        return found


def written(n_seats: int, solved: Iterable[Solved], settings: dict[str, Any]) -> bytes:
    """The file of a solution."""
    found = list(solved)
    worths = np.array([worth for one in found for worth in one.worths], "<u4")
    marks = np.concatenate([one.marks for one in found]).astype("<u2")
    lengths = np.array([len(one.marks) for one in found], "<u2")
    low, high = (marks & 255).astype(np.uint8), (marks >> 8).astype(np.uint8)
    packed = lzma.compress(b"".join(part.tobytes() for part in (worths, lengths, low, high)), preset=9)
    heading = {
        "format": FORMAT,
        "game": GAME.name,
        "players": n_seats,
        "positions": len(found),
        "settings": settings,
        "digest": hashlib.sha256(packed).hexdigest(),
    }
    return json.dumps(heading).encode() + b"\n" + packed


@cache
def solved(n_seats: int, file: Path | None = None) -> Solution:
    """The solution in a file, or the one that comes with the package."""
    if file is None and n_seats not in SIZES:
        raise BadSolution(f"no solution of {GAME.title} for {n_seats} players comes with the package")
    solution = read(file or PACKAGED[n_seats])
    if solution.n_seats != n_seats:
        raise BadSolution(f"{file} is for {solution.n_seats} players, not {n_seats}")
    return solution


def read(file: Path) -> Solution:
    """The solution in a file; refuses what is not whole."""
    try:
        first, _, packed = file.read_bytes().partition(b"\n")
        heading = json.loads(first)
        whole = heading["format"] == FORMAT and heading["digest"] == hashlib.sha256(packed).hexdigest()
        numbers = lzma.decompress(packed)
    except (ValueError, KeyError, TypeError, lzma.LZMAError):
        raise BadSolution(f"{file} holds no solution") from None
    if not whole or heading["game"] != GAME.name:
        raise BadSolution(f"{file} holds no solution of {GAME.title}, or only a part of one")
    n_seats = heading["players"]
    return Solution(n_seats, _parsed(n_seats, numbers), heading["settings"], heading["digest"][:16])


def _parsed(n_seats: int, numbers: bytes) -> list[Solved]:
    sizes = [len(kinds(position)) - 1 for position in positions(n_seats)]
    n_worths = sum(sizes)
    worths = np.frombuffer(numbers, "<u4", n_worths).tolist()
    lengths = np.frombuffer(numbers, "<u2", len(sizes), 4 * n_worths)
    start, total = 4 * n_worths + 2 * len(sizes), int(lengths.sum())
    low, high = (np.frombuffer(numbers, np.uint8, total, start + at).astype(np.uint16) for at in (0, total))
    marks = np.split(low + (high << 8), np.cumsum(lengths)[:-1])
    found, at = [], 0
    for size, own in zip(sizes, marks, strict=True):
        found.append(Solved(tuple(worths[at : at + size]), own))
        at += size
    return found
