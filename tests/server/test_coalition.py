"""Non-interference against people: what a group gets follows from the views of the seats that they rightfully held.

The pairs are played in `coalition.py`, through the real application. Here they are counted, leaks are planted, and the
way that people once looked into bots' hands is walked once more, step by step.
"""

import random
from collections import Counter
from collections.abc import Callable

import pytest

from pokade.games import GAMES
from tests.server.bottle import bottled  # noqa: F401 - it is a fixture for all tests here
from tests.server.coalition import Group, circle
from tests.server.further import Lesson, Rematch, classroom, reunion

PAIRS = 160
SOAK_PAIRS = 10_000
PARTS = 2
ROUNDS = 10
every_game = pytest.mark.parametrize("game", GAMES)
Leak = Callable[[pytest.MonkeyPatch], None]


def checked(game: str, numbers: range, story: str = "") -> Counter[str]:
    """Play pairs, and count what was seen in them."""
    counted: Counter[str] = Counter()
    for number in numbers:
        group = met(game, number, story)
        try:
            group.check(ROUNDS)
        except BaseException as error:
            error.add_note(f"{game} {number}: {group.where}")
            raise
        counted["pairs"] += 1
        counted[type(group).__name__] += 1
        counted["other secrets"] += group.sides[1].is_other
        counted["frames"] += group.frames
        counted["decisions"] += group.decisions
        counted["seated"] += group.seated
    return counted


def met(game: str, number: int, story: str = "") -> Group:
    """One pair in eight is a lesson, one a rematch."""
    rng = random.Random(f"circle {game} {number}")
    if story or number % 8 > 1:
        return Group(circle(game, rng, story))
    return Rematch(reunion(game, rng)) if number % 8 else Lesson(classroom(game, rng))


def part_of(pairs: int, part: int, first: int = 0) -> range:
    return range(first + pairs * part // PARTS, first + pairs * (part + 1) // PARTS)


@pytest.mark.parametrize("part", range(PARTS))
@every_game
def test_twin_tables_send_a_group_the_same_bytes(game: str, part: int):
    counted = checked(game, part_of(PAIRS, part))

    assert counted["pairs"] == PAIRS // PARTS
    assert counted["other secrets"] > PAIRS // PARTS // 3
    assert counted["frames"] > 10 * PAIRS // PARTS
    assert counted["seated"] > 1


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
@every_game
def test_soak_twin_tables_send_a_group_the_same_bytes(game: str, part: int):
    assert checked(game, part_of(SOAK_PAIRS, part, 1_000_000))["pairs"] == SOAK_PAIRS // PARTS
