"""A finished game as a picture of cut paper: for those who share it, and for those who are shown a link to it.

The pieces, the colours and how they lie together are the page's own files (`web/src/theme`, and `win.json` of each
game, which the page moves and this draws). A picture is made from what a watcher may know, and from nothing else.
"""

import html
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from pokade.games.game import Game
from pokade.server.views.result import Result, signed

LOOKS: Final = (Path(__file__).parents[1] / "look", Path(__file__).parents[4] / "web" / "src")  # as in hatch_build.py
FONTS: Final = Path(__file__).parents[1] / "fonts"
MOST_WITH_WHY: Final = 6  # at a larger table there is no room to say why the game is over
GAP: Final = 40.0  # between two columns
MOST_WINNERS: Final = 3  # who are drawn; the words name them all
SIDE: Final = 200  # of the square in which a scene is laid out
_WITH_FONT: Final = 0x0530  # all letters below are in the fonts that we bring; others may be on the machine
_NARROW: Final = frozenset("iljtfrI.,:;'!|()·1 ")
_WIDE: Final = frozenset("mwMW@%")
_FAMILIES: Final = {900: "Roboto Black", 700: "Roboto"}  # a file of each
_VARIABLE: Final = re.compile(r"var\(--([\w-]+)\)")


@dataclass(frozen=True, slots=True)
class Shape:
    """Where things stand in a picture of a size."""

    width: int
    height: int
    scene: tuple[float, float, float]  # left, top, side
    words: tuple[float, float, float]  # left, top, room
    title: float  # size of the type
    row: float  # height of a row of the places
    columns: int
    is_centred: bool = False


SHAPES: Final = {
    "wide": Shape(1200, 630, (44, 62, 506), (596, 128, 548), 84, 60, 2),
    "square": Shape(1080, 1080, (264, 128, 552), (84, 690, 912), 92, 60, 3, is_centred=True),
}


def png(result: Result, shape: str, language: str) -> bytes:
    """The picture. Machines have other letters than ours, so theirs are looked for only where ours don't do."""
    import resvg_py  # noqa: PLC0415 - needed for this alone

    is_ours = all(ord(letter) < _WITH_FONT for name in result.names for letter in name)
    fonts = [str(path) for path in sorted(FONTS.glob("*.ttf"))]
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg(result, shape, language),
        font_files=fonts,
        skip_system_fonts=is_ours,
        font_family="Roboto",
        sans_serif_family="Roboto",
    )
    return bytes(drawn)


def svg(result: Result, shape: str, language: str) -> str:
    """The same as a drawing."""
    form = SHAPES[shape]
    left, top, side = form.scene
    cloth = _cloth_of(result.game.name)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{form.width}" '
        f'height="{form.height}" viewBox="0 0 {form.width} {form.height}" font-family="Roboto" color="{_ink()}">',
        f"<defs>{_pieces()}</defs>",
        f'<rect width="{form.width}" height="{form.height}" fill="{cloth}"/>',
        f'<g transform="translate({left} {top}) scale({side / SIDE})">{"".join(_scene(result))}</g>',
        *_words(result, form, language),
        "</svg>",
    ]
    return "".join(parts)


# The scene.


def _scene(result: Result) -> Iterator[str]:
    """What the page moves when somebody has won, where it comes to lie."""
    if not result.winners:
        yield _piece("creature-1-wait", 100, 96, 150)
        return
    winners = result.winners[:MOST_WINNERS]
    others = [seat for seat in range(len(result.names)) if seat not in result.winners]
    letters = initials(result.names)
    for part in scene_of(result.game.name)["parts"]:
        who = part.get("who", "")
        seats = winners if who == "winners" else others if who == "others" else [0] * len(part["places"])
        places = part["places"][len(winners) - 1] if who == "winners" else part["places"]
        for seat, place in zip(seats, places, strict=False):
            if part["piece"] == "rosette":
                yield _rosette(seat, letters[seat], *place[:3])
            else:
                fill = _tokens()[part["fill"]] if "fill" in part else ""
                x, y, width, *turn = place
                name = part["piece"].replace("{seat}", str(seat % 8 + 1))
                yield _piece(name, x, y, width, turn[0] if turn else 0, fill)


@cache
def scene_of(game: str) -> dict[str, Any]:
    """How a game's pieces lie together when somebody has won; the rosettes alone if it has no scene of its own."""
    own, plain = _look() / "games" / game / "win.json", _look() / "theme" / "win.json"
    found: dict[str, Any] = json.loads((own if own.is_file() else plain).read_text("utf-8"))
    return found


def _piece(name: str, x: float, y: float, width: float, turn: float = 0, fill: str = "") -> str:
    left, top, wide, high = _boxes()[name]
    scale = width / wide
    colour = f' fill="{fill}"' if fill else ""
    move = f"translate({x} {y}) rotate({turn}) scale({scale}) translate({-left - wide / 2} {-top - high / 2})"
    return f'<use xlink:href="#{name}" x="{left}" y="{top}" width="{wide}" height="{high}" transform="{move}"{colour}/>'


def _rosette(seat: int, initial: str, x: float, y: float, width: float) -> str:
    """As in parts/Rosette.svelte."""
    number, scale = seat % 8 + 1, width / 100
    size = 22 if len(initial) > 1 else 29
    dark, tint = _tokens()[f"seat-{number}-line"], _tokens()[f"seat-{number}"]
    return (
        f'<g transform="translate({x} {y}) scale({scale}) translate(-50 -50)">'
        f'<path fill="{dark}" d="M25 78v38l11-9 11 9V78ZM53 78v38l11-9 11 9V78Z"/>'
        f'<use xlink:href="#seal-{number}" width="100" height="100"/><circle cx="50" cy="50" r="20.6" fill="{_ink()}"/>'
        f"{_text(initial, 50, 50 + size * 0.36, size, 900, tint, anchor='middle')}</g>"
    )


# The words.


def _words(result: Result, form: Shape, language: str) -> Iterator[str]:
    left, top, room = form.words
    middle, anchor = (form.width / 2, "middle") if form.is_centred else (left, "start")
    yield from _lettering(result.game, form)
    lines, size = _fitted(result.title(language), room, form.title, 2)
    for line in lines:
        top += size * 0.98
        yield _text(line, middle, top, size, 900, _ink(), anchor)
    top += size * 0.22
    why = result.why(language) if len(result.names) <= MOST_WITH_WHY else ""
    for line in _wrapped(why, room, 30)[:2]:
        top += 40
        yield _text(line, middle, top, 30, 700, _ink(), anchor)
    yield from _standing(result, form, top + 34)


def _lettering(game: Game, form: Shape) -> Iterator[str]:
    """The names of the game and of Pokade, in our own letters; a name that nobody has drawn is set in type."""
    left, _, room = form.words
    for name, tall, is_right in ((f"word-{game.name}", 38.0, False), ("word-pokade", 26.0, True)):
        if name not in _boxes():
            yield _text(game.title, left, 92, 44, 900, _ink())
            continue
        _, _, wide, high = _boxes()[name]
        width = wide * tall / high
        yield _piece(name, left + room - width / 2 if is_right else left + width / 2, 92 - tall / 2, width)


def _standing(result: Result, form: Shape, top: float) -> Iterator[str]:
    """Everybody's place: badge, name, and what they count."""
    rows = result.places
    columns = 1 if len(rows) <= 3 and not form.is_centred else form.columns
    wide = (form.words[2] + GAP * (columns > 1)) / columns
    letters = initials(result.names)
    start = form.words[0] + (wide * (columns - min(columns, len(rows))) / 2 if form.is_centred else 0)
    for at, (_, seat) in enumerate(rows):
        x, y = start + at % columns * wide, top + at // columns * form.row
        yield _row(seat, result, letters[seat], (x, y, min(wide - (GAP if columns > 1 else 0), 400.0)))


def _row(seat: int, result: Result, initial: str, box: tuple[float, float, float]) -> str:
    x, y, wide = box
    points = signed(result.points[seat])
    room = wide - 62 - 24 - _width(points, 30)
    name = _cut(result.names[seat], room, 28)
    weight = 900 if seat in result.winners else 700
    return (
        f"{_badge(seat, initial, x + 23, y + 24, 46)}"
        f"{_text(name, x + 60, y + 34, 28, weight, _ink())}"
        f"{_text(points, x + wide, y + 34, 30, 900, _ink(), 'end')}"
    )


def _badge(seat: int, initial: str, x: float, y: float, width: float) -> str:
    number, scale = seat % 8 + 1, width / 100
    size = 39 if len(initial) > 1 else 49
    return (
        f'<g transform="translate({x} {y}) scale({scale}) translate(-50 -50)">'
        f'<use xlink:href="#edge-{number}" width="100" height="100" fill="{_tokens()[f"seat-{number}"]}" '
        f'stroke="{_ink()}" stroke-width="5" stroke-linejoin="round"/>'
        f"{_text(initial, 50, 50 + size * 0.36, size, 900, _ink(), anchor='middle')}</g>"
    )


def _text(words: str, x: float, y: float, size: float, weight: int, colour: str, anchor: str = "start") -> str:
    """Words that people wrote are words and nothing else, whatever they hold."""
    shown = html.escape("".join(letter for letter in words if letter.isprintable()))
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="{_FAMILIES[weight]}" font-size="{size:.0f}" fill="{colour}" '
        f'font-weight="{weight}" text-anchor="{anchor}" '
        f'letter-spacing="{-0.015 * size:.2f}">{shown}</text>'
    )


def initials(names: Sequence[str]) -> list[str]:
    """One letter each; two where two people share the first. As in seats.ts."""
    first = [name.strip()[:1].upper() for name in names]
    return [
        letter + name.strip()[1:2].lower() if letter and first.count(letter) > 1 else letter
        for letter, name in zip(first, names, strict=True)
    ]


def _width(words: str, size: float) -> float:
    """How wide words are, about and rather too much."""
    return size * sum(_em(letter) for letter in words)


def _em(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if letter in _NARROW:
        return 0.34
    return 0.92 if letter in _WIDE else 0.68 if letter.isupper() else 0.57


def _wrapped(words: str, room: float, size: float) -> list[str]:
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _fitted(words: str, room: float, size: float, most: int) -> tuple[list[str], float]:
    """Words in a few lines, in the largest type in which they fit."""
    while size > 30:
        lines = _wrapped(words, room, size)
        if len(lines) <= most and all(_width(line, size) <= room for line in lines):
            return lines, size
        size *= 0.92
    return _wrapped(words, room, size)[:most], size


def _cut(name: str, room: float, size: float) -> str:
    if _width(name, size) <= room:
        return name
    while name and _width(f"{name}…", size) > room:
        name = name[:-1]
    return f"{name}…"


# The page's own files.


def _look() -> Path:
    return next(place for place in LOOKS if (place / "theme" / "pieces.svg").is_file())


@cache
def _tokens() -> dict[str, str]:
    """The values of the look by day."""
    css = (_look() / "theme" / "tokens.css").read_text("utf-8")
    return dict(re.findall(r"--([\w-]+): ([^;]+);", css[: css.index("@media")]))


@cache
def _cloth_of(game: str) -> str:
    """The colour of a game's cloth by day; of one that has none, the page's."""
    path = _look() / "games" / game / "cloth.css"
    found = re.search(r"--day-cloth: ([^;]+);", path.read_text("utf-8")) if path.is_file() else None
    return found[1] if found else _tokens()["page"]


def _ink() -> str:
    return _tokens()["fixed-ink"]


@cache
def _pieces() -> str:
    """All pieces, with the colours of the day in place of their names: drawing programs know no variables."""
    raw = (_look() / "theme" / "pieces.svg").read_text("utf-8")
    inside = raw[raw.index(">") + 1 : raw.rindex("</svg>")]
    shown = inside.replace("<symbol ", '<symbol overflow="visible" ')  # some outlines are wider than their box
    return _VARIABLE.sub(lambda found: _tokens()[found[1]], shown)


@cache
def _boxes() -> dict[str, tuple[float, float, float, float]]:
    found = re.findall(r'<symbol [^>]*id="([^"]+)" viewBox="([^"]+)"', _pieces())
    boxes = {name: [float(number) for number in box.split()] for name, box in found}
    return {name: (left, top, wide, high) for name, (left, top, wide, high) in boxes.items()}
