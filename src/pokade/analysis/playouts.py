"""The reference where no solution is at hand: games played on to their end, many times, by compiled rules of thumb.

What a position is worth is the mean of these games, all cards open. What a choice is worth is judged from its owner's
view: what the seat could not know is drawn again for each game (face-down choices from what their owners should have
mixed, hands by the game's own file in `hands`), and all choices are tried on the same draws with the same luck. The
mixture is the strong level's, from several searches of the view. Everything is seeded and counted in games, never in
seconds, so the same record has the same analysis everywhere.
"""

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pokade.analysis.judging import Chances, Judged
from pokade.analysis.moments import Moment
from pokade.arena.bots import mixed
from pokade.arena.kernel import Ints, cell_of
from pokade.arena.loops import Arena
from pokade.games.game import Game
from pokade.games.play import View
from pokade.games.state import NOTHING, blinded, columns, how_many, packed
from pokade.players import CASUAL

Floats = NDArray[np.float64]
Mixture = Mapping[int, float]  # how often each choice is made
Redeal = Callable[[Any, int, Ints, int], None]  # (what the seat sees, the seat, flat states to fill, a seed)

SEED: Final = 0
BUDGET: Final = 40_000_000  # choices in all games of one analysis: about twenty seconds of a core
MOST, FEWEST = 20_000, 400  # games for one position
SPARE: Final = 0.25  # the part of a position's games that each choice is tried on
LOOKED_AT: Final = 12  # choices of a seat that are tried, at most
RARELY: Final = 0.02  # what the reference mixes no oftener is tried only if there is room


class ByPlayouts:
    """Games played on from each position of one game."""

    def __init__(self, game: Game, n_seats: int, games: int, seed: int = SEED) -> None:
        self.game, self.n_seats = game, n_seats
        self.games, self._seed = games, seed
        self.method: Mapping[str, Any] = {"kind": "playouts", "games": games, "seed": seed, "player": CASUAL}
        self._arena = Arena(game, n_seats)
        self._tries = max(FEWEST, round(self.games * SPARE))
        self._number = 0  # of the position that is looked at: each has luck of its own

    def chances(self, state: Any) -> Chances:
        """The mean of many games."""
        if self.game.turn(state) == 0:
            shares = [(state.winners >> seat & 1) / how_many(state.winners) for seat in range(self.n_seats)]
            return Chances(tuple(shares), (0.0,) * self.n_seats)
        found = self._played(_flat(state), self._nothing(self.games))
        means, errors = found.mean(0), found.std(0) / np.sqrt(len(found))
        return Chances(tuple(means.tolist()), tuple(errors.tolist()))

    def judge(self, moment: Moment, known: Mapping[int, Judged]) -> Mapping[int, Judged]:
        """Each choice of the moment from its owner's view, if there was any to make."""
        views = {seat: View(self.game, seat, blinded(moment.before, seat, recall=True)) for seat in moment.choices}
        mixtures = {
            seat: mixed(view, f"{self._seed} {moment.action} {seat}")
            for seat, view in views.items()
            if len(view.choices) > 1
        }
        return {seat: self._judged(moment, seat, mixtures, known) for seat in mixtures}

    def _judged(
        self, moment: Moment, seat: int, mixtures: Mapping[int, Mixture], known: Mapping[int, Judged]
    ) -> Judged:
        mixture, chosen = mixtures[seat], moment.choices[seat]
        tried = looked_at(list(mixture), mixture, chosen)
        found = self.tried(moment.before, seat, tried, mixtures, {other: last.mixture for other, last in known.items()})
        weights = np.array([mixture.get(choice, 0.0) for choice in tried])
        reference = weights @ found / weights.sum()
        behind = reference - found  # on the same draws, so that luck drops out
        errors = behind.std(1) / np.sqrt(self._tries)
        at = tried.index(chosen)
        return Judged(
            seat,
            chosen,
            {choice: mixture.get(choice, 0.0) for choice in tried},
            dict(zip(tried, found.mean(1).tolist(), strict=True)),
            float(behind[at].mean()),
            float(errors[at]),
            dict(zip(tried, errors.tolist(), strict=True)),
        )

    def tried(
        self,
        state: Any,
        seat: int,
        tried: Sequence[int],
        mixtures: Mapping[int, Mixture],
        sealed: Mapping[int, Mixture],
        tries: int = 0,
    ) -> Floats:
        """What the seat has of each game, by choice and game; all choices have the same draws and the same luck.

        `mixtures` are what the others choose now, `sealed` what they may have chosen before that still lies face down.
        """
        tries = tries or self._tries
        worlds = self._worlds(state, seat, sealed, tries)
        given = self._given(seat, tried, mixtures, tries)
        return self._played(worlds, given, tries)[:, seat].reshape(len(tried), tries)

    def _worlds(self, state: Any, seat: int, sealed: Mapping[int, Mixture], tries: int) -> Ints:
        """States that the seat could not have told from this one."""
        view = blinded(state, seat, recall=True)
        worlds = np.repeat(_flat(state), tries, 0)
        rng = np.random.default_rng([self._seed, self._number, 1])
        if redeal := redeal_of(self.game):
            redeal(view, seat, worlds, int(rng.integers(1 << 62)))
        for column in columns(self.game.state):
            if column.mark == "sealed":
                cell = cell_of(self.game, column.name)
                for other, mixture in sealed.items():
                    if other != seat and getattr(state, column.name)[other] != NOTHING:
                        worlds[:, cell + other] = _drawn(mixture, tries, rng)
        return worlds

    def _given(self, seat: int, tried: Sequence[int], mixtures: Mapping[int, Mixture], tries: int) -> Ints:
        """The next choices: every choice of the seat on the same draws of the others'."""
        rng = np.random.default_rng([self._seed, self._number, 2])
        given = self._nothing(tries)
        for other, mixture in mixtures.items():
            if other != seat:
                given[:, other] = _drawn(mixture, tries, rng)
        every = np.tile(given, (len(tried), 1))
        every[:, seat] = np.repeat(np.array(tried, np.int64), tries)
        return every

    def _nothing(self, games: int) -> Ints:
        return np.full((games, self.n_seats), NOTHING, np.int64)

    def _played(self, starts: Ints, given: Ints, streams: int = 0) -> Floats:
        """Everybody's part of the win in each game; with `streams`, rows that are so far apart have the same luck."""
        self._number += 1
        numbers = np.arange(len(given), dtype=np.int64) % (streams or len(given)) + (self._number << 32)
        won = self._arena.finish(starts, given, numbers, self._seed, CASUAL)
        bits = won[:, None] >> np.arange(self.n_seats) & 1
        shares: Floats = bits / bits.sum(1, keepdims=True)
        return shares


def games_each(game: Game, moments: Sequence[Moment]) -> int:
    """How many games each position is worth, so that all together take about the budget: longer games, fewer."""
    to_come, cost = 0, 0.0
    for moment in reversed(moments):
        to_come += len(moment.choices)
        tried = sum(min(LOOKED_AT, game.n_choices(moment.before, seat)) for seat in moment.choices)
        cost += (to_come + 1) * (1 + SPARE * tried)
    return int(min(MOST, max(FEWEST, BUDGET / max(1.0, cost))))


def looked_at(options: Sequence[int], mixture: Mapping[int, float], chosen: int) -> list[int]:
    """The choices that are tried: the one made, those that the reference mixes, and others while there is room."""
    if len(options) <= LOOKED_AT:
        return list(options)
    often = sorted((choice for choice in mixture if mixture[choice] > RARELY), key=lambda choice: -mixture[choice])
    wanted = dict.fromkeys([chosen, *often][: LOOKED_AT - 2])
    step = len(options) / (LOOKED_AT - len(wanted))
    wanted |= dict.fromkeys(options[int(number * step)] for number in range(LOOKED_AT - len(wanted)))
    return sorted(wanted)


def _flat(state: Any) -> Ints:
    return np.array([packed(state)], np.int64)


def _drawn(mixture: Mixture, count: int, rng: np.random.Generator) -> Ints:
    choices, weights = list(mixture), np.array(list(mixture.values()))
    return rng.choice(np.array(choices, np.int64), count, p=weights / weights.sum())


def redeal_of(game: Game) -> Redeal | None:
    """How the hidden hands of a game are dealt again, if it has any."""
    name = f"pokade.analysis.hands.{game.name}"
    if importlib.util.find_spec(name) is None:
        return None
    found: Redeal = importlib.import_module(name).redeal
    return found
