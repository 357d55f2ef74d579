"""Analyses as one page of HTML that needs nothing else: curves, sums, and choices worth a second look."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from pokade.cli.analysis_words import Words
from pokade.texts import text

if TYPE_CHECKING:
    from pokade.analysis import Analysis

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 300, 44, 120, 12, 28  # of a drawing and its margins
GRID: Final = (0, 25, 50, 75, 100)
COLOURS: Final = ("#c8402f", "#2f6db5", "#2e8b57", "#b8860b", "#7d4fa3", "#c2557f", "#3a8f96", "#8a6d4b")
APART: Final = 15  # between two names at the end of their curves
STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 } th, td { padding: .25rem .75rem .25rem 0; text-align: right }
th:first-child, td:first-child, th:last-child, td:last-child { text-align: left } th { font-weight: 600 }
svg { width: 100%; height: auto; font-size: 13px } svg text { fill: currentColor }
.grid { stroke: currentColor; opacity: .18 } .dice { fill: currentColor; opacity: .06 } small { opacity: .75 }
"""


def page(analyses: Sequence["Analysis"], language: str) -> str:
    """The whole page."""
    title = escape(text(language, "analyse.title"))
    body = "".join(part for analysis in analyses for part in _section(Words(analysis, language)))
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body><h1>{title}</h1>{body}</body></html>\n"
    )


def _section(words: Words) -> Iterator[str]:
    yield f"<section><h2>{escape(words.title)}</h2>"
    yield curve(words)
    yield _table(words)
    for seat in range(len(words.names)):
        for heading, lines in words.notable(seat):
            items = "".join(f"<li>{escape(line)}</li>" for line in lines)
            yield f"<h3>{escape(heading)}</h3><ul>{items}</ul>"
    yield f"<p><small>{escape(words.method)}</small></p></section>"


def _table(words: Words) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in words.columns)
    rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in words.rows())
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table>"


def curve(words: Words) -> str:
    """Everybody's chance of winning, step by step; the steps of chance are shaded."""
    steps, seats = words.analysis.steps, range(len(words.names))
    lines = [[1 / len(seats), *(step.chances.shares[seat] for step in steps)] for seat in seats]
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{escape(words.say("curve"))}</title>']
    for number, step in enumerate(steps):
        if step.moment.is_chance:
            left, right = _x(number, len(steps)), _x(number + 1, len(steps))
            height = HEIGHT - TOP - BOTTOM
            parts.append(f'<rect class="dice" x="{left:.1f}" y="{TOP}" width="{right - left:.1f}" height="{height}"/>')
    for percent in GRID:
        y = _y(percent / 100)
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{percent}</text>')
    for seat, at in zip(seats, _apart([_y(line[-1]) for line in lines]), strict=True):
        points = " ".join(f"{_x(n, len(steps)):.1f},{_y(share):.1f}" for n, share in enumerate(lines[seat]))
        colour = COLOURS[seat]
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts.append(
            f'<text x="{WIDTH - RIGHT + 8}" y="{at + 4:.1f}" style="fill:{colour}">{escape(words.names[seat])}</text>'
        )
    return "".join([*parts, "</svg>"])


def _x(number: int, steps: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * number / max(1, steps)


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _apart(heights: Sequence[float]) -> list[float]:
    """Where names stand so that none covers another: upwards from the lowest, if they do not fit below."""
    found = list(heights)
    last = float(HEIGHT - BOTTOM + APART)
    for number in sorted(range(len(heights)), key=lambda seat: -heights[seat]):
        last = min(heights[number], last - APART)
        found[number] = last
    return found
