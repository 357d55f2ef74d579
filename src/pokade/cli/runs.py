"""What long runs share: bots from files, and how their mistakes are told."""

import contextlib
import sys
from collections.abc import Iterator

import typer

from pokade.cli.options import fail
from pokade.games.errors import BadPlayer, Coded, PokadeError
from pokade.texts import explained, preferred_language


@contextlib.contextmanager
def playing(debug: bool) -> Iterator[None]:
    """A run with bots from files: what they print goes to the error stream, a mistake of theirs is one line."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except BadPlayer as error:
        if debug and error.__cause__ is not None:
            from pokade.arena.outside import own_traceback  # noqa: PLC0415 - loaded by now

            typer.echo(own_traceback(error.__cause__), err=True, nl=False)
        fail(f"{error}{'' if debug or error.__cause__ is None else '; --debug shows its traceback'}")
    except Coded as error:
        fail(explained(preferred_language(), error))
    except (PokadeError, ValueError) as error:
        fail(str(error))


def say_one_at_a_time(threads: int) -> None:
    """Games with a bot from a file can't be shared out."""
    if threads != 1:
        typer.echo("pokade: --threads: a bot file may remember what it saw, so its games are played in order", err=True)
