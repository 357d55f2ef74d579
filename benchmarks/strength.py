"""`python -m benchmarks strength`: how strong each level is, as the table in docs/bots.md. Always with the same seed.

Games are kept in `.strength/`, so a run that was stopped goes on where it was. `--games` says how many for each line
with a strong player; the others have three times as many.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks import exploiter
from pokade.arena.bots import Budget
from pokade.arena.tournament import Standing, Tournament, run
from pokade.cli.progress import progress_bar
from pokade.games import GAMES

ROOT: Final = Path(__file__).parents[1]
KEPT: Final = ROOT / ".strength"
PAGE: Final = ROOT / "docs" / "bots.md"
BEGIN, END = "<!-- strength: begin -->", "<!-- strength: end -->"
LADDER: Final = (("novice", "random"), ("casual", "novice"), ("strong", "casual"))
SHINING: Final = 1.25  # of the fair share, at the tables where strong must shine
HABIT: Final = 0.02  # what an exploiter may gain
SEED: Final = 2026
CHEAP: Final = 3  # games without search are quick: so many times as many


@dataclass(frozen=True, slots=True)
class Claim:
    """One player among others of one kind, and what share it must have."""

    game: str
    one: str
    others: str
    n: int
    is_at_most: bool = False

    @property
    def goal(self) -> float:
        """The share to reach (or not to pass), without its interval."""
        if self.is_at_most:
            return 1 / self.n + HABIT
        shines = self.one == "strong" and self.others == "casual" and self.n in shines_at(self.game)
        return (SHINING if shines else 1.0) / self.n

    def is_met(self, found: Standing) -> bool:
        """A share above the fair one must be so with its whole interval; other goals are for the share itself."""
        if self.is_at_most:
            return found.share <= self.goal
        return found.low > 1 / self.n and found.share >= self.goal


def shines_at(game: str) -> tuple[int, ...]:
    """The numbers of players at which the strong level of a game must shine."""
    found: tuple[int, ...] = import_module(f"pokade.arena.search.{game}").SHINES
    return found


def claims(names: list[str]) -> Iterator[Claim]:
    """All that is claimed, game by game."""
    for name in names:
        seats = GAMES[name].seats
        ends = (seats[0], seats[-1])
        for one, others in LADDER:
            for n in sorted({*ends, *(shines_at(name) if one == "strong" else ())}):
                yield Claim(name, one, others, n)
        if name in exploiter.PLAYERS:
            yield Claim(name, "exploiter", "strong", shines_at(name)[0], is_at_most=True)


def measured(claim: Claim, games: int, threads: int, times: float, bar: Progress) -> Standing:
    """The share of the one among the others; kept, so that it is played only once."""
    KEPT.mkdir(exist_ok=True)
    outsiders = {"exploiter": exploiter.PLAYERS[claim.game]()} if claim.one == "exploiter" else {}
    entrants = [claim.one, *[claim.others] * (claim.n - 1)]
    tournament = Tournament(GAMES[claim.game], entrants, SEED, budget=Budget(times=times), outsiders=outsiders)
    keep = KEPT / f"{claim.game}-{claim.n}-{claim.one}-{claim.others}-{times:g}.jsonl"
    if outsiders:
        keep.unlink(missing_ok=True)  # it has to learn from the first game on
    games *= 1 if "strong" in (claim.one, claim.others) else CHEAP
    task = bar.add_task(f"{claim.game} {claim.n}: {claim.one} among {claim.others}", total=games)
    if keep.exists() and json.loads(keep.read_text("utf-8").partition("\n")[0]) != tournament.heading():
        keep.unlink()  # the rules or the players have changed since
    run(tournament, games, 1 if outsiders else threads, keep, lambda done: bar.update(task, completed=done))
    return tournament.standings()[0]


def row(claim: Claim, found: Standing) -> list[str]:
    """A line of the table."""
    share = f"{100 * found.share:.1f} % ({100 * found.low:.1f}–{100 * found.high:.1f})"
    goal = f"{'≤' if claim.is_at_most else '≥' if claim.goal * claim.n > 1 else '>'} {100 * claim.goal:.1f} %"
    met = "yes" if claim.is_met(found) else "**no**"
    think = f"{found.milliseconds_per_choice:.2f}"
    return [GAMES[claim.game].title, str(claim.n), claim.one, claim.others, share, goal, met, str(found.games), think]


HEADINGS: Final = ("game", "players", "one", "among", "share of the win (95 %)", "goal", "met", "games", "ms a choice")


def main(words: list[str]) -> None:
    """Measure, print, and write the table into the page about bots."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength", description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--times", type=float, default=1.0, help="of the arena's usual budget for strong")
    parser.add_argument("--game", choices=list(GAMES), action="append")
    parser.add_argument("--write", action="store_true", help="write the table into docs/bots.md")
    asked = parser.parse_args(words)
    console, rows = Console(), []
    with progress_bar(quiet=False) as bar:
        for claim in claims(asked.game or list(GAMES)):
            rows.append(row(claim, measured(claim, asked.games, asked.threads, asked.times, bar)))
            console.print(" | ".join(rows[-1]), highlight=False)
    table = Table(*HEADINGS, title=f"Strength, seed {SEED}")
    for line in rows:
        table.add_row(*line)
    console.print(table)
    if asked.write:
        write(rows)


def write(rows: list[list[str]]) -> None:
    """The table between its marks in docs/bots.md."""
    lines = [HEADINGS, ["---"] * len(HEADINGS), *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}", "utf-8")
