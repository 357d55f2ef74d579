"""Tournaments: named players in all seats in turn, with the same dice and deals at every turn.

A deal is one set of dice and cards. It is played once for every way of turning its players round the table, so that a
good seat and a good hand come to each of them once. Chance starts afresh in every round of a deal: two games that went
different ways still see the same throw or the same cards in the next round.
"""

import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pokade.arena.bots import ARENA, Budget, bot, warm
from pokade.arena.keeping import code_of, games_in
from pokade.arena.outside import Outsider, checked
from pokade.arena.runs import CONFIDENCE, in_processes
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.games.play import Play, View
from pokade.loop import finish
from pokade.players import Player, is_player, is_strong


class Duplicate:
    """The same dice and deals for every game of a deal, round by round."""

    def __init__(self, seed: int | str, deal: int, play: Play) -> None:
        self._name, self._play = f"pokade deal {seed} {deal}", play
        self._round = 0
        self._random = random.Random(self._name)

    def draw(self, tickets: int) -> int:
        if self._play.state.round != self._round:  # another round, other luck: however the last one went
            self._round = self._play.state.round
            self._random = random.Random(f"{self._name} {self._round}")
        return self._random.randrange(tickets)


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a tournament; all but the first two go by seat."""

    number: int
    deal: int
    who: tuple[int, ...]  # which of the entrants sat there
    shares: tuple[float, ...]  # their part of the win
    points: tuple[int, ...]
    seconds: tuple[float, ...]  # that they thought …
    choices: tuple[int, ...]  # … about so many choices


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
    played: list[Played] = field(default_factory=list)

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
        """Game `number`: always the same game for a seed (but for players from outside), in any order."""
        deal, turn = divmod(number, self.size)
        lineup = self.lineup(deal)
        who = lineup[turn:] + lineup[:turn]
        play = Play(self.game, self.size, self.options)
        timed = [_Timed(self._player(who[seat], f"{self.seed} {number} {seat}")) for seat in range(self.size)]
        outcome = finish(play, Duplicate(self.seed, deal, play), timed).outcome()
        assert outcome is not None  # noqa: S101 - it is over
        thought, chosen = tuple(one.seconds for one in timed), tuple(one.choices for one in timed)
        return Played(number, deal, tuple(who), outcome.shares, outcome.points, thought, chosen)

    def _player(self, entrant: int, seed: str) -> Player:
        name = self.entrants[entrant]
        theirs = self.outsiders.get(name)
        return bot(name, self.game, seed, self.budget) if theirs is None else checked(theirs, name)

    def can_share(self) -> bool:
        """May several games be played at once? Not with a player from outside, which may remember what it saw."""
        return not self.outsiders and GAMES.get(self.game.name) is self.game

    def standings(self) -> list[Standing]:
        """Every entrant's share with its interval, in the order they were named."""
        return [self._standing(entrant) for entrant in range(len(self.entrants))]

    def _standing(self, entrant: int) -> Standing:
        rows = [(one, seat) for one in self.played for seat, who in enumerate(one.who) if who == entrant]
        games = max(1, len(rows))
        share, error = clustered((one.deal, one.shares[seat]) for one, seat in rows)
        seconds = sum(one.seconds[seat] for one, seat in rows)
        choices = sum(one.choices[seat] for one, seat in rows)
        points = sum(one.points[seat] for one, seat in rows) / games
        low, high = max(0.0, share - error), min(1.0, share + error)
        name = self.entrants[entrant]
        return Standing(name, len(rows), share, low, high, points, 1000 * seconds / max(1, choices))

    @property
    def names(self) -> list[str]:
        """The different players, in the order they were named."""
        return list(dict.fromkeys(self.entrants))

    def cross(self) -> dict[str, dict[str, float | None]]:
        """Of the wins that went to one of two players where both sat, the part of the first; None where none did."""
        wins: dict[tuple[str, str], float] = defaultdict(float)
        for one in self.played:
            names = [self.entrants[who] for who in one.who]
            for seat, name in enumerate(names):
                for rival in set(names) - {name}:
                    wins[name, rival] += one.shares[seat] / names.count(name)  # as if one of each had sat there
        table: dict[str, dict[str, float | None]] = {}
        for name in self.names:
            table[name] = {}
            for rival in self.names:
                both = wins[name, rival] + wins[rival, name]
                table[name][rival] = wins[name, rival] / both if both and rival != name else None
        return table

    def ratings(self) -> dict[str, dict[str, float]]:
        """openskill's rating of every player, over the games in their order: mean, spread, and the safe side of it."""
        from openskill.models import PlackettLuce  # noqa: PLC0415 - only a finished tournament is rated

        model = PlackettLuce()
        rated = {name: model.rating(name=name) for name in self.names}
        for one in self.played:
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
        self._decide = decide
        self.seconds = 0.0
        self.choices = 0

    def __call__(self, view: View) -> int:
        started = time.perf_counter()
        choice = self._decide(view)
        self.seconds += time.perf_counter() - started
        self.choices += 1
        return choice


def clustered(values: Iterable[tuple[int, float]]) -> tuple[float, float]:
    """The mean of values that come in deals, and the half width of its 95 % interval.

    Games of one deal are no independent trials, deals are: their sums of deviations are what varies.
    """
    listed = list(values)
    if not listed:
        return 0.0, 1.0
    mean = sum(value for _, value in listed) / len(listed)
    deals: dict[int, float] = defaultdict(float)
    for deal, value in listed:
        deals[deal] += value - mean
    if len(deals) < 2:
        return mean, 1.0
    spread = math.sqrt(sum(d * d for d in deals.values()) * len(deals) / (len(deals) - 1))
    return mean, CONFIDENCE * spread / len(listed)


def run(
    tournament: Tournament,
    games: int,
    threads: int = 1,
    keep: Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> None:
    """Play until there are so many games; with a file to keep them in, go on with what is in it.

    `progress` hears how many there are. Stopping it at any moment (Ctrl-C) loses at most the games under way.
    """
    if keep is not None:
        tournament.played = [_played(row) for row in games_in(keep, tournament.heading())][:games]
    progress(len(tournament.played))
    if any(is_strong(name) for name in tournament.entrants):
        warm(tournament.game)
    for played in _games(tournament, range(len(tournament.played), games), threads):
        tournament.played.append(played)
        if keep is not None:
            with keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(played)) + "\n")
        progress(len(tournament.played))


def _games(tournament: Tournament, numbers: range, threads: int) -> Iterator[Played]:
    """The games of these numbers, in order, several at a time where that can be."""
    at_once = min(threads, len(numbers)) if tournament.can_share() else 1
    if at_once <= 1:
        return map(tournament.play, numbers)
    one = tournament
    given = (one.game.name, tuple(one.entrants), one.seed, dict(one.options), one.budget, one.n_seats)
    return in_processes(_player_of, given, numbers, at_once)


def _player_of(name: str, *given: Any) -> Callable[[int], Played]:
    """What another process does for a tournament of built-in players."""
    return Tournament(GAMES[name], *given).play


def _played(row: dict[str, Any]) -> Played:
    """A game as it is kept."""
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return Played(**fields)
