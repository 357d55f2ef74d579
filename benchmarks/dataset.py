"""A million choices as a dataset, records included, in CPU seconds of one thread (`benchmarks dataset`)."""

import tempfile
import time
from pathlib import Path

from rich.table import Table

from pokade.arena.dataset.files import Dataset, write
from pokade.arena.tournament import Tournament
from pokade.games import GAMES

CHOICES = 1_000_000
SAMPLE = 2048  # games to see how many choices one has
PLAYERS = ("casual", "novice", "random")


def dataset_table() -> Table:
    """The first game of the list at its usual table; the process is measured, all its threads together."""
    game = next(iter(GAMES.values()))
    table = Table("dataset", "players", "games", "choices", "CPU seconds", "MB")
    asked = Tournament(game, PLAYERS, 1, n_seats=game.usual_seats)
    games = round(SAMPLE * CHOICES / _made(asked, SAMPLE)[0]) + 1  # compiles, too
    choices, seconds, size = _made(asked, games)
    table.add_row(game.title, ", ".join(PLAYERS), f"{games:,}", f"{choices:,}", f"{seconds:.1f}", f"{size / 1e6:.0f}")
    return table


def _made(asked: Tournament, games: int) -> tuple[int, float, int]:
    """Choices, CPU seconds and bytes of a dataset."""
    with tempfile.TemporaryDirectory() as folder:
        work, started = Dataset(asked, games, Path(folder)), time.process_time()
        write(work)
        seconds = time.process_time() - started
        return work.choices, seconds, sum(file.stat().st_size for file in Path(folder).iterdir())
