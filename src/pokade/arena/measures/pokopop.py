"""Poko Pop!: what comes of a reveal, what the cards are worth that are taken, and who gets the last pile."""

from typing import Any, Final

from pokade.arena.measures import Measure, Number, add
from pokade.games.pokopop import (
    ALL_WAITED,
    CLASHED,
    PILE_STAYED,
    POKOS,
    SHARED_PILE,
    TOOK,
    TOOK_PILE,
    VALUES,
    WAITED_OUT,
)
from pokade.games.state import rule

REVEALS, CLASHES, TAKEN, PILE = 0, 1, 2, 3
MEASURES: Final = (
    Measure("reveals", 3),
    Measure("clashes", POKOS - 1),
    Measure("taken", POKOS, is_part=False),
    Measure("pile", 3),
)
NUMBERS: Final = {
    "copies": Number("COPIES", range(5, 9)),
    "minus": Number("MINUS_COSTS", range(6)),
    "points_one": Number("VALUES", range(11), (0, 1)),
    "points_two": Number("VALUES", range(11), (2,)),
    "points_three": Number("VALUES", range(11), (3,)),
    "points_four": Number("VALUES", range(11), (4,)),
    "points_five": Number("VALUES", range(11), (5, 6, 7, 8, 9, 10)),
}


@rule
def note(state: Any, code: int, who: int, what: int, more: int, counts: Any) -> None:
    """The last card of a round is taken without a reveal; the last pile has one of its own."""
    if code == TOOK:
        add(counts, TAKEN, more - 1, VALUES[what])
        if more < state.n_seats:
            _note_reveal(0, more - 1, counts)
    elif code == CLASHED:
        _note_reveal(1, more - 1, counts)
    elif code in (ALL_WAITED, WAITED_OUT):
        _note_reveal(2, state.poko, counts)
    elif code in (TOOK_PILE, SHARED_PILE, PILE_STAYED):
        add(counts, PILE, 0, 1 if code == TOOK_PILE else 0)
        add(counts, PILE, 1, 1 if code == SHARED_PILE else 0)
        add(counts, PILE, 2, 1 if code == PILE_STAYED else 0)


@rule
def _note_reveal(end: int, poko: int, counts: Any) -> None:
    """One took the card, several clashed, or all waited."""
    for row in range(3):
        add(counts, REVEALS, row, 1 if row == end else 0)
    add(counts, CLASHES, poko, 1 if end == 1 else 0)
