"""The picture of a terminal table in the README: a real game, drawn as `pokade play` draws it, exported by rich."""

import io
import re
from pathlib import Path

from rich.console import Console

from pokade import texts
from pokade.chance import Seeded
from pokade.cli import draw
from pokade.games import GAMES
from pokade.games.play import Play, View
from pokade.games.state import how_many
from pokade.loop import by_view, run
from pokade.players import player

TERMINAL = Path(__file__).with_name("pictures") / "terminal.svg"
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")
COLUMNS, ROWS = 96, 25
SEED = 4
FETCHED = re.compile(r"\s*@font-face \{.*?\}|<!--.*?-->\s*", re.DOTALL)  # a picture fetches nothing


def write_terminal(path: Path = TERMINAL) -> Path:
    """Draw the first reveal of a game of POK and write it as an SVG; equal code gives equal bytes."""
    view = revealed()
    news = " ".join(texts.sentence("en", view.game, told, NAMES) for told in view.told)
    console = Console(
        file=io.StringIO(), record=True, width=COLUMNS, height=ROWS, force_terminal=True, color_system="truecolor"
    )
    console.print(draw.screen(view, NAMES, "en", news, fill=True))
    path.parent.mkdir(parents=True, exist_ok=True)
    svg = console.export_svg(title="pokade play", unique_id="pokade")
    path.write_text(FETCHED.sub("", svg), "utf-8")
    return path


def revealed() -> View:
    """A table right after a reveal in which somebody hands over, as the first seat sees it."""
    game = GAMES["pok"]
    play, chance = Play(game, len(NAMES)), Seeded(SEED)
    bots = [player("casual", game, f"picture {seat}") for seat in range(len(NAMES))]
    steps = run(play, chance, by_view(bots))
    while how_many(play.view(0, person=True).state.gone) < 3:
        next(steps)
    return play.view(0, person=True)


if __name__ == "__main__":
    write_terminal()
