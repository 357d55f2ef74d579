"""What a person is offered: a few entries with keys, and how a typed line is understood."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from pokade.cli.draw.brush import Block, Brush, join, wide
from pokade.cli.draw.palette import BUTTON, DARK, SOFT


@dataclass(frozen=True, slots=True)
class Entry:
    """One choice: the keys that take it (the first is shown), its words, and what it means now."""

    choice: int
    keys: tuple[str, ...]
    words: str
    hint: str = ""
    picture: Text | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """All that a seat may choose now. `read` understands lines that are no key; `how` says which."""

    question: str
    entries: Sequence[Entry]
    how: str = ""
    read: Callable[[str], int | None] = field(default=lambda _: None)
    is_drawn: bool = False  # the table shows the entries with their keys

    def choice(self, line: str) -> int | None:
        """The choice that a typed line means."""
        said = line.strip().casefold()
        for entry in self.entries:
            if said in (key.casefold() for key in entry.keys):
                return entry.choice
        return self.read(said)


def numbered(words: Sequence[str], start: int = 1) -> list[tuple[str, str]]:
    """A number for each, and its first letter where no other has it."""
    firsts = [word[:1].casefold() for word in words]
    return [
        (str(number), first if firsts.count(first) == 1 and first not in ("q", "?") else "")
        for number, first in enumerate(firsts, start)
    ]


def buttons(brush: Brush, entries: Sequence[Entry]) -> Block:
    """The entries as buttons in rows that fit the screen."""
    rows: list[list[Block]] = [[]]
    used = 0
    for entry in entries:
        one = button(brush, entry)
        if used + wide(one) + 2 > brush.width - 4 and rows[-1]:
            rows.append([])
            used = 0
        rows[-1].append(one)
        used += wide(one) + 2
    return [line for row in rows for line in _in_row(row)]


def _in_row(row: Sequence[Block]) -> Block:
    height = max(len(block) for block in row) if row else 0
    lines = []
    for at in range(height):
        parts: list[Text | str] = ["  "]
        for block in row:
            parts += [block[at], "  "]
        lines.append(join(*parts))
    return lines


def button(brush: Brush, entry: Entry) -> Block:
    """A key, the words, and a hint; an edge below says that it can be taken."""
    picture = join(entry.picture, " ") if entry.picture else Text()
    hint = brush.ink(f"  {entry.hint}", "#585072" if brush.filled else SOFT) if entry.hint else Text()
    if not brush.filled:
        return [join(brush.ink(f"[{entry.keys[0]}] ", bold=True), picture, brush.ink(entry.words), hint)]
    face = join(brush.ink(f" {entry.keys[0]} ", BUTTON.face, DARK, bold=True), " ", picture)
    face = join(face, brush.ink(entry.words, DARK, bold=True), hint, " ")
    face.stylize_before(f"on {BUTTON.face}")
    return [face] if brush.is_narrow else [face, Text("▀" * face.cell_len, BUTTON.edge)]
