"""A finished game as moments: what chance did in one go, or what everybody chose in one turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pokade import records
from pokade.games.errors import BadRecord
from pokade.games.play import Play
from pokade.games.state import CHANCE, copied
from pokade.records import Record


@dataclass(frozen=True, slots=True)
class Moment:
    """The state before, who chose what then (nobody, where chance had its turn), and the record's action it ended."""

    before: Any
    choices: Mapping[int, int]
    action: int

    @property
    def is_chance(self) -> bool:
        return not self.choices


def moments(record: Record, *, is_closed: bool = False) -> tuple[list[Moment], Play]:
    """The moments of a record and the game at its end. A game still on is refused, unless its table was closed."""
    play = records.started(record)
    found: list[Moment] = []
    before, taken = copied(play.state), 0
    for action in records.steps(record, play):
        steps = play.steps[taken:]
        if not steps:
            continue  # a note of the table
        taken = len(play.steps)
        if steps[0][0] != CHANCE:
            found.append(Moment(before, dict(steps), action.number))
        elif found and found[-1].is_chance:  # hands that are dealt one after the other
            found[-1] = Moment(found[-1].before, {}, action.number)
        else:
            found.append(Moment(before, {}, action.number))
        before = copied(play.state)
    records.check_result(record, play)
    if not play.is_over and not is_closed and not _was_closed(record):
        raise BadRecord(0, "analysis/on", "the game is still on; only a finished game is analysed")
    return found, play


def _was_closed(record: Record) -> bool:
    """Did the table end before its game, as by a vote? Only then does a record give the seed away without a result."""
    return isinstance(record.proof, dict) and bool(record.proof.get("seed"))
