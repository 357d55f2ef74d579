"""Poko Pop!: jump for the card alone, or wait; two who jump together fall. § marks: docs/rules/pokopop.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pokade.games.cells import A_SEAT, PAST, RETOLD, SOME_SEATS, few, scale
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
    lowest,
    next_step,
    public,
    remembered,
    rule,
    sealed,
    tell,
)

SEATS: Final = Seats(5)
POKOS: Final = 5
COPIES: Final = 6  # cards of each value …
DECK: Final = 5 * COPIES  # … of which there are five
KINDS: Final = 11  # 1, 1x2, 2, 3, 4, 5, and a 5 with the icon of each of the five characters
ONE, DOUBLER, TWO, THREE, FOUR, FIVE, FIRST_ICON = 0, 1, 2, 3, 4, 5, 6
FACE_DOWN: Final = 11  # on the last Poko: a card that nobody has seen
ICONS: Final = 5
DOUBLERS: Final = 2
VALUES: Final = (1, 1, 2, 3, 4, 5, 5, 5, 5, 5, 5)
MINUS_COSTS: Final = 1  # points that a card face down costs
WAIT, POKO = 0, 1  # choices
MOST_WAITS: Final = 1000  # of option max_waits

DEALING, CHOOSING, FLIPPING, FINAL_CHOOSING, PILING, OVER = 0, 1, 2, 3, 4, 5  # phases

(
    DEALT,
    TOOK,
    CLASHED,
    MINUS,
    SPARED,
    ALL_WAITED,
    WAITED_OUT,
    FLIPPED,
    LEFT_OVER,
    FINAL,
    TOOK_PILE,
    SHARED_PILE,
    PILE_STAYED,
    WON,
    DRAWN,
) = range(15)
EVENTS: Final = (
    Event("dealt", what="number"),
    Event("took", who="seat", what="card", more="number", look=3.8),
    Event("clashed", who="seats", more="number", look=4.3),
    Event("minus", who="seat"),
    Event("spared", who="seat"),
    Event("all_waited", what="number", look=2.0),
    Event("waited_out", what="number", look=3.0),
    Event("flipped", what="card", look=1.6),
    Event("left_over", what="number", more="number"),
    Event("final", what="number"),
    Event("took_pile", who="seat", what="number", look=4.0),
    Event("shared_pile", who="seats", what="number", look=4.0),
    Event("pile_stayed", what="number", look=3.0),
    Event("won", who="seats", what="number"),
    Event("drawn", who="seats", what="number"),
)
ENDINGS: Final = ("on", "points")
MOST_POINTS: Final = 1


@dataclass(slots=True)
class PokopopState(State):
    """A table of Poko Pop!"""

    memory: int = public()
    max_waits: int = public()
    effects: int = public()
    deck: int = public(start=DECK)  # how many cards the deck has
    unseen: list[int] = remembered(KINDS)  # cards that nobody has seen, by kind (list `card`)
    n_dealt: int = public()  # cards of this deal that lie already
    row: list[int] = public(POKOS, start=NOTHING)  # the kind of the card on each Poko; 11 is face down
    taken: list[int] = public(POKOS, start=NOTHING)  # the kind of the card that was taken from each Poko
    takers: list[int] = public(POKOS, start=NOTHING)  # the seat that took it
    poko: int = public()  # the Poko that is played for, from 0
    inside: int = public()  # bit set of the seats still in the round
    waits: int = public()  # reveals in a row at this Poko in which everybody waited
    choice: list[int] = sealed(SEATS)  # what each seat has sealed, 0 Wait! or 1 Poko!, or NOTHING
    chosen: int = hidden()  # bit set of the seats that have chosen: a tell, so nobody sees it
    shown: list[int] = public(SEATS, start=NOTHING)  # what each seat showed last, or NOTHING
    face_up: list[list[int]] = public(SEATS, KINDS)  # cards face up before each seat, by kind
    face_down: list[int] = public(SEATS)  # cards face down before each seat, which count −1
    pile: list[int] = remembered(DECK, start=NOTHING)  # the kinds of the carryover, its top card last
    pile_size: int = public()  # how many cards the carryover has
    pile_top: int = public(start=NOTHING)  # the kind of its top card
    aside: int = public()  # cards left over where several share the final pile
    taker: int = public(start=NOTHING)  # the seat that takes the final pile
    drawn: list[int] = public(KINDS)  # the deck's last cards by kind, as they are turned up for the taker


@rule
def begin(state: PokopopState) -> None:
    """§1.2: thirty score cards, six of each value; §6.1: icons and ×2 stand on some of them."""
    for kind in (ONE, TWO, THREE, FOUR, FIVE):
        state.unseen[kind] = COPIES
    if state.effects:
        state.unseen[ONE] -= DOUBLERS
        state.unseen[DOUBLER] = DOUBLERS
        state.unseen[FIVE] -= ICONS
        for icon in range(ICONS):
            state.unseen[FIRST_ICON + icon] = 1
    state.round = 1


@rule
def turn(state: PokopopState) -> int:
    """§2.2: those still in the round choose together; §1.3: cards are turned up by chance."""
    if state.phase in (CHOOSING, FINAL_CHOOSING):
        return state.inside
    return NOBODY if state.phase == OVER else CHANCE


@rule
def tickets(state: PokopopState) -> int:
    """§1.3: whatever is turned up is one of the cards that nobody has seen."""
    count = 0
    for kind in range(KINDS):
        count += state.unseen[kind]
    return count


@rule
def outcome_at(state: PokopopState, ticket: int) -> int:
    """The kind of the unseen card with that number."""
    kind = 0
    while ticket >= state.unseen[kind]:
        ticket -= state.unseen[kind]
        kind += 1
    return kind


@rule
def weight(state: PokopopState, outcome: int) -> int:
    """How many unseen cards are of that kind."""
    return state.unseen[outcome] if 0 <= outcome < KINDS else 0


@rule
def together(state: PokopopState) -> int:
    """The face-up cards of a deal come together, and so do the last cards of the deck."""
    if state.phase == DEALING:
        return state.n_seats - 1 - state.n_dealt
    return state.deck if state.phase == PILING else 1


@rule
def happen(state: PokopopState, outcome: int) -> None:
    """A card is turned up."""
    next_step(state)
    state.unseen[outcome] -= 1
    if state.phase == DEALING:
        deal(state, outcome)
    elif state.phase == FLIPPING:
        flip(state, outcome)
    else:
        state.deck -= 1
        state.drawn[outcome] += 1
        if state.deck == 0:
            take_pile(state)


@rule
def deal(state: PokopopState, kind: int) -> None:
    """§2.1: a card face up on each Poko but the last, whose card lies face down."""
    if state.n_dealt == 0:
        clear_table(state)
    state.row[state.n_dealt] = kind
    state.n_dealt += 1
    state.deck -= 1
    if state.n_dealt == state.n_seats - 1:
        state.row[state.n_dealt] = FACE_DOWN
        state.deck -= 1
        state.phase = CHOOSING
        tell(state, DEALT, NOTHING, state.round, 0)


@rule
def clear_table(state: PokopopState) -> None:
    """§2.1: a new round begins at the first Poko with everybody in."""
    for poko in range(POKOS):
        state.row[poko] = NOTHING
        state.taken[poko] = NOTHING
        state.takers[poko] = NOTHING
    for seat in range(state.n_seats):
        state.shown[seat] = NOTHING
    state.poko = 0
    state.waits = 0
    state.inside = everyone(state)


@rule
def n_choices(state: PokopopState, seat: int) -> int:
    """§2.2: Poko! or Wait!"""
    return 2


@rule
def choice_at(state: PokopopState, seat: int, index: int) -> int:
    """§2.2: 0 is Wait!, 1 is Poko!"""
    return index


@rule
def is_legal(state: PokopopState, seat: int, choice: int) -> bool:
    """§2.2: Poko! or Wait!"""
    return choice in (POKO, WAIT)


@rule
def choose(state: PokopopState, seat: int, choice: int) -> None:
    """§2.2: a card goes face down; when the last one is in, all are turned up."""
    state.choice[seat] = choice
    state.chosen |= 1 << seat
    if state.chosen == state.inside:
        next_step(state)
        poppers = reveal(state)
        if state.phase == FINAL_CHOOSING:
            judge_final(state, poppers)
        else:
            judge(state, poppers)


@rule
def reveal(state: PokopopState) -> int:
    """§2.2: what was sealed lies open; the seats that played Poko!, as a bit set."""
    poppers = 0
    for seat in range(state.n_seats):
        state.shown[seat] = state.choice[seat]
        state.choice[seat] = NOTHING
        if state.shown[seat] == POKO:
            poppers |= 1 << seat
    state.chosen = 0
    return poppers


@rule
def judge(state: PokopopState, poppers: int) -> None:
    """§2.3: one seat takes the card; §2.4: several clash, in seat order (§3.1); §2.5: none, and all choose again."""
    if poppers == 0:
        wait_again(state)
    elif how_many(poppers) == 1:
        take(state, lowest(poppers))
    else:
        tell(state, CLASHED, poppers, 0, state.poko + 1)
        for seat in range(state.n_seats):
            if poppers >> seat & 1:
                take_minus(state, seat)
        state.phase = FLIPPING


@rule
def wait_again(state: PokopopState) -> None:
    """§2.5: the same Poko once more, until the table has waited too often (§2.8)."""
    state.waits += 1
    if state.waits == state.max_waits:
        tell(state, WAITED_OUT, NOTHING, state.waits, 0)
        state.phase = FLIPPING
    else:
        tell(state, ALL_WAITED, NOTHING, state.poko + 1, 0)


@rule
def take(state: PokopopState, seat: int) -> None:
    """§2.3: the card of this Poko is theirs and they are out; the last one in gets the last card (§2.6)."""
    kind = state.row[state.poko]
    state.face_up[seat][kind] += 1
    state.row[state.poko] = NOTHING
    state.taken[state.poko] = kind
    state.takers[state.poko] = seat
    state.inside &= ~(1 << seat)
    tell(state, TOOK, seat, kind, state.poko + 1)
    state.poko += 1
    state.waits = 0
    if state.poko == state.n_seats - 1:
        state.phase = FLIPPING


@rule
def take_minus(state: PokopopState, seat: int) -> None:
    """§3.1: a −1 from the deck, or else from the top of the carryover, or else none."""
    if state.deck > 0:
        state.deck -= 1
    elif state.pile_size > 0:
        state.pile_size -= 1
        state.pile[state.pile_size] = NOTHING
        state.pile_top = state.pile[state.pile_size - 1] if state.pile_size > 0 else NOTHING
    else:
        tell(state, SPARED, seat, 0, 0)
        return
    state.face_down[seat] += 1
    tell(state, MINUS, seat, 0, 0)


@rule
def flip(state: PokopopState, kind: int) -> None:
    """§2.6: the last player turns the last card up and takes it; §2.7: else it is turned up for the carryover."""
    last = state.n_seats - 1
    state.row[last] = kind
    tell(state, FLIPPED, NOTHING, kind, 0)
    if state.poko == last:
        take(state, lowest(state.inside))
    carry_over(state)
    finish_round(state)


@rule
def carry_over(state: PokopopState) -> None:
    """§3.2: what still lies on the Pokos joins the carryover in their order, the last one's card on top."""
    before = state.pile_size
    for poko in range(state.n_seats):
        if state.row[poko] != NOTHING:
            state.pile[state.pile_size] = state.row[poko]
            state.pile_top = state.row[poko]
            state.pile_size += 1
            state.row[poko] = NOTHING
    if state.pile_size > before:
        tell(state, LEFT_OVER, NOTHING, state.pile_size - before, state.pile_size)


@rule
def finish_round(state: PokopopState) -> None:
    """§4.1: another round if the deck can give a card for each player, else the final one."""
    state.round += 1
    state.n_dealt = 0
    state.phase = DEALING
    if state.deck < state.n_seats:
        state.inside = everyone(state)
        state.phase = FINAL_CHOOSING
        tell(state, FINAL, NOTHING, state.deck + state.pile_size, 0)


@rule
def judge_final(state: PokopopState, poppers: int) -> None:
    """§4.5: one reveal. §4.2: one seat takes the pile at face value; §4.3: several share it; §4.4: it stays."""
    size = state.deck + state.pile_size
    if poppers == 0:
        tell(state, PILE_STAYED, NOTHING, size, 0)
        finish_game(state)
    elif how_many(poppers) == 1:
        state.taker = lowest(poppers)
        state.phase = PILING
        if state.deck == 0:
            take_pile(state)
    else:
        share_pile(state, poppers, size)
        finish_game(state)


@rule
def share_pile(state: PokopopState, poppers: int, size: int) -> None:
    """§4.3: deck and carryover face down in equal parts; what can't be shared is set aside."""
    each = size // how_many(poppers)
    state.aside = size - each * how_many(poppers)
    for seat in range(state.n_seats):
        if poppers >> seat & 1:
            state.face_down[seat] += each
    state.deck = 0
    clear_pile(state)
    tell(state, SHARED_PILE, poppers, each, 0)


@rule
def clear_pile(state: PokopopState) -> None:
    """The carryover is gone."""
    for place in range(state.pile_size):
        state.pile[place] = NOTHING
    state.pile_size = 0
    state.pile_top = NOTHING


@rule
def take_pile(state: PokopopState) -> None:
    """§4.2: carryover and the deck's last cards, all face up."""
    size = state.pile_size
    for place in range(state.pile_size):
        state.face_up[state.taker][state.pile[place]] += 1
    for kind in range(KINDS):
        size += state.drawn[kind]
        state.face_up[state.taker][kind] += state.drawn[kind]
    clear_pile(state)
    tell(state, TOOK_PILE, state.taker, size, 0)
    finish_game(state)


@rule
def finish_game(state: PokopopState) -> None:
    """§5.3: most points win; a tie is a draw."""
    best = points(state, 0)
    for seat in range(1, state.n_seats):
        best = max(best, points(state, seat))
    for seat in range(state.n_seats):
        if points(state, seat) == best:
            state.winners |= 1 << seat
    state.phase = OVER
    state.ending = MOST_POINTS
    tell(state, WON if how_many(state.winners) == 1 else DRAWN, state.winners, best, 0)


@rule
def points(state: PokopopState, seat: int) -> int:
    """§5.1, §5.2: face-up values less one for each card face down; §6.2: icons for their own; §6.3: ×2 at the end."""
    total = -MINUS_COSTS * state.face_down[seat]
    for kind in range(KINDS):
        if kind < FIRST_ICON or kind == FIRST_ICON + seat:
            total += VALUES[kind] * state.face_up[seat][kind]
    return total << state.face_up[seat][DOUBLER]


HOLDS: Final = {
    "round": scale(lambda state: 1 + DECK // state.n_seats),
    "deck": scale(DECK),
    "unseen": scale(COPIES, placed_from=FIRST_ICON),
    "n_dealt": scale(POKOS),
    "row": few(KINDS + 1, named_from=FIRST_ICON),
    "taken": PAST,
    "takers": PAST,
    "poko": few(POKOS + 1),
    "inside": SOME_SEATS,
    "waits": scale(lambda state: state.max_waits or MOST_WAITS),
    "choice": few(2),
    "shown": PAST,
    "face_up": scale(COPIES, placed_from=FIRST_ICON),
    "face_down": scale(DECK),
    "pile": scale(KINDS, least=NOTHING, named_from=FIRST_ICON),
    "pile_size": scale(DECK),
    "pile_top": RETOLD,
    "aside": PAST,
    "taker": A_SEAT,
    "drawn": scale(COPIES, placed_from=FIRST_ICON),
}


def actions(state: PokopopState) -> tuple[range, ...]:
    """§2.2, §4.1: Poko! or Wait!, for a card or for the last pile."""
    return range(0), range(2), range(0), range(2), range(0), range(0)


def facts(view: PokopopState, seat: int) -> dict[str, int]:
    """How many Pokos there are (§2.1), and how many cards the final pile has (§4.1)."""
    known = {"pokos": view.n_seats}
    return {**known, "pile": view.deck + view.pile_size} if view.phase == FINAL_CHOOSING else known


def asked(view: PokopopState, seat: int) -> Said:
    """§2.2, §4.1: jump for the card on this Poko, or for the last pile?"""
    if view.phase == FINAL_CHOOSING:
        return "final", {"count": view.deck + view.pile_size}
    return "choose", {"poko": view.poko + 1, "card": view.row[view.poko]}


def said(view: PokopopState, seat: int, choice: int) -> Said:
    """A choice is Poko! or Wait!"""
    return ("poko" if choice == POKO else "wait"), {}


CARDS: Final = ("1", "1x2", "2", "3", "4", "5", "5@1", "5@2", "5@3", "5@4", "5@5")
_KINDS: Final = {word: kind for kind, word in enumerate(CARDS)}
_CHANCE_VERBS: Final = {DEALING: "deal", FLIPPING: "flip", PILING: "pile"}
_CHOICE_VERBS: Final = ("wait", "poko")


def _read_chance(state: PokopopState, words: Sequence[str]) -> list[int]:
    if words[0] != _CHANCE_VERBS[state.phase] or any(word not in _KINDS for word in words[1:]):
        verb = _CHANCE_VERBS[state.phase]
        raise Misread("pokopop/cards", f"now comes d {verb} and the cards", verb=verb)
    return [_KINDS[word] for word in words[1:]]


def _write_chance(phase: int, dealt_to: int, state: PokopopState, outcomes: Sequence[int], full: bool) -> str:
    cards = sorted(outcomes) if phase == PILING else outcomes
    return " ".join([_CHANCE_VERBS[phase], *(CARDS[kind] for kind in cards)])


def _read_choice(state: PokopopState, seat: int, words: Sequence[str]) -> int:
    if len(words) != 1 or words[0] not in _CHOICE_VERBS:
        raise Misread("pokopop/choice", "a choice is written poko or wait")
    return _CHOICE_VERBS.index(words[0])


def _write_choice(phase: int, state: PokopopState, choice: int) -> str:
    return _CHOICE_VERBS[choice]


def _seen_choice(view: PokopopState, seat: int) -> int:
    return view.shown[seat]


GAME: Final = Game(
    name="pokopop",
    title="Poko Pop!",
    seats=range(3, 6),
    usual_seats=4,
    options=(
        one_of("memory", "strict", "assisted"),
        number_in("max_waits", range(MOST_WAITS + 1), 12),
        one_of("effects", False, True),
    ),
    events=EVENTS,
    endings=ENDINGS,
    state=PokopopState,
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
