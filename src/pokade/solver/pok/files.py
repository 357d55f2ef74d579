"""The file of a solution of POK: one line of JSON, then the numbers, compressed.

Worths count in whole parts of 2⁻³² of a win. A file for a limit of rounds has all positions with one round left, then
all with two, and so on.
"""

import hashlib
import json
import lzma
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pokade.games.errors import BadSolution
from pokade.games.pok import GAME
from pokade.solver.pok.hands import Hands, kinds, positions

FORMAT: Final = "solution/1"


@dataclass(frozen=True, slots=True)
class Solved:
    """One position: the worth of each kind but the last, in units, and its marks."""

    worths: tuple[int, ...]
    marks: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class File:
    """What is in a file."""

    n_seats: int
    settings: dict[str, Any]
    solved: list[Solved]
    digest: str


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


def read(file: Path) -> File:
    """The solution in a file; refuses what is not whole."""
    try:
        first, _, packed = file.read_bytes().partition(b"\n")
        heading = json.loads(first)
        whole = heading["format"] == FORMAT and heading["digest"] == hashlib.sha256(packed).hexdigest()
        numbers = lzma.decompress(packed)
    except (ValueError, KeyError, TypeError, lzma.LZMAError):
        raise BadSolution("solution/file", f"{file} holds no solution", file=str(file)) from None
    if not whole or heading["game"] != GAME.name:
        sentence = f"{file} holds no solution of {GAME.title}, or only a part of one"
        raise BadSolution("solution/part", sentence, file=str(file), game=GAME.title)
    n_seats, settings = heading["players"], heading["settings"]
    every = positions(n_seats) * settings.get("max_rounds", 1)
    return File(n_seats, settings, _parsed(every, numbers), heading["digest"][:16])


def _parsed(every: tuple[Hands, ...], numbers: bytes) -> list[Solved]:
    sizes = [len(kinds(position)) - 1 for position in every]
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
