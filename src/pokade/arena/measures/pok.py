"""POK: how often challenges are met, how rounds end, and how many show one symbol."""

from typing import Any, Final

from pokade.arena.measures import Measure, Number, add, await_hit, hit
from pokade.games.pok import ALL_ABSENT, BLANK, DICE, HANDED_OVER, MET, NOTHING_MET, SEATS, SHOWN, THROWN
from pokade.games.state import how_many, rule

CHALLENGES, ENDS, GIVEN, TOGETHER = 0, 1, 2, 3
MEASURES: Final = (
    Measure("challenges", DICE),
    Measure("ends", 3),
    Measure("given", 1, is_part=False),
    Measure("together", SEATS),
)
NUMBERS: Final = {
    "twos_blanks": Number("TWOS_BLANKS", range(10)),
    "threes_blanks": Number("THREES_BLANKS", range(10)),
    "counters": Number("EACH", range(2, 5)),
    "goal": Number("GOAL", range(1, 6)),
}


@rule
def note(state: Any, code: int, who: int, what: int, more: int, counts: Any) -> None:
    """A die that is not blank is a challenge; each round ends with one of three events."""
    if code == THROWN:
        for die in range(DICE):
            if state.dice[die] != BLANK:
                await_hit(counts, CHALLENGES, die)
    elif code == MET:
        hit(counts, CHALLENGES, more - 1)
    elif code == SHOWN:
        for size in range(SEATS):
            add(counts, TOGETHER, size, 1 if how_many(who) == size + 1 else 0)
    elif code in (HANDED_OVER, ALL_ABSENT, NOTHING_MET):
        add(counts, GIVEN, 0, what if code == HANDED_OVER else 0)
        add(counts, ENDS, 0, 1 if code == HANDED_OVER else 0)
        add(counts, ENDS, 1, 1 if code == ALL_ABSENT else 0)
        add(counts, ENDS, 2, 1 if code == NOTHING_MET else 0)
