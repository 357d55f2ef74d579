"""Rules of thumb for Poch."""

from pokade.games.cards import ACE, SEVEN, SUITS, card, of_rank, rank_of, suit_of
from pokade.games.poch import (
    BID,
    BIDDING,
    HOLD,
    PASS,
    STARTING,
    PochState,
    best_rank,
    can_hold,
    choice_at,
    highest_bid,
    lowest_bid,
    n_choices,
)
from pokade.games.state import how_many, rule

MARGIN = 5  # so much better than needed is worth a raise
BLUFFS = 14  # one weak hand in so many is played as if it were strong


@rule
def casual(view: PochState, seat: int, luck: int) -> int:
    """Bid on the set one has, now and then on none; play out the suits one is long in."""
    if view.phase == BIDDING:
        return _bid(view, seat, luck)
    best = choice_at(view, seat, 0)
    for index in range(1, n_choices(view, seat)):
        option = choice_at(view, seat, index)
        if _lead(view, seat, option) > _lead(view, seat, best):
            best = option
    return best


@rule
def _bid(view: PochState, seat: int, luck: int) -> int:
    """Raise with a strong set, hold with a good one, pass with the rest; bluff seldom and small."""
    strength = _strength(view, seat) - _needed(view, seat)
    is_bluff = luck % BLUFFS == 0
    can_raise = lowest_bid(view) <= highest_bid(view, seat)
    if can_raise and (strength >= MARGIN or is_bluff or (strength >= 0 and view.bid == 0)):
        step = luck // BLUFFS % 3 + (2 if strength >= MARGIN else 0)
        return BID + min(lowest_bid(view) + step, highest_bid(view, seat))
    return HOLD if strength >= 0 and can_hold(view, seat) else PASS


@rule
def _strength(view: PochState, seat: int) -> int:
    """More cards of a rank first, then the higher rank: a pair of aces just below three sevens."""
    rank = best_rank(view.hand[seat])
    return 8 * how_many(of_rank(view.hand[seat], rank)) + rank


@rule
def _needed(view: PochState, seat: int) -> int:
    """What is likely the best set at the table: the more cards in a hand, the better the sets of the others."""
    size = view.hand_size[seat]
    if size >= 16:
        return 31
    if size >= 10:
        return 28
    if size >= 8:
        return 25
    return 22 if size >= 6 else 19


@rule
def _lead(view: PochState, seat: int, option: int) -> int:
    """How good a suit (or a card to start with) is to lead: long in one's hand, and its last card one's own."""
    suit = option
    last = ACE if view.direction == 1 else SEVEN
    if view.phase == STARTING:
        suit = suit_of(option)
        last = ACE if rank_of(option) == SEVEN else SEVEN
    held = 0
    for rank in range(ACE + 1):
        held += view.hand[seat] >> card(rank, suit) & 1
    keeps_the_lead = view.hand[seat] >> card(last, suit) & 1
    return held * SUITS + keeps_the_lead * 3
