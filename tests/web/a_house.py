"""A house in a process of its own, for browsers: `python -m tests.web.a_house URL PORT LUCK`.

Nothing in it depends on time or luck: bots answer at once, after a reveal the next throw or deal waits until everybody
who is there has tapped Next, and dice, deals and bots follow from the name of the test.
"""

import math
import os
import sys
from pathlib import Path

import uvicorn

from pokade.chance import Chance, Secure
from pokade.server.hub import Pace, provable
from pokade.server.network import pages
from pokade.server.network.app import create_app
from pokade.server.network.guard import SERVING
from pokade.server.table import Table
from tests.web.clocks import movable
from tests.web.luck import foreseeable

UNTIL_NEXT = Pace(reveal=math.inf, bots=(0.0, 0.0))


class Given:
    """Tickets that a test has given, then the machine's own."""

    def __init__(self, tickets: list[int]) -> None:
        self._tickets, self._rest = tickets, Secure()

    def draw(self, tickets: int) -> int:
        return self._tickets.pop(0) if self._tickets else self._rest.draw(tickets)


GIVEN: dict[str, Given] = {}  # by table


def chance_of(table: Table) -> Chance:
    return GIVEN.get(table.id) or provable(table)


async def give(table: str, tickets: list[int]) -> None:
    """What chance does first at a table that has not begun."""
    GIVEN[table] = Given(tickets)


def main() -> None:
    url, port, luck = sys.argv[1:]
    if client := os.environ.get("POKADE_TEST_CLIENT"):
        pages.PLACES = (Path(client),)  # type: ignore[misc] # a build beside the usual one
    app = create_app(url, pace=UNTIL_NEXT, fairness=chance_of)
    movable(app)
    foreseeable(app, luck)
    app.router.add_api_route("/chance/{table}", give, methods=["POST"])
    app.router.routes.insert(0, app.router.routes.pop())  # before the pages, which answer to every address
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error", **SERVING)


if __name__ == "__main__":
    main()
