"""`pokade dataset`: games of named players as Parquet files and as records."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pokade.cli.options import (
    MOST_GAMES,
    STOPPED,
    Cluster,
    GameName,
    Lang,
    Options,
    Seed,
    Threads,
    fail,
    game_named,
    language_named,
    options_from,
    workers_of,
)
from pokade.cli.progress import progress_bar
from pokade.cli.report import check_folder
from pokade.games.errors import BadRun
from pokade.players import CASUAL
from pokade.records import one_line
from pokade.texts import text, written


def dataset(
    game: GameName,
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write to.")],
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, max=MOST_GAMES, metavar="M", help="How many games.")
    ] = 1000,
    seats: Annotated[
        str | None,
        typer.Option("--seats", "--bots", metavar="A,B,…", help="Players, as in the arena; else casual ones."),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(metavar="N", help="Players at a table. With fewer or more names, every deal draws from them."),
    ] = None,
    n_records: Annotated[
        int | None,
        typer.Option("--records", min=0, metavar="K", help="Write the first K games as records too; else all."),
    ] = None,
    seed: Seed = 0,
    threads: Threads = 1,
    option: Options = None,
    cluster: Cluster = None,
    lang: Lang = "",
) -> None:
    """Write games of named bots as Parquet files and records.

    Needs Polars: pip install 'pokade[data]'.
    """
    language = language_named(lang)
    rules = game_named(game, language)
    from pokade.arena.dataset.files import Dataset, polars, write  # noqa: PLC0415 - what other commands do not need
    from pokade.arena.tournament import Tournament  # noqa: PLC0415 - as above

    polars()
    names = [name.strip() for name in (seats or CASUAL).split(",") if name.strip()]
    size = players or (len(names) if len(names) in rules.seats else rules.usual_seats)
    _check_players(names)
    options = options_from(rules, size, option or [])
    tournament = Tournament(rules, names, seed, options, n_seats=0 if size == len(names) else size)
    check_folder(out)
    work = Dataset(tournament, games, out, n_records)
    with progress_bar(False) as bar:
        task = bar.add_task(text(language, "runs.playing"), total=games)
        try:
            write(work, workers_of(cluster, threads), lambda done: bar.update(task, completed=done))
        except KeyboardInterrupt:
            fail(text(language, "dataset.stopped"), STOPPED)
    (out / "README.md").write_text(card(work, language), "utf-8")
    counts = {"games": written(language, games), "choices": written(language, work.choices)}
    typer.echo(one_line(text(language, "dataset.done", **counts, folder=out)))


def _check_players(names: list[str]) -> None:
    """Refuses every player but those that come with the package: only they play the same games again."""
    from pokade.arena.outside import outsider  # noqa: PLC0415 - loads what other commands do not need

    for name in names:
        if outsider(name) is not None:
            sentence = f"a dataset is made of games between built-in bots, and {name} is a file"
            raise BadRun("data/outside", sentence, player=name)


def card(work: Any, language: str) -> str:
    """What people want to know about the files."""
    tournament, encoder = work.tournament, work.encoder
    said = {
        "game": tournament.game.title,
        "players": tournament.size,
        "names": ", ".join(dict.fromkeys(tournament.entrants)),
        "games": written(language, work.games),
        "choices": written(language, work.choices),
        "seed": tournament.seed,
        "code": tournament.heading()["code"],
        "numbers": encoder.size,
        "actions": encoder.n_actions,
    }
    options = ", ".join(f"{name}={value}" for name, value in tournament.options.items()) or "–"
    columns = "\n".join(f"| `{name}` | {text(language, f'dataset.column.{name}')} |" for name in _columns())
    load = (
        f'from pokade.arena.dataset.files import load\n\nchoices = load("{work.folder.name}")  # a LazyFrame of Polars'
    )
    parts = (
        f"# {text(language, 'dataset.title', **said)}",
        text(language, "dataset.about", **said, options=options),
        f"| {text(language, 'dataset.head')} | |\n| --- | --- |\n{columns}",
        text(language, "dataset.shape", **said),
        f"```python\n{load}\n```",
        text(language, "dataset.limits"),
    )
    return "\n\n".join(parts) + "\n"


def _columns() -> list[str]:
    from pokade.arena.dataset.files import COLUMNS  # noqa: PLC0415 - loads what other commands do not need

    return list(COLUMNS)
