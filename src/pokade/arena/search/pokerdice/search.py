"""Pokerdice: the round in which everybody seals is solved; cards and rethrows are drawn from its solution."""

from typing import Any, Final

from pokade.arena.draws import copy_cells
from pokade.arena.search.pokerdice.crowd import weigh_crowd
from pokade.arena.search.pokerdice.duel import number_hands, play_last_cards, weigh_duel
from pokade.arena.search.pokerdice.hands import value_hands
from pokade.arena.search.pokerdice.lattice import judge_throws, link_nodes, weigh_throws
from pokade.arena.search.pokerdice.options import list_options, take_back
from pokade.arena.search.pokerdice.round import answer_means, chase, is_duel, match_regrets
from pokade.arena.search.regrets import draw
from pokade.games.pokerdice import RETHROWING
from pokade.games.state import rule

ITERATIONS: Final = 100
CHUNK: Final = 10
SHINES: Final = (2, 4)


@rule
def prepare(states: Any, flats: Any, table: Any, memory: Any) -> None:
    """The lattice of kept dice, the last round of two players, and what every hand is worth."""
    link_nodes(table)
    judge_throws(states[1], table)
    weigh_throws(table, memory)
    number_hands(table)
    play_last_cards(table, memory)
    value_hands(table)


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any, iterations: int) -> None:
    """Regret matching over everybody's cards, as they lay before the active player's card was turned up."""
    state = states[1]
    if memory.step == 0:
        copy_cells(flats[0], flats[1])
        take_back(state)
        list_options(state, table, memory, states[0].shown[state.active])
        if is_duel(state):
            weigh_duel(state, table, memory)
        else:
            weigh_crowd(state, table, memory)
            chase(state, table, memory)
    for _ in range(iterations):
        memory.step += 1
        match_regrets(states[0], state, table, memory, rng)


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any) -> int:
    """A card drawn from the mean of all mixtures; throwing again, what one of the plans says."""
    if states[0].phase != RETHROWING:
        return int(memory.choice[seat, draw(memory.sums[seat], memory.n_options[seat], rng)])
    if memory.weights > 0.0:
        return int(memory.rethrow)
    return answer_means(states[0], states[1], table, memory)
