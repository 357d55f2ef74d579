"""`make bench`: one table, ratios first. Best of several tries, since the machine is shared.

`python -m benchmarks load` (`storage`, `uploads`, `classes`, `reveals`, `first`, `vector`, `bare`, `dataset`)
runs one part, `matrix` takes a night.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import classes, load, matrix, uploads
from benchmarks.bare import bare_table
from benchmarks.dataset import dataset_table
from benchmarks.first import first_table
from benchmarks.peers import PEERS
from benchmarks.reveals import reveals_table
from benchmarks.stalls import stalls_table
from benchmarks.storage import storage_table
from benchmarks.vector import vector_table
from pokade import records
from pokade.arena.runs import all_threads
from pokade.arena.simulate import Match, run
from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.games.state import CHANCE, NOBODY, blinded
from pokade.testing import random_game

TRIES = 5
A_TRY = 1.5  # seconds
RECORDS = 200
SAMPLE = 10_000  # games to see how long one takes


def best(measure: Callable[[], float], tries: int = TRIES) -> float:
    return max(measure() for _ in range(tries))


def compiled(game: Game, threads: int, player: str = "random", part: int = 1) -> Match:
    return played(game, games_a_try(game) * threads // part, threads, player)


def played(game: Game, games: int, threads: int = 1, player: str = "random") -> Match:
    return run(Match(game, [player] * game.usual_seats, games, seed=1, threads=threads))


@cache
def games_a_try(game: Game) -> int:
    """So many that a try takes about as long as it should."""
    played(game, 1)  # compiles
    started = time.perf_counter()
    played(game, SAMPLE)
    return round(SAMPLE * A_TRY / (time.perf_counter() - started))


def plain(game: Game, seconds: float = 1.0) -> float:
    """Choices a second of the plain rules through the unchecked doors, as the compiled loops go through them."""
    chance, choices, started = Seeded(1), 0, time.perf_counter()
    draw = chance.draw
    while time.perf_counter() - started < seconds:
        state = game.new(game.usual_seats)
        while (turn := game.turn(state)) != NOBODY:
            if turn == CHANCE:
                game.happen(state, game.outcome_at(state, draw(game.tickets(state))))
                continue
            for seat in range(state.n_seats):
                if turn >> seat & 1:
                    game.choose(state, seat, game.choice_at(state, seat, draw(game.n_choices(state, seat))))
                    choices += 1
    return choices / (time.perf_counter() - started)


def views(game: Game, seconds: float = 0.5) -> float:
    play = random_game(game, game.usual_seats, {}, 1)
    count, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        for seat in range(play.n_seats):
            blinded(play.state, seat, recall=True)
        count += play.n_seats
    return count / (time.perf_counter() - started)


def record_rates(game: Game) -> tuple[float, float]:
    """Records a second read, replayed and checked; and without the TOML layer."""
    names = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal"][: game.usual_seats]
    texts = [records.write(random_game(game, len(names), {}, seed), names) for seed in range(RECORDS)]
    started = time.perf_counter()
    read = [records.read(text) for text in texts]
    parsed = time.perf_counter()
    for record in read:
        records.replay(record)
    done = time.perf_counter()
    return RECORDS / (done - started), RECORDS / (done - parsed)


def in_a_fresh_process(code: str, **environment: str) -> float:
    """The number that a new interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | environment
    )
    return float(done.stdout)


def import_milliseconds() -> float:
    code = "import time; t = time.perf_counter(); import pokade.games; print(1000 * (time.perf_counter() - t))"
    return min(in_a_fresh_process(code) for _ in range(TRIES))


def compile_seconds(game: Game) -> tuple[float, float]:
    """The first compilation into an empty cache, and a start from a warm one."""
    code = (
        "import time; t = time.perf_counter()\n"
        "from pokade.games import GAMES; from pokade.arena.simulate import Match, run\n"
        f"run(Match(GAMES[{game.name!r}], ['random'] * {game.usual_seats}, 1)); print(time.perf_counter() - t)"
    )
    with tempfile.TemporaryDirectory() as home:
        first = in_a_fresh_process(code, XDG_CACHE_HOME=home)
        again = min(in_a_fresh_process(code, XDG_CACHE_HOME=home) for _ in range(3))
    return first, again


def million(rate: float) -> str:
    return f"{rate / 1e6:.2f} M"


def row(game: Game) -> tuple[list[str], float]:
    threads = all_threads()
    compiled(game, 1, part=100)  # compiles, so that the tries below only play
    one = best(lambda: compiled(game, 1).summary()["choices_per_second"])
    every = best(lambda: compiled(game, threads).summary()["choices_per_second"])
    rounds = best(lambda: compiled(game, 1).summary()["rounds_per_second"], 2)
    casual = best(lambda: compiled(game, 1, "casual", 10).summary()["choices_per_second"], 2)
    slow = best(lambda: plain(game), 3)
    whole, bare = (max(rates) for rates in zip(*(record_rates(game) for _ in range(3)), strict=True))
    first, again = compile_seconds(game)
    return [
        f"{game.title}, {game.usual_seats}",
        f"{one / slow:.0f} ×",
        f"{every / one:.2f} ×",
        million(slow),
        million(one),
        million(every),
        million(casual),
        million(rounds),
        f"{whole:,.0f}",
        f"{bare:,.0f}",
        f"{best(lambda: views(game), 3):,.0f}",
        f"{first:.1f} s",
        f"{again:.1f} s",
    ], one


HEADINGS = (
    "game, players",
    "compiled : plain",
    "all threads : one",
    "plain choices/s",
    "compiled choices/s",
    "all threads choices/s",
    "rules of thumb choices/s",
    "rounds or deals/s",
    "records/s",
    "records/s without TOML",
    "views/s",
    "first compilation",
    "start from the cache",
)


PRINTED: dict[str, Callable[[], Table]] = {  # the parts that are one table
    "storage": storage_table,
    "stalls": stalls_table,
    "reveals": reveals_table,
    "first": first_table,
    "vector": vector_table,
    "bare": bare_table,
    "dataset": dataset_table,
}


def main() -> None:
    match sys.argv[1:]:
        case []:
            everything()
        case ["load", *words]:
            load.main(words)
        case ["matrix", *words]:
            matrix.main(words)
        case ["classes"]:
            classes.main()
        case ["uploads"]:
            uploads.main()
        case [name] if name in PRINTED:
            Console(width=140).print(PRINTED[name]())
        case _:
            parts = f"load, matrix, uploads, classes, {', '.join(PRINTED)}"
            sys.exit(f"There are: python -m benchmarks, and the same with {parts}.")


def everything() -> None:
    console = Console(width=None if sys.stdout.isatty() else 160)
    rates = {}
    found = []
    for game in track(GAMES.values(), "our games", console=Console(stderr=True), transient=True):
        cells, rates[game.name] = row(game)
        found.append(cells)
    peers = {name: peer() for name, peer in track(PEERS.items(), "peers", console=Console(stderr=True), transient=True)}

    first = next(iter(GAMES.values()))
    ratios = Table(
        title=f"Ratios to peers, driven from Python in the same run (compiled {first.title}, one thread : peer)"
    )
    for heading in ("peer", "peer choices/s", "ratio"):
        ratios.add_column(heading, justify="left" if heading == "peer" else "right")
    for name, rate in peers.items():
        missing = ("not installed: pip install .[bench]", "")
        ratios.add_row(name, *missing if rate is None else (f"{rate:,.0f}", f"{rates[first.name] / rate:.0f} ×"))
    console.print(ratios)
    table = Table(title=f"Random players, best of {TRIES}, {all_threads()} threads in all")
    table.add_column("")
    for cells in found:
        table.add_column(cells[0], justify="right")
    for line, heading in enumerate(HEADINGS[1:], 1):
        table.add_row(heading, *(cells[line] for cells in found))
    console.print(table)
    console.print(vector_table())
    console.print(bare_table())
    console.print(dataset_table())
    console.print(storage_table())
    load.main([])
    uploads.main()
    classes.main()
    console.print(f"import pokade.games: {import_milliseconds():.0f} ms")


if __name__ == "__main__":
    main()
