"""A player who mixes as the reference does gives nothing away, and habits show."""

import random
from collections.abc import Callable

import pytest

from pokade.analysis.judging import Judged
from pokade.analysis.reading import CLEAR, Readability, read

THIRDS = {0: 0.3, 1: 0.5, 2: 0.2}


def choices(count: int, choose: Callable[[int], int]) -> list[Judged]:
    return [Judged(0, choose(number), THIRDS, dict.fromkeys(THIRDS, 0.5), 0.0) for number in range(count)]


@pytest.mark.parametrize("habit", [lambda _: 0, lambda _: 1, lambda _: 2, lambda n: n % 2, lambda n: n // 4 % 3])
def test_habits_are_read(habit: Callable[[int], int]):
    assert read(choices(30, habit)).word == "clear"


@pytest.mark.parametrize("mixture", [THIRDS, dict.fromkeys(THIRDS, 1 / 3)], ids=["as the reference", "blindly"])
def test_somebody_who_mixes_is_seldom_read(mixture: dict[int, float]):
    rng = random.Random(1)
    games = [read(choices(20, lambda _: rng.choices(list(mixture), list(mixture.values()))[0])) for _ in range(400)]

    assert sum(game.bits >= CLEAR for game in games) <= 400 / 20  # Ville's inequality
    assert min(game.bits for game in games) > -2.6  # a sixth of the first weight


def test_what_is_not_mixed_gives_nothing_away():
    sure = Judged(0, 1, {0: 0.02, 1: 0.98}, {0: 0.1, 1: 0.6}, 0.0)

    assert read([sure] * 20) == Readability(0, 0.0, 0.0, 0.0)


def test_guesses_are_counted_beside_those_that_mixing_allows():
    found = read(choices(10, lambda _: 1))

    assert found.guessed == 10
    assert found.expected == pytest.approx(5, abs=0.1)
    assert found.mixed == 10


def test_nobody_is_read_by_one_choice():
    assert read(choices(1, lambda _: 2)).word == "hidden"
