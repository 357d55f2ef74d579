"""What a report says of one game alone, in a file of the game's name. A game without such a file has the general part.

MEASURES                                  what is counted; texts under `report.game.NAME.measure` name it and its rows
note(state, code, who, what, more, counts)   a rule that hears every event of every game, and counts
NUMBERS                                   numbers of the rules that a designer may change, in the laboratory only
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from pokade.games.game import Game
from pokade.games.state import rule

ROWS: Final = 12  # that a measure may have
TOTAL, SQUARES, NUMBER = 0, 1, 2  # what is kept of a row: the sum of the values, that of their squares, how many


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean by rows: of values that are 0 or 1 (a part, shown in per cent), or of any whole numbers.

    Its texts name the rows, or `words` does: a list of words that the game's texts have already.
    """

    name: str
    rows: int
    is_part: bool = True
    words: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the rules: the constant that holds it (one place or several of a tuple), and what it may become."""

    constant: str
    takes: range
    places: tuple[int, ...] = ()


class Measures(NamedTuple):
    """What reports know of a game."""

    measures: tuple[Measure, ...]
    note: Callable[..., None]
    numbers: Mapping[str, Number]
    files: tuple[Path, ...]


@rule
def add(counts: Any, measure: int, row: int, value: int) -> None:
    """One more value of a row."""
    counts[measure, row, TOTAL] += value
    counts[measure, row, SQUARES] += value * value
    counts[measure, row, NUMBER] += 1


@rule
def await_hit(counts: Any, measure: int, row: int) -> None:
    """One more try, which counts as a miss until a hit is told."""
    counts[measure, row, NUMBER] += 1


@rule
def hit(counts: Any, measure: int, row: int) -> None:
    """The last try was a hit."""
    counts[measure, row, TOTAL] += 1
    counts[measure, row, SQUARES] += 1


@rule
def nothing(state: Any, code: int, who: int, what: int, more: int, counts: Any) -> None:
    """Nothing is counted."""


def measures_of(game: Game) -> Measures:
    """What reports know of a game; nothing, if it has no file here."""
    name = f"{__name__}.{game.file}"
    is_there = name in sys.modules or importlib.util.find_spec(name)
    found = importlib.import_module(name) if is_there else None
    files = (Path(str(found.__file__)), Path(__file__)) if found else (Path(__file__),)
    return Measures(
        getattr(found, "MEASURES", ()), getattr(found, "note", nothing), getattr(found, "NUMBERS", {}), files
    )
