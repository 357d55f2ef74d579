"""What the commands share: games, options and languages by name, and a kind end for a person's mistake."""

import io
import sys
from collections.abc import Sequence
from typing import NoReturn

import typer

from pokade.games import GAMES
from pokade.games.errors import BadOption
from pokade.games.game import Game, Value
from pokade.records import one_line
from pokade.texts import LANGUAGES, preferred_language, text

MISTAKE = 2  # exit status


def fail(sentence: str) -> NoReturn:
    """Say in one line what is wrong, and stop."""
    typer.echo(f"pokade: {sentence}", err=True)
    raise typer.Exit(MISTAKE)


def refuse(sentence: str) -> NoReturn:
    """Say in one line and in the person's own language what was wrong with the call, and stop."""
    forgive(sys.stderr)
    typer.echo(one_line(sentence), err=True)
    raise typer.Exit(MISTAKE)


def forgive(stream: object) -> None:
    """A letter that the terminal's encoding lacks becomes a question mark."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")


def language_named(name: str) -> str:
    """The language of that name, or the terminal's own if none is given."""
    language = name or preferred_language()
    if language not in LANGUAGES:
        refuse(text(preferred_language(), "rules.unknown_language", name=language, languages=", ".join(LANGUAGES)))
    return language


def game_named(name: str) -> Game:
    """The game of that name."""
    if name not in GAMES:
        fail(f"no game {name}; there are {', '.join(GAMES)}")
    return GAMES[name]


def options_from(game: Game, n_seats: int, texts: Sequence[str]) -> dict[str, Value]:
    """Options given as NAME=VALUE; refuses what the game does not take."""
    options = dict(_option(given) for given in texts)
    game.option_numbers(options, n_seats)
    return options


def _option(given: str) -> tuple[str, Value]:
    name, equals, value = given.partition("=")
    if not equals:
        raise BadOption("option/value", f"an option is written NAME=VALUE, not {given}")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isascii() and value.isdigit() and len(value) < 10 else value
