"""The games of a report, and what came of them. All of it is counted in integers: the same seed, the same report."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pokade.arena.casting import Cast
from pokade.arena.changed import changed
from pokade.arena.kernel import Ints
from pokade.arena.measures import NUMBER, SQUARES, TOTAL, Measure, measures_of
from pokade.arena.report.listening import Listening
from pokade.arena.runs import in_order
from pokade.arena.simulate import Estimate, Match, estimate
from pokade.arena.tournament import Tournament
from pokade.arena.tournament import run as run_tournament
from pokade.games.game import Game, Option, Value
from pokade.players import CASUAL, RANDOM, STRONG, THUMBS

LEVELS: Final = (RANDOM, *THUMBS)  # that play among themselves
BATCH: Final = 2048  # games between two signs of life
PART: Final = 4  # a table for an option has so many times fewer games, and so has the tournament
SEARCHED: Final = 200  # games of the tournament with the strong level: it takes its time

Progress = Callable[[str, int, int], None]  # what is done now, how many games are done, and of how many


@dataclass(slots=True)
class Sample:
    """Games between players of one level, listened to."""

    match: Match
    counts: Ints

    @property
    def level(self) -> str:
        return self.match.players[0]

    def spread(self) -> Estimate:
        """The best seat's share less the worst one's; the error is that of both together."""
        shares = sorted(self.match.shares(), key=lambda share: share.mean)
        low, high = shares[0], shares[-1]
        return Estimate(high.mean - low.mean, float(np.hypot(low.error, high.error)))

    def rows(self, measure: int) -> list[tuple[Estimate, int]]:
        """The means of a measure, row by row, each with how many values it has; a row without any is left out."""
        found = self.counts[measure].tolist()
        return [
            (estimate(row[TOTAL], row[SQUARES], row[NUMBER]) if row[NUMBER] else Estimate(0.0, 0.0), row[NUMBER])
            for row in found[: measures_of(self.match.game).measures[measure].rows]
        ]


@dataclass(slots=True)
class Report:
    """What is asked for, and what came of it."""

    game: Game
    n_seats: int
    games: int
    seed: int = 0
    changes: Mapping[str, int] = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)  # a table of each level, casual last
    options: list[tuple[Option, Value, Sample]] = field(default_factory=list)
    before: Sample | None = None  # the casual table of the game as it is, if numbers were changed
    meeting: Tournament | None = None

    def __post_init__(self) -> None:
        self.game.new(self.n_seats)  # refuses bad seats before anything is compiled

    @property
    def played(self) -> Game:
        """The game, with other numbers if they are asked for."""
        return changed(self.game, self.changes)

    @property
    def usual(self) -> Sample:
        """The casual table."""
        return self.samples[-1]

    @property
    def measures(self) -> tuple[Measure, ...]:
        return measures_of(self.game).measures


def other_values(option: Option, n_seats: int) -> Iterator[Value]:
    """The values of an option but its default; of a range, half and twice the default as far as it goes."""
    taken, usual = option.takes(n_seats), option.default(n_seats)
    if not isinstance(taken, range):
        yield from (value for value in taken if value != usual)
        return
    asked = (usual // 2, usual * 2) if isinstance(usual, int) and usual > 0 else (taken[0], taken[-1])
    yield from sorted({min(max(taken[0], value), taken[-1]) for value in asked} - {usual})


def run(report: Report, threads: int = 1, progress: Progress = lambda *_: None) -> Report:
    """Play everything that the report is made of."""
    game, few = report.played, max(1, report.games // PART)
    options = [(option, value) for option in game.options for value in other_values(option, report.n_seats)]
    meeting = _meeting(report)
    tables = len(LEVELS) * report.games + (report.games if game.changes else 0)
    total, done = tables + few * len(options) + _meets(meeting, few), 0

    def sample(name: str, rules: Game, level: str, games: int, given: Mapping[str, Value]) -> Sample:
        nonlocal done
        match = Match(rules, [level] * report.n_seats, games, report.seed, threads, given)
        found = _sample(match, lambda now: progress(name, done + now, total))
        done += games
        return found

    report.samples = [sample("levels", game, level, report.games, {}) for level in LEVELS]
    if game.changes:
        report.before = sample("changes", report.game, CASUAL, report.games, {})
    report.options = [
        (option, value, sample("options", game, CASUAL, few, {option.name: value})) for option, value in options
    ]
    run_tournament(meeting, _meets(meeting, few), threads, None, lambda now: progress("meeting", done + now, total))
    report.meeting = meeting
    return report


def _meeting(report: Report) -> Tournament:
    """Every deal draws its players from the levels; the strong one knows only the game as it is."""
    levels = LEVELS if report.played.changes else (*LEVELS, STRONG)
    return Tournament(report.played, levels, report.seed, n_seats=report.n_seats)


def _meets(meeting: Tournament, few: int) -> int:
    return min(few, SEARCHED * meeting.size) if STRONG in meeting.entrants else few


def _sample(match: Match, progress: Callable[[int], None]) -> Sample:
    game, n_seats = match.game, len(match.seats)
    cast = Cast(game, match.players)
    idle = [Listening(game, n_seats, match.options) for _ in range(match.threads)]
    counter = idle[0]
    counts = counter.observe(cast, match.seed, 0, 0)[1]  # compiles, or loads what was

    def play(first: int) -> tuple[Ints, Ints]:
        table = idle.pop()
        try:
            return table.observe(cast, match.seed, first, min(BATCH, match.games - first))
        finally:
            idle.append(table)

    for rows, noted in in_order(play, range(0, match.games, BATCH), match.threads):
        counter.count(rows, *match.tally.parts)
        counts += noted
        progress(match.tally.games)
    return Sample(match, counts)
