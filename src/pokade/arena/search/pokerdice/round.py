"""The sealed round of Pokerdice: regret matching over everybody's cards, with the best rethrows in every step."""

import math
from typing import Any, Final

from pokade.arena.draws import fraction
from pokade.arena.search.pokerdice.crowd import count_misses, crowd_answer, crowd_worth
from pokade.arena.search.pokerdice.duel import duel_answer, duel_worth
from pokade.arena.search.pokerdice.lattice import best_again, foresee, node_of, plan, worth_of_keeping
from pokade.arena.search.pokerdice.memory import OPTIONS, SETS
from pokade.arena.search.regrets import even_out, match, note, regret
from pokade.games.pokerdice import DICE, DOUBLE, RETHROWING, RETHROWS
from pokade.games.state import NOTHING, rule

# Where chances to win are not known, as many active players are taken to look at their own points only: to believe in
# nobody but spoilers costs more among players who do not spoil than it saves among those who do.
CHASERS: Final = 0.5
SOFTNESS: Final = 0.35  # points by which they misjudge their cards


@rule
def is_duel(state: Any) -> bool:
    """Are the chances to win known?"""
    return bool(state.n_seats == 2 and state.variant != DOUBLE)


@rule
def match_regrets(view: Any, state: Any, table: Any, memory: Any, rng: Any) -> None:
    """One step: the active player's best rethrows against all, then everybody's regrets."""
    active = state.active
    for seat in range(state.n_seats):
        match(memory.regrets[seat], can(memory, seat), memory.now[seat])
    think_active(view, state, table, memory)
    regret(memory.regrets[active], can(memory, active), memory.now[active], memory.worth_of[active])
    match(memory.regrets[active], can(memory, active), memory.now[active])
    join_ends(state, memory)
    for seat in range(state.n_seats):
        note(memory.sums[seat], memory.now[seat], float(memory.step * memory.step))
        if seat != active:
            think_other(state, seat, table, memory)
            regret(memory.regrets[seat], can(memory, seat), memory.now[seat], memory.worth_of[seat])
    if view.phase == RETHROWING:
        remember_rethrow(memory, memory.now[active, memory.shown], rng)


@rule
def can(memory: Any, seat: int) -> int:
    """The options of a seat, as a bit set."""
    return int((1 << memory.n_options[seat]) - 1)


@rule
def think_active(view: Any, state: Any, table: Any, memory: Any) -> None:
    """For each of the active player's options: the best rethrows, what they bring, and how the dice end."""
    active = state.active
    if not is_duel(state):
        count_misses(state, table, memory)
    for option in range(memory.n_options[active]):
        plan_option(state, table, memory, option)
        again = best_again(state, table, memory, RETHROWS)
        kept = node_of(state, table, again)
        memory.worth_of[active, option] = worth_of_keeping(memory, kept)
        foresee(table, memory, kept)
        for kind in range(SETS):
            memory.option_ends[option, kind] = memory.ends[kind]
        if view.phase == RETHROWING and option == memory.shown:
            memory.proposed = proposal(view, table, memory, again)


@rule
def plan_option(state: Any, table: Any, memory: Any, option: int) -> None:
    """The best rethrows with an option against what the others play now."""
    for kind in range(table.n_kinds):
        if is_duel(state):
            memory.worth[kind] = duel_worth(state, memory, option, kind)
        else:
            memory.worth[kind] = crowd_worth(state, memory, option, kind)
    plan(table, memory)


@rule
def proposal(view: Any, table: Any, memory: Any, again: int) -> int:
    """What this plan throws again now; NOTHING if it would not have come to these dice."""
    for die in range(DICE):
        if not again >> die & 1 and view.dice[die] != view.thrown[die]:
            return NOTHING
    return best_again(view, table, memory, RETHROWS - view.rethrows)


@rule
def remember_rethrow(memory: Any, now: float, rng: Any) -> None:
    """Rethrows are mixed too: any plan so far may be the one that is followed, later ones rather."""
    if memory.proposed != NOTHING:
        weight = memory.step * memory.step * (now + 1e-9)
        memory.weights += weight
        if fraction(rng) * memory.weights < weight:
            memory.rethrow = memory.proposed


@rule
def join_ends(state: Any, memory: Any) -> None:
    """How often the active player plays an option and the dice end so."""
    chasers = 0.0 if is_duel(state) else CHASERS
    for option in range(memory.n_options[state.active]):
        thinking = (1.0 - chasers) * memory.now[state.active, option]
        chasing = chasers * memory.chased[option]
        for kind in range(SETS):
            ends = thinking * memory.option_ends[option, kind] + chasing * memory.chased_ends[option, kind]
            memory.joint[option, kind] = ends


@rule
def chase(state: Any, table: Any, memory: Any) -> None:
    """What the active player would play, and how the dice would end, with an eye to the own points only."""
    most = 0.0
    for option in range(memory.n_options[state.active]):
        for kind in range(table.n_kinds):
            memory.worth[kind] = memory.gain[state.active, option, kind]
        plan(table, memory)
        kept = node_of(state, table, best_again(state, table, memory, RETHROWS))
        memory.chased[option] = worth_of_keeping(memory, kept) + memory.ahead[state.active, option]
        most = max(most, memory.chased[option])
        foresee(table, memory, kept)
        for kind in range(SETS):
            memory.chased_ends[option, kind] = memory.ends[kind]
    for option in range(memory.n_options[state.active]):
        memory.chased[option] = math.exp((memory.chased[option] - most) / SOFTNESS)
    even_out(memory.chased, memory.n_options[state.active])


@rule
def think_other(state: Any, seat: int, table: Any, memory: Any) -> None:
    """What each option of somebody else brings against all mixtures."""
    for option in range(memory.n_options[seat]):
        if is_duel(state):
            memory.worth_of[seat, option] = duel_answer(state, table, memory, option)
        else:
            memory.worth_of[seat, option] = crowd_answer(state, table, memory, seat, option)


@rule
def answer_means(view: Any, state: Any, table: Any, memory: Any) -> int:
    """The best rethrow against the mean of all mixtures, where no plan of ours leads to these dice."""
    for seat in range(state.n_seats):
        for option in range(OPTIONS):
            memory.now[seat, option] = memory.sums[seat, option]
        even_out(memory.now[seat], memory.n_options[seat])
    if not is_duel(state):
        count_misses(state, table, memory)
    plan_option(state, table, memory, memory.shown)
    return best_again(view, table, memory, RETHROWS - view.rethrows)
