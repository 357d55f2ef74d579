"""What each message of a client does at the table where it was said: one map for the whole protocol but `ping`."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from pokade.server.hub.hub import Hub
from pokade.server.table.questions import QUESTIONS

Handler = Callable[[Hub, str, str, Any], Awaitable[object]]


def _ask(hub: Hub, table: str, person: str, said: Any) -> Awaitable[object]:
    """Most messages are a question to the table alone."""
    return hub.ask(table, lambda t, now: QUESTIONS[said.do](t, person, said, now))


HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(QUESTIONS, _ask),
    "next": lambda hub, table, person, _: hub.tap_next(table, person),
    "pause": lambda hub, table, person, said: hub.pause(table, person, said.paused),
    "rematch": lambda hub, table, person, said: hub.rematch(table, person, said.options, said.game),
}


async def handle(hub: Hub, table: str, person: str, said: Any) -> None:
    """Do what a message says. Raises Refused or StorageError."""
    await HANDLERS[said.do](hub, table, person, said)
