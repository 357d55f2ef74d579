"""The house's own clock, which a test puts forward instead of waiting."""

import urllib.request

from fastapi import FastAPI

from pokade.server.hub import hub
from tests.web.houses import House


class Clock:
    """Steady as the house's own, but for the leaps that a test makes it take."""

    def __init__(self) -> None:
        self._steady, self._ahead = hub.steady(), 0.0

    def __call__(self) -> float:
        return self._steady() + self._ahead

    def leap(self, seconds: float) -> None:
        self._ahead += seconds


def movable(app: FastAPI) -> None:
    """Let tests move the clock of a house that has not opened yet: all its tables look at it again."""
    clock = Clock()
    hub.steady = lambda: clock

    async def leap(seconds: float) -> None:
        clock.leap(seconds)
        for room in app.state.hub.rooms.values():
            room.woken.set()

    app.router.add_api_route("/leap/{seconds}", leap, methods=["POST"])
    app.router.routes.insert(0, app.router.routes.pop())  # before the pages, which answer to every address


def pass_time(house: House, seconds: float) -> None:
    """So much later."""
    asked = urllib.request.Request(f"{house.url}/leap/{seconds}", method="POST")  # noqa: S310 - our own house
    with urllib.request.urlopen(asked) as answer:  # noqa: S310 - our own house
        assert answer.status == 200
