"""The analysis of one finished game: chances step by step, what moved them, and what the choices cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from pokade.analysis.judging import Chances, Judged, Progress, Reference
from pokade.analysis.moments import Moment, moments
from pokade.analysis.reading import Readability, read
from pokade.analysis.solved import BySolution
from pokade.games.play import Play
from pokade.records import Record

FEW: Final = 3  # best and worst choices of a seat
NOTHING_LOST: Final = 0.005  # a choice that costs more is none of the best
NOTICED: Final = 0.001  # a choice that gains less is none of them either
COSTLY: Final = 0.005  # … and one that costs less is none of the worst: half a point is rounded away
SURELY: Final = 1.0  # standard errors that a cost must be above, to be named


@dataclass(frozen=True, slots=True)
class Step:
    """One moment: everybody's chances after it, and what chance, choices and their meeting have changed.

    Before the first one everybody has an equal part. The three changes add up to the change of the chances.
    """

    moment: Moment
    chances: Chances
    luck: tuple[float, ...]
    choices: tuple[float, ...]
    meeting: tuple[float, ...]
    judged: Mapping[int, Judged]


@dataclass(frozen=True, slots=True)
class Seat:
    """What a game comes to for a seat: an equal part, luck, choices and meeting are its share of the win."""

    luck: float
    luck_error: float
    choices: float
    choices_error: float
    meeting: float
    readability: Readability
    best: tuple[int, ...]  # numbers of steps
    worst: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that is known of a game afterwards."""

    record: Record
    play: Play
    method: Mapping[str, object]
    steps: tuple[Step, ...]
    seats: tuple[Seat, ...]


def analysed(record: Record, progress: Progress = lambda *_: None, *, is_closed: bool = False) -> Analysis:
    """Analyse a finished game. Refuses one that is still on, and every wrong record."""
    found, play = moments(record, is_closed=is_closed)
    reference = reference_for(play, found)
    steps = _steps(reference, found, play, progress)
    seats = tuple(_seat(seat, steps) for seat in range(play.n_seats))
    return Analysis(record, play, reference.method, steps, seats)


def reference_for(play: Play, found: Sequence[Moment]) -> Reference:
    """The solution if there is one, else games played on."""
    if BySolution.covers(play.game, play.state):
        return BySolution(play.game, play.n_seats)
    from pokade.analysis.playouts import ByPlayouts, games_each  # noqa: PLC0415 - loads the compiler, which takes long

    return ByPlayouts(play.game, play.n_seats, games_each(play.game, found))


def _steps(reference: Reference, found: Sequence[Moment], play: Play, progress: Progress) -> tuple[Step, ...]:
    n_seats = play.n_seats
    before = Chances((1 / n_seats,) * n_seats, (0.0,) * n_seats)
    known: dict[int, Judged] = {}
    steps: list[Step] = []
    for number, moment in enumerate(found):
        progress(number, len(found))
        judged = {} if moment.is_chance else reference.judge(moment, known)
        known = {seat: last for seat, last in known.items() if seat not in moment.choices} | dict(judged)
        after = reference.chances(found[number + 1].before if number + 1 < len(found) else play.state)
        steps.append(_step(moment, before, after, judged))
        before = after
    progress(len(found), len(found))
    return tuple(steps)


def _step(moment: Moment, before: Chances, after: Chances, judged: Mapping[int, Judged]) -> Step:
    """Chance has changed all that it changed; of choices, their cost is theirs, and the rest came of how they met."""
    change = [now - then for now, then in zip(after.shares, before.shares, strict=True)]
    nothing = (0.0,) * len(change)
    if moment.is_chance:
        return Step(moment, after, tuple(change), nothing, nothing, judged)
    choices = [-judged[seat].cost if seat in judged else 0.0 for seat in range(len(change))]
    meeting = [whole - own for whole, own in zip(change, choices, strict=True)]
    return Step(moment, after, nothing, tuple(choices), tuple(meeting), judged)


def _seat(seat: int, steps: Sequence[Step]) -> Seat:
    own = {number: step.judged[seat] for number, step in enumerate(steps) if seat in step.judged}
    return Seat(
        sum(step.luck[seat] for step in steps),
        _luck_error(seat, steps),
        sum(step.choices[seat] for step in steps),
        sqrt(sum(judged.error**2 for judged in own.values())),
        sum(step.meeting[seat] for step in steps),
        read(list(own.values())),
        _best(own),
        _worst(own),
    )


def _luck_error(seat: int, steps: Sequence[Step]) -> float:
    """Chances between two moments of the same kind drop out of the sum."""
    total = 0.0
    for number, step in enumerate(steps):
        follows = number + 1 < len(steps) and steps[number + 1].moment.is_chance
        if step.moment.is_chance != follows:
            total += step.chances.errors[seat] ** 2
    return sqrt(total)


def _best(own: Mapping[int, Judged]) -> tuple[int, ...]:
    """Where most could be lost and nothing was."""
    good = [n for n, judged in own.items() if judged.cost <= NOTHING_LOST and judged.merit > NOTICED]
    return tuple(sorted(good, key=lambda number: -own[number].merit)[:FEW])


def _worst(own: Mapping[int, Judged]) -> tuple[int, ...]:
    """What cost most, as far as that is sure."""
    bad = [n for n, judged in own.items() if judged.cost > max(COSTLY, SURELY * judged.error)]
    return tuple(sorted(bad, key=lambda number: -own[number].cost)[:FEW])
