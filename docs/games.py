"""The list of games in README.md, made from the rules' own words: `python -m docs.games` writes it."""

import importlib
import re
from pathlib import Path
from typing import Final

from pokade.games import GAMES
from pokade.games.game import Game

PAGE: Final = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- games: begin -->\n", "<!-- games: end -->\n"


def page() -> str:
    """The whole page, with a row for each game."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    rows = ["| game | players | what it is |", "| --- | --- | --- |", *map(_row, GAMES.values())]
    return f"{before}{BEGIN}\n" + "\n".join(rows) + f"\n\n{END}{rest.partition(END)[2]}"


def _row(game: Game) -> str:
    said = importlib.import_module(f"pokade.games.{game.name}").__doc__ or ""
    about = re.split(r"\.\s+§ marks:", said)[0].removeprefix(f"{game.title}: ")
    seats = f"{game.seats[0]}–{game.seats[-1]}"
    return f"| [{game.title}](docs/rules/{game.name}.md) | {seats} | {about[0].upper()}{about[1:]}. |"


def write() -> None:
    """Write the page again."""
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    write()
