"""Tables of results: whole names, whole numbers, in any width."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

WORDS = ("seat", "player")  # columns that are words; the rest are numbers
NARROW = 12  # letters of a name on a line, at least


def plain_table(title: str, caption: str, columns: Sequence[str]) -> Table:
    """A table whose numbers stay on their line; a long name goes on below itself."""
    table = Table(title=title, caption=caption, box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        is_name = column == "player"
        table.add_column(
            column,
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
