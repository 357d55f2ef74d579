"""How the strong level plays pokerdice."""

from typing import Any, Final

from pokade.arena.draws import below
from pokade.games.pokerdice import choice_at, n_choices
from pokade.games.state import rule

RECORDS: Final = 2
FLOATS: Final = 1
INTS: Final = 1
TABLE: Final = 1
ITERATIONS: Final = 100
CHUNK: Final = 10


@rule
def prepare(states: Any, flats: Any, table: Any) -> None:
    """Nothing is worked out beforehand."""


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, floats: Any, ints: Any, rng: Any, iterations: int) -> None:
    """Nothing is thought yet."""


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, floats: Any, ints: Any, rng: Any) -> int:
    """Any choice."""
    return choice_at(states[0], seat, below(rng, n_choices(states[0], seat)))
