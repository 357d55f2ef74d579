"""People who come to a game that is on: they ask for a bot's seat, are agreed to, and come in between two rounds.

Nobody may look into a hand that was dealt to another, so a seat changes hands only at a clean moment: chance is due,
nothing is sealed, and the seat knows nothing that a watcher does not. That moment never depends on who has sealed.
"""

from collections.abc import Sequence

from pokade.games.state import CHANCE, is_bare
from pokade.server.table import events
from pokade.server.table.events import Event
from pokade.server.table.seats import Claim, clean_name, told_apart
from pokade.server.table.table import Table
from pokade.server.table.terms import ON


def ask_for(table: Table, person: str, name: str, seat: int | None, now: float) -> list[Event]:
    """Ask for the seat of a bot; nobody who holds or has held a seat of this game can have another."""
    wanted = _first_of_a_bot(table) if seat is None else seat
    table.want(0 <= wanted < len(table.seats), "seat/unknown", "there is no such seat")
    table.want(table.seats[wanted].bot is not None, "seat/taken", "only a bot's seat can be taken over")
    table.want(table.script is None, "seat/taken", "the rivals of a guided game stay")
    table.want(person not in table.held, "seat/held", "nobody looks into two hands of a game that is on")
    table.want(person not in table.dismissed, "seat/refused", "the host has sent you away")
    table.want(wanted not in table.claims, "seat/claimed", "somebody has asked for that seat")
    table.want(claim_of(table, person) is None, "seat/claimed", "you have asked for a seat")
    others = [place.name for place in table.seats] + [claim.name for claim in table.claims.values()]
    named = told_apart(clean_name(name), others)
    claimed = Event(events.CLAIMED, now, {"seat": wanted, "person": person, "name": named})
    return [claimed, *_let_in(table, {wanted: Claim(person, claimed["name"])}, now)]


def _first_of_a_bot(table: Table) -> int:
    free = [seat for seat, place in enumerate(table.seats) if place.bot is not None and seat not in table.claims]
    table.want(bool(free), "table/full", "there is no free seat")
    return free[0]


def claim_of(table: Table, person: str) -> int | None:
    """The seat that a person has asked for."""
    return next((seat for seat, claim in table.claims.items() if claim.person == person), None)


def withdraw(table: Table, person: str, now: float) -> list[Event]:
    """Ask for a seat no longer."""
    seat = claim_of(table, person)
    table.want(seat is not None and table.status == ON, "seat/none", "you have no seat here")
    return [Event(events.UNCLAIMED, now, {"seat": seat})]


def agree(table: Table, person: str, seat: int, now: float) -> list[Event]:
    """Somebody at the table has nothing against a newcomer."""
    table.want(person in table.playing, "seat/none", "you have no seat here")
    table.want(table.status == ON and seat in table.claims, "seat/empty", "nobody has asked for that seat")
    claim = table.claims[seat]
    if person in claim.agreed:
        return []
    agreed = Claim(claim.person, claim.name, claim.agreed | {person})
    return [Event(events.AGREED, now, {"seat": seat, "person": person}), *_let_in(table, {seat: agreed}, now)]


def dismiss(table: Table, host: str, seat: int, now: float) -> list[Event]:
    """The host refuses a newcomer, or sends one away who has come: the bot that sat there plays on."""
    table.want(table.status == ON and host == table.host, "table/not-host", "only the host can do that")
    table.want(0 <= seat < len(table.seats), "seat/unknown", "there is no such seat")
    place = table.seats[seat]
    if seat in table.claims:
        return [Event(events.DISMISSED, now, {"seat": seat, "person": table.claims[seat].person})]
    table.want(place.is_newcomer, "seat/taken", "no newcomer sits there")
    table.want(place.person != host, "seat/own", "the host leaves by leaving")
    return [
        Event(events.DISMISSED, now, {"seat": seat, "person": place.person}),
        Event(events.SEATED, now, {"seat": seat, "bot": place.stood_in, "name": place.stood_in_name}),
    ]


def wanted(table: Table) -> int:
    """How many people have to agree to a newcomer: the host, and one more if there is one."""
    return min(2, len(table.playing))


def agreed(table: Table, claim: Claim) -> int:
    """How many of those have."""
    there = claim.agreed & set(table.playing)
    return min(1, len(there & {table.host})) + min(1, len(there - {table.host}))


def let_in(table: Table, now: float) -> list[Event]:
    """Everybody comes in who is agreed to, if this is a clean moment for their seat."""
    return _let_in(table, table.claims, now)


def _let_in(table: Table, claims: dict[int, Claim], now: float) -> list[Event]:
    come: list[Event] = []
    for seat, claim in claims.items():
        if agreed(table, claim) >= wanted(table) and is_clean(table, seat):
            come.append(Event(events.SEATED, now, {"seat": seat, "person": claim.person, "name": claim.name}))
            come.append(Event(events.RETURNED, now, {"seat": seat}))
    return [*come, *_host_among(table, come, now)]


def _host_among(table: Table, come: Sequence[Event], now: float) -> list[Event]:
    """The first newcomer to a game that its host has left becomes the host."""
    return table.hosted_by(come[0]["person"], now) if come else []


def is_clean(table: Table, seat: int) -> bool:
    """Can a seat change hands now without anybody learning anything?"""
    return table.play is not None and table.turn == CHANCE and is_bare(table.play.state, seat)
