"""A deal of Poch played on by rules of thumb, and what its result is worth."""

import math
from typing import Any, Final

from pokade.arena.draws import below, copy_cells
from pokade.arena.search.poch.memory import DEEP, FUTURES, TRIED, VIEW
from pokade.games.cards import ALL_CARDS
from pokade.games.poch import (
    BIDDING,
    DEALING,
    OVER,
    PLATES,
    SEATS,
    choice_at,
    choose,
    happen,
    left_of,
    n_choices,
    outcome_at,
    tickets,
)
from pokade.games.state import NOTHING, how_many, rule
from pokade.players import LUCK
from pokade.players.poch import casual

LOOKED: Final = 6  # futures that a deal's result is put before
RICH: Final = 100_000  # counters in the futures, so that nobody is broke there
SPREAD: Final = 0x1234567  # from one future to the next: other deals in every place
THRIFT: Final = 0.0005  # of the win for a counter, so that nothing is thrown away when all is lost or won


@rule
def draw_lucks(memory: Any, rng: Any) -> None:
    """What the rules of thumb mix with, for everybody."""
    for part in range(2):
        for seat in range(SEATS):
            memory.lucks[part, seat] = below(rng, LUCK)


@rule
def is_played_out(state: Any) -> bool:
    """Is this deal over, or the game?"""
    return state.phase in (DEALING, OVER)


@rule
def play_on(state: Any, seat: int, choice: int, plan: int, memory: Any) -> int:
    """On to the end of the deal: first a seat's choice, then its plan for naming suits, all else by rules of thumb.

    Returns how many plans there are, as far as was seen.
    """
    plans = 1
    while not is_played_out(state):
        who = state.acting
        now = choice
        choice = NOTHING
        if now == NOTHING and who == seat:
            count = n_choices(state, seat)
            now = choice_at(state, seat, plan // plans % count)
            plans *= count
        elif now == NOTHING:
            now = casual(state, who, memory.lucks[1 if state.phase == BIDDING else 0, who])
        choose(state, who, now)
    return plans


@rule
def play_deal(state: Any, memory: Any, rng: Any) -> None:
    """One deal by rules of thumb."""
    while state.phase == DEALING:
        happen(state, outcome_at(state, below(rng, tickets(state))))
    draw_lucks(memory, rng)
    play_on(state, NOTHING, NOTHING, 0, memory)


@rule
def next_deal(state: Any) -> None:
    """The cards are gathered and the deal moves left."""
    state.bank = 0
    state.dealer = left_of(state, state.dealer)
    state.undealt = ALL_CARDS
    state.dealing_to = 0
    state.n_dealt = 0
    state.phase = DEALING


@rule
def play_futures(states: Any, flats: Any, memory: Any, rng: Any) -> None:
    """How the deals that are left may change everybody's counters, by rules of thumb."""
    state = states[TRIED]
    deals = min(DEEP, states[VIEW].deals - states[VIEW].round)
    for future in range(FUTURES if deals > 0 else 0):
        copy_cells(flats[VIEW], flats[TRIED])
        state.deals = state.round + DEEP
        next_deal(state)
        for deal in range(deals):
            for seat in range(state.n_seats):
                state.counters[seat] = RICH
            play_deal(state, memory, rng)
            for seat in range(state.n_seats):
                memory.change[future, deal, seat] = state.counters[seat] - RICH


@rule
def value(state: Any, seat: int, memory: Any, future: int) -> float:
    """One's part of the win after this deal, as it comes out in some futures; and a little for counters at hand."""
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
    """One's part of the win in a future put together from deals; it ends before a deal that somebody can't pay."""
    left = state.deals - state.round + 1
    deals = min(left, DEEP)
    scale = math.sqrt(left / deals)
    for other in range(state.n_seats):
        memory.have[other] = state.counters[other]
    for deal in range(deals):
        number = (future >> 3 * deal) % FUTURES
        broke = False
        for other in range(state.n_seats):
            memory.have[other] += scale * memory.change[number, deal, other]
            broke = broke or memory.have[other] < PLATES
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
