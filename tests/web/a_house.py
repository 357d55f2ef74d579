"""A house in a process of its own, at a pace that a browser can follow: `python -m tests.web.a_house URL PORT`."""

import os
import sys
from pathlib import Path

import uvicorn

from pokade.server import pages
from pokade.server.app import house
from pokade.server.guard import SERVING
from pokade.server.hub import Pace
from tests.web.clocks import movable


def main() -> None:
    url, port = sys.argv[1:]
    if client := os.environ.get("POKADE_TEST_CLIENT"):
        pages.PLACES = (Path(client),)  # type: ignore[misc] # a build beside the usual one
    app = house(url, pace=Pace(reveal=0.2, bots=(0.0, 0.02)))
    movable(app)
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error", **SERVING)


if __name__ == "__main__":
    main()
