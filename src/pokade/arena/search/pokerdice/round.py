"""The sealed round of Pokerdice: regret matching over everybody's cards, with the best rethrows in every step."""

from typing import Any

from pokade.arena.search.pokerdice.lattice import best_again, foresee, node_of, plan, worth_of_keeping
from pokade.arena.search.pokerdice.memory import SETS, THUMB_SHARE
from pokade.arena.search.regrets import match, note, regret
from pokade.games.state import rule


@rule
def match_regrets(state: Any, me: int, table: Any, memory: Any) -> None:
    """One round of thought: the active player's best rethrows against all, then everybody's regrets."""
    for seat in range(state.n_seats):
        match(memory.regrets[seat], (1 << memory.n_options[seat]) - 1, memory.now[seat])
        note(memory.sums[seat], memory.now[seat], memory.step)
    think_active(state, me, table, memory)
    join_ends(state, me, table, memory)
    for seat in range(state.n_seats):
        if seat != state.active:
            think_other(state, seat, table, memory)
        regret(memory.regrets[seat], (1 << memory.n_options[seat]) - 1, memory.now[seat], memory.worth_of[seat])


@rule
def likely(memory: Any, me: int, seat: int, option: int) -> float:
    """How often a seat plays an option: rivals follow the rules of thumb part of the time."""
    if seat == me:
        return float(memory.now[seat, option])
    return float(THUMB_SHARE * memory.thumb[seat, option] + (1.0 - THUMB_SHARE) * memory.now[seat, option])


@rule
def think_active(state: Any, me: int, table: Any, memory: Any) -> None:
    """For each of the active player's options: the best rethrows, what they bring, and how the dice end."""
    active = state.active
    for option in range(memory.n_options[active]):
        weigh_kinds(state, me, table, memory, option)
        plan(table, memory)
        kept = node_of(state, table, best_again(state, table, memory, 2))
        memory.worth_of[active, option] = worth_of_keeping(memory, kept)
        foresee(table, memory, kept)
        for kind in range(SETS):
            memory.option_ends[option, kind] = memory.ends[kind]


@rule
def weigh_kinds(state: Any, me: int, table: Any, memory: Any, mine: int) -> None:
    """What the final dice are worth to the active player with an option, by what others probably play."""
    active = state.active
    for kind in range(table.n_kinds):
        worth = 0.0
        if state.n_seats > 2:
            worth = memory.cares[active, active] * (memory.gain[active, mine, kind] + memory.ahead[active, mine])
        for seat in range(state.n_seats):
            for option in range(memory.n_options[seat] if seat != active else 0):
                worth += likely(memory, me, seat, option) * harm(state, memory, mine, seat, option, kind)
        memory.worth[kind] = worth


@rule
def harm(state: Any, memory: Any, mine: int, seat: int, option: int, kind: int) -> float:
    """What a rival's option and an end of the dice mean for the active player."""
    if state.n_seats == 2:
        return float(memory.pay[mine, option, kind])
    active = state.active
    taken = memory.cares[active, active] * memory.miss[seat, option, kind]
    return float(taken + memory.cares[active, seat] * memory.gain[seat, option, kind])


@rule
def join_ends(state: Any, me: int, table: Any, memory: Any) -> None:
    """How often the active player plays an option and the dice end so."""
    active = state.active
    share = 0.0 if active == me else THUMB_SHARE
    for option in range(memory.n_options[active]):
        now = (1.0 - share) * memory.now[active, option]
        thumb = share * memory.thumb[active, option]
        for kind in range(SETS):
            ends = now * memory.option_ends[option, kind]
            memory.joint[option, kind] = ends + thumb * memory.thumb_ends[option, kind]


@rule
def think_other(state: Any, seat: int, table: Any, memory: Any) -> None:
    """What each option of somebody else brings against the active player's mix."""
    active = state.active
    for option in range(memory.n_options[seat]):
        worth = memory.cares[seat, seat] * memory.ahead[seat, option]
        for mine in range(memory.n_options[active]):
            for kind in range(table.n_kinds):
                joint = memory.joint[mine, kind]
                if state.n_seats == 2:
                    worth += joint * (1.0 - memory.pay[mine, option, kind])
                else:
                    gain = memory.cares[seat, seat] * memory.gain[seat, option, kind]
                    worth += joint * (gain + memory.cares[seat, active] * memory.miss[seat, option, kind])
        memory.worth_of[seat, option] = worth
