"""`pokade arena`: players meet in all seats with the same dice and deals, and are measured."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from pokade.cli.options import fail, game_named, options_from
from pokade.cli.outside import outsider
from pokade.cli.progress import progress_bar
from pokade.games.errors import PokadeError

_PLOTS = (".png", ".svg", ".pdf")


def arena(
    game: Annotated[str, typer.Argument(help="pok, pokerdice, pokopop or poch")],
    seats: Annotated[
        str,
        typer.Option(help="Players, with commas: random, novice, casual, strong, casual-bold … or FILE.py:FUNCTION."),
    ] = "strong,casual",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 300,
    players: Annotated[
        int | None, typer.Option(help="How many sit at a table: fewer or more than named make them a pool.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Same seed, same games.")] = 0,
    threads: Annotated[int, typer.Option(min=0, max=256, help="Threads; 0 takes all there are.")] = 1,
    option: Annotated[list[str] | None, typer.Option(help="A table option, NAME=VALUE.")] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="What strong thinks about a choice.")] = None,
    milliseconds: Annotated[float | None, typer.Option(min=1, help="The same as a time; games then vary.")] = None,
    times: Annotated[float, typer.Option(min=0.001, max=10_000, help="The same, of what is usual here.")] = 1.0,
    keep: Annotated[Path | None, typer.Option(help="Keep the games in this file, and go on with those in it.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the cross table to a PNG, SVG or PDF file.")] = None,
) -> None:
    """Let players meet in every seat with the same dice and deals, and measure them."""
    rules = game_named(game)
    if plot is not None and plot.suffix not in _PLOTS:
        fail(f"--plot takes a file that ends in {', '.join(_PLOTS)}")
    from pokade.arena.bots import Budget  # noqa: PLC0415 - what the arena loads is not needed by other commands
    from pokade.arena.runs import all_threads  # noqa: PLC0415 - as above
    from pokade.arena.tournament import Tournament, run  # noqa: PLC0415 - as above

    names = [name.strip() for name in seats.split(",") if name.strip()]
    try:
        outsiders = {name: found for name in names if (found := outsider(name)) is not None}
        size = len(names) if players is None else players
        options = options_from(rules, size, option or [])
        budget = Budget(iterations, None if milliseconds is None else milliseconds / 1000, times)
        pool = 0 if size == len(names) else size
        tournament = Tournament(rules, names, seed, options, budget, pool, outsiders)
        with progress_bar(as_json) as bar:
            task = bar.add_task("getting ready", total=games)
            run(
                tournament,
                games,
                threads or all_threads(),
                keep,
                lambda done: bar.update(task, completed=done, description="playing"),
            )
    except (PokadeError, ValueError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        _stopped(len(tournament.played), games, keep)
    _show(tournament, as_json, plot)


def _stopped(played: int, games: int, keep: Path | None) -> None:
    """What a person who has pressed Ctrl-C wants to know."""
    on = f"; the same command goes on from {keep}" if keep else "; with --keep FILE it could go on another time"
    typer.echo(f"stopped after {played} of {games} games{on}", err=True)
    if played == 0:
        raise typer.Exit(130)


def _show(tournament: Any, as_json: bool, plot: Path | None) -> None:
    found = tournament.summary()
    if plot is not None:
        from pokade.arena.plot import plot_cross  # noqa: PLC0415 - matplotlib only where a picture is wanted

        plot_cross(found, tournament.game.title, plot)
    if as_json:
        typer.echo(json.dumps(found))
    else:
        _report(found, tournament.game.title)


def _report(found: dict[str, Any], title: str) -> None:
    console = Console()
    heading = f"{found['games']:,} games of {title}, {found['players']} players, seed {found['seed']}"
    table = Table(title=heading, caption="95 % confidence intervals over deals; ties are shared; ratings by openskill")
    for column in ("player", "share of the win", "× fair", "points", "rating", "ms/choice"):
        table.add_column(column, justify="left" if column == "player" else "right", no_wrap=column != "player")
    for at, name in enumerate(found["seats"]):
        share, low, high = found["shares"][at], found["low"][at], found["high"][at]
        rating = found["ratings"][name]
        table.add_row(
            Path(name).name,
            f"{100 * share:.1f} % ({100 * low:.1f}–{100 * high:.1f})",
            f"{share * found['players']:.3f}",
            f"{found['points_mean'][at]:.2f}",
            f"{rating['mu']:.1f} ± {rating['sigma']:.1f}",
            f"{found['milliseconds_per_choice'][at]:.3f}",
        )
    console.print(table)
