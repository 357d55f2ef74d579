"""A table as text and as a picture: what a watcher sees of it, as the terminal draws it."""

import io
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from pokade.cli import draw
from pokade.games.play import Play
from pokade.games.state import WATCHER
from pokade.players import NAMES

MODES: Final = ("human", "ansi", "rgb_array")
COLUMNS, ROWS = 96, 30


def text(play: Play) -> str:
    """The table in letters and colours, for a terminal."""
    console = _console(play, is_recorded=False)
    written: Any = console.file
    drawn: str = written.getvalue()
    return drawn


def picture(play: Play) -> NDArray[np.uint8]:
    """The same as rows of pixels, red, green and blue."""
    import resvg_py  # noqa: PLC0415 - needed for this alone
    from matplotlib.image import imread  # noqa: PLC0415 - as above

    svg = _console(play, is_recorded=True).export_svg(title=play.game.title, unique_id="pokade")
    pixels = imread(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg))), format="png")
    return np.ascontiguousarray((pixels[:, :, :3] * 255).round().astype(np.uint8))


def _console(play: Play, is_recorded: bool) -> Console:
    console = Console(
        file=io.StringIO(),
        record=is_recorded,
        width=COLUMNS,
        height=ROWS,
        force_terminal=True,
        color_system="truecolor",
    )
    console.print(draw.table(play.view(WATCHER), NAMES[: play.n_seats], "en"))
    return console


def rendered(play: Play, mode: str | None) -> NDArray[np.uint8] | str | None:
    """What `render` gives in a mode; `human` prints the text."""
    if mode == "rgb_array":
        return picture(play)
    if mode == "ansi":
        return text(play)
    if mode == "human":
        print(text(play))  # noqa: T201 - that is what the mode is for
    return None
