"""How Poch is bid by the book: classes of hands, situations of the bidding, and mixtures of bids for each.

A hand and a situation give a mixture of pass, hold and sizes of bids. The size of one bid in three is drawn again, from
what is bid in this situation with all hands together, so that no size ever belongs to one kind of hand.
"""

import math
from typing import Any, Final

from pokade.arena.search.poch.memory import BIDS, CLASSES, FEWEST, KINDS, RUNGS
from pokade.games.cards import CARDS, RANKS, SUITS, of_rank
from pokade.games.poch import BID, BIDDING, HOLD, PASS, best_rank, can_hold, choose, highest_bid, lowest_bid
from pokade.games.state import how_many, rule

SWING: Final = 20.0  # counters that a deal moves between two players, about (standard deviation)
FAR: Final = 0.5  # swings: so far behind or ahead one bids otherwise
BLIND: Final = 0.35  # of the sizes are drawn without a look at the hand


@rule
def prepare_tails(table: Any) -> None:
    """How likely a hand has at least so many of so many cards that one lacks, for each number of players."""
    for size in range(len(table.tails)):
        held = CARDS // (size + FEWEST)
        for missing in range(SUITS + 1):
            for least in range(missing + 1):
                found = 0.0
                for count in range(least, missing + 1):
                    found += chance(count, missing, held, CARDS - held)
                table.tails[size, missing, least] = found


@rule
def chance(count: int, missing: int, held: int, unseen: int) -> float:
    """How likely a hand of `held` of the unseen cards has just `count` of `missing` ones."""
    found = 1.0
    for place in range(missing):
        if place < count:
            found *= (missing - place) * max(0, held - place) / ((place + 1) * (unseen - place))
        else:
            found *= max(0, unseen - held - (place - count)) / (unseen - place)
    return found


@rule
def fear(table: Any, n_seats: int, hand: int, trumps: int) -> float:
    """How many better sets one other hand has, on average, made of the cards that are not in this one."""
    tails = table.tails[n_seats - FEWEST]
    best = best_rank(hand)
    size = how_many(of_rank(hand, best))
    found = 0.0
    for rank in range(RANKS):
        missing = SUITS - how_many(of_rank(hand, rank))
        found += tails[missing, size if rank > best else size + 1]
    if size == 2 and not of_rank(hand, best) >> trumps & 1:
        found += tails[2, 2]
    return found


@rule
def class_of(table: Any, n_seats: int, hand: int, trumps: int) -> int:
    """The class of a hand: 0 is the best."""
    feared = fear(table, n_seats, hand, trumps)
    found = 0
    while found < CLASSES - 1 and feared > table.edges[n_seats - FEWEST, found]:
        found += 1
    return found


@rule
def variant_of(state: Any) -> int:
    """Which of the books: by who compares, and who pays double."""
    number: int = 2 * state.showdown + state.bluff
    return number


@rule
def rung_of(bid: int) -> int:
    """The size in the book that is nearest to a bid, from 1; 0 if there is no bid."""
    if bid == 0:
        return 0
    rung = 1
    while rung < len(RUNGS) and bid * bid > RUNGS[rung - 1] * RUNGS[rung]:
        rung += 1
    return rung


@rule
def option_of(said: int) -> int:
    """The option of the book that is nearest to what was said."""
    return said if said <= HOLD else HOLD + rung_of(said - BID)


@rule
def said_by(option: int) -> int:
    """The choice that stands for an option of the book."""
    return option if option <= HOLD else BID + RUNGS[option - HOLD - 1]


@rule
def situation_of(state: Any, seat: int) -> int:
    """Where a seat has its word: its place, the bid so far, how many have paid, and whether somebody was raised."""
    place = (seat - state.dealer - 1) % state.n_seats
    rung = rung_of(state.bid)
    first: int = place * (1 + KINDS * len(RUNGS))
    if rung == 0:
        return first
    paid = 0
    bids = 0
    for other in range(state.n_seats):
        paid += 1 if state.paid[other] > 0 else 0
        bids += 1 if state.said[other] > HOLD else 0
    kind = 0
    if paid > 1:
        kind = min(paid, 3) * 2 - 3 + (1 if bids > 1 else 0)
    return first + 1 + (rung - 1) * KINDS + kind


@rule
def stakes_of(state: Any, seat: int) -> int:
    """0 if a seat is far behind the best of the others for the deals that are left, 2 if it is far ahead, else 1."""
    best = 0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, state.counters[other] + state.paid[other])
    lead = state.counters[seat] + state.paid[seat] - best
    far = FAR * SWING * math.sqrt(max(1, state.deals - state.round + 1))
    return 0 if lead < -far else 2 if lead > far else 1


@rule
def bids_allowed(state: Any, seat: int) -> int:
    """Pass, hold, and the sizes of the book that a seat may bid, as a bit set."""
    can = 1 << PASS
    if can_hold(state, seat):
        can |= 1 << HOLD
    for rung in range(len(RUNGS)):
        if lowest_bid(state) <= RUNGS[rung] <= highest_bid(state, seat):
            can |= 1 << HOLD + 1 + rung
    return can


@rule
def drawn(mixture: Any, can: int, luck: float) -> int:
    """An option of a mixture, of those that are allowed."""
    total = 0.0
    for option in range(BIDS):
        if can >> option & 1:
            total += mixture[option]
    rest = luck * total
    last = PASS
    for option in range(BIDS):
        if can >> option & 1 and mixture[option] > 0:
            last = option
            rest -= mixture[option]
            if rest < 0.0:
                break
    return last


@rule
def word(state: Any, seat: int, book: Any, sizes: Any, hand: int, luck: float, blind: float) -> int:
    """What the book says with a hand of this class, as an option."""
    stakes = stakes_of(state, seat)
    situation = situation_of(state, seat)
    can = bids_allowed(state, seat)
    option = drawn(book[stakes, situation, hand], can, luck)
    if option <= HOLD or blind >= BLIND:
        return option
    other = drawn(sizes[stakes, situation], can & ~3, blind / BLIND)
    return option if other == PASS else other  # sizes that nobody has learnt yet


@rule
def likelihood(state: Any, seat: int, book: Any, sizes: Any, hand: int, option: int) -> float:
    """How often the book says that with a hand of this class."""
    stakes = stakes_of(state, seat)
    situation = situation_of(state, seat)
    can = bids_allowed(state, seat) | 1 << option
    mixture = book[stakes, situation, hand]
    blind = sizes[stakes, situation]
    total = 0.0
    bids = 0.0
    drawn_blindly = 0.0
    for other in range(BIDS):
        if can >> other & 1:
            total += mixture[other]
            if other > HOLD:
                bids += mixture[other]
                drawn_blindly += blind[other]
    if total == 0.0:
        return 0.0
    if option <= HOLD or drawn_blindly == 0.0:
        return float(mixture[option] / total)
    return float(((1.0 - BLIND) * mixture[option] + BLIND * bids * blind[option] / drawn_blindly) / total)


@rule
def bid_on(state: Any, until: int, book: Any, sizes: Any, memory: Any) -> None:
    """All who have not spoken, up to a seat, bid by the book."""
    while state.phase == BIDDING and state.acting != until:
        seat = state.acting
        option = word(state, seat, book, sizes, memory.classes[seat], memory.luck[seat], memory.blind[seat])
        choose(state, seat, said_by(option))
