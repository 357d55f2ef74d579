"""From uniform play to an equilibrium of one position: a path, followed step by step (predictor and corrector).

Every kind of seat mixes its symbols at every stage. With x a cell's probability, b its weight, U what it is worth
against the others' mixtures, and L a number for each kind and stage, all cells satisfy

    L − U = m · b / x,    the x of a kind sum to 1,    v = the mean of L − m · (sum of its b) over all stages

where v, the position's worth to a kind, is what it has where nothing goes and the dice are thrown again. For a large m
everybody plays by the weights alone; for m towards 0 it is an equilibrium, as a cell with U below L is hardly played.
The unknowns are ln x and L for each stage, v, and ln m, which may turn back on the way. Stages meet in v alone, so that
a step solves one small system for each stage and a smaller one for v and ln m.
"""

from math import exp, log
from typing import Any, Final, NamedTuple

import numpy as np

from pokade.games.state import rule
from pokade.solver.pok.rounds import FIRST, KIND, LAST, MANY, Desk

UNIFORM: Final = 3.0  # ln m at the start
SETTLED, LOST, TOO_LONG, TOO_NARROW = 0, 1, 2, 3  # how the following of a path ends
CORRECTIONS: Final = 6
NEAR, LANDED, AT_HOME = 1e-5, 1e-6, 1e-9  # largest change of a last correction: on the way, at its end, at its start
FIRST_STRIDE, WIDEST, NARROWEST = 0.05, 1.5, 1e-7  # as the root mean square of all unknowns' changes
ASTRAY: Final = 1e300


class Terms(NamedTuple):
    """What a path depends on, beside the position."""

    chances: Any  # (stage) how likely it is
    weights: Any  # (stage, cell) b
    end: float  # the last ln m
    care: float  # 1, or less for smaller steps
    steps: int  # at most so many


class Work(NamedTuple):
    """Arrays to compute in."""

    tangent: Any  # (unknown) the direction of the path
    ahead: Any  # (unknown) its direction after the last correction, not yet scaled
    back: Any  # (unknown) the last spot
    matrix: Any  # a stage's equations: its unknowns; then v, ln m and what is missing
    solved: Any  # (stage) the same three, solved for its unknowns
    small: Any  # the equations that are left: v and ln m; then what is missing, and the direction
    x: Any  # (cell) its probability …
    gain: Any  # … its worth
    stay: Any  # … how often nothing goes when it is shown
    joint: Any  # (cell, cell) the part of the first one's worth that comes from the second one being shown


@rule
def follow(desk: Desk, terms: Terms, spot: Any) -> int:
    """Follow the path to its end; `spot` gets the unknowns, stage by stage, then v and ln m. Gives how it ended."""
    work = _work(desk, len(spot))
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
def _work(desk: Desk, unknowns: int) -> Work:
    """Room for a position."""
    n_cells, n_kinds, n_stages = len(desk.cells), len(desk.kinds), len(desk.stages)
    block = n_cells + n_kinds
    return Work(
        np.zeros(unknowns),
        np.zeros(unknowns),
        np.zeros(unknowns),
        np.zeros((block, block + n_kinds + 2)),
        np.zeros((n_stages, block, n_kinds + 2)),
        np.zeros((n_kinds + 1, n_kinds + 3)),
        np.zeros(n_cells),
        np.zeros(n_cells),
        np.zeros(n_cells),
        np.zeros((n_cells, n_cells)),
    )


@rule
def _begin(desk: Desk, terms: Terms, spot: Any, work: Work) -> None:
    """Everybody plays by the weights, and the position is worth the same to all; then correct that for the first m."""
    n_cells, n_kinds = len(desk.cells), len(desk.kinds)
    block = n_cells + n_kinds
    worth = 1.0 / len(desk.kind_of)
    totals = np.zeros(n_kinds)
    for stage in range(len(desk.stages)):
        totals[:] = 0.0
        for cell in range(n_cells):
            totals[desk.cells[cell, KIND]] += terms.weights[stage, cell]
        for cell in range(n_cells):
            spot[stage * block + cell] = log(terms.weights[stage, cell] / totals[desk.cells[cell, KIND]])
        for kind in range(n_kinds):
            spot[stage * block + n_cells + kind] = worth + totals[kind] * exp(UNIFORM)
    spot[-1 - n_kinds : -1] = worth
    spot[-1] = UNIFORM
    _hold(work, spot)
    for _ in range(30):
        if _correct(desk, terms, spot, work) < AT_HOME:
            break
    _turn(work)


@rule
def _hold(work: Work, spot: Any) -> None:
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
        size = _correct(desk, terms, spot, work)
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
    _hold(work, spot)
    for _ in range(20):
        if _correct(desk, terms, spot, work) < LANDED:
            return SETTLED
    return LOST


@rule
def _correct(desk: Desk, terms: Terms, spot: Any, work: Work) -> float:
    """One step of Newton's method across the tangent; gives its largest change, and leaves the direction in `ahead`."""
    n_kinds, block = len(desk.kinds), len(desk.cells) + len(desk.kinds)
    first = len(spot) - 1 - n_kinds
    _open_small(desk, spot, work)
    for stage in range(len(desk.stages)):
        own = spot[stage * block : (stage + 1) * block]
        for cell in range(len(desk.cells)):
            work.x[cell] = exp(own[cell])
        expect(desk, stage, spot[first:-1], work.x, work.gain, work.stay, work.joint)
        _write_stage(desk, terms, stage, own, exp(spot[-1]), work)
        eliminate(work.matrix, block)
        work.solved[stage][:] = work.matrix[:, block:]
        _reduce(desk, terms, stage, own, work)
    _close_small(desk, terms, exp(spot[-1]), work)
    eliminate(work.small, n_kinds + 1)
    return _take(desk, spot, work)


@rule
def _open_small(desk: Desk, spot: Any, work: Work) -> None:
    """v is a mean over all stages; the change of all unknowns goes across the tangent, the direction along it."""
    small, n_kinds = work.small, len(desk.kinds)
    first = len(spot) - 1 - n_kinds
    small[:] = 0.0
    for kind in range(n_kinds):
        small[kind, kind] = 1.0
        small[kind, n_kinds + 1] = -spot[first + kind]
        small[n_kinds, kind] = work.tangent[first + kind]
    small[n_kinds, n_kinds] = work.tangent[-1]
    small[n_kinds, n_kinds + 2] = 1.0


@rule
def _write_stage(desk: Desk, terms: Terms, stage: int, own: Any, m: float, work: Work) -> None:
    """The stage's equations: its own unknowns, then what v and ln m do to it, then what is missing."""
    n_cells, n_kinds, matrix = len(desk.cells), len(desk.kinds), work.matrix
    block = n_cells + n_kinds
    missing = block + n_kinds + 1
    matrix[:] = 0.0
    for row in range(n_cells):
        kind = desk.cells[row, KIND]
        barrier = m * terms.weights[stage, row] / work.x[row]
        for cell in range(n_cells):
            matrix[row, cell] = -others(desk, kind, cell) * work.joint[row, cell]
        matrix[row, row] += barrier
        matrix[row, n_cells + kind] = 1.0
        matrix[row, block + kind] = -work.stay[row]
        matrix[row, block + n_kinds] = -barrier
        matrix[row, missing] = -(own[n_cells + kind] - work.gain[row] - barrier)
    for kind in range(n_kinds):
        matrix[n_cells + kind, missing] = 1.0
    for cell in range(n_cells):
        row = n_cells + desk.cells[cell, KIND]
        matrix[row, cell] = work.x[cell]
        matrix[row, missing] -= work.x[cell]


@rule
def others(desk: Desk, kind: int, cell: int) -> int:
    """How many seats other than one of a kind play a cell."""
    many: int = desk.kinds[desk.cells[cell, KIND], MANY] - (1 if desk.cells[cell, KIND] == kind else 0)
    return many


@rule
def _reduce(desk: Desk, terms: Terms, stage: int, own: Any, work: Work) -> None:
    """What a stage's solved unknowns leave for v and ln m."""
    small, found, chance = work.small, work.solved[stage], terms.chances[stage]
    n_cells, n_kinds, block = len(desk.cells), len(desk.kinds), len(own)
    pull = work.tangent[stage * block : (stage + 1) * block]
    for kind in range(n_kinds):
        row = found[n_cells + kind]
        for at in range(n_kinds + 1):
            small[kind, at] += chance * row[at]
        small[kind, n_kinds + 1] += chance * (own[n_cells + kind] + row[n_kinds + 1])
    for at in range(n_kinds + 2):
        total = 0.0
        for row_at in range(block):
            total += pull[row_at] * found[row_at, at]
        small[n_kinds, at] -= total


@rule
def _close_small(desk: Desk, terms: Terms, m: float, work: Work) -> None:
    """v leaves out what m adds to L."""
    n_kinds = len(desk.kinds)
    for cell in range(len(desk.cells)):
        kind = desk.cells[cell, KIND]
        for stage in range(len(desk.stages)):
            share = terms.chances[stage] * m * terms.weights[stage, cell]
            work.small[kind, n_kinds] += share
            work.small[kind, n_kinds + 1] -= share


@rule
def _take(desk: Desk, spot: Any, work: Work) -> float:
    """Change the unknowns, unless the change is so large that it means nothing."""
    small, n_kinds, n_cells = work.small, len(desk.kinds), len(desk.cells)
    block, first = n_cells + n_kinds, len(spot) - 1 - n_kinds
    largest, total = 0.0, 0.0
    for at in range(n_kinds + 1):
        work.ahead[first + at] = small[at, n_kinds + 2]
        largest = max(largest, abs(small[at, n_kinds + 1]))
    for stage in range(len(desk.stages)):
        found = work.solved[stage]
        for row in range(block):
            change, way = found[row, n_kinds + 1], 0.0
            for at in range(n_kinds + 1):
                change -= found[row, at] * small[at, n_kinds + 1]
                way -= found[row, at] * small[at, n_kinds + 2]
            found[row, n_kinds + 1] = change
            work.ahead[stage * block + row] = way
            total += change
            if row < n_cells:
                largest = max(largest, abs(change))
    if not largest < 5.0 or total != total:  # noqa: PLR0124 - only what is no number differs from itself
        return ASTRAY
    for at in range(n_kinds + 1):
        spot[first + at] += small[at, n_kinds + 1]
    for stage in range(len(desk.stages)):
        for row in range(block):
            spot[stage * block + row] += work.solved[stage, row, n_kinds + 1]
    return largest


@rule
def expect(desk: Desk, stage: int, worths: Any, x: Any, gain: Any, stay: Any, joint: Any) -> None:
    """What each cell is worth against the others' mixtures, how often nothing goes, and what others' cells add."""
    gain[:] = 0.0
    stay[:] = 0.0
    joint[:] = 0.0
    n_kinds, n_seats = len(desk.kinds), len(desk.kind_of)
    for number in range(len(desk.showings)):
        showing, mask = desk.showings[number], desk.stages[stage, number]
        chance = 1.0
        for seat in range(n_seats):
            chance *= x[showing[seat]]
        for kind in range(n_kinds):
            row = showing[desk.kinds[kind, FIRST]]
            part = chance * (desk.pay[mask, number, kind] if mask else worths[kind])
            gain[row] += part
            if mask == 0:
                stay[row] += chance
            for other in range(n_kinds):
                joint[row, showing[desk.kinds[other, LAST if other == kind else FIRST]]] += part
    for row in range(len(desk.cells)):
        gain[row] /= x[row]
        stay[row] /= x[row]
        for cell in range(len(desk.cells)):
            joint[row, cell] /= x[row]


@rule
def eliminate(matrix: Any, size: int) -> None:
    """Gauss's elimination with the largest pivots: afterwards the columns from `size` on hold the solutions."""
    width = matrix.shape[1]
    for at in range(size):
        _bring_up(matrix, at, size)
        pivot = _not_zero(matrix[at, at])
        for row in range(at + 1, size):
            factor = matrix[row, at] / pivot
            if factor != 0.0:
                for column in range(at + 1, width):
                    matrix[row, column] -= factor * matrix[at, column]
    for at in range(size - 1, -1, -1):
        pivot = _not_zero(matrix[at, at])
        for column in range(size, width):
            total = matrix[at, column]
            for known in range(at + 1, size):
                total -= matrix[at, known] * matrix[known, column]
            matrix[at, column] = total / pivot


@rule
def _bring_up(matrix: Any, at: int, size: int) -> None:
    """Exchange a row for the one below it that has the largest pivot."""
    best = at
    for row in range(at + 1, size):
        if abs(matrix[row, at]) > abs(matrix[best, at]):
            best = row
    if best != at:
        for column in range(at, matrix.shape[1]):
            matrix[at, column], matrix[best, column] = matrix[best, column], matrix[at, column]


@rule
def _not_zero(pivot: float) -> float:
    """An exact zero has no inverse; what follows from this is too large, and is seen to be."""
    return 1.0 / ASTRAY if pivot == 0.0 else pivot
