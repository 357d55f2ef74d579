"""POK: hide a counter, show together, hand it over if just enough of you did. § marks: docs/rules/pok.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pokade.games.cells import PAST, RETOLD, few, scale
from pokade.games.errors import Misread
from pokade.games.game import Event, Game, Said, Words, number_in, one_of
from pokade.games.state import (
    CHANCE,
    NOBODY,
    NOTHING,
    Seats,
    State,
    everyone,
    hidden,
    how_many,
    next_step,
    public,
    remembered,
    rule,
    sealed,
    tell,
)

SEATS: Final = Seats(7)
DISC, SQUARE, TRIANGLE, BLANK = 0, 1, 2, 3
SYMBOLS: Final = 3
DICE: Final = 3
FACES: Final = 6
ON_ONES: Final = 2  # faces of the die of ones with each symbol; the other dice have one
TWOS_BLANKS: Final = 3  # blank faces of the die of twos …
THREES_BLANKS: Final = 3  # … and of the die of threes
EACH: Final = 2  # counters of each symbol that everybody starts with
GOAL: Final = 5  # counters to hand over

THROWING, CHOOSING, OVER = 0, 1, 2  # phases

THROWN, SHOWN, MET, HANDED_OVER, ABSENT, ALL_ABSENT, NOTHING_MET, WON, DRAWN, DEAD, STOPPED = range(11)
EVENTS: Final = (
    Event("thrown", who="ones", what="twos", more="threes"),
    Event("shown", who="seats", what="symbol"),
    Event("met", who="seats", what="symbol", more="number"),
    Event("handed_over", who="seats", what="number", look=4.0),
    Event("absent", who="seats"),
    Event("all_absent", who="seats", look=4.0),
    Event("nothing_met", look=4.0),
    Event("won", who="seats"),
    Event("drawn", who="seats"),
    Event("dead"),
    Event("stopped", who="seats", what="number"),
)
ENDINGS: Final = ("on", "five", "dead", "stopped")
FIVE, DEAD_POSITION, ROUNDS_OUT = 1, 2, 3


@dataclass(slots=True)
class PokState(State):
    """A table of POK."""

    memory: int = public()
    max_rounds: int = public()
    n_dice: int = public()  # how many dice of this throw lie already
    dice: list[int] = public(DICE, start=BLANK)  # the symbol on the die of ones, of twos, of threes; 3 is blank
    counters: list[list[int]] = remembered(SEATS, SYMBOLS)  # counters left, by seat and symbol; shown once to all
    left: list[int] = public(SEATS)  # counters that each seat has left, of all symbols
    choice: list[int] = sealed(SEATS)  # the symbol that each seat has sealed in this round, or NOTHING
    chosen: int = hidden()  # bit set of the seats that have chosen: a tell, so nobody sees it
    shown: list[int] = public(SEATS, start=NOTHING)  # the symbol that each seat showed in the last reveal
    showing: list[int] = public(SYMBOLS)  # the last reveal by symbol: bit set of the seats that showed it
    shown_dice: list[int] = public(DICE, start=BLANK)  # the dice that the last reveal answered, like `dice`
    gone: int = public()  # bit set of the seats that handed over a counter in the last reveal


@rule
def begin(state: PokState) -> None:
    """§1.2: everybody starts with two counters of each symbol."""
    for seat in range(state.n_seats):
        state.left[seat] = EACH * SYMBOLS
        for symbol in range(SYMBOLS):
            state.counters[seat][symbol] = EACH
    state.round = 1


@rule
def turn(state: PokState) -> int:
    """§2: the dice first, then everybody at once."""
    if state.phase == CHOOSING:
        return everyone(state)
    return CHANCE if state.phase == THROWING else NOBODY


@rule
def tickets(state: PokState) -> int:
    """§1.3: a die has six faces."""
    return FACES if state.n_dice == 0 else SYMBOLS + blanks(state)


@rule
def blanks(state: PokState) -> int:
    """§1.3: the blank faces of the next die, if it is not that of ones."""
    return TWOS_BLANKS if state.n_dice == 1 else THREES_BLANKS


@rule
def outcome_at(state: PokState, ticket: int) -> int:
    """§1.3: the symbol, or 3 for blank: twice each on the die of ones; once each and three blanks on the others."""
    if state.n_dice == 0:
        return ticket // ON_ONES
    return min(ticket, BLANK)


@rule
def weight(state: PokState, outcome: int) -> int:
    """§1.3: on how many faces of the next die a symbol stands."""
    if outcome < DISC or outcome > BLANK:
        return 0
    if state.n_dice == 0:
        return 0 if outcome == BLANK else ON_ONES
    return blanks(state) if outcome == BLANK else 1


@rule
def together(state: PokState) -> int:
    """§2.1: the three dice are thrown in one go."""
    return DICE - state.n_dice


@rule
def happen(state: PokState, outcome: int) -> None:
    """§2.1: the next die lies; with the third one everybody may choose."""
    next_step(state)
    dice = state.dice
    if state.n_dice == 0:
        for die in range(DICE):
            dice[die] = BLANK
    dice[state.n_dice] = outcome
    state.n_dice += 1
    if state.n_dice == DICE:
        tell(state, THROWN, dice[0], dice[1], dice[2])
        state.phase = CHOOSING


@rule
def n_choices(state: PokState, seat: int) -> int:
    """§2.3: as many as the seat has different symbols left."""
    count = 0
    for symbol in range(SYMBOLS):
        if state.counters[seat][symbol] > 0:
            count += 1
    return count


@rule
def choice_at(state: PokState, seat: int, index: int) -> int:
    """§2.3: the symbols that the seat still has, in order."""
    choice = NOTHING
    for symbol in range(SYMBOLS):
        # No branch here can be foreseen, so there is none: this is the busiest place of compiled games.
        is_held = 1 if state.counters[seat][symbol] > 0 else 0
        choice = symbol if is_held and index == 0 else choice
        index -= is_held
    return choice


@rule
def is_legal(state: PokState, seat: int, choice: int) -> bool:
    """§2.3: a seat shows a counter that it still has."""
    return 0 <= choice < SYMBOLS and state.counters[seat][choice] > 0


@rule
def choose(state: PokState, seat: int, choice: int) -> None:
    """§2.4: a counter goes into the fist, or another one instead (§2.5); when the last one is in, all hands open."""
    state.choice[seat] = choice
    state.chosen |= 1 << seat
    if state.chosen == everyone(state):
        next_step(state)
        show(state)
        judge(state)
        finish_round(state)


@rule
def show(state: PokState) -> None:
    """§2.4: what was sealed is on the table for all to see."""
    for die in range(DICE):
        state.shown_dice[die] = state.dice[die]
    for symbol in range(SYMBOLS):
        state.showing[symbol] = 0
    for seat in range(state.n_seats):
        symbol = state.choice[seat]
        state.choice[seat] = NOTHING
        state.shown[seat] = symbol
        state.showing[symbol] |= 1 << seat
    state.chosen = 0
    for symbol in range(SYMBOLS):
        if state.showing[symbol]:
            tell(state, SHOWN, state.showing[symbol], symbol, 0)


@rule
def judge(state: PokState) -> None:
    """§3: first the challenges; only if none is met (§3.5), the symbols on no die."""
    gone = 0
    asked = 0
    for die in range(DICE):
        symbol = state.dice[die]
        if symbol != BLANK:
            asked |= 1 << symbol
            # §3.1: each die is judged alone, so two dice with one symbol are never added (§3.2).
            if how_many(state.showing[symbol]) == die + 1:
                tell(state, MET, state.showing[symbol], symbol, die + 1)
                gone |= state.showing[symbol]
    if gone == 0:
        gone = who_is_absent(state, asked)
    state.gone = gone
    hand_over(state, gone)


@rule
def who_is_absent(state: PokState, asked: int) -> int:
    """§3.3: with no challenge met, those whose symbol is on no die, unless that is everybody (§3.4)."""
    seats = 0
    for symbol in range(SYMBOLS):
        if not asked >> symbol & 1:
            seats |= state.showing[symbol]
    if seats == everyone(state):
        tell(state, ALL_ABSENT, seats, 0, 0)
        return 0
    tell(state, ABSENT if seats else NOTHING_MET, seats, 0, 0)
    return seats


@rule
def hand_over(state: PokState, gone: int) -> None:
    """§3.6: these counters leave the game; all others are taken back."""
    for seat in range(state.n_seats):
        given = gone >> seat & 1
        state.counters[seat][state.shown[seat]] -= given
        state.left[seat] -= given
    if gone:
        tell(state, HANDED_OVER, gone, how_many(gone), 0)


@rule
def finish_round(state: PokState) -> None:
    """§4: five handed over (§4.1), a dead position (§4.4), the last round (§4.5); else the dice again."""
    fewest = fewest_left(state)
    if EACH * SYMBOLS - fewest >= GOAL:
        win(state, FIVE, who_has_left(state, fewest))
    elif is_dead(state):
        tell(state, DEAD, 0, 0, 0)
        win(state, DEAD_POSITION, everyone(state))
    elif state.round == state.max_rounds:
        tell(state, STOPPED, who_has_left(state, fewest), state.round, 0)
        win(state, ROUNDS_OUT, who_has_left(state, fewest))
    else:
        state.round += 1
        state.n_dice = 0
        state.phase = THROWING


@rule
def fewest_left(state: PokState) -> int:
    """The smallest number of counters that anybody has left."""
    fewest = state.left[0]
    for seat in range(1, state.n_seats):
        fewest = min(fewest, state.left[seat])
    return fewest


@rule
def who_has_left(state: PokState, count: int) -> int:
    """The seats with that many counters left."""
    seats = 0
    for seat in range(state.n_seats):
        if state.left[seat] == count:
            seats |= 1 << seat
    return seats


@rule
def is_dead(state: PokState) -> bool:
    """§4.4: four or more seats with one and the same symbol left can never move again."""
    if state.n_seats <= DICE:
        return False
    held = 0
    for seat in range(state.n_seats):
        # A seat has at most two of a symbol, and with only one counter left it has won.
        if state.left[seat] != EACH:
            return False
        for symbol in range(SYMBOLS):
            if state.counters[seat][symbol] > 0:
                held |= 1 << symbol
    return held & (held - 1) == 0


@rule
def win(state: PokState, ending: int, winners: int) -> None:
    """§4.2: seats that win together share the win."""
    state.phase = OVER
    state.ending = ending
    state.winners = winners
    tell(state, WON if how_many(winners) == 1 else DRAWN, winners, 0, 0)


@rule
def points(state: PokState, seat: int) -> int:
    """§4.3: the counters that a seat has handed over."""
    return EACH * SYMBOLS - state.left[seat]


HOLDS: Final = {
    "round": scale(lambda state: state.max_rounds),
    "n_dice": scale(DICE),
    "dice": few(SYMBOLS + 1),
    "counters": few(EACH + 1),
    "left": RETOLD,
    "choice": few(SYMBOLS),
    "shown": PAST,
    "showing": PAST,
    "shown_dice": PAST,
    "gone": PAST,
}


def actions(state: PokState) -> tuple[range, ...]:
    """§2.3: a symbol, once the dice lie."""
    return range(0), range(SYMBOLS), range(0)


def facts(view: PokState, seat: int) -> dict[str, int]:
    """How many counters win (§4.1); once the dice lie, the symbols that none asks for (§3.3), as a bit set."""
    if view.phase != CHOOSING:
        return {"goal": GOAL}
    return {"goal": GOAL, "unasked": sum(1 << symbol for symbol in range(SYMBOLS) if symbol not in view.dice)}


def asked(view: PokState, seat: int) -> Said:
    """§2.2: which counter to hide."""
    return "pick", {}


def said(view: PokState, seat: int, choice: int) -> Said:
    """A choice is a symbol."""
    return "pick", {"symbol": choice}


_LETTERS: Final = "OST"
_DIE_WORDS: Final = tuple(
    {letter * (die + 1): symbol for symbol, letter in enumerate(_LETTERS)} | ({} if die == 0 else {"-": BLANK})
    for die in range(DICE)
)
_PICKS: Final = {letter: symbol for symbol, letter in enumerate(_LETTERS)}


def _read_chance(state: PokState, words: Sequence[str]) -> list[int]:
    if words[0] != "roll" or len(words) != 1 + DICE:
        raise Misread("pok/throw", "a throw is written d roll and three dice")
    try:
        return [_DIE_WORDS[0][words[1]], _DIE_WORDS[1][words[2]], _DIE_WORDS[2][words[3]]]
    except KeyError as unknown:
        raise Misread("pok/face", f"no such die face: {unknown.args[0]}", face=unknown.args[0]) from None


def _write_chance(phase: int, dealt_to: int, state: PokState, outcomes: Sequence[int], full: bool) -> str:
    faces = ["-" if symbol == BLANK else _LETTERS[symbol] * (die + 1) for die, symbol in enumerate(outcomes)]
    return "roll " + " ".join(faces)


def _read_choice(state: PokState, seat: int, words: Sequence[str]) -> int:
    if len(words) != 2 or words[0] != "pick" or words[1] not in _PICKS:
        raise Misread("pok/pick", "a choice is written pick O, pick S or pick T")
    return _PICKS[words[1]]


def _write_choice(phase: int, state: PokState, choice: int) -> str:
    return "pick " + _LETTERS[choice]


def _seen_choice(view: PokState, seat: int) -> int:
    return view.shown[seat]


GAME: Final = Game(
    name="pok",
    title="POK",
    seats=range(3, 8),
    usual_seats=4,
    options=(one_of("memory", "strict", "assisted"), number_in("max_rounds", range(1, 10_001), 200)),
    events=EVENTS,
    endings=ENDINGS,
    state=PokState,
    begin=begin,
    turn=turn,
    tickets=tickets,
    outcome_at=outcome_at,
    weight=weight,
    together=together,
    happen=happen,
    n_choices=n_choices,
    choice_at=choice_at,
    is_legal=is_legal,
    choose=choose,
    points=points,
    facts=facts,
    asked=asked,
    said=said,
    words=Words(_read_chance, _write_chance, _read_choice, _write_choice, _seen_choice),
    holds=HOLDS,
    actions=actions,
)
