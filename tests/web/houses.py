"""A real house for a browser: it can be killed and started again on the same port, with the same database."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Final

PATIENCE: Final = 300.0  # seconds until a house answers, on a machine that has much else to do


class House:
    """A house in a process of its own; without a place on disk it forgets everything when it ends.

    With a tree it runs the code that lies there, and not that of these tests.
    """

    def __init__(self, place: Path | None = None, tree: Path | None = None) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._database = "sqlite://" if place is None else f"sqlite:///{place / 'house.db'}"
        self._tree = tree
        self._starts = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._starts += 1  # what is opened again must not draw again what it has drawn
        luck = f"house {self._starts}"
        command = (sys.executable, "-m", "tests.web.a_house", self._database, str(self.port), luck)
        environment = None if self._tree is None else os.environ | {"PYTHONPATH": str(self._tree / "src")}
        self._process = subprocess.Popen(command, cwd=self._tree, env=environment)
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the house does not answer")
            time.sleep(0.05)

    def kill(self) -> None:
        """As if the power had failed."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """It is there and does nothing: its lines stay open, and nobody answers."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=10) as answer:  # noqa: S310 - our own house
                return bool(answer.status == 200)
        except OSError:
            return False


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
