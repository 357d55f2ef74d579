"""Pokerdice: which objectives pay, for the active player and for the others, and how often dice are thrown again."""

from typing import Any, Final

from pokade.arena.measures import Measure, Number, add, await_hit, hit
from pokade.games.pokerdice import CAPTURED, LOST, OBJECTIVES, RETHROWN, REVEALED, SCORED
from pokade.games.state import rule

ACTIVE, OTHERS, PAYS, AGAIN = 0, 1, 2, 3
MEASURES: Final = (
    Measure("active", OBJECTIVES, words="objective"),
    Measure("others", OBJECTIVES, words="objective"),
    Measure("pays", OBJECTIVES, is_part=False, words="objective"),
    Measure("again", 2),
)
CARDS: Final = ("joker", "pair", "three", "two_pairs", "small", "no_evens", "no_odds", "full_house", "long", "four")
NUMBERS: Final = {
    **{f"points_{card}": Number("VALUES", range(21), (place,)) for place, card in enumerate(CARDS)},
    "points_captured": Number("CAPTURED_VALUE", range(6)),
    "rethrows": Number("RETHROWS", range(1, 3)),
    "rounds": Number("ROUNDS", range(1, 11)),
}


@rule
def note(state: Any, code: int, who: int, what: int, more: int, counts: Any) -> None:
    """Every card that is revealed is scored, lost or captured; the event names its objective."""
    if code == REVEALED:
        await_hit(counts, AGAIN, 0)
        await_hit(counts, AGAIN, 1)
    elif code == RETHROWN:
        hit(counts, AGAIN, min(state.rethrows, 2) - 1)
    elif code in (SCORED, LOST, CAPTURED):
        owner = more if code == CAPTURED else who
        active = state.told[1]  # a round resolves after a throw or a stop of the active player, which is told first
        add(counts, ACTIVE if owner == active else OTHERS, what, 1 if code == SCORED else 0)
        add(counts, PAYS, what, more if code == SCORED else 0)
