"""How things are put on the screen: blocks of lines, flat tiles with a hard edge, and a canvas of half cells.

A brush knows what the terminal can show. With many colours pieces are cut from coloured paper; with few or none they
are outlines; where the encoding has no such signs, plain letters stand for them.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.style import Style
from rich.text import Text

from pokade import texts
from pokade.cli.draw.palette import DARK, Cloth, Wood

Block = list[Text]

_SIGNS: Final = (
    dict.fromkeys("─━╌┄‿", "-")
    | dict.fromkeys("│┃╎▏▕╷╻", "|")
    | dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+")
    | dict.fromkeys("▄▀█▌▐▗▖▝▘▛▜▙▟■▪▂▁", "#")
    | dict.fromkeys("░▒", ":")
    | {"●": "O", "○": "o", "•": "*", "▲": "^", "△": "^", "□": "#", "◉": "O", "∙": ".", "·": ".", "…": "."}
    | {"✓": "v", "✗": "x", "×": "x", "−": "-", "–": "-", "—": "-", "→": ">", "↑": "^", "↓": "v", "≈": "~", "∼": "~"}
    | {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
    | {"❁": "@", "✹": "*", "✜": "+", "✿": "&", "◈": "%", "✻": "$", "✷": "=", "✤": "~", "¿": "?", "¡": "!"}
    | {"╲": "\\", "╱": "/", "▴": "^", "▾": "v", "\u00a0": " ", "\u202f": " ", "œ": "o", "æ": "a", "Œ": "O", "ß": "s"}
)
GLUED: Final = {0x00A0: "\ue000", 0x202F: "\ue001"}  # no-break spaces, and what stands for them while lines are folded
UNGLUED: Final = {0xE000: "\u00a0", 0xE001: "\u202f"}
_WORDS: Final = str.maketrans({"ß": "ss", "œ": "oe", "æ": "ae", "Œ": "Oe", "…": "...", "\u202f": "", "\u00a0": " "})


def plain(text: str) -> str:
    """The text in ASCII, sign by sign, as wide as before."""
    return "".join(sign if sign.isascii() else _plain(sign) for sign in text)


def _plain(sign: str) -> str:
    letter = _SIGNS.get(sign) or unicodedata.normalize("NFKD", sign)[0]
    return letter if letter.isascii() else "?" * cell_len(sign)


@dataclass(frozen=True, slots=True)
class Brush:
    """What the terminal can show, on which cloth, in which language."""

    language: str
    cloth: Cloth
    width: int = 80
    height: int = 24
    filled: bool = True  # pieces are filled shapes; else outlines
    is_plain: bool = False  # ASCII only

    @classmethod
    def of(cls, console: Console, options: ConsoleOptions, language: str, cloth: Cloth) -> "Brush":
        """The brush for a console."""
        is_plain = options.ascii_only or options.legacy_windows
        many = console.color_system in ("256", "truecolor") and not console.no_color
        return cls(language, cloth, options.max_width, console.height, many and not is_plain, is_plain)

    @property
    def is_tall(self) -> bool:
        """Is there room for air between things?"""
        return self.height >= 32

    @property
    def is_narrow(self) -> bool:
        """Is the screen too small for a table with something beside it?"""
        return self.width < 80

    def say(self, key: str, **values: object) -> str:
        """A text of the catalogue, in what the terminal can spell."""
        return self.word(texts.text(self.language, key, **values))

    def word(self, text: str) -> str:
        return plain(text.translate(_WORDS)) if self.is_plain else text

    def ink(self, text: str, colour: str | None = None, on: str | None = None, *, bold: bool = False) -> Text:
        """Words or signs; on a coloured ground only where pieces are filled."""
        if on is not None and not self.filled:
            colour, on = None, None
        return Text(self.word(text), Style(color=colour, bgcolor=on, bold=bold or None), no_wrap=True)

    def tile(self, rows: Sequence[Text], wood: Wood, width: int, *, round_top: bool = True) -> Block:
        """A flat piece with a hard edge below it; an outline of the same size where nothing is filled."""
        middle = [centred(row, width - 2) for row in rows]
        if not self.filled:
            bar = "─" * (width - 2)
            return [Text(f"╭{bar}╮"), *(join(Text("│"), row, Text("│")) for row in middle), Text(f"╰{bar}╯")]
        body = [on(join(Text(" "), row, Text(" ")), wood.face) for row in middle]
        top = Text("▗" + "▄" * (width - 2) + "▖", wood.face)
        foot = Text("▝" + "▀" * (width - 2) + "▘", wood.edge)
        return [top, *body, foot] if round_top else [*body, foot]

    def card(self, rows: Sequence[Text], wood: Wood, width: int, margin: int = 2) -> Block:
        """A sheet of paper with words, left aligned."""
        room = width - 2 * margin
        side = " " * (margin - 1)
        lines = [left(row, room) for row in rows]
        if not self.filled:
            bar = "─" * (width - 2)
            return [Text(f"╭{bar}╮"), *(join(f"│{side}", row, f"{side}│") for row in lines), Text(f"╰{bar}╯")]
        body = [on(join(" " + side, row, side + " "), wood.face) for row in lines]
        return [*body, Text("▀" * width, wood.edge)]

    def finish(self, block: Block, *, fill: bool) -> Block:
        """The whole width of the screen on its cloth, and all of its height if asked for."""
        lines = [left(line, self.width) for line in block]
        if fill:
            lines += [Text(" " * self.width) for _ in range(self.height - 1 - len(lines))]
        return [self._ended(line) for line in lines]

    def _ended(self, line: Text) -> Text:
        if self.is_plain:
            line = Text(plain(line.plain), no_wrap=True)
        if self.filled:
            line.stylize_before(Style(color="#F6F2FF", bgcolor=self.cloth.night))
        return line


def join(*parts: Text | str) -> Text:
    """Pieces of one line side by side."""
    line = Text(no_wrap=True)
    for part in parts:
        line.append_text(part if isinstance(part, Text) else Text(part))
    return line


def on(line: Text, ground: str) -> Text:
    """The line on a ground, wherever it has none of its own."""
    line.stylize_before(Style(color=DARK, bgcolor=ground))
    return line


def left(line: Text, width: int) -> Text:
    """The line cut or filled to a width."""
    line = line.copy()
    line.no_wrap = True
    if line.cell_len > width:
        line.truncate(max(width, 0), overflow="ellipsis")
    line.append(" " * (width - line.cell_len))
    return line


def centred(line: Text, width: int) -> Text:
    """The line in the middle of a width."""
    before = max(0, (width - line.cell_len) // 2)
    return left(join(" " * before, line), width)


def wrapped(words: str, width: int) -> list[str]:
    """Words in lines of a width; a space that must not be broken is kept, which rich would not do by itself."""
    console = Console(width=max(width, 4), no_color=True)
    lines = Text(words.translate(GLUED)).wrap(console, max(width, 4))
    return [line.plain.rstrip().translate(UNGLUED) for line in lines]


def wide(block: Block) -> int:
    """The width of a block."""
    return max((line.cell_len for line in block), default=0)


def beside(blocks: Sequence[Block], gap: int = 1, *, bottom: bool = False) -> Block:
    """Blocks side by side, on one top or bottom line."""
    height = max((len(block) for block in blocks), default=0)
    lines = [Text(no_wrap=True) for _ in range(height)]
    for index, block in enumerate(blocks):
        width = wide(block)
        missing = [Text()] * (height - len(block))
        rows = missing + block if bottom else block + missing
        for line, row in zip(lines, rows, strict=True):
            if index:
                line.append(" " * gap)
            line.append_text(left(row, width))
    return lines


def middle(block: Block, width: int) -> Block:
    """A block in the middle of a width."""
    before = " " * max(0, (width - wide(block)) // 2)
    return [join(before, line) for line in block]


def spread(blocks: Sequence[Block], width: int, *, bottom: bool = False) -> Block:
    """Blocks with equal room between them, in the middle of a width."""
    free = width - sum(wide(block) for block in blocks)
    gap = max(1, min(6, free // (len(blocks) + 1)))
    return middle(beside(blocks, gap, bottom=bottom), width)


class Canvas:
    """Half cells as square points, for round things; only where pieces are filled."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.points: list[list[str | None]] = [[None] * width for _ in range(2 * height)]
        self._words: dict[tuple[int, int], tuple[str, str, bool]] = {}

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        """A full circle around a point."""
        for py, row in enumerate(self.points):
            for px in range(self.width):
                if (px + 0.5 - x) ** 2 + (py + 0.5 - y) ** 2 <= radius**2:
                    row[px] = colour

    def write(self, x: int, row: int, words: str, colour: str, *, bold: bool = False) -> None:
        """Words in the middle around a column, on whatever lies there."""
        start = x - len(words) // 2
        for at, sign in enumerate(words):
            if 0 <= start + at < self.width and 0 <= row < self.height:
                self._words[start + at, row] = (sign, colour, bold)

    def block(self) -> Block:
        return [join(*(self._cell(x, row) for x in range(self.width))) for row in range(self.height)]

    def _cell(self, x: int, row: int) -> Text:
        upper, lower = self.points[2 * row][x], self.points[2 * row + 1][x]
        if (x, row) in self._words:
            sign, colour, bold = self._words[x, row]
            return Text(sign, Style(color=colour, bgcolor=lower or upper, bold=bold or None))
        if upper == lower:
            return Text(" ", Style(bgcolor=upper))
        if upper is None:
            return Text("▄", Style(color=lower))
        return Text("▀", Style(color=upper, bgcolor=lower))
