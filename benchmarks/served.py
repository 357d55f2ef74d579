"""A server in a process of its own that is asked for its CPU time and memory: `python -m benchmarks.served WHAT …`.

`house URL PACE` serves the real server without limits, `limited URL` with all of them, `floor SCRIPT` and `queued
SCRIPT` the bare servers. The port comes on the standard output; then each line on the standard input is a question, and
the process ends with the input.
"""

import asyncio
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import AbstractContextManager
from typing import Any

import uvicorn

BACKLOG = 4096
PATIENCE = 20.0  # seconds that a server has to stop before it is killed


def cpu() -> float:
    """Seconds that all threads of this process have computed, the kernel's work for them included."""
    return time.process_time()


def memory() -> int:
    """Bytes of memory that this process holds."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


QUESTIONS = {"cpu": cpu, "memory": memory}


class Served(AbstractContextManager["Served"]):
    """A running server, as its parent sees it."""

    def __init__(self, *words: str) -> None:
        command = [sys.executable, "-m", "benchmarks.served", *words]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self._process.pid
        self.port = int(self._line())
        self.address = f"127.0.0.1:{self.port}"

    def ask(self, question: str) -> float:
        assert self._process.stdin is not None  # noqa: S101 - opened as a pipe
        self._process.stdin.write(f"{question}\n")
        self._process.stdin.flush()
        return float(self._line())

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None  # noqa: S101 - opened as a pipe
        self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _line(self) -> str:
        assert self._process.stdout is not None  # noqa: S101 - opened as a pipe
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the server has ended")
        return line


def application(what: str, words: list[str]) -> tuple[Any, dict[str, Any]]:
    """The application, and how it is served. Each loads only its own parts, since memory is compared."""
    if what in ("floor", "queued"):
        from benchmarks.floor import floor, queued  # noqa: PLC0415 - the bare servers carry nothing of ours

        return (floor if what == "floor" else queued)(words[0]), {"lifespan": "off"}
    from pokade.server.hub import Pace  # noqa: PLC0415 - see above
    from pokade.server.network.app import create_app  # noqa: PLC0415 - see above
    from pokade.server.network.guard import SERVING, Guard  # noqa: PLC0415 - see above
    from pokade.server.run import tune  # noqa: PLC0415 - see above

    tune()
    if what == "limited":
        return create_app(words[0], watch=Guard()), SERVING
    pace = Pace() if words[1] == "people" else Pace(reveal=0.0, bots=(0.0, 0.0))
    return create_app(words[0], pace=pace), {}


def answer(server: uvicorn.Server) -> None:
    for line in sys.stdin:
        print(QUESTIONS[line.strip()](), flush=True)
    server.should_exit = True


async def serve(what: str, *words: str) -> None:
    app, settings = application(what, list(words))
    listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
    quiet = {"ws_per_message_deflate": False, "access_log": False, "log_level": "error", "server_header": False}
    config = uvicorn.Config(app, **{"backlog": BACKLOG, "timeout_graceful_shutdown": 2, **quiet, **settings})
    server = uvicorn.Server(config)
    threading.Thread(target=answer, args=(server,), daemon=True).start()
    print(listener.getsockname()[1], flush=True)
    await server.serve([listener])


if __name__ == "__main__":
    import uvloop

    uvloop.install()
    asyncio.run(serve(*sys.argv[1:]))
