"""Every choice tried on the same hands, with the same luck, before the same futures."""

import math
from typing import Any, Final

from pokade.arena.draws import below, copy_cells
from pokade.arena.search.poch.dealing import believed, deal_unseen
from pokade.arena.search.poch.memory import DEALT, TRIED, VIEW
from pokade.arena.search.poch.playing import RICH, draw_lucks, play_futures, play_on, value
from pokade.arena.search.regrets import draw
from pokade.games.cards import CARDS
from pokade.games.poch import BID, BIDDING, HOLD, PASS, can_hold, choice_at, highest_bid, lowest_bid, n_choices
from pokade.games.state import NOTHING, rule
from pokade.players import LUCK

FREELY: Final = 3.0  # sizes of bids are mixed so much more, lest they tell the set
TEMPERATURE: Final = 0.004  # of the win: choices that differ by less are mixed
ITERATIONS: Final = 2500
CHUNK: Final = 100
SHINES: Final = (4,)


@rule
def prepare(states: Any, flats: Any, table: Any, memory: Any) -> None:
    """Nothing is worked out beforehand: the futures depend on the table's options."""


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any, iterations: int) -> None:
    """Deal, weigh, and try every choice on the same hands, with the same luck, before the same futures."""
    if memory.is_ready == 0:
        memory.is_ready = 1
        list_choices(states[VIEW], seat, memory)
        note_played(states[VIEW], memory)
        play_futures(states, flats, memory, rng)
    for _ in range(iterations):
        deal_unseen(states, flats, seat, memory, rng)
        weight = believed(states, flats, seat, memory, rng)
        draw_lucks(memory, rng)
        future = below(rng, LUCK)
        memory.weight += weight
        for option in range(memory.n_options):
            worth = best_end(states, flats, seat, memory.options[option], memory, future)
            memory.worth[option] += weight * worth


@rule
def list_choices(view: Any, seat: int, memory: Any) -> None:
    """Everything that may be started or named; or pass, hold, and bids between the lowest and the highest."""
    if view.phase != BIDDING:
        memory.n_options = n_choices(view, seat)
        for index in range(memory.n_options):
            memory.options[index] = choice_at(view, seat, index)
        return
    count = 0
    memory.options[0] = PASS
    count += 1
    if can_hold(view, seat):
        memory.options[count] = HOLD
        count += 1
    room = highest_bid(view, seat) - lowest_bid(view)
    for step in range(5):
        # Small bids lie closer together: nine more than the lowest are tried as 0, 1, 2, 5, 9.
        bid = BID + lowest_bid(view) + room * step * step // 16
        if room >= 0 and (step == 0 or bid != memory.options[count - 1]):
            memory.options[count] = bid
            count += 1
    memory.n_options = count


@rule
def note_played(view: Any, memory: Any) -> None:
    """What each has played in this deal."""
    for place in range(CARDS):
        if view.played_by[place] != NOTHING:
            memory.played[view.played_by[place]] |= 1 << place


@rule
def best_end(states: Any, flats: Any, seat: int, choice: int, memory: Any, future: int) -> float:
    """What a choice is worth on these hands, if one then names suits in the best order."""
    # While bidding there is no plan yet: too much is unknown.
    planner = NOTHING if states[VIEW].phase == BIDDING else seat
    best = -RICH * 1.0
    plan = 0
    plans = 1
    while plan < plans:
        copy_cells(flats[DEALT], flats[TRIED])
        plans = max(plans, play_on(states[TRIED], planner, choice, plan, memory))
        best = max(best, value(states[TRIED], seat, memory, future))
        plan += 1
    return best


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any) -> int:
    """A choice among the good ones, the better the likelier."""
    best = 0
    for option in range(1, memory.n_options):
        if memory.worth[option] > memory.worth[best]:
            best = option
    for option in range(memory.n_options):
        memory.liking[option] = liking(memory, option, best, states[VIEW].phase)
    choice: int = memory.options[draw(memory.liking, memory.n_options, rng)]
    return choice


@rule
def liking(memory: Any, option: int, best: int, phase: int) -> float:
    """How often a choice is made, against the best one."""
    behind = (memory.worth[best] - memory.worth[option]) / max(1e-9, memory.weight)
    sizes = phase == BIDDING and min(memory.options[option], memory.options[best]) > HOLD
    return math.exp(-behind / (TEMPERATURE * FREELY if sizes else TEMPERATURE))
