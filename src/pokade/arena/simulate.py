"""Many games between given players: compiled where all of them are built in or written like rules, else plain.

Game number k of a seed is always the same game, compiled or plain, and everything counted is an integer, so the result
does not depend on the number of threads.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from pokade.arena.casting import Cast, is_compiled, plain_player
from pokade.arena.keeping import code_of, games_in
from pokade.arena.kernel import Ints
from pokade.arena.loops import CHOICES_TOTAL, GAMES_TOTAL, TIES_TOTAL, WHOLE, Arena, count
from pokade.arena.outside import Outsider
from pokade.arena.places import Places
from pokade.arena.runs import CONFIDENCE, Workers, check_seats, count_of, in_order
from pokade.arena.streams import Duplicate, luck_of
from pokade.chance import Chance
from pokade.games.game import Game
from pokade.games.play import Play
from pokade.games.state import CHANCE
from pokade.loop import finish
from pokade.players import PLAYERS, Player, is_player, is_strong

BATCH: Final = 8192  # games that a thread plays between two signs of life …
SEARCHED: Final = 4  # … and games in which somebody searches
LONGEST: Final = 10_002  # rounds; the last place counts what is beyond
SCORES: Final = 8192  # different points that are told apart
ENDINGS: Final = 8


class Tally:
    """What is counted over many games, all of it in integers."""

    def __init__(self, n_seats: int) -> None:
        self.n_seats = n_seats
        self.seats: Ints = np.zeros((5, n_seats), np.int64)  # shares, their squares, wins, points, their squares
        self.totals: Ints = np.zeros(3, np.int64)  # games, choices, ties
        self.rounds: Ints = np.zeros(LONGEST, np.int64)  # how many games lasted so long
        self.scores: Ints = np.zeros(SCORES, np.int64)  # how often a seat counted so much
        self.endings: Ints = np.zeros(ENDINGS, np.int64)

    @property
    def parts(self) -> tuple[Ints, ...]:
        return self.seats, self.totals, self.rounds, self.scores, self.endings

    @property
    def games(self) -> int:
        return int(self.totals[GAMES_TOTAL])

    def merge(self, other: "Tally") -> None:
        """Add what was counted elsewhere."""
        for mine, theirs in zip(self.parts, other.parts, strict=True):
            np.add(mine, theirs, out=mine)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the half width of its 95 % confidence interval."""

    mean: float
    error: float


def _name_of(who: Player) -> str:
    return who.name if isinstance(who, Outsider) else getattr(who, "__name__", "player")


def estimate(total: float, squares: float, games: int) -> Estimate:
    """The mean of many values, from their sum and the sum of their squares."""
    mean = total / games
    variance = max(0.0, squares / games - mean * mean)
    return Estimate(mean, CONFIDENCE * math.sqrt(variance / games))


@dataclass(slots=True)
class Match:
    """Many games between the same players: what is asked for, and what came of it."""

    game: Game
    seats: Sequence[str | Player]  # names of built-in players, or functions from a view to a choice
    games: int
    seed: int = 0
    threads: int = 1
    options: Mapping[str, object] = field(default_factory=dict)
    workers: int | Workers | None = None  # who plays instead of threads of this process
    seconds: float = 0.0  # playing only
    compile_seconds: float = 0.0
    tally: Tally = field(init=False)

    def __post_init__(self) -> None:
        self.tally = Tally(len(self.seats))
        for who in self.seats:
            if isinstance(who, str) and not is_player(who):
                raise ValueError(f"no player {who}; there are {', '.join(PLAYERS)}")
        self.game.new(len(self.seats), self.options)  # refuses bad seats and options before anything is compiled

    @property
    def players(self) -> list[str]:
        return [who if isinstance(who, str) else _name_of(who) for who in self.seats]

    @property
    def is_compiled(self) -> bool:
        """Are all of them players that compiled games can seat?"""
        return all(is_compiled(who) for who in self.seats)

    @property
    def at_once(self) -> int:
        """How many games are played at a time: a player from outside may remember, so its games come in order."""
        return min(count_of(self.workers or self.threads), self.games) if self.is_compiled else 1

    def heading(self) -> dict[str, Any]:
        """What makes two matches the same, so that one can go on where the other stopped."""
        about = {"game": self.game.name, "seats": self.players, "seed": self.seed, "options": dict(self.options)}
        files = {who.name: who.digest for who in self.seats if isinstance(who, Outsider)}
        return {**about, "code": code_of(self.game), "files": files}

    def shares(self) -> list[Estimate]:
        """Each seat's part of the wins; ties are shared."""
        rows = zip(*self.tally.seats[:2].tolist(), strict=True)
        return [estimate(total / WHOLE, squares / WHOLE**2, self.tally.games) for total, squares in rows]

    def points(self) -> list[Estimate]:
        """What each seat counts at the end, on average."""
        rows = zip(*self.tally.seats[3:].tolist(), strict=True)
        return [estimate(total, squares, self.tally.games) for total, squares in rows]

    def rounds(self) -> Estimate:
        """How long a game lasts."""
        lengths, counts = np.arange(LONGEST), self.tally.rounds
        return estimate(int((lengths * counts).sum()), int((lengths**2 * counts).sum()), self.tally.games)

    def ties(self) -> Estimate:
        """How often several share the win."""
        ties = int(self.tally.totals[TIES_TOTAL])
        return estimate(ties, ties, self.tally.games)

    def summary(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        games, seconds = self.tally.games, max(self.seconds, 1e-9)
        shares, points, rounds, ties = self.shares(), self.points(), self.rounds(), self.ties()
        choices = int(self.tally.totals[CHOICES_TOTAL])
        endings = zip(self.game.endings, self.tally.endings.tolist(), strict=False)
        return {
            "game": self.game.name,
            "players": len(self.seats),
            "seats": self.players,
            "options": dict(self.options),
            "games": games,
            "seed": self.seed,
            "threads": self.at_once,
            "choices": choices,
            "seconds": self.seconds,
            "compile_seconds": self.compile_seconds,
            "choices_per_second": choices / seconds,
            "games_per_second": games / seconds,
            "rounds_per_second": rounds.mean * games / seconds,
            "shares": [share.mean for share in shares],
            "shares_error": [share.error for share in shares],
            "wins": [won / games for won in self.tally.seats[2].tolist()],
            "points_mean": [point.mean for point in points],
            "points_error": [point.error for point in points],
            "ties": ties.mean,
            "ties_error": ties.error,
            "rounds_mean": rounds.mean,
            "rounds_error": rounds.error,
            "endings": {name: number / games for name, number in endings if number},
        }


def run(match: Match, progress: Callable[[int], None] = lambda _: None, keep: Path | None = None) -> Match:
    """Play a match; `progress` hears now and then how many games are done. Stopping it (Ctrl-C) keeps those.

    With a file to keep them in, what was counted is written there as it comes, and a stopped match goes on from it.
    """
    if match.is_compiled:
        _run_compiled(match, progress, keep)
    else:
        _run_plain(match, progress)
    return match


@dataclass(frozen=True, slots=True)
class _Playing:
    """Plays batches of a match: (first game, number of games) to what is counted. It can be pickled."""

    places: Places[tuple[Arena, Cast]]
    n_seats: int
    seed: int

    def __call__(self, batch: tuple[int, int]) -> Tally:
        first, games = batch
        part = Tally(self.n_seats)
        with self.places.one() as (arena, cast):
            rows = arena.meet(cast, self.seed, first, np.arange(self.n_seats)[None].repeat(games, 0))
            arena.count(rows, *part.parts)
        return part


def _place(game: Game, seats: Sequence[Any], options: Mapping[str, object]) -> tuple[Arena, Cast]:
    return Arena(game, len(seats), options), Cast(game, seats)


def _run_compiled(match: Match, progress: Callable[[int], None], keep: Path | None) -> None:
    started = time.perf_counter()
    workers = match.workers or match.threads
    check_seats(workers, match.seats)
    if keep is not None:
        for row in games_in(keep, match.heading()):
            match.tally.merge(unpacked(row, len(match.seats)))
        progress(match.tally.games)
    playing = _Playing(
        Places(partial(_place, match.game, match.seats, dict(match.options))), len(match.seats), match.seed
    )
    playing((0, 0))  # compiles, or loads what was
    match.compile_seconds = time.perf_counter() - started
    is_searching = any(isinstance(who, str) and is_strong(who) for who in match.seats)
    with _stopwatch(match):
        for part in in_order(playing, _batches(match, SEARCHED if is_searching else BATCH), workers):
            match.tally.merge(part)
            if keep is not None:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(packed(part)) + "\n")
            progress(match.tally.games)


def packed(part: Tally) -> dict[str, list[list[int]]]:
    """What was counted, as it is kept: the cells that are not empty, each as its place and its number."""
    places = [(part, np.flatnonzero(part)) for part in part.parts]
    return {"parts": [[int(n) for pair in zip(at, part.ravel()[at], strict=True) for n in pair] for part, at in places]}


def unpacked(row: Mapping[str, Any], n_seats: int) -> Tally:
    """What was kept, as it was counted."""
    found = Tally(n_seats)
    for part, cells in zip(found.parts, row["parts"], strict=True):
        part.ravel()[cells[::2]] = cells[1::2]
    return found


@contextmanager
def _stopwatch(match: Match) -> Iterator[None]:
    """How long the playing took, also if it was stopped."""
    started = time.perf_counter()
    try:
        yield
    finally:
        match.seconds = time.perf_counter() - started


def _batches(match: Match, most: int) -> Iterator[tuple[int, int]]:
    """The first game and the number of games of each batch, made one by one: there may be billions."""
    at_once, done = count_of(match.workers or match.threads), match.tally.games
    size = max(1, min(most, math.ceil((match.games - done) / at_once)))
    return ((first, min(size, match.games - first)) for first in range(done, match.games, size))


def _run_plain(match: Match, progress: Callable[[int], None]) -> None:
    with _stopwatch(match):
        for number in range(match.games):
            count(plain_row(match, number), *match.tally.parts)
            progress(match.tally.games)


def plain_row(match: Match, number: int) -> Ints:
    """Game `number` of a match by the plain rules: the very game that a compiled table plays."""
    luck = luck_of(match.seed, number)
    players = [plain_player(who, match.game, luck) for who in match.seats]
    play = Play(match.game, len(players), match.options)
    return plain_game(play, players, Duplicate(match.seed, number, play))


def plain_game(play: Play, players: Sequence[Player], chance: Chance) -> Ints:
    """One game by the plain rules through the checked doors: a row like the compiled ones."""
    finish(play, chance, players)
    actors, state = [actor for actor, _ in play.steps if actor != CHANCE], play.state
    chosen = [actors.count(seat) for seat in range(play.n_seats)]
    return np.array([[state.winners, state.round, len(actors), state.ending, *play.points(), *chosen]], np.int64)
