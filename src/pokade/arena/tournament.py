"""Tournaments: named players in all seats in turn, with the same dice and deals at every turn.

A deal is one set of dice and cards. It is played once for every way of turning the players round the table, so that a
good seat and a good hand come to everybody once. Chance starts afresh in every round of a deal: two games that went
different ways still see the same throw or the same cards in the next round.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pokade.arena.bots import ARENA, Budget, bot
from pokade.chance import advance
from pokade.games.game import Game
from pokade.games.play import Play, View
from pokade.players import Player

CONFIDENCE: Final = 1.959964  # standard deviations on either side that hold 95 % of a normal distribution


class Duplicate:
    """The same dice and deals for every game of a deal, round by round."""

    def __init__(self, seed: int | str, deal: int) -> None:
        self._name = f"pokade deal {seed} {deal}"
        self._round = 0
        self._random = random.Random(self._name)

    def begin(self, round_number: int) -> None:
        """A round begins (or goes on)."""
        if round_number != self._round:
            self._round = round_number
            self._random = random.Random(f"{self._name} {round_number}")

    def draw(self, tickets: int) -> int:
        return self._random.randrange(tickets)


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a tournament: which of the players sat where, what part of the win and how many points each got."""

    deal: int
    turn: int
    shares: tuple[float, ...]  # by player, not by seat
    points: tuple[int, ...]
    seconds: tuple[float, ...]  # that each player thought …
    choices: tuple[int, ...]  # … about so many choices


@dataclass(slots=True)
class Tournament:
    """Many games between the same players, each in every seat."""

    game: Game
    seats: Sequence[str | Player]  # names of built-in players, or functions from a view to a choice
    seed: int = 0
    options: Mapping[str, object] = field(default_factory=dict)
    budget: Budget = ARENA
    played: list[Played] = field(default_factory=list)

    def play(self, number: int) -> Played:
        """Game `number`: always the same game for a seed, whoever plays it when."""
        n = len(self.seats)
        deal, turn = divmod(number, n)
        chance = Duplicate(self.seed, deal)
        play = Play(self.game, n, self.options)
        timed = [_Timed(self._player(who, f"{self.seed} {deal} {turn} {who}")) for who in range(n)]
        while not play.is_over:
            chance.begin(play.state.round)
            if not advance(play, chance):
                _choose(play, lambda seat: timed[(seat + turn) % n])
        outcome = play.outcome()
        assert outcome is not None  # noqa: S101 - it is over
        seat_of = [(who - turn) % n for who in range(n)]
        return Played(
            deal,
            turn,
            tuple(outcome.shares[seat] for seat in seat_of),
            tuple(outcome.points[seat] for seat in seat_of),
            tuple(one.seconds for one in timed),
            tuple(one.choices for one in timed),
        )

    def _player(self, who: int, seed: str) -> Player:
        wanted = self.seats[who]
        return bot(wanted, self.game, seed, self.budget) if isinstance(wanted, str) else wanted


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


def _choose(play: Play, player_of: Callable[[int], Player]) -> None:
    """Everybody whose turn it is looks before anybody has chosen."""
    turn = play.turn
    views = {seat: play.view(seat) for seat in range(play.n_seats) if turn >> seat & 1}
    for seat, view in views.items():
        play.choose(seat, player_of(seat)(view))
