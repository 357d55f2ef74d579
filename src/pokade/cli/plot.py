"""A match as a picture: shares of the win, points, how long games last."""

import re
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pokade.arena.kernel import Ints
from pokade.arena.loops import LOWEST_SCORE
from pokade.arena.simulate import Match
from pokade.cli.reports import heading
from pokade.texts import text, written

INK, PAPER = "#1d1633", "#fbf7ef"
TINTS = ("#c9b8ff", "#ffb796", "#a5e3b5", "#9fd3ff", "#ffd97a", "#ffb3c7", "#cfe87f", "#e2cba5")
FEW = 60  # bars that are told apart by their edges
LINE = 14  # letters of a name on a line
ALL_NAMES = 45  # letters below all bars
AXES = ("points", "points_axis", "seats_axis", "rounds_axis", "games_axis")
OUTER = 0.001  # what a histogram leaves out on either side


def plot(match: Match, file: Path, language: str) -> None:
    """Draw a match to a PNG, SVG or PDF file, as its ending says."""
    figure = Figure(figsize=(12, 4), facecolor=PAPER, layout="constrained")
    shares, points, rounds = figure.subplots(1, 3)
    figure.suptitle(heading(language, match.game.title, match.summary()), color=INK)
    _shares(shares, match, language)
    _histogram(points, match.tally.scores, LOWEST_SCORE, TINTS[1])
    _histogram(rounds, match.tally.rounds, 0, TINTS[3])
    words = {key: text(language, f"plot.{key}") for key in AXES}
    length = text(language, "plot.length", mean=written(language, match.rounds().mean, 2))
    points.set(title=words["points"], xlabel=words["points_axis"], ylabel=words["seats_axis"])
    rounds.set(title=length, xlabel=words["rounds_axis"], ylabel=words["games_axis"])
    with matplotlib.rc_context({"svg.hashsalt": match.game.name}):  # equal matches give equal pictures
        figure.savefig(file, dpi=150, metadata={"Date": None} if file.suffix.lower() == ".svg" else None)


def _shares(axes: Any, match: Match, language: str) -> None:
    estimates = match.shares()
    labels = [
        f"p{seat + 1}\n{_folded(name, max(8, ALL_NAMES // len(match.seats)))}"
        for seat, name in enumerate(match.players)
    ]
    means = [100 * share.mean for share in estimates]
    errors = [100 * share.error for share in estimates]
    axes.bar(labels, means, yerr=errors, color=TINTS[: len(labels)], edgecolor=INK, ecolor=INK, capsize=4)
    axes.axhline(100 / len(labels), color=INK, linestyle="--", linewidth=1)
    axes.set(title=text(language, "plot.shares"), ylabel="%")
    axes.set_ylim(bottom=0)
    axes.tick_params(axis="x", labelsize=10 if len(labels) <= 4 else 7)
    _cut_paper(axes)


def _folded(name: str, width: int = LINE) -> str:
    """A name in lines that fit, whole; broken after the signs of a path where that can be."""
    lines = [""]
    for part in re.findall(r"[^/:.\-]*[/:.\-]?", name):
        for piece in (part[at : at + width] for at in range(0, len(part), width)):
            if len(lines[-1]) + len(piece) > width:
                lines.append("")
            lines[-1] += piece
    return "\n".join(lines)


def _histogram(axes: Any, counts: Ints, lowest: int, tint: str) -> None:
    portion = np.cumsum(counts) / counts.sum()
    first, last = int(np.searchsorted(portion, OUTER)), int(np.searchsorted(portion, 1 - OUTER))
    places = np.arange(first, last + 1)
    heights = 100 * counts[first : last + 1] / counts.sum()
    edge = INK if len(places) <= FEW else tint
    axes.bar(places + lowest, heights, width=1, color=tint, edgecolor=edge, linewidth=0.4)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))  # points and rounds are counted
    _cut_paper(axes)


def _cut_paper(axes: Any) -> None:
    axes.set_facecolor(PAPER)
    axes.tick_params(colors=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def plot_cross(found: dict[str, Any], title: str, file: Path, language: str) -> None:
    """Draw a tournament's cross table: of the wins that went to one of two players, the part of the one at the left."""
    names = list(found["cross"])
    size = 2.6 + 1.1 * len(names)
    figure = Figure(figsize=(size + 1.2, size), facecolor=PAPER, layout="constrained")
    axes = figure.subplots()
    figure.suptitle(heading(language, title, found), color=INK)
    parts = [[_part(found["cross"][name][rival]) for rival in names] for name in names]
    axes.imshow(parts, cmap="PuOr_r", vmin=0, vmax=1)
    for row, name in enumerate(names):
        for column, rival in enumerate(names):
            part = found["cross"][name][rival]
            said = "" if part is None else f"{100 * part:.0f} %"
            dark = abs(parts[row][column] - 0.5) > 0.3
            axes.text(column, row, said, ha="center", va="center", color=PAPER if dark else INK, fontsize=12)
    axes.set_xticks(range(len(names)), [_folded(name) for name in names], rotation=30, ha="right")
    axes.set_yticks(range(len(names)), [f"{_folded(name)}\n{found['ratings'][name]['mu']:.1f}" for name in names])
    axes.set_title(text(language, "plot.cross"), color=INK, fontsize=10)
    axes.tick_params(colors=INK, length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    with matplotlib.rc_context({"svg.hashsalt": found["game"]}):
        figure.savefig(file, dpi=150, metadata={"Date": None} if file.suffix.lower() == ".svg" else None)


def _part(part: float | None) -> float:
    """A player against itself is even."""
    return 0.5 if part is None else part
