"""Sealed choices between two options, on stages whose equilibrium is known."""

import numpy as np
import pytest

from pokade.arena.search.stages import solve_afresh, solve_on


def gains_of(count: int, prizes: list[float], fall: float = -1.0) -> np.ndarray:
    """A player who dares alone gets a prize; several who dare fall."""
    gains = np.full((count, 1 << count), fall)
    gains[:, 0] = prizes
    return gains


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_alike_seats_dare_alike_until_nobody_gains_by_it(count: int):
    dares = np.zeros(count)

    left = solve_afresh(gains_of(count, [4.0] * count), count, dares)

    by_hand = 1 - (1 / 5) ** (1 / (count - 1))  # alone with a chance of one in five: 4 / 5 of a fall against 1 / 5 of 4
    assert abs(dares - by_hand).max() < 1e-6
    assert left < 1e-6


def test_two_with_different_prizes_make_each_other_indifferent():
    dares = np.zeros(2)

    solve_afresh(gains_of(2, [4.0, 1.0]), 2, dares)

    assert abs(dares - [1 / 2, 4 / 5]).max() < 1e-6  # the first dares as often as the second can just bear


def test_who_loses_in_any_case_does_not_dare():
    dares = np.zeros(3)

    left = solve_afresh(gains_of(3, [-1.0, 2.0, 2.0]), 3, dares)

    assert dares[0] == 0.0
    assert abs(dares[1:] - 2 / 3).max() < 1e-6
    assert left < 1e-6


def test_where_daring_costs_nothing_all_dare():
    dares = np.zeros(3)

    solve_afresh(gains_of(3, [1.0] * 3, fall=0.5), 3, dares)

    assert dares.min() > 0.999


def test_a_stage_that_changed_a_little_is_solved_from_where_one_was():
    dares = np.zeros(3)
    solve_afresh(gains_of(3, [4.0, 4.0, 4.0]), 3, dares)

    left = solve_on(gains_of(3, [4.0, 4.2, 3.9]), 3, dares)

    assert left < 1e-6
    assert 0.3 < dares.min() < dares.max() < 0.7


def test_nobody_gains_much_in_any_stage():
    source, dares = np.random.default_rng(5), np.zeros(4)
    for _ in range(40):
        assert solve_afresh(source.uniform(-1.0, 1.0, (4, 16)), 4, dares) < 0.05
