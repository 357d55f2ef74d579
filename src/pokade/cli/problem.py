"""`pokade problem`: a position a day, one choice, and what every choice was worth."""

import json
import sys
from datetime import date
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pokade import problems, records
from pokade.cli import draw
from pokade.cli.analysis_words import WHOLE
from pokade.cli.options import Json, Lang, MaybeGameName, fail, forgive, game_named, language_named
from pokade.games.play import View
from pokade.problems import Problem
from pokade.texts import text


def problem(
    game: MaybeGameName = None,
    *,
    day: Annotated[str, typer.Option("--date", metavar="D", help="A day such as 2026-11-18; today, if none.")] = "",
    answer: Annotated[bool, typer.Option("--answer", help="Tell the answer without asking.")] = False,
    as_json: Json = False,
    lang: Lang = "",
) -> None:
    """A position a day: choose, then see what a master plays.

    Without a game, that of the day: the games take turns.
    """
    language = language_named(lang)
    when = _day(day, language)
    rules = game_named(game, language) if game else problems.days_game(when)
    if not problems.file_of(rules).exists():
        fail(text(language, "problem.none", game=rules.title))
    found = problems.problem_of(rules, when)
    if as_json:
        typer.echo(json.dumps(_told(found, when), ensure_ascii=False))
        return
    forgive(sys.stdout)
    _Asking(found, when, language).run(asks=not answer)


def _day(given: str, language: str) -> date:
    try:
        return date.fromisoformat(given) if given else date.today()
    except ValueError:
        fail(text(language, "problem.date", date=given))


class _Asking:
    """Shows a position, hears a choice, and says what it was worth."""

    def __init__(self, found: Problem, when: date, language: str) -> None:
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._problem, self._when, self._language = found, when, language
        self._view = found.play.view(found.seat)
        self._names = found.record.players

    def run(self, *, asks: bool) -> None:
        said = {"game": self._problem.game.title, "date": self._when.isoformat()}
        self._console.print(Text(self._say("title", who=self._names[self._problem.seat], **said), "bold cyan"))
        self._console.print(draw.screen(self._view, self._names, self._language, offers=asks))
        chosen = self._chosen() if asks else None
        if asks and chosen is None:
            return
        if chosen is not None:
            self._console.print(Text(self._verdict(chosen), "bold"))
        self._console.print(self._worths(chosen))
        method = self._problem.method
        values = {name: value for name, value in method.items() if name == "games"}
        self._console.print(Text(self._say(f"method.{method['kind']}", **values), "dim"))

    def _say(self, key: str, **values: object) -> str:
        return text(self._language, f"problem.{key}", **values)

    def _chosen(self) -> int | None:
        """The choice of the person at the terminal; none at the end of the input."""
        offer = draw.offer(self._view, self._names, self._language)
        while True:
            self._console.print(Text(self._say("read")), end="")
            line = sys.stdin.readline() if sys.stdin else ""
            if not line or line.strip().casefold() == draw.LEAVE:
                self._console.print()
                return None
            if (choice := offer.choice(line)) is not None and choice in self._view.choices:
                return choice
            self._console.print(Text(text(self._language, "play.not_understood", rules=draw.RULES)))

    def _verdict(self, chosen: int) -> str:
        best, named = self._problem.best, self._named(chosen)
        if chosen in best:
            return self._say("one" if len(best) == 1 else "mixed", chosen=named)
        return self._say("wrong", chosen=named, number=max(1, round(WHOLE * self._problem.cost(chosen))))

    def _named(self, choice: int) -> str:
        game = self._problem.game
        key, values = game.said(self._view.state, self._problem.seat, choice)
        return text(self._language, f"{game.name}.choice.{key}", **values)

    def _worths(self, chosen: int | None) -> Table:
        """A row for each choice, the best first."""
        columns = [self._say(f"column.{name}") for name in ("choice", "often", "worth")]
        table = Table(*columns, box=None, pad_edge=False)
        for column in table.columns[1:]:
            column.justify = "right"
        for valued in sorted(self._problem.choices, key=lambda one: -one.worth):
            error = f" ± {WHOLE * valued.error:.1f}" if valued.error else ""
            row = [self._named(valued.choice), f"{WHOLE * valued.often:.0f} %", f"{WHOLE * valued.worth:.1f}{error} %"]
            style = "bold green" if valued.choice in self._problem.best else "red" if valued.choice == chosen else ""
            table.add_row(*map(Text, row), style=style)
        return table


def _told(found: Problem, when: date) -> dict[str, Any]:
    """Everything, for programs; parts of a win from 0 to 1."""
    view: View = found.play.view(found.seat)
    write = found.game.words.write_choice
    return {
        "date": when.isoformat(),
        "game": found.game.name,
        "number": found.number,
        "of": found.of,
        "seat": found.seat,
        "record": records.write(found.play, found.record.players),
        "choices": [
            {
                "words": write(view.state.phase, view.state, one.choice),
                "often": one.often,
                "worth": one.worth,
                "error": one.error,
            }
            for one in found.choices
        ],
        "best": [write(view.state.phase, view.state, choice) for choice in found.best],
        "gap": found.gap,
        "gap_error": found.gap_error,
        "method": dict(found.method),
    }
