"""A house as people open it: the real command in a process of its own."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.patience import PATIENCE, wait_until
from tests.server.clients import Frame, Guest, Tab

COMMAND = "from pokade.cli import main; main()"
CALM: dict[str, str | None] = {
    **{name: value for name, value in os.environ.items() if not name.startswith("POKADE_")},
    "LC_ALL": "C.UTF-8",
    "COLUMNS": "100",
    "PYTHONUNBUFFERED": None,  # as people have it
}
Environment = dict[str, str | None]


def started(*arguments: str, code: str = COMMAND, env: Environment | None = None, **how: Any) -> subprocess.Popen:
    """The command `pokade`, or a program that has something planted in it first. A variable that is None is not set."""
    environment = {name: value for name, value in (CALM | (env or {})).items() if value is not None}
    return subprocess.Popen([sys.executable, "-c", code, *arguments], env=environment, **how)


class OpenHouse:
    """`pokade serve` on the loopback, in a pipe. What it says and what it logs can be read while it runs."""

    def __init__(self, folder: Path, *flags: str, code: str = COMMAND, env: Environment | None = None) -> None:
        self.log = folder / f"{time.monotonic_ns()}.log"
        call = ("serve", "--host", "127.0.0.1", "--port", "0", *flags)
        with self.log.open("wb") as log:
            self.process = started(*call, code=code, env=env, stdout=subprocess.PIPE, stderr=log, text=True)
        self.said: list[str] = []
        self._has_objects = "json" in flags
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def hear(self, words: str) -> str:
        """The line with these words, when it comes."""
        while True:
            line = self._lines.get(timeout=PATIENCE)
            assert line is not None, f"no {words!r} in {self.said}, but {self.log.read_text()}"
            self.said.append(line)
            if words in line:
                return line

    @property
    def address(self) -> str:
        """Its host and port, once it has said so."""
        if self._has_objects:
            return str(self.object("the server is listening")["here"]).rpartition("//")[2]
        said = [line for line in self.said if "machine: http" in line] or [self.hear("machine: http")]
        return said[0].rpartition("//")[2]

    def object(self, message: str) -> dict[str, Any]:
        """The object of the log with this message, when it comes."""
        found: list[dict[str, Any]] = []

        def is_told() -> bool:
            told = [json.loads(line) for line in self.log.read_text().split("\n")[:-1]]
            found.extend(one for one in told if one["message"] == message)
            return bool(found)

        wait_until(is_told)
        return found[0]

    def stop(self, sign: int = signal.SIGTERM) -> int:
        """Its exit status after one signal."""
        self.process.send_signal(sign)
        return self.end()

    def end(self) -> int:
        """Its exit status, when it has ended."""
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        while not self._lines.empty():
            self.said += [line for line in [self._lines.get()] if line is not None]
        return status

    def __enter__(self) -> "OpenHouse":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        if self.process.poll() is None:
            self.process.kill()
        self.end()
        assert self.process.stdout is not None
        self.process.stdout.close()


def answer(tab: Tab, frame: Frame, seat: int, choice_id: str) -> None:
    """Take the first choice if there is one; look at no reveal for long."""
    view = frame.get("view")
    if view and view["choices"]:
        tab.say("choose", seat=seat, choice=view["choices"][0], id=choice_id)
    elif view:
        tab.say("next")


def sit_down(people: Sequence[Guest], tabs: Sequence[Tab]) -> None:
    """Everybody at the table of the first, ready, and the game begins."""
    for seat in range(1, len(people)):
        tabs[seat].say("sit", name=people[seat].name, seat=seat)
        tabs[seat].say("ready")
    tabs[0].table(lambda table: sum(seat["ready"] for seat in table["seats"]) == len(people) - 1)
    tabs[0].say("start")
