"""The pictures of docs/theory.md, drawn from docs/theory.json: `python -m docs.theory`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from docs.svg import Picture

from pokade.games import GAMES
from pokade.games.pok import BLANK

HERE: Final = Path(__file__).parent
FILE: Final = HERE / "theory.json"
PICTURES: Final = HERE / "pictures" / "theory"
CLOTHS: Final = ("lilac", "celadon", "marigold", "rose")  # of the games, in their order
NAMES: Final = ("disc", "square", "triangle", "blank")


def write() -> None:
    """All pictures for which there are numbers."""
    for path, sheet in drawn().items():
        sheet.write(path)


def drawn() -> dict[Path, Picture]:
    """The pictures by where they stand; equal numbers give equal bytes."""
    found = json.loads(FILE.read_text("utf-8"))
    sheets = {f"openings-{n_seats}": openings(int(n_seats), rows) for n_seats, rows in found["openings"].items()}
    sheets |= {"race": race(found["worths"]), "variety": shapes(found["worths"])}
    others = {"jumps": jumps, "bids": bids, "skill": skill, "seats": seats}
    sheets |= {name: draw(found[name]) for name, draw in others.items() if name in found}
    return {PICTURES / f"{name}.svg": sheet for name, sheet in sheets.items()}


# POK: the first throw.

CELL, PANEL, TOP = 88, 400, 132


def openings(n_seats: int, rows: Sequence[Mapping[str, Any]]) -> Picture:
    """48 throws: three panels by the ones die, rows by the twos die, columns by the threes die."""
    words = "For each throw the size of disc, square and triangle says how often it is shown first."
    sheet = Picture(3 * PANEL + 40, TOP + 4 * CELL + 64, f"The first counter with {n_seats} players", words)
    sheet.text(32, 46, f"The first counter with {n_seats} players", 26, weight=800)
    sheet.text(32, 72, "Area and number say how often each symbol is shown, in percent.", 15, ink="quiet")
    for one in range(BLANK):
        _panel(sheet, 32 + one * PANEL, one, [row for row in rows if row["throw"][0] == one])
    return sheet


def _panel(sheet: Picture, x: float, one: int, rows: Sequence[Mapping[str, Any]]) -> None:
    _die(sheet, x + 14, TOP - 26, one, 1)
    sheet.text(x + 42, TOP - 20, "on the die of ones", 14, weight=700)
    for row in rows:
        _, two, three = row["throw"]
        left, top = x + 44 + three * (CELL - 4), TOP + 34 + two * CELL - 34
        sheet.box(left, top, CELL - 10, CELL - 8, "sunk", round_by=12)
        _mixture(sheet, left, top, row["mixture"])
    for face in range(BLANK + 1):
        _die(sheet, x + 16, TOP + 38 + face * CELL, face, 2)
        _die(sheet, x + 44 + (CELL - 10) / 2 + face * (CELL - 4), TOP + 4 * CELL + 16, face, 3)


def _die(sheet: Picture, x: float, y: float, face: int, count: int) -> None:
    """A face of a die, small: its symbol so many times, or a blank."""
    sheet.box(x - 17, y - 13, 34, 26, "line", round_by=7)
    for number in range(count if face < BLANK else 0):
        sheet.symbol(face, x + (number - (count - 1) / 2) * 10, y, 7.5)


def _mixture(sheet: Picture, x: float, y: float, mixture: Sequence[float]) -> None:
    wide = CELL - 10
    for symbol, often in enumerate(mixture):
        if often < 0.005:
            continue
        middle = x + 6 + (wide - 12) * (symbol + 0.5) / 3
        sheet.symbol(symbol, middle, y + 32, max(3.0, 21 * often**0.5))
        sheet.text(middle, y + CELL - 18, f"{100 * often:.0f}", 13, weight=700, at="middle")


# POK: the race, and what variety is worth; two numbers of players side by side.

RACE, SHAPES = 430, 390


def _rows(found: Mapping[str, Any]) -> int:
    return (len(found) + 1) // 2


def race(found: Mapping[str, Any]) -> Picture:
    """The chance to win by your own counters and those of the rivals."""
    words = "The fewer counters are left, the likelier the win; by your own counters and by those of each rival."
    sheet = Picture(1000, 90 + RACE * _rows(found), "What a counter is worth", words)
    sheet.text(32, 46, "What a counter is worth", 26, weight=800)
    sheet.text(32, 72, "Chance to win in percent, by the counters that you and each rival still hold.", 15, ink="quiet")
    for at, (n_seats, tables) in enumerate(found.items()):
        _race(sheet, 40 + at % 2 * 480, 128 + at // 2 * RACE, int(n_seats), tables["race"])
    return sheet


def _race(sheet: Picture, x: float, y: float, n_seats: int, table: Mapping[str, float]) -> None:
    sheet.text(x + 64, y, f"{n_seats} players", 17, weight=800)
    for mine in range(2, 7):
        row = y + 48 + (6 - mine) * 62
        sheet.text(x + 48, row + 36, f"{mine}", 17, weight=800, at="end")
        sheet.text(x + 64 + (6 - mine) * 72 + 33, y + 34, f"{mine}", 17, weight=800, at="middle")
        for theirs in range(2, 7):
            share = table[f"{mine} {theirs}"]
            left = x + 64 + (6 - theirs) * 72
            sheet.shade(left, row, 66, 56, share)
            ink = "on" if share > 0.6 else "ink"
            sheet.text(left + 33, row + 35, f"{100 * share:.0f}", 18, ink=ink, weight=800, at="middle")
    sheet.text(x + 64, y + 48 + 5 * 62 + 22, "Across: the counters of each rival.", 13, ink="quiet")
    sheet.text(x + 2, y + 34, "yours", 13, ink="quiet")


def shapes(found: Mapping[str, Any]) -> Picture:
    """Hands of the same size, from one symbol to three."""
    words = "With as many counters as everybody else, a hand of many symbols is worth more than one of few."
    sheet = Picture(1000, 100 + SHAPES * _rows(found), "What variety is worth", words)
    sheet.text(32, 46, "What variety is worth", 26, weight=800)
    line = "Chance to win in percent with as many counters as each rival; the line is an equal part."
    sheet.text(32, 72, line, 15, ink="quiet")
    for at, (n_seats, tables) in enumerate(found.items()):
        _shapes(sheet, 40 + at % 2 * 480, 118 + at // 2 * SHAPES, int(n_seats), tables["shapes"])
    return sheet


def _shapes(sheet: Picture, x: float, y: float, n_seats: int, table: Mapping[str, float]) -> None:
    fair, scale = 1 / n_seats, 240 / 0.6
    sheet.text(x, y, f"{n_seats} players", 17, weight=800)
    ranked = sorted(table.items(), key=lambda one: (-sum(map(int, one[0].split())), -one[1]))
    top, before = y + 20, 6
    for shape, share in ranked:
        held = [int(count) for count in shape.split()]
        top += 12 if sum(held) != before else 0
        before = sum(held)
        _hand(sheet, x, top + 15, held)
        sheet.box(x + 134, top + 3, share * scale, 24, "lilac")
        sheet.text(x + 400, top + 20, f"{100 * share:.0f}", 16, weight=800, at="end")
        top += 34
    sheet.line(x + 134 + fair * scale, y + 22, x + 134 + fair * scale, top, "ink", dash="2 5")


def _hand(sheet: Picture, x: float, y: float, held: Sequence[int]) -> None:
    at = x + 8
    for symbol, count in enumerate(held):
        for _ in range(count):
            sheet.symbol(symbol, at, y, 13)
            at += 20


# Poko Pop!


OFTEN: Final = 0.35  # nobody jumps oftener


def jumps(found: Mapping[str, Mapping[str, float]]) -> Picture:
    """How often to jump, by place and card."""
    words = "How often to jump when a card is first played for, by its place and its value, for three to five players."
    sheet = Picture(1160, 400, "How often to jump", words)
    sheet.text(32, 46, "How often to jump", 26, weight=800)
    line = "Poko Pop!: percent of jumps at the first look at a card, by its place and its value."
    sheet.text(32, 72, line, 15, ink="quiet")
    for at, (n_seats, table) in enumerate(found.items()):
        _jumps(sheet, 32 + at * 376, 122, int(n_seats), table)
    return sheet


def _jumps(sheet: Picture, x: float, y: float, n_seats: int, table: Mapping[str, float]) -> None:
    sheet.text(x, y, f"{n_seats} players", 17, weight=800)
    for value in range(1, 6):
        sheet.text(x + 62 + (value - 1) * 58 + 26, y + 30, str(value), 17, weight=800, at="middle")
    for place in range(1, n_seats):
        row = y + 42 + (place - 1) * 54
        sheet.text(x, row + 31, f"{place}Poko", 14, weight=700)
        for value in range(1, 6):
            _map_cell(sheet, x + 62 + (value - 1) * 58, row, table[f"{place} {value}"])


def _map_cell(sheet: Picture, x: float, y: float, share: float) -> None:
    sheet.shade(x, y, 52, 48, share / OFTEN, "marigold")
    sheet.text(x + 26, y + 31, f"{100 * share:.0f}", 17, weight=800, at="middle")


# Poch.

SETS: Final = ("", "high card", "pair", "three", "four")
RANKS: Final = ("7s", "8s", "9s", "10s", "jacks", "queens", "kings", "aces")
WIDE: Final = 640  # of all hands, from the best to the worst


def bids(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> Picture:
    """Which hands open, place by place, while nobody has."""
    sizes = sorted({int(key.split()[0]) for key in found})
    words = "The later the place, the weaker the hands that open; the dealer opens with nearly all."
    high = sum(34 * n_seats + 58 for n_seats in sizes)
    sheet = Picture(1000, 120 + high, "How much to bluff", words)
    sheet.text(32, 46, "How much to bluff", 26, weight=800)
    sheet.text(
        32,
        72,
        "Poch: which hands open the bidding while all before have passed, by the book of the strong level.",
        15,
        ink="quiet",
    )
    x = 220.0
    for ink, name in (("tri", "opens with 7 or 10"), ("rose", "opens with 1, 2 or 4"), ("sunk", "passes")):
        sheet.box(x, 92, 16, 16, ink, round_by=4)
        sheet.text(x + 24, 105, name, 13.5, ink="quiet")
        x += 186
    top = 148.0
    for n_seats in sizes:
        top = _bidding(sheet, top, n_seats, [found[f"{n_seats} {place}"] for place in range(n_seats)])
    return sheet


def _bidding(sheet: Picture, top: float, n_seats: int, places: Sequence[Sequence[Mapping[str, Any]]]) -> float:
    """A row for each place, the hands from the best to the worst; how high a field is filled says how often."""
    sheet.text(32, top + 20, f"{n_seats} players", 18, weight=800)
    for number, classes in enumerate(places):
        row, x = top + number * 34, 220.0
        name = "first" if number == 0 else "dealer" if number == n_seats - 1 else f"{number + 1}."
        sheet.text(208, row + 19, name, 13.5, weight=600, at="end")
        opened = sum(one["part"] * (one["small"] + one["large"]) for one in classes)
        for one in classes:
            wide = WIDE * one["part"] - 1.5
            both = one["small"] + one["large"]
            sheet.box(x, row, wide, 28, "sunk", round_by=3)
            sheet.box(x, row + 28 * (1 - both), wide, 28 * both, "rose", round_by=3)
            sheet.box(x, row + 28 * (1 - one["large"]), wide, 28 * one["large"], "tri", round_by=3)
            x += WIDE * one["part"]
        sheet.text(968, row + 20, f"{100 * opened:.0f} % open", 14, weight=800, at="end")
    bottom, x = top + len(places) * 34 + 16, 220.0
    for number, one in enumerate(places[0]):
        size, rank = map(int, one["holds"].split())
        if number in (0, len(places[0]) // 2, len(places[0]) - 1):
            anchor = "start" if number == 0 else "end" if number == len(places[0]) - 1 else "middle"
            at = 220 if number == 0 else 220 + WIDE if anchor == "end" else x
            sheet.text(at, bottom, f"{SETS[size]}, {RANKS[rank]}", 13, ink="quiet", at=anchor)
        x += WIDE * one["part"]
    return bottom + 42


# Every game: skill and seats.

WORDS: Final = {
    "novice random": "novice among random",
    "casual novice": "casual among novices",
    "strong casual": "strong among casuals",
}


def _of_games(found: Mapping[str, Any]) -> list[tuple[str, int, str, Any]]:
    """Title, number of players, cloth and numbers, game by game."""
    cloths = dict(zip(GAMES, CLOTHS, strict=False))
    rows = [(*key.split(), value) for key, value in found.items()]
    return [(GAMES[name].title, int(n_seats), cloths[name], value) for name, n_seats, value in rows]


def skill(found: Mapping[str, Mapping[str, Sequence[float]]]) -> Picture:
    """How often the better player wins."""
    rows = _of_games(found)
    words = "The share of the wins of one better player among weaker ones, as a multiple of an equal part."
    high = sum(28 * len(row[3]) + 30 for row in rows)
    sheet = Picture(1000, 108 + high, "How often the better player wins", words)
    sheet.text(32, 46, "How often the better player wins", 26, weight=800)
    line = "One player among others of the level below; the line is an equal part. In percent of the wins."
    sheet.text(32, 72, line, 15, ink="quiet")
    top = 104.0
    for title, n_seats, cloth, levels in rows:
        sheet.text(32, top + 20, title, 18, weight=800)
        sheet.text(32, top + 42, f"{n_seats} players", 14, ink="quiet")
        for at, (key, (share, margin)) in enumerate(levels.items()):
            line_top = top + at * 28
            sheet.text(342, line_top + 17, WORDS[key], 13.5, at="end")
            sheet.box(356, line_top + 3, 560 * share, 20, cloth)
            sheet.line(356 + 560 * (share - margin), line_top + 13, 356 + 560 * (share + margin), line_top + 13, "ink")
            sheet.text(968, line_top + 18, f"{100 * share:.0f} %", 15, weight=800, at="end")
        bottom = top + 28 * len(levels)
        sheet.line(356 + 560 / n_seats, top - 3, 356 + 560 / n_seats, bottom, "ink", dash="2 5")
        top = bottom + 30
    return sheet


def seats(found: Mapping[str, Sequence[Sequence[float]]]) -> Picture:
    """Each seat's part among equals."""
    rows = _of_games(found)
    words = "What each seat wins among equals, against an equal part, in points of a hundred."
    sheet = Picture(1000, 130 + len(rows) * 64, "Does it matter where you sit?", words)
    sheet.text(32, 46, "Does it matter where you sit?", 26, weight=800)
    line = (
        "Points above or below an equal part among casual players, in order of play from whoever starts or deals first."
    )
    sheet.text(32, 72, line, 15, ink="quiet")
    for number, (title, n_seats, cloth, shares) in enumerate(rows):
        top = 104 + number * 64
        sheet.text(32, top + 24, title, 18, weight=800)
        sheet.text(32, top + 44, f"{n_seats} players", 14, ink="quiet")
        wide = 760 / n_seats
        for seat, (share, margin) in enumerate(shares):
            points = 100 * (share - 1 / n_seats)
            left = 208 + seat * wide
            sheet.box(left, top, wide - 10, 52, cloth, round_by=12)
            shown = f"{points:+.1f}".replace("-", "−") if abs(points) >= 0.05 else "0"
            sheet.text(left + 14, top + 33, shown, 19, weight=800)
            sheet.text(left + wide - 22, top + 33, f"± {100 * margin:.1f}", 12.5, ink="quiet", at="end")
    return sheet


if __name__ == "__main__":
    write()
