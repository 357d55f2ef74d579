"""`pokade solve` and `pokade certify`: an equilibrium of a game, and how near to one it is."""

import json
import time
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer
from rich.filesize import decimal

from pokade.cli.options import (
    FAILED,
    STOPPED,
    Cluster,
    GameName,
    Json,
    Lang,
    check_writable,
    fail,
    game_named,
    language_named,
    workers_of,
)
from pokade.cli.progress import progress_bar
from pokade.games.errors import Unsolved
from pokade.games.game import Game
from pokade.records import one_line
from pokade.texts import explained, text, written

MaxRounds = Annotated[
    int | None,
    typer.Option("--max-rounds", min=1, metavar="N", help="With this limit of rounds; by default there is none."),
]
Players = Annotated[int, typer.Option(metavar="N", help="How many sit at the table.")]


def solve(
    game: GameName,
    *,
    players: Players,
    max_rounds: MaxRounds = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The file to write.")] = None,
    threads: Annotated[
        int,
        typer.Option("--threads", "--jobs", "-j", min=0, metavar="N", help="Positions solved at once; 0: all cores."),
    ] = 0,
    cluster: Cluster = None,
    lang: Lang = "",
) -> None:
    """Solve a game: an equilibrium over all positions.

    A run that was stopped goes on where it was.
    """
    language = language_named(lang)
    rules = game_named(game, language)
    solver = _solver(rules, players, language)
    file = out or Path(f"{rules.name}-{players}{f'-{max_rounds}-rounds' if max_rounds else ''}.solution")
    check_writable("--out", file)
    workers, started = workers_of(cluster, threads), time.perf_counter()
    work = solver.LimitedSolving(players, file, max_rounds) if max_rounds else solver.Solving(players, file)
    with progress_bar(False) as bar:
        task = bar.add_task(text(language, "solve.going_on"), total=len(work.positions))
        try:
            work.run(workers, lambda done: bar.update(task, completed=done))
        except Unsolved as error:
            fail(explained(language, error), FAILED)
        except KeyboardInterrupt:
            fail(
                text(
                    language,
                    "solve.stopped",
                    done=written(language, len(work.solved)),
                    total=written(language, len(work.positions)),
                ),
                STOPPED,
            )
    number, seconds = (written(language, value) for value in (len(work.positions), time.perf_counter() - started))
    said = {"number": number, "seconds": seconds, "file": file, "size": decimal(file.stat().st_size)}
    typer.echo(one_line(text(language, "solve.done", **said)))


def certify(
    game: GameName,
    *,
    players: Players,
    max_rounds: MaxRounds = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="A solution, else the one in the package.")
    ] = None,
    as_json: Json = False,
    lang: Lang = "",
) -> None:
    """Work out what the best response to a solution gains."""
    language = language_named(lang)
    rules = game_named(game, language)
    solver = _solver(rules, players, language)
    with progress_bar(as_json) as bar:
        task = bar.add_task(text(language, "certify.going_on"), total=None)
        try:
            solution = solver.limited(players, file) if max_rounds and file else solver.solved(players, file)
            found = solver.certified(solution, lambda done, of: bar.update(task, completed=done, total=of), max_rounds)
        except OSError as error:
            fail(f"{file}: {error.strerror or error}")
    if as_json:
        typer.echo(json.dumps(found.summary()))
        return
    start, worst = (written(language, gain, 7) for gain in (found.epsilon_start, found.epsilon_max))
    said = {"digest": found.digest, "number": written(language, found.positions), "start": start, "worst": worst}
    typer.echo(text(language, "certify.done", game=rules.title, players=players, **said))


def _solver(game: Game, players: int, language: str) -> ModuleType:
    """What solves a game; refuses a game or a number of players that it does not solve."""
    from pokade.solver import solver_of  # noqa: PLC0415 - what the solver loads is not needed by other commands

    solver = solver_of(game)
    if solver is None:
        fail(text(language, "solve.unknown", game=game.title))
    if players not in game.seats:
        fail(text(language, "solve.players", game=game.title, least=game.seats[0], most=game.seats[-1]))
    return solver
