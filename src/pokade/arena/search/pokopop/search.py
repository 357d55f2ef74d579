"""What the strong level does with the tree: it draws its choice from the root."""

from typing import Any, Final

from pokade.arena.draws import fraction
from pokade.arena.search.pokopop.final import solve_final
from pokade.arena.search.pokopop.tree import grow, solve_tree
from pokade.arena.search.pokopop.worth import fill_weights
from pokade.games.pokopop import FINAL_CHOOSING, POKO, WAIT
from pokade.games.state import NOTHING, rule

ITERATIONS: Final = 1  # all is worked out at once, and more thinking changes nothing
CHUNK: Final = 1
SHINES: Final = (4,)
PATIENCE: Final = 0.02  # how often one jumps at least if all may wait without end


@rule
def prepare(states: Any, flats: Any, table: Any, memory: Any) -> None:
    """What points are worth was learnt beforehand."""
    fill_weights(table)


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any, iterations: int) -> None:
    """Solve the last pile, or the rest of the round."""
    if memory.n_nodes == 0:
        think(states, flats, table, memory)


@rule
def think(states: Any, flats: Any, table: Any, memory: Any) -> None:
    """Everybody's mixture, at the root and at all nodes after it."""
    if states[0].phase != FINAL_CHOOSING:
        grow(states, flats, table, memory)
        solve_tree(states, memory)
        return
    memory.n_nodes = 1
    states[0].chosen = 0
    for seat in range(states[0].n_seats):
        states[0].choice[seat] = NOTHING
    memory.gaps[0] = solve_final(states[0], states, flats, flats[0], memory)
    for seat in range(states[0].n_seats):
        memory.jumps[0, seat] = memory.dares[seat]
        memory.value[0, seat] = memory.found[seat]


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any) -> int:
    """Drawn from the mixture at the root; where nothing ends a round, nobody may wait for ever."""
    least = 0.0 if states[0].max_waits or states[0].phase == FINAL_CHOOSING else PATIENCE
    return POKO if fraction(rng) < max(least, memory.jumps[0, seat]) else WAIT
