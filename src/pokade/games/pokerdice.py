"""Pokerdice: see the throw, promise an objective in secret, trust or spoil the rethrows.

§ marks: docs/rules/pokerdice.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pokade.games.cells import A_SEAT, few, scale, some
from pokade.games.errors import Misread
from pokade.games.game import Event, Game, Option, Said, Value, Words, one_of
from pokade.games.state import (
    CHANCE,
    NOBODY,
    NOTHING,
    UNKNOWN,
    Seats,
    State,
    everyone,
    hidden,
    how_many,
    lowest,
    next_step,
    nth,
    public,
    rule,
    sealed,
    tell,
)

SEATS: Final = Seats(5)
DICE: Final = 5
FACES: Final = 6
ALL_DICE: Final = 31
RETHROWS: Final = 2
ROUNDS: Final = 10
OBJECTIVES: Final = 10
JOKER, PAIR, THREE, TWO_PAIRS, SMALL_STRAIGHT, NO_EVENS, NO_ODDS, FULL_HOUSE, LONG_STRAIGHT, FOUR = range(10)
VALUES: Final = (1, 1, 2, 3, 3, 4, 4, 5, 7, 7)  # points of each objective
CAPTURED_VALUE: Final = 1
ALL_CARDS: Final = (1 << OBJECTIVES) - 1
DOUBLE: Final = 1  # option variant
PAIRS: Final = tuple(divmod(pair, OBJECTIVES) for pair in range(OBJECTIVES**2))  # by choice, its two cards (§6.1)
STOP: Final = 0  # a rethrow of no dice

BEGINNING, THROWING, CHOOSING, RETHROWING, OVER = 0, 1, 2, 3, 4  # phases

FIRST, THROWN, TURNED_UP, RETHROWN, STOPPED, REVEALED, SCORED, LOST, CAPTURED, WON, WON_LATER = range(11)
EVENTS: Final = (
    Event("first", who="seat"),
    Event("thrown", who="seat", what="digits", look=0.5),
    Event("turned_up", who="seat", what="objective", look=0.8),
    Event("rethrown", who="seat", what="number"),
    Event("stopped", who="seat"),
    Event("revealed", what="digits", look=4.2),
    Event("scored", who="seat", what="objective", more="number"),
    Event("lost", who="seat", what="objective"),
    Event("captured", who="seat", what="objective", more="seat"),
    Event("won", who="seats", what="number"),
    Event("won_later", who="seats", what="number"),
)
ENDINGS: Final = ("on", "points", "last-active")
MOST_POINTS, LAST_ACTIVE = 1, 2


@dataclass(slots=True)
class PokerdiceState(State):
    """A table of Pokerdice."""

    variant: int = public()
    equal_turns: int = public()
    first_active: int = public()
    active: int = public(start=NOTHING)  # the active player's seat
    dice: list[int] = public(DICE)  # the faces of the five dice, 1 to 6; 0 before a die is thrown
    thrown: list[int] = public(DICE)  # the first throw of the round, by which everybody chooses; 0 before it lies
    again: int = public()  # bit set of the dice still to be thrown
    rethrows: int = public()  # how often the active player has thrown again in this round
    hand: list[int] = public(SEATS)  # bit set of the objectives that each seat has not shown yet
    second: list[int] = public(SEATS)  # double game: bit set of the objectives that each seat still has twice
    choice: list[int] = sealed(SEATS)  # the card that each seat has sealed, coded like a choice, or NOTHING
    chosen: int = hidden()  # bit set of the seats that have chosen: a tell, so nobody sees it
    shown: list[int] = public(SEATS, start=NOTHING)  # this round's cards as far as they lie open, coded like a choice
    scored: list[list[int]] = public(SEATS, OBJECTIVES)  # cards that each seat has scored, by objective
    lost: list[list[int]] = public(SEATS, OBJECTIVES)  # cards that each seat missed as active player: out of the game
    captured: list[list[int]] = public(SEATS, OBJECTIVES)  # cards that each seat took from others, by objective
    score: list[int] = public(SEATS)  # points of each seat so far


@rule
def begin(state: PokerdiceState) -> None:
    """§1.3: the same ten cards for all; two sets each in the double game (§6.1)."""
    for seat in range(state.n_seats):
        state.hand[seat] = ALL_CARDS
        state.second[seat] = ALL_CARDS if state.variant == DOUBLE else 0
    state.round = 1


@rule
def turn(state: PokerdiceState) -> int:
    """§2: the dice, everybody's card at once, then the active player alone."""
    if state.phase == CHOOSING:
        return everyone(state)
    if state.phase == RETHROWING:
        return 1 << state.active
    return NOBODY if state.phase == OVER else CHANCE


@rule
def tickets(state: PokerdiceState) -> int:
    """§2.1: any seat may be the first active one, unless the table has said which; a die has six faces."""
    if state.phase == THROWING:
        return FACES
    return state.n_seats if state.first_active == 0 else 1


@rule
def outcome_at(state: PokerdiceState, ticket: int) -> int:
    """The face a die shows (1 to 6), or the seat that is active first."""
    if state.phase == THROWING:
        return ticket + 1
    return ticket if state.first_active == 0 else state.first_active - 1


@rule
def weight(state: PokerdiceState, outcome: int) -> int:
    """Every face, and every seat that may be first, is equally likely."""
    if state.phase == THROWING:
        return 1 if 1 <= outcome <= FACES else 0
    if state.first_active > 0:
        return 1 if outcome == state.first_active - 1 else 0
    return 1 if 0 <= outcome < state.n_seats else 0


@rule
def together(state: PokerdiceState) -> int:
    """§2.2: the dice of a throw come together."""
    return how_many(state.again) if state.phase == THROWING else 1


@rule
def happen(state: PokerdiceState, outcome: int) -> None:
    """§2.1, §2.2: somebody is active first; the next die lies."""
    next_step(state)
    if state.phase == BEGINNING:
        state.active = outcome
        tell(state, FIRST, outcome, 0, 0)
        prepare_throw(state)
        return
    if state.rethrows == 0 and state.again == ALL_DICE:
        clear_table(state)
    state.dice[lowest(state.again)] = outcome
    state.again &= state.again - 1
    if state.again == 0:
        tell(state, THROWN, state.active, dice_as_digits(state), 0)
        finish_throw(state)


@rule
def prepare_throw(state: PokerdiceState) -> None:
    """§2.2: a round begins with all five dice."""
    state.rethrows = 0
    state.again = ALL_DICE
    state.phase = THROWING


@rule
def clear_table(state: PokerdiceState) -> None:
    """The last round's dice and cards make room."""
    for die in range(DICE):
        state.dice[die] = 0
        state.thrown[die] = 0
    for seat in range(state.n_seats):
        state.shown[seat] = NOTHING


@rule
def dice_as_digits(state: PokerdiceState) -> int:
    """The five faces as one decimal number, for telling."""
    digits = 0
    for die in range(DICE):
        digits = digits * 10 + state.dice[die]
    return digits


@rule
def finish_throw(state: PokerdiceState) -> None:
    """§2.3: after the first throw all choose; after the second rethrow the round resolves by itself (§2.6)."""
    if state.rethrows == 0:
        for die in range(DICE):
            state.thrown[die] = state.dice[die]
        state.phase = CHOOSING
    elif state.rethrows < RETHROWS:
        state.phase = RETHROWING
    else:
        resolve(state)


@rule
def n_choices(state: PokerdiceState, seat: int) -> int:
    """§2.3, §2.5: the cards in hand, pairs of them in the double game (§6.1), or any set of dice to throw again."""
    if state.phase == RETHROWING:
        return ALL_DICE + 1
    cards = how_many(state.hand[seat])
    if state.variant == DOUBLE:
        return cards * (cards - 1) // 2 + how_many(state.second[seat])
    return cards


@rule
def choice_at(state: PokerdiceState, seat: int, index: int) -> int:
    """The choices in order: dice as a bit set, a card, or a pair of cards as the lower one × 10 + the higher one."""
    if state.phase == RETHROWING:
        return index
    if state.variant == DOUBLE:
        return pair_at(state, seat, index)
    return nth(state.hand[seat], index)


@rule
def pair_at(state: PokerdiceState, seat: int, index: int) -> int:
    """§6.1: the pairs of cards that can be played together, in order."""
    for pair in range(OBJECTIVES * OBJECTIVES):
        if can_pair(state, seat, pair):
            if index == 0:
                return pair
            index -= 1
    return NOTHING


@rule
def can_pair(state: PokerdiceState, seat: int, pair: int) -> bool:
    """§6.1: two different cards in hand, lower one first, or one that is there twice."""
    low, high = pair // OBJECTIVES, pair % OBJECTIVES
    if low == high:
        return state.second[seat] >> low & 1 == 1
    return low < high and state.hand[seat] >> low & state.hand[seat] >> high & 1 == 1


@rule
def is_legal(state: PokerdiceState, seat: int, choice: int) -> bool:
    """§2.3, §2.5: only cards in hand; any dice."""
    if choice < 0:
        return False
    if state.phase == RETHROWING:
        return choice <= ALL_DICE
    if state.variant == DOUBLE:
        return choice < OBJECTIVES * OBJECTIVES and can_pair(state, seat, choice)
    return choice < OBJECTIVES and state.hand[seat] >> choice & 1 == 1


@rule
def choose(state: PokerdiceState, seat: int, choice: int) -> None:
    """§2.3, §2.5: a card face down before its owner, or dice to throw again."""
    if state.phase == RETHROWING:
        throw_again(state, choice)
        return
    state.choice[seat] = choice
    state.chosen |= 1 << seat
    if state.chosen == everyone(state):
        turn_up(state)


@rule
def turn_up(state: PokerdiceState) -> None:
    """§2.4: only the active player's card is turned up, or both of them (§6.2)."""
    next_step(state)
    state.chosen = 0
    reveal(state, state.active)
    for index in range(1 + state.variant):
        tell(state, TURNED_UP, state.active, card_of(state, state.active, index), 0)
    state.phase = RETHROWING


@rule
def reveal(state: PokerdiceState, seat: int) -> None:
    """A sealed card becomes public, and only now leaves the hand that everybody can see."""
    state.shown[seat] = state.choice[seat]
    state.choice[seat] = NOTHING
    for index in range(1 + state.variant):
        card = 1 << card_of(state, seat, index)
        if state.second[seat] & card:
            state.second[seat] ^= card
        else:
            state.hand[seat] ^= card


@rule
def card_of(state: PokerdiceState, seat: int, index: int) -> int:
    """The card that lies open before a seat; in the double game the lower or the higher of the two."""
    if state.variant == 0:
        return state.shown[seat]
    return state.shown[seat] // OBJECTIVES if index == 0 else state.shown[seat] % OBJECTIVES


@rule
def throw_again(state: PokerdiceState, dice: int) -> None:
    """§2.5: the dice named are thrown again; naming none is stopping."""
    next_step(state)
    if dice == STOP:
        tell(state, STOPPED, state.active, 0, 0)
        resolve(state)
    else:
        tell(state, RETHROWN, state.active, how_many(dice), dice)
        state.rethrows += 1
        state.again = dice
        state.phase = THROWING


@rule
def met_objectives(state: PokerdiceState) -> int:
    """§3: the objectives that the five dice meet, as a bit set."""
    tally = 0  # four bits a face
    for die in range(DICE):
        tally += 1 << 4 * state.dice[die]
    most = pairs = run = longest = odd = even = 0
    for face in range(1, FACES + 1):
        count = tally >> 4 * face & 15
        most = max(most, count)
        pairs += 1 if count >= 2 else 0
        run = run + 1 if count else 0
        longest = max(longest, run)
        odd += count if face % 2 == 1 else 0
        even += count if face % 2 == 0 else 0
    met = 1 << JOKER
    met |= (1 << PAIR) if most >= 2 else 0
    met |= (1 << THREE) if most >= 3 else 0
    met |= (1 << TWO_PAIRS) if pairs == 2 else 0
    met |= (1 << SMALL_STRAIGHT) if longest >= 4 else 0
    met |= (1 << NO_EVENS) if even == 0 else 0
    met |= (1 << NO_ODDS) if odd == 0 else 0
    met |= (1 << FULL_HOUSE) if most == 3 and pairs == 2 else 0
    met |= (1 << LONG_STRAIGHT) if longest >= 5 else 0
    met |= (1 << FOUR) if most >= 4 else 0
    return met


@rule
def resolve(state: PokerdiceState) -> None:
    """§2.6: the others turn their cards up too, and each card is checked on its own (§6.3)."""
    for seat in range(state.n_seats):
        if seat != state.active:
            reveal(state, seat)
    tell(state, REVEALED, NOTHING, dice_as_digits(state), 0)
    met = met_objectives(state)
    for step in range(state.n_seats):
        seat = (state.active + step) % state.n_seats
        for index in range(1 + state.variant):
            check(state, seat, card_of(state, seat, index), met)
    finish_round(state)


@rule
def check(state: PokerdiceState, seat: int, card: int, met: int) -> None:
    """§4.1: met scores; §4.2: the active player's miss is out; §4.3: another's miss goes to the active player."""
    if met >> card & 1:
        state.scored[seat][card] += 1
        state.score[seat] += VALUES[card]
        tell(state, SCORED, seat, card, VALUES[card])
    elif seat == state.active:
        state.lost[seat][card] += 1
        tell(state, LOST, seat, card, 0)
    else:
        state.captured[state.active][card] += 1
        state.score[state.active] += CAPTURED_VALUE
        tell(state, CAPTURED, state.active, card, seat)


@rule
def n_rounds(state: PokerdiceState) -> int:
    """§5.1: ten rounds; with equal turns (§5.2) as many as give everybody the same number of turns."""
    return ROUNDS - ROUNDS % state.n_seats if state.equal_turns else ROUNDS


@rule
def finish_round(state: PokerdiceState) -> None:
    """§2.7: the active role moves left; after the last round (§5.1) the most points win."""
    if state.round == n_rounds(state):
        finish_game(state)
        return
    state.round += 1
    state.active = (state.active + 1) % state.n_seats
    prepare_throw(state)


@rule
def finish_game(state: PokerdiceState) -> None:
    """§5.3: most points; §5.4: among equals the seat that was active last."""
    best = 0
    for seat in range(state.n_seats):
        best = max(best, state.score[seat])
    tied = 0
    for seat in range(state.n_seats):
        if state.score[seat] == best:
            tied |= 1 << seat
    winner = state.active
    while not tied >> winner & 1:
        winner = (winner - 1) % state.n_seats
    state.phase = OVER
    state.winners = 1 << winner
    state.ending = MOST_POINTS if how_many(tied) == 1 else LAST_ACTIVE
    tell(state, WON if state.ending == MOST_POINTS else WON_LATER, state.winners, best, 0)


@rule
def points(state: PokerdiceState, seat: int) -> int:
    """§4.4: the points of the cards that a seat has won."""
    return state.score[seat]


def n_cards(state: PokerdiceState) -> int:
    """§2.3: a card is one of ten; §6.1: a pair of them one of a hundred."""
    return OBJECTIVES**2 if state.variant == DOUBLE else OBJECTIVES


HOLDS: Final = {
    "round": scale(ROUNDS),
    "active": A_SEAT,
    "dice": few(FACES + 1),
    "thrown": few(FACES + 1),  # what the others have sealed was chosen by it
    "again": some(DICE),
    "rethrows": few(RETHROWS + 1),
    "hand": some(OBJECTIVES),
    "second": some(OBJECTIVES),
    "choice": few(n_cards),
    "shown": few(n_cards),
    "scored": scale(2),
    "lost": scale(2),
    "captured": scale(SEATS - 1),
    "score": scale(100),
}


def actions(state: PokerdiceState) -> tuple[range, ...]:
    """§2.3: cards; §2.5: then sets of dice."""
    cards = n_cards(state)
    return range(0), range(0), range(cards), range(cards, cards + ALL_DICE + 1), range(0)


def facts(view: PokerdiceState, seat: int) -> dict[str, int]:
    """All rounds (§5.1, §5.2), the rethrows left (§2.5), and the objectives met now (§3), as a bit set."""
    known = {"rounds": n_rounds(view), "left": RETHROWS - view.rethrows}
    return {**known, "met": met_objectives(view)} if view.phase in (CHOOSING, RETHROWING) else known


def asked(view: PokerdiceState, seat: int) -> Said:
    """§2.3: a card, or two (§6.1); §2.5: dice to throw again."""
    if view.phase == RETHROWING:
        return "rethrow", {"left": RETHROWS - view.rethrows}
    return ("two_cards" if view.variant == DOUBLE else "card"), {}


def said(view: PokerdiceState, seat: int, choice: int) -> Said:
    """A choice is a card, a pair of cards, or the places of the dice that go again."""
    if view.phase == RETHROWING:
        places = " ".join(str(die + 1) for die in range(DICE) if choice >> die & 1)
        return ("rethrow", {"dice": places}) if places else ("stop", {})
    if view.variant == DOUBLE:
        first, second = PAIRS[choice]
        return "two_cards", {"first": first, "second": second}
    return "card", {"card": choice}


NAMES: Final = (
    "joker",
    "pair",
    "three",
    "two-pairs",
    "small-straight",
    "no-evens",
    "no-odds",
    "full-house",
    "long-straight",
    "four",
)
_CARDS: Final = {name: card for card, name in enumerate(NAMES)}
_FACE_WORDS: Final = {str(face): face for face in range(1, FACES + 1)}
_POSITIONS: Final = {str(die + 1): die for die in range(DICE)}


def _read_chance(state: PokerdiceState, words: Sequence[str]) -> list[int]:
    if state.phase == BEGINNING:
        if len(words) != 2 or words[0] != "first" or not words[1].startswith("p") or words[1][1:] not in _FACE_WORDS:
            raise Misread("pokerdice/first", "first comes d first and a seat")
        return [_FACE_WORDS[words[1][1:]] - 1]
    if words[0] != "roll" or any(word not in _FACE_WORDS for word in words[1:]):
        raise Misread("pokerdice/throw", "a throw is written d roll and the faces, 1 to 6")
    return [_FACE_WORDS[word] for word in words[1:]]


def _write_chance(phase: int, dealt_to: int, state: PokerdiceState, outcomes: Sequence[int], full: bool) -> str:
    if phase == BEGINNING:
        return f"first p{outcomes[0] + 1}"
    return "roll " + " ".join(map(str, outcomes))


def _read_choice(state: PokerdiceState, seat: int, words: Sequence[str]) -> int:
    if state.phase == RETHROWING:
        return _read_rethrow(words)
    cards = sorted(_CARDS.get(word, NOTHING) for word in words[1:])
    if words[0] != "card" or len(cards) != 1 + state.variant or NOTHING in cards:
        number = 1 + state.variant
        raise Misread("pokerdice/card", f"a choice is written card and objectives, here {number}", number=number)
    return cards[0] if state.variant == 0 else cards[0] * OBJECTIVES + cards[1]


def _read_rethrow(words: Sequence[str]) -> int:
    if list(words) == ["stop"]:
        return STOP
    positions = [_POSITIONS.get(word, NOTHING) for word in words[1:]]
    if words[0] != "rethrow" or not positions or NOTHING in positions or sorted(set(positions)) != positions:
        sentence = "the active player writes stop, or rethrow and positions 1 to 5 in ascending order"
        raise Misread("pokerdice/rethrow", sentence)
    return sum(1 << die for die in positions)


def _write_choice(phase: int, state: PokerdiceState, choice: int) -> str:
    if phase == RETHROWING:
        return "rethrow " + " ".join(str(d + 1) for d in range(DICE) if choice >> d & 1) if choice else "stop"
    if choice == UNKNOWN:
        return "card ?" + " ?" * state.variant
    cards = (choice,) if state.variant == 0 else PAIRS[choice]
    return " ".join(["card", *(NAMES[card] for card in cards)])


def _seen_choice(view: PokerdiceState, seat: int) -> int:
    return view.shown[seat] if view.shown[seat] != NOTHING else view.choice[seat]


def _first_active(n_seats: int) -> Sequence[Value]:
    return ("nature", *(f"p{seat + 1}" for seat in range(n_seats)))


GAME: Final = Game(
    name="pokerdice",
    title="Pokerdice",
    seats=range(2, 6),
    usual_seats=3,
    options=(
        Option("variant", lambda n: ("normal", "double") if n == 2 else ("normal",), lambda _: "normal"),
        one_of("equal_turns", False, True),
        Option("first_active", _first_active, lambda _: "nature"),
    ),
    events=EVENTS,
    endings=ENDINGS,
    state=PokerdiceState,
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
