"""Numbers that come with the package: chances of two players to win, and how often cards are met in self-play.

There are twelve million chances to win, by both hands and the lead, so these are kept as sums of a few curves over the
lead: by number of cards the usual chance and up to `SHAPES` curves, and by pair of hands how much of each, in whole
steps. Evens and odds are alike: of two pairs of hands that differ only by swapping *no evens* and *no odds* one is
kept. `backwards.py` works them out; what `selfplay.py` learns is kept as it is.
"""

import itertools
import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pokade.arena.search.pokerdice.memory import FARTHEST, LEADS, SIZES, THROWS
from pokade.games.pokerdice import NO_EVENS, NO_ODDS, OBJECTIVES

Floats = NDArray[np.float64]

FILE: Final = Path(__file__).with_name("chances.xz")
ODDS: Final = Path(__file__).with_name("odds.xz")
WHOLE: Final = 255  # how often cards are met is kept in so many parts
CARDS: Final = range(2, OBJECTIVES)  # numbers of cards; the last one is played exactly when the search is prepared
# By number of cards: how many curves, and how fine the steps are. The fewer rounds are left, the less smooth it is.
FEW: Final = {2: (16, 0.01), 3: (16, 0.02), 4: (14, 0.04), 5: (10, 0.05)}
KEPT: Final = {cards: FEW.get(cards, (8, 0.05)) for cards in CARDS}


@cache
def hands_of(cards: int) -> tuple[int, ...]:
    """All hands with so many cards, as bit sets in ascending order."""
    return tuple(hand for hand in range(1 << OBJECTIVES) if hand.bit_count() == cards)


def mirrored(hand: int) -> int:
    """The hand with evens for odds."""
    both = hand >> NO_EVENS & 1 | (hand >> NO_ODDS & 1) << 1
    swapped = (both >> 1) << NO_EVENS | (both & 1) << NO_ODDS
    return hand & ~(1 << NO_EVENS | 1 << NO_ODDS) | swapped


@cache
def kept_pairs(cards: int) -> tuple[tuple[int, int], ...]:
    """Pairs of hands, the active player's first; of two mirrored ones the lower."""
    hands = hands_of(cards)
    pairs = itertools.product(hands, hands)
    return tuple(pair for pair in pairs if pair <= (mirrored(pair[0]), mirrored(pair[1])))


def read(table: Any) -> None:
    """Put what comes with the package into the table of the search."""
    _load_chances(table)
    _load_odds(table)


def _load_chances(table: Any) -> None:
    sizes, numbers = _read(FILE.read_bytes())
    first = sum(len(hands_of(cards)) ** 2 for cards in range(min(CARDS)))
    for cards, (n_curves, step) in sizes.items():
        usual, curves, steps = (numbers[f"{name}{cards}"] for name in ("usual", "curves", "steps"))
        table.usual[cards] = usual
        table.curves[cards, :n_curves] = curves
        count = len(hands_of(cards))
        table.parts[first : first + count**2, :n_curves] = all_pairs(cards, steps).reshape(count**2, -1) * step
        first += count**2


def all_pairs(cards: int, kept: NDArray[Any]) -> NDArray[Any]:
    """What is kept of some pairs of hands, by the numbers of both hands."""
    rank = {hand: number for number, hand in enumerate(hands_of(cards))}
    row = {pair: number for number, pair in enumerate(kept_pairs(cards))}
    rows = [
        row[min((mine, theirs), (mirrored(mine), mirrored(theirs)))]
        for mine, theirs in itertools.product(rank, repeat=2)
    ]
    return kept[rows].reshape(len(rank), len(rank), -1)


def packed_chances(chances: dict[int, Floats]) -> bytes:
    """The file: by number of cards the chances of all kept pairs at all leads, as sums of curves."""
    parts, sizes = [], {}
    for cards, found in chances.items():
        n_curves, step = KEPT[cards]
        usual = found.mean(axis=0).astype(np.float16)
        rest = found - usual
        curves = np.linalg.eigh(rest.T @ rest)[1][:, : -n_curves - 1 : -1].T.astype(np.float16)
        steps = np.rint(rest @ curves.T.astype(float) / step).astype(np.int64)
        parts += [usual.tobytes(), curves.tobytes(), _planes(steps)]
        sizes[cards] = (n_curves, step)
    return lzma.compress(json.dumps(sizes).encode() + b"\n" + b"".join(parts), preset=9 | lzma.PRESET_EXTREME)


def _planes(steps: NDArray[np.int64]) -> bytes:
    """Curve by curve, first the low bytes and then the high ones: so they pack well."""
    folded = np.where(steps < 0, -2 * steps - 1, 2 * steps).T.astype("<u2")  # small numbers stay small without a sign
    return np.stack([folded & 255, folded >> 8], axis=1).astype(np.uint8).tobytes()


def _read(file: bytes) -> tuple[dict[int, tuple[int, float]], dict[str, NDArray[Any]]]:
    first, _, rest = lzma.decompress(file).partition(b"\n")
    sizes = {int(cards): (int(n_curves), float(step)) for cards, (n_curves, step) in json.loads(first).items()}
    numbers: dict[str, NDArray[Any]] = {}
    at = 0
    for cards, (n_curves, _step) in sizes.items():
        numbers[f"usual{cards}"] = np.frombuffer(rest, np.float16, LEADS, at)
        at += 2 * LEADS
        numbers[f"curves{cards}"] = np.frombuffer(rest, np.float16, n_curves * LEADS, at).reshape(n_curves, LEADS)
        at += 2 * n_curves * LEADS
        count = len(kept_pairs(cards))
        planes = np.frombuffer(rest, np.uint8, 2 * n_curves * count, at).reshape(n_curves, 2, count).astype(np.int64)
        folded = (planes[:, 0] | planes[:, 1] << 8).T
        numbers[f"steps{cards}"] = np.where(folded & 1, -(folded + 1) // 2, folded // 2)
        at += 2 * n_curves * count
    return sizes, numbers


def at_all_leads(chances: Floats) -> Floats:
    """Chances at the leads −n … n, for all leads that are told apart: beyond them the game is decided."""
    beyond = FARTHEST - chances.shape[1] // 2
    return np.pad(chances, ((0, 0), (beyond, beyond)), constant_values=((0.0, 0.0), (0.0, 1.0)))


def _load_odds(table: Any) -> None:
    """How often cards are met."""
    first, _, rest = lzma.decompress(ODDS.read_bytes()).partition(b"\n")
    table.misses[:] = json.loads(first)
    odds = np.frombuffer(rest, np.uint8).reshape(2, SIZES, THROWS, OBJECTIVES) / WHOLE
    table.mine[:], table.theirs[:] = odds


def packed_odds(table: Any) -> bytes:
    """The file of how often cards are met."""
    misses = json.dumps([round(float(part), 3) for part in table.misses]).encode()
    odds = np.rint(np.stack([table.mine, table.theirs]) * WHOLE).astype(np.uint8)
    return lzma.compress(misses + b"\n" + odds.tobytes(), preset=9 | lzma.PRESET_EXTREME)
