"""A house in a process of its own, for tests that kill it: `python -m tests.server.a_house URL PORT`."""

import sys

import uvicorn

from pokade.server.app import house
from pokade.server.hub import Pace


def main() -> None:
    url, port = sys.argv[1:]
    app = house(url, pace=Pace(reveal=0.0, bots=(0.0, 0.01)))
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error")


if __name__ == "__main__":
    main()
