"""From uniform play to an equilibrium of one position: a path, followed step by step (predictor and corrector).

Every kind of seat mixes its symbols at every stage. With x a cell's probability, b its weight, U what it is worth
against the others' mixtures, and L a number for each kind and stage, all cells satisfy

    L − U = m · b / x,    the x of a kind sum to 1,    v = the mean of L − m · (sum of its b) over all stages

where v, the position's worth to a kind, is what it has where nothing goes and the dice are thrown again. For a large m
everybody plays by the weights alone; for m towards 0 it is an equilibrium, as a cell with U below L is hardly played.
The unknowns are ln x and L for each stage, v, and ln m, which may turn back on the way.
"""

from math import exp, log
from typing import Any, Final

import numpy as np

from pokade.games.state import rule
from pokade.solver.pok.newton import Terms, Work, by_stage, correct, room
from pokade.solver.pok.rounds import KIND, Desk

UNIFORM: Final = 3.0  # ln m at the start
SETTLED, LOST, TOO_LONG, TOO_NARROW = 0, 1, 2, 3  # how the following of a path ends
CORRECTIONS: Final = 6
NEAR, LANDED, AT_HOME = 3e-3, 1e-6, 1e-9  # largest change of a last correction: on the way, at its end, at its start
FIRST_STRIDE, WIDEST, NARROWEST = 0.05, 1.5, 1e-7  # as the root mean square of all unknowns' changes


@rule
def follow(desk: Desk, terms: Terms, spot: Any) -> int:
    """Follow the path to its end; `spot` gets the unknowns, stage by stage, then v and ln m. Gives how it ended."""
    work = room(desk, len(spot))
    _begin(desk, terms, spot, work)
    stride = FIRST_STRIDE
    for _ in range(terms.steps):
        first = _advance(desk, terms, spot, work, stride)
        likeness = _likeness(work.tangent, work.ahead) if first >= 0.0 else 0.0
        if likeness < 1.0 - 0.3 * terms.care or first > 0.7 * terms.care:
            spot[:] = work.back
            stride *= 0.4
            if stride < NARROWEST:
                return TOO_NARROW
            continue
        _turn(work)
        if spot[-1] > UNIFORM + 1.0:
            return LOST
        if spot[-1] <= terms.end:
            return _land(desk, terms, spot, work)
        if first < 0.15 * terms.care and likeness > 1.0 - 0.1 * terms.care:
            stride = min(stride * 1.7, WIDEST)
        elif first > 0.4 * terms.care:
            stride *= 0.7
    return TOO_LONG


@rule
def _begin(desk: Desk, terms: Terms, spot: Any, work: Work) -> None:
    """Everybody plays by the weights, and the position is worth the same to all; then correct that for the first m."""
    n_cells, n_kinds, own = len(desk.cells), len(desk.kinds), by_stage(desk, spot)
    worth = 1.0 / len(desk.kind_of)
    for stage in range(own.shape[1]):
        totals = np.zeros(n_kinds)
        for cell in range(n_cells):
            totals[desk.cells[cell, KIND]] += terms.weights[cell, stage]
        for cell in range(n_cells):
            own[cell, stage] = log(terms.weights[cell, stage] / totals[desk.cells[cell, KIND]])
        for kind in range(n_kinds):
            own[n_cells + kind, stage] = worth + totals[kind] * exp(UNIFORM)
    spot[-1 - n_kinds : -1] = worth
    spot[-1] = UNIFORM
    hold(work)
    for _ in range(30):
        if correct(desk, terms, spot, work) < AT_HOME:
            break
    _turn(work)


@rule
def hold(work: Work) -> None:
    """Corrections leave ln m as it is; the path leads to smaller ones."""
    work.tangent[:] = 0.0
    work.tangent[-1] = -1.0


@rule
def _advance(desk: Desk, terms: Terms, spot: Any, work: Work, stride: float) -> float:
    """A step along the tangent, and corrections back to the path; gives the size of the first, or −1 if they fail."""
    work.back[:] = spot
    for at in range(len(spot)):
        spot[at] += stride * work.tangent[at]
    first, size = 0.0, 0.0
    for correction in range(CORRECTIONS):
        before = size
        size = correct(desk, terms, spot, work)
        if correction == 0:
            first = size
        if not size < 2.0 or (correction > 0 and size > 0.6 * before and size > NEAR):
            return -1.0
        if size < NEAR:
            return first
    return -1.0


@rule
def _likeness(one: Any, other: Any) -> float:
    """The cosine between two directions."""
    product, own, its = 0.0, 0.0, 0.0
    for at in range(len(one)):
        product += one[at] * other[at]
        own += one[at] * one[at]
        its += other[at] * other[at]
    cosine: float = product / (own * its) ** 0.5
    return cosine


@rule
def _turn(work: Work) -> None:
    """Make the direction ahead the tangent, with a root mean square of one."""
    total = 0.0
    for at in range(len(work.ahead)):
        total += work.ahead[at] * work.ahead[at]
    scale = (len(work.ahead) / total) ** 0.5
    for at in range(len(work.ahead)):
        work.tangent[at] = work.ahead[at] * scale


@rule
def _land(desk: Desk, terms: Terms, spot: Any, work: Work) -> int:
    """The path has just passed its end: go back along the tangent, and correct with ln m held."""
    back = (terms.end - spot[-1]) / work.tangent[-1]
    for at in range(len(spot)):
        spot[at] += back * work.tangent[at]
    spot[-1] = terms.end
    hold(work)
    for _ in range(20):
        if correct(desk, terms, spot, work) < LANDED:
            return SETTLED
    return LOST
