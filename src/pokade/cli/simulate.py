"""`pokade simulate`: many games at once, counted, printed and drawn."""

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
    game_named,
    options_from,
)
from pokade.cli.progress import progress_bar
from pokade.cli.reports import plain_table, print_table
from pokade.cli.runs import playing, say_one_at_a_time, say_stopped
from pokade.games.errors import BadRun
from pokade.players import RANDOM


def simulate(
    game: GameName,
    *,
    players: Annotated[int | None, typer.Option(metavar="N", help="How many sit at the table.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, metavar="N", help="How many games.")] = 10_000,
    seed: Seed = 0,
    threads: Threads = 1,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            "--bot",
            metavar="NAME",
            help="random, novice, casual, strong or FILE.py:FUNCTION, one per seat; the last fills the rest.",
        ),
    ] = None,
    option: Options = None,
    as_json: Json = False,
    plot: Plot = None,
    debug: Debug = False,
) -> None:
    """Play many games at once and count."""
    rules = game_named(game)
    seats = _seats(player or [RANDOM], players, rules.seats)
    check_plot(plot)
    from pokade.arena.outside import outsider  # noqa: PLC0415 - what the arena loads is not needed by other commands
    from pokade.arena.runs import all_threads  # noqa: PLC0415 - as above
    from pokade.arena.simulate import Match, run  # noqa: PLC0415 - loads the compiler, which takes a moment

    is_stopped = False
    with playing(debug):
        options = options_from(rules, len(seats), option or [])
        outsiders = {name: outsider(name) for name in dict.fromkeys(seats)}
        match = Match(
            rules, [outsiders[name] or name for name in seats], games, seed, threads or all_threads(), options
        )
        if not match.is_compiled:
            say_one_at_a_time(threads)
        with progress_bar(as_json) as bar:
            task = bar.add_task("compiling" if match.is_compiled else "playing", total=games)
            try:
                run(match, lambda done: bar.update(task, completed=done, description="playing"))
            except KeyboardInterrupt:
                is_stopped = True
    if is_stopped:
        say_stopped(match.tally.games, games)
    if match.tally.games:
        _show(match, as_json, plot)
    if is_stopped:
        raise typer.Exit(STOPPED)


def _seats(named: list[str], players: int | None, allowed: range) -> list[str]:
    """One player a seat: those named, and the last of them for the seats that are left."""
    count = players if players is not None else max(len(named), allowed[0])
    if len(named) > count:
        sentence = f"{len(named)} players are named for {count} seats"
        raise BadRun("run/named", sentence, named=len(named), seats=count)
    return named + [named[-1]] * (count - len(named))


def _show(match: Any, as_json: bool, plot: Path | None) -> None:
    if plot is not None:
        from pokade.arena.plot import plot as draw  # noqa: PLC0415 - matplotlib only where a picture is wanted

        draw(match, plot)
    if as_json:
        typer.echo(json.dumps(match.summary()))
    else:
        _report(match.summary(), match.game.title)


def _report(found: dict[str, Any], title: str) -> None:
    table = plain_table(
        f"{found['games']:,} games of {title}, {found['players']} players, seed {found['seed']}",
        "± is a 95 % confidence interval; ties are shared",
        ("seat", "player", "share of the win", "won alone", "points"),
    )
    for seat, name in enumerate(found["seats"]):
        table.add_row(
            f"p{seat + 1}",
            name,
            f"{100 * found['shares'][seat]:.2f} % ± {100 * found['shares_error'][seat]:.2f}",
            f"{100 * found['wins'][seat]:.2f} %",
            f"{found['points_mean'][seat]:.3f} ± {found['points_error'][seat]:.3f}",
        )
    print_table(table)
    endings = ", ".join(f"{name} {100 * part:.2f} %" for name, part in found["endings"].items())
    at_once = "1 thread" if found["threads"] == 1 else f"{found['threads']} threads"
    compiled = f", compiled in {found['compile_seconds']:.2f} s" if found["compile_seconds"] else ", not compiled"
    typer.echo(f"ties {100 * found['ties']:.2f} % ± {100 * found['ties_error']:.2f}")
    typer.echo(f"rounds {found['rounds_mean']:.3f} ± {found['rounds_error']:.3f} per game")
    typer.echo(f"ended by {endings}")
    typer.echo(
        f"{found['choices_per_second'] / 1e6:.2f} million choices/s, {found['games_per_second']:,.0f} games/s, "
        f"{found['rounds_per_second']:,.0f} rounds/s on {at_once}, {found['seconds']:.2f} s{compiled}"
    )
