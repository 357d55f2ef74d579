"""Tables as people ask for them: opened with a host and bots, and as a list shows them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pokade.server.hub.hub import Hub
from pokade.server.storage import Found, Person
from pokade.server.table import Table
from pokade.server.views.frames import Frame
from pokade.server.views.stories import STORY


async def opened(hub: Hub, person: Person, settings: Mapping[str, Any], bots: int, level: str) -> Table:
    """A table with its host; so many of the last seats are bots."""
    table = await hub.create(person.id, dict(settings))
    await hub.ask(table.id, lambda t, now: t.sit(person.id, person.name, now))
    for seat in range(settings["seats"] - bots, settings["seats"]):
        await hub.ask(table.id, lambda t, now, s=seat: t.seat_bot(person.id, s, level, "", now))  # type: ignore[misc]
    return table


def listed(found: Sequence[Found]) -> list[Frame]:
    """Tables as a list shows them."""
    return [
        {
            "id": f.table,
            "code": f.index.code,
            "game": f.index.game,
            "status": f.index.status,
            "updated_at": f.index.updated_at,
            **{name: value for name, value in json.loads(f.index.shown).items() if name != STORY},
        }
        for f in found
    ]
