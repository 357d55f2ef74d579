"""Hands of Poch that agree with all that was seen, and how likely they explain what was said."""

from typing import Any, Final

from pokade.arena.draws import below, copy_cells
from pokade.arena.search.poch.bidding import class_of, likelihood, option_of, variant_of
from pokade.arena.search.poch.memory import DEALT, FEWEST, TRIED, VIEW
from pokade.games.cards import ALL_CARDS, of_rank
from pokade.games.poch import (
    BID,
    BIDDING,
    HOLD,
    PASS,
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

TRIES: Final = 40  # deals of the unseen cards until one agrees with what was shown
DOUBT: Final = 0.05  # rivals may have other books


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
    """The seats from the winner of the bidding up to the starting player have neither a 7 nor an ace."""
    other = state.winner
    while state.phase == STARTING and other != seat:
        if starting_cards(state, other):
            return False
        other = left_of(state, other)
    return True


@rule
def believed(states: Any, flats: Any, seat: int, table: Any, memory: Any) -> float:
    """How likely the others would have said what they said, with these hands, by the book."""
    copy_cells(flats[DEALT], flats[TRIED])
    state = states[TRIED]
    rewind(state, memory)
    weight = 1.0
    other = state.dealer
    for _ in range(state.n_seats if state.n_seats >= FEWEST else 0):
        other = left_of(state, other)
        said = states[VIEW].said[other]
        if said == NOTHING:
            break
        if other != seat:
            weight *= explained(state, other, said, table)
        speak_again(state, other, said)
    return weight


@rule
def rewind(state: Any, memory: Any) -> None:
    """Back to the first word of the bidding: the bank is given back, as far as it is known what was in it."""
    bank = 0
    for other in range(state.n_seats):
        state.hand[other] |= memory.played[other]
        state.counters[other] += state.paid[other]
        bank += state.paid[other]
        state.paid[other] = 0
        state.said[other] = NOTHING
    if state.phase != BIDDING and state.bidder != NOTHING:
        state.counters[state.winner] -= bank + state.n_seats
        if state.bidder != state.winner:
            state.counters[state.winner] -= 2 * bank
            state.counters[state.bidder] += 2 * bank
    state.phase = BIDDING
    state.bank = 0
    state.bid = 0
    state.bidder = NOTHING


@rule
def speak_again(state: Any, seat: int, said: int) -> None:
    """What was said is said once more, without its consequences."""
    state.said[seat] = said
    if said > HOLD:
        state.bid = said - BID
        state.bidder = seat
    if said != PASS:
        pay_bank(state, seat, state.bid)


@rule
def explained(state: Any, other: int, said: int, table: Any) -> float:
    """How often the book says that with this hand; but rivals may have other books."""
    variant = variant_of(state)
    size = state.n_seats - FEWEST
    hand = class_of(table, state.n_seats, state.hand[other], state.trumps)
    found = likelihood(state, other, table.book[variant, size], table.sizes[variant, size], hand, option_of(said))
    return DOUBT + (1.0 - DOUBT) * found
