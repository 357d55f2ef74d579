"""Tournaments: named players in all seats in turn, with the same dice and deals at every turn.

A deal is one set of dice and cards. It is played once for every way of turning its players round the table, so that a
good seat and a good hand come to each of them once. Chance starts afresh in every round of a deal: two games that went
different ways still see the same throw or the same cards in the next round.
"""

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from pokade.arena.bots import ARENA, Budget
from pokade.arena.casting import Cast, Entrant, is_compiled, plain_player
from pokade.arena.keeping import code_of, games_in
from pokade.arena.kernel import Ints
from pokade.arena.loops import POINTS, SHARES, WHOLE, WINNERS, Arena
from pokade.arena.outside import Outsider
from pokade.arena.places import Places
from pokade.arena.played import Columns, Games, Played, clustered_mean, columns_of, rows_of, wins_over
from pokade.arena.runs import Workers, check_seats, count_of, in_order
from pokade.arena.streams import Duplicate, luck_of
from pokade.games.game import Game
from pokade.games.play import Play, View
from pokade.loop import finish
from pokade.players import Player, Recalling, Source, is_player, is_strong, recalls

RATED: Final = 20_000  # games that ratings are made of: they have long settled by then
BATCH: Final = 4096  # games that a thread plays between two signs of life …
SEARCHED: Final = 4  # … and games in which somebody searches


@dataclass(frozen=True, slots=True)
class Standing:
    """What an entrant's games came to."""

    name: str
    games: int
    share: float
    low: float  # the 95 % confidence interval of the share
    high: float
    points: float
    milliseconds_per_choice: float


@dataclass(slots=True)
class Tournament:
    """Many games between named players, each of them in every seat.

    The entrants are one for each seat; or, if `n_seats` says so, a pool that every deal draws its players from.
    """

    game: Game
    entrants: Sequence[str]  # names of built-in players, or of those in `outsiders`
    seed: int = 0
    options: Mapping[str, object] = field(default_factory=dict)
    budget: Budget = ARENA
    n_seats: int = 0  # 0: a seat for each entrant
    outsiders: Mapping[str, Player] = field(default_factory=dict)
    played: Sequence[Played] = field(default_factory=Games)

    def __post_init__(self) -> None:
        for name in self.entrants:
            if name not in self.outsiders and not is_player(name):
                raise ValueError(f"no player {name}")
        self.game.new(self.size, self.options)  # refuses bad seats and options before anything is compiled

    @property
    def size(self) -> int:
        """How many sit at a table."""
        return self.n_seats or len(self.entrants)

    def lineup(self, deal: int) -> list[int]:
        """The players of a deal: everybody, or so many of the pool, all equally often in the long run."""
        everyone = list(range(len(self.entrants)))
        if not self.n_seats:
            return everyone
        source = random.Random(f"pokade lineup {self.seed} {deal}")
        chosen: list[int] = []
        while len(chosen) < self.n_seats:
            chosen += source.sample(everyone, min(len(everyone), self.n_seats - len(chosen)))
        return chosen

    def play(self, number: int) -> Played:
        """Game `number` by the plain rules: always the same game for a seed (but for players from outside)."""
        deal, turn = divmod(number, self.size)
        lineup = self.lineup(deal)
        who = lineup[turn:] + lineup[:turn]
        play, luck = Play(self.game, self.size, self.options), luck_of(self.seed, number)
        timed = [_Timed(self._player(one, luck)) for one in who]
        asked = [Recalling(one) if one.recalls else one for one in timed]
        outcome = finish(play, Duplicate(self.seed, deal, play), asked).outcome()
        assert outcome is not None  # noqa: S101 - it is over
        thought, chosen = tuple(one.seconds for one in timed), tuple(one.choices for one in timed)
        return Played(number, deal, tuple(who), outcome.shares, outcome.points, thought, chosen)

    def _player(self, entrant: int, luck: Source) -> Player:
        return plain_player(self._entrant(entrant), self.game, luck, self.budget, self.entrants[entrant])

    def _entrant(self, number: int) -> Entrant:
        name = self.entrants[number]
        return self.outsiders.get(name, name)

    @property
    def is_compiled(self) -> bool:
        """Can all of them sit at a compiled table? Its games are those of `play`, and several are played at once."""
        return all(is_compiled(self._entrant(number)) for number in range(len(self.entrants)))

    def cast(self) -> Cast:
        """The entrants for compiled tables, in the order they were named."""
        found: list[Any] = [self._entrant(number) for number in range(len(self.entrants))]
        return Cast(self.game, found, self.budget)

    def seated(self, numbers: range) -> tuple[Ints, Ints]:
        """Who sits where in these games, and the deal of each."""
        deals, turns = np.divmod(np.arange(numbers.start, numbers.stop), self.size)
        first = int(deals[0]) if len(deals) else 0
        lineups = np.array([self.lineup(deal) for deal in range(first, int(deals[-1]) + 1)])
        seats = (np.arange(self.size)[None] + turns[:, None]) % self.size
        return np.take_along_axis(lineups[deals - first], seats, 1), deals

    def standings(self) -> list[Standing]:
        """Every entrant's share with its interval, in the order they were named."""
        return [self._standing(entrant) for entrant in range(len(self.entrants))]

    def _standing(self, entrant: int) -> Standing:
        name, found = self.entrants[entrant], columns_of(self.played) if self.played else None
        if found is None:
            return Standing(name, 0, 0.0, 0.0, 1.0, 0.0, 0.0)
        rows, seats = np.nonzero(found.who == entrant)
        share, error = clustered_mean(found.deal[rows], found.shares[rows, seats])
        seconds, choices = found.seconds[rows, seats].sum(), found.choices[rows, seats].sum()
        points = found.points[rows, seats].sum() / max(1, len(rows))
        low, high = max(0.0, share - error), min(1.0, share + error)
        return Standing(name, len(rows), share, low, high, float(points), float(1000 * seconds / max(1, choices)))

    @property
    def names(self) -> list[str]:
        """The different players, in the order they were named."""
        return list(dict.fromkeys(self.entrants))

    def cross(self) -> dict[str, dict[str, float | None]]:
        """Of the wins that went to one of two players where both sat, the part of the first; None where none did."""
        names = self.names
        name_of = np.array([names.index(name) for name in self.entrants])
        wins = wins_over(columns_of(self.played), name_of, len(names)).tolist() if self.played else None
        table: dict[str, dict[str, float | None]] = {name: dict.fromkeys(names) for name in names}
        for one, name in enumerate(names if wins else ()):
            for other, rival in enumerate(names):
                both = wins[one][other] + wins[other][one] if wins else 0
                table[name][rival] = wins[one][other] / both if wins and both and rival != name else None
        return table

    def ratings(self) -> dict[str, dict[str, float]]:
        """openskill's rating of every player, over the games in their order: mean, spread, and the safe side of it.

        The first games are enough for it, and a million would take minutes.
        """
        from openskill.models import PlackettLuce  # noqa: PLC0415 - only a finished tournament is rated

        model = PlackettLuce()
        rated = {name: model.rating(name=name) for name in self.names}
        for one in islice(self.played, RATED):
            names = [self.entrants[who] for who in one.who]
            teams = model.rate([[rated[name]] for name in names], scores=list(one.shares))
            for name in set(names) if len(set(names)) > 1 else ():
                own = [team[0] for team, other in zip(teams, names, strict=True) if other == name]
                mean, spread = sum(r.mu for r in own) / len(own), sum(r.sigma for r in own) / len(own)
                rated[name] = model.rating(mu=mean, sigma=spread, name=name)  # one player may have several seats
        return {name: {"mu": r.mu, "sigma": r.sigma, "ordinal": r.ordinal()} for name, r in rated.items()}

    def summary(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        standings = self.standings()
        return {
            **self.heading(),
            "games": len(self.played),
            "shares": [one.share for one in standings],
            "low": [one.low for one in standings],
            "high": [one.high for one in standings],
            "points_mean": [one.points for one in standings],
            "milliseconds_per_choice": [one.milliseconds_per_choice for one in standings],
            "ratings": self.ratings(),
            "cross": self.cross(),
        }

    def heading(self) -> dict[str, Any]:
        """What makes two tournaments the same, so that one can go on where the other stopped."""
        return {
            "game": self.game.name,
            "players": self.size,
            "seats": list(self.entrants),
            "seed": self.seed,
            "options": dict(self.options),
            "budget": asdict(self.budget),
            "code": code_of(self.game),
            "files": {name: theirs.digest for name, theirs in self.outsiders.items() if isinstance(theirs, Outsider)},
        }


class _Timed:
    """A player with a stopwatch."""

    def __init__(self, decide: Player) -> None:
        self._decide, self.recalls = decide, recalls(decide)
        self.seconds = 0.0
        self.choices = 0

    def __call__(self, view: View) -> int:
        started = time.perf_counter()
        choice = self._decide(view)
        self.seconds += time.perf_counter() - started
        self.choices += 1
        return choice


def run(
    tournament: Tournament,
    games: int,
    workers: int | Workers = 1,
    keep: Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> None:
    """Play until there are so many games; with a file to keep them in, go on with what is in it.

    `progress` hears how many there are. Stopping it at any moment (Ctrl-C) loses at most the games under way.
    """
    played = Games()
    if keep is not None and (kept := [Played.of(row) for row in games_in(keep, tournament.heading())][:games]):
        played.add(columns_of(kept))
    tournament.played = played
    progress(len(played))
    numbers = range(len(played), games)
    for part in _compiled(tournament, numbers, workers) if tournament.is_compiled else _plain(tournament, numbers):
        played.add(part)
        if keep is not None:
            with keep.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(asdict(one)) + "\n" for one in rows_of(part))
        progress(len(played))


def _plain(tournament: Tournament, numbers: range) -> Iterator[Columns]:
    """The games of these numbers, one after another: a player from outside may remember what it saw."""
    for number in numbers:
        yield columns_of([tournament.play(number)])


def _compiled(tournament: Tournament, numbers: range, workers: int | Workers) -> Iterator[Columns]:
    """The same at compiled tables, in order, several at a time."""
    if not numbers:
        return
    check_seats(workers, [tournament.outsiders.get(name, name) for name in tournament.entrants])
    meeting = _Meeting.of(tournament)
    with meeting.places.one() as (arena, cast):  # compiles, or loads what was
        arena.meet(cast, tournament.seed, 0, np.zeros((0, tournament.size), np.int64))
    is_searching = any(is_strong(name) for name in tournament.entrants if name not in tournament.outsiders)
    at_once = count_of(workers)
    size = SEARCHED if is_searching else max(1, min(BATCH, -(-len(numbers) // at_once)))
    yield from in_order(meeting, (numbers[at : at + size] for at in range(0, len(numbers), size)), workers)


@dataclass(frozen=True, slots=True)
class _Meeting:
    """Plays games of a tournament by their numbers. It can be pickled."""

    tournament: Tournament
    places: Places[tuple[Arena, Cast]]

    @classmethod
    def of(cls, tournament: Tournament) -> Self:
        """Without the games that were played before."""
        bare = replace(tournament, played=Games())
        return cls(bare, Places(partial(_place, bare)))

    def __call__(self, batch: range) -> Columns:
        with self.places.one() as (arena, cast):
            return _met(self.tournament, cast, arena, batch)


def _place(tournament: Tournament) -> tuple[Arena, Cast]:
    return Arena(tournament.game, tournament.size, tournament.options), tournament.cast()


def _met(tournament: Tournament, cast: Cast, arena: Arena, batch: range) -> Columns:
    """Games of these numbers. How long a search took is measured; the rest of the time is split by choices."""
    who, deals = tournament.seated(batch)
    searched = np.zeros(who.shape)
    started = time.perf_counter()
    rows = arena.meet(cast, tournament.seed, batch.start, who, deals, searched)
    spent = time.perf_counter() - started - searched.sum()
    points, choices = rows[:, POINTS : POINTS + arena.n_seats], rows[:, POINTS + arena.n_seats :]
    won = rows[:, WINNERS, None] >> np.arange(arena.n_seats) & 1
    shares = won * np.array(SHARES)[won.sum(axis=1)][:, None] / WHOLE
    seconds = searched + choices * (spent / max(1, choices.sum()))
    return Columns(np.array(batch), deals, who, shares, points, seconds, choices)
