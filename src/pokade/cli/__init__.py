"""The command `pokade`. Each command has a file of its own; what is slow to load is loaded where it is used."""

import typer

from pokade.cli.arena import arena
from pokade.cli.backup import backup
from pokade.cli.play import play
from pokade.cli.replay import replay
from pokade.cli.rules import rules
from pokade.cli.serve import serve
from pokade.cli.simulate import simulate
from pokade.cli.verify import verify

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Pokade: four games of sealed choice and bluff.",
)
for command in (play, serve, backup, replay, rules, simulate, arena, verify):
    app.command()(command)


def main() -> None:
    """The entry point of the command `pokade`."""
    app()
