"""What the matrix is made of: one player among others of one kind, the share it reached, and the share it should reach.

What was played is kept with a digest of the code that decides such games; a cell of other code is played again.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pokade
from benchmarks import frozen, pool
from pokade.arena.outside import Outsider
from pokade.arena.tournament import Tournament, run
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.players import CASUAL, LEVELS, RANDOM, STRONG, is_master, is_strong

SEED: Final = 2026
SIMPLE: Final = 0.03  # what a simple habit may gain among casual players
LOSS: Final = 0.02  # what the upper levels may lose among anything
SHINING: Final = 1.25  # of the fair share, where the top level must shine
TOP: Final = LEVELS.index(STRONG)  # from this level on, levels hold against anybody
PACKAGE: Final = Path(pokade.__file__).parent
DECIDING: Final = ("draws", "loops", "streams", "casting")  # files of the arena that decide how every game goes …
SEARCHING: Final = ("bots", "searching", "memory")  # … and those with a search in them


@dataclass(frozen=True, slots=True)
class Cell:
    """One player among others of one kind."""

    game: str
    players: int
    one: str
    among: str

    @property
    def fair(self) -> float:
        return 1 / self.players


@dataclass(frozen=True, slots=True)
class Goal:
    """A share to reach, or not to pass; with `is_sure`, its whole interval has to."""

    share: float
    is_at_most: bool = False
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a cell came to."""

    share: float
    low: float
    high: float
    games: int

    def meets(self, goal: Goal) -> bool:
        if goal.is_at_most:
            return self.share <= goal.share
        return (self.low if goal.is_sure else self.share) >= goal.share


class Pool:
    """The players at tables of one size."""

    def __init__(self, game: Game, n_seats: int, folder: Path) -> None:
        self.game, self.n_seats = game, n_seats
        habits, learnt = pool.habits(game), pool.learnt(game, n_seats, folder)
        self.outsiders: dict[str, Outsider] = {
            _short(one.name): one for one in (*habits, *pool.frozen_players(game), *learnt)
        }
        self.simple = {one.name for one in habits} | {RANDOM}
        self.learnt = {_short(one.name) for one in learnt}

    @property
    def names(self) -> list[str]:
        """Everybody, simple ones first."""
        return [*self.outsiders, *pool.built_in()]

    def cells(self, level: str) -> Iterator[Cell]:
        """Each of the others among players of a level, and the level among each of the others."""
        for other in self.names:
            if other != level:
                yield Cell(self.game.name, self.n_seats, other, level)
                yield Cell(self.game.name, self.n_seats, level, other)

    def goal(self, cell: Cell) -> Goal | None:
        """What a level promises."""
        fair = cell.fair
        if cell.one in self.learnt and cell.among in LEVELS[TOP:]:
            gain = pool.exploited(self.game) if cell.among == STRONG else pool.GAIN
            return Goal(fair + gain, is_at_most=True)
        if cell.among == CASUAL and cell.one in self.simple:
            return Goal(fair + SIMPLE, is_at_most=True)
        if cell.one in LEVELS and cell.among == (RANDOM, *LEVELS)[LEVELS.index(cell.one)] and cell.among != STRONG:
            return Goal(fair, is_sure=True)  # above the level below
        if cell.one == LEVELS[-1] != STRONG and cell.among == frozen.FROZEN and cell.players in pool.shines(self.game):
            return Goal(SHINING * fair)
        return Goal(fair - LOSS) if cell.one in LEVELS[TOP:] else None

    def key(self, entrants: list[str]) -> str:
        """What a tournament of these players is kept under."""
        code = code_of(self.game, any(map(is_strong, entrants)), any(map(is_master, entrants)))
        learnt = [self.outsiders[name].digest for name in entrants[:2] if name in self.learnt]
        return " ".join([self.game.name, str(self.n_seats), ",".join(entrants), code, *learnt])

    def tournament(self, entrants: list[str], n_seats: int = 0) -> Tournament:
        """A tournament between players of the pool."""
        theirs = {name: self.outsiders[name] for name in entrants if name in self.outsiders}
        return Tournament(self.game, entrants, SEED, n_seats=n_seats, outsiders=theirs)


def _short(name: str) -> str:
    """The name of a learnt player's file says it all."""
    return Path(name).stem


@cache
def code_of(game: Game, is_searched: bool, is_read: bool) -> str:
    """A digest of all that decides how games go: rules, players, the loops, searches and readers if there are any."""
    files = [PACKAGE / "arena" / f"{name}.py" for name in DECIDING + (SEARCHING if is_searched else ())]
    for folder in (PACKAGE / "games", PACKAGE / "players", *_folders(is_searched, is_read)):
        files += [file for file in sorted(folder.rglob("*")) if file.is_file() and file.suffix != ".pyc"]
    others = set(GAMES) - {game.name}
    played = [file for file in files if not others & {file.stem, *file.parts}]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in played)).hexdigest()[:16]


def _folders(is_searched: bool, is_read: bool) -> list[Path]:
    ours = [Path(module.__file__).parent for module in (pool, frozen) if module.__file__]
    searches = [PACKAGE / "arena" / "search", PACKAGE / "solver"] if is_searched else []
    return [*ours, *searches, *([PACKAGE / "arena" / "reading"] if is_read else [])]


class Kept:
    """What was played before, in a folder; a cell under way is kept game by game."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._file = folder, folder / "cells.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        lines = self._file.read_text("utf-8").splitlines() if self._file.exists() else []
        self._found: dict[str, dict[str, Any]] = {}
        for line in lines:
            row = json.loads(line)
            self._found[row["key"]] = row

    def get(self, key: str, games: int) -> dict[str, Any] | None:
        """What was found, if it is of so many games at least."""
        found = self._found.get(key)
        return found if found and found["games"] >= games else None

    def put(self, key: str, found: dict[str, Any]) -> None:
        """Keep what was found."""
        self._found[key] = {"key": key, **found}
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(self._found[key]) + "\n")

    def under_way(self, key: str, heading: dict[str, Any]) -> Path:
        """Where the games of a tournament are kept until it is finished; those of other code are thrown away."""
        keep = self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.jsonl"
        if keep.exists() and json.loads(keep.read_text("utf-8").partition("\n")[0] or "0") != heading:
            keep.unlink()
        return keep


@dataclass(frozen=True, slots=True)
class Playing:
    """How cells are played."""

    kept: Kept
    games: int
    threads: int
    progress: Callable[[int], None]

    def cell(self, among: Pool, cell: Cell) -> Found:
        """The share of the one; played unless it was."""
        entrants = [cell.one, *[cell.among] * (cell.players - 1)]
        return found_in(self._played(among, entrants, 0, lambda one: asdict(one.standings()[0])))

    def ratings(self, among: Pool) -> dict[str, dict[str, float]]:
        """openskill's ratings of the whole pool."""
        found = self._played(
            among, among.names, among.n_seats, lambda one: {"games": len(one.played), "ratings": one.ratings()}
        )
        rated: dict[str, dict[str, float]] = found["ratings"]
        return rated

    def _played(
        self, among: Pool, entrants: list[str], n_seats: int, summed: Callable[[Tournament], dict[str, Any]]
    ) -> dict[str, Any]:
        key, tournament = among.key(entrants), among.tournament(entrants, n_seats)
        if (found := self.kept.get(key, self.games)) is not None:
            return found
        is_slow = any(is_strong(name) for name in entrants) or not tournament.is_compiled
        keep = self.kept.under_way(key, tournament.heading()) if is_slow else None
        run(tournament, self.games, self.threads, keep, self.progress)
        self.kept.put(key, found := summed(tournament))
        if keep is not None:
            keep.unlink()
        return found


def found_in(row: dict[str, Any]) -> Found:
    """What is kept of a cell."""
    return Found(row["share"], row["low"], row["high"], row["games"])
