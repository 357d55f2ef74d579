"""What each symbol is worth against the others' mixtures: sums over everything that may be shown.

All stages are worked out side by side. They stand next to each other in every array, so that a processor takes several
of them at once.
"""

from typing import Any, NamedTuple

import numpy as np

from pokade.games.state import rule
from pokade.solver.pok.rounds import FIRST, KIND, LAST, MANY, Desk


class Hopes(NamedTuple):
    """What comes of the mixtures x; and arrays to compute in."""

    x: Any  # (cell, stage) its probability …
    gain: Any  # … its worth
    stay: Any  # … how often nothing goes when it is shown
    joint: Any  # (cell, cell, stage) the part of the first one's worth that comes from the second one being shown
    chain: Any  # (seat, stage) how likely this seat and those after it show what they show
    part: Any  # (stage)


@rule
def hopes(desk: Desk, n_stages: int) -> Hopes:
    """Room for a position."""
    n_cells = len(desk.cells)
    return Hopes(
        np.zeros((n_cells, n_stages)),
        np.zeros((n_cells, n_stages)),
        np.zeros((n_cells, n_stages)),
        np.zeros((n_cells, n_cells, n_stages)),
        np.ones((len(desk.kind_of) + 1, n_stages)),
        np.zeros(n_stages),
    )


@rule
def expect(desk: Desk, pay: Any, again: Any, worths: Any, found: Hopes) -> None:
    """Work it out for the stages of `pay` and `again`; `worths` is what each kind has if the dice are thrown again."""
    found.gain[:] = 0.0
    found.stay[:] = 0.0
    found.joint[:] = 0.0
    for number in range(len(desk.showings)):
        _chain(desk, number, found)
        for kind in range(len(desk.kinds)):
            row = desk.showings[number, desk.kinds[kind, FIRST]]
            _add_part(pay, again, number, kind, worths[kind], row, found)
            for other in range(len(desk.kinds)):
                if other != kind or desk.kinds[kind, MANY] > 1:
                    seat = desk.kinds[other, LAST if other == kind else FIRST]
                    _add_joint(row, desk.showings[number, seat], found)
    for row in range(len(desk.cells)):
        _divide(row, found)


@rule
def _chain(desk: Desk, number: int, found: Hopes) -> None:
    """How likely a showing is; what its last seats show is often what they showed in the showing before."""
    seat = desk.showings.shape[1] - 1
    while number > 0 and seat > 0 and desk.showings[number, seat] == desk.showings[number - 1, seat]:
        seat -= 1
    while seat >= 0:
        cell = desk.showings[number, seat]
        for stage in range(len(found.part)):
            found.chain[seat, stage] = found.chain[seat + 1, stage] * found.x[cell, stage]
        seat -= 1


@rule
def _add_part(pay: Any, again: Any, number: int, kind: int, worth: float, row: int, found: Hopes) -> None:
    """What a kind has by a showing, as likely as that is."""
    for stage in range(len(found.part)):
        chance = found.chain[0, stage]
        part = chance * (pay[number, kind, stage] + again[number, stage] * worth)
        found.part[stage] = part
        found.gain[row, stage] += part
        found.stay[row, stage] += chance * again[number, stage]


@rule
def _add_joint(row: int, cell: int, found: Hopes) -> None:
    """The same, as a part of a cell's worth that comes from another one."""
    for stage in range(len(found.part)):
        found.joint[row, cell, stage] += found.part[stage]


@rule
def _divide(row: int, found: Hopes) -> None:
    """A cell's worth when it is shown, however likely that is."""
    for stage in range(len(found.part)):
        found.gain[row, stage] /= found.x[row, stage]
        found.stay[row, stage] /= found.x[row, stage]
    for cell in range(len(found.x)):
        for stage in range(len(found.part)):
            found.joint[row, cell, stage] /= found.x[row, stage]


@rule
def others(desk: Desk, kind: int, cell: int) -> int:
    """How many seats other than one of a kind play a cell."""
    many: int = desk.kinds[desk.cells[cell, KIND], MANY] - (1 if desk.cells[cell, KIND] == kind else 0)
    return many
