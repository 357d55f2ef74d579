"""The table on the terminal. A drawing takes a view, names and a language, no more; each game has its own file.

A scene is made when it is printed, since only then it is known what the terminal can show.
"""

import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from rich.console import Console, ConsoleOptions
from rich.text import Text

from pokade.cli.draw import pieces
from pokade.cli.draw.brush import Block, Brush, join, wrapped
from pokade.cli.draw.offer import Offer, buttons
from pokade.cli.draw.palette import DARK, HOUSE, PAPER, SOFT, Cloth
from pokade.games.game import Game
from pokade.games.play import View

RULES = "?"  # the keys that always work
LEAVE = "q"


class Drawing(Protocol):
    """What a game's drawing file has."""

    CLOTH: Cloth

    def emblem(self, brush: Brush) -> Block: ...
    def heading(self, view: View, brush: Brush) -> str: ...
    def table(self, view: View, names: Sequence[str], brush: Brush) -> Block: ...
    def offer(self, view: View, names: Sequence[str], brush: Brush) -> Offer: ...
    def sealed(self, view: View, brush: Brush) -> str: ...


def drawing(game: Game) -> Drawing:
    """The drawing of a game, found by its name."""
    return cast(Drawing, importlib.import_module(f"pokade.cli.draw.{game.name}"))


def drawn(game: Game) -> Sequence[str]:
    """The events that the drawing shows, so that nobody has to read them."""
    return cast(Sequence[str], getattr(drawing(game), "DRAWN", ()))


@dataclass(frozen=True, slots=True)
class Scene:
    """Something to print: lines that are painted when the terminal is known."""

    cloth: Cloth
    language: str
    paint: Callable[[Brush], Block]
    fill: bool = False  # take the whole screen

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Text]:
        brush = Brush.of(console, options, self.language, self.cloth)
        yield from brush.finish(self.paint(brush), fill=self.fill)


def table(view: View, names: Sequence[str], language: str) -> Scene:
    """The table as the viewer sees it."""
    art = drawing(view.game)
    return Scene(art.CLOTH, language, lambda brush: art.table(view, names, brush))


def screen(
    view: View, names: Sequence[str], language: str, news: str = "", *, offers: bool = False, fill: bool = False
) -> Scene:
    """A whole screen: heading, table, what has just happened, and what may be chosen."""
    art = drawing(view.game)

    def paint(brush: Brush) -> Block:
        body = [*header(view, brush), *art.table(view, names, brush)]
        below = [*paper(brush, news), *(choosing(brush, art.offer(view, names, brush)) if offers else [])]
        free = max(0, brush.height - 1 - len(body) - len(below)) if fill else 0
        above = free // 3
        return [*body[:1], *[Text()] * above, *body[1:], *[Text()] * (free - above), *below]

    return Scene(art.CLOTH, language, paint, fill)


def room(view: View, names: Sequence[str], brush: Brush, *, offers: bool) -> int:
    """How many lines of news fit below the table."""
    art = drawing(view.game)
    asks = choosing(brush, art.offer(view, names, brush)) if offers else []
    edges = 1 if brush.filled else 2
    return max(1, brush.height - 2 - len(art.table(view, names, brush)) - len(asks) - edges)


def header(view: View, brush: Brush) -> Block:
    """The game's name, where it stands, and the keys that always work."""
    art = drawing(view.game)
    title = brush.ink(f" {view.game.title} ", DARK, art.CLOTH.day, bold=True)
    where = brush.ink(art.heading(view, brush), bold=True)
    keys = brush.ink(brush.say("play.keys", rules=RULES, leave=LEAVE), SOFT)
    line = join(" ", title, "  ", where)
    return [join(line, " " * max(1, brush.width - 2 - line.cell_len - keys.cell_len), keys)]


def paper(brush: Brush, news: str) -> Block:
    """What has just happened, on a sheet of paper."""
    if not news:
        return []
    width = brush.width - 4
    lines = wrapped(brush.word(news), width - 4)
    return [join("  ", row) for row in brush.card([brush.ink(line, DARK, PAPER.face) for line in lines], PAPER, width)]


def choosing(brush: Brush, offer: Offer) -> Block:
    """The question, the buttons, and how to answer otherwise."""
    room = brush.width - 4
    lines = [join("  ", brush.ink(line, bold=True)) for line in wrapped(offer.question, room)]
    if offer.entries and not offer.is_drawn:
        lines += buttons(brush, offer.entries)
    if offer.how:
        lines += [join("  ", brush.ink(line, SOFT)) for line in wrapped(offer.how, room)]
    return lines


def offer(view: View, names: Sequence[str], language: str) -> Offer:
    """What the viewer may choose now, and how a typed line is understood."""
    art = drawing(view.game)
    return art.offer(view, names, Brush(language, art.CLOTH))


def curtain(name: str, seat: int, language: str) -> Scene:
    """What lies on the screen while it changes hands: a name and nothing that was chosen."""

    def paint(brush: Brush) -> Block:
        return pieces.curtain(brush, brush.word(name), seat, brush.say("play.curtain", who=name))

    return Scene(HOUSE, language, paint, fill=True)


def sealed(view: View, language: str) -> str:
    """What the viewer has sealed, in words for the viewer alone; nothing if nothing is."""
    art = drawing(view.game)
    return art.sealed(view, Brush(language, art.CLOTH))
