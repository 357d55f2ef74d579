"""What is compiled of the solver: from a position's hands to its worth and kept mixtures, and back to probabilities."""

from math import exp
from typing import Any, Final

import numpy as np

from pokade.games.state import rule
from pokade.solver.pok.mixing import mark, restore, unmark
from pokade.solver.pok.newton import by_stage
from pokade.solver.pok.rounds import KIND, MANY, SYMBOL, Desk, Known, lay_out
from pokade.solver.pok.settling import FAILED, alone, room_for, settle, settle_together, weights_of

UNIT: Final = 1 << 32  # worths are kept as whole numbers of this part of a win


def solve_position(known: Known, hands: Any, faces: Any, end: float, worths: Any, marks: Any) -> int:
    """Solve one position: `worths` gets each kind's worth, `marks` the mixtures. Gives how many marks, or FAILED."""
    desk = lay_out(known, hands)
    if len(desk.cells) == 1:  # everybody has the same one symbol: nothing to choose, and nobody is better off
        return 0
    spot = room_for(desk)
    attempt = settle(desk, chances_of(desk, faces), end, spot)
    if attempt == FAILED:
        return FAILED
    round_worths(desk, spot, worths)
    return _mark_all(desk, weights_of(desk, attempt), exp(end), spot, worths, marks)


@rule
def chances_of(desk: Desk, faces: Any) -> Any:
    """How likely each stage is."""
    chances = np.zeros(desk.again.shape[1])
    for throw in range(len(faces)):
        chances[desk.stage_of[throw]] += faces[throw]
    return chances / faces.sum()


@rule
def round_worths(desk: Desk, spot: Any, worths: Any) -> None:
    """Worths as they are kept: in whole units, and the last kind has what the others leave."""
    n_kinds = len(desk.kinds)
    rest = 1.0
    for kind in range(n_kinds - 1):
        worths[kind] = int(min(max(spot[len(spot) - 1 - n_kinds + kind], 0.0), 1.0) * UNIT + 0.5) / UNIT
        rest -= desk.kinds[kind, MANY] * worths[kind]
    worths[n_kinds - 1] = rest / desk.kinds[n_kinds - 1, MANY]


@rule
def _mark_all(desk: Desk, weights: Any, m: float, spot: Any, worths: Any, marks: Any) -> int:
    """Write down the mixtures of all stages."""
    n_cells, own = len(desk.cells), by_stage(desk, spot)
    x, has = np.zeros(n_cells), np.zeros(len(desk.kinds))
    count = 0
    for stage in range(own.shape[1]):
        for kind in range(len(has)):
            has[kind] = own[n_cells + kind, stage]
        for cell in range(n_cells):
            x[cell] = _played(own[cell, stage], m * weights[cell, stage])
            has[desk.cells[cell, KIND]] -= m * weights[cell, stage]
        count = mark(desk, stage, worths, x, has, marks, count)
    return count


@rule
def _played(log_x: float, price: float) -> float:
    """A cell's probability, without those that are played for want of patience only: they lose more than that."""
    x = exp(log_x)
    return 0.0 if x * x < price else x


def mixtures(known: Known, hands: Any, worths: Any, marks: Any, only: int, found: Any) -> None:
    """The probabilities of a position by throw, seat and symbol (of one throw alone, if `only` is not negative)."""
    desk = lay_out(known, hands)
    parts, x = np.zeros(len(desk.cells), np.int64), np.ones(len(desk.cells))
    count = 0
    for stage in range(desk.again.shape[1]):
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


def solve_round(
    known: Known, hands: Any, faces: Any, end: float, again: Any, only: int, found: Any, worths: Any
) -> int:
    """One round after which all is known: each throw is a game of its own. `again` is what kinds have if nothing goes.

    `found` gets the probabilities by throw, seat and symbol (of one throw, if `only` is not negative), `worths` what
    each kind has on average.
    """
    desk = lay_out(known, hands)
    chances, kept = chances_of(desk, faces), 0
    for stage in range(len(chances)):
        if only < 0 or desk.stage_of[only] == stage:
            single = alone(desk, stage, again)
            spot = room_for(single)
            attempt = settle_together(single, np.ones(1), end, spot)
            kept = FAILED if attempt == FAILED else kept
            for kind in range(len(desk.kinds)):
                worths[kind] += chances[stage] * spot[len(spot) - 1 - len(desk.kinds) + kind]
            x = _all_played(single, weights_of(single, max(attempt, 0)), exp(end), spot)
            for throw in range(len(desk.stage_of)):
                if desk.stage_of[throw] == stage and only in (throw, -1):
                    _spread(desk, x, found[throw])
    return kept


@rule
def _all_played(desk: Desk, weights: Any, m: float, spot: Any) -> Any:
    """The probabilities at the end of a path of one stage; those of a kind sum to 1."""
    x, totals = np.zeros(len(desk.cells)), np.zeros(len(desk.kinds))
    for cell in range(len(x)):
        x[cell] = _played(spot[cell], m * weights[cell, 0])
        totals[desk.cells[cell, KIND]] += x[cell]
    for cell in range(len(x)):
        x[cell] /= totals[desk.cells[cell, KIND]]
    return x


def answer(known: Known, hands: Any, throw: int, again: float, mixed: Any, place: int, found: Any) -> None:
    """What each symbol is worth at a place (the first of its kind) while the others mix so, by place and symbol.

    `again` is what the place has if nothing goes.
    """
    desk = lay_out(known, hands)
    stage, kind = desk.stage_of[throw], desk.kind_of[place]
    for number in range(len(desk.showings)):
        weight, shown = 1.0, desk.showings[number]
        for other in range(len(hands)):
            weight *= mixed[other, desk.cells[shown[other], SYMBOL]] if other != place else 1.0
        if weight > 0.0:
            worth = desk.pay[number, kind, stage] + desk.again[number, stage] * again
            found[desk.cells[shown[place], SYMBOL]] += weight * worth
