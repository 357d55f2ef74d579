"""Rules of thumb for Poko Pop!"""

from pokade.games.pokopop import DOUBLER, FINAL_CHOOSING, FIRST_ICON, POKO, VALUES, WAIT, PokopopState, points
from pokade.games.state import how_many, rule

ORDINARY = 3  # what an unknown card is worth on average


@rule
def casual(view: PokopopState, seat: int, luck: int) -> int:
    """Jump the more often, the better the card and the fewer the rivals; at random, or one is read."""
    rivals = how_many(view.inside) - 1
    worth = _pile(view) if view.phase == FINAL_CHOOSING else _worth(view, seat, view.row[view.poko])
    # One in as many as could jump, more for a card above the ordinary, less for one below it.
    chance = 1000 * worth // (ORDINARY * (rivals + 1))
    return POKO if luck % 1000 < min(chance, 700) else WAIT


@rule
def _pile(view: PokopopState) -> int:
    """The final pile draws everybody: as an ordinary card, since two who jump share it face down."""
    return ORDINARY if view.deck + view.pile_size > 0 else 0


@rule
def _worth(view: PokopopState, seat: int, kind: int) -> int:
    """What a card is worth to this seat: another's icon nothing, ×2 as much as one has."""
    if kind == DOUBLER:
        return max(0, 1 + points(view, seat))
    if kind >= FIRST_ICON and kind != FIRST_ICON + seat:
        return 0
    return VALUES[kind]
