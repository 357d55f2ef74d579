"""One position of POK as a game of sealed rounds, in arrays that compiled loops read: who may show what, what goes, and
what everybody has afterwards. Everything that the rules decide is asked of the rules.

Seats with equal hands are one *kind* and play the same mixture. A *cell* is a kind and a symbol that it may show. A
*showing* is what all seats show. Throws after which the same symbols go, whatever is shown, are one *stage*.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from pokade.games.pok import EACH, OVER, SEATS, SYMBOLS, finish_round, hand_over
from pokade.games.state import how_many, rule

MASKS: Final = 1 << SYMBOLS
FIRST, LAST, MANY = 0, 1, 2  # of a kind: its first seat, its last one, how many there are
KIND, SYMBOL = 0, 1  # of a cell
UNASKED: Final = -1.0
BASE: Final = EACH + 1


class Desk(NamedTuple):
    """The arrays, with what each of their indices counts."""

    kinds: Any  # (kind) first seat, last seat, how many
    kind_of: Any  # (seat)
    cells: Any  # (cell) kind, symbol
    showings: Any  # (showing, seat) cell
    stage_of: Any  # (throw)
    pay: Any  # (showing, kind, stage) what the kind's first seat has then, or 0 where nothing goes
    again: Any  # (showing, stage) 1 where nothing goes, so that the dice are thrown again


class Known(NamedTuple):
    """What is known before a position: a record to play in, what goes, and what positions further on are worth."""

    states: Any  # (1) a record of the rules' state
    went: Any  # (throw, 8 × discs + squares) the symbols that go, as a bit set
    worths: Any  # (rank of sorted hands, place in them)
    places: Any  # (place, hand) what it adds to the rank


@rule
def lay_out(known: Known, hands: Any) -> Desk:
    """The desk of a position, whose hands are sorted."""
    kind_of = np.zeros(len(hands), np.int64)
    kinds = _kinds(hands, kind_of)
    cells = _cells(hands, kinds)
    showings = _showings(kind_of, cells)
    stage_of = np.zeros(len(known.went), np.int64)
    stages = _stages(known.went, cells, showings, stage_of)
    again = np.zeros((len(showings), len(stages)))
    pay = _pay(known, hands, kinds, cells, showings, stages, again)
    return Desk(kinds, kind_of, cells, showings, stage_of, pay, again)


@rule
def holds(hand: int, symbol: int) -> int:
    """How many counters of a symbol are in a hand."""
    for _ in range(SYMBOLS - 1 - symbol):
        hand //= BASE
    return hand % BASE


@rule
def _kinds(hands: Any, kind_of: Any) -> Any:
    """Hands are sorted, so those of a kind sit together."""
    kinds = np.zeros((len(hands), 3), np.int64)
    count = 0
    for seat in range(len(hands)):
        if seat == 0 or hands[seat] != hands[seat - 1]:
            kinds[count, FIRST] = seat
            count += 1
        kinds[count - 1, LAST] = seat
        kinds[count - 1, MANY] += 1
        kind_of[seat] = count - 1
    return kinds[:count]


@rule
def _cells(hands: Any, kinds: Any) -> Any:
    """Kind by kind."""
    cells = np.zeros((len(kinds) * SYMBOLS, 2), np.int64)
    count = 0
    for kind in range(len(kinds)):
        for symbol in range(SYMBOLS):
            if holds(hands[kinds[kind, FIRST]], symbol):
                cells[count, KIND] = kind
                cells[count, SYMBOL] = symbol
                count += 1
    return cells[:count]


@rule
def _showings(kind_of: Any, cells: Any) -> Any:
    """Every way to show what is held."""
    starts, widths = np.zeros(len(kind_of), np.int64), np.zeros(len(kind_of), np.int64)
    for cell in range(len(cells) - 1, -1, -1):
        starts[cells[cell, KIND]] = cell
        widths[cells[cell, KIND]] += 1
    count = 1
    for seat in range(len(kind_of)):
        count *= widths[kind_of[seat]]
    showings = np.zeros((count, len(kind_of)), np.int64)
    for number in range(count):
        rest = number
        for seat in range(len(kind_of)):
            width = widths[kind_of[seat]]
            showings[number, seat] = starts[kind_of[seat]] + rest % width
            rest //= width
    return showings


@rule
def _stages(went: Any, cells: Any, showings: Any, stage_of: Any) -> Any:
    """What goes after each showing; a throw after which the same goes as after an earlier one is no new stage."""
    stages = np.zeros((len(went) + 1, len(showings)), np.int64)
    count = 0
    for throw in range(len(went)):
        for number in range(len(showings)):
            discs, squares = 0, 0
            for seat in range(showings.shape[1]):
                symbol = cells[showings[number, seat], SYMBOL]
                discs += 1 if symbol == 0 else 0
                squares += 1 if symbol == 1 else 0
            stages[count, number] = went[throw, 8 * discs + squares]
        stage_of[throw] = _first_like(stages, count)
        if stage_of[throw] == count:
            count += 1
    return stages[:count]


@rule
def _first_like(stages: Any, last: int) -> int:
    """The first stage that equals the last one, perhaps itself."""
    stage = 0
    number = 0
    while number < stages.shape[1]:
        if stages[stage, number] == stages[last, number]:
            number += 1
        else:
            stage += 1
            number = 0
    return stage


@rule
def _pay(known: Known, hands: Any, kinds: Any, cells: Any, showings: Any, stages: Any, again: Any) -> Any:
    """What each kind has after a showing, asked once for all stages after which the same goes."""
    pay = np.zeros((len(showings), len(kinds), len(stages)))
    state = known.states[0]
    asked = np.zeros((MASKS, len(kinds)))
    for number in range(len(showings)):
        asked[:] = UNASKED
        for stage in range(len(stages)):
            mask = stages[stage, number]
            if mask == 0:
                again[number, stage] = 1.0
                continue
            if asked[mask, 0] == UNASKED:
                _play(state, hands, cells, showings[number], mask)
                for kind in range(len(kinds)):
                    asked[mask, kind] = _worth(state, known, kinds[kind, FIRST])
            for kind in range(len(kinds)):
                pay[number, kind, stage] = asked[mask, kind]
    return pay


@rule
def _play(state: Any, hands: Any, cells: Any, showing: Any, mask: int) -> None:
    """Let the rules hand over and end the round; no round is the last one."""
    state.n_seats = len(hands)
    state.round = 1
    state.max_rounds = 0
    state.unheard = 1
    gone = 0
    for seat in range(len(hands)):
        symbol = cells[showing[seat], SYMBOL]
        state.shown[seat] = symbol
        state.left[seat] = 0
        for held in range(SYMBOLS):
            state.counters[seat][held] = holds(hands[seat], held)
            state.left[seat] += state.counters[seat][held]
        if mask >> symbol & 1:
            gone |= 1 << seat
    hand_over(state, gone)
    finish_round(state)


@rule
def _worth(state: Any, known: Known, seat: int) -> float:
    """A seat's part of the win: by the rules if the game is over, else what was worked out before."""
    if state.phase == OVER:
        return 1.0 / how_many(state.winners) if state.winners >> seat & 1 else 0.0
    ordered = np.zeros(SEATS, np.int64)
    own = _hand(state, seat)
    for other in range(state.n_seats):
        hand = _hand(state, other)
        at = other
        while at > 0 and ordered[at - 1] > hand:
            ordered[at] = ordered[at - 1]
            at -= 1
        ordered[at] = hand
    rank, place = 0, 0
    for at in range(state.n_seats):
        rank += known.places[at, ordered[at]]
        place += 1 if ordered[at] < own else 0
    worth: float = known.worths[rank, place]
    return worth


@rule
def _hand(state: Any, seat: int) -> int:
    """The number of a seat's hand."""
    hand = 0
    for symbol in range(SYMBOLS):
        hand = hand * BASE + state.counters[seat][symbol]
    return hand
