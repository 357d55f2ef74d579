"""A picture drawn by hand: shapes and words as SVG, in the colours of the page, legible by day and by night.

A picture has a ground of its own, since a page that shows it may be light while the reader's system is dark.
"""

from html import escape
from pathlib import Path
from typing import Final

DAY: Final = {
    "page": "#FFFFFF", "sunk": "#F0EDF6", "ink": "#1C1433", "quiet": "#585072", "line": "#D8D2E4",
    "disc": "#1F4FD1", "square": "#0A6B45", "tri": "#C4261F", "lilac": "#CFC3F6", "celadon": "#B9E2CE",
    "marigold": "#FFD25C", "rose": "#F6BFB2", "violet": "#6238D6", "brass": "#D9A63E", "on": "#FFFFFF",
}  # fmt: skip
NIGHT: Final = {
    "page": "#1D1536", "sunk": "#2A2148", "ink": "#F6F2FF", "quiet": "#BDB3D4", "line": "#3A2F5C",
    "disc": "#6C9AFF", "square": "#3CC68B", "tri": "#FF7A6C", "lilac": "#6A55B8", "celadon": "#2C8A6F",
    "marigold": "#B27A10", "rose": "#A8505F", "violet": "#B9A6FF", "brass": "#F0C463", "on": "#1C1433",
}  # fmt: skip
SANS: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"
STEPS: Final = 21  # shades between the ground and ink, for maps


class Picture:
    """A sheet to draw on; what it shows is told in words too."""

    def __init__(self, width: float, height: float, title: str, words: str) -> None:
        self.width, self.height, self._title, self._words = width, height, title, words
        self._parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 14,
        *,
        ink: str = "ink",
        weight: int = 500,
        at: str = "start",
    ) -> None:
        """Words on one line; `at` is start, middle or end."""
        self._parts.append(
            f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" font-weight="{weight}" class="{ink}" '
            f'text-anchor="{at}">{escape(words)}</text>'
        )

    def box(
        self, x: float, y: float, wide: float, high: float, ink: str = "sunk", *, round_by: float = 6, clear: float = 1
    ) -> None:
        """A rectangle with round corners."""
        see = "" if clear == 1 else f' opacity="{_n(clear)}"'
        self._parts.append(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(max(0, wide))}" height="{_n(max(0, high))}" '
            f'rx="{_n(min(round_by, wide / 2, high / 2))}" class="{ink}"{see}/>'
        )

    def disc(self, x: float, y: float, radius: float, ink: str = "disc") -> None:
        """A circle."""
        self._parts.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" class="{ink}"/>')

    def area(self, points: list[tuple[float, float]], ink: str = "tri") -> None:
        """A polygon with soft corners."""
        at = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self._parts.append(f'<polygon points="{at}" class="{ink} soft"/>')

    def line(
        self, x: float, y: float, to_x: float, to_y: float, ink: str = "line", *, wide: float = 1.5, dash: str = ""
    ) -> None:
        """A stroke."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<line x1="{_n(x)}" y1="{_n(y)}" x2="{_n(to_x)}" y2="{_n(to_y)}" class="stroke-{ink}" '
            f'stroke-width="{_n(wide)}" stroke-linecap="round"{dashed}/>'
        )

    def symbol(self, number: int, x: float, y: float, size: float, ink: str = "") -> None:
        """A disc, a square or a triangle of the same area as a square with this side."""
        if number == 0:
            self.disc(x, y, size * 0.5642, ink or "disc")
        elif number == 1:
            self.box(x - size / 2, y - size / 2, size, size, ink or "square", round_by=size * 0.14)
        else:
            side = size * 1.52
            high = side * 0.866
            top = y - high * 0.6
            self.area([(x, top), (x + side / 2, top + high), (x - side / 2, top + high)], ink or "tri")

    def shade(self, x: float, y: float, wide: float, high: float, part: float, ink: str = "violet") -> None:
        """A field of a map: the more, the stronger."""
        self.box(x, y, wide, high, "sunk")
        self.box(x, y, wide, high, ink, clear=round(max(0.0, min(1.0, part)) * (STEPS - 1)) / (STEPS - 1))

    def write(self, path: Path) -> None:
        """Equal pictures give equal bytes."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.svg(), "utf-8")

    def svg(self) -> str:
        """The picture as text."""
        size = f'width="{_n(self.width)}" height="{_n(self.height)}" viewBox="0 0 {_n(self.width)} {_n(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{SANS}">'
        told = f"<title>{escape(self._title)}</title><desc>{escape(self._words)}</desc>"
        ground = f'<rect width="{_n(self.width)}" height="{_n(self.height)}" rx="24" class="page"/>'
        return "\n".join([head, told, _style(), ground, *self._parts, "</svg>", ""])


def _style() -> str:
    by_day = "".join(f".{name}{{fill:{tone}}}.stroke-{name}{{stroke:{tone}}}" for name, tone in DAY.items())
    by_night = "".join(f".{name}{{fill:{tone}}}.stroke-{name}{{stroke:{tone}}}" for name, tone in NIGHT.items())
    common = "text{font-variant-numeric:tabular-nums}.soft{stroke-linejoin:round}"
    return f"<style>{by_day}{common}@media (prefers-color-scheme:dark){{{by_night}}}</style>"


def _n(value: float) -> str:
    """A number with as many digits as can be seen."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
