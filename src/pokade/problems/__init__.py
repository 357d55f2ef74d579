"""Positions worth a thought, with what every choice is worth: one a day for each game that has a file here.

    days_game(day)        the game whose turn it is on a day
    problem_of(game, day) the position of a game for a day
    problems(game)        all of them, in their order

`python -m pokade.analysis.composing` makes the files; docs/problems.md says how positions are found and checked.
"""

import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

from pokade import records
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.game import Game, Value
from pokade.games.play import Play
from pokade.players import NAMES
from pokade.records import Record

FORMAT: Final = "problems/1"
SURE: Final = 0.001  # what a choice may be behind the best one and still be as good


@dataclass(frozen=True, slots=True)
class Valued:
    """A choice of a problem: how often the reference makes it, and what it is worth, in parts of a win."""

    choice: int
    often: float
    worth: float
    error: float  # standard error of the worth, 0 where it is exact


@dataclass(frozen=True, slots=True)
class Problem:
    """A position of a game, whose choice it is, and the proof: the worth of every choice."""

    game: Game
    number: int  # its place in the file, from 0
    of: int
    record: Record  # up to here
    seat: int
    choices: tuple[Valued, ...]
    gap: float  # how far the best choices are ahead of the next one …
    gap_error: float  # … and the standard error of that; 0 where it is exact
    method: Mapping[str, Value]

    @property
    def play(self) -> Play:
        """The game at this position."""
        play = records.started(self.record)
        for _ in records.steps(self.record, play):
            pass
        return play

    @property
    def best(self) -> tuple[int, ...]:
        """The choices that are right: the best one, or all those that the reference mixes."""
        ahead = sorted((valued.worth for valued in self.choices), reverse=True)
        least = ahead[0] - SURE
        return tuple(valued.choice for valued in self.choices if valued.worth >= least)

    def cost(self, choice: int) -> float:
        """What a choice is behind the best one."""
        worths = {valued.choice: valued.worth for valued in self.choices}
        return max(worths.values()) - worths[choice]


def days_game(day: date) -> Game:
    """The games take turns."""
    games = _with_problems()
    return games[day.toordinal() % len(games)]


def _with_problems() -> list[Game]:
    return [game for game in GAMES.values() if file_of(game).exists()]


def problem_of(game: Game, day: date) -> Problem:
    """The position of a game for a day: the same wherever the same file is.

    With n the days since the beginning of year 1 (`date.toordinal`), k the number of problems and g that of games that
    take turns, it is number (n + n // (k g)) mod k: from day to day the next one, and in turns all of them come too.
    """
    number, count = day.toordinal(), len(problems(game))
    return problems(game)[(number + number // (count * len(_with_problems()))) % count]


@cache
def problems(game: Game) -> tuple[Problem, ...]:
    """All problems of a game."""
    if not file_of(game).exists():
        raise Refused("problem/none", f"there are no problems of {game.title}", game=game.title)
    found = json.loads(lzma.decompress(file_of(game).read_bytes()))
    return read(game, found)


def read(game: Game, found: Mapping[str, Any]) -> tuple[Problem, ...]:
    """The problems of a file's content."""
    rows, method = found["problems"], found["method"]
    return tuple(_problem(game, number, len(rows), row, method) for number, row in enumerate(rows))


def _problem(game: Game, number: int, of: int, row: Mapping[str, Any], method: Mapping[str, Value]) -> Problem:
    record = Record(game, NAMES[: row["players"]], row["options"], records.FULL, row["actions"])
    choices = tuple(Valued(*values) for values in row["choices"])
    gap, gap_error = row["gap"]
    return Problem(game, number, of, record, row["seat"], choices, gap, gap_error, method)


def file_of(game: Game) -> Path:
    """Where the problems of a game lie."""
    return Path(__file__).with_name(f"{game.name}.problems")
