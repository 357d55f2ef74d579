"""New Game: pick a side in secret, and be no more on it than on the other.

§ marks: docs/rules/newgame.md.
"""

# TODO: these are the rules of a tiny game that works. Replace them by yours, from the rulebook page downwards.

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pokade.games.cells import PAST, few, scale
from pokade.games.game import Event, Game, Said, Words, number_in
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
    rule,
    sealed,
    tell,
)

SEATS: Final = Seats(4)
LEFT, RIGHT = 0, 1
SIDES: Final = 2
FACES: Final = 6
BOTH: Final = 7  # what both sides are worth together
GOAL: Final = 20  # points that win

THROWING, CHOOSING, OVER = 0, 1, 2  # phases

THROWN, SHOWN, SCORED, NOBODY_SCORED, WON, DRAWN = range(6)
EVENTS: Final = (
    Event("thrown", what="number", more="number"),
    Event("shown", who="seats", what="side"),
    Event("scored", who="seats", what="number", look=3.0),
    Event("nobody_scored", look=3.0),
    Event("won", who="seats", what="number"),
    Event("drawn", who="seats", what="number"),
)
ENDINGS: Final = ("on", "goal", "rounds")
GOAL_REACHED, ROUNDS_OUT = 1, 2


@dataclass(slots=True)
class NewgameState(State):
    """A table of New Game."""

    max_rounds: int = public()
    die: int = public()  # what the left side is worth in this round
    choice: list[int] = sealed(SEATS)  # the side that each seat has sealed in this round, or NOTHING
    chosen: int = hidden()  # bit set of the seats that have chosen: a tell, so nobody sees it
    shown: list[int] = public(SEATS, start=NOTHING)  # the side that each seat showed in the last reveal
    score: list[int] = public(SEATS)  # points of each seat so far


@rule
def begin(state: NewgameState) -> None:
    """§1.1: everybody starts with nothing."""
    state.round = 1


@rule
def turn(state: NewgameState) -> int:
    """§2: the die first, then everybody at once."""
    if state.phase == CHOOSING:
        return everyone(state)
    return CHANCE if state.phase == THROWING else NOBODY


@rule
def tickets(state: NewgameState) -> int:
    """§1.2: a die has six faces."""
    return FACES


@rule
def outcome_at(state: NewgameState, ticket: int) -> int:
    """§1.2: one to six, each on one face."""
    return ticket + 1


@rule
def weight(state: NewgameState, outcome: int) -> int:
    """§1.2: on how many faces a number stands."""
    return 1 if 1 <= outcome <= FACES else 0


@rule
def together(state: NewgameState) -> int:
    """§2.1: one throw at a time."""
    return 1


@rule
def happen(state: NewgameState, outcome: int) -> None:
    """§2.1: the die lies, and everybody may choose."""
    next_step(state)
    state.die = outcome
    state.phase = CHOOSING
    tell(state, THROWN, 0, worth(state, LEFT), worth(state, RIGHT))


@rule
def worth(state: NewgameState, side: int) -> int:
    """§2.1: the die says it of the left side; the right one has the rest to seven."""
    return state.die if side == LEFT else BOTH - state.die


@rule
def n_choices(state: NewgameState, seat: int) -> int:
    """§2.2: either side."""
    return SIDES


@rule
def choice_at(state: NewgameState, seat: int, index: int) -> int:
    """§2.2: left, then right."""
    return index


@rule
def is_legal(state: NewgameState, seat: int, choice: int) -> bool:
    """§2.2: there are two sides, and nothing between them."""
    return 0 <= choice < SIDES


@rule
def choose(state: NewgameState, seat: int, choice: int) -> None:
    """§2.2: a side is sealed, or the other one instead; when the last one is in, all show together (§2.3)."""
    state.choice[seat] = choice
    state.chosen |= 1 << seat
    if state.chosen == everyone(state):
        next_step(state)
        show(state)
        score(state)
        finish_round(state)


@rule
def show(state: NewgameState) -> None:
    """§2.3: what was sealed is on the table for all to see."""
    for seat in range(state.n_seats):
        state.shown[seat] = state.choice[seat]
        state.choice[seat] = NOTHING
    state.chosen = 0
    for side in range(SIDES):
        if who_shows(state, side):
            tell(state, SHOWN, who_shows(state, side), side, 0)


@rule
def who_shows(state: NewgameState, side: int) -> int:
    """The seats that show a side, as a bit set."""
    seats = 0
    for seat in range(state.n_seats):
        if state.shown[seat] == side:
            seats |= 1 << seat
    return seats


@rule
def score(state: NewgameState) -> None:
    """§3.1: a side scores if it has no more players than the other; with all on one side nobody does (§3.2)."""
    told = False
    for side in range(SIDES):
        seats = who_shows(state, side)
        if seats and how_many(seats) <= how_many(who_shows(state, 1 - side)):
            for seat in range(state.n_seats):
                state.score[seat] += worth(state, side) * (seats >> seat & 1)
            tell(state, SCORED, seats, worth(state, side), 0)
            told = True
    if not told:
        tell(state, NOBODY_SCORED, 0, 0, 0)


@rule
def finish_round(state: NewgameState) -> None:
    """§4: twenty points (§4.1), the last round (§4.3); else the die again."""
    if most_points(state) >= GOAL:
        win(state, GOAL_REACHED)
    elif state.round == state.max_rounds:
        win(state, ROUNDS_OUT)
    else:
        state.round += 1
        state.phase = THROWING


@rule
def most_points(state: NewgameState) -> int:
    """What those in the lead have."""
    most = 0
    for seat in range(state.n_seats):
        most = max(most, state.score[seat])
    return most


@rule
def win(state: NewgameState, ending: int) -> None:
    """§4.2: the most points win; those who have equally many share the win."""
    state.phase = OVER
    state.ending = ending
    most = most_points(state)
    for seat in range(state.n_seats):
        if state.score[seat] == most:
            state.winners |= 1 << seat
    tell(state, WON if how_many(state.winners) == 1 else DRAWN, state.winners, most, 0)


@rule
def points(state: NewgameState, seat: int) -> int:
    """§4.1: what a seat has scored."""
    return state.score[seat]


HOLDS: Final = {
    "round": scale(lambda state: state.max_rounds),
    "die": few(FACES + 1),
    "choice": few(SIDES),
    "shown": PAST,
    "score": scale(GOAL + FACES),
}


def actions(state: NewgameState) -> tuple[range, ...]:
    """§2.2: a side, once the die lies."""
    return range(0), range(SIDES), range(0)


def facts(view: NewgameState, seat: int) -> dict[str, int]:
    """How many points win (§4.1)."""
    return {"goal": GOAL}


def asked(view: NewgameState, seat: int) -> Said:
    """§2.2: which side to take."""
    return "pick", {"left": worth(view, LEFT), "right": worth(view, RIGHT)}


def said(view: NewgameState, seat: int, choice: int) -> Said:
    """A choice is a side."""
    return "pick", {"side": choice}


_SIDES: Final = ("left", "right")
_FACES: Final = tuple(str(face + 1) for face in range(FACES))


def _read_chance(state: NewgameState, words: Sequence[str]) -> list[int]:
    if len(words) != 2 or words[0] != "roll" or words[1] not in _FACES:
        raise ValueError("a throw is written d roll 1 to d roll 6")
    return [int(words[1])]


def _write_chance(phase: int, dealt_to: int, state: NewgameState, outcomes: Sequence[int], full: bool) -> str:
    return f"roll {outcomes[0]}"


def _read_choice(state: NewgameState, seat: int, words: Sequence[str]) -> int:
    if len(words) != 2 or words[0] != "pick" or words[1] not in _SIDES:
        raise ValueError("a choice is written pick left or pick right")
    return _SIDES.index(words[1])


def _write_choice(phase: int, state: NewgameState, choice: int) -> str:
    return f"pick {_SIDES[choice]}"


def _seen_choice(view: NewgameState, seat: int) -> int:
    return view.shown[seat]


GAME: Final = Game(
    name="newgame",
    title="New Game",
    seats=range(2, 5),
    usual_seats=3,
    options=(number_in("max_rounds", range(1, 1001), 50),),
    events=EVENTS,
    endings=ENDINGS,
    state=NewgameState,
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
