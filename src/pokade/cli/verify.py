"""`pokade verify`: did the dice and deals of these records follow from what the server had committed to?"""

import sys
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pokade import fairness, records
from pokade.cli.files import Piece, answer_all, complaint, echo_json, place, wrong
from pokade.cli.options import Lang, forgive, language_named
from pokade.fairness import Draw
from pokade.games.errors import BadRecord
from pokade.records import Record, one_line
from pokade.texts import text


def verify(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Records, or - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line and record.")] = False,
    draws: Annotated[bool, typer.Option("--draws", help="List every draw.")] = False,
    commitment: Annotated[str, typer.Option(metavar="HASH", help="The commitment that you saw before the game.")] = "",
    lang: Lang = "",
) -> None:
    """Check that dice and deals were fair."""
    language, shown = language_named(lang), commitment.strip().lower()
    answer_all(files, _Programs(shown).answer if as_json else _People(shown, language, draws).answer)


class _Programs:
    """Answers in JSON."""

    def __init__(self, shown: str) -> None:
        self._shown = shown

    def answer(self, piece: Piece, trouble: BadRecord | None) -> bool:
        return echo_json(piece, self._checked(piece) if trouble is None else wrong(trouble))

    def _checked(self, piece: Piece) -> dict[str, Any]:
        try:
            record = records.read(piece.raw)
            draws, notes = fairness.verify(record, self._shown), fairness.notes_on(record)
            return {
                "ok": True,
                "draws": len(draws),
                "covers": list(fairness.COVERED),
                "notes": [{"code": note.code} | ({"key": note.word} if note.word else {}) for note in notes],
            }
        except BadRecord as trouble:
            return wrong(trouble)


class _People:
    """Answers in a line, and with a table of the draws."""

    def __init__(self, shown: str, language: str, with_draws: bool) -> None:
        forgive(sys.stdout)
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._shown, self._language, self._with_draws = shown, language, with_draws
        self._has_said = False

    def answer(self, piece: Piece, trouble: BadRecord | None) -> bool:
        try:
            if trouble is not None:
                raise trouble
            record = records.read(piece.raw)
            draws = fairness.verify(record, self._shown)
        except BadRecord as error:
            self._line(complaint(self._language, piece, error), "bold red")
            return False
        promise = fairness.revealed(record).commitment
        said = self._say("fair", number=len(draws), commitment=promise)
        self._line(f"{place(self._language, piece)}: {said}", "green")
        for note in fairness.notes_on(record):
            self._line(f"  {self._say(f'note.{note.code}', word=one_line(note.word))}", "yellow")
        self._say_what_it_covers()
        if self._with_draws:
            self._console.print(self._table(record, draws))
        return True

    def _say_what_it_covers(self) -> None:
        """Once is enough, also for many records."""
        if not self._has_said:
            self._line(f"  {self._say('covers')}", "")
        self._has_said = True

    def _line(self, line: str, style: str) -> None:
        self._console.print(Text(line, style), soft_wrap=True)

    def _say(self, key: str, **values: object) -> str:
        return text(self._language, f"verify.{key}", **values)

    def _table(self, record: Record, draws: list[Draw]) -> Table:
        """Every draw in a row; the action of the record stands beside its first."""
        table = Table(box=None, pad_edge=False)
        for column in ("draw", "tickets", "ticket", "outcome"):
            table.add_column(self._say(column), justify="right")
        table.add_column(self._say("action"), overflow="fold")
        told = 0
        for draw in draws:
            is_first, told = draw.action != told, draw.action
            action = f"{draw.action}  {one_line(str(record.actions[draw.action - 1]).strip(' '))}" if is_first else ""
            numbers = (draw.number, draw.tickets, draw.ticket, draw.outcome)
            table.add_row(*map(str, numbers), Text(action))
        return table
