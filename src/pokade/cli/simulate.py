"""`pokade simulate`: many games at once, counted, printed and drawn."""

import json
from collections.abc import Iterator
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
from pokade.players import RANDOM
from pokade.texts import Shown, percent, text, written

COLUMNS: Final = ("seat", "player", "share", "alone", "points")
MILLION: Final = 1e6


def simulate(
    game: GameName,
    *,
    players: Annotated[int | None, typer.Option(metavar="N", help="How many sit at the table.")] = None,
    games: Games = 10_000,
    seed: Seed = 0,
    threads: Threads = 1,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            "--bot",
            metavar="NAME",
            help="random, novice, casual, strong, master or FILE.py:FUNCTION, one per seat; the last fills the rest.",
        ),
    ] = None,
    option: Options = None,
    cluster: Cluster = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep", "--resume", metavar="FILE", help="Keep what is counted in this file and resume from it."
        ),
    ] = None,
    as_json: Json = False,
    plot: Plot = None,
    lang: Lang = "",
    debug: Debug = False,
) -> None:
    """Play many games at once and count."""
    language = language_named(lang)
    rules = game_named(game, language)
    seats = _seats(player or [RANDOM], players, rules.seats)
    check_plot(plot)
    check_writable("--keep", keep)
    from pokade.arena.outside import outsider  # noqa: PLC0415 - what the arena loads is not needed by other commands
    from pokade.arena.simulate import Match, run  # noqa: PLC0415 - loads the compiler, which takes a moment

    is_stopped = False
    with playing(debug, language):
        options = options_from(rules, len(seats), option or [])
        outsiders = {name: outsider(name) for name in dict.fromkeys(seats)}
        workers = workers_of(cluster, threads)
        match = Match(rules, [outsiders[name] or name for name in seats], games, seed, 1, options, workers)
        if not match.is_compiled:
            say_one_at_a_time(threads, language)
        with progress_bar(as_json) as bar:
            task = bar.add_task(text(language, f"runs.{'compiling' if match.is_compiled else 'playing'}"), total=games)
            try:
                playing_now = text(language, "runs.playing")
                run(match, lambda done: bar.update(task, completed=done, description=playing_now), keep)
            except KeyboardInterrupt:
                is_stopped = True
    if is_stopped:
        say_stopped(language, match.tally.games, games, keep, can_keep=match.is_compiled)
    if match.tally.games:
        _show(match, language, as_json, plot)
    if is_stopped:
        raise typer.Exit(STOPPED)


def _seats(named: list[str], players: int | None, allowed: range) -> list[str]:
    """One player a seat: those named, and the last of them for the seats that are left."""
    count = players if players is not None else max(len(named), allowed[0])
    if len(named) > count:
        sentence = f"{len(named)} players are named for {count} seats"
        raise BadRun("run/named", sentence, named=len(named), seats=count)
    return named + [named[-1]] * (count - len(named))


def _show(match: Any, language: str, as_json: bool, plot: Path | None) -> None:
    if plot is not None:
        from pokade.cli.plot import plot as draw  # noqa: PLC0415 - matplotlib only where a picture is wanted

        draw(match, plot, language)
    if as_json:
        typer.echo(json.dumps(match.summary()))
    else:
        _report(match.summary(), match.game, language)


def _report(found: dict[str, Any], game: Game, language: str) -> None:
    table = plain_table(language, "simulate", heading(language, game.title, found), COLUMNS)
    for seat, name in enumerate(found["seats"]):
        share, alone = percent(language, found["shares"][seat], 2), percent(language, found["wins"][seat], 2)
        points, error = (written(language, found[f"points_{which}"][seat], 3).words for which in ("mean", "error"))
        table.add_row(
            f"p{seat + 1}",
            name,
            f"{share} % ± {percent(language, found['shares_error'][seat], 2)}",
            f"{alone} %",
            f"{points} ± {error}",
        )
    print_table(table)
    for line in _below(found, game, language):
        typer.echo(line)


def _below(found: dict[str, Any], game: Game, language: str) -> Iterator[str]:
    """What is true of all seats together."""

    def say(key: str, **values: object) -> str:
        return text(language, f"simulate.{key}", **values)

    def decimal(key: str, digits: int, unit: float = 1.0) -> Shown:
        return written(language, found[key] / unit, digits)

    yield say("ties", share=percent(language, found["ties"], 2), error=percent(language, found["ties_error"], 2))
    yield say("rounds", mean=decimal("rounds_mean", 3), error=decimal("rounds_error", 3))
    yield say("endings")
    for name, part in found["endings"].items():
        yield f"  {percent(language, part, 2):>6} %  {text(language, f'{game.name}.ending.{name}')}"
    rates = {"games": decimal("games_per_second", 0), "rounds": decimal("rounds_per_second", 0)}
    took = {"seconds": decimal("seconds", 2), "threads": found["threads"]}
    yield say("speed", choices=decimal("choices_per_second", 2, MILLION), **rates, **took)
    yield say("compiled" if found["compile_seconds"] else "plain", seconds=decimal("compile_seconds", 2))
