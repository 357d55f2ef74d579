"""Pokerdice: the round in which everybody seals, then the best rethrows against what others have probably sealed."""

from typing import Any, Final

from pokade.arena.draws import copy_cells
from pokade.arena.search.pokerdice.hands import chase_cards, like_at_first, spoil_cards, value_hands
from pokade.arena.search.pokerdice.lattice import best_again, judge_throws, link_nodes, plan, weigh_throws
from pokade.arena.search.pokerdice.memory import OPTIONS, SETS, TABLES, THUMB_SHARE
from pokade.arena.search.pokerdice.options import ask_thumbs, describe, list_options, take_back
from pokade.arena.search.pokerdice.round import match_regrets
from pokade.arena.search.pokerdice.winning import settle_round, weigh_ends, winning
from pokade.arena.search.regrets import draw, even_out
from pokade.games.pokerdice import RETHROWING
from pokade.games.state import rule

ITERATIONS: Final = 80
CHUNK: Final = 10
SHINES: Final = (2, 4)
GUESSES: Final = 200  # of what the others have sealed


@rule
def prepare(states: Any, flats: Any, table: Any, memory: Any) -> None:
    """The lattice of kept dice, the odds of every objective, and what every hand is worth."""
    link_nodes(table)
    judge_throws(states[1], table)
    weigh_throws(table, memory)
    chase_cards(states[1], table, memory)
    like_at_first(table)
    for _ in range(2):
        spoil_cards(states[1], table, memory)
        value_hands(table, 0)
    spoil_cards(states[1], table, memory)
    for index in range(len(TABLES)):
        value_hands(table, index)


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any, iterations: int) -> None:
    """Regret matching over everybody's cards, as they lay before the active player's card was turned up."""
    state = states[1]
    if memory.step == 0:
        copy_cells(flats[0], flats[1])
        take_back(state)
        list_options(state, table, memory)
        ask_thumbs(state, table, memory, rng)
        weigh_ends(state, table, memory)
    for _ in range(iterations):
        memory.step += 1
        if states[0].rethrows == 0:  # later, the dice that everybody chose by lie no more
            match_regrets(state, seat, table, memory)


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any) -> int:
    """A card drawn from the mix that came of it; or the best rethrow against what others have probably sealed."""
    if states[0].phase != RETHROWING:
        forget_slips(memory.sums[seat])
        return int(memory.choice[seat, draw(memory.sums[seat], memory.n_options[seat], rng)])
    fear_sealed(states[0], states[1], table, memory, rng)
    plan(table, memory)
    return best_again(states[0], table, memory, 2 - states[0].rethrows)


@rule
def forget_slips(sums: Any) -> None:
    """What was played only while the thoughts were young is not played."""
    most = 0.0
    for option in range(OPTIONS):
        most = max(most, sums[option])
    for option in range(OPTIONS):
        if sums[option] < 0.1 * most:
            sums[option] = 0.0


@rule
def fear_sealed(view: Any, state: Any, table: Any, memory: Any, rng: Any) -> None:
    """What the final dice are worth: the chance to win, over many guesses of what the others have sealed."""
    active = view.active
    for kind in range(SETS):
        memory.worth[kind] = 0.0
        memory.gain[active, 0, kind] = 0.0
    describe(state, table, memory, active, 0, view.shown[active])
    for seat in range(view.n_seats):
        believe(memory, seat, THUMB_SHARE if view.rethrows == 0 else 0.0)
    for _ in range(GUESSES):
        for seat in range(view.n_seats):
            memory.guess[seat] = draw(memory.sums[seat], memory.n_options[seat], rng)
        memory.guess[active] = 0
        for kind in range(table.n_kinds):
            memory.worth[kind] += guessed(state, memory, kind)


@rule
def believe(memory: Any, seat: int, share: float) -> None:
    """What a rival has probably sealed: part rules of thumb, part the mix of the thoughts; without thoughts, any."""
    even_out(memory.sums[seat], memory.n_options[seat])
    for option in range(memory.n_options[seat]):
        memory.sums[seat, option] = (1.0 - share) * memory.sums[seat, option] + share * memory.thumb[seat, option]


@rule
def guessed(state: Any, memory: Any, kind: int) -> float:
    """The active player's chance to win if the dice end so and others have sealed what was guessed."""
    taken = 0.0
    for seat in range(state.n_seats):
        option = memory.guess[seat]
        settle_round(state, memory, seat, option, kind)
        taken += memory.miss[seat, option, kind]
    memory.points[state.active] += taken
    return winning(state, memory, state.active)
