"""A report as one page of HTML that needs nothing else, in the colours of the page, light and dark."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

from pokade.texts import entry, text, written

if TYPE_CHECKING:
    from pokade.arena.report.run import Report, Sample

PERCENT: Final = ("share", "ties", "spread", "part")  # columns that are parts of a whole
LEFT_OUT: Final = ("length", "cross", "measures")  # tables that are drawn, or shown in another way
OUTER: Final = 0.001  # the longest games that the picture of lengths leaves out
STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif;
  --paper: #F3F1F7; --ink: #1C1433; --line: #D8D2E4 }
@media (prefers-color-scheme: dark) { :root { --paper: #150F26; --ink: #F6F2FF; --line: #3A2F5C } }
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; background: var(--paper); color: var(--ink) }
h1, h2, h3 { line-height: 1.2 } h2 { margin-top: 2.5rem }
.wide { overflow-x: auto } table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .9rem .25rem 0; text-align: right; border-bottom: 1px solid var(--line) }
th:first-child, td:first-child { text-align: left } th { font-weight: 600 }
figure { margin: 1rem 0 } svg { width: 100%; height: auto } #levels-figure { max-width: 30rem }
small, figcaption { opacity: .8 }
"""


class Page:
    """The words and parts of a page about one report."""

    def __init__(self, report: "Report", language: str) -> None:
        from pokade.arena.report import tables  # noqa: PLC0415 - what the arena loads is not needed by other commands
        from pokade.cli import report_pictures  # noqa: PLC0415 - matplotlib only where a picture is wanted

        self.report, self._language, self._draw = report, language, report_pictures
        self._tables = tables.tables(report)
        self._own = entry(language, "report").get("game", {}).get(report.game.name, {})

    def say(self, key: str, **values: object) -> str:
        """A text of this command."""
        return text(self._language, f"report.{key}", **values)

    def html(self) -> str:
        """The whole page."""
        title = escape(self.say("title", game=self.report.game.title, players=self.report.n_seats))
        parts = (self._head, self._length, self._seats, self._measures, self._options, self._levels)
        body = "".join(line for part in parts for line in part())
        return (
            f'<!doctype html><html lang="{self._language}"><head><meta charset="utf-8"><title>{title}</title>'
            f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
            f"<body><h1>{title}</h1>{body}</body></html>\n"
        )

    def _head(self) -> Iterator[str]:
        report = self.report
        yield _p(self.say("intro", games=written(self._language, report.games).words, seed=report.seed))
        if report.played.changes:
            said = ", ".join(f"{self._number(name)}: {value}" for name, value in report.played.changes)
            yield _p(self.say("changed", numbers=said))
            yield self._table("changes")

    def _length(self) -> Iterator[str]:
        rows = self._tables["length"]
        kept, seen = [], 0.0
        for row in rows:
            if seen < 1 - OUTER:
                kept.append(row)
            seen += row["part"]
        yield self._heading("length")
        words = self.say("column.rounds"), self.say("of_games")
        heights = [100 * row["part"] for row in kept]
        yield self._figure("length", self._draw.histogram("length", [row["rounds"] for row in kept], heights, words))
        yield self._table("games")
        yield self._table("endings")

    def _seats(self) -> Iterator[str]:
        labels = [str(seat + 1) for seat in range(self.report.n_seats)]
        groups = [
            (sample.level, [self._percent(share) for share in sample.match.shares()]) for sample in self.report.samples
        ]
        yield self._heading("seats")
        fair = 100 / self.report.n_seats
        yield self._figure("seats", self._draw.bars("seats", labels, groups, unit="%", fair=fair))
        yield self._table("seats")

    def _measures(self) -> Iterator[str]:
        for number, measure in enumerate(self.report.measures):
            words = self._own["measure"][measure.name]
            found = [[value.mean for value, _ in sample.rows(number)] for sample in self.report.samples]
            kept = [row for row in range(measure.rows) if any(means[row] for means in found)]
            shown: Callable[[Any], Any] = self._percent if measure.is_part else lambda value: value
            groups = [
                (sample.level, [shown(sample.rows(number)[row][0]) for row in kept]) for sample in self.report.samples
            ]
            listed = (
                entry(self._language, f"{self.report.game.name}.{measure.words}") if measure.words else words["rows"]
            )
            labels = [listed[row] for row in kept]
            unit = "%" if measure.is_part else words["unit"]
            yield f"<h2>{escape(words['title'])}</h2>{_p(words['help'])}"
            yield _figure(self._draw.bars(f"measure-{number}", labels, groups, unit=unit), words["title"], measure.name)
            yield self._rows(["", *(name for name, _ in groups)], self._across(labels, groups))

    def _options(self) -> Iterator[str]:
        report = self.report
        usual: list[tuple[str, Sample]] = [(self.say("usual"), report.usual)]
        found = usual + [(self._option(option.name, value), sample) for option, value, sample in report.options]
        if len(found) > 1:
            panels = [
                (self.say("column.rounds"), [sample.match.rounds() for _, sample in found]),
                (f"{self.say('column.ties')}, %", [self._percent(sample.match.ties()) for _, sample in found]),
                (f"{self.say('column.spread')}, %", [self._percent(sample.spread()) for _, sample in found]),
            ]
            yield self._heading("options")
            yield self._figure("options", self._draw.dots("options", [label for label, _ in found], panels))
            head = ["", *(title for title, _ in panels)]
            cells = zip(*(values for _, values in panels), strict=True)
            rows = [[label, *map(self._pair, row)] for (label, _), row in zip(found, cells, strict=True)]
            yield self._rows(head, rows)

    def _levels(self) -> Iterator[str]:
        meeting = self.report.meeting
        if meeting is not None:
            cross = meeting.cross()
            yield self._heading("levels")
            parts = [[cross[level][rival] for rival in cross] for level in cross]
            yield self._figure("levels", self._draw.square("levels", list(cross), parts))
            yield self._table("levels")

    def _heading(self, name: str) -> str:
        return f"<h2>{escape(self.say(f'{name}.title'))}</h2>{_p(self.say(f'{name}.help'))}"

    def _figure(self, name: str, svg: str) -> str:
        return _figure(svg, self.say(f"{name}.title"), name)

    def _table(self, name: str) -> str:
        """A table of the report; a column and its error are one here."""
        rows = self._tables.get(name, [])
        columns = [column for column in rows[0] if not column.endswith("_error")] if rows else []
        shown = [[self._cell(row, column) for column in columns] for row in rows]
        return self._rows([self.say(f"column.{column}") for column in columns], shown)

    def _cell(self, row: dict[str, Any], column: str) -> str:
        value, error = row[column], row.get(f"{column}_error")
        if column == "ending":
            return str(entry(self._language, f"{self.report.game.name}.ending.{value}"))
        if column == "numbers":
            return str(value) or self.say("usual")
        if not isinstance(value, float):
            return str(value)
        times, unit = (100, " %") if column in PERCENT else (1, "")
        return self._said(times * value) + unit + ("" if error is None else f" ± {self._said(times * error)}")

    def _said(self, value: float) -> str:
        return written(self._language, value, 2).words

    def _across(self, labels: Sequence[str], groups: Sequence[tuple[str, Sequence[Any]]]) -> list[list[str]]:
        return [[label, *(self._pair(values[row]) for _, values in groups)] for row, label in enumerate(labels)]

    def _pair(self, value: Any) -> str:
        return f"{self._said(value.mean)} ± {self._said(value.error)}"

    def _rows(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        if not rows:
            return ""
        top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
        lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'

    def _option(self, name: str, value: Any) -> str:
        words = entry(self._language, f"{self.report.game.name}.option.{name}")
        said = words.get("value", {}).get(str(value).lower(), str(value))
        return f"{words['label']}: {said}"

    def _number(self, name: str) -> str:
        return str(self._own["number"][name])

    @staticmethod
    def _percent(value: Any) -> Any:
        return type(value)(100 * value.mean, 100 * value.error)


def _p(sentence: str) -> str:
    return f"<p>{escape(sentence)}</p>"


def _figure(svg: str, title: str, name: str) -> str:
    return f'<figure id="{name}-figure" role="img" aria-label="{escape(title)}">{svg}</figure>'
