"""The certificate of a solution of POK: what a seat that knows it gains by the best response, over the whole game.

All other seats play the solution's mixtures. For the one seat that is a Markov decision process over positions, worked
out backwards. Nothing here is shared with the solver but the rules and the function that gives the mixtures. With a
limit of rounds, positions are worked out by the number of rounds left.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import combinations_with_replacement, permutations, product
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from pokade.games.pok import BLANK, CHOOSING, DICE, EACH, FACES, GAME, OVER, SYMBOLS, choose, finish_round, weight

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

HELD: Final = np.array(list(product(range(EACH + 1), repeat=SYMBOLS)))  # counters of each symbol, by a hand's number
HANDS: Final = len(HELD)
COUNTER: Final = (EACH + 1) ** np.arange(SYMBOLS)[::-1]  # what a counter of each symbol adds to a hand's number
THROWS: Final = FACES**DICE  # equally likely ways in which the dice can fall
EXACT: Final = 1e-13


class Strategy(Protocol):
    """What a certificate needs of a solution."""

    n_seats: int
    digest: str

    def strategy(self, position: tuple[int, ...], rounds_left: int | None) -> Floats:
        """How often each seat shows each symbol, by throw (ones, twos, threes in order, blank last)."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What the best response gains, as a part of a win: at the start of a game and at the worst position."""

    players: int
    max_rounds: int | None
    epsilon_start: float
    epsilon_max: float
    worst: tuple[int, ...]
    positions: int
    seconds: float
    digest: str

    def summary(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def certified(
    solution: Strategy, progress: Callable[[int, int], None] | None = None, max_rounds: int | None = None
) -> Certificate:
    """Work the best responses out, position by position; those with the fewest counters or rounds left come first."""
    started = time.perf_counter()
    gains: dict[tuple[int, ...], float] = {}
    start = (HANDS - 1,) * solution.n_seats
    judged = _by_position(solution) if max_rounds is None else _by_rounds(solution, max_rounds)
    done, at_start = 0, 0.0
    for position, gain, total in judged:
        gains[position] = max(gain, gains.get(position, 0.0))
        done, at_start = done + 1, gain if position == start else at_start
        if progress:
            progress(done, total)
    worst = max(gains, key=gains.__getitem__)
    seconds = round(time.perf_counter() - started, 2)
    return Certificate(
        solution.n_seats, max_rounds, at_start, gains[worst], worst, len(gains), seconds, solution.digest
    )


Judged = Iterator[tuple[tuple[int, ...], float, int]]  # a position, what the best response gains there; how many in all


def _by_position(solution: Strategy) -> Judged:
    """Without a limit: counters only ever leave."""
    table = Table(solution.n_seats)
    order = sorted(table.going_on(), key=lambda hands: (HELD[list(hands)].sum(), hands))
    for position in order:
        yield position, table.judge(position, solution.strategy(position, None)), len(order)


def _by_rounds(solution: Strategy, max_rounds: int) -> Judged:
    """With a limit: the last round first."""
    table = Table(solution.n_seats, has_limit=True)
    order = list(table.going_on())
    for rounds_left in range(1, max_rounds + 1):
        for position in order:
            gain = table.judge(position, solution.strategy(position, rounds_left))
            yield position, gain, len(order) * max_rounds
        table.turn_back()


class Table:
    """Every position of a number of seats: its worth if all play the solution, and to a seat that answers it."""

    def __init__(self, n_seats: int, has_limit: bool = False) -> None:
        self.n_seats, self.has_limit = n_seats, has_limit
        self.throws, self.chances = _throws()
        self.showings: Ints = np.array(list(product(range(SYMBOLS), repeat=n_seats)))
        rounds = [_gone(throw, showing) for throw in self.throws for showing in self.showings.tolist()]
        # A round is what is shown and who hands over: few differ, whatever the throw.
        pairs = np.array(rounds) * len(self.showings) + np.tile(np.arange(len(self.showings)), len(self.throws))
        different, which = np.unique(pairs, return_inverse=True)
        self.which = which.reshape(len(self.throws), len(self.showings))
        gone, shown = different // len(self.showings), self.showings[different % len(self.showings)]
        leaves = (gone[:, None] >> np.arange(n_seats) & 1).astype(bool)
        self.less: Ints = np.where(leaves, COUNTER[shown], 0)
        # With a limit, a round in which nothing goes leads to the same position with a round less.
        self.stays: NDArray[np.bool_] = np.logical_and(not has_limit, gone == 0)[self.which]
        every = list(combinations_with_replacement(range(1, HANDS), n_seats))
        self.keys: Ints = np.sort(_keys(np.array(every)))
        self.played: Floats = np.zeros((len(every), HANDS))
        self.answered: Floats = np.zeros((len(every), HANDS))
        self.open: list[tuple[int, ...]] = []  # those in which the game goes on
        self.written = (self.played, self.answered)
        for hands in every:
            self._end(hands)
        self.turn_back()

    def turn_back(self) -> None:
        """With a limit, what has been written down is from now on what comes later."""
        if self.has_limit:
            self.played, self.answered = self.written
            self.written = (self.played.copy(), self.answered.copy())

    def _end(self, hands: tuple[int, ...]) -> None:
        """Ask the rules whether the game ends with these hands, and who has what part of it."""
        state = _after_a_round(hands)
        if state.phase != OVER:
            self.open.append(hands)
            if not self.has_limit:
                return
            state = _after_a_round(hands, is_last=True)
        won = [state.winners >> seat & 1 for seat in range(self.n_seats)]
        parts = {hand: share / sum(won) for hand, share in zip(hands, won, strict=True)}
        self.write(hands, parts, parts)

    def write(self, hands: tuple[int, ...], played: dict[int, float], answered: dict[int, float]) -> None:
        """Note what each of sorted hands is worth."""
        row = self._rows(np.array([hands]))[0]
        for hand, worth in played.items():
            self.written[0][row, hand] = worth
            self.written[1][row, hand] = answered[hand]

    def played_by(self, hands: tuple[int, ...]) -> dict[int, float]:
        """What each of sorted hands is worth if all play the solution."""
        row = self._rows(np.array([hands]))[0]
        return {hand: float(self.played[row, hand]) for hand in hands}

    def going_on(self) -> Iterator[tuple[int, ...]]:
        """The positions in which the game goes on, one for all names of symbols and seats."""
        for hands in self.open:
            if hands == min(_renamed(hands, naming) for naming in permutations(range(SYMBOLS))):
                yield hands

    def judge(self, position: tuple[int, ...], mixtures: Floats) -> float:
        """Write down what a position is worth; gives the most that any seat gains by its best response."""
        hands = np.array(position)
        after = np.maximum(hands - self.less, 1)  # what cannot be shown has no chance
        rows = self._rows(after)
        most = 0.0
        worths: dict[int, float] = {}
        best: dict[int, float] = {}
        for hand in set(position):
            seat = position.index(hand)
            others = self._chances(mixtures, seat)
            own = mixtures[:, seat]
            worths[hand] = self._worth(self.played[rows, after[:, seat]], others, seat, own)
            best[hand] = self._worth(
                self.answered[rows, after[:, seat]], others, seat, np.where(HELD[hand] > 0, 1.0, 0.0)
            )
            most = max(most, best[hand] - worths[hand])
        for naming in permutations(range(SYMBOLS)):
            names = {hand: _renamed((hand,), naming)[0] for hand in worths}
            named = [{names[hand]: worth for hand, worth in found.items()} for found in (worths, best)]
            self.write(_renamed(position, naming), *named)
        return most

    def _chances(self, mixtures: Floats, seat: int) -> Floats:
        """How likely the others show what they show, by throw and showing."""
        chances = np.ones((len(self.throws), len(self.showings)))
        for other in range(self.n_seats):
            if other != seat:
                chances *= mixtures[:, other][:, self.showings[:, other]]
        return chances

    def _worth(self, later: Floats, others: Floats, seat: int, own: Floats) -> float:
        """A seat's worth, by its mixtures; or by its best choices, if `own` is only a list of what it may choose."""
        won = others * np.where(self.stays, 0.0, later[self.which])
        again = others * self.stays
        mine = self.showings[:, seat]
        first = np.stack([won[:, mine == symbol].sum(axis=1) for symbol in range(SYMBOLS)], axis=1)
        second = np.stack([again[:, mine == symbol].sum(axis=1) for symbol in range(SYMBOLS)], axis=1)
        if own.ndim == 1:
            return _best_fixed_point(self.chances, first, second, own)
        here = float(self.chances @ (own * first).sum(axis=1))
        return here / (1.0 - float(self.chances @ (own * second).sum(axis=1)))

    def _rows(self, hands: Ints) -> Ints:
        found: Ints = np.searchsorted(self.keys, _keys(np.sort(hands, axis=1)))
        return found


def _best_fixed_point(chances: Floats, first: Floats, second: Floats, allowed: Floats) -> float:
    """The worth that the best choices bring, if a round in which nothing goes is worth the same: policy iteration."""
    worth = 0.0
    while True:
        values = np.where(allowed > 0, first + second * worth, -1.0)
        choices = values.argmax(axis=1)[:, None]
        here = float(chances @ np.take_along_axis(first, choices, 1)[:, 0])
        again = float(chances @ np.take_along_axis(second, choices, 1)[:, 0])
        better = here / (1.0 - again) if again < 1.0 - EXACT else worth
        if better <= worth + EXACT:
            return worth
        worth = better


def _throws() -> tuple[list[tuple[int, ...]], Floats]:
    """All throws, and how likely each is."""
    throws = [throw for throw in product(range(BLANK + 1), repeat=DICE) if throw[0] != BLANK]
    chances = []
    for throw in throws:
        state: Any = GAME.new(GAME.seats[0])
        ways = 1
        for die, symbol in enumerate(throw):
            state.n_dice = die
            ways *= weight(state, symbol)
        chances.append(ways / THROWS)
    return throws, np.array(chances)


def _gone(throw: tuple[int, ...], showing: list[int]) -> int:
    """Play a round by the rules: who hands over."""
    state: Any = GAME.new(len(showing))
    state.phase, state.dice[:] = CHOOSING, throw
    state.unheard = 1
    for seat, symbol in enumerate(showing):
        choose(state, seat, symbol)
    return int(state.gone)


def _after_a_round(hands: tuple[int, ...], is_last: bool = False) -> Any:
    """A state with these hands, after the rules have looked whether the game is over."""
    state: Any = GAME.new(len(hands))
    state.unheard = 1
    state.max_rounds = state.round if is_last else state.max_rounds
    for seat, hand in enumerate(hands):
        state.counters[seat][:] = HELD[hand].tolist()
        state.left[seat] = int(HELD[hand].sum())
    finish_round(state)
    return state


def _renamed(hands: tuple[int, ...], naming: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        sorted(sum(int(HELD[hand][old]) * int(COUNTER[new]) for new, old in enumerate(naming)) for hand in hands)
    )


def _keys(hands: Ints) -> Ints:
    """One number for sorted hands."""
    key: Ints = np.zeros(len(hands), np.int64)
    for column in range(hands.shape[1]):
        key = key * HANDS + hands[:, column]
    return key
