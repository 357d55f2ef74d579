"""The next game of an evening: which game it is, who sits where, who sits out, and which bots it takes. Decides, and
asks nobody: everybody who is there comes in. The rules: docs/evening.md.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pokade.games import GAMES
from pokade.server.table import events
from pokade.server.table.evening import MOST, Sitter
from pokade.server.table.events import Event
from pokade.server.table.seats import Seat, fresh_name
from pokade.server.table.table import Table
from pokade.server.table.terms import STAND_IN

Who = dict[str, str]  # name, and person or bot: what a seat's event says


@dataclass(frozen=True, slots=True)
class Plan:
    """A table that follows another one."""

    host: str
    settings: dict[str, Any]
    seats: list[Who]

    def seated(self, now: float) -> list[Event]:
        """Everybody sits down."""
        return [Event(events.SEATED, now, {"seat": seat, **who}) for seat, who in enumerate(self.seats)]

    def unseated(self, now: float) -> list[Event]:
        """Everybody gets up again, since another table was faster: nobody finds this one among their own."""
        return [Event(events.UNSEATED, now, {"seat": seat}) for seat in range(len(self.seats))]


def planned(
    old: Table, person: str, game: str | None, options: Mapping[str, Any] | None, there: Collection[str]
) -> Plan:
    """The same people once more, one seat further on. The host may choose another game."""
    wanted = game or old.game
    old.want(wanted in GAMES, "table/game", f"there are {', '.join(GAMES)}")
    old.want(wanted == old.game or person == old.host, "table/not-host", "only the host can do that")
    seats, most = GAMES[wanted].seats, GAMES[wanted].seats[-1]
    line, away = _company(old, {*there, person})
    evening = old.evening_now
    resting = evening.to_rest([_sitter(who) for who in line if "person" in who], most)
    line = [who for who in line if _sitter(who) not in resting]
    bots = _bots_wanted(old, line, seats)
    line = _with_bots(line, bots)
    given = old.options if wanted == old.game else evening.ways.get(wanted, {})
    evening = replace(
        evening,
        resting=tuple(resting[:MOST]),
        away=tuple(away[: max(0, MOST - len(resting))]),
        filled=max(0, bots - _bots_asked_for(old)),
        ways={**evening.ways, old.game: dict(old.options)},
    )
    return Plan(
        host=person if person in [who.get("person") for who in line] else _first_person(line, person),
        settings={
            "follows": old.id,
            "evening": evening.data(),
            "game": wanted,
            "seats": len(line),
            "options": GAMES[wanted].options_for(given, len(line)) if options is None else dict(options),
            "clock": old.clock,
            "listed": old.is_listed,
            "tells": old.tells,
        },
        seats=line,
    )


def _company(old: Table, there: Collection[str]) -> tuple[list[Who], list[Sitter]]:
    """Everybody for the next game, in the order of the seats and one seat further on; and who is not there for it."""
    line = [_who(place) for place in (old.seats[-1], *old.seats[:-1])]
    gone = [(place.person, place.name) for place in old.seats if place.is_standby and place.person not in there]
    waiting = (*old.evening.resting, *old.evening.away)
    line = [who for who in line if _sitter(who) not in gone]
    line += [{"person": person, "name": name} for person, name in waiting if person in there]
    away = [(person or "", name) for person, name in gone] + [one for one in waiting if one[0] not in there]
    return line, away


def _who(place: Seat) -> Who:
    return {"bot": place.bot, "name": place.name} if place.bot else {"person": place.person or "", "name": place.name}


def _sitter(who: Who) -> Sitter:
    return who.get("person", ""), who["name"]


def _bots_asked_for(old: Table) -> int:
    """Bots that came since somebody wanted them, and not since a game could not do without."""
    return max(0, sum(place.bot is not None for place in old.seats) - old.evening.filled)


def _bots_wanted(old: Table, line: Sequence[Who], seats: range) -> int:
    people = sum("person" in who for who in line)
    return min(max(_bots_asked_for(old), seats[0] - people), seats[-1] - people)


def _with_bots(line: Sequence[Who], wanted: int) -> list[Who]:
    """So many bots: those who were here stay as far as there is room, and others come if they are too few."""
    bots = [who for who in line if "bot" in who]
    leaving = bots[wanted:]
    staying = [who for who in line if who not in leaving]
    level = bots[-1]["bot"] if bots else STAND_IN
    for _ in range(wanted - len(bots)):
        staying.append({"bot": level, "name": fresh_name([who["name"] for who in staying])})
    return staying


def _first_person(line: Sequence[Who], otherwise: str) -> str:
    return next((who["person"] for who in line if "person" in who), otherwise)
