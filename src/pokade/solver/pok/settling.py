"""From a desk to an equilibrium.

Either one path of all stages together, or each stage by its own path, for a worth of the position that is supposed, and
then all together by Newton's method; if that fails, again with what the stages have come to. A joint path has to take
the turns of all stages one after the other, and with five players and more they are too many.
"""

from math import exp
from typing import Any, Final

import numpy as np

from pokade.arena.draws import fraction, start_stream
from pokade.games.state import rule
from pokade.solver.pok.equations import ASTRAY
from pokade.solver.pok.newton import Terms, by_stage, correct, room
from pokade.solver.pok.path import LANDED, SETTLED, follow, hold
from pokade.solver.pok.rounds import Desk

FAILED: Final = -1
TRIES: Final = ((400, 1.0), (1200, 1.0), (4000, 1.0), (4000, 0.3), (12_000, 0.3))  # longest path and care, see path.py
AGAIN: Final = (4, 12, 8, 8, 32)  # how often each is tried; all but the very first with other weights
TOGETHER: Final = 4  # up to so many players all stages go one path
ATTEMPTS: Final = 10  # to go apart, each with other weights …
MEETINGS: Final = 12  # … and so often for each
STAGE_TRIES: Final = 6
CORRECTIONS: Final = 12


@rule
def settle(desk: Desk, chances: Any, end: float, spot: Any) -> int:
    """Find an equilibrium: `spot` gets the unknowns. Gives the number of the weights, or FAILED."""
    attempt = settle_apart(desk, chances, end, spot) if len(desk.kind_of) > TOGETHER else FAILED
    return settle_together(desk, chances, end, spot) if attempt == FAILED else attempt


@rule
def settle_apart(desk: Desk, chances: Any, end: float, spot: Any) -> int:
    """Each stage by itself, for what the position is worth by the last meeting, until all can be corrected together."""
    n_kinds, parts = len(desk.kinds), np.zeros_like(spot)
    worths = parts[len(spot) - 1 - n_kinds : -1]
    for attempt in range(ATTEMPTS):
        weights = weights_of(desk, attempt)
        worths[:] = 1.0 / len(desk.kind_of)
        for meeting in range(MEETINGS):
            if not _part(desk, chances, weights, end, parts, meeting > 0):
                break
            spot[:] = parts
            if _meet(desk, Terms(chances, weights, end, 1.0, CORRECTIONS), spot):
                return attempt
    return FAILED


@rule
def _part(desk: Desk, chances: Any, weights: Any, end: float, parts: Any, has_met: bool) -> bool:
    """Every stage by itself, for the worths in `parts`, which gets the unknowns and what the position is worth then.

    After a meeting a stage begins where it was; where that leads nowhere, at the beginning of its path.
    """
    n_kinds, own = len(desk.kinds), by_stage(desk, parts)
    again = parts[len(parts) - 1 - n_kinds : -1].copy()
    parts[len(parts) - 1 - n_kinds :] = 0.0
    for stage in range(own.shape[1]):
        single = alone(desk, stage, again)
        spot, own_weights = room_for(single), weights[:, stage : stage + 1].copy()
        for row in range(len(own)):
            spot[row] = own[row, stage]
        spot[len(own) : -1] = spot[len(own) - n_kinds : len(own)]
        spot[-1] = end
        is_settled = has_met and _meet(single, Terms(np.ones(1), own_weights, end, 1.0, CORRECTIONS), spot)
        if not (is_settled or _settle_stage(single, own_weights, end, spot)):
            return False
        for row in range(len(own)):
            own[row, stage] = spot[row]
        for kind in range(n_kinds):
            parts[len(parts) - 1 - n_kinds + kind] += chances[stage] * spot[len(spot) - 1 - n_kinds + kind]
    parts[-1] = end
    return True


@rule
def _settle_stage(single: Desk, weights: Any, end: float, spot: Any) -> bool:
    """One stage, by the path of these weights or another one."""
    steps, care = TRIES[0]
    for number in range(STAGE_TRIES):
        tried = weights if number == 0 else weights_of(single, number)
        if follow(single, Terms(np.ones(1), tried, end, care, steps), spot) == SETTLED:
            return True
    return False


@rule
def _meet(desk: Desk, terms: Terms, spot: Any) -> bool:
    """Newton's method for all stages and the worths together, at the end of the path."""
    work = room(desk, len(spot))
    hold(work)
    for _ in range(terms.steps):
        size = correct(desk, terms, spot, work)
        if size < LANDED or size == ASTRAY:
            return size < LANDED
    return False


@rule
def settle_together(desk: Desk, chances: Any, end: float, spot: Any) -> int:
    """Follow one path after the other until one leads to its end; gives which one did, or FAILED."""
    attempt = 0
    for kind in range(len(TRIES)):
        for _ in range(AGAIN[kind]):
            steps, care = TRIES[kind]
            if follow(desk, Terms(chances, weights_of(desk, attempt), end, care, steps), spot) == SETTLED:
                return attempt
            attempt += 1
    return FAILED


@rule
def room_for(desk: Desk) -> Any:
    """Room for the unknowns of a path."""
    return np.zeros(desk.again.shape[1] * (len(desk.cells) + len(desk.kinds)) + len(desk.kinds) + 1)


@rule
def weights_of(desk: Desk, attempt: int) -> Any:
    """The weight of each cell at each stage: all alike first; another path each time after that."""
    weights = np.ones((len(desk.cells), desk.again.shape[1]))
    if attempt > 0:
        rng = np.zeros(1, np.uint64)
        start_stream(rng, np.uint64(0), attempt)
        for cell in range(len(desk.cells)):
            for stage in range(weights.shape[1]):
                weights[cell, stage] = exp(2.0 * fraction(rng) - 1.0)
    return weights


@rule
def alone(desk: Desk, stage: int, again: Any) -> Desk:
    """The desk of one stage, with nothing unknown after it."""
    pay = np.zeros((len(desk.showings), len(desk.kinds), 1))
    for number in range(len(desk.showings)):
        for kind in range(len(desk.kinds)):
            pay[number, kind, 0] = desk.pay[number, kind, stage] + desk.again[number, stage] * again[kind]
    return Desk(
        desk.kinds, desk.kind_of, desk.cells, desk.showings, desk.stage_of, pay, np.zeros((len(desk.showings), 1))
    )
