"""Poch: bids, bluffs and calls by the best set in hand, and how biddings end."""

from typing import Any, Final

from pokade.arena.measures import Measure, Number, add
from pokade.games.cards import of_rank
from pokade.games.poch import HELD, NOBODY_BID, PASSED, RAISED, SHOWED, TOOK_BANK, UNSEEN, best_rank
from pokade.games.state import WIDTH, how_many, rule

RAISES, HOLDS, CALLED, WON, ENDS = 0, 1, 2, 3, 4
SIZES: Final = 4  # a single card, a pair, three, four
MEASURES: Final = (
    Measure("raises", SIZES),
    Measure("holds", SIZES),
    Measure("called", SIZES),
    Measure("won", SIZES),
    Measure("ends", 4),
)
NUMBERS: Final = {"bluff": Number("BLUFF_COSTS", range(6)), "card": Number("CARD_COSTS", range(6))}


@rule
def note(state: Any, code: int, who: int, what: int, more: int, counts: Any) -> None:
    """A highest bid on a single card is a bluff; it is called if sets are compared. Hands are still whole then."""
    if code in (PASSED, HELD, RAISED):
        size = set_size(state, who)
        add(counts, RAISES, size, 1 if code == RAISED else 0)
        add(counts, HOLDS, size, 1 if code == HELD else 0)
    elif code == NOBODY_BID:
        _note_end(0, counts)
    elif code == UNSEEN:
        add(counts, CALLED, set_size(state, who), 0)
    elif code == SHOWED and who == state.bidder:
        add(counts, CALLED, set_size(state, who), 1)
    elif code == TOOK_BANK:
        is_bidder = who == state.bidder
        is_unseen = state.told[WIDTH] == UNSEEN  # what is told after the last bid
        add(counts, WON, set_size(state, state.bidder), 1 if is_bidder else 0)
        _note_end(1 if is_unseen else 2 if is_bidder else 3, counts)


@rule
def set_size(state: Any, seat: int) -> int:
    """How many cards the best set of a hand has, less one."""
    return how_many(of_rank(state.hand[seat], best_rank(state.hand[seat]))) - 1


@rule
def _note_end(end: int, counts: Any) -> None:
    """Nobody bid, nobody answered the bid, the highest bidder had the best set, or another had."""
    for row in range(4):
        add(counts, ENDS, row, 1 if row == end else 0)
