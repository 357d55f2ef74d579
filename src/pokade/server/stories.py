"""What stays of a finished game in a few numbers, for a person's list of games: who won, points, places, how it went.

A story is written once, beside what a list of tables shows (storage has both as JSON), when its game is over and its
record is open to all. Of a game that is on there is none, so nothing of it can be found by looking for it.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

from pokade.games.errors import Refused
from pokade.games.play import Play
from pokade.games.state import CHANCE
from pokade.server.picture import place_of
from pokade.server.storage import Found
from pokade.server.table import OVER, Table

STORY: Final = "story"
MOST_STEPS: Final = 3000  # of a game that are gone through for its curve: a few milliseconds
MOST_COLUMNS: Final = 24  # of a curve
NOBODY: Final = -1
Sort = Literal["new", "old", "best"]
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
        if who == CHANCE:
            again.happen(what)
        else:
            again.choose(who, what)
    yield again.points()


def played_by(person: str, tables: Sequence[Found]) -> list[dict[str, Any]]:
    """The finished games of a person, as the person is told of them; in the order of the tables."""
    told = ((found, json.loads(found.index.shown)) for found in tables if found.index.status == OVER)
    return [_told(found, shown, person) for found, shown in told if shown.get(STORY) and person in found.index.seats]


def _told(found: Found, shown: dict[str, Any], person: str) -> dict[str, Any]:
    tale: Story = shown[STORY]
    seat = tale["whose"].index(found.index.seats.index(person))
    return {
        "id": found.table,
        "code": found.index.code,
        "game": found.index.game,
        "names": shown["names"],
        "bots": tale["bots"],
        "seat": seat,
        "ended_at": tale["ended_at"],
        "points": tale["points"],
        "winners": tale["winners"],
        "place": place_of(tale["points"], tale["winners"], seat) if tale["winners"] else None,
        "left": seat in tale["left"],
        "curve": tale["curve"],
    }


def is_won(game: dict[str, Any]) -> bool:
    """As in an evening: alone or with others, but not with all."""
    return game["seat"] in game["winners"] and len(game["winners"]) < len(game["names"])


def sums(games: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """By game: played to the end, won, and the average place. What somebody has left to a bot does not count."""
    counted: dict[str, list[dict[str, Any]]] = {}
    for game in games:
        if game["place"] is not None and not game["left"]:
            counted.setdefault(game["game"], []).append(game)
    return [
        {
            "game": name,
            "played": len(some),
            "won": sum(map(is_won, some)),
            "place": round(sum(game["place"] for game in some) / len(some), 2),
        }
        for name, some in sorted(counted.items())
    ]


def found_in(games: Sequence[dict[str, Any]], game: str, find: str, sort: Sort) -> list[dict[str, Any]]:
    """The games of one kind, or with somebody whose name has these letters; newest, oldest or best first."""
    letters = find.casefold().strip()
    wanted = [
        one for one in games if game in ("", one["game"]) and any(letters in name.casefold() for name in one["names"])
    ]
    wanted.sort(key=lambda one: one["ended_at"], reverse=sort != "old")
    if sort == "best":
        wanted.sort(key=lambda one: (one["place"] is None, one["place"], -len(one["names"])))
    return wanted
