"""`pokade report`: a page about a game, with pictures, and its numbers as CSV."""

import time
from pathlib import Path
from typing import Annotated

import typer

from pokade.cli.options import MOST_GAMES, STOPPED, GameName, Lang, Seed, Threads, fail, game_named, language_named
from pokade.cli.progress import progress_bar
from pokade.games.errors import BadRun
from pokade.records import one_line
from pokade.texts import text


def report(
    game: GameName,
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write to: index.html and CSV files.")],
    players: Annotated[int | None, typer.Option(metavar="N", help="How many sit at the table.")] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", min=1, max=MOST_GAMES, metavar="N", help="Games of each level; fewer for each option."
        ),
    ] = 40_000,
    seed: Seed = 0,
    threads: Threads = 0,
    change: Annotated[
        list[str] | None,
        typer.Option("--change", metavar="NAME=NUMBER", help="What if: another number in the rules. May be repeated."),
    ] = None,
    lang: Lang = "",
) -> None:
    """Write a report on a game: length, fairness, options, levels."""
    language = language_named(lang)
    rules = game_named(game, language)
    check_folder(out)
    from pokade.arena.changed import changes_from  # noqa: PLC0415 - what the arena loads is not needed by other commands
    from pokade.arena.report.run import Report, run  # noqa: PLC0415 - as above
    from pokade.arena.report.tables import as_csv, tables  # noqa: PLC0415 - as above
    from pokade.arena.runs import all_threads  # noqa: PLC0415 - as above
    from pokade.cli.report_page import Page  # noqa: PLC0415 - as above

    started = time.perf_counter()
    work = Report(rules, players or rules.usual_seats, games, seed, changes_from(rules, change or []))
    with progress_bar(False) as bar:
        task = bar.add_task(text(language, "report.doing.compiling"), total=None)
        try:
            run(
                work,
                threads or all_threads(),
                lambda name, done, total: bar.update(
                    task, completed=done, total=total, description=text(language, f"report.doing.{name}")
                ),
            )
        except KeyboardInterrupt:
            fail(text(language, "report.stopped"), STOPPED)
    (out / "index.html").write_text(Page(work, language).html(), "utf-8")
    found = tables(work)
    for name, rows in found.items():
        (out / f"{name}.csv").write_text(as_csv(rows), "utf-8")
    said = {"file": out / "index.html", "tables": len(found), "seconds": f"{time.perf_counter() - started:.0f}"}
    typer.echo(one_line(text(language, "report.done", **said)))


def check_folder(folder: Path) -> None:
    """Makes the folder; refuses one that can't be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".try").touch()
        (folder / ".try").unlink()
    except OSError as error:
        why = error.strerror or str(error)
        raise BadRun("run/file", f"--out {folder}: {why}", flag="--out", file=str(folder), why=why) from None
