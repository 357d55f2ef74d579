"""Rules of thumb for Poch."""

from typing import Final

from pokade.games.cards import ACE, CARDS, RANKS, SEVEN, SUITS, card, of_rank, rank_of, suit_of
from pokade.games.poch import (
    BID,
    BIDDING,
    EVERYONE_SHOWS,
    HOLD,
    NO_SET,
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
from pokade.games.state import NOTHING, how_many, rule

OPENS: Final = 0.6  # better sets to be feared, at most, for opening: an opener who is beaten pays twice the bank …
HOLDS: Final = 1.3  # … and for holding, which costs no more than the bid
SURE: Final = 0.1  # so little to fear is worth a high bid
SPOKE: Final = 2.0  # a rival who has bid is as much to be feared as so many who have not spoken
RAISES: Final = 6  # one sure set in so many is worth a raise
BLUFFS: Final = 15  # one weak hand in so many is played as if it were strong


@rule
def novice(view: PochState, seat: int, luck: int) -> int:
    """Bid a little on three of a kind or a pair of court cards; play the longest suit first."""
    if view.phase != BIDDING:
        return _longest(view, seat)
    rank = best_rank(view.hand[seat])
    size = how_many(of_rank(view.hand[seat], rank))
    likes = size * RANKS + rank >= 2 * RANKS + 4 + luck % 4
    if likes and view.bid == 0 and highest_bid(view, seat) > 0:
        return BID + 1
    return HOLD if likes and can_hold(view, seat) else PASS


@rule
def casual(view: PochState, seat: int, luck: int) -> int:
    """Bid on your set, now and then on none; play out your long suits, and those whose last card you hold."""
    if view.phase == BIDDING:
        return _bid(view, seat, luck)
    best = choice_at(view, seat, 0)
    best_worth = -1
    for index in range(n_choices(view, seat)):
        option = choice_at(view, seat, index)
        # What is about as good is good enough now and then, or everybody would know your hand.
        worth = 2 * _lead(view, seat, option) + (luck >> index & 1)
        if worth > best_worth:
            best = option
            best_worth = worth
    return best


@rule
def _bid(view: PochState, seat: int, luck: int) -> int:
    """Open with a good set, higher with a sure one, and hold what others open; bluff seldom and small."""
    fear = to_be_feared(view, seat)
    room = highest_bid(view, seat) - lowest_bid(view)
    if room >= 0 and _may_raise(view, fear, luck):
        return BID + lowest_bid(view) + min(room, luck // 64 % (6 if fear < SURE else 3))
    return HOLD if fear < HOLDS and can_hold(view, seat) else PASS


@rule
def _may_raise(view: PochState, fear: float, luck: int) -> bool:
    """The last bidder pays double if beaten, so let it be somebody else: raise seldom, unless a pair is enough."""
    if view.bid > 0:
        return fear < SURE and (view.bluff == NO_SET or luck % RAISES == 0)
    # Nobody is bluffed with two at the table, where each knows what the other has.
    return fear < OPENS or (view.n_seats > 2 and luck % BLUFFS == 0)


@rule
def to_be_feared(view: PochState, seat: int) -> float:
    """How many better sets to expect at the table: among those who have bid, and those who may yet."""
    rivals = 0.0
    after = True
    other = seat
    for _ in range(view.n_seats - 1):
        if other == view.dealer:
            after = False
        other = other + 1 if other + 1 < view.n_seats else 0
        if view.paid[other] > 0:
            rivals += SPOKE
        elif after or view.showdown == EVERYONE_SHOWS:
            rivals += 1.0
    return rivals * better_sets(view, seat)


@rule
def better_sets(view: PochState, seat: int) -> float:
    """How many better sets one other hand has, on average, made of the cards that you do not hold.

    With two at the table that is no guess: what you lack, the other has. The more hands, the scarcer the sets.
    """
    mine = view.hand[seat]
    best = best_rank(mine)
    size = how_many(of_rank(mine, best))
    unseen = float(CARDS - how_many(mine))
    held = unseen / (view.n_seats - 1)
    found = 0.0
    for rank in range(RANKS):
        missing = SUITS - how_many(of_rank(mine, rank))
        for count in range(size if rank > best else size + 1, missing + 1):
            found += _chance(count, missing, held, unseen)
        if rank == best and size == 2 and missing == 2 and not of_rank(mine, rank) >> view.trumps & 1:
            found += _chance(2, 2, held, unseen)
    return found


@rule
def _chance(count: int, missing: int, held: float, unseen: float) -> float:
    """How likely a hand of `held` of the unseen cards has just `count` of `missing` ones."""
    chance = 1.0
    for place in range(missing):
        if place < count:
            chance *= (missing - place) * max(0.0, held - place) / ((place + 1) * (unseen - place))
        else:
            chance *= max(0.0, unseen - held - (place - count)) / (unseen - place)
    return chance


@rule
def _longest(view: PochState, seat: int) -> int:
    """The choice whose suit you have most cards of."""
    best = choice_at(view, seat, 0)
    for index in range(1, n_choices(view, seat)):
        option = choice_at(view, seat, index)
        if _held(view, seat, _suit(view, option)) > _held(view, seat, _suit(view, best)):
            best = option
    return best


@rule
def _suit(view: PochState, option: int) -> int:
    """The suit of a card to start with, or the suit to name."""
    return suit_of(option) if view.phase == STARTING else option


@rule
def _held(view: PochState, seat: int, suit: int) -> int:
    """How many cards of a suit you have."""
    held = 0
    for rank in range(RANKS):
        held += view.hand[seat] >> card(rank, suit) & 1
    return held


@rule
def _lead(view: PochState, seat: int, option: int) -> int:
    """How good a suit (or a card to start with) is to lead: its last card in your hand, then many of its cards."""
    suit = _suit(view, option)
    last = ACE if view.direction == 1 else SEVEN
    if view.phase == STARTING:
        last = ACE if rank_of(option) == SEVEN else SEVEN
    worth = 4 * _held(view, seat, suit) + 16 * (view.hand[seat] >> card(last, suit) & 1)
    if view.phase == STARTING:
        # The direction stays: with more suits that end with a card of yours you keep the lead.
        worth += 2 * how_many(of_rank(view.hand[seat], last))
    return worth


@rule
def cautious(view: PochState, seat: int, luck: int) -> int:
    """Stays out of the bidding unless hardly anything is to be feared."""
    if view.phase == BIDDING and to_be_feared(view, seat) > SURE:
        return PASS
    return NOTHING


@rule
def bold(view: PochState, seat: int, luck: int) -> int:
    """Raises on whatever may well be the best."""
    room = highest_bid(view, seat) - lowest_bid(view)
    if view.phase == BIDDING and room >= 0 and to_be_feared(view, seat) < HOLDS:
        return BID + lowest_bid(view) + min(room, 2 + luck % 4)
    return NOTHING


@rule
def bluffer(view: PochState, seat: int, luck: int) -> int:
    """Bids on nothing."""
    room = highest_bid(view, seat) - lowest_bid(view)
    if view.phase == BIDDING and room >= 0 and to_be_feared(view, seat) > HOLDS:
        return BID + lowest_bid(view) + min(room, luck % 5)
    return NOTHING
