"""`pokade train`: a bot that learns a game by playing itself."""

from pathlib import Path
from typing import Annotated

import typer

from pokade.cli.options import (
    STOPPED,
    GameName,
    Lang,
    Options,
    Seed,
    check_writable,
    game_named,
    language_named,
    options_from,
)
from pokade.cli.progress import progress_bar
from pokade.records import one_line
from pokade.texts import text, written


def train(
    game: GameName,
    *,
    out: Annotated[Path, typer.Option(metavar="FILE.npz", help="Write the bot here.")],
    players: Annotated[int | None, typer.Option(metavar="N", help="Players at a table.")] = None,
    minutes: Annotated[float, typer.Option(min=0.01, metavar="M", help="How long it learns.")] = 20.0,
    seed: Seed = 0,
    option: Options = None,
    lang: Lang = "",
) -> None:
    """Train a bot by self-play, from nothing.

    Needs JAX: pip install 'pokade[train]'. The bot is plain arrays and plays without it, wherever a bot file plays.
    """
    language = language_named(lang)
    rules = game_named(game, language)
    check_writable("--out", out)
    from pokade.arena.learned import selfplay  # noqa: PLC0415 - what other commands do not need

    size = players or rules.usual_seats
    training = selfplay.Training(rules, size, minutes, seed, options_from(rules, size, option or []))
    with progress_bar(False) as bar:
        task = bar.add_task(text(language, "runs.ready"), total=100)
        learnt = selfplay.train(
            training,
            lambda now: bar.update(task, completed=100 * now.part, description=text(language, "train.learning")),
        )
    out.write_bytes(learnt.saved(training.about()))
    said = {
        "games": written(language, training.games),
        "choices": written(language, training.choices),
        "minutes": written(language, training.seconds / 60, 1),
    }
    typer.echo(one_line(text(language, "train.done", **said, file=out)))
    typer.echo(one_line(text(language, "train.next", game=rules.name, file=out, others=",strong" * (size - 1))))
    if training.part < 1.0:
        raise typer.Exit(STOPPED)
