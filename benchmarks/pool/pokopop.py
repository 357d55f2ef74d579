"""Habits of Poko Pop!."""

from pokade.games.pokopop import FINAL_CHOOSING, FIVE, FOUR, POKO, WAIT, PokopopState
from pokade.games.state import rule

SIZES = (3, 4)


@rule
def always_jump(view: PokopopState, seat: int, luck: int) -> int:
    """Always jump."""
    return POKO


@rule
def always_wait(view: PokopopState, seat: int, luck: int) -> int:
    """Always wait."""
    return WAIT


@rule
def jump_at_the_end(view: PokopopState, seat: int, luck: int) -> int:
    """Wait, and jump at the final pile."""
    return POKO if view.phase == FINAL_CHOOSING else WAIT


@rule
def wait_at_the_end(view: PokopopState, seat: int, luck: int) -> int:
    """Always jump, wait at the end."""
    return WAIT if view.phase == FINAL_CHOOSING else POKO


@rule
def jump_for_fives(view: PokopopState, seat: int, luck: int) -> int:
    """Jump for fives and at the final pile."""
    return POKO if view.phase == FINAL_CHOOSING or view.row[view.poko] >= FIVE else WAIT


@rule
def jump_for_less(view: PokopopState, seat: int, luck: int) -> int:
    """Jump for what the others may leave to you: less than a four."""
    return POKO if view.phase == FINAL_CHOOSING or view.row[view.poko] < FOUR else WAIT


HABITS = (always_jump, always_wait, jump_at_the_end, wait_at_the_end, jump_for_fives, jump_for_less)
