"""Which question each message asks of a table: the words are those of the protocol, the answers are events to append.

A message is anything that has the fields of its kind. `next`, `pause` and `rematch` need more than the table: who is
there, or a further table; they are in the map of `hub/handlers.py`, which has all of them.
"""

from collections.abc import Callable
from typing import Any, Final

from pokade.server.table import newcomers
from pokade.server.table.events import Event
from pokade.server.table.table import Table
from pokade.server.table.terms import ON

Question = Callable[[Table, str, Any, float], list[Event]]


def _sit(table: Table, person: str, said: Any, now: float) -> list[Event]:
    """Before the start a free seat is taken; later a bot's is asked for."""
    if table.status == ON:
        return newcomers.ask_for(table, person, said.name, said.seat, now)
    return table.sit(person, said.name, now, said.seat)


def _leave(table: Table, person: str, _: Any, now: float) -> list[Event]:
    has_claim = newcomers.claim_of(table, person) is not None
    return newcomers.withdraw(table, person, now) if has_claim else table.leave(person, now)


QUESTIONS: Final[dict[str, Question]] = {
    "sit": _sit,
    "leave": _leave,
    "agree": lambda t, person, said, now: newcomers.agree(t, person, said.seat, now),
    "dismiss": lambda t, person, said, now: newcomers.dismiss(t, person, said.seat, now),
    "pace": lambda t, person, said, now: t.set_pace(person, said.pace, now),
    "call": lambda t, person, said, now: t.call(person, now, said.called),
    "ready": lambda t, person, said, now: t.ready(person, said.ready, now),
    "bot": lambda t, person, said, now: t.seat_bot(person, said.seat, said.bot, said.name, now),
    "remove": lambda t, person, said, now: t.remove(person, said.seat, now),
    "seats": lambda t, person, said, now: t.resize(person, said.seats, now),
    "give": lambda t, person, said, now: t.give(person, said.seat, now),
    "salt": lambda t, person, said, now: t.salt(person, said.seat, said.salt, now),
    "start": lambda t, person, _, now: t.start(person, now),
    "choose": lambda t, person, said, now: t.choose(person, said.seat, said.choice, said.id, now),
    "back": lambda t, person, _, now: t.come_back(person, now),
    "vote": lambda t, person, said, now: t.vote(person, now, said.vote),
    "chat": lambda t, person, said, now: t.speak(person, said.phrase, said.text, now),
    "mute": lambda t, person, said, now: t.mute(person, said.seat, said.muted, now),
}
