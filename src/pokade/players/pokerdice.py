"""Rules of thumb for Pokerdice."""

from pokade.games.pokerdice import (
    DICE,
    DOUBLE,
    FACES,
    FOUR,
    FULL_HOUSE,
    JOKER,
    LONG_STRAIGHT,
    NO_EVENS,
    NO_ODDS,
    OBJECTIVES,
    PAIR,
    RETHROWING,
    SMALL_STRAIGHT,
    STOP,
    THREE,
    VALUES,
    PokerdiceState,
    choice_at,
    met_objectives,
    n_choices,
)
from pokade.games.state import NOTHING, rule

NEEDED = (0, 2, 3, 4, 4, 5, 5, 5, 5, 4)  # how many dice an objective is made of
# In a hundred: how often the active player gets there with so many dice wrong, and how often anyone else does,
# whose dice are thrown again for somebody else's sake.
MINE = (100, 50, 22, 9, 4, 2)
OTHERS = (55, 22, 10, 5, 2, 1)
# The same for an objective on an ordinary day.
USUALLY_MINE = (100, 99, 70, 65, 62, 30, 30, 37, 26, 29)
USUALLY_OTHERS = (100, 85, 35, 35, 25, 10, 10, 12, 6, 10)


@rule
def casual(view: PokerdiceState, seat: int, luck: int) -> int:
    """Play the card that today's dice favour most over an ordinary day; throw again what does not help it."""
    if view.phase == RETHROWING:
        return _rethrow(view)
    best = NOTHING
    best_gain = 0
    count = n_choices(view, seat)
    for offset in range(count):
        choice = choice_at(view, seat, (luck + offset) % count)
        gain = _gain(view, seat, choice)
        if best == NOTHING or gain > best_gain:
            best, best_gain = choice, gain
    return best


@rule
def _gain(view: PokerdiceState, seat: int, choice: int) -> int:
    """What a choice is worth today beyond its ordinary worth; two cards in the double game add up."""
    if view.variant == DOUBLE:
        return _gain_of(view, seat, choice // OBJECTIVES) + _gain_of(view, seat, choice % OBJECTIVES)
    return _gain_of(view, seat, choice)


@rule
def _gain_of(view: PokerdiceState, seat: int, card: int) -> int:
    """Points times the chance today, less points times the usual chance."""
    if card == JOKER:
        return 0
    wrong = _wrong(view, card)
    if seat == view.active:
        return VALUES[card] * (MINE[wrong] - USUALLY_MINE[card])
    return VALUES[card] * (OTHERS[wrong] - USUALLY_OTHERS[card])


@rule
def _count(view: PokerdiceState, face: int) -> int:
    """How many dice show a face."""
    count = 0
    for die in range(DICE):
        if view.dice[die] == face:
            count += 1
    return count


@rule
def _top(view: PokerdiceState, but: int) -> int:
    """The face that most dice show, the higher among equals, one face left out."""
    best = NOTHING
    for face in range(1, FACES + 1):
        if face != but and (best == NOTHING or _count(view, face) >= _count(view, best)):
            best = face
    return best


@rule
def _window(view: PokerdiceState, length: int) -> int:
    """The lowest face of the straight that has the most dice already."""
    best = 1
    for low in range(1, FACES - length + 2):
        if _in_window(view, low, length) > _in_window(view, best, length):
            best = low
    return best


@rule
def _in_window(view: PokerdiceState, low: int, length: int) -> int:
    """How many different faces of a straight lie."""
    found = 0
    for face in range(low, low + length):
        if _count(view, face) > 0:
            found += 1
    return found


@rule
def _wrong(view: PokerdiceState, card: int) -> int:
    """How many dice, at the least, must change to meet an objective."""
    kept = 0
    for face in range(1, FACES + 1):
        kept += min(_count(view, face), _useful(view, card, face))
    return max(0, NEEDED[card] - kept)


@rule
def _useful(view: PokerdiceState, card: int, face: int) -> int:
    """How many dice with a face help an objective."""
    if card == JOKER:
        return 0
    if card in (NO_EVENS, NO_ODDS):
        return DICE if (face % 2 == 1) == (card == NO_EVENS) else 0
    if card in (SMALL_STRAIGHT, LONG_STRAIGHT):
        length = 4 if card == SMALL_STRAIGHT else 5
        low = _window(view, length)
        return 1 if low <= face < low + length else 0
    top = _top(view, NOTHING)
    if card in (PAIR, THREE, FOUR):
        return DICE if face == top else 0
    if face == top:
        return 3 if card == FULL_HOUSE else 2
    return 2 if face == _top(view, top) else 0


@rule
def _rethrow(view: PokerdiceState) -> int:
    """Stop once all is met; else throw again what does not help the dearest card that is not."""
    met = met_objectives(view)
    target = NOTHING
    for index in range(1 + view.variant):
        card = view.shown[view.active]
        if view.variant == DOUBLE:
            card = card // OBJECTIVES if index == 0 else card % OBJECTIVES
        if not met >> card & 1 and (target == NOTHING or VALUES[card] > VALUES[target]):
            target = card
    return STOP if target == NOTHING else _useless(view, target)


@rule
def _useless(view: PokerdiceState, card: int) -> int:
    """The dice that do not help an objective, as a bit set."""
    dice = 0
    for die in range(DICE):
        before = 0
        for earlier in range(die):
            if view.dice[earlier] == view.dice[die]:
                before += 1
        if before >= _useful(view, card, view.dice[die]):
            dice |= 1 << die
    return dice
