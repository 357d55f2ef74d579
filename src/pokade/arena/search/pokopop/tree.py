"""The rest of a round of Poko Pop!: a node for every way the cards may go, each solved exactly, the last ones first.

Where all wait, they choose again, until the table has waited too often. So a node is solved for its last chance first,
and then for one more chance at a time, until more chances make no difference.
"""

from typing import Any, Final

from pokade.arena.draws import copy_cells
from pokade.arena.search.pokopop.final import solve_final
from pokade.arena.search.pokopop.memory import LAST, SECOND, TRIAL
from pokade.arena.search.pokopop.worth import add_worth
from pokade.arena.search.stages import expect, list_gains, solve_afresh, solve_on
from pokade.games.pokopop import FINAL_CHOOSING, FLIPPING, KINDS, POKO, WAIT, choose, happen, tickets, weight
from pokade.games.state import NOTHING, everyone, rule

CHANCES: Final = 60  # so many more make no difference in any case
STILL: Final = 1e-6


@rule
def grow(states: Any, flats: Any, table: Any, memory: Any) -> None:
    """A node for every way the cards may go, and what everybody has where the round ends."""
    copy_cells(flats[0], flats[1])
    root = states[1]
    root.chosen = 0
    for seat in range(root.n_seats):
        root.choice[seat] = NOTHING
    memory.n_nodes = 1
    node = 0
    while node < memory.n_nodes:
        state = states[1 + node]
        for jumpers in range(everyone(state) + 1):
            if jumpers & ~state.inside == 0:
                _branch(states, flats, table, memory, node, jumpers)
        node += 1


@rule
def _branch(states: Any, flats: Any, table: Any, memory: Any, node: int, jumpers: int) -> None:
    """What follows a joint choice: another node, or the end of the round; waiting ends it here."""
    trial = states[TRIAL]
    copy_cells(flats[1 + node], flats[TRIAL])
    who = trial.inside
    if jumpers == 0:
        trial.waits, trial.max_waits = 0, 1
    for seat in range(trial.n_seats):
        if who >> seat & 1:
            choose(trial, seat, POKO if jumpers >> seat & 1 else WAIT)
    if trial.phase == FLIPPING:
        _flip(states, flats, table, memory, memory.payoffs[node, jumpers])
        return
    child = memory.n_nodes
    memory.n_nodes += 1
    copy_cells(flats[TRIAL], flats[1 + child])
    for seat in range(trial.n_seats):
        if jumpers >> seat & 1:
            memory.follows[node, seat] = child


@rule
def _flip(states: Any, flats: Any, table: Any, memory: Any, parts: Any) -> None:
    """The last card is any of those unseen; then the round is over."""
    trial, second = states[TRIAL], states[SECOND]
    total = tickets(trial)
    for kind in range(KINDS):
        if weight(trial, kind) > 0:
            chance = weight(trial, kind) / total
            copy_cells(flats[TRIAL], flats[SECOND])
            happen(second, kind)
            if second.phase == FINAL_CHOOSING:
                _foresee_final(states, flats, memory, chance, parts)
            else:
                add_worth(second, table, chance, parts)


@rule
def _foresee_final(states: Any, flats: Any, memory: Any, chance: float, parts: Any) -> None:
    """The last pile follows at once: what it is worth to everybody is solved as well."""
    last, ending = states[LAST], flats[LAST]
    copy_cells(flats[SECOND], ending)
    solve_final(last, states, flats, ending, memory)
    for seat in range(last.n_seats):
        parts[seat] += chance * memory.found[seat]


@rule
def solve_tree(states: Any, memory: Any) -> None:
    """All nodes, the last ones first."""
    for number in range(memory.n_nodes):
        node = memory.n_nodes - 1 - number
        state = states[1 + node]
        count = _gather(state, node, memory)
        chances = state.max_waits - state.waits if state.max_waits > 0 else CHANCES
        memory.gaps[node] = solve_afresh(memory.gains, count, memory.dares)
        moved = _note_value(state, node, count, memory)
        for _ in range(min(CHANCES, chances) - 1):
            if moved < STILL:
                break
            _offer_again(state, node, count, memory)
            memory.gaps[node] = solve_on(memory.gains, count, memory.dares)
            moved = _note_value(state, node, count, memory)
        for index in range(count):
            memory.jumps[node, memory.inside[index]] = memory.dares[index]


@rule
def _gather(state: Any, node: int, memory: Any) -> int:
    """A node as a stage of those who are in, at its last chance; returns how many they are."""
    count = 0
    for seat in range(state.n_seats):
        if state.inside >> seat & 1:
            memory.inside[count] = seat
            count += 1
    for joint in range(1 << count):
        jumpers, follows = 0, 0
        for index in range(count):
            if joint >> index & 1:
                jumpers |= 1 << memory.inside[index]
                follows = memory.follows[node, memory.inside[index]]
        is_taken = joint & (joint - 1) == 0 and joint > 0 and follows > 0
        for seat in range(state.n_seats):
            memory.ends[joint, seat] = memory.value[follows, seat] if is_taken else memory.payoffs[node, jumpers, seat]
    list_gains(memory.ends, memory.inside, count, memory.gains)
    for seat in range(state.n_seats):
        memory.value[node, seat] = memory.ends[0, seat]
    return count


@rule
def _offer_again(state: Any, node: int, count: int, memory: Any) -> None:
    """One more chance: if all wait, the same node follows."""
    for seat in range(state.n_seats):
        memory.ends[0, seat] = memory.value[node, seat]
    for index in range(count):
        seat = memory.inside[index]
        memory.gains[index, 0] = memory.ends[1 << index, seat] - memory.ends[0, seat]


@rule
def _note_value(state: Any, node: int, count: int, memory: Any) -> float:
    """What the node is worth to everybody with these mixtures; returns how much that has moved."""
    moved = 0.0
    expect(memory.ends, count, memory.dares, state.n_seats, memory.found)
    for seat in range(state.n_seats):
        moved = max(moved, abs(memory.found[seat] - memory.value[node, seat]))
        memory.value[node, seat] = memory.found[seat]
    return moved
