"""The book of bids, learnt by Monte-Carlo regret minimisation (external sampling) over classes of hands.

Whole games are played by the book as it stands. In every deal each seat in turn tries all its bids, while the others
draw theirs from their mixtures, before and after it; a bid is worth the share of the win that it leads to, in futures
made of deals that were played before. Later deals count more, in the regrets and in the mean of the mixtures, which is
what the book keeps.
"""

from dataclasses import dataclass
from typing import Any, Final

from pokade.arena.draws import below, copy_cells
from pokade.arena.memory import floats, ints
from pokade.arena.search.poch.bidding import BLIND, bid_on, bids_allowed, said_by, situation_of, stakes_of
from pokade.arena.search.poch.futures import classify, draw_luck, value
from pokade.arena.search.poch.memory import BIDS, CLASSES, DEALT, DEEP, FUTURES, SITUATIONS, STAKES, TRIED, VIEW
from pokade.arena.search.poch.playout import best_start, finish, solve_playout
from pokade.arena.search.regrets import match, note, regret_sample
from pokade.games.poch import BEGINNING, DEALING, HOLD, OVER, SEATS, choose, happen, outcome_at, tickets
from pokade.games.state import NOTHING, rule
from pokade.players import LUCK

STRAYS: Final = 0.02  # of all bids while learning are any bid, so that every situation is met
SLOWLY: Final = 10_000.0  # deals until a new one counts twice as much as the first


@dataclass
class Lessons:
    """What is learnt for one number of players and one variant."""

    regrets: Any = floats(STAKES, SITUATIONS, CLASSES, BIDS)
    sums: Any = floats(STAKES, SITUATIONS, CLASSES, BIDS)  # of the mixtures so far
    book: Any = floats(STAKES, SITUATIONS, CLASSES, BIDS)  # the mixtures as they stand
    sizes: Any = floats(STAKES, SITUATIONS, BIDS)  # how often each size was bid, whatever the hand
    worth: Any = floats(BIDS)  # of each bid, in one deal
    mixture: Any = floats(BIDS)
    before: Any = ints(SEATS)  # counters before a deal
    n_deals: Any = ints()


@rule
def play_games(
    states: Any, flats: Any, start: Any, table: Any, memory: Any, lessons: Any, rng: Any, games: int
) -> None:
    """Learn from so many games more."""
    state = states[VIEW]
    for _ in range(games):
        copy_cells(start, flats[VIEW])
        while state.phase != OVER:
            for seat in range(state.n_seats):
                lessons.before[seat] = state.counters[seat]
            while state.phase in (BEGINNING, DEALING):
                happen(state, outcome_at(state, below(rng, tickets(state))))
            dealer = state.dealer
            learn_deal(states, flats, table, memory, lessons, rng)
            note_deal(state, dealer, memory, lessons)


@rule
def learn_deal(states: Any, flats: Any, table: Any, memory: Any, lessons: Any, rng: Any) -> None:
    """Every seat learns from these hands; then they are played, and the game goes on."""
    state = states[VIEW]
    solve_playout(state, memory)
    classify(state, table, memory)
    future = below(rng, LUCK)
    for seat in range(state.n_seats):
        draw_luck(state, memory, rng)
        learn_seat(states, flats, seat, memory, lessons, future)
    draw_luck(state, memory, rng)
    bid_on(state, NOTHING, lessons.book, lessons.sizes, memory)
    finish(state, memory, best_start(state, memory, state.acting))


@rule
def note_deal(state: Any, dealer: int, memory: Any, lessons: Any) -> None:
    """What a deal has changed is a part of futures; the oldest one makes room."""
    slot = lessons.n_deals
    lessons.n_deals += 1
    for place in range(state.n_seats):
        seat = (dealer + place) % state.n_seats
        memory.change[slot // DEEP % FUTURES, slot % DEEP, place] = state.counters[seat] - lessons.before[seat]


@rule
def learn_seat(states: Any, flats: Any, seat: int, memory: Any, lessons: Any, future: int) -> None:
    """A seat tries all its bids, and leans to what it regrets not having bid."""
    copy_cells(flats[VIEW], flats[DEALT])
    state = states[DEALT]
    bid_on(state, seat, lessons.book, lessons.sizes, memory)
    stakes = stakes_of(state, seat)
    situation = situation_of(state, seat)
    hand = memory.classes[seat]
    can = bids_allowed(state, seat)
    try_bids(states, flats, seat, can, memory, lessons, future)
    draw_some_again(lessons.sizes[stakes, situation], can, lessons.worth)
    regrets = lessons.regrets[stakes, situation, hand]
    weight = 1.0 + lessons.n_deals / SLOWLY
    match(regrets, can, lessons.mixture)
    note(lessons.sums[stakes, situation, hand], lessons.mixture, weight)
    note_sizes(lessons.sizes[stakes, situation], lessons.mixture, weight)
    regret_sample(regrets, can, lessons.mixture, lessons.worth, weight)
    match(regrets, can, lessons.mixture)
    stray(lessons.book[stakes, situation, hand], lessons.mixture, can)


@rule
def try_bids(states: Any, flats: Any, seat: int, can: int, memory: Any, lessons: Any, future: int) -> None:
    """What each bid comes to, if the others go on by the book."""
    for option in range(BIDS):
        lessons.worth[option] = 0.0
        if can >> option & 1:
            copy_cells(flats[DEALT], flats[TRIED])
            choose(states[TRIED], seat, said_by(option))
            bid_on(states[TRIED], NOTHING, lessons.book, lessons.sizes, memory)
            finish(states[TRIED], memory, best_start(states[TRIED], memory, states[TRIED].acting))
            lessons.worth[option] = value(states[TRIED], seat, memory, future)


@rule
def draw_some_again(sizes: Any, can: int, worth: Any) -> None:
    """The size of some bids is drawn without a look at the hand: that is a part of what a bid is worth."""
    total = 0.0
    again = 0.0
    for option in range(HOLD + 1, BIDS):
        if can >> option & 1:
            total += sizes[option]
            again += sizes[option] * worth[option]
    for option in range(HOLD + 1, BIDS):
        if can >> option & 1 and total > 0.0:
            worth[option] += BLIND * (again / total - worth[option])


@rule
def note_sizes(sizes: Any, mixture: Any, weight: float) -> None:
    """What is bid with all hands together."""
    for option in range(HOLD + 1, BIDS):
        sizes[option] += weight * mixture[option]


@rule
def stray(row: Any, mixture: Any, can: int) -> None:
    """The mixture that is played while learning."""
    count = 0
    for option in range(BIDS):
        count += can >> option & 1
    for option in range(BIDS):
        if can >> option & 1:
            row[option] = (1.0 - STRAYS) * mixture[option] + STRAYS / count
