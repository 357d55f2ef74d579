"""The finished games of a person: found in the index, searched, sorted and summed up."""

from collections.abc import Sequence
from typing import Any, Literal

import orjson

from pokade.games.play import place_of
from pokade.server.storage import Found
from pokade.server.table import OVER
from pokade.server.views.stories import STORY, Story

Sort = Literal["new", "old", "best"]


def played_by(person: str, tables: Sequence[Found]) -> list[dict[str, Any]]:
    """The finished games of a person, as the person is told of them; in the order of the tables."""
    told = ((found, orjson.loads(found.index.shown)) for found in tables if found.index.status == OVER)
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
