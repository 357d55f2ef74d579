"""Hands of Poch that agree with all that was seen, and how likely they explain what was said."""

from typing import Any, Final

from pokade.arena.draws import below, copy_cells
from pokade.arena.search.poch.memory import DEALT, TRIED, VIEW
from pokade.games.cards import ALL_CARDS, of_rank
from pokade.games.poch import (
    BID,
    BIDDING,
    HOLD,
    PASS,
    POCHER,
    SEQUENCE,
    STARTING,
    best_rank,
    compared_seats,
    left_of,
    pay_bank,
    plate_cards,
    starting_cards,
)
from pokade.games.state import NOTHING, how_many, lowest, rule
from pokade.players import LUCK
from pokade.players.poch import casual

TRIES: Final = 40  # deals of the unseen cards until one agrees with what was shown
ASKED: Final = 3  # times that the rules of thumb are asked what they would have said
DOUBT: Final = 0.06  # rivals may play by other rules


@rule
def deal_unseen(states: Any, flats: Any, seat: int, memory: Any, rng: Any) -> None:
    """Hands that agree with what was shown; after many tries in vain, any that have the right sizes."""
    for _ in range(TRIES):
        deal_any(states, flats, seat, memory, rng)
        if agrees(states[DEALT], seat, memory, rng):
            return


@rule
def deal_any(states: Any, flats: Any, seat: int, memory: Any, rng: Any) -> None:
    """Everybody keeps what they have shown and not played, and gets the rest from the unseen cards."""
    copy_cells(flats[VIEW], flats[DEALT])
    state = states[DEALT]
    unseen = ALL_CARDS & ~state.hand[seat]
    for other in range(state.n_seats):
        unseen &= ~state.seen[other]
    count = 0
    while unseen:
        memory.pack[count] = lowest(unseen)
        unseen &= unseen - 1
        count += 1
    state.undealt = 0
    for other in range(state.n_seats):
        if other != seat:
            state.last_card[other] = NOTHING
            state.hand[other] = state.seen[other] & ~memory.played[other]
            for _ in range(state.hand_size[other] - how_many(state.hand[other])):
                at = below(rng, count)
                count -= 1
                state.hand[other] |= 1 << memory.pack[at]
                memory.pack[at] = memory.pack[count]


@rule
def agrees(state: Any, seat: int, memory: Any, rng: Any) -> bool:
    """No unshown sequence; trumps come from the dealer's last card; a compared hand has shown its best set."""
    compared = 0
    if state.phase != BIDDING and state.bidder != NOTHING:
        compared = compared_seats(state)
    if how_many(compared) < 2:
        compared = 0
    if not is_starter_next(state, seat):
        return False
    sequence = plate_cards(state, SEQUENCE)
    for other in range(state.n_seats):
        if other != seat:
            dealt = state.hand[other] | memory.played[other]
            if dealt & sequence == sequence and state.plates[SEQUENCE] > 0:
                return False
            # The more trumps the dealer has, the likelier the last card was one.
            if other == state.dealer and below(rng, 5) >= how_many(dealt & 0x11111111 << state.trumps):
                return False
            if compared >> other & 1:
                rank = best_rank(dealt)
                if of_rank(dealt, rank) & ~of_rank(state.seen[other], rank):
                    return False
    return True


@rule
def is_starter_next(state: Any, seat: int) -> bool:
    """Those from the winner of the bidding up to the one who starts have neither a 7 nor an ace."""
    other = state.winner
    while state.phase == STARTING and other != seat:
        if starting_cards(state, other):
            return False
        other = left_of(state, other)
    return True


@rule
def believed(states: Any, flats: Any, seat: int, memory: Any, rng: Any) -> float:
    """How likely the others would have said what they said, with these hands."""
    copy_cells(flats[DEALT], flats[TRIED])
    state = states[TRIED]
    for other in range(state.n_seats):
        state.hand[other] |= memory.played[other]
        state.counters[other] += state.paid[other] if state.phase == BIDDING else state.max_bid
        state.paid[other] = 0
    if state.plates[POCHER] == 0:
        state.plates[POCHER] = state.n_seats
    state.phase = BIDDING
    state.bank = 0
    state.bid = 0
    state.bidder = NOTHING
    weight = 1.0
    other = state.dealer
    for _ in range(state.n_seats):
        other = left_of(state, other)
        said = state.said[other]
        if said == NOTHING:
            break
        if other != seat:
            weight *= likelihood(state, other, said, rng)
        if said > HOLD:
            state.bid = said - BID
            state.bidder = other
        if said != PASS:
            pay_bank(state, other, state.bid)
    return weight


@rule
def likelihood(state: Any, other: int, said: int, rng: Any) -> float:
    """How likely the rules of thumb say that, or nearly that."""
    found = 0.0
    for _ in range(ASKED):
        would = casual(state, other, below(rng, LUCK))
        if would == said:
            found += 1.0
        elif would > HOLD and said > HOLD:
            found += 1.0 / (1 + abs(would - said))
    return DOUBT + (1.0 - DOUBT) * found / ASKED
