"""What everybody may have sealed in a round of Pokerdice, and what each option brings."""

from typing import Any, Final

from pokade.arena.draws import below
from pokade.arena.search.pokerdice.hands import card_worth, row_of
from pokade.arena.search.pokerdice.lattice import foresee, lay, node_of
from pokade.arena.search.pokerdice.memory import INNER, OPTIONS, SETS, THROWS
from pokade.arena.search.regrets import even_out
from pokade.games.pokerdice import (
    CAPTURED_VALUE,
    CHOOSING,
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
from pokade.players import LUCK
from pokade.players.pokerdice import casual

LUCKS: Final = 12  # times that the rules of thumb are asked


@rule
def take_back(state: Any) -> None:
    """The table as it was when everybody chose: the active player's cards are in hand again."""
    for seat in range(state.n_seats):
        state.choice[seat] = NOTHING
    state.chosen = 0
    state.rethrows = 0
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
def list_options(state: Any, table: Any, memory: Any) -> None:
    """What everybody may play; of many pairs those that look best."""
    throw = node_of(state, table, 0) - INNER
    for seat in range(state.n_seats):
        for index in range(n_choices(state, seat)):
            choice = choice_at(state, seat, index)
            add_option(memory, seat, choice, quick_worth(state, table, seat, choice, throw))
        for option in range(memory.n_options[seat]):
            describe(state, table, memory, seat, option, memory.choice[seat, option])


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
    """What the hand is worth that remains after a choice; two sets of cards add up."""
    hand = state.hand[seat]
    second = state.second[seat]
    for index in range(1 + state.variant):
        card = 1 << (choice % OBJECTIVES if index == 0 else choice // OBJECTIVES)
        if second & card:
            second ^= card
        else:
            hand ^= card
    ahead = (seat - state.active - 1) % state.n_seats
    row = row_of(state.n_seats, ROUNDS - n_rounds(state), ahead)
    return float(table.future[row, hand] + table.future[row, second])


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


@rule
def ask_thumbs(state: Any, table: Any, memory: Any, rng: Any) -> None:
    """What the rules of thumb would play, and how an active player that follows them would go on."""
    for seat in range(state.n_seats):
        for _ in range(LUCKS):
            choice = casual(state, seat, below(rng, LUCK))
            for option in range(memory.n_options[seat]):
                if memory.choice[seat, option] == choice:
                    memory.thumb[seat, option] += 1.0
        even_out(memory.thumb[seat], memory.n_options[seat])
    for option in range(memory.n_options[state.active]):
        if memory.thumb[state.active, option] > 0:
            follow_thumbs(state, table, memory, memory.choice[state.active, option])
            for kind in range(SETS):
                memory.thumb_ends[option, kind] = memory.ends[kind]


@rule
def follow_thumbs(state: Any, table: Any, memory: Any, choice: int) -> None:
    """How the dice end if the active player throws again by the rules of thumb."""
    start = node_of(state, table, 0)
    state.phase = RETHROWING
    state.shown[state.active] = choice
    kept = node_of(state, table, casual(state, state.active, 0))
    state.rethrows = 1
    for throw in range(THROWS):
        lay(state, table, throw)
        memory.hold[INNER + throw] = node_of(state, table, casual(state, state.active, 0))
    foresee(table, memory, kept)
    state.rethrows = 0
    state.shown[state.active] = NOTHING
    state.phase = CHOOSING
    lay(state, table, start - INNER)
