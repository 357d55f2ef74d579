"""`python -m benchmarks matrix`: every level against a pool of others, as the tables in docs/bots.md. Always one seed.

What was played is kept, so a run that was stopped goes on where it was; cells without a search come first. `--write`
puts what there is into the page: of the games and sizes asked for, all cells that were played by the code as it is.
"""

import argparse
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.console import Console

from benchmarks.cells import Cell, Found, Goal, Kept, Playing, Pool, found_in
from benchmarks.pool import sizes
from pokade.arena.runs import all_threads
from pokade.cli.progress import progress_bar
from pokade.games import GAMES
from pokade.players import LEVELS, is_strong

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "bots.md"
BEGIN, END = "<!-- matrix: begin -->", "<!-- matrix: end -->"
TABLE: Final = re.compile(r"^\*\*(.+ players)\*\*.*\n\n(?:\|.*\n)+", re.MULTILINE)
MISS: Final = re.compile(r"^- .+", re.MULTILINE)
NONE_MISSED: Final = "No goal is missed by what was played."


class TimeIsUp(Exception):
    """The minutes that were asked for are over."""


def cost(cell: Cell) -> tuple[int, bool, bool]:
    """Cells without a search first, then those with the fewest players that search; levels among levels come first."""
    searching = is_strong(cell.one) + is_strong(cell.among) * (cell.players - 1)
    return searching, cell.one not in LEVELS, cell.among not in LEVELS


def all_cells(pools: list[Pool], levels: list[str]) -> list[tuple[Pool, Cell]]:
    """Every cell once, the cheap ones first."""
    found = {cell: one for one in pools for level in levels for cell in one.cells(level)}
    return sorted(((one, cell) for cell, one in found.items()), key=lambda pair: cost(pair[1]))


def main(words: list[str]) -> None:
    """Play what is missing, name what misses its goal, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks matrix", description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="a cell")
    parser.add_argument("--games-of", choices=list(GAMES), action="append", help="this game only; may be repeated")
    parser.add_argument("--players", type=int, action="append", help="tables of this size only; may be repeated")
    parser.add_argument("--levels", default=",".join(LEVELS), help="the levels that are judged")
    parser.add_argument("--threads", type=int, default=all_threads())
    parser.add_argument("--minutes", type=float, default=0.0, help="stop after so many; the same command goes on")
    parser.add_argument("--keep", type=Path, default=ROOT / ".matrix", metavar="DIR")
    parser.add_argument("--learnt", type=Path, default=ROOT / ".learnt", metavar="DIR", help="GAME-PLAYERS-LEVEL.npz")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/bots.md")
    asked = parser.parse_args(words)
    games = [GAMES[name] for name in asked.games_of or GAMES]
    wanted = [(game, n) for game in games for n in sizes(game) if not asked.players or n in asked.players]
    pools = [Pool(game, n_seats, asked.learnt) for game, n_seats in wanted]
    kept, levels = Kept(asked.keep), [level for level in LEVELS if level in asked.levels.split(",")]
    try:
        play(pools, levels, kept, asked)
    except (KeyboardInterrupt, TimeIsUp):
        Console(stderr=True).print("stopped; the same command goes on")
    misses: list[str] = []
    tables = {title_of(one): "\n".join(table(one, levels, kept, misses)) for one in pools}
    Console().print("\n".join(misses), highlight=False)
    if asked.write:
        write(tables, misses)


def play(pools: list[Pool], levels: list[str], kept: Kept, asked: argparse.Namespace) -> None:
    """Every cell that is missing, then the ratings."""
    until = time.monotonic() + 60 * asked.minutes if asked.minutes else float("inf")
    cells = all_cells(pools, levels)
    with progress_bar(quiet=False) as bar:
        every, one = bar.add_task("cells", total=len(cells) + len(pools)), bar.add_task("games", total=asked.games)

        def progress(done: int) -> None:
            bar.update(one, completed=done)
            if time.monotonic() > until:
                raise TimeIsUp

        playing = Playing(kept, asked.games, asked.threads, progress)
        for pool, cell in cells:
            bar.update(one, description=f"{cell.game} {cell.players}: {cell.one} among {cell.among}")
            playing.cell(pool, cell)
            bar.advance(every)
        for pool in pools:
            bar.update(one, description=f"{pool.game.name} {pool.n_seats}: ratings")
            playing.ratings(pool)
            bar.advance(every)


def title_of(pool: Pool) -> str:
    """What a table is found by on the page."""
    return f"{pool.game.title}, {pool.n_seats} players"


def table(pool: Pool, levels: list[str], kept: Kept, misses: list[str]) -> Iterator[str]:
    """A line for each of the pool, two columns for each level, and the ratings; and goals that are missed."""
    rated = kept.get(pool.key(pool.names), 0)
    heads = [head for level in levels for head in (f"it among {level}", f"one {level} among it")]
    yield f"**{title_of(pool)}** (a fair share is {100 / pool.n_seats:.1f} %)\n"
    yield "| " + " | ".join(["the other", *heads, "rating"]) + " |"
    yield "| --- " * (len(heads) + 2) + "|"
    for other in pool.names:
        cells = [shown(pool, cell, kept, misses) for level in levels for cell in both(pool, other, level)]
        rating = rated["ratings"].get(other) if rated else None
        yield "| " + " | ".join([other, *cells, f"{rating['mu']:.1f} ± {rating['sigma']:.1f}" if rating else ""]) + " |"


def both(pool: Pool, other: str, level: str) -> tuple[Cell, Cell]:
    """The two cells of a pair."""
    return Cell(pool.game.name, pool.n_seats, other, level), Cell(pool.game.name, pool.n_seats, level, other)


def shown(pool: Pool, cell: Cell, kept: Kept, misses: list[str]) -> str:
    """A share with its interval, and whether it meets its goal; a miss is noted."""
    row = kept.get(pool.key([cell.one, *[cell.among] * (cell.players - 1)]), 0) if cell.one != cell.among else None
    if row is None:
        return "" if cell.one == cell.among else "…"
    found, goal = found_in(row), pool.goal(cell)
    if goal is not None and not found.meets(goal):
        misses.append(f"- {title_of(pool)}: one {cell.one} among {cell.among} has {told(found, goal)}")
    mark = "" if goal is None else " ✓" if found.meets(goal) else " **✗**"
    return f"{100 * found.share:.1f} ± {50 * (found.high - found.low):.1f}{mark}"


def told(found: Found, goal: Goal) -> str:
    """A miss in words."""
    wanted = f"{'at most' if goal.is_at_most else 'at least'} {100 * goal.share:.1f} %"
    sure = " with its whole interval" if goal.is_sure else ""
    return f"{100 * found.share:.1f} % ({100 * found.low:.1f}–{100 * found.high:.1f}), wanted {wanted}{sure}"


def write(tables: dict[str, str], misses: list[str]) -> None:
    """The tables between their marks in docs/bots.md; those of other games and sizes stay as they are."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    old, _, after = rest.partition(END)
    every = {found[1]: found[0].strip() for found in TABLE.finditer(old)} | tables
    others = [line for line in MISS.findall(old) if not line.startswith(tuple(f"- {title}:" for title in tables))]
    told = ["**Goals that are missed**", "\n".join(others + misses)] if others or misses else [NONE_MISSED]
    PAGE.write_text("\n\n".join([before + BEGIN, *every.values(), *told, END + after]), "utf-8")
