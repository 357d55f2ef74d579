"""What all tables share: badges, seats, dice with pips, pleated backs, rosettes and the curtain."""

import math
from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from pokade.cli.draw.brush import Block, Brush, Canvas, beside, centred, join, left, middle
from pokade.cli.draw.palette import BAD, DARK, FAINT, GOOD, IVORY, LIGHT, SEATS, SOFT, Wood

EDGES: Final = "❁✹✜✿◈✻✷✤"  # each seat's own shape, so that no one is told by colour alone
PLEATS: Final = 24
_PIPS: Final = ("   ", " ● ", "●  ", "● ●", "  ●")
_FACES: Final = ((0, 0, 0), (0, 1, 0), (2, 0, 4), (2, 1, 4), (3, 0, 3), (3, 1, 3), (3, 3, 3))


def initials(names: Sequence[str]) -> list[str]:
    """One letter a name, two where two names share the first."""
    firsts = [name[:1].upper() for name in names]
    return [
        first if firsts.count(first) == 1 else (first + name[1:2]) for first, name in zip(firsts, names, strict=True)
    ]


def badge(brush: Brush, seat: int, names: Sequence[str]) -> Text:
    """A seat's shape, colour and initial."""
    sign = EDGES[seat % len(EDGES)] + initials(names)[seat]
    if not brush.filled:
        return Text(f"{sign} ", Style(color=SEATS[seat].face, bold=True))
    return brush.ink(f" {sign} ", DARK, SEATS[seat].face, bold=True)


def label(brush: Brush, seat: int, names: Sequence[str], width: int, *, is_gone: bool = False) -> Text:
    """A badge and as much of the name as there is room for."""
    sign = badge(brush, seat, names)
    room = max(1, width - sign.cell_len - 1)
    name = brush.ink(names[seat], FAINT if is_gone else None, bold=not is_gone)
    name.truncate(room, overflow="ellipsis")
    return join(sign, " ", name)


def tick(brush: Brush, is_good: bool) -> Text:
    """A tick or a cross: never colour alone."""
    return brush.ink("✓" if is_good else "✗", GOOD if is_good else BAD, bold=True)


def pip_die(brush: Brush, face: int, wood: Wood = IVORY) -> Block:
    """An ordinary die; 0 is one that is still to be thrown."""
    rows = [" ".join(_PIPS[row]) for row in _FACES[face]]
    return brush.tile([Text(row, Style(bold=True)) for row in rows], wood, 9)


def pleats(brush: Brush, seat: int, width: int, height: int) -> Block:
    """A secret: the back of a seat's card, pleated, with a button in the middle."""
    button = brush.ink("●", DARK, SEATS[seat].face)
    if not brush.filled:
        inside = [Text("╎" * (width - 2)) for _ in range(height - 2)]
        return brush.tile(inside, SEATS[seat], width)
    stripe = join(*(Text(" ", Style(bgcolor=_pleat(seat, at))) for at in range(width)))
    rows = [stripe.copy() for _ in range(height - 1)]
    half = (width - 1) // 2
    row = rows[(height - 1) // 2]
    rows[(height - 1) // 2] = join(row[:half], button, row[half + 1 :])
    return [*rows, Text("▀" * width, FAINT)]


def _pleat(seat: int, at: int) -> str:
    wood = SEATS[seat % len(SEATS)]
    return wood.face if at % 2 == 0 else wood.edge


def rosette(radius: int, seats: Sequence[int] = range(8)) -> Block:
    """The house's cockade, or a winner's; only where pieces are filled."""
    canvas = Canvas(2 * radius, radius)
    folds = 2 * len(seats) * -(-PLEATS // (3 * len(seats)))
    for y, row in enumerate(canvas.points):
        for x in range(2 * radius):
            dx, dy = x + 0.5 - radius, y + 0.5 - radius
            turn = int((math.atan2(dy, dx) / math.tau + 0.5) * folds + 0.01)
            if math.hypot(dx, dy) <= radius * (0.9 + 0.1 * (turn % 2)):
                row[x] = _pleat(seats[turn // 2 % len(seats)], turn)
    canvas.disc(radius, radius, radius * 0.42, DARK)
    canvas.disc(radius, radius, radius * 0.18, LIGHT)
    return canvas.block()


def curtain(brush: Brush, name: str, seat: int, words: str) -> Block:
    """Full-screen pleats in the next seat's colours, with a name and nothing else."""
    height = brush.height - 1
    lines = _rays(brush, seat, height) if brush.filled else _hatching(brush, height)
    sign = EDGES[seat % len(EDGES)]
    inside = [
        Text(),
        brush.ink(f"{sign}  {name}  {sign}", LIGHT, DARK, bold=True),
        Text(),
        brush.ink(words, SOFT, DARK),
    ]
    plate = _plate(brush, [*inside, Text()])
    top = max(0, (height - len(plate)) // 2)
    for row, line in enumerate(plate):
        at = max(0, (brush.width - line.cell_len) // 2)
        behind = lines[top + row]
        lines[top + row] = join(behind[:at], line, behind[at + line.cell_len :])
    return lines


def _plate(brush: Brush, rows: Sequence[Text]) -> Block:
    width = min(brush.width - 4, max(44, max(row.cell_len for row in rows) + 8))
    if not brush.filled:
        return brush.tile(list(rows), IVORY, width)
    plate = [centred(row, width) for row in rows]
    for row in plate:
        row.stylize_before(Style(color=LIGHT, bgcolor=DARK))
    return plate


def _rays(brush: Brush, seat: int, height: int) -> Block:
    canvas = Canvas(brush.width, height)
    for y, row in enumerate(canvas.points):
        for x in range(brush.width):
            turn = math.atan2(y + 0.5 - height, x + 0.5 - brush.width / 2) / math.tau
            row[x] = _pleat(seat, int((turn + 0.5) * 2 * PLEATS))
    return canvas.block()


def _hatching(brush: Brush, height: int) -> Block:
    """Pleats for a terminal without colours."""

    def sign(x: int, y: int) -> str:
        turn = math.atan2(2 * y + 1 - height, x + 0.5 - brush.width / 2) / math.tau
        return "░" if int((turn + 0.5) * 2 * PLEATS) % 2 else " "

    return [Text("".join(sign(x, y) for x in range(brush.width))) for y in range(height)]


def pill(brush: Brush, words: str, *, is_on: bool) -> Text:
    """A word in a pill; the one that holds now stands out."""
    if brush.filled:
        return brush.ink(f" {words} ", DARK, LIGHT, bold=True) if is_on else brush.ink(f" {words} ", SOFT)
    return brush.ink(f"[{words}]", bold=True) if is_on else brush.ink(f" {words} ", SOFT)


def coin(brush: Brush, count: int) -> Text:
    """A number of counters."""
    return join(brush.ink("●", "#F0C463"), brush.ink(f" {count}", bold=True))


def dots(brush: Brush, full: int, of: int) -> Text:
    """So many of so many."""
    return join(brush.ink("●" * full, "#F0C463"), brush.ink("○" * (of - full), FAINT))


def columns(left_side: Block, right_side: Block, width: int) -> Block:
    """A table with something beside it, in the middle of the screen."""
    return middle(beside([left_side, right_side], 4), width)


def line_of(parts: Sequence[Text], width: int) -> Text:
    """Short things in one line."""
    line = Text(no_wrap=True)
    for part in parts:
        line = join(line, "  ", part) if line.cell_len else part.copy()
    return left(line, width)
