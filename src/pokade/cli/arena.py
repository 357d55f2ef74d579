"""`pokade arena`: players meet in all seats with the same dice and deals, and are measured."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from pokade.cli.options import (
    STOPPED,
    Debug,
    GameName,
    Json,
    Options,
    Plot,
    Seed,
    Threads,
    check_plot,
    check_writable,
    game_named,
    options_from,
)
from pokade.cli.progress import progress_bar
from pokade.cli.reports import plain_table, print_table
from pokade.cli.runs import playing, say_one_at_a_time, say_stopped
from pokade.games.errors import BadRun
from pokade.games.game import Game
from pokade.players import CASUAL, STRONG


def arena(
    game: GameName,
    *,
    seats: Annotated[
        str | None,
        typer.Option(
            "--seats",
            "--bots",
            metavar="A,B,…",
            help="Players: random, novice, casual, strong, casual-bold … or FILE.py:FUNCTION. "
            "Else one strong player among casual ones.",
        ),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, metavar="N", help="How many games.")] = 300,
    players: Annotated[
        int | None,
        typer.Option(metavar="N", help="Players at a table. With fewer or more names, every deal draws from them."),
    ] = None,
    seed: Seed = 0,
    threads: Threads = 1,
    option: Options = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How many iterations strong searches for a choice.")
    ] = None,
    milliseconds: Annotated[
        float | None,
        typer.Option("--movetime", "--milliseconds", min=1, metavar="MS", help="A time instead; games then vary."),
    ] = None,
    times: Annotated[
        float,
        typer.Option("--search-factor", "--times", min=0.001, max=10_000, metavar="X", help="Iterations, times this."),
    ] = 1.0,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", "--resume", metavar="FILE", help="Keep the games in this file and resume from it."),
    ] = None,
    as_json: Json = False,
    plot: Plot = None,
    debug: Debug = False,
) -> None:
    """Let bots play each other in every seat, and measure them."""
    rules = game_named(game)
    check_plot(plot)
    check_writable("--keep", keep)
    from pokade.arena.bots import Budget  # noqa: PLC0415 - what the arena loads is not needed by other commands
    from pokade.arena.outside import outsider  # noqa: PLC0415 - as above
    from pokade.arena.runs import all_threads  # noqa: PLC0415 - as above
    from pokade.arena.tournament import Tournament, run  # noqa: PLC0415 - as above

    names = _names(seats, players, rules)
    is_stopped = False
    with playing(debug):
        outsiders = {name: found for name in names if (found := outsider(name)) is not None}
        size = _size(names, players, rules)
        options = options_from(rules, size, option or [])
        budget = Budget(iterations, None if milliseconds is None else milliseconds / 1000, times)
        pool = 0 if size == len(names) else size
        tournament = Tournament(rules, names, seed, options, budget, pool, outsiders)
        if not tournament.is_compiled:
            say_one_at_a_time(threads)
        with progress_bar(as_json) as bar:
            task = bar.add_task("getting ready", total=games)
            try:
                run(
                    tournament,
                    games,
                    threads or all_threads(),
                    keep,
                    lambda done: bar.update(task, completed=done, description="playing"),
                )
            except KeyboardInterrupt:
                is_stopped = True
    if is_stopped:
        say_stopped(len(tournament.played), games, keep, can_keep=True)
        if not tournament.played:
            raise typer.Exit(STOPPED)
    _show(tournament, as_json, plot)
    if is_stopped:
        raise typer.Exit(STOPPED)


def _names(seats: str | None, players: int | None, game: Game) -> list[str]:
    """The players named; else a table of the usual ones."""
    if seats is None:
        return [STRONG] + [CASUAL] * ((players or game.seats[0]) - 1)
    return [name.strip() for name in seats.split(",") if name.strip()]


def _size(names: list[str], players: int | None, game: Game) -> int:
    """How many sit at a table."""
    size = len(names) if players is None else players
    if players is None and size not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        sentence = f"{game.title} is played by {least} to {most}, and {size} are named: name as many, "
        sentence += f"or say --players {least} to draw them from the names"
        raise BadRun("run/seats", sentence, game=game.title, least=least, most=most, named=size)
    return size


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
    table = plain_table(
        f"{found['games']:,} games of {title}, {found['players']} players, seed {found['seed']}",
        "95 % confidence intervals over deals; ties are shared; ratings by openskill",
        ("player", "share of the win", "× fair", "points", "rating", "ms/choice"),
    )
    for at, name in enumerate(found["seats"]):
        share, low, high = found["shares"][at], found["low"][at], found["high"][at]
        rating = found["ratings"][name]
        table.add_row(
            name,
            f"{100 * share:.1f} % ({100 * low:.1f}–{100 * high:.1f})",
            f"{share * found['players']:.3f}",
            f"{found['points_mean'][at]:.2f}",
            f"{rating['mu']:.1f} ± {rating['sigma']:.1f}",
            f"{found['milliseconds_per_choice'][at]:.3f}",
        )
    print_table(table)
