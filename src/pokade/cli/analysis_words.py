"""An analysis in words and whole points of a hundred, as terminal and page show it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pokade.records import one_line
from pokade.texts import entry, text

if TYPE_CHECKING:
    from pokade.analysis import Analysis
    from pokade.analysis.judging import Judged

WHOLE: Final = 100  # points of a whole win
MENTIONED: Final = 0.05  # what the reference mixes less often is not mentioned
COLUMNS: Final = ("player", "luck", "choices", "meeting", "share", "readable")


class Words:
    """What is said of one analysis in a language."""

    def __init__(self, analysis: "Analysis", language: str) -> None:
        self.analysis, self._language = analysis, language
        self.names = [one_line(name).strip() or f"p{seat + 1}" for seat, name in enumerate(analysis.record.players)]

    def say(self, key: str, **values: object) -> str:
        """A text of this command."""
        return text(self._language, f"analyse.{key}", **values)

    @property
    def title(self) -> str:
        """The game and who played it."""
        game = entry(self._language, f"{self.analysis.record.game.name}.title")
        return f"{game}: {', '.join(self.names)}"

    @property
    def columns(self) -> list[str]:
        """The headings of the rows."""
        return [self.say(f"column.{name}") for name in COLUMNS]

    def rows(self) -> Iterator[list[str]]:
        """By seat: luck, choices and interplay, the share of the win, and how readable it was."""
        for seat, found in enumerate(self.analysis.seats):
            yield [
                self.names[seat],
                with_error(found.luck, found.luck_error),
                with_error(found.choices, found.choices_error),
                signed(found.meeting),
                f"{self._share(seat):.0f} %",
                self.readable(seat),
            ]

    def _share(self, seat: int) -> float:
        return WHOLE * self.analysis.steps[-1].chances.shares[seat] if self.analysis.steps else WHOLE / len(self.names)

    def readable(self, seat: int) -> str:
        """How readable a seat was, with the guesses of a reader."""
        read = self.analysis.seats[seat].readability
        if not read.mixed:
            return self.say("readable.nothing")
        said = self.say(f"readable.{read.word}")
        guesses = self.say(
            "readable.guesses", guessed=round(read.guessed), mixed=read.mixed, expected=round(read.expected)
        )
        return f"{said} ({guesses})"

    @property
    def method(self) -> str:
        """Where the numbers come from."""
        method = self.analysis.method
        return self.say(f"method.{method['kind']}", **{k: v for k, v in method.items() if k in ("digest", "games")})

    def notable(self, seat: int) -> Iterator[tuple[str, list[str]]]:
        """A heading and lines for the costliest choices of a seat, and for its best."""
        found = self.analysis.seats[seat]
        for key, steps in (("worst", found.worst), ("best", found.best)):
            if steps:
                yield self.say(key, who=self.names[seat]), [self._choice(seat, step) for step in steps]

    def _choice(self, seat: int, number: int) -> str:
        step = self.analysis.steps[number]
        judged = step.judged[seat]
        mixed = ", ".join(
            f"{self._option(number, judged, choice)} {WHOLE * often:.0f} %"
            for choice, often in sorted(judged.mixture.items(), key=lambda pair: -pair[1])
            if often >= MENTIONED
        )
        return self.say(
            "choice",
            action=step.moment.action,
            chosen=self._option(number, judged, judged.chosen),
            mixed=mixed,
            worth=with_error(-judged.cost, judged.error),
        )

    def _option(self, number: int, judged: "Judged", choice: int) -> str:
        game, before = self.analysis.record.game, self.analysis.steps[number].moment.before
        key, values = game.said(before, judged.seat, choice)
        return text(self._language, f"{game.name}.choice.{key}", **values)


def signed(value: float) -> str:
    """Whole points with their sign."""
    points = round(WHOLE * value)
    return f"{points:+d}".replace("-", "−") if points else "0"


def with_error(value: float, error: float) -> str:
    """The same with the standard error beside it, where there is one."""
    return f"{signed(value)} ± {max(1, round(WHOLE * error))}" if error else signed(value)
