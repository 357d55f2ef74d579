"""Habits of Pokerdice."""

from benchmarks.frozen.pokerdice import casual
from pokade.games.pokerdice import (
    ALL_DICE,
    DOUBLE,
    RETHROWING,
    STOP,
    PokerdiceState,
    choice_at,
    met_objectives,
    n_choices,
)
from pokade.games.state import rule

SIZES = (2, 4)


@rule
def _met(view: PokerdiceState, seat: int) -> int:
    """The dearest card that lies there, else the cheapest one."""
    best, met = choice_at(view, seat, 0), met_objectives(view)
    for index in range(n_choices(view, seat)):
        card = choice_at(view, seat, index)
        if view.variant != DOUBLE and met >> card & 1:
            best = card
    return best


@rule
def dearest_card(view: PokerdiceState, seat: int, luck: int) -> int:
    """Your dearest card, and throw for it."""
    return casual(view, seat, luck) if view.phase == RETHROWING else choice_at(view, seat, n_choices(view, seat) - 1)


@rule
def cheapest_card(view: PokerdiceState, seat: int, luck: int) -> int:
    """Your cheapest card, and throw for it."""
    return casual(view, seat, luck) if view.phase == RETHROWING else choice_at(view, seat, 0)


@rule
def met_card(view: PokerdiceState, seat: int, luck: int) -> int:
    """The dearest card that lies there, and throw for it if none does."""
    return casual(view, seat, luck) if view.phase == RETHROWING else _met(view, seat)


@rule
def met_card_and_stop(view: PokerdiceState, seat: int, luck: int) -> int:
    """The dearest card that lies there, and never throw again."""
    return STOP if view.phase == RETHROWING else _met(view, seat)


@rule
def met_card_and_throw(view: PokerdiceState, seat: int, luck: int) -> int:
    """The dearest card that lies there, and throw everything again."""
    return ALL_DICE if view.phase == RETHROWING else _met(view, seat)


HABITS = (dearest_card, cheapest_card, met_card, met_card_and_stop, met_card_and_throw)
