"""What the page says at a table, read without the library that the network needs for strangers.

The page is the only one who speaks here, and its messages are typed. So only the kind and the fields are looked at;
what a field means is checked by the table itself. A test compares the fields with those of the protocol.
"""

import json
from types import SimpleNamespace
from typing import Any, Final

from pokade.players import CASUAL, RANDOM
from pokade.server.browser.limits import want_level
from pokade.server.errors import TableRefused

NEEDED: Final = object()
FIELDS: Final[dict[str, dict[str, Any]]] = {  # of each kind of message, with what stands where nothing is said
    "sit": {"name": NEEDED, "seat": None},
    "leave": {},
    "ready": {"ready": True},
    "bot": {"seat": None, "level": CASUAL, "temper": "", "name": ""},
    "remove": {"seat": NEEDED},
    "seats": {"seats": NEEDED},
    "give": {"seat": NEEDED},
    "salt": {"seat": NEEDED, "salt": NEEDED},
    "start": {},
    "choose": {"seat": NEEDED, "choice": NEEDED, "id": NEEDED},
    "next": {},
    "back": {},
    "agree": {"seat": NEEDED},
    "dismiss": {"seat": NEEDED},
    "call": {"called": True},
    "pace": {"pace": NEEDED},
    "pause": {"paused": True},
    "vote": {"vote": True},
    "chat": {"phrase": "", "text": ""},
    "mute": {"seat": NEEDED, "muted": True},
    "ping": {},
    "rematch": {"options": None, "game": None},
}
NEW_TABLE: Final[dict[str, Any]] = {
    "game": NEEDED,
    "seats": NEEDED,
    "options": {},
    "clock": "none",
    "listed": False,
    "tells": False,
    "bots": 0,
    "level": CASUAL,
}
QUICK: Final[dict[str, Any]] = {"start": True, "level": CASUAL}
GUEST: Final[dict[str, Any]] = {"name": NEEDED, "language": "en"}


def understood(raw: str) -> Any:
    """A message at a table, with its kind as `do` and all its fields."""
    try:
        said = json.loads(raw)
    except ValueError:
        raise TableRefused("message/json", "this is no message of the protocol") from None
    kind = said.pop("do", None) if isinstance(said, dict) else None
    if kind not in FIELDS:
        raise TableRefused("message/unknown", "this is no message of the protocol")
    told = SimpleNamespace(do=kind, **filled(said, FIELDS[kind]))
    if kind == "bot":
        want_level(told.level)
        told.bot = f"{told.level}-{told.temper}" if told.temper and told.level != RANDOM else told.level
    return told


def filled(said: Any, fields: dict[str, Any]) -> dict[str, Any]:
    """All fields: those that were said, and what stands for the others."""
    if not isinstance(said, dict) or said.keys() - fields.keys():
        raise TableRefused("message/form", "this is no such message")
    whole = fields | said
    if NEEDED in whole.values():
        raise TableRefused("message/form", "this is no such message")
    return whole
