"""Rules of thumb for Pokerdice."""

from pokade.games.pokerdice import (
    ALL_DICE,
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
# In a hundred: how often the active player gets to each objective with so many dice wrong …
MINE = (
    (100, 100, 100, 100, 100, 100),
    (100, 99, 99, 99, 99, 99),
    (100, 70, 55, 55, 55, 55),
    (100, 65, 55, 55, 55, 55),
    (100, 60, 45, 40, 40, 40),
    (100, 75, 55, 40, 30, 25),
    (100, 75, 55, 40, 30, 25),
    (100, 45, 25, 20, 20, 20),
    (100, 33, 20, 15, 15, 15),
    (100, 50, 25, 15, 15, 15),
)
# … and how often anyone else does, whose dice are thrown again for somebody else's sake.
OTHERS = (
    (100, 100, 100, 100, 100, 100),
    (95, 55, 55, 55, 55, 55),
    (80, 30, 10, 10, 10, 10),
    (70, 30, 20, 20, 20, 20),
    (70, 10, 3, 1, 1, 1),
    (55, 35, 15, 3, 0, 0),
    (55, 35, 15, 3, 0, 0),
    (60, 15, 5, 2, 2, 2),
    (60, 10, 2, 1, 1, 1),
    (60, 25, 3, 1, 1, 1),
)
# What a card is good for on another day, in hundredths of a point: the sure ones are a refuge from bad dice.
KEPT = (235, 215, 175, 250, 205, 215, 215, 190, 205, 225)
DEAR = 4  # points from which a card is a dear one
WHIM = 60  # hundredths of a point by which a judgement sways, so that nobody can count on it


@rule
def novice(view: PokerdiceState, seat: int, luck: int) -> int:
    """A child plays the dearest card that lies there already, else any card, and stops as soon as it is met."""
    if view.phase == RETHROWING:
        return _towards(view, False)
    met = met_objectives(view)
    count = n_choices(view, seat)
    best = choice_at(view, seat, luck % count)
    most = 0
    for index in range(count):
        choice = choice_at(view, seat, index)
        points = _points(choice % OBJECTIVES, met)
        if view.variant == DOUBLE:
            points += _points(choice // OBJECTIVES, met)
        if points > most:
            best, most = choice, points
    return best


@rule
def _points(card: int, met: int) -> int:
    """What a card scores if the dice stay as they are."""
    return VALUES[card] if met >> card & 1 else 0


@rule
def casual(view: PokerdiceState, seat: int, luck: int) -> int:
    """Play the card that these dice favour most over another day; throw again what it does not need."""
    if view.phase == RETHROWING:
        return _towards(view, True)
    tally = tally_of(view)
    best = NOTHING
    best_gain = 0
    count = n_choices(view, seat)
    for index in range(count):
        choice = choice_at(view, seat, index)
        gain = _gain(view, seat, choice % OBJECTIVES, tally) + _whim(luck, choice)
        if view.variant == DOUBLE:
            gain += _gain(view, seat, choice // OBJECTIVES, tally)
        if best == NOTHING or gain > best_gain:
            best, best_gain = choice, gain
    return best


@rule
def _whim(luck: int, choice: int) -> int:
    """How today's mood sways the judgement of a choice."""
    return (luck >> choice % 20) % 61 * WHIM // 60


@rule
def _gain(view: PokerdiceState, seat: int, card: int, tally: int) -> int:
    """Points times the chance today, less what the card is worth later; another's miss is the active player's gain."""
    wrong = wrong_dice(tally, card)
    if seat == view.active:
        return VALUES[card] * MINE[card][wrong] - KEPT[card]
    chance = OTHERS[card][wrong]
    return VALUES[card] * chance - (100 - chance) // (view.n_seats - 1) - KEPT[card]


@rule
def tally_of(view: PokerdiceState) -> int:
    """How many dice show each face, four bits a face."""
    tally = 0
    for die in range(DICE):
        tally += 1 << 4 * view.dice[die]
    return tally


@rule
def _top(tally: int, but: int) -> int:
    """The face that most dice show, the higher among equals, one face left out."""
    best, most = 0, 0
    for face in range(1, FACES + 1):
        count = tally >> 4 * face & 15
        if face != but and count >= most:
            best, most = face, count
    return best


@rule
def _window(tally: int, length: int) -> int:
    """The lowest face of the straight that has the most dice already."""
    best, most = 1, 0
    for low in range(1, FACES - length + 2):
        found = 0
        for face in range(low, low + length):
            found += 1 if tally >> 4 * face & 15 else 0
        if found > most:
            best, most = low, found
    return best


@rule
def _useful(tally: int, card: int) -> int:
    """How many dice of each face an objective can use, four bits a face."""
    useful = 0
    if card in (NO_EVENS, NO_ODDS):
        for face in range(1 if card == NO_EVENS else 2, FACES + 1, 2):
            useful += DICE << 4 * face
    elif card in (SMALL_STRAIGHT, LONG_STRAIGHT):
        length = 4 if card == SMALL_STRAIGHT else 5
        low = _window(tally, length)
        for face in range(low, low + length):
            useful += 1 << 4 * face
    elif card != JOKER:
        top = _top(tally, NOTHING)
        if card in (PAIR, THREE, FOUR):
            return NEEDED[card] << 4 * top
        useful = (3 if card == FULL_HOUSE else 2) << 4 * top
        useful += 2 << 4 * _top(tally, top)
    return useful


@rule
def wrong_dice(tally: int, card: int) -> int:
    """How many dice, at the least, must change to meet an objective."""
    kept = 0
    useful = _useful(tally, card)
    for face in range(1, FACES + 1):
        kept += min(tally >> 4 * face & 15, useful >> 4 * face & 15)
    return max(0, NEEDED[card] - kept)


@rule
def _towards(view: PokerdiceState, spoils: bool) -> int:
    """Throw again what does not help the dearest card that is not met; once all are met stop, or spoil others' dice."""
    met = met_objectives(view)
    target = NOTHING
    for index in range(1 + view.variant):
        card = _shown(view, index)
        if not met >> card & 1 and (target == NOTHING or VALUES[card] > VALUES[target]):
            target = card
    if target != NOTHING:
        return _useless(view, target)
    return _spare(view) if spoils and _is_promising(view, met) else STOP


@rule
def _shown(view: PokerdiceState, index: int) -> int:
    """The active player's card, or one of the two."""
    shown = view.shown[view.active]
    return shown % OBJECTIVES if index == 0 else shown // OBJECTIVES


@rule
def _is_promising(view: PokerdiceState, met: int) -> bool:
    """Could a rival score more than a trifle with the dice as they lie?"""
    for seat in range(view.n_seats):
        if seat != view.active:
            for card in range(OBJECTIVES):
                if VALUES[card] > 2 and (view.hand[seat] & met) >> card & 1:
                    return True
    return False


@rule
def _spare(view: PokerdiceState) -> int:
    """The dice that none of your own cards needs: the others have sealed what these dice promised."""
    dice = ALL_DICE
    for index in range(1 + view.variant):
        dice &= _useless(view, _shown(view, index))
    return dice


@rule
def _useless(view: PokerdiceState, card: int) -> int:
    """The dice that do not help an objective, as a bit set."""
    useful = _useful(tally_of(view), card)
    dice = 0
    for die in range(DICE):
        if useful >> 4 * view.dice[die] & 15:
            useful -= 1 << 4 * view.dice[die]
        else:
            dice |= 1 << die
    return dice


@rule
def cautious(view: PokerdiceState, seat: int, luck: int) -> int:
    """Likes what lies there already, be it cheap, and never risks a card that is met."""
    met = met_objectives(view)
    if view.phase == RETHROWING:
        return STOP if _all_met(view, met) else NOTHING
    return _liked(view, seat, luck, met)


@rule
def bold(view: PokerdiceState, seat: int, luck: int) -> int:
    """Likes the dear cards while the dice are not hopeless for them."""
    if view.phase == RETHROWING:
        return NOTHING
    tally = tally_of(view)
    dear = 0
    for card in range(OBJECTIVES):
        if VALUES[card] >= DEAR and wrong_dice(tally, card) <= 2:
            dear |= 1 << card
    return _liked(view, seat, luck, dear)


@rule
def bluffer(view: PokerdiceState, seat: int, luck: int) -> int:
    """When active: a card that is met anyhow over dice that promise others more, and then all other dice go again."""
    if seat != view.active:
        return NOTHING
    met = met_objectives(view)
    if view.phase == RETHROWING:
        return _spare(view) if _all_met(view, met) else NOTHING
    return _liked(view, seat, luck, met & (1 << JOKER | 1 << PAIR)) if _is_promising(view, met) else NOTHING


@rule
def _all_met(view: PokerdiceState, met: int) -> bool:
    """Is every open card of the active player met?"""
    return met >> _shown(view, 0) & 1 == 1 and met >> _shown(view, view.variant) & 1 == 1


@rule
def _liked(view: PokerdiceState, seat: int, luck: int, cards: int) -> int:
    """Any of the choices that are made of these cards only, or NOTHING."""
    count = n_choices(view, seat)
    for index in range(count):
        choice = choice_at(view, seat, (luck + index) % count)
        if cards >> choice % OBJECTIVES & 1 and (view.variant != DOUBLE or cards >> choice // OBJECTIVES & 1):
            return choice
    return NOTHING
