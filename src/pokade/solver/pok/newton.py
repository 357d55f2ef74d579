"""One step of Newton's method towards a path (see path.py): all stages, the position's worth and the price together.

Stages meet in v and ln m alone, so a step solves one small system for each stage and a smaller one for v and ln m. In a
stage, the likeliest cell of each kind follows from its other cells, as they sum to 1, and L from its equation.
"""

from math import exp
from typing import Any, NamedTuple

import numpy as np

from pokade.games.state import rule
from pokade.solver.pok.equations import ASTRAY, eliminate
from pokade.solver.pok.expecting import Hopes, expect, hopes, others
from pokade.solver.pok.rounds import KIND, Desk


class Terms(NamedTuple):
    """What a path depends on, beside the position."""

    chances: Any  # (stage) how likely it is
    weights: Any  # (cell, stage) b
    end: float  # the last ln m
    care: float  # 1, or less for smaller steps
    steps: int  # at most so many


class Work(NamedTuple):
    """Arrays to compute in."""

    tangent: Any  # (unknown) the direction of the path
    ahead: Any  # (unknown) its direction after the last correction, not yet scaled
    back: Any  # (unknown) the last spot
    hopes: Hopes
    main: Any  # (kind) the likeliest cell at a stage
    rest: Any  # the other cells
    slopes: Any  # (cell, cell) of a stage's equations
    given: Any  # (cell) how v and ln m change them, and what is missing
    matrix: Any  # the equations of the other cells; then v, ln m and what is missing
    solved: Any  # (stage, cell or kind) all unknowns of a stage by v and ln m, and what is missing
    small: Any  # the equations that are left: v and ln m; then what is missing, and the direction


@rule
def room(desk: Desk, unknowns: int) -> Work:
    """Room for a position."""
    n_cells, n_kinds, n_stages = len(desk.cells), len(desk.kinds), desk.again.shape[1]
    n_rest, n_given = n_cells - n_kinds, n_kinds + 2
    return Work(
        np.zeros(unknowns),
        np.zeros(unknowns),
        np.zeros(unknowns),
        hopes(desk, n_stages),
        np.zeros(n_kinds, np.int64),
        np.zeros(n_rest, np.int64),
        np.zeros((n_cells, n_cells)),
        np.zeros((n_cells, n_given)),
        np.zeros((n_rest, n_rest + n_given)),
        np.zeros((n_stages, n_cells + n_kinds, n_given)),
        np.zeros((n_kinds + 1, n_kinds + 3)),
    )


@rule
def by_stage(desk: Desk, unknowns: Any) -> Any:
    """The unknowns of all stages: (cell or kind, stage) ln x and L."""
    return unknowns[: len(unknowns) - 1 - len(desk.kinds)].reshape((-1, desk.again.shape[1]))


@rule
def correct(desk: Desk, terms: Terms, spot: Any, work: Work) -> float:
    """One step of Newton's method across the tangent; gives its largest change, and leaves the direction in `ahead`."""
    n_kinds, found = len(desk.kinds), work.hopes
    own, m = by_stage(desk, spot), exp(spot[-1])
    for cell in range(len(desk.cells)):
        for stage in range(own.shape[1]):
            found.x[cell, stage] = exp(own[cell, stage])
    expect(desk, desk.pay, desk.again, spot[len(spot) - 1 - n_kinds : -1], found)
    _open_small(desk, spot, work)
    pull = by_stage(desk, work.tangent)
    for stage in range(own.shape[1]):
        _write_stage(desk, terms, stage, own, m, work)
        _solve_stage(desk, stage, work)
        _reduce(desk, terms, stage, own, pull, work)
    _close_small(desk, terms, m, work)
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
    """The equation of each cell but for its L, which all cells of a kind share."""
    n_cells, n_kinds, found = len(desk.cells), len(desk.kinds), work.hopes
    work.given[:] = 0.0
    for row in range(n_cells):
        kind = desk.cells[row, KIND]
        barrier = m * terms.weights[row, stage] / found.x[row, stage]
        for cell in range(n_cells):
            work.slopes[row, cell] = -others(desk, kind, cell) * found.joint[row, cell, stage]
        work.slopes[row, row] += barrier
        work.given[row, kind] = -found.stay[row, stage]
        work.given[row, n_kinds] = -barrier
        work.given[row, n_kinds + 1] = -(own[n_cells + kind, stage] - found.gain[row, stage] - barrier)


@rule
def _solve_stage(desk: Desk, stage: int, work: Work) -> None:
    """All unknowns of a stage as they follow from v and ln m."""
    n_cells, n_kinds, x, slopes = len(desk.cells), len(desk.kinds), work.hopes.x, work.slopes
    short = np.ones(n_kinds)  # of a sum of 1, as a part of the likeliest cell
    _choose_main(desk, stage, work, short)
    for row in range(n_cells):
        for kind in range(n_kinds):
            work.given[row, n_kinds + 1] -= slopes[row, work.main[kind]] * short[kind]
        for cell in work.rest:
            main = work.main[desk.cells[cell, KIND]]
            slopes[row, cell] -= slopes[row, main] * (x[cell, stage] / x[main, stage])
    n_rest, matrix = len(work.rest), work.matrix
    for at in range(n_rest):
        row = work.rest[at]
        main = work.main[desk.cells[row, KIND]]
        for column in range(n_rest):
            matrix[at, column] = slopes[row, work.rest[column]] - slopes[main, work.rest[column]]
        for column in range(n_kinds + 2):
            matrix[at, n_rest + column] = work.given[row, column] - work.given[main, column]
    eliminate(matrix, n_rest)
    _spread(desk, stage, work, short)


@rule
def _choose_main(desk: Desk, stage: int, work: Work, short: Any) -> None:
    """The likeliest cell of each kind, the other cells, and what each kind's probabilities lack."""
    x, count = work.hopes.x, 0
    work.main[:] = -1
    for cell in range(len(desk.cells)):
        kind = desk.cells[cell, KIND]
        short[kind] -= x[cell, stage]
        if work.main[kind] < 0 or x[cell, stage] > x[work.main[kind], stage]:
            work.main[kind] = cell
    for cell in range(len(desk.cells)):
        if work.main[desk.cells[cell, KIND]] != cell:
            work.rest[count] = cell
            count += 1
    for kind in range(len(desk.kinds)):
        short[kind] /= x[work.main[kind], stage]


@rule
def _spread(desk: Desk, stage: int, work: Work, short: Any) -> None:
    """From the solved cells to the likeliest ones and to L."""
    n_cells, n_kinds, n_rest = len(desk.cells), len(desk.kinds), len(work.rest)
    x, found = work.hopes.x, work.solved[stage]
    for kind in range(n_kinds):
        main = work.main[kind]
        for column in range(n_kinds + 2):
            found[main, column] = 0.0
            found[n_cells + kind, column] = work.given[main, column]
        found[main, n_kinds + 1] = short[kind]
    for at in range(n_rest):
        cell = work.rest[at]
        main = work.main[desk.cells[cell, KIND]]
        part = x[cell, stage] / x[main, stage]
        for column in range(n_kinds + 2):
            found[cell, column] = work.matrix[at, n_rest + column]
            found[main, column] -= part * work.matrix[at, n_rest + column]
        for kind in range(n_kinds):
            slope = work.slopes[work.main[kind], cell]
            for column in range(n_kinds + 2):
                found[n_cells + kind, column] -= slope * work.matrix[at, n_rest + column]


@rule
def _reduce(desk: Desk, terms: Terms, stage: int, own: Any, pull: Any, work: Work) -> None:
    """What a stage's solved unknowns leave for v and ln m."""
    small, found, chance = work.small, work.solved[stage], terms.chances[stage]
    n_cells, n_kinds = len(desk.cells), len(desk.kinds)
    for kind in range(n_kinds):
        row = found[n_cells + kind]
        for at in range(n_kinds + 1):
            small[kind, at] += chance * row[at]
        small[kind, n_kinds + 1] += chance * (own[n_cells + kind, stage] + row[n_kinds + 1])
    for row_at in range(len(found)):
        for at in range(n_kinds + 2):
            small[n_kinds, at] -= pull[row_at, stage] * found[row_at, at]


@rule
def _close_small(desk: Desk, terms: Terms, m: float, work: Work) -> None:
    """v leaves out what m adds to L."""
    n_kinds = len(desk.kinds)
    for cell in range(len(desk.cells)):
        kind = desk.cells[cell, KIND]
        for stage in range(len(terms.chances)):
            share = terms.chances[stage] * m * terms.weights[cell, stage]
            work.small[kind, n_kinds] += share
            work.small[kind, n_kinds + 1] -= share


@rule
def _take(desk: Desk, spot: Any, work: Work) -> float:
    """Change the unknowns, unless the change is so large that it means nothing."""
    small, n_kinds, n_cells = work.small, len(desk.kinds), len(desk.cells)
    first, missing = len(spot) - 1 - n_kinds, n_kinds + 1
    ahead = by_stage(desk, work.ahead)
    largest, total = 0.0, 0.0
    for at in range(n_kinds + 1):
        work.ahead[first + at] = small[at, n_kinds + 2]
        largest = max(largest, abs(small[at, missing]))
    for stage in range(ahead.shape[1]):
        found = work.solved[stage]
        for row in range(n_cells + n_kinds):
            change, way = found[row, missing], 0.0
            for at in range(n_kinds + 1):
                change -= found[row, at] * small[at, missing]
                way -= found[row, at] * small[at, n_kinds + 2]
            found[row, missing] = change
            ahead[row, stage] = way
            total += change
            if row < n_cells:
                largest = max(largest, abs(change))
    if not largest < 5.0 or total != total:  # noqa: PLR0124 - only what is no number differs from itself
        return ASTRAY
    own = by_stage(desk, spot)
    for at in range(n_kinds + 1):
        spot[first + at] += small[at, missing]
    for stage in range(own.shape[1]):
        for row in range(n_cells + n_kinds):
            own[row, stage] += work.solved[stage, row, missing]
    return largest
