"""What everybody may have sealed in a round of Pokerdice, and what each option brings."""

from typing import Any, Final

from pokade.arena.search.pokerdice.hands import card_worth, row_of
from pokade.arena.search.pokerdice.lattice import node_of
from pokade.arena.search.pokerdice.memory import INNER, OPTIONS
from pokade.games.pokerdice import (
    CAPTURED_VALUE,
    CHOOSING,
    DICE,
    DOUBLE,
    OBJECTIVES,
    RETHROWING,
    ROUNDS,
    VALUES,
    choice_at,
    n_choices,
    n_rounds,
)
from pokade.games.state import NOTHING, rule

CERTAIN: Final = 1e9  # more than any choice can look worth


@rule
def take_back(state: Any) -> None:
    """The table as it was when everybody chose: the active player's cards are in hand again."""
    for seat in range(state.n_seats):
        state.choice[seat] = NOTHING
    state.chosen = 0
    state.rethrows = 0
    for die in range(DICE):
        state.dice[die] = state.thrown[die]
    shown = state.shown[state.active]
    if state.phase == RETHROWING:
        give(state, shown % OBJECTIVES)
        if state.variant == DOUBLE:
            give(state, shown // OBJECTIVES)
        state.shown[state.active] = NOTHING
    state.phase = CHOOSING


@rule
def give(state: Any, card: int) -> None:
    """A card goes back to the active player's hand."""
    if state.hand[state.active] >> card & 1:
        state.second[state.active] |= 1 << card
    else:
        state.hand[state.active] |= 1 << card


@rule
def list_options(state: Any, table: Any, memory: Any, shown: int) -> None:
    """What everybody may play; of many pairs those that look best, and what the active player has turned up."""
    throw = node_of(state, table, 0) - INNER
    for seat in range(state.n_seats):
        for index in range(n_choices(state, seat)):
            choice = choice_at(state, seat, index)
            is_shown = seat == state.active and choice == shown
            worth = CERTAIN if is_shown else quick_worth(state, table, seat, choice, throw)
            add_option(memory, seat, choice, worth)
        for option in range(memory.n_options[seat]):
            describe(state, table, memory, seat, option, memory.choice[seat, option])
            if seat == state.active and memory.choice[seat, option] == shown:
                memory.shown = option


@rule
def add_option(memory: Any, seat: int, choice: int, worth: float) -> None:
    """One more option, perhaps in the place of the worst so far."""
    at = memory.n_options[seat]
    if at == OPTIONS:
        at = 0
        for other in range(OPTIONS):
            if memory.worth_of[seat, other] < memory.worth_of[seat, at]:
                at = other
        if memory.worth_of[seat, at] >= worth:
            return
    else:
        memory.n_options[seat] += 1
    memory.choice[seat, at] = choice
    memory.worth_of[seat, at] = worth


@rule
def quick_worth(state: Any, table: Any, seat: int, choice: int, throw: int) -> float:
    """What a choice looks like on a throw, without a thought for what others do."""
    is_active = seat == state.active
    worth = hand_worth(state, table, seat, choice)
    worth += card_worth(table, throw, choice % OBJECTIVES, is_active, state.n_seats)
    if state.variant == DOUBLE:
        worth += card_worth(table, throw, choice // OBJECTIVES, is_active, state.n_seats)
    return worth


@rule
def hand_worth(state: Any, table: Any, seat: int, choice: int) -> float:
    """What the hand is worth that remains after a choice."""
    hand = state.hand[seat]
    second = state.second[seat]
    for index in range(1 + state.variant):
        card = 1 << (choice % OBJECTIVES if index == 0 else choice // OBJECTIVES)
        if second & card:
            second ^= card
        else:
            hand ^= card
    ahead = (seat - state.active - 1) % state.n_seats
    if state.variant == DOUBLE:
        return two_sets_worth(state, table, hand, second, ahead)
    return float(table.future[row_of(state.n_seats, ROUNDS - n_rounds(state), ahead), hand])


@rule
def two_sets_worth(state: Any, table: Any, hand: int, second: int, ahead: int) -> float:
    """Two sets of cards add up; they may differ in size, so turns to be active are counted by rounds."""
    first, other = row_of(2, 0, 0), row_of(2, 0, 1)
    worth = (table.future[first, hand] + table.future[other, hand]) / 2
    worth += (table.future[first, second] + table.future[other, second]) / 2
    if (n_rounds(state) - state.round) % 2 == 1:  # one of both is active once more
        worth += table.turn if ahead == 0 else -table.turn
    return float(worth)


@rule
def describe(state: Any, table: Any, memory: Any, seat: int, option: int, choice: int) -> None:
    """What an option brings for every set of objectives that may be met."""
    memory.ahead[seat, option] = hand_worth(state, table, seat, choice)
    for kind in range(table.n_kinds):
        met = table.met[kind]
        for index in range(1 + state.variant):
            card = choice % OBJECTIVES if index == 0 else choice // OBJECTIVES
            if met >> card & 1:
                memory.gain[seat, option, kind] += VALUES[card]
            elif seat != state.active:
                memory.miss[seat, option, kind] += CAPTURED_VALUE
