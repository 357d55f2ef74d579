"""`pokade analyse`: how chances went in finished games, how much was luck, and what the choices cost."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pokade import records
from pokade.cli.analysis_page import page
from pokade.cli.analysis_words import Words
from pokade.cli.files import Piece, answer_all, complaint, echo_json, wrong
from pokade.cli.options import STOPPED, Lang, check_writable, fail, forgive, language_named
from pokade.cli.progress import progress_bar
from pokade.games.errors import BadRecord
from pokade.texts import text

if TYPE_CHECKING:
    from pokade.analysis import Analysis


def analyse(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Records of finished games, or -.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line and record.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="OUT", help="Write a page with curves.")] = None,
    lang: Lang = "",
) -> None:
    """Look back at finished games: luck apart from choices."""
    language = language_named(lang)
    check_writable("--html", html)
    account = _Account(language, as_json, html)
    try:
        answer_all(files, account.answer)
    except KeyboardInterrupt:
        fail(text(language, "analyse.stopped"), STOPPED)
    finally:
        account.finish()


class _Account:
    """Answers for records one after the other, and writes the page at the end."""

    def __init__(self, language: str, as_json: bool, html: Path | None) -> None:
        forgive(sys.stdout)
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._language, self._as_json, self._html = language, as_json, html
        self._found: list[Analysis] = []

    def answer(self, piece: Piece, trouble: BadRecord | None) -> bool:
        """Analyse one record; says whether that could be done."""
        from pokade.analysis import told  # noqa: PLC0415 - loads the compiler, which takes a moment

        try:
            if trouble is not None:
                raise trouble
            analysis = self._analysed(piece)
        except BadRecord as error:
            return self._refuse(piece, error)
        if self._html:
            self._found.append(analysis)
        if self._as_json:
            return echo_json(piece, {"ok": True, "analysis": told(analysis)})
        self._tell(analysis)
        return True

    def finish(self) -> None:
        """Write the page, if one is wanted and there is anything on it."""
        if self._html and self._found:
            self._html.write_text(page(self._found, self._language), "utf-8")

    def _analysed(self, piece: Piece) -> "Analysis":
        from pokade.analysis import analysed  # noqa: PLC0415 - as above

        with progress_bar(False) as bar:
            task = bar.add_task(text(self._language, "analyse.going_on"), total=None)
            return analysed(
                records.read(piece.raw), lambda done, total: bar.update(task, completed=done, total=total or None)
            )

    def _refuse(self, piece: Piece, error: BadRecord) -> bool:
        if self._as_json:
            return echo_json(piece, wrong(error) | {"code": error.code})
        self._console.print(Text(complaint(self._language, piece, error), "bold red"), soft_wrap=True)
        return False

    def _tell(self, analysis: "Analysis") -> None:
        words = Words(analysis, self._language)
        self._console.print(Text(words.title, "bold cyan"))
        self._console.print(_sums(words))
        for line in _notable(words):
            self._console.print(line)
        self._console.print(Text(words.method, "dim"))
        self._console.print()


def _sums(words: Words) -> Table:
    """A row for each seat; an equal part, luck, choices and interplay are the share."""
    table = Table(*words.columns, box=None, pad_edge=False)
    for column in table.columns[1:-1]:
        column.justify = "right"
    for row in words.rows():
        table.add_row(*map(Text, row))
    return table


def _notable(words: Words) -> Iterator[Text]:
    """The costliest and the best choices of everybody."""
    for seat in range(len(words.names)):
        for heading, lines in words.notable(seat):
            yield Text(heading, "bold")
            for line in lines:
                yield Text(f"  {line}")
