"""`pokade arena`: players meet in all seats with the same dice and deals, and are measured."""

import json
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from pokade.cli.options import (
    STOPPED,
    Cluster,
    Debug,
    GameName,
    Games,
    Json,
    Lang,
    Options,
    Plot,
    Seed,
    Threads,
    check_plot,
    check_writable,
    game_named,
    language_named,
    options_from,
    workers_of,
)
from pokade.cli.progress import progress_bar
from pokade.cli.reports import heading, plain_table, print_table
from pokade.cli.runs import playing, say_one_at_a_time, say_stopped
from pokade.games.errors import BadRun
from pokade.games.game import Game
from pokade.players import CASUAL, STRONG
from pokade.texts import percent, text, written

COLUMNS: Final = ("player", "share", "fair", "points", "rating", "time")


def arena(
    game: GameName,
    *,
    seats: Annotated[
        str | None,
        typer.Option(
            "--seats",
            "--bots",
            metavar="A,B,…",
            help="Players: random, novice, casual, strong, master, casual-bold … or FILE.py:FUNCTION. "
            "Else one strong player among casual ones.",
        ),
    ] = None,
    games: Games = 300,
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
    cluster: Cluster = None,
    as_json: Json = False,
    plot: Plot = None,
    lang: Lang = "",
    debug: Debug = False,
) -> None:
    """Let bots play each other in every seat, and measure them."""
    language = language_named(lang)
    rules = game_named(game, language)
    check_plot(plot)
    check_writable("--keep", keep)
    from pokade.arena.bots import Budget  # noqa: PLC0415 - what the arena loads is not needed by other commands
    from pokade.arena.outside import outsider  # noqa: PLC0415 - as above
    from pokade.arena.tournament import Tournament, run  # noqa: PLC0415 - as above

    names = _names(seats, players, rules)
    is_stopped = False
    with playing(debug, language):
        outsiders = {name: found for name in names if (found := outsider(name)) is not None}
        size = _size(names, players, rules)
        options = options_from(rules, size, option or [])
        budget = Budget(iterations, None if milliseconds is None else milliseconds / 1000, times)
        pool = 0 if size == len(names) else size
        tournament = Tournament(rules, names, seed, options, budget, pool, outsiders)
        if not tournament.is_compiled:
            say_one_at_a_time(threads, language)
        with progress_bar(as_json) as bar:
            task = bar.add_task(text(language, "runs.ready"), total=games)
            try:
                run(
                    tournament,
                    games,
                    workers_of(cluster, threads),
                    keep,
                    lambda done: bar.update(task, completed=done, description=text(language, "runs.playing")),
                )
            except KeyboardInterrupt:
                is_stopped = True
    if is_stopped:
        say_stopped(language, len(tournament.played), games, keep, can_keep=True)
        if not tournament.played:
            raise typer.Exit(STOPPED)
    _show(tournament, language, as_json, plot)
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
        sentence = f"{game.title} is played by {least} to {most}, and you have named {size}: name as many, "
        sentence += f"or say --players {least} to draw them from the names"
        raise BadRun("run/seats", sentence, game=game.title, least=least, most=most, named=size)
    return size


def _show(tournament: Any, language: str, as_json: bool, plot: Path | None) -> None:
    found, title = tournament.summary(), tournament.game.title
    if plot is not None:
        from pokade.cli.plot import plot_cross  # noqa: PLC0415 - matplotlib only where a picture is wanted

        plot_cross(found, title, plot, language)
    if as_json:
        typer.echo(json.dumps(found))
    else:
        _report(found, title, language)


def _report(found: dict[str, Any], title: str, language: str) -> None:
    table = plain_table(language, "arena", heading(language, title, found), COLUMNS)
    for at, name in enumerate(found["seats"]):
        share, low, high = (percent(language, found[key][at], 1) for key in ("shares", "low", "high"))
        mu, sigma = (written(language, found["ratings"][name][key], 1).words for key in ("mu", "sigma"))
        table.add_row(
            name,
            f"{share} % ({low}–{high})",
            written(language, found["shares"][at] * found["players"], 3).words,
            written(language, found["points_mean"][at], 2).words,
            f"{mu} ± {sigma}",
            written(language, found["milliseconds_per_choice"][at], 3).words,
        )
    print_table(table)
