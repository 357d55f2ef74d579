"""The house: its front with four doors, menus, and the rosette for winners."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from pokade.cli.draw import Scene, drawing, paper, pieces
from pokade.cli.draw.brush import Block, Brush, Canvas, beside, join, left, middle, on, wide, wrapped
from pokade.cli.draw.offer import Entry, button, buttons
from pokade.cli.draw.palette import DARK, HOUSE, LIGHT, SEATS, SOFT, Cloth
from pokade.games.game import Game
from pokade.games.play import View
from pokade.texts import written

LETTERS: Final = {
    "P": ("#####.", "##..##", "##..##", "#####.", "##....", "##...."),
    "O": (".####.", "##..##", "##..##", "##..##", "##..##", ".####."),
    "K": ("##..##", "##.##.", "####..", "####..", "##.##.", "##..##"),
    "A": ("..##..", ".####.", "##..##", "######", "##..##", "##..##"),
    "D": ("####..", "##.##.", "##..##", "##..##", "##.##.", "####.."),
    "E": ("######", "##....", "####..", "####..", "##....", "######"),
}
NAME: Final = "POKADE"


def home(games: Sequence[Game], language: str) -> Scene:
    """The front of the house: one door for each game."""
    return Scene(HOUSE, language, lambda brush: _front(games, brush), fill=True)


def _front(games: Sequence[Game], brush: Brush) -> Block:
    width = min(brush.width - 4, 100)
    room = (width - 2) // 2
    doors = [_door(game, number, brush, room) for number, game in enumerate(games, 1)]
    rows = [beside(doors[at : at + 2], 2) for at in range(0, len(doors), 2)]
    air = [Text()] if brush.is_tall else []
    lines = [*air, *_sign(brush), *air, *air]
    for row in rows:
        lines += [*middle(row, brush.width), *air]
    spare = brush.height - 2 - len(lines)
    return [Text()] * max(0, min(4, (spare + 1) // 2)) + lines


def _sign(brush: Brush) -> Block:
    """The rosette and the name in cut letters."""
    if not brush.filled:
        return middle(
            [brush.ink("P O K A D E", bold=True), brush.ink(brush.say("play.house"), SOFT), Text()], brush.width
        )
    canvas = Canvas(7 * len(NAME), 3)
    for at, letter in enumerate(NAME):
        for y, row in enumerate(LETTERS[letter]):
            for x, point in enumerate(row):
                canvas.points[y][7 * at + x] = LIGHT if point == "#" else None
    words = [*canvas.block(), Text(), brush.ink(brush.say("play.house"), SOFT)]
    return middle(beside([pieces.rosette(5), words], 3), brush.width)


def _door(game: Game, number: int, brush: Brush, width: int) -> Block:
    """A cloth by day, with a number, a name, a line and a piece of the game."""
    art = drawing(game)
    picture = art.emblem(brush)
    room = width - wide(picture) - 5
    lines = wrapped(brush.say(f"{game.name}.tagline"), room)
    title = join(
        brush.ink(f" {number} ", LIGHT, DARK, bold=True), " ", brush.ink(game.title, DARK, art.CLOTH.day, bold=True)
    )
    players = brush.say("play.menu.players", least=game.seats[0], most=game.seats[-1])
    words = [title, *(brush.ink(line, DARK, art.CLOTH.day) for line in [*lines, *[""] * 5][:5])]
    words.append(brush.ink(players, "#585072", art.CLOTH.day))
    rows = beside([[left(line, room) for line in words], picture], 1, bottom=True)
    return _cloth(brush, rows, art.CLOTH, width)


def _cloth(brush: Brush, rows: Block, cloth: Cloth, width: int) -> Block:
    lines = [left(join("  ", row), width) for row in rows]
    if not brush.filled:
        return [*lines, Text("─" * width)]
    return [*(on(line, cloth.day) for line in lines), Text("▀" * width, cloth.day_edge)]


def menu(
    title: str, question: str, entries: Sequence[Entry], language: str, cloth: Cloth = HOUSE, note: str = ""
) -> Scene:
    """A question with its answers one below the other; the first stands for Enter."""

    def paint(brush: Brush) -> Block:
        head = brush.ink(f" {title} ", DARK, cloth.day, bold=True)
        lines = [join(" ", head), Text(), join("  ", brush.ink(question, bold=True)), Text()]
        if all(len(entry.words) < 2 for entry in entries):
            return [*lines, *buttons(brush, entries)]
        for at, entry in enumerate(entries):
            mark = brush.ink("● " if at == 0 else "  ", SEATS[4].face)
            lines += [
                join("  " if row == 0 else "    ", mark if row == 0 else "", line)
                for row, line in enumerate(button(brush, entry))
            ]
        if note:
            lines += [Text(), *paper(brush, note)]
        return lines

    return Scene(cloth, language, paint, fill=True)


def podium(view: View, names: Sequence[str], language: str, words: str) -> Scene:
    """How it ended: a rosette for those who win, and everybody's points."""
    art = drawing(view.game)

    def paint(brush: Brush) -> Block:
        winners = [seat for seat in range(len(names)) if view.state.winners >> seat & 1]
        cockade = pieces.rosette(8 if brush.height >= 22 else 5, winners) if brush.filled else []
        order = sorted(range(len(names)), key=lambda seat: (seat not in winners, -view.points[seat]))
        ranks = [_rank(brush, seat, names, view.points[seat], seat in winners) for seat in order]
        head = join(" ", brush.ink(f" {view.game.title} ", DARK, art.CLOTH.day, bold=True))
        hall = beside([cockade, [Text(), *ranks]], 6) if cockade else ranks
        air = [Text()] * max(1, (brush.height - 6 - len(hall)) // 3)
        return [head, *air, *middle(hall, brush.width), *air, *paper(brush, words)]

    return Scene(art.CLOTH, language, paint, fill=True)


def _rank(brush: Brush, seat: int, names: Sequence[str], points: int, is_winner: bool) -> Text:
    name = left(pieces.label(brush, seat, names, 22), 24)
    mark = brush.ink("✹" if is_winner else " ", SEATS[4].face, bold=True)
    return join(mark, " ", name, brush.ink(f"{written(brush.language, points).words:>5}", bold=True))


def pages(title: str, lines: Sequence[Text], language: str, cloth: Cloth) -> Scene:
    """Text to read, on the game's cloth."""

    def paint(brush: Brush) -> Block:
        head = join(" ", brush.ink(f" {title} ", DARK, cloth.day, bold=True))
        return [head, Text(), *(join("  ", line) for line in lines)]

    return Scene(cloth, language, paint, fill=True)
