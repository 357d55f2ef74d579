"""What a report says, as tables of plain values: the page shows them, and each is a CSV file."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from pokade.arena.changed import numbers_of
from pokade.arena.report.run import Report, Sample
from pokade.arena.simulate import Estimate

Row = dict[str, Any]


def tables(report: Report) -> dict[str, list[Row]]:
    """Every table by name; one without rows is left out."""
    found = {
        "games": [_games(sample) | {"level": sample.level} for sample in report.samples],
        "seats": [row for sample in report.samples for row in _seats(sample)],
        "length": list(_length(report.usual)),
        "endings": [row for sample in report.samples for row in _endings(sample)],
        "measures": [row for sample in report.samples for row in _measures(report, sample)],
        "options": list(_options(report)),
        "levels": list(_levels(report)),
        "cross": list(_cross(report)),
        "changes": list(_changes(report)),
    }
    return {name: rows for name, rows in found.items() if rows}


def as_csv(rows: list[Row]) -> str:
    """A table as text: the names of its columns, and a line for each row."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _both(name: str, value: Estimate) -> Row:
    """A mean and the half width of its interval, both with digits that a machine of another make gives too."""
    return {name: round(value.mean, 9), f"{name}_error": round(value.error, 9)}


def _games(sample: Sample) -> Row:
    match = sample.match
    games, rounds, ties, spread = match.tally.games, match.rounds(), match.ties(), sample.spread()
    return {"level": "", "games": games, **_both("rounds", rounds), **_both("ties", ties), **_both("spread", spread)}


def _seats(sample: Sample) -> Iterator[Row]:
    both = zip(sample.match.shares(), sample.match.points(), strict=True)
    for seat, (share, points) in enumerate(both, 1):
        yield {"level": sample.level, "seat": seat, **_both("share", share), **_both("points", points)}


def _length(sample: Sample) -> Iterator[Row]:
    games = sample.match.tally.games
    for rounds, count in enumerate(sample.match.tally.rounds.tolist()):
        if count:
            yield {"rounds": rounds, "games": count, "part": round(count / games, 9)}


def _endings(sample: Sample) -> Iterator[Row]:
    counts = zip(sample.match.game.endings, sample.match.tally.endings.tolist(), strict=False)
    for ending, count in counts:
        if count:
            yield {"level": sample.level, "ending": ending, "part": round(count / sample.match.tally.games, 9)}


def _measures(report: Report, sample: Sample) -> Iterator[Row]:
    for number, measure in enumerate(report.measures):
        for row, (value, count) in enumerate(sample.rows(number)):
            if count:
                head = {"measure": measure.name, "row": row + 1, "level": sample.level}
                yield {**head, **_both("value", value), "count": count}


def _options(report: Report) -> Iterator[Row]:
    yield {"option": "", "value": "", **_without_level(report.usual)}
    for option, value, sample in report.options:
        yield {"option": option.name, "value": str(value).lower(), **_without_level(sample)}


def _without_level(sample: Sample) -> Row:
    return {name: value for name, value in _games(sample).items() if name != "level"}


def _levels(report: Report) -> Iterator[Row]:
    if report.meeting is not None:
        for one in report.meeting.standings():
            share = Estimate(one.share, (one.high - one.low) / 2)
            yield {"level": one.name, "games": one.games, **_both("share", share), "points": round(one.points, 9)}


def _cross(report: Report) -> Iterator[Row]:
    if report.meeting is not None:
        for level, rivals in report.meeting.cross().items():
            for rival, part in rivals.items():
                if part is not None:
                    yield {"level": level, "rival": rival, "part": round(part, 9)}


def _changes(report: Report) -> Iterator[Row]:
    """The casual table before and after, where numbers were changed."""
    if report.before is None:
        return
    now, then = numbers_of(report.played), numbers_of(report.game)
    said = " ".join(f"{name}={now[name]}" for name in now if now[name] != then[name])
    yield {"numbers": "", **_without_level(report.before)}
    yield {"numbers": said, **_without_level(report.usual)}
