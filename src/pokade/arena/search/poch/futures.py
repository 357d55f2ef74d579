"""What the counters after a deal of Poch are worth: the share of the win over the deals that are left."""

import math
from typing import Any, Final

from pokade.arena.draws import below, copy_cells, fraction
from pokade.arena.search.poch.bidding import bid_on, class_of, variant_of
from pokade.arena.search.poch.memory import DEEP, FEWEST, FUTURES, TRIED, VIEW
from pokade.arena.search.poch.playout import best_start, finish, solve_playout
from pokade.games.cards import ALL_CARDS
from pokade.games.poch import (
    BID,
    BIDDING,
    DEALING,
    HOLD,
    OVER,
    PASS,
    PLATES,
    can_hold,
    choose,
    happen,
    highest_bid,
    left_of,
    outcome_at,
    set_value,
    tickets,
)
from pokade.games.state import NOTHING, how_many, rule

RICH: Final = 100_000  # counters in the futures, so that nobody is broke there
LOOKED: Final = 6  # futures that a deal's result is put before
SPREAD: Final = 0x1234567  # from one future to the next: other deals in every place
THRIFT: Final = 0.0005  # of the win for a counter, so that nothing is thrown away when all is lost or won


@rule
def value(state: Any, seat: int, memory: Any, future: int) -> float:
    """A seat's part of the win after this deal, as it comes out in some futures; and a little for counters at hand."""
    mean = 0.0
    for other in range(state.n_seats):
        mean += state.counters[other] / state.n_seats
    found: float = THRIFT * (state.counters[seat] - mean)
    if state.phase == OVER:
        return found + (1.0 / how_many(state.winners) if state.winners >> seat & 1 else 0.0)
    for number in range(LOOKED):
        found += share_in(state, seat, memory, future + number * SPREAD) / LOOKED
    return found


@rule
def share_in(state: Any, seat: int, memory: Any, future: int) -> float:
    """A seat's part of the win in a future put together from deals; it ends before a deal that somebody can't pay."""
    left = state.deals - state.round + 1
    deals = min(left, DEEP)
    scale = math.sqrt(left / deals)
    for other in range(state.n_seats):
        memory.have[other] = state.counters[other]
    for deal in range(deals):
        number = (future >> 3 * deal) % FUTURES
        broke = False
        place = (state.n_seats - state.dealer - deal) % state.n_seats
        for other in range(state.n_seats):
            memory.have[other] += scale * memory.change[number, deal, place]
            broke = broke or memory.have[other] < PLATES
            place = place + 1 if place + 1 < state.n_seats else 0
        if broke:
            break
    return part_of_win(state, seat, memory)


@rule
def part_of_win(state: Any, seat: int, memory: Any) -> float:
    """The win goes to the most counters, and is shared."""
    winners = 1
    for other in range(state.n_seats):
        if other != seat:
            if memory.have[other] > memory.have[seat]:
                return 0.0
            if memory.have[other] == memory.have[seat]:
                winners += 1
    return 1.0 / winners


@rule
def play_futures(states: Any, flats: Any, table: Any, memory: Any, rng: Any) -> None:
    """How the deals that are left may change everybody's counters, if all bid by the book and play out well."""
    state = states[TRIED]
    deals = min(DEEP, states[VIEW].deals - states[VIEW].round)
    for future in range(FUTURES if deals > 0 else 0):
        copy_cells(flats[VIEW], flats[TRIED])
        state.deals = state.round + DEEP + 1
        next_deal(state)
        for deal in range(deals):
            for seat in range(state.n_seats):
                state.counters[seat] = RICH
            dealer = state.dealer
            play_deal(state, table, memory, rng)
            for place in range(state.n_seats):
                memory.change[future, deal, place] = state.counters[(dealer + place) % state.n_seats] - RICH


@rule
def next_deal(state: Any) -> None:
    """The cards are gathered and the deal moves left."""
    state.bank = 0
    state.dealer = left_of(state, state.dealer)
    state.undealt = ALL_CARDS
    state.dealing_to = 0
    state.n_dealt = 0
    state.phase = DEALING
    for seat in range(state.n_seats):
        state.hand[seat] = 0


@rule
def play_deal(state: Any, table: Any, memory: Any, rng: Any) -> None:
    """One deal by the book."""
    while state.phase == DEALING:
        happen(state, outcome_at(state, below(rng, tickets(state))))
    solve_playout(state, memory)
    draw_luck(state, memory, rng)
    classify(state, table, memory)
    bid_by_book(state, table, memory)
    finish(state, memory, best_start(state, memory, state.acting))


@rule
def draw_luck(state: Any, memory: Any, rng: Any) -> None:
    """What everybody's bid is drawn with."""
    for seat in range(state.n_seats):
        memory.luck[seat] = fraction(rng)
        memory.blind[seat] = fraction(rng)


@rule
def classify(state: Any, table: Any, memory: Any) -> None:
    """Everybody's hand gets its class; two players need none."""
    for seat in range(state.n_seats if state.n_seats >= FEWEST else 0):
        memory.classes[seat] = class_of(table, state.n_seats, state.hand[seat], state.trumps)


@rule
def bid_by_book(state: Any, table: Any, memory: Any) -> None:
    """Those who have not spoken bid by the book; two players, who know each other's hands, by whose set is best."""
    if state.n_seats >= FEWEST:
        variant = variant_of(state)
        size = state.n_seats - FEWEST
        bid_on(state, NOTHING, table.book[variant, size], table.sizes[variant, size], memory)
    while state.phase == BIDDING:
        choose(state, state.acting, sure_word(state, state.acting))


@rule
def sure_word(state: Any, seat: int) -> int:
    """Of two players: the owner of the better set bids or holds, and so does the last if nobody bid."""
    is_better = set_value(state, state.hand[seat]) > set_value(state, state.hand[left_of(state, seat)])
    if is_better and can_hold(state, seat):
        return HOLD
    if state.bid == 0 and highest_bid(state, seat) > 0 and (is_better or seat == state.dealer):
        return BID + 1
    return PASS
