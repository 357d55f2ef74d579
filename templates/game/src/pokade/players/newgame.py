"""Rules of thumb for New Game. Chances are whole numbers, so that every carrier mixes alike."""

# TODO: a level plays the better, the more of your game it understands; the tempers are likings (NOTHING: no liking).

from pokade.games.newgame import LEFT, RIGHT, SIDES, NewgameState, worth
from pokade.games.state import NOTHING, rule

KEEN = 5  # times in eight: a player who always takes the better side is read …
OF = 8  # … and meets everybody there


@rule
def novice(view: NewgameState, seat: int, luck: int) -> int:
    """Either side."""
    return luck % SIDES


@rule
def casual(view: NewgameState, seat: int, luck: int) -> int:
    """The side that is worth more, but not always."""
    return better(view) if luck % OF < KEEN else RIGHT - better(view)


@rule
def better(view: NewgameState) -> int:
    """The side that is worth more; seven has no half."""
    return LEFT if worth(view, LEFT) > worth(view, RIGHT) else RIGHT


@rule
def cautious(view: NewgameState, seat: int, luck: int) -> int:
    """Leaves the better side to the others."""
    return RIGHT - better(view)


@rule
def bold(view: NewgameState, seat: int, luck: int) -> int:
    """Goes for the better side."""
    return better(view)


@rule
def bluffer(view: NewgameState, seat: int, luck: int) -> int:
    """Never does the same twice in a row."""
    return NOTHING if view.shown[seat] == NOTHING else RIGHT - view.shown[seat]
