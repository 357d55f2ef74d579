"""Rules of thumb for Poko Pop! Chances are whole thousandths, so that every carrier mixes alike."""

import math

from pokade.games.pokopop import (
    DOUBLER,
    FACE_DOWN,
    FINAL_CHOOSING,
    FIRST_ICON,
    POKO,
    VALUES,
    WAIT,
    PokopopState,
    points,
)
from pokade.games.state import NOTHING, how_many, rule

ORDINARY = 3  # what a card that nobody has seen is worth on average
THOUSAND = 1000
LATER = 0.23  # the part of a later card that you can count on: mostly two clash before, and nobody gets it
KEEN, KEENER = 1.35, 0.1  # too shy leaves the cards to the others: above what just does not pay, more with each player
DUEL = 2.4  # with one rival left you are keener still, but only for a card that is better than the last one
SELDOM = 280  # thousandths: somebody has to go for a poor card too, and few others will
HARDLY = 30  # … and even for one that is worth nothing to anybody, or all might wait for ever
DISLIKE = 8  # times as seldom does a novice jump for a poor card
MOST = 900  # never surely, or the others can predict you
BEHIND = (670, 570, 460)  # for the last pile, with 3, 4 and 5 players: so often do those jump who trail …
AHEAD = (400, 150, 130)  # … and those who lead: with few players the pile goes to somebody else too easily


@rule
def novice(view: PokopopState, seat: int, luck: int) -> int:
    """One time in as many as are still in; for less than an ordinary card far more seldom."""
    return POKO if luck % shyness(view, seat) == 0 else WAIT


@rule
def shyness(view: PokopopState, seat: int) -> int:
    """Of how many chances novice takes one."""
    often = how_many(view.inside)
    if view.phase != FINAL_CHOOSING and worth(view, seat, view.row[view.poko]) < ORDINARY:
        often *= DISLIKE
    return often


@rule
def casual(view: PokopopState, seat: int, luck: int) -> int:
    """Jump the more often, the better the card and the fewer the rivals; at random, or the others can predict you."""
    return POKO if luck % THOUSAND < eagerness(view, seat) else WAIT


@rule
def eagerness(view: PokopopState, seat: int) -> int:
    """How many times in a thousand casual jumps."""
    if view.phase == FINAL_CHOOSING:
        return _for_the_pile(view, seat)
    rivals = how_many(view.inside) - 1
    card = worth(view, seat, view.row[view.poko])
    if rivals == 1:
        return _against_one(card, _rest(view, seat))
    # A player without a card now gets a later one, if the round lasts. Jumping should just not pay any more.
    share = (1.0 + LATER * _rest(view, seat) / rivals) / (1.0 + card)
    if share >= 1.0:
        return SELDOM if card > 0 else HARDLY
    keen = KEEN + KEENER * view.n_seats
    return min(MOST, max(SELDOM, int(keen * THOUSAND * (1.0 - math.pow(share, 1.0 / rivals)))))


@rule
def _against_one(card: int, last: float) -> int:
    """If the only rival takes this card, the last one is yours for nothing: jump only for a better one."""
    return min(MOST, max(HARDLY, int(DUEL * THOUSAND * (1.0 - (1.0 + last) / (1.0 + card)))))


@rule
def _rest(view: PokopopState, seat: int) -> float:
    """What all the later cards of this round are worth together."""
    total = 0.0
    for poko in range(view.poko + 1, view.n_seats):
        total += ORDINARY if view.row[poko] == FACE_DOWN else worth(view, seat, view.row[poko])
    return total


@rule
def _for_the_pile(view: PokopopState, seat: int) -> int:
    """A trailing player has little to lose; the leader does well if nobody takes the pile, or if several do."""
    if view.deck + view.pile_size == 0:
        return 0
    best = points(view, seat)
    for rival in range(view.n_seats):
        best = max(best, points(view, rival))
    size = view.n_seats - 3
    return AHEAD[size] if points(view, seat) == best else BEHIND[size]


@rule
def worth(view: PokopopState, seat: int, kind: int) -> int:
    """What a card is worth to this seat: another's icon nothing, ×2 as much as you have."""
    if kind == DOUBLER:
        return max(0, 1 + points(view, seat))
    if kind >= FIRST_ICON and kind != FIRST_ICON + seat:
        return 0
    return VALUES[kind]


@rule
def cautious(view: PokopopState, seat: int, luck: int) -> int:
    """Waits while many could clash."""
    return WAIT if how_many(view.inside) > 2 else NOTHING


@rule
def bold(view: PokopopState, seat: int, luck: int) -> int:
    """Jumps for every good card."""
    if view.phase == FINAL_CHOOSING or worth(view, seat, view.row[view.poko]) > ORDINARY:
        return POKO
    return NOTHING


@rule
def bluffer(view: PokopopState, seat: int, luck: int) -> int:
    """Jumps for a poor card, where nobody expects company, and leaves the good ones to the others' quarrel."""
    if view.phase == FINAL_CHOOSING:
        return NOTHING
    card = worth(view, seat, view.row[view.poko])
    if card == 0:
        return NOTHING
    return POKO if card < ORDINARY else WAIT
