"""What the commands share: games and options by name, and a kind end for a person's mistake."""

from collections.abc import Sequence
from typing import NoReturn

import typer

from pokade.games import GAMES
from pokade.games.errors import BadOption
from pokade.games.game import Game, Value

MISTAKE = 2  # exit status


def fail(sentence: str) -> NoReturn:
    """Say in one line what is wrong, and stop."""
    typer.echo(f"pokade: {sentence}", err=True)
    raise typer.Exit(MISTAKE)


def game_named(name: str) -> Game:
    """The game of that name."""
    if name not in GAMES:
        fail(f"no game {name}; there are {', '.join(GAMES)}")
    return GAMES[name]


def options_from(game: Game, n_seats: int, texts: Sequence[str]) -> dict[str, Value]:
    """Options given as NAME=VALUE; refuses what the game does not take."""
    options = dict(_option(text) for text in texts)
    game.option_numbers(options, n_seats)
    return options


def _option(text: str) -> tuple[str, Value]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadOption("option/value", f"an option is written NAME=VALUE, not {text}")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isascii() and value.isdigit() and len(value) < 10 else value
