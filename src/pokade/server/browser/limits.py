"""What there is on one device, and what is refused because it takes a server."""

from typing import Final

from pokade.players import RANDOM, THUMBS
from pokade.server.errors import TableRefused

LEVELS: Final = (RANDOM, *THUMBS)  # a search has to be compiled


def want_level(level: str) -> None:
    """Refuse bots that don't play here."""
    if level not in LEVELS:
        raise TableRefused("here/strong", "strong bots need a server")


def not_here() -> TableRefused:
    """For requests that only a server can answer."""
    return TableRefused("here/not", "this needs a server")
