"""The command `pokade`. Each command has a file of its own and is loaded when it is called."""

import importlib
from typing import Any

import typer
from typer.core import TyperGroup

COMMANDS = {
    "play": "Play a game in the terminal.",
    "replay": "Check records and tell what happened in them.",
    "rules": "The short rules of a game.",
    "simulate": "Play many games at once and count.",
}


class _Lazy(TyperGroup):
    """Imports a command's file only when the command is called, so that `--help` and `play` start at once."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"pokade.cli.{cmd_name}")
        app = typer.Typer(add_completion=False)
        app.command(cmd_name, help=COMMANDS[cmd_name])(getattr(module, cmd_name))
        return typer.main.get_command(app)


app = typer.Typer(
    cls=_Lazy,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Pokade: four games of sealed choice and bluff.",
)


@app.callback()
def _root() -> None:
    """Pokade: four games of sealed choice and bluff."""


def main() -> None:
    """The entry point of the command `pokade`."""
    app()
