"""`pokade replay`: are these records right? In JSON for programs, as an account for people, or step by step."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pokade import records
from pokade.cli import draw
from pokade.cli.files import Piece, answer_all, complaint, echo_json, wrong
from pokade.cli.options import Lang, fail, forgive, language_named
from pokade.games.errors import BadRecord
from pokade.games.game import Value
from pokade.games.play import Play, Told, View, told_in
from pokade.games.state import WATCHER, heard_by
from pokade.records import FULL, PUBLIC, Record, one_line, started
from pokade.texts import entry, percent, sentence, text, written

LONGEST_NAME: Final = 30  # letters of a name that are shown
WIDTH: Final = 100  # longer lines are hard to read
INDENT: Final = " " * 7
VIEWS: Final = (FULL, PUBLIC, *(f"p{seat + 1}" for seat in range(8)))


def replay(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Records, or - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line and record.")] = False,
    step: Annotated[bool, typer.Option("--step", help="Walk through the game, action by action.")] = False,
    view: Annotated[
        str, typer.Option("--view", "--pov", metavar="SEAT", help="The point of view: full, public, p1, p2 …")
    ] = FULL,
    lang: Lang = "",
) -> None:
    """Check records and tell what happened in them."""
    language = language_named(lang)
    if view not in VIEWS:
        fail(text(language, "replay.unknown_view", name=view, views=", ".join(VIEWS)))
    answer_all(files, _answer_json if as_json else _Account(language, view, step).answer)


def _answer_json(piece: Piece, trouble: BadRecord | None) -> bool:
    return echo_json(piece, _checked(piece) if trouble is None else wrong(trouble))


def _checked(piece: Piece) -> dict[str, Any]:
    try:
        record = records.read(piece.raw)
        play = records.replay(record)
    except BadRecord as trouble:
        return wrong(trouble)
    outcome = play.outcome()
    return {
        "ok": True,
        "game": record.game.name,
        "actions": len(record.actions),
        "over": outcome is not None,
        "points": list(play.points()),
        "shares": list(outcome.shares) if outcome else None,
    }


@dataclass(frozen=True, slots=True)
class _Moment:
    """An action and what it told; the heading of the round if it is the first of one."""

    heading: str
    action: str
    told: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Story:
    """A record as it is told: everything up to its end or its first mistake."""

    record: Record
    names: Sequence[str]
    play: Play
    moments: Sequence[_Moment]
    trouble: BadRecord | None


class _Account:
    """Tells records to people."""

    def __init__(self, language: str, view: str, step: bool) -> None:
        forgive(sys.stdout)
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._language, self._view, self._step = language, view, step
        self._has_quit = False

    def answer(self, piece: Piece, trouble: BadRecord | None) -> bool:
        """Tell one record; says whether it was right."""
        if self._has_quit:
            return trouble is None and bool(_checked(piece)["ok"])
        try:
            if trouble is not None:
                raise trouble
            story = self._story(records.read(piece.raw))
        except BadRecord as error:
            self._say_wrong(piece, error)
            return False
        (self._walk if self._step else self._tell)(story)
        if story.trouble is not None:
            self._say_wrong(piece, story.trouble)
        return story.trouble is None

    def _say(self, key: str, **values: object) -> str:
        return text(self._language, f"replay.{key}", **values)

    def _say_wrong(self, piece: Piece, trouble: BadRecord) -> None:
        self._console.print(Text(complaint(self._language, piece, trouble), "bold red"), soft_wrap=True)

    def _story(self, record: Record) -> _Story:
        if self._seat() >= len(record.players):
            raise BadRecord(0, "record/seat", f"there is no {self._view} at this table", seat=self._view)
        names = [_shown_name(name, seat) for seat, name in enumerate(record.players)]
        play, moments, trouble = started(record), list[_Moment](), None
        try:
            for heading, news in self._played(record, play):
                told = [sentence(self._language, record.game, each, names) for each in news]
                moments.append(_Moment(heading, "", told))
            records.check_result(record, play)
        except BadRecord as error:
            trouble = error
        actions = self._seen_actions(record, play, len(moments))
        told_all = [self._titled(moment, action, names) for moment, action in zip(moments, actions, strict=True)]
        return _Story(record, names, play, told_all, trouble)

    def _seat(self) -> int:
        """The seat whose eyes the account is told through, or WATCHER."""
        return WATCHER if self._view in (FULL, PUBLIC) else int(self._view[1:]) - 1

    def _titled(self, moment: _Moment, action: str, names: Sequence[str]) -> _Moment:
        """A moment with its action; a note of the table is told too."""
        words = action.partition("#")[0].split()
        if words[0] != "t":
            return replace(moment, action=action)
        note = self._say(f"note.{words[1]}", who=names[int(words[2][1:]) - 1])
        return replace(moment, action=action, told=[note])

    def _played(self, record: Record, play: Play) -> Iterator[tuple[str, list[Told]]]:
        """After each action: the heading of a round that it began, and what everybody was told."""
        told, number = 0, play.state.round
        for action in records.steps(record, play):
            heading = self._say(f"round.{play.game.name}", number=number) if number != told else ""
            yield heading, told_in(play.game, heard_by(WATCHER, action.told))
            told, number = number, play.state.round

    def _seen_actions(self, record: Record, play: Play, count: int) -> list[str]:
        """The first actions as the viewer may have them."""
        actions = [one_line(str(action).strip(" ")) for action in record.actions[:count]]
        if self._view == FULL:
            return actions
        seen = iter(records.actions_of(play, self._view))
        return [action if action.startswith("t ") else next(seen) for action in actions]

    def _tell(self, story: _Story) -> None:
        self._print_head(story)
        for number, moment in enumerate(story.moments, 1):
            self._print_moment(number, moment)
        self._print_outcome(story)

    def _print_head(self, story: _Story) -> None:
        record = story.record
        self._print(Text(entry(self._language, f"{record.game.name}.title"), "bold cyan"))
        self._print(Text(self._say("players", names=", ".join(story.names))))
        for name, value in sorted(record.options.items()):
            self._print(Text(self._option(record, name, value)))

    def _option(self, record: Record, name: str, value: Value) -> str:
        option = entry(self._language, f"{record.game.name}.option.{name}")
        word = str(value).lower()
        return f"{option['label']}: {option.get('value', {}).get(word, word)}"

    def _print_moment(self, number: int, moment: _Moment) -> None:
        if moment.heading:
            self._print(Text(f"\n{moment.heading}", "bold"))
        self._print_lines(f"{number:>5}  {moment.action}", "dim")
        if moment.told:
            self._print_lines(INDENT + " ".join(moment.told), "")

    def _print_lines(self, line: str, style: str) -> None:
        width = max(20, min(self._console.width, WIDTH))
        for row in wrap(line, width, subsequent_indent=INDENT, drop_whitespace=True):
            self._print(Text(row, style))

    def _print(self, line: Text | Table) -> None:
        self._console.print(line)

    def _print_outcome(self, story: _Story) -> None:
        outcome, name = story.play.outcome(), story.record.game.name
        end = entry(self._language, f"{name}.ending.{outcome.reason}") if outcome else self._say("still_on")
        self._print(Text(f"\n{end}", "bold"))
        self._print(self._scores(story.play, story.names))
        if story.trouble is None:
            self._print(Text(self._say("right", number=len(story.moments)), "green"))
        self._print(Text())

    def _scores(self, play: Play, names: Sequence[str]) -> Table:
        outcome = play.outcome()
        table = Table("", self._say("points"), *([self._say("share")] if outcome else []), box=None, pad_edge=False)
        for seat, points in enumerate(play.points()):
            share = [f"{percent(self._language, outcome.shares[seat], 1)} %"] if outcome else []
            style = "bold green" if outcome and seat in outcome.winners else ""
            table.add_row(Text(names[seat]), written(self._language, points).words, *share, style=style)
        return table

    def _walk(self, story: _Story) -> None:
        """Show the table after each action; a line says where to go next."""
        at, last = 0, len(story.moments)
        while 0 <= at <= last:
            self._show(story, at)
            self._console.print(Text(f"{at}/{last}  {self._say('keys')} "), end="")
            at = self._next(at, last)
        self._has_quit = at < 0
        self._print(Text())

    def _next(self, at: int, last: int) -> int:
        """The moment to show next: beyond the last one to go on, −1 to quit."""
        line = sys.stdin.readline() if sys.stdin else ""
        word = line.strip().lower()
        if not line or word == "q":
            return -1
        if word == "b":
            return max(0, at - 1)
        if word.isascii() and word.isdigit() and len(word) < 10:
            return min(int(word), last)
        return at + 1 if not word else at

    def _show(self, story: _Story, at: int) -> None:
        if self._console.is_terminal:
            self._console.clear()
        play = _played_until(story.record, at)
        if at == 0:
            self._print_head(story)
        else:
            action = self._seen_actions(story.record, play, at)[-1]  # not yet as it may open later
            self._print_moment(at, replace(story.moments[at - 1], action=action))
        view = View(play.game, WATCHER, play.state) if self._view == FULL else play.view(self._seat())
        self._console.print(draw.table(view, story.names, self._language))
        if at == len(story.moments):
            self._print_outcome(story)


def _played_until(record: Record, number: int) -> Play:
    """The game after so many actions."""
    play = started(record)
    if number:
        next(action for action in records.steps(record, play) if action.number == number)
    return play


def _shown_name(name: str, seat: int) -> str:
    """A name fit for a line of the terminal, whatever the file had in it."""
    shown = one_line(name).strip() or f"p{seat + 1}"
    return shown if len(shown) <= LONGEST_NAME else shown[:LONGEST_NAME] + "…"
