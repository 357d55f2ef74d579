"""What long runs share: bots from files, and how their mistakes are told."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import typer

from pokade.cli.options import fail
from pokade.games.errors import BadPlayer
from pokade.texts import explained, text


@contextlib.contextmanager
def playing(debug: bool, language: str) -> Iterator[None]:
    """A run with bots from files: what they print goes to the error stream, a mistake of theirs is one line."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except BadPlayer as error:
        if debug and error.__cause__ is not None:
            from pokade.arena.outside import own_traceback  # noqa: PLC0415 - loaded by now

            typer.echo(own_traceback(error.__cause__), err=True, nl=False)
        sentence = explained(language, error)
        is_all = debug or error.__cause__ is None
        fail(sentence if is_all else text(language, "runs.debug", sentence=sentence))


def say_one_at_a_time(threads: int, language: str) -> None:
    """Games with a bot from a file can't be shared out."""
    if threads != 1:
        typer.echo(f"pokade: {text(language, 'runs.in_order')}", err=True)


def say_stopped(language: str, played: int, games: int, keep: Path | None = None, *, can_keep: bool = False) -> None:
    """What a person who has pressed Ctrl-C wants to know."""
    how = "kept" if keep else "could_keep" if can_keep else "stopped"
    typer.echo(text(language, f"runs.{how}", played=played, games=games, file=str(keep)), err=True)
