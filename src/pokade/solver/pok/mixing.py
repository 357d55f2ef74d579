"""How a mixture is kept, and how it is worked out again.

A few whole numbers say which symbols are mixed, and roughly how often; then some steps of a damped Newton's method
(Levenberg and Marquardt's) make all mixed symbols worth the same.
"""

from typing import Any, Final

import numpy as np

from pokade.games.state import rule
from pokade.solver.pok.equations import eliminate
from pokade.solver.pok.expecting import expect, hopes, others
from pokade.solver.pok.rounds import KIND, Desk

NEVER: Final = 1e-30  # the probability of a symbol that is not mixed: others notice nothing of it
DAMPING: Final = 1e-13
SHARPENINGS: Final = 40
EQUAL: Final = 1e-11  # difference of worth below which mixed symbols are worth the same
GRAINS: Final = (8, 24, 60, 240)  # into how many parts a kept mixture divides 1
EXACT: Final = 65_000  # the same for one that does not come back; it is played as it is kept
CLOSE: Final = 2e-6  # what a kind may lose at a stage by a kept mixture …
SAME: Final = 2e-5  # … and how far its worth there may move


@rule
def mark(desk: Desk, stage: int, worths: Any, x: Any, has: Any, marks: Any, count: int) -> int:
    """Keep a stage's mixtures in the largest parts from which they come back; `has` is each kind's worth by them.

    Gives the number of marks by now: the number of the grain, then the parts, those of each kind's last cell left out.
    """
    parts = np.zeros(len(x), np.int64)
    grain = 0
    while grain < len(GRAINS):
        _roughen(desk, x, GRAINS[grain], parts)
        if _comes_back(desk, stage, worths, parts, grain, has):
            break
        grain += 1
    _roughen(desk, x, whole(grain), parts)
    marks[count] = grain
    count += 1
    for cell in range(len(x) - 1):
        if desk.cells[cell, KIND] == desk.cells[cell + 1, KIND]:
            marks[count] = parts[cell]
            count += 1
    return count


@rule
def whole(grain: int) -> int:
    """Into how many parts the mixtures of a stage divide 1."""
    return GRAINS[grain] if grain < len(GRAINS) else EXACT


@rule
def _roughen(desk: Desk, x: Any, size: int, parts: Any) -> None:
    """Mixtures in whole parts, at least one for each symbol that is mixed; the likeliest one makes the sum right."""
    for kind in range(len(desk.kinds)):
        rest, best = size, -1
        for cell in range(len(x)):
            if desk.cells[cell, KIND] == kind:
                parts[cell] = 0 if x[cell] <= 0.0 else max(1, int(x[cell] * size + 0.5))
                rest -= parts[cell]
                if best < 0 or x[cell] > x[best]:
                    best = cell
        parts[best] += rest


@rule
def _comes_back(desk: Desk, stage: int, worths: Any, parts: Any, grain: int, has: Any) -> bool:
    """Do parts lead to mixtures of about the same worth, by which nobody loses?"""
    x, means = np.zeros(len(parts)), np.zeros(len(desk.kinds))
    comes_back = _sharpen(desk, stage, worths, parts, grain, x, means) < CLOSE
    for kind in range(len(has)):
        comes_back = comes_back and abs(means[kind] - has[kind]) < SAME
    return comes_back


@rule
def unmark(desk: Desk, marks: Any, count: int, parts: Any) -> int:
    """The parts that a stage's marks stand for; gives where the next stage's marks begin."""
    size = whole(marks[count])
    rest = size
    count += 1
    for cell in range(len(parts)):
        if cell + 1 < len(parts) and desk.cells[cell, KIND] == desk.cells[cell + 1, KIND]:
            parts[cell] = marks[count]
            rest -= marks[count]
            count += 1
        else:
            parts[cell] = rest
            rest = size
    return count


@rule
def restore(desk: Desk, stage: int, worths: Any, parts: Any, grain: int, x: Any) -> None:
    """The probabilities that parts stand for."""
    if grain < len(GRAINS):
        _sharpen(desk, stage, worths, parts, grain, x, np.zeros(len(desk.kinds)))
    else:
        for cell in range(len(x)):
            x[cell] = parts[cell] / EXACT


@rule
def _sharpen(desk: Desk, stage: int, worths: Any, parts: Any, grain: int, x: Any, means: Any) -> float:
    """Make all mixed symbols worth the same; gives the largest loss of a kind, and in `means` what each kind has."""
    found, pay, again = hopes(desk, 1), desk.pay[:, :, stage : stage + 1], desk.again[:, stage : stage + 1]
    for cell in range(len(x)):
        x[cell] = parts[cell] / GRAINS[grain] if parts[cell] > 0 else NEVER
    for sharpening in range(SHARPENINGS + 1):
        found.x[:, 0] = x
        expect(desk, pay, again, worths, found)
        if sharpening == SHARPENINGS or _step_to_equal(desk, parts, x, found.gain[:, 0], found.joint[:, :, 0]) < EQUAL:
            break
    return _loss(desk, x, found.gain[:, 0], means)


@rule
def _loss(desk: Desk, x: Any, gain: Any, means: Any) -> float:
    """What the kind that loses most would gain by its best symbol."""
    largest = 0.0
    for kind in range(len(desk.kinds)):
        best, mean = -1.0, 0.0
        for cell in range(len(x)):
            if desk.cells[cell, KIND] == kind:
                best = max(best, gain[cell])
                mean += x[cell] * gain[cell]
        means[kind] = mean
        largest = max(largest, best - mean)
    return largest


@rule
def _step_to_equal(desk: Desk, parts: Any, x: Any, gain: Any, joint: Any) -> float:
    """One step towards equal worth of all symbols that a kind mixes; gives how far from it they were."""
    n_cells = len(x)
    size = n_cells + len(desk.kinds)
    slopes, missing = np.zeros((size, size)), np.zeros(size)
    means = _plain_means(desk, parts, gain)
    missing[n_cells:] = 1.0
    for row in range(n_cells):
        kind = desk.cells[row, KIND]
        if parts[row] == 0:
            slopes[row, row] = 1.0
            continue
        missing[row] = means[kind] - gain[row]
        missing[n_cells + kind] -= x[row]
        slopes[n_cells + kind, row] = 1.0
        slopes[row, n_cells + kind] = -1.0
        for cell in range(n_cells):
            if parts[cell] > 0:
                slopes[row, cell] = others(desk, kind, cell) * joint[row, cell] / x[cell]
    far = 0.0
    for row in range(size):
        far = max(far, abs(missing[row]))
    _take_damped_step(slopes, missing, parts, x)
    return far


@rule
def _plain_means(desk: Desk, parts: Any, gain: Any) -> Any:
    """For each kind the mean worth of the symbols that it mixes, all alike."""
    means, widths = np.zeros(len(desk.kinds)), np.zeros(len(desk.kinds))
    for cell in range(len(parts)):
        if parts[cell] > 0:
            means[desk.cells[cell, KIND]] += gain[cell]
            widths[desk.cells[cell, KIND]] += 1.0
    for kind in range(len(means)):
        means[kind] /= widths[kind]
    return means


@rule
def _take_damped_step(slopes: Any, missing: Any, parts: Any, x: Any) -> None:
    """The least squares of what is missing, damped; no probability loses more than four fifths at once."""
    size = len(missing)
    normal = np.zeros((size, size + 1))
    for row in range(size):
        for column in range(size):
            total = 0.0
            for at in range(size):
                total += slopes[at, row] * slopes[at, column]
            normal[row, column] = total
        normal[row, row] += DAMPING
        total = 0.0
        for at in range(size):
            total += slopes[at, row] * missing[at]
        normal[row, size] = total
    eliminate(normal, size)
    scale = 1.0
    for cell in range(len(x)):
        if parts[cell] > 0 and normal[cell, size] < -0.8 * x[cell]:
            scale = min(scale, -0.8 * x[cell] / normal[cell, size])
    for cell in range(len(x)):
        if parts[cell] > 0:
            x[cell] += scale * normal[cell, size]
