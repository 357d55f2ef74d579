"""The pictures of a report as SVG to stand within a page: words come from outside, and ink is the page's own."""

import io
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pokade.arena.simulate import Estimate
from pokade.cli.plot import TINTS

INK: Final = "#010203"  # stands for the page's own ink until the picture is written
WIDTH: Final = 8.0  # inches, of which a page makes what it has room for
Bars = Sequence[tuple[str, Sequence[Estimate]]]  # a name, and a value for each label


def drawn(name: str, size: tuple[float, float], draw: Callable[[Any], None]) -> str:
    """One picture; names within it begin with its own, so that several can stand on a page."""
    figure = Figure(figsize=size, layout="constrained")
    figure.patch.set_alpha(0)
    draw(figure)
    out = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return within_a_page(out.getvalue(), name)


def within_a_page(svg: str, name: str) -> str:
    """From the element itself on; every name and every reference to one with the picture's own in front."""
    svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(url\(|href=")#', rf"\1#{name}-", svg)
    return re.sub(r"^<svg([^>]*?) height=\"[^\"]*\"([^>]*?) width=\"[^\"]*\"", r"<svg\1\2", svg, count=1)


def bars(name: str, labels: Sequence[str], groups: Bars, *, unit: str, fair: float | None = None) -> str:
    """Upright bars with intervals, side by side for each label; a dashed line shows what is fair."""

    def draw(figure: Any) -> None:
        axes = _axes(figure)
        wide = 0.8 / len(groups)
        for number, (group, values) in enumerate(groups):
            places = [at + wide * (number - (len(groups) - 1) / 2) for at in range(len(labels))]
            means, errors = [value.mean for value in values], [value.error for value in values]
            style = {"color": TINTS[number], "edgecolor": INK, "linewidth": 0.6, "ecolor": INK, "capsize": 2}
            axes.bar(places, means, wide, yerr=errors, label=group, **style)
        if fair is not None:
            axes.axhline(fair, color=INK, linestyle="--", linewidth=1)
        axes.set_xticks(range(len(labels)), labels, rotation=0 if len("".join(labels)) < 60 else 25)
        axes.set_ylabel(unit, color=INK)
        if len(groups) > 1:
            figure.legend(loc="outside lower center", ncols=len(groups), frameon=False, labelcolor=INK)

    return drawn(name, (WIDTH, 3.2), draw)


def histogram(name: str, places: Sequence[int], heights: Sequence[float], words: tuple[str, str]) -> str:
    """How often each number came; `words` stand below and at the side."""

    def draw(figure: Any) -> None:
        axes = _axes(figure)
        axes.bar(places, heights, width=1, color=TINTS[3], edgecolor=INK, linewidth=0.4)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(words[0], color=INK)
        axes.set_ylabel(words[1], color=INK)

    return drawn(name, (WIDTH, 2.8), draw)


def dots(name: str, labels: Sequence[str], panels: Bars) -> str:
    """A panel for each quantity: a dot with its interval for each label, the first one as a line down the panel."""

    def draw(figure: Any) -> None:
        all_axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        places = range(len(labels))
        for axes, (title, values), tint in zip(all_axes, panels, TINTS, strict=False):
            _plain(axes)
            means, errors = [value.mean for value in values], [value.error for value in values]
            axes.axvline(means[0], color=INK, linestyle="--", linewidth=0.8)
            style = {"color": INK, "markerfacecolor": tint, "markersize": 7, "capsize": 2}
            axes.errorbar(means, places, xerr=errors, fmt="o", **style)
            axes.set_title(title, color=INK, fontsize=10)
            axes.xaxis.set_major_locator(MaxNLocator(4))
        all_axes[0].set_yticks(places, labels)
        all_axes[0].invert_yaxis()

    return drawn(name, (WIDTH, 1.2 + 0.34 * len(labels)), draw)


def square(name: str, labels: Sequence[str], parts: Sequence[Sequence[float | None]]) -> str:
    """A part in per cent for the row's player against the column's."""

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        found = [[0.5 if part is None else part for part in row] for row in parts]
        axes.pcolormesh(found, cmap="PuOr_r", vmin=0, vmax=1, alpha=0.75)
        axes.invert_yaxis()
        for row, cells in enumerate(parts):
            for column, part in enumerate(cells):
                said = "" if part is None else f"{100 * part:.0f} %"
                axes.text(column + 0.5, row + 0.5, said, ha="center", va="center", color="#1d1633")
        middles = [at + 0.5 for at in range(len(labels))]
        axes.set_xticks(middles, labels)
        axes.set_yticks(middles, labels)
        axes.patch.set_alpha(0)
        axes.tick_params(colors=INK, length=0)
        for side in axes.spines.values():
            side.set_visible(False)

    return drawn(name, (4.8, 3.6), draw)


def _axes(figure: Any) -> Any:
    axes = figure.subplots()
    _plain(axes)
    return axes


def _plain(axes: Any) -> None:
    axes.patch.set_alpha(0)
    axes.tick_params(colors=INK)
    for side, spine in axes.spines.items():
        spine.set_visible(side not in ("top", "right"))
        spine.set_color(INK)
