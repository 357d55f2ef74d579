"""What lists show of a table."""

from typing import Any

from pokade.server.table import Table
from pokade.server.views.stories import STORY, story


def listing(table: Table) -> dict[str, Any]:
    """What a list of tables shows of one."""
    return {
        "names": [place.name for place in table.seats],
        "free": sum(place.is_free for place in table.seats),
        "clock": table.clock,
        "options": dict(table.options),
        "lesson": table.script is not None,
    }


def told_of(table: Table) -> dict[str, Any]:
    """What the people of a table, and only they, find of it besides, once its game is over."""
    tale = story(table)
    return {} if tale is None else {STORY: tale}
