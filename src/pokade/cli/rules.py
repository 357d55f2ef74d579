"""`pokade rules`: the short rules of a game, or the list of games."""

import sys

import typer
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pokade.cli.draw.brush import GLUED, UNGLUED
from pokade.cli.options import Lang, MaybeGameName, forgive, game_named, language_named
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.texts import entry, text

WIDTH = 100  # longer lines are hard to read


def rules(
    game: MaybeGameName = None,
    lang: Lang = "",
) -> None:
    """The short rules of a game; without a game, the list of games."""
    language = language_named(lang)
    if not game:
        _draw(_list(language))
    else:
        _draw(_rules(language, game_named(game, language)))


def _rules(language: str, game: Game) -> list[RenderableType]:
    """A game's title, tagline and short rules."""
    from rich.markdown import Markdown  # noqa: PLC0415 - slow to load, and other commands do not need it

    texts = entry(language, game.name)
    head = f"# {texts['title']}\n\n*{texts['tagline']}*\n\n{_players(language, game)}\n\n"
    return [Markdown((head + texts["short_rules"]).translate(GLUED))]


def _list(language: str) -> list[RenderableType]:
    """Every game in two lines, by the name it is called with."""
    games = Table.grid(padding=(0, 2))
    for name, game in GAMES.items():
        about = Text.assemble(
            (entry(language, f"{name}.title"), "bold"),
            f", {_players(language, game)}\n{entry(language, f'{name}.tagline')}\n",
        )
        games.add_row(Text(name, "bold cyan"), about)
    return [Padding(games, (1, 0, 0, 0)), Text(text(language, "rules.more"), "dim")]


def _players(language: str, game: Game) -> str:
    return text(language, "rules.players", least=game.seats[0], most=game.seats[-1])


def _draw(parts: list[RenderableType]) -> None:
    """Print in the terminal's colours; a letter that its encoding lacks becomes a question mark."""
    forgive(sys.stdout)
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    with console.capture() as drawn:
        console.print(*parts, sep="\n")
    typer.echo(drawn.get().translate(UNGLUED), nl=False)
