"""A position as a reader looks at it: known again whenever it is looked at, so that what was guessed can be kept."""

from dataclasses import dataclass, field
from typing import Any, Final

from pokade.games.state import TOLD, WIDTH, packed

KEPT: Final = 20_000  # positions: those of some hundred games


@dataclass(frozen=True, slots=True)
class Spot:
    """The state of a view, known by its cells."""

    key: tuple[int, ...]
    state: Any = field(compare=False)


def spot_of(state: Any) -> Spot:
    """What was told is left out: compiled tables tell nothing."""
    return Spot(tuple(packed(state)[: -TOLD * WIDTH]), state)
