"""What is worked out once, and how a choice is made in the end."""

from typing import Any, Final

from pokade.arena.search.pok.lessons import learn
from pokade.arena.search.pok.naming import NAMINGS, place_of
from pokade.arena.search.pok.table import FEWEST, THROWS, list_what_goes
from pokade.arena.search.regrets import draw
from pokade.games.pok import SEATS, SYMBOLS
from pokade.games.state import rule

RECORDS: Final = 2
ITERATIONS: Final = 2000
CHUNK: Final = 1000
SHINES: Final = (3,)


@rule
def prepare(states: Any, flats: Any, table: Any, memory: Any) -> None:
    """Which symbols go, and the weights of hands."""
    states[1].unheard = 1
    for n_seats in range(FEWEST, SEATS + 1):
        for throw in range(THROWS):
            list_what_goes(states[1], table, n_seats, throw)
        learn(states[1], flats[1], table, memory, n_seats)


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any) -> int:
    """Drawn from the mean of all mixtures: nobody can read more of it than there is."""
    mixture = memory.sums[memory.kind[place_of(states[0], memory, seat)]]
    return NAMINGS[memory.naming][draw(mixture, SYMBOLS, rng)]
