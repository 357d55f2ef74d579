"""`pokade warm`: the searches of the strong level, compiled before anybody waits for them."""

import time

import typer

from pokade.cli.options import GameNames, Lang, game_named, language_named
from pokade.games import GAMES
from pokade.texts import written


def warm(games: GameNames = None, lang: Lang = "") -> None:
    """Compile the strong bots ahead, so that nobody waits for them."""
    language = language_named(lang)
    wanted = [game_named(name, language) for name in games or GAMES]
    from pokade.arena.bots import warm as make  # noqa: PLC0415 - loads the compiler, which takes a moment

    for game in wanted:
        typer.echo(f"{game.title} … ", nl=False)
        started = time.perf_counter()
        make(game)
        typer.echo(f"{written(language, time.perf_counter() - started, 1).words} s")
