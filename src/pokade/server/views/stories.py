"""What stays of a finished game in a few numbers, for a person's list of games: who won, points, places, how it went.

A story is written once, beside what a list of tables shows (storage has both as JSON), when its game is over and its
record is open to all. Of a game that is on there is none, so nothing of it can be found by looking for it.
"""

from collections.abc import Iterator
from typing import Any, Final

from pokade.games.errors import Refused
from pokade.games.play import Play
from pokade.server.table import OVER, Table

STORY: Final = "story"
MOST_STEPS: Final = 3000  # of a game that are gone through for its curve: a few milliseconds
MOST_COLUMNS: Final = 24  # of a curve
NOBODY: Final = -1
Story = dict[str, Any]


def story(table: Table) -> Story | None:
    """The story of a table; None while there is nothing to tell, and for a guided game."""
    if table.status != OVER or table.play is None or table.script is not None:
        return None
    outcome, people = table.play.outcome(), table.people
    return {
        "ended_at": table.ended_at,
        "points": list(table.play.points()),
        "winners": list(outcome.winners) if outcome is not None else [],
        "bots": [place.bot is not None for place in table.seats],
        "whose": [people.index(place.person) if place.person else NOBODY for place in table.seats],
        "left": [seat for seat, place in enumerate(table.seats) if place.is_standby],
        "curve": [list(points) for points in course(table.play)],
    }


def course(play: Play) -> list[tuple[int, ...]]:
    """What everybody counted at the beginning and after each round; of many rounds some, and always the last."""
    if len(play.steps) > MOST_STEPS:
        return [Play(play.game, play.n_seats, play.options).points(), play.points()]
    try:
        columns = list(_by_round(play))
    except Refused:  # it can't be gone through again, which is no reason to keep a game from ending
        return [play.points()]
    every = -(-len(columns) // MOST_COLUMNS)
    return columns[::-1][::every][::-1]


def _by_round(play: Play) -> Iterator[tuple[int, ...]]:
    again = Play(play.game, play.n_seats, play.options)
    number = NOBODY
    for who, what in play.steps:
        if again.state.round != number:
            number = again.state.round
            yield again.points()
        again.take(who, what)
    yield again.points()
