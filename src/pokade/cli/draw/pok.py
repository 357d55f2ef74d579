"""POK on the terminal: wooden dice, fists that open, counters behind a hand."""

from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from pokade import texts
from pokade.cli.draw.brush import Block, Brush, centred, join, left, middle, spread, wide
from pokade.cli.draw.offer import Entry, Offer, numbered
from pokade.cli.draw.palette import DARK, FAINT, GONE, PAPER, SEATS, SOFT, WOODS, Cloth
from pokade.cli.draw.pieces import dots, label, tick
from pokade.games.play import View
from pokade.games.pok import BLANK, CHOOSING, DICE, GOAL, OVER, SYMBOLS, PokState
from pokade.games.state import NOTHING, UNKNOWN, how_many

CLOTH: Final = Cloth("#2A1E50", "#1D1536", "#CFC3F6", "#B6A6EE")
SIGNS: Final = "●■▲"
INLAYS: Final = ("#1F4FD1", "#0A6B45", "#C4261F")  # on wood, paper and tints
GLOWS: Final = ("#6C9AFF", "#3CC68B", "#FF7A6C")  # on a dark cloth
BIG: Final = (("▗██▖", "▝██▘"), ("▗▄▄▖", "▐██▌"), (" ▟▙ ", "▟██▙"))
BIG_PLAIN: Final = (("/OO\\", "\\OO/"), ("####", "####"), (" /\\ ", "/__\\"))
FACE: Final = 11  # cells across a die's face
PLACES: Final = (((1, 3.5),), ((0, 1), (2, 6)), ((0, 3.5), (2, 1), (2, 6)))  # row and column of each sign on a die
HAND: Final = 8


def emblem(brush: Brush) -> Block:
    """A die for the door of the house."""
    return die(brush, 1, 2)


def heading(view: View, brush: Brush) -> str:
    """The round whose dice lie there."""
    state = view.state
    is_last = is_reveal(state) and state.phase != OVER
    return brush.say("replay.round.pok", number=state.round - is_last)


def table(view: View, names: Sequence[str], brush: Brush) -> Block:
    """Hands above, dice below."""
    state = view.state
    is_open = is_reveal(state)
    hands = spread([seat(view, names, brush, each) for each in range(state.n_seats)], brush.width, bottom=True)
    shown = state.shown_dice if is_open else state.dice
    dice = spread([thrown(brush, state, place, shown[place], is_open) for place in range(DICE)], brush.width)
    return [*hands, *([Text()] if brush.is_tall else []), *dice]


def is_reveal(state: PokState) -> bool:
    """Do the hands lie open? From the first die of the next throw on they are fists again."""
    return state.phase != CHOOSING and state.n_dice in (0, DICE) and state.shown[0] != NOTHING


def seat(view: View, names: Sequence[str], brush: Brush, who: int) -> Block:
    """A hand, a name, the way to five, and the counters that this viewer may know."""
    state = view.state
    is_open = is_reveal(state)
    hands_over = bool(is_open and state.gone >> who & 1)
    hand = open_hand(brush, who, state.shown[who]) if is_open else fist(brush, who, own_choice(view, who))
    room = 9 if state.n_seats > 6 and brush.width < 100 else 11
    lines = [*middle(hand, room), *([Text()] if hands_over else [])]  # a hand that gives rises by one line
    name = label(brush, who, names, room, is_gone=is_open and not hands_over)
    return [
        *lines,
        left(name, room),
        centred(dots(brush, GOAL + 1 - state.left[who], GOAL), room),
        counters(view, brush, who, room),
    ]


def own_choice(view: View, who: int) -> int:
    """What lies sealed in the viewer's own fist."""
    return int(view.state.choice[who]) if who == view.seat else NOTHING


def counters(view: View, brush: Brush, who: int, room: int) -> Text:
    """What is left behind a hand; face down where the viewer has to remember."""
    held = view.state.counters[who]
    if UNKNOWN in held:
        return centred(brush.ink("∙" * view.state.left[who], SOFT), room)
    return centred(join(*(brush.ink(SIGNS[s] * held[s], GLOWS[s]) for s in range(SYMBOLS))), room)


def fist(brush: Brush, who: int, sealed: int) -> Block:
    """A closed hand; its owner sees what is in it."""
    inside = brush.ink(SIGNS[sealed], INLAYS[sealed], PAPER.face, bold=True) if sealed != NOTHING else Text("─")
    fingers = Text("╷ ╷╷ ╷", Style(color=DARK if brush.filled else None))
    return brush.tile([fingers, join("╰─", inside, "──╮")], SEATS[who], HAND)


def open_hand(brush: Brush, who: int, symbol: int) -> Block:
    """An open hand with the counter on its palm."""
    if brush.filled:
        fingers = Text("▐▌▐▌▐▌▐▌", SEATS[who].face)
        palm = [join("  ", row, "  ") for row in big(brush, symbol, PAPER.face)]
        for row in palm:
            row.stylize_before(Style(bgcolor=SEATS[who].face))
        return [fingers, *palm, Text("▝▀▀▀▀▀▀▘", SEATS[who].edge)]
    palm = [join("│ ", row, " │") for row in big(brush, symbol)]
    return [Text(" ╷ ╷╷ ╷ "), *palm, Text("╰──────╯")]


def big(brush: Brush, symbol: int, ground: str | None = None) -> Block:
    """A counter four cells wide and two high."""
    shape = (BIG_PLAIN if brush.is_plain else BIG)[symbol]
    colour = INLAYS[symbol] if ground else GLOWS[symbol]
    return [Text(row, Style(color=colour, bgcolor=ground)) for row in shape]


def die(brush: Brush, place: int, symbol: int) -> Block:
    """A wooden die: maple for one, oak for two, cherry for three."""
    wood = WOODS[place] if symbol != BLANK else GONE
    rows = [Text(" " * FACE) for _ in range(4)]
    if symbol != BLANK:
        for row, column in PLACES[place]:
            for at, part in enumerate(big(brush, symbol, wood.face if brush.filled else None)):
                old, start = rows[row + at], int(column)
                rows[row + at] = join(old[:start], part, old[start + part.cell_len :])
    elif brush.filled:
        rows[1], rows[2] = (Text(grain, GONE.edge) for grain in ("  ─────    ", "    ────── "))
    return brush.tile(rows, wood, FACE + 2)


def thrown(brush: Brush, state: PokState, place: int, symbol: int, is_open: bool) -> Block:
    """A die with what it asks for, and whether it got it."""
    block = die(brush, place, symbol)
    if symbol == BLANK:
        words = brush.ink(brush.say("play.pok.blank"), FAINT)
    else:
        words = brush.ink(brush.say("play.pok.exactly", number=place + 1), bold=True)
    if is_open and symbol != BLANK:
        words = join(tick(brush, how_many(state.showing[symbol]) == place + 1), " ", words)
    return [*block, centred(words, wide(block))]


def offer(view: View, names: Sequence[str], brush: Brush) -> Offer:
    """The counters that the viewer still has."""
    held = view.state.counters[view.seat]
    words = texts.entry(brush.language, "play.pok.counter")
    keys = numbered(words)
    entries = [
        Entry(s, tuple(filter(None, keys[s])), brush.word(words[s]), _left(brush, held[s]), _sign(brush, s))
        for s in view.choices
    ]
    return Offer(brush.say("play.pok.question", who=names[view.seat]), entries)


def _left(brush: Brush, count: int) -> str:
    return brush.say("play.pok.left", number=count)


def _sign(brush: Brush, symbol: int) -> Text:
    return Text(SIGNS[symbol], INLAYS[symbol] if brush.filled else GLOWS[symbol])


def sealed(view: View, brush: Brush) -> str:
    """The viewer's own sealed choice, in words."""
    choice = own_choice(view, view.seat)
    return "" if choice == NOTHING else brush.word(texts.entry(brush.language, "play.pok.counter")[choice])
