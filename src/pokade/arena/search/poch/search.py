"""Every choice tried on the same hands, with the same luck, before the same futures."""

import math
from typing import Any, Final

from pokade.arena.draws import below, copy_cells, fraction
from pokade.arena.search.poch.bidding import (
    BLIND,
    bids_allowed,
    class_of,
    prepare_tails,
    rung_of,
    said_by,
    situation_of,
    stakes_of,
    variant_of,
)
from pokade.arena.search.poch.dealing import believed, deal_unseen
from pokade.arena.search.poch.futures import bid_by_book, classify, draw_luck, play_futures, value
from pokade.arena.search.poch.memory import BIDS, DEALT, FEWEST, RUNGS, TRIED, VIEW
from pokade.arena.search.poch.playout import best_start, finish, solve_playout
from pokade.arena.search.regrets import SLIGHT, draw, even_out
from pokade.games.cards import CARDS
from pokade.games.poch import BID, BIDDING, HOLD, PASS, choice_at, choose, highest_bid, lowest_bid, n_choices
from pokade.games.state import NOTHING, rule
from pokade.players import LUCK

LOYALTY: Final = 0.03  # of the win: with so much to gain, the book is left for a bid that is e times as rare in it
RARE: Final = 0.01  # how often the book is taken to make a bid, at least
TEMPERATURE: Final = 0.004  # of the win: choices that differ by less are mixed
ITERATIONS: Final = 1000
CHUNK: Final = 60
SHINES: Final = (4,)


@rule
def prepare(states: Any, flats: Any, table: Any, memory: Any) -> None:
    """How likely hands have sets; the book itself is read from its file."""
    prepare_tails(table)


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any, iterations: int) -> None:
    """Deal, weigh, and try every choice on the same hands, with the same luck, before the same futures."""
    if memory.is_ready == 0:
        memory.is_ready = 1
        list_choices(states[VIEW], seat, table, memory)
        note_played(states[VIEW], memory)
        play_futures(states, flats, table, memory, rng)
    for _ in range(iterations):
        deal_unseen(states, flats, seat, memory, rng)
        weight = believed(states, flats, seat, table, memory)
        solve_playout(states[DEALT], memory)
        classify(states[DEALT], table, memory)
        draw_luck(states[DEALT], memory, rng)
        future = below(rng, LUCK)
        memory.weight += weight
        for option in range(memory.n_options):
            try_option(states, flats, seat, option, table, memory, weight, future)


@rule
def list_choices(view: Any, seat: int, table: Any, memory: Any) -> None:
    """Everything that may be started or named; or the bids of the book, and how often it makes them."""
    if view.phase != BIDDING:
        memory.n_options = n_choices(view, seat)
        for index in range(memory.n_options):
            memory.options[index] = choice_at(view, seat, index)
        return
    can = bids_allowed(view, seat)
    for option in range(BIDS):
        if can >> option & 1:
            memory.options[memory.n_options] = said_by(option)
            look_up(view, seat, option, table, memory)
            memory.n_options += 1
    even_out(memory.prior, memory.n_options)
    even_out(memory.sizes, memory.n_options)


@rule
def look_up(view: Any, seat: int, option: int, table: Any, memory: Any) -> None:
    """How often the book makes a bid, and how often it is the size of one that is drawn without a look at the hand."""
    if view.n_seats < FEWEST:
        return
    variant = variant_of(view)
    size = view.n_seats - FEWEST
    stakes = stakes_of(view, seat)
    situation = situation_of(view, seat)
    hand = class_of(table, view.n_seats, view.hand[seat], view.trumps)
    memory.prior[memory.n_options] = table.book[variant, size, stakes, situation, hand, option]
    memory.sizes[memory.n_options] = table.sizes[variant, size, stakes, situation, option]


@rule
def note_played(view: Any, memory: Any) -> None:
    """What each has played in this deal."""
    for place in range(CARDS):
        if view.played_by[place] != NOTHING:
            memory.played[view.played_by[place]] |= 1 << place


@rule
def try_option(
    states: Any, flats: Any, seat: int, option: int, table: Any, memory: Any, weight: float, future: int
) -> None:
    """What a choice comes to on these hands; of two players, against each answer."""
    copy_cells(flats[DEALT], flats[TRIED])
    state = states[TRIED]
    if state.phase != BIDDING:
        finish(state, memory, memory.options[option])
        memory.worth[option, PASS] += weight * value(state, seat, memory, future)
        return
    choose(state, seat, memory.options[option])
    if is_answered(states[VIEW], seat):
        try_answers(states, flats, seat, option, memory, weight, future)
        return
    bid_by_book(state, table, memory)
    finish(state, memory, best_start(state, memory, state.acting))
    memory.worth[option, PASS] += weight * value(state, seat, memory, future)


@rule
def is_answered(view: Any, seat: int) -> bool:
    """Is this a bid that the only rival, who knows this hand, will answer?"""
    answered: bool = view.phase == BIDDING and view.n_seats < FEWEST and seat != view.dealer
    return answered


@rule
def try_answers(states: Any, flats: Any, seat: int, option: int, memory: Any, weight: float, future: int) -> None:
    """What a bid comes to for each answer of the only rival; an answer that it may not give is as its pass."""
    state = states[TRIED]
    rival = state.acting
    can = bids_allowed(state, rival)
    for answer in range(BIDS):
        copy_cells(flats[DEALT], flats[TRIED])
        choose(state, seat, memory.options[option])
        choose(state, rival, said_by(answer if can >> answer & 1 else PASS))
        finish(state, memory, best_start(state, memory, state.acting))
        memory.worth[option, answer] += weight * value(state, seat, memory, future)


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any) -> int:
    """A choice among the good ones, the better the likelier; of bids, the likelier in the book."""
    view = states[VIEW]
    sum_up(view, seat, memory)
    best = 0
    for option in range(1, memory.n_options):
        if memory.average[option] > memory.average[best]:
            best = option
    for option in range(memory.n_options):
        memory.liking[option] = liking(view, memory, option, memory.average[best] - memory.average[option])
    choice: int = memory.options[draw(memory.liking, memory.n_options, rng)]
    if view.phase != BIDDING or choice <= HOLD:
        return choice
    if view.n_seats >= FEWEST and fraction(rng) < BLIND:
        choice = blind_size(memory, rng)
    return nearby(view, seat, choice, rng)


@rule
def sum_up(view: Any, seat: int, memory: Any) -> None:
    """What each option is worth: an only rival answers best, and the sizes of some bids are drawn again."""
    again = 0.0
    part = 0.0
    for option in range(memory.n_options):
        worst = memory.worth[option, PASS]
        for answer in range(1, BIDS if is_answered(view, seat) else 1):
            worst = min(worst, memory.worth[option, answer])
        memory.average[option] = worst / max(1e-9, memory.weight)
        if memory.options[option] > HOLD:
            again += memory.sizes[option] * memory.average[option]
            part += memory.sizes[option]
    for option in range(memory.n_options):
        if view.phase == BIDDING and view.n_seats >= FEWEST and memory.options[option] > HOLD and part > 0.0:
            memory.average[option] += BLIND * (again / part - memory.average[option])


@rule
def liking(view: Any, memory: Any, option: int, behind: float) -> float:
    """How often a choice is made that is so much behind the best."""
    if view.phase != BIDDING or view.n_seats < FEWEST:
        return math.exp(-behind / TEMPERATURE)
    liked: float = (memory.prior[option] + RARE) * math.exp(-behind / LOYALTY)
    return liked


@rule
def blind_size(memory: Any, rng: Any) -> int:
    """A bid of a size that says nothing about the hand."""
    for option in range(memory.n_options):
        memory.liking[option] = memory.sizes[option] + SLIGHT if memory.options[option] > HOLD else 0.0
    choice: int = memory.options[draw(memory.liking, memory.n_options, rng)]
    return choice


@rule
def nearby(view: Any, seat: int, choice: int, rng: Any) -> int:
    """A bid near the one that was chosen: the book takes them for the same."""
    rung = rung_of(choice - BID)
    least = choice
    while least > BID + lowest_bid(view) and rung_of(least - 1 - BID) == rung:
        least -= 1
    most = choice
    while most < BID + min(highest_bid(view, seat), RUNGS[-1]) and rung_of(most + 1 - BID) == rung:
        most += 1
    near: int = least + below(rng, most - least + 1)
    return near
