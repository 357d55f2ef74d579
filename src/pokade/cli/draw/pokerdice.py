"""Pokerdice on the terminal: five dice in a tray, ten cards that say whether they are met now, points on the side."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from pokade import texts
from pokade.cli.draw.brush import Block, Brush, beside, centred, join, left, middle, wide, wrapped
from pokade.cli.draw.offer import Entry, Offer
from pokade.cli.draw.palette import BRASS, DARK, FAINT, GOOD, IVORY, PAPER, SEATS, SOFT, TRAY, Cloth
from pokade.cli.draw.pieces import badge, label, pip_die, tick
from pokade.games.play import View
from pokade.games.pokerdice import (
    ALL_DICE,
    CHOOSING,
    DICE,
    DOUBLE,
    OBJECTIVES,
    PAIRS,
    RETHROWING,
    RETHROWS,
    STOP,
    THROWING,
    VALUES,
    PokerdiceState,
    met_objectives,
    n_rounds,
)
from pokade.games.state import NOTHING

CLOTH: Final = Cloth("#0B3A31", "#072A23", "#B9E2CE", "#93CDB1")
CARD: Final = 14
SIDE: Final = 24


def emblem(brush: Brush) -> Block:
    """A die for the door of the house."""
    return pip_die(brush, 5, BRASS)


def heading(view: View, brush: Brush) -> str:
    """The round whose dice lie there."""
    state = view.state
    return brush.say("play.round_of", number=state.round - is_reveal(state), all=n_rounds(state))


def is_reveal(state: PokerdiceState) -> bool:
    """Does the table still show the round before, with all its cards open?"""
    return state.phase == THROWING and state.again == ALL_DICE and state.rethrows == 0 and state.shown[0] != NOTHING


def table(view: View, names: Sequence[str], brush: Brush) -> Block:
    """The tray with the seats beside it, and the viewer's cards below."""
    if brush.is_narrow:
        small = [*tray(view, names, brush), *_small_seats(view, names, brush), *_small_cards(view, brush)]
        return middle(small, brush.width)
    top = middle(beside([tray(view, names, brush), seats(view, names, brush)], 3), brush.width)
    gap = [Text()] if brush.is_tall else []
    return [*top, *gap, *cards(view, names, brush)]


def is_judged(state: PokerdiceState) -> bool:
    """Are the cards that lie open already compared with the dice?"""
    return state.phase != RETHROWING and not (state.again and state.rethrows)


def tray(view: View, names: Sequence[str], brush: Brush) -> Block:
    """Five dice with their places, and the seat that throws them."""
    state = view.state
    dice = [_die(brush, state, place) for place in range(DICE)]
    width = wide(beside(dice, 1)) + 2
    who = Text() if state.active == NOTHING or state.phase != RETHROWING else badge(brush, state.active, names)
    line = centred(join(who, " ", _throws_left(state, brush)), width)
    rows = [left(join(" ", row), width) for row in [*beside(dice, 1), Text()]]
    rows[-1] = line
    if brush.filled:
        for row in rows:
            row.stylize_before(f"on {TRAY.face}")
        rows += [] if brush.is_narrow else [Text("▀" * width, TRAY.edge)]
    return rows


def _throws_left(state: PokerdiceState, brush: Brush) -> Text:
    if state.phase != RETHROWING:
        return Text()
    return brush.ink(brush.say("play.pokerdice.rethrows", number=RETHROWS - state.rethrows), SOFT)


def _die(brush: Brush, state: PokerdiceState, place: int) -> Block:
    """Ivory if it goes again, brass if it is held; its number below."""
    is_held = state.phase == RETHROWING or not state.again >> place & 1
    wood = BRASS if is_held and state.rethrows else IVORY
    face = state.dice[place]
    if brush.is_narrow:
        block = brush.tile([Text(str(face) if face else " ", "bold")], wood, 7)
    else:
        block = pip_die(brush, face, wood)
    return [*block, centred(brush.ink(str(place + 1), SOFT), wide(block))]


def seats(view: View, names: Sequence[str], brush: Brush) -> Block:
    """Everybody's points, what lies before them, and the active seat."""
    state = view.state
    lines: Block = []
    for who in range(state.n_seats):
        points = brush.ink(f"{state.score[who]:>3}", bold=True)
        active = brush.ink(" ▴" if who == state.active and not is_reveal(state) else "  ", "#F0C463", bold=True)
        lines.append(join(left(label(brush, who, names, SIDE - 6), SIDE - 6), points, active))
        lines.append(left(join("     ", _before(view, brush, who)), SIDE))
    return lines if len(lines) <= 8 else [line for line in lines if line.plain.strip()]


def _small_seats(view: View, names: Sequence[str], brush: Brush) -> Block:
    """The same with a line for each."""
    lines = []
    for who in range(view.state.n_seats):
        is_active = who == view.state.active and not is_reveal(view.state)
        active = brush.ink("▴ " if is_active else "  ", "#F0C463", bold=True)
        points = brush.ink(f"{view.state.score[who]:>3}  ", bold=True)
        lines.append(join(active, left(label(brush, who, names, 14), 14), points, _before(view, brush, who)))
    return lines


def _before(view: View, brush: Brush, who: int) -> Text:
    """The card that lies open before a seat, with its mark once the round is judged; else a closed one."""
    state = view.state
    if state.shown[who] == NOTHING:
        sealed = who == view.seat and state.choice[who] >= 0
        return brush.ink(_card_words(view, brush, state.choice[who]), FAINT) if sealed else Text()
    words = brush.ink(_card_words(view, brush, state.shown[who]), SOFT)
    if not is_judged(state):
        return words
    met = met_objectives(state)
    marks = [tick(brush, bool(met >> card & 1)) for card in _pair(state, state.shown[who])]
    return join(*marks, " ", words)


def _pair(state: PokerdiceState, choice: int) -> tuple[int, ...]:
    """The card of a choice, or both in the double game."""
    return PAIRS[choice] if state.variant == DOUBLE else (choice,)


def _card_words(view: View, brush: Brush, choice: int) -> str:
    words = texts.entry(brush.language, "pokerdice.objective")
    return " + ".join(brush.word(words[card]) for card in _pair(view.state, choice))


def cards(view: View, names: Sequence[str], brush: Brush) -> Block:
    """The ten cards of the viewer in two rows; a watcher sees none."""
    if view.seat < 0:
        return []
    width = min(20, (brush.width - 5) // 5)
    rows = [[card(view, brush, each, width) for each in range(first, first + 5)] for first in (0, 5)]
    return [line for row in rows for line in middle(beside(row, 1), brush.width)]


def _small_cards(view: View, brush: Brush) -> Block:
    """The ten cards as a list in two columns."""
    if view.seat < 0:
        return []
    lines = [_card_line(view, brush, each) for each in range(OBJECTIVES)]
    return beside([lines[: OBJECTIVES // 2], lines[OBJECTIVES // 2 :]], 2)


def _card_line(view: View, brush: Brush, which: int) -> Text:
    state = view.state
    held = (state.hand[view.seat] >> which & 1) + (state.second[view.seat] >> which & 1)
    is_met = state.phase in (CHOOSING, RETHROWING) and met_objectives(state) >> which & 1
    is_sealed = state.choice[view.seat] >= 0 and which in _pair(state, state.choice[view.seat])
    mark = "●" if is_sealed else "✓" if is_met and held else " "
    name = brush.word(texts.entry(brush.language, "pokerdice.objective")[which])
    number = brush.ink(f"{which + 1:>2}" if held else "  ", bold=True)
    worth = f"{'×2 ' if held == 2 else ''}{VALUES[which]}"
    words = brush.ink(left(Text(name), 18).plain + f"{worth:>5}", None if held else FAINT)
    return join(number, " ", brush.ink(mark, GOOD, bold=True), " ", words)


def card(view: View, brush: Brush, which: int, width: int) -> Block:
    """A card with its number, points, name, and whether the dice meet it now."""
    state = view.state
    held = (state.hand[view.seat] >> which & 1) + (state.second[view.seat] >> which & 1)
    if held == 0:
        return _played(view, brush, which, width)
    is_met = state.phase in (CHOOSING, RETHROWING) and met_objectives(state) >> which & 1
    number = brush.ink(f"{which + 1:>2}", DARK, PAPER.face, bold=True)
    worth = brush.ink(("×2 " if held == 2 else "") + f"{VALUES[which]}", DARK, PAPER.face, bold=True)
    mark = brush.ink("✓", "#0A6B45" if brush.filled else GOOD, bold=True) if is_met else Text(" ")
    if state.choice[view.seat] >= 0 and which in _pair(state, state.choice[view.seat]):
        mark = join(mark, " ", brush.ink(brush.say("play.pokerdice.sealed"), DARK, SEATS[view.seat].face))
    first = join(left(join(number, " ", mark), width - 2 - worth.cell_len), worth)
    rows = [first, *_name(brush, which, width)]
    if brush.filled:
        return brush.card(rows, PAPER, width, margin=1)
    return [*(join("│", left(row, width - 2), "│") for row in rows), Text("╰" + "─" * (width - 2) + "╯")]


def _name(brush: Brush, which: int, width: int, colour: str = DARK) -> Block:
    """A card's name in two lines where one is too short for it."""
    words = wrapped(brush.word(texts.entry(brush.language, "pokerdice.objective")[which]), width - 2)
    ground = PAPER.face if colour == DARK else None
    return [brush.ink(line, colour, ground) for line in [*words, ""][:2]]


def _played(view: View, brush: Brush, which: int, width: int) -> Block:
    """Where a card was: what became of it."""
    state = view.state
    is_scored = state.scored[view.seat][which] > 0
    is_open = not is_judged(state) and state.shown[view.seat] >= 0 and which in _pair(state, state.shown[view.seat])
    word = brush.say(f"play.pokerdice.{'open' if is_open else 'scored' if is_scored else 'gone'}")
    mark = brush.ink("▴", BRASS.face) if is_open else tick(brush, is_scored)
    lines = [join(mark, " ", brush.ink(word, FAINT)), *_name(brush, which, width, FAINT), Text()]
    return [left(join(" ", line), width) for line in lines]


def offer(view: View, names: Sequence[str], brush: Brush) -> Offer:
    """A card (two in the double game), or the dice to throw again."""
    who = names[view.seat]
    if view.state.phase == RETHROWING:
        return _offer_rethrow(view, brush, who)
    legal = set(view.choices)
    if view.state.variant == DOUBLE:
        how = brush.say("play.pokerdice.two_numbers")
        return Offer(brush.say("play.pokerdice.two", who=who), [], how, lambda said: _two(said, legal), is_drawn=True)
    entries = [Entry(each, (str(each + 1),), _card_words(view, brush, each)) for each in view.choices]
    how = brush.say("play.pokerdice.number")
    return Offer(brush.say("play.pokerdice.question", who=who), entries, how, is_drawn=True)


def _two(said: str, legal: set[int]) -> int | None:
    words = said.replace(",", " ").replace("+", " ").split()
    if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words):
        return None
    low, high = sorted(int(word) - 1 for word in words)
    pair = low * OBJECTIVES + high
    return pair if low >= 0 and high < OBJECTIVES and pair in legal else None


def _offer_rethrow(view: View, brush: Brush, who: str) -> Offer:
    state = view.state
    met = met_objectives(state)
    is_met = all(met >> card & 1 for card in _pair(state, state.shown[view.seat]))
    word = brush.say("play.pokerdice.met_now" if is_met else "play.pokerdice.not_yet")
    stop = Entry(STOP, ("s", "0", "stop", ""), brush.say("play.pokerdice.stop"), word)
    question = brush.say("play.pokerdice.again", who=who, number=RETHROWS - state.rethrows)
    return Offer(question, [stop], brush.say("play.pokerdice.dice"), _dice)


def _dice(said: str) -> int | None:
    """Places like "1 4" or "14" as a set of dice."""
    places = said.replace(",", " ").split() if any(sign in said for sign in " ,") else list(said)
    if not places or any(place not in ("1", "2", "3", "4", "5") for place in places):
        return None
    return sum(1 << int(place) - 1 for place in set(places))


def sealed(view: View, brush: Brush) -> str:
    """The viewer's own sealed choice, in words."""
    choice = view.state.choice[view.seat]
    return _card_words(view, brush, choice) if choice >= 0 else ""
