"""Habits of Poch. All of them play out as casual did when it was frozen."""

from benchmarks.frozen.poch import casual
from pokade.games.poch import BID, BIDDING, HOLD, PASS, PochState, can_hold, highest_bid, lowest_bid
from pokade.games.state import rule

SIZES = (2, 4)


@rule
def _stay(view: PochState, seat: int) -> int:
    """Hold if you can, else pass."""
    return HOLD if can_hold(view, seat) else PASS


@rule
def always_pass(view: PochState, seat: int, luck: int) -> int:
    """Never bid."""
    return PASS if view.phase == BIDDING else casual(view, seat, luck)


@rule
def always_hold(view: PochState, seat: int, luck: int) -> int:
    """Never open, and hold every bid."""
    return _stay(view, seat) if view.phase == BIDDING else casual(view, seat, luck)


@rule
def open_with_one(view: PochState, seat: int, luck: int) -> int:
    """Open with the least, and hold every bid."""
    if view.phase != BIDDING:
        return casual(view, seat, luck)
    can_open = view.bid == 0 and highest_bid(view, seat) >= lowest_bid(view)
    return BID + lowest_bid(view) if can_open else _stay(view, seat)


@rule
def raise_a_little(view: PochState, seat: int, luck: int) -> int:
    """Always the lowest bid there is."""
    if view.phase != BIDDING:
        return casual(view, seat, luck)
    return BID + lowest_bid(view) if highest_bid(view, seat) >= lowest_bid(view) else _stay(view, seat)


@rule
def raise_to_the_most(view: PochState, seat: int, luck: int) -> int:
    """Always the highest bid there is."""
    if view.phase != BIDDING:
        return casual(view, seat, luck)
    return BID + highest_bid(view, seat) if highest_bid(view, seat) >= lowest_bid(view) else _stay(view, seat)


HABITS = (always_pass, always_hold, open_with_one, raise_a_little, raise_to_the_most)
