"""What is compiled of the solver: from a position's hands to its worth and kept mixtures, and back to probabilities."""

from math import exp
from typing import Any, Final

import numpy as np

from pokade.arena.draws import fraction, start_stream
from pokade.games.state import rule
from pokade.solver.pok.mixing import mark, restore, unmark
from pokade.solver.pok.path import SETTLED, Terms, follow
from pokade.solver.pok.rounds import KIND, MANY, SYMBOL, Desk, Known, lay_out

FAILED: Final = -1
CARES: Final = (1.0, 0.3, 0.3, 0.2, 0.2, 0.1, 0.1, 0.05, *(1.0,) * 32, *(0.3,) * 4)  # of each try, see path.py
STEPS, MANY_STEPS, PATIENT = 2500, 30_000, 40  # of a path; the tries from number PATIENT on may be long
EVEN: Final = 2  # the first tries give all symbols the same weight; for the others, weights are drawn
UNIT: Final = 1 << 32  # worths are kept as whole numbers of this part of a win


def solve_position(known: Known, hands: Any, faces: Any, end: float, worths: Any, marks: Any) -> int:
    """Solve one position: `worths` gets each kind's worth, `marks` the mixtures. Gives how many marks, or FAILED."""
    desk = lay_out(known, hands)
    if len(desk.cells) == 1:  # everybody has the same one symbol: nothing to choose, and nobody is better off
        return 0
    spot = np.zeros(len(desk.stages) * (len(desk.cells) + len(desk.kinds)) + len(desk.kinds) + 1)
    for attempt in range(len(CARES)):
        steps = STEPS if attempt < PATIENT else MANY_STEPS
        terms = Terms(_chances(desk, faces), _weights(desk, attempt), end, CARES[attempt], steps)
        if follow(desk, terms, spot) == SETTLED:
            _round_worths(desk, spot, worths)
            return _mark_all(desk, terms, spot, worths, marks)
    return FAILED


@rule
def _chances(desk: Desk, faces: Any) -> Any:
    """How likely each stage is."""
    chances = np.zeros(len(desk.stages))
    for throw in range(len(faces)):
        chances[desk.stage_of[throw]] += faces[throw]
    return chances / faces.sum()


@rule
def _weights(desk: Desk, attempt: int) -> Any:
    """The weight of each cell at each stage: all alike first; another path each time after that."""
    weights = np.ones((len(desk.stages), len(desk.cells)))
    if attempt >= EVEN:
        rng = np.zeros(1, np.uint64)
        start_stream(rng, np.uint64(0), attempt)
        for stage in range(len(desk.stages)):
            for cell in range(len(desk.cells)):
                weights[stage, cell] = exp(2.0 * fraction(rng) - 1.0)
    return weights


@rule
def _round_worths(desk: Desk, spot: Any, worths: Any) -> None:
    """Worths as they are kept: in whole units, and the last kind has what the others leave."""
    n_kinds = len(desk.kinds)
    rest = 1.0
    for kind in range(n_kinds - 1):
        worths[kind] = int(min(max(spot[len(spot) - 1 - n_kinds + kind], 0.0), 1.0) * UNIT + 0.5) / UNIT
        rest -= desk.kinds[kind, MANY] * worths[kind]
    worths[n_kinds - 1] = rest / desk.kinds[n_kinds - 1, MANY]


@rule
def _mark_all(desk: Desk, terms: Terms, spot: Any, worths: Any, marks: Any) -> int:
    """Write down the mixtures of all stages, without the symbols that are played for want of patience only."""
    n_cells, m = len(desk.cells), exp(terms.end)
    block = n_cells + len(desk.kinds)
    x, has = np.zeros(n_cells), np.zeros(len(desk.kinds))
    count = 0
    for stage in range(len(desk.stages)):
        for kind in range(len(has)):
            has[kind] = spot[stage * block + n_cells + kind]
        for cell in range(n_cells):
            x[cell] = exp(spot[stage * block + cell])
            has[desk.cells[cell, KIND]] -= m * terms.weights[stage, cell]
            if x[cell] * x[cell] < m * terms.weights[stage, cell]:  # it loses more than it is played
                x[cell] = 0.0
        count = mark(desk, stage, worths, x, has, marks, count)
    return count


def mixtures(known: Known, hands: Any, worths: Any, marks: Any, only: int, found: Any) -> None:
    """The probabilities of a position by throw, seat and symbol (of one throw alone, if `only` is not negative)."""
    desk = lay_out(known, hands)
    parts, x = np.zeros(len(desk.cells), np.int64), np.ones(len(desk.cells))
    count = 0
    for stage in range(len(desk.stages)):
        if len(desk.cells) > 1:
            grain = marks[count]
            count = unmark(desk, marks, count, parts)
            if only < 0 or desk.stage_of[only] == stage:
                restore(desk, stage, worths, parts, grain, x)
        for throw in range(len(desk.stage_of)):
            if desk.stage_of[throw] == stage and only in (throw, -1):
                _spread(desk, x, found[throw])


@rule
def _spread(desk: Desk, x: Any, found: Any) -> None:
    """Every seat of a kind plays the same; what is never played is played never."""
    for cell in range(len(x)):
        if x[cell] > 1e-15:
            for seat in range(len(desk.kind_of)):
                if desk.kind_of[seat] == desk.cells[cell, KIND]:
                    found[seat, desk.cells[cell, SYMBOL]] = x[cell]
