"""New Game on the terminal: a die, and a card before everybody."""

# TODO: draw your own pieces; `pieces.py` has dice, badges and dots, `brush.py` what they are made of.

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from pokade import texts
from pokade.cli.draw.brush import Block, Brush, centred, left, middle, spread
from pokade.cli.draw.offer import Entry, Offer, numbered
from pokade.cli.draw.palette import PAPER, SEATS, Cloth
from pokade.cli.draw.pieces import label, pip_die
from pokade.games.newgame import CHOOSING, OVER, worth
from pokade.games.play import View
from pokade.games.state import NOTHING, UNKNOWN

CLOTH: Final = Cloth("#10304A", "#0A2033", "#BFDDF5", "#94C2E6")  # as in web/src/games/newgame/cloth.css
ROOM: Final = 14
CARD: Final = 12
BACK: Final = "···"


def emblem(brush: Brush) -> Block:
    """A die for the door of the house."""
    return pip_die(brush, 5)


def heading(view: View, brush: Brush) -> str:
    """The round whose die lies there."""
    is_between = view.state.phase not in (CHOOSING, OVER) and view.state.round > 1
    return brush.say("replay.round.newgame", number=view.state.round - is_between)


def table(view: View, names: Sequence[str], brush: Brush) -> Block:
    """Everybody above, the die below."""
    seats = [seat(view, names, brush, each) for each in range(view.state.n_seats)]
    gap = [Text()] if brush.is_tall else []
    return [*spread(seats, brush.width), *gap, *middle(pip_die(brush, view.state.die), brush.width)]


def seat(view: View, names: Sequence[str], brush: Brush, who: int) -> Block:
    """What lies before a player: the side of the last reveal, or a card face down; a name and the points."""
    state = view.state
    is_open = state.phase != CHOOSING and state.shown[who] != NOTHING
    words = side(brush, state.shown[who] if is_open else own_choice(view, who)) or BACK
    card = brush.tile([brush.ink(words, bold=True)], PAPER if is_open else SEATS[who], CARD)
    name = left(label(brush, who, names, ROOM), ROOM)
    points = brush.ink(brush.say("play.points", number=view.points[who]), bold=True)
    return [*middle(card, ROOM), name, centred(points, ROOM)]


def side(brush: Brush, which: int) -> str:
    """The name of a side; nothing for none."""
    return brush.word(texts.entry(brush.language, "newgame.side")[which]) if which >= 0 else ""


def own_choice(view: View, who: int) -> int:
    """What a viewer has sealed; of others nothing."""
    choice = int(view.state.choice[who])
    return NOTHING if who != view.seat or choice == UNKNOWN else choice


def offer(view: View, names: Sequence[str], brush: Brush) -> Offer:
    """Both sides, with what each is worth."""
    keys = numbered([side(brush, which) for which in view.choices])
    entries = [
        Entry(which, tuple(filter(None, keys[at])), side(brush, which), str(worth(view.state, which)))
        for at, which in enumerate(view.choices)
    ]
    key, values = view.game.asked(view.state, view.seat)
    return Offer(brush.say(f"newgame.asked.{key}", who=names[view.seat], **values), entries)


def sealed(view: View, brush: Brush) -> str:
    """A seat's own choice, in words for its owner alone."""
    return side(brush, own_choice(view, view.seat))
