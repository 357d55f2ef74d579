"""`python -m benchmarks bare`: compiled games beside a game by hand in C, in the same run and by processor time.

The C program plays one game (the file of its name lies here) with five players. Every other game is compared with the
same figure: what the rules cost in the end, however rich they are.
"""

import subprocess
import tempfile
import time
from pathlib import Path
from shutil import which

import numpy as np
from rich.table import Table

from pokade.arena.casting import Cast
from pokade.arena.loops import CHOICES, Arena
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.players import RANDOM

HERE = Path(__file__).parent
PLAYERS = 5
GAMES_IN_C = 600_000
BATCH = 8192
A_TRY = 1.0  # seconds
TRIES = 5


def floor(program: Path) -> float:
    """Choices a second by hand."""
    done = subprocess.run([program, str(PLAYERS), str(GAMES_IN_C), "1"], capture_output=True, text=True, check=True)
    _, _, choices, seconds = map(float, done.stdout.split())
    return choices / seconds


def compiled(game: Game, players: int) -> float:
    """Choices a second of compiled random games, on one thread."""
    arena, cast = Arena(game, players), Cast(game, [RANDOM] * players)
    who = np.tile(np.arange(players), (BATCH, 1))
    arena.meet(cast, 1, 0, who[:1])  # compiles
    choices, number, started = 0, 0, time.thread_time()
    while time.thread_time() - started < A_TRY:
        choices += int(arena.meet(cast, 1, number * BATCH, who)[:, CHOICES].sum())
        number += 1
    return choices / (time.thread_time() - started)


def bare_table() -> Table:
    """Every game beside the one in C; best of several tries in turn, since the machine is shared."""
    (source,) = HERE.glob("*.c")
    table = Table(title=f"Random players, one thread, beside {GAMES[source.stem].title} with {PLAYERS} in C")
    for heading in ("game, players", "choices/s", "in C", "ratio"):
        table.add_column(heading, justify="left" if "," in heading else "right")
    compiler = which("cc") or which("gcc") or which("clang")
    if compiler is None:
        table.add_row("no C compiler", "", "", "")
        return table
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / source.stem
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        for game in GAMES.values():
            players = PLAYERS if game.name == source.stem else game.usual_seats
            tries = [(compiled(game, players), floor(program)) for _ in range(TRIES)]
            ours, theirs = (max(rates) for rates in zip(*tries, strict=True))
            label = f"{game.title}, {players}"
            table.add_row(label, f"{ours / 1e6:.1f} M", f"{theirs / 1e6:.1f} M", f"{ours / theirs:.2f}")
    return table
