"""What stays of a finished game when its log goes: the record with its proof, and what a link to the table shows.

A record outlives programs: it is text, and the facts beside it are names and words. So a table comes back from them
under any later version, as one that is over and to which nothing more is appended.
"""

from dataclasses import asdict, replace
from typing import Any, Final

import orjson

from pokade import records
from pokade.fairness import proof_of
from pokade.games.state import WATCHER
from pokade.records import Proof
from pokade.server.errors import TableRefused
from pokade.server.storage import Kept
from pokade.server.table import OVER, Seat, Table
from pokade.server.table.evening import Evening
from pokade.server.table.lessons import Script

_FACTS: Final = (
    "game",
    "code",
    "clock",
    "commitment",
    "host",
    "is_listed",
    "tells",
    "options",
    "draws",
    "ending",
    "ended_at",
    "seed",
    "rematch",
    "follows",
)
_OF_A_SEAT: Final = ("person", "bot", "name", "salt", "is_ready", "is_standby", "votes_to_end", "stood_in")


def view_for(table: Table, person: str) -> str:
    """From whose point of view a person may have the record now: full after the end, before it only what is their own.

    A newcomer has not seen what the seat saw before; of a device that goes round, any of its people may ask.
    """
    if table.play is None:
        raise TableRefused("record/none", "no game has begun here")
    if table.is_forgetful:
        raise TableRefused("record/strict", "under strict memory there is no record before the end")
    if table.status == OVER:
        return records.FULL
    seat, *others = table.viewers_of(person)
    is_public = others or seat == WATCHER or table.seats[seat].is_newcomer
    return records.PUBLIC if is_public else f"p{seat + 1}"


def check_over(table: Table) -> None:
    """Refuses to look back at a game that is not over."""
    if table.play is None or table.status != OVER:
        raise TableRefused("replay/on", "a game can be looked back at when it is over")


def kept(table: Table) -> Kept:
    """What to keep of a table that is over."""
    assert table.play is not None  # noqa: S101 - without a game there is nothing to keep
    names = [place.name for place in table.seats]
    text = records.write(table.play, names, notes=table.notes, proof=proof(table), is_closed=True)
    seats = [{name: asdict(place)[name] for name in _OF_A_SEAT} for place in table.seats]
    script = None if table.script is None else table.script.data()
    facts = {name: getattr(table, name) for name in _FACTS} | {"seats": seats, "script": script}
    facts["evening"] = table.evening.data()
    return Kept(text, orjson.dumps(facts).decode())


def restored(table_id: str, found: Kept) -> Table:
    """The table that is left. What an older or newer program has not kept is as at a new table."""
    facts: dict[str, Any] = orjson.loads(found.facts)
    table = Table(table_id, status=OVER, **{name: facts[name] for name in _FACTS if name in facts})
    table.seats = [Seat(**{name: seat[name] for name in _OF_A_SEAT if name in seat}) for seat in facts["seats"]]
    table.evening = Evening.of(facts["evening"]) if "evening" in facts else Evening(table_id)
    table.script = Script.of(facts["script"]) if facts.get("script") else None
    table.play = records.replay(records.read(found.text))
    table.secret = table.seed
    return table


def proof(table: Table) -> Proof | None:
    """The seed comes with the end of the table, which is a moment later than that of its game."""
    if table.script is not None:
        return None
    promised = proof_of(bytes.fromhex(table.secret), table.id, [place.salt for place in table.seats])
    return replace(promised, seed=table.seed)
