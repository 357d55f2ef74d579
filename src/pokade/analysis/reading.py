"""How readable somebody was: could a rival who paid attention have foreseen their choices better than a master's?

A *reader* watches one seat. Before each choice for which the reference mixes, it names a probability of every option: a
weighted mean of what the reference mixes and of some habits, each of which leans the mixture its way. After the choice
those who expected it gain weight (Bayes). Half of the first weight is the reference's. What the reader's forecast gains
over the reference's, in bits, added up, is the evidence that the seat has habits: somebody who mixes exactly as the
reference gets b bits or more with a chance of at most 1 in 2ᵇ, however long the game and whenever one looks (it is a
test martingale, and Ville's inequality holds). It never falls below −1.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Final

from pokade.analysis.judging import Judged

MIXES: Final = 0.9  # a choice that the reference makes oftener can't give anything away
DOUBT: Final = 0.2  # what a habit leaves to the reference
OPEN, CLEAR = log2(3), log2(20)  # bits: three to one, and twenty to one, that it is a habit

Mixture = Mapping[int, float]
Habit = Callable[[Mixture, Sequence[int]], Mixture]  # (what the reference mixes, the seat's choices so far)


@dataclass(frozen=True, slots=True)
class Readability:
    """What a reader would have made of a seat."""

    mixed: int  # choices for which the reference mixes
    bits: float  # the evidence for habits
    guessed: float  # choices that the reader would have guessed
    expected: float  # and those of somebody who mixes as the reference does

    @property
    def word(self) -> str:
        """In a word: `hidden`, `open` (three to one that it is a habit) or `clear` (twenty to one)."""
        return "clear" if self.bits >= CLEAR else "open" if self.bits >= OPEN else "hidden"


def read(choices: Sequence[Judged]) -> Readability:
    """Read the choices of one seat in the order in which they were made."""
    weights = {habit: 0.5 / len(HABITS) for habit in HABITS} | {_none: 0.5}
    before: list[int] = []
    mixed, bits, guessed, expected = 0, 0.0, 0.0, 0.0
    for judged in choices:
        mixture = _widened(judged)
        if max(mixture.values()) <= MIXES:
            forecasts = {habit: _doubted(mixture, habit(mixture, before)) for habit in weights}
            forecast = {c: sum(weights[h] * forecasts[h][c] for h in weights) for c in mixture}
            mixed += 1
            bits += log2(forecast[judged.chosen] / mixture[judged.chosen])
            guessed += _guessed(forecast, judged.chosen)
            expected += sum(_guessed(mixture, c) * often for c, often in mixture.items())
            weights = {h: w * forecasts[h][judged.chosen] / forecast[judged.chosen] for h, w in weights.items()}
        before.append(judged.chosen)
    return Readability(mixed, bits, guessed, expected)


def _widened(judged: Judged) -> Mixture:
    """The reference as a reader takes it: whatever was chosen could be, once in a while."""
    floor = 0.02 / len(judged.mixture)
    return {choice: 0.98 * often + floor for choice, often in judged.mixture.items()}


def _doubted(mixture: Mixture, leaning: Mixture) -> Mixture:
    """A habit as a mixture again, in part the reference's."""
    total = sum(leaning.values())
    if total <= 0.0:
        return mixture
    return {c: DOUBT * often + (1 - DOUBT) * leaning.get(c, 0.0) / total for c, often in mixture.items()}


def _guessed(forecast: Mixture, chosen: int) -> float:
    """A whole guess, or a part of it where several are as likely."""
    best = max(forecast.values())
    likely = [choice for choice, often in forecast.items() if often > best - 1e-9]
    return 1 / len(likely) if chosen in likely else 0.0


# Habits: what is usual, what is unusual, anything alike, the same again, anything but the same, favourites.


def _none(mixture: Mixture, before: Sequence[int]) -> Mixture:
    return mixture


def _usual(mixture: Mixture, before: Sequence[int]) -> Mixture:
    return {choice: often**4 for choice, often in mixture.items()}


def _unusual(mixture: Mixture, before: Sequence[int]) -> Mixture:
    best = max(mixture.values())
    return {choice: 0.0 if often == best else often for choice, often in mixture.items()}


def _anything(mixture: Mixture, before: Sequence[int]) -> Mixture:
    return dict.fromkeys(mixture, 1.0)


def _again(mixture: Mixture, before: Sequence[int]) -> Mixture:
    return {choice: often for choice, often in mixture.items() if before and choice == before[-1]}


def _other(mixture: Mixture, before: Sequence[int]) -> Mixture:
    return {choice: often for choice, often in mixture.items() if before and choice != before[-1]}


def _favourite(mixture: Mixture, before: Sequence[int]) -> Mixture:
    return {choice: often * (1 + before.count(choice)) ** 2 for choice, often in mixture.items()}


HABITS: Final[tuple[Habit, ...]] = (_usual, _unusual, _anything, _again, _other, _favourite)
