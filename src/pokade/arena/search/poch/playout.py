"""The third stage of Poch on known hands, solved: everybody names what leaves themselves the most counters.

Suits are played to their end, so all that matters is which suits are played, who names next, and the direction. The
namer of the next suit is the player of the last card of this one.
"""

from typing import Any

from pokade.arena.search.poch.memory import DOWN, PLAYED, UP, WAYS
from pokade.games.cards import ACE, RANKS, SEVEN, SUITS, card, rank_of, suit_of
from pokade.games.poch import STARTING, finish_deal, holder, starting_cards
from pokade.games.state import NOTHING, how_many, rule


@rule
def solve_playout(state: Any, memory: Any) -> None:
    """What everybody has left at the end, for all suits that may be played already and the one that is named."""
    note_hands(state, memory)
    gone = PLAYED - 1 & ~state.suits_left
    for way in range(WAYS):
        if state.direction in (0, 1 if way == UP else -1):
            for played in range(PLAYED - 2, -1, -1):
                if played & gone == gone:
                    for suit in range(SUITS):
                        if not played >> suit & 1:
                            note_end(state, memory, way, played, suit)


@rule
def note_hands(state: Any, memory: Any) -> None:
    """Everybody's cards by suit, and how many are left when suits are gone."""
    for seat in range(state.n_seats):
        for suit in range(SUITS):
            ranks = 0
            for rank in range(RANKS):
                ranks |= (state.hand[seat] >> card(rank, suit) & 1) << rank
            memory.of_suit[seat, suit] = ranks
        memory.left[seat, PLAYED - 1] = 0
        for played in range(PLAYED - 2, -1, -1):
            suit = 0
            while played >> suit & 1:
                suit += 1
            more = how_many(memory.of_suit[seat, suit])
            memory.left[seat, played] = memory.left[seat, played | 1 << suit] + more


@rule
def note_end(state: Any, memory: Any, way: int, played: int, suit: int) -> None:
    """What is left at the end if this suit is played now: somebody is out, or the holder of its last card names on."""
    after = played | 1 << suit
    first = first_out(state, memory, way, after, suit)
    if first != NOTHING:
        passed = ranks_until(memory.of_suit[first, suit], way)
        for seat in range(state.n_seats):
            less = how_many(memory.of_suit[seat, suit] & passed)
            memory.ends[way, played, suit, seat] = memory.left[seat, played] - less
        return
    namer = holder(state, card(ACE if way == UP else SEVEN, suit))
    named = best_suit(state, memory, way, after, namer)
    for seat in range(state.n_seats):
        memory.ends[way, played, suit, seat] = memory.ends[way, after, named, seat]


@rule
def first_out(state: Any, memory: Any, way: int, after: int, suit: int) -> int:
    """The first whose last card is of this suit, if anybody's is."""
    first = NOTHING
    for seat in range(state.n_seats):
        mine = memory.of_suit[seat, suit]
        is_out = memory.left[seat, after] == 0 and mine > 0
        if is_out and (first == NOTHING or is_earlier(mine, memory.of_suit[first, suit], way)):
            first = seat
    return first


@rule
def is_earlier(ranks: int, others: int, way: int) -> bool:
    """Is the last of these ranks played before the last of the others?"""
    return ranks < others if way == UP else ranks & -ranks > others & -others


@rule
def ranks_until(ranks: int, way: int) -> int:
    """All ranks up to the last one of a set, in the direction of play."""
    if way == DOWN:
        return (1 << RANKS) - (ranks & -ranks)
    passed = 1
    while passed <= ranks:
        passed *= 2
    return passed - 1


@rule
def best_suit(state: Any, memory: Any, way: int, played: int, namer: int) -> int:
    """The suit that leaves its namer the most counters."""
    best = NOTHING
    best_gain = 0
    for suit in range(SUITS):
        if not played >> suit & 1:
            gain = gained(state, memory, way, played, suit, namer)
            if best == NOTHING or gain > best_gain:
                best = suit
                best_gain = gain
    return best


@rule
def gained(state: Any, memory: Any, way: int, played: int, suit: int, seat: int) -> int:
    """The player who is out gets what the others have left; the others pay it."""
    gain: int = -memory.ends[way, played, suit, seat]
    if gain == 0:
        for other in range(state.n_seats):
            gain += memory.ends[way, played, suit, other]
    return gain


@rule
def finish(state: Any, memory: Any, choice: int) -> None:
    """The seat that starts or names chooses, and the deal ends as was worked out."""
    way = UP if state.direction == 1 else DOWN
    suit = choice
    if state.phase == STARTING:
        way = UP if rank_of(choice) == SEVEN else DOWN
        suit = suit_of(choice)
    gone = PLAYED - 1 & ~state.suits_left
    first = 0
    for seat in range(state.n_seats):
        state.hand_size[seat] = memory.ends[way, gone, suit, seat]
        if state.hand_size[seat] == 0:
            first = seat
    finish_deal(state, first)


@rule
def best_start(state: Any, memory: Any, seat: int) -> int:
    """The 7 or ace that leaves its player the most counters."""
    cards = starting_cards(state, seat)
    best = NOTHING
    best_gain = 0
    for way in range(WAYS):
        rank = SEVEN if way == UP else ACE
        for suit in range(SUITS):
            if cards >> card(rank, suit) & 1:
                gain = gained(state, memory, way, 0, suit, seat)
                if best == NOTHING or gain > best_gain:
                    best = card(rank, suit)
                    best_gain = gain
    return best
