"""Tables of results: whole names, whole numbers, in any width and in every language."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from pokade.texts import text, written

WORDS = ("seat", "player")  # columns that are words; the rest are numbers
NARROW = 12  # letters of a name on a line, at least


def heading(language: str, title: str, found: Mapping[str, Any]) -> str:
    """What was played: stands over a table or a picture."""
    said = {"game": title, "players": found["players"], "seed": str(found["seed"])}
    return text(language, "runs.title", games=written(language, found["games"]), **said)


def plain_table(language: str, command: str, title: str, columns: Sequence[str]) -> Table:
    """A table of a command whose numbers stay on their line; a long name goes on below itself."""
    table = Table(title=title, caption=text(language, f"{command}.caption"), box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        is_name = column == "player"
        table.add_column(
            text(language, f"{command}.column.{column}"),
            justify="left" if column in WORDS else "right",
            no_wrap=not is_name,
            overflow="fold",
            min_width=NARROW if is_name else None,
        )
    return table


def print_table(table: Table) -> None:
    """To a terminal in its width; to a file or a pipe as wide as it has to be, and never narrower than it can be."""
    console = Console()
    need = Measurement.get(console, console.options.update(width=10_000, max_width=10_000), table)
    console.width = max(console.width, need.minimum if console.is_terminal else need.maximum)
    console.print(table, markup=False, highlight=False)
