"""Regret matching, on games whose equilibrium is known."""

import numpy as np

from pokade.arena.search.regrets import even_out, match, note, regret


def solved(payoffs: list[list[float]], steps: int = 4000) -> list[list[float]]:
    """The mean mixtures of both after some steps; the second loses what the first wins."""
    gains = np.array(payoffs)
    both = [gains, -gains.T]
    regrets, sums = [np.zeros(len(gains)) for gains in both], [np.zeros(len(gains)) for gains in both]
    now = [np.zeros(len(gains)) for gains in both]
    for step in range(steps):
        for seat in range(2):
            match(regrets[seat], (1 << len(now[seat])) - 1, now[seat])
            note(sums[seat], now[seat], step + 1)
        worths = [both[seat] @ now[1 - seat] for seat in range(2)]
        for seat in range(2):
            regret(regrets[seat], (1 << len(now[seat])) - 1, now[seat], worths[seat])
    for total in sums:
        even_out(total, len(total))
    return [total.tolist() for total in sums]


def test_the_mean_comes_to_the_equilibrium():
    # The first shows 1 or 2, so does the second; equal ones pay the first their number, others cost 1. By hand: 3/5
    # of the first and 2/5 of the second pay the first 1/5 against anything.
    for mixture in solved([[1.0, -1.0], [-1.0, 2.0]]):
        assert abs(mixture[0] - 3 / 5) < 0.02


def test_what_is_always_worse_is_hardly_ever_played():
    assert solved([[3.0, 2.0], [1.0, 0.0], [2.0, 1.0]])[0][0] > 0.99


def test_without_regrets_all_options_one_has_are_alike():
    mixture = np.zeros(4)

    match(np.zeros(4), 0b1101, mixture)

    assert mixture.tolist() == [1 / 3, 0.0, 1 / 3, 1 / 3]


def test_regrets_never_fall_below_nothing_and_the_mean_is_told():
    regrets = np.array([0.5, 0.0])

    mean = regret(regrets, 0b11, np.array([0.25, 0.75]), np.array([1.0, 0.0]))

    assert mean == 0.25
    assert regrets.tolist() == [0.5 + 1.0 - 0.25, 0.0]


def test_without_any_weight_all_are_alike():
    weights = np.array([0.0, 0.0, 7.0])

    even_out(weights, 2)

    assert weights.tolist() == [0.5, 0.5, 7.0]
