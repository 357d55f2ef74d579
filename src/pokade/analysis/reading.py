"""How readable somebody was: could a rival who paid attention have foreseen their choices?

A *reader* watches one seat. Before each choice for which the reference mixes, it names a probability of every option: a
weighted mean of what some mixers do (the reference, a blind one, half of each) and of some habits, each of which leans
the reference's mixture its way. After the choice those who expected it gain weight (Bayes). Half of the first weight is
the mixers'. What the reader's forecasts gain over those of the mixer that foretold the choices best, in bits, added up,
is the evidence that the seat has habits: somebody who mixes as any of them gets b bits or more with a chance of at most
1 in 2ᵇ, however long the game and whenever it is looked at (it is a test martingale, and Ville's inequality holds).
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
    weights = dict.fromkeys(MIXERS, 0.5 / len(MIXERS)) | dict.fromkeys(HABITS, 0.5 / len(HABITS))
    foretold = dict.fromkeys(MIXERS, 0.0)  # by each mixer, in bits
    before: list[int] = []
    mixed, bits, guessed, expected = 0, 0.0, 0.0, 0.0
    for judged in choices:
        mixture, chosen = _widened(judged), judged.chosen
        if max(mixture.values()) <= MIXES:
            forecasts = {habit: _doubted(mixture, habit(mixture, before)) for habit in HABITS}
            forecasts |= {mixer: mixer(mixture, before) for mixer in MIXERS}
            forecast = {c: sum(weight * forecasts[who][c] for who, weight in weights.items()) for c in mixture}
            mixed += 1
            bits += log2(forecast[chosen])
            foretold = {mixer: told + log2(forecasts[mixer][chosen]) for mixer, told in foretold.items()}
            guessed += _guessed(forecast, chosen)
            expected += sum(_guessed(mixture, c) * often for c, often in mixture.items())
            weights = {who: weight * forecasts[who][chosen] / forecast[chosen] for who, weight in weights.items()}
        before.append(chosen)
    return Readability(mixed, bits - max(foretold.values()), guessed, expected)


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


# Mixers: the reference, a blind one, half of each.


def _reference(mixture: Mixture, _before: Sequence[int]) -> Mixture:
    return mixture


def _blind(mixture: Mixture, _before: Sequence[int]) -> Mixture:
    return dict.fromkeys(mixture, 1 / len(mixture))


def _half(mixture: Mixture, _before: Sequence[int]) -> Mixture:
    return {choice: often / 2 + 1 / (2 * len(mixture)) for choice, often in mixture.items()}


# Habits: what is usual, what is unusual, the same again, anything but the same, favourites.


def _usual(mixture: Mixture, _before: Sequence[int]) -> Mixture:
    return {choice: often**4 for choice, often in mixture.items()}


def _unusual(mixture: Mixture, _before: Sequence[int]) -> Mixture:
    best = max(mixture.values())
    return {choice: 0.0 if often == best else often for choice, often in mixture.items()}


def _again(mixture: Mixture, before: Sequence[int]) -> Mixture:
    return {choice: often for choice, often in mixture.items() if before and choice == before[-1]}


def _other(mixture: Mixture, before: Sequence[int]) -> Mixture:
    return {choice: often for choice, often in mixture.items() if before and choice != before[-1]}


def _favourite(mixture: Mixture, before: Sequence[int]) -> Mixture:
    return {choice: often * (1 + before.count(choice)) ** 2 for choice, often in mixture.items()}


MIXERS: Final[tuple[Habit, ...]] = (_reference, _blind, _half)
HABITS: Final[tuple[Habit, ...]] = (_usual, _unusual, _again, _other, _favourite)
