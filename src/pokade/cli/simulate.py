"""`pokade simulate`: many games at once, counted, printed and drawn."""

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
from pokade.players import RANDOM

_PLOTS = (".png", ".svg", ".pdf")


def simulate(
    game: Annotated[str, typer.Argument(help="pok, pokerdice, pokopop or poch")],
    players: Annotated[int | None, typer.Option(help="How many sit at the table.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Same seed, same result.")] = 0,
    threads: Annotated[int, typer.Option(min=0, max=256, help="Threads; 0 takes all there are.")] = 1,
    player: Annotated[
        list[str] | None,
        typer.Option(help="random, novice, casual, strong or FILE.py:FUNCTION, one a seat; the last fills the rest."),
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="A table option, NAME=VALUE.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the result to a PNG, SVG or PDF file.")] = None,
) -> None:
    """Play many games at once and count."""
    rules = game_named(game)
    seats = _seats(player or [RANDOM], players, rules.seats)
    if plot is not None and plot.suffix not in _PLOTS:
        fail(f"--plot takes a file that ends in {', '.join(_PLOTS)}")
    from pokade.arena.runs import all_threads  # noqa: PLC0415 - what the arena loads is not needed by other commands
    from pokade.arena.simulate import Match, run  # noqa: PLC0415 - loads the compiler, which takes a moment

    try:
        options = options_from(rules, len(seats), option or [])
        match = Match(rules, [outsider(name) or name for name in seats], games, seed, threads or all_threads(), options)
        with progress_bar(as_json) as bar:
            task = bar.add_task("compiling" if match.is_compiled else "playing", total=games)
            run(match, lambda done: bar.update(task, completed=done, description="playing"))
    except (PokadeError, ValueError) as error:
        fail(str(error))
    if plot is not None:
        from pokade.arena.plot import plot as draw  # noqa: PLC0415 - matplotlib only where a picture is wanted

        draw(match, plot)
    if as_json:
        typer.echo(json.dumps(match.summary()))
    else:
        _report(match.summary())


def _seats(named: list[str], players: int | None, allowed: range) -> list[str]:
    """One player a seat: those named, and the last of them for the seats that are left."""
    count = players if players is not None else max(len(named), allowed[0])
    if len(named) > count:
        fail(f"{len(named)} players are named for {count} seats")
    return named + [named[-1]] * (count - len(named))


def _report(found: dict[str, Any]) -> None:
    console = Console()
    title = f"{found['games']:,} games of {found['game']}, {found['players']} players, seed {found['seed']}"
    table = Table(title=title, caption="± is a 95 % confidence interval; ties are shared")
    for heading in ("seat", "player", "share of the win", "won alone", "points"):
        table.add_column(heading, justify="left" if heading in ("seat", "player") else "right")
    for seat, name in enumerate(found["seats"]):
        table.add_row(
            f"p{seat + 1}",
            name,
            f"{100 * found['shares'][seat]:.2f} % ± {100 * found['shares_error'][seat]:.2f}",
            f"{100 * found['wins'][seat]:.2f} %",
            f"{found['points_mean'][seat]:.3f} ± {found['points_error'][seat]:.3f}",
        )
    console.print(table)
    console.print(f"ties {100 * found['ties']:.2f} % ± {100 * found['ties_error']:.2f}", highlight=False)
    console.print(f"rounds {found['rounds_mean']:.3f} ± {found['rounds_error']:.3f} a game", highlight=False)
    console.print(
        "ended by " + ", ".join(f"{name} {100 * part:.2f} %" for name, part in found["endings"].items()),
        highlight=False,
    )
    console.print(
        f"{found['choices_per_second'] / 1e6:.2f} million choices/s, {found['games_per_second']:,.0f} games/s, "
        f"{found['rounds_per_second']:,.0f} rounds/s on {found['threads']} threads, "
        f"{found['seconds']:.2f} s, compiled in {found['compile_seconds']:.2f} s",
        highlight=False,
    )
