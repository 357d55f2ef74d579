"""A house that is killed and comes back: `python -m tests.server.a_house URL PORT`.

It loads the program once, forks a house for each line that it reads, and answers with the id of that process.
"""

import contextlib
import os
import signal
import sys

import uvicorn

from pokade.server.hub import Pace
from pokade.server.network.app import create_app
from tests.luck import foresee


def serve(url: str, port: int) -> None:
    app = create_app(url, pace=Pace(reveal=0.0, bots=(0.0, 0.01)))
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")


def main() -> None:
    url, port = sys.argv[1:]
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a house has ended
    child = 0
    for number, _ in enumerate(sys.stdin):
        child = os.fork()
        if child == 0:
            foresee(f"house {number}")  # what is opened again must not draw again what it has drawn
            serve(url, int(port))
            os._exit(0)
        os.write(1, f"{child}\n".encode())
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)


if __name__ == "__main__":
    main()
