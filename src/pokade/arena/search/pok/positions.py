"""All positions of three players, worked out backwards: what each hand is worth against two others."""

from typing import Any, Final

import numpy as np

from pokade.arena.search.pok.table import (
    FEWEST,
    HABIT,
    N_HANDS,
    THROWS,
    after,
    holds,
    lay,
    left,
    symbols_in,
)
from pokade.arena.search.regrets import even_out, match, note, regret
from pokade.games.pok import DICE, EACH, GOAL, SYMBOLS, tickets, weight
from pokade.games.state import rule
from pokade.players.pok import mixture

SWEEPS, STEPS = 4, 16  # of regret matching, for each throw of a position
TURNINGS: Final = 6  # ways to rename the symbols


@rule
def solve_positions(state: Any, table: Any) -> None:
    """Those with the fewest counters first, since every round leads to fewer."""
    state.n_seats = FEWEST
    regrets = np.zeros((THROWS, FEWEST, SYMBOLS))
    sums = np.zeros((THROWS, FEWEST, SYMBOLS))
    habits = np.zeros((THROWS, FEWEST, SYMBOLS))
    payoffs = np.zeros((N_HANDS, FEWEST))
    for total in range(FEWEST * (EACH * SYMBOLS) + 1):
        for first in range(N_HANDS):
            for second in range(first, N_HANDS):
                for third in range(second, N_HANDS):
                    if left(first) + left(second) + left(third) == total and _is_first(first, second, third):
                        _solve(state, table, (first, second, third), regrets, sums, habits, payoffs)


@rule
def _turned(hand: int, turning: int) -> int:
    """The same hand with the symbols renamed, in one of six ways."""
    a, b, c = hand // 9, hand // 3 % 3, hand % 3
    if turning >= 3:
        a, b = b, a
    if turning % 3 == 1:
        a, b, c = b, c, a
    elif turning % 3 == 2:
        a, b, c = c, a, b
    return a * 9 + b * 3 + c


@rule
def _is_first(first: int, second: int, third: int) -> bool:
    """Is this the one that is worked out, of all positions that differ only in the symbols' names and the seats?"""
    if min(left(first), left(second), left(third)) <= EACH * SYMBOLS - GOAL:
        return False
    own = first * 729 + second * 27 + third
    for turning in range(1, TURNINGS):
        a, b, c = _turned(first, turning), _turned(second, turning), _turned(third, turning)
        low, high = min(a, b, c), max(a, b, c)
        if low * 729 + (a + b + c - low - high) * 27 + high < own:
            return False
    return True


@rule
def _store(table: Any, hands: Any, seat: int, worth: float) -> None:
    """Write a worth down for every way of naming the symbols and the other two."""
    for turning in range(TURNINGS):
        own = _turned(hands[seat], turning)
        one = _turned(hands[(seat + 1) % 3], turning)
        other = _turned(hands[(seat + 2) % 3], turning)
        table.worth[own, one, other] = worth
        table.worth[own, other, one] = worth


@rule
def _of_three(table: Any, own: int, one: int, other: int) -> float:
    """What a hand of three players is worth."""
    fewest = min(left(own), left(one), left(other))
    if fewest <= EACH * SYMBOLS - GOAL:
        return _part(left(own), left(one), left(other), fewest)
    worth: float = table.worth[own, one, other]
    return worth


@rule
def _part(own: int, one: int, other: int, fewest: int) -> float:
    """The part of the win for those with the fewest left."""
    if own > fewest:
        return 0.0
    return 1.0 / (1 + (1 if one == fewest else 0) + (1 if other == fewest else 0))


@rule
def _solve(state: Any, table: Any, hands: Any, regrets: Any, sums: Any, habits: Any, payoffs: Any) -> None:
    """Regret matching for every throw; a round in which nothing goes leads back here, so sweep several times."""
    for seat in range(FEWEST):
        _store(table, hands, seat, 1.0 / FEWEST)
        for symbol in range(SYMBOLS):
            state.counters[seat][symbol] = holds(hands[seat], symbol)
    for sweep in range(SWEEPS):
        first, second, third = 0.0, 0.0, 0.0
        for throw in range(THROWS):
            lay(state, throw)
            chance = _chance(state)
            if sweep == 0:
                _start(state, regrets[throw], habits[throw])
            _pay(table, hands, throw, payoffs)
            _step(hands, regrets[throw], sums[throw], habits[throw], payoffs)
            first += chance * _gained(sums[throw], habits[throw], payoffs, 0)
            second += chance * _gained(sums[throw], habits[throw], payoffs, 1)
            third += chance * _gained(sums[throw], habits[throw], payoffs, 2)
        _store(table, hands, 0, first)
        _store(table, hands, 1, second)
        _store(table, hands, 2, third)


@rule
def _chance(state: Any) -> float:
    """How likely the throw that lies is."""
    chance = 1.0
    for die in range(DICE):
        state.n_dice = die
        chance *= weight(state, state.dice[die]) / tickets(state)
    return chance


@rule
def _start(state: Any, regrets: Any, habits: Any) -> None:
    """No regrets yet, and how often the rules of thumb show each symbol."""
    for seat in range(FEWEST):
        weights = mixture(state, seat)
        for symbol in range(SYMBOLS):
            regrets[seat, symbol] = 0.0
            habits[seat, symbol] = weights[symbol] / (weights[0] + weights[1] + weights[2])


@rule
def _pay(table: Any, hands: Any, throw: int, payoffs: Any) -> None:
    """What each seat has after each joint choice."""
    for joint in range(N_HANDS):
        x, y, z = joint // 9, joint // 3 % 3, joint % 3
        if holds(hands[0], x) == 0 or holds(hands[1], y) == 0 or holds(hands[2], z) == 0:
            continue
        discs = (1 if x == 0 else 0) + (1 if y == 0 else 0) + (1 if z == 0 else 0)
        squares = (1 if x == 1 else 0) + (1 if y == 1 else 0) + (1 if z == 1 else 0)
        went = table.went[0, throw, discs, squares]
        a, b, c = after(hands[0], x, went), after(hands[1], y, went), after(hands[2], z, went)
        payoffs[joint, 0] = _of_three(table, a, b, c)
        payoffs[joint, 1] = _of_three(table, b, a, c)
        payoffs[joint, 2] = _of_three(table, c, a, b)


@rule
def _step(hands: Any, regrets: Any, sums: Any, habits: Any, payoffs: Any) -> None:
    """Some steps of regret matching for all three; the mean starts afresh, since the payoffs are better known now."""
    now = np.zeros((FEWEST, SYMBOLS))
    seen = np.zeros((FEWEST, SYMBOLS))
    worth = np.zeros((FEWEST, SYMBOLS))
    for seat in range(FEWEST):
        for symbol in range(SYMBOLS):
            sums[seat, symbol] = 0.0
    for step in range(STEPS):
        for seat in range(FEWEST):
            match(regrets[seat], symbols_in(hands[seat]), now[seat])
            note(sums[seat], now[seat], step + 1.0)
            for symbol in range(SYMBOLS):
                seen[seat, symbol] = HABIT * habits[seat, symbol] + (1.0 - HABIT) * now[seat, symbol]
                worth[seat, symbol] = 0.0
        _expect(seen, payoffs, worth)
        for seat in range(FEWEST):
            regret(regrets[seat], symbols_in(hands[seat]), now[seat], worth[seat])


@rule
def _expect(seen: Any, payoffs: Any, worth: Any) -> None:
    """What each symbol of each seat is worth against the others' mixtures."""
    for x in range(SYMBOLS):
        for y in range(SYMBOLS):
            both = seen[0, x] * seen[1, y]
            for z in range(SYMBOLS):
                joint = x * 9 + y * 3 + z
                worth[0, x] += seen[1, y] * seen[2, z] * payoffs[joint, 0]
                worth[1, y] += seen[0, x] * seen[2, z] * payoffs[joint, 1]
                worth[2, z] += both * payoffs[joint, 2]


@rule
def _gained(sums: Any, habits: Any, payoffs: Any, seat: int) -> float:
    """What a seat gets that plays its mean strategy against the others as they are thought to be."""
    means = np.zeros((FEWEST, SYMBOLS))
    for other in range(FEWEST):
        note(means[other], sums[other], 1.0)
        even_out(means[other], SYMBOLS)
        for symbol in range(SYMBOLS):
            if other != seat:
                means[other, symbol] = HABIT * habits[other, symbol] + (1.0 - HABIT) * means[other, symbol]
    value = 0.0
    for joint in range(N_HANDS):
        value += means[0, joint // 9] * means[1, joint // 3 % 3] * means[2, joint % 3] * payoffs[joint, seat]
    return value
