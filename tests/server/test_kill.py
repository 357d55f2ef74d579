"""Kill -9 at random moments: what anyone was told is there again, no table is stuck, and clients resume."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.patience import GLANCE, PATIENCE, wait_until
from tests.server.clients import get

ROOT = Path(__file__).parents[2]


class Mortal:
    """A house that can be killed and started again on the same port."""

    def __init__(self, url: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"127.0.0.1:{port}"
        command = [sys.executable, "-m", "tests.server.a_house", url, str(port)]
        self._maker = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.rise()

    def rise(self) -> None:
        assert self._maker.stdin is not None
        assert self._maker.stdout is not None
        self._maker.stdin.write(b"another\n")
        self.process = int(self._maker.stdout.readline())
        wait_until(self._is_ready)

    def _is_ready(self) -> bool:
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"http://{self.address}/readyz", timeout=PATIENCE).status_code == 200
        return False

    def die(self) -> None:
        """By kill -9; its port is free afterwards."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        wait_until(self._is_gone)

    def _is_gone(self) -> bool:
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return True
        return False

    def end(self) -> None:
        self.die()
        self._maker.communicate(timeout=PATIENCE)


class Stubborn(threading.Thread):
    """A client that comes back whenever the line breaks, says what it has, and resends what was not acknowledged."""

    def __init__(self, house: Any, cookie: str, table: str, seat: int) -> None:
        super().__init__(daemon=True)
        self.house, self.cookie, self.table, self.seat = house, cookie, table, seat
        self.last = 0  # the number of the last frame it has
        self.view: dict[str, Any] | None = None
        self.told: dict[str, int] = {}  # ids of choices that the house said are in
        self.reveals: dict[int, list[int]] = {}  # by round
        self.wrong: list[str] = []  # gaps, frames that came twice, choices told to be in and not there
        self.resumed = 0  # times that it came back and got only what it had missed
        self.heard = 0  # frames, all in all
        self.is_over = False

    def run(self) -> None:
        end = time.monotonic() + 4 * PATIENCE
        while not self.is_over and time.monotonic() < end:
            with contextlib.suppress(OSError, EOFError, WebSocketException):
                self._visit()
            time.sleep(GLANCE)  # before the next knock at a house that is perhaps not there

    def _visit(self) -> None:
        url = f"ws://{self.house.address}/ws/{self.table}?last={self.seat}:{self.last}"
        with connect(url, additional_headers={"Cookie": self.cookie}, compression=None, open_timeout=PATIENCE) as line:
            is_first = True
            self._choose(line)  # perhaps there is nothing that was missed
            while not self.is_over:
                frame = json.loads(line.recv(timeout=PATIENCE))
                self.resumed += is_first and frame["kind"] not in ("snapshot", "error")
                is_first = False
                self._heed(line, frame)

    def _heed(self, line: Any, frame: dict[str, Any]) -> None:
        if frame["kind"] == "error":  # not kept, or sent once more after its round
            if frame["code"].startswith("storage/"):
                time.sleep(GLANCE)
                self._choose(line)
            return
        self.heard += 1
        self._count(frame)
        if frame["kind"] == "sealed":
            self.told[frame["id"]] = frame["choice"]
        if frame.get("table", {}).get("status") == "over":
            self.is_over = True
        if "view" in frame:
            self.view = frame["view"]
            self._look(frame["view"]["state"])
            self._choose(line)

    def _count(self, frame: dict[str, Any]) -> None:
        """A snapshot holds all that the viewer was told; any other frame is the very next one."""
        n, is_snapshot = frame["n"], frame["kind"] == "snapshot"
        if not (n >= self.last if is_snapshot else n == self.last + 1):
            self.wrong.append(f"{frame['kind']} {n} after {self.last}")
        self.last = n

    def _look(self, state: dict[str, Any]) -> None:
        if -1 not in state["shown"][:3]:
            self.reveals.setdefault(state["round"] - (0 if self.is_over else 1), state["shown"][:3])
        told = self.told.get(f"{self.seat} {state['step']}")
        if told not in (None, state["choice"][self.seat]):
            self.wrong.append(f"{told} at step {state['step']}")

    def _choose(self, line: Any) -> None:
        if self.view is not None and self.view["choices"]:
            step, choices = self.view["state"]["step"], self.view["choices"]
            choice = {"do": "choose", "seat": self.seat, "choice": choices[step % len(choices)]}
            line.send(json.dumps(choice | {"id": f"{self.seat} {step}"}))


def a_game(house: Any, memory: str) -> list[Stubborn]:
    """Three stubborn people at a table of POK that has begun."""
    cookies = [_cookie(house, f"P{number}") for number in range(3)]
    wanted = {"game": "pok", "seats": 3, "options": {"memory": memory}}
    asked = httpx.post(
        f"http://{house.address}/api/tables", json=wanted, headers={"Cookie": cookies[0]}, timeout=PATIENCE
    )
    table = asked.raise_for_status().json()["id"]
    for seat in (1, 2):
        _say(house, cookies[seat], table, {"do": "sit", "name": f"P{seat}"}, {"do": "ready"})
    _say(house, cookies[0], table, {"do": "start"})
    clients = [Stubborn(house, cookie, table, seat) for seat, cookie in enumerate(cookies)]
    for client in clients:
        client.start()
    return clients


def _cookie(house: Any, name: str) -> str:
    came_in = httpx.post(f"http://{house.address}/api/guest", json={"name": name}, timeout=PATIENCE).raise_for_status()
    return "; ".join(f"{key}={value}" for key, value in came_in.cookies.items())


def _say(house: Any, cookie: str, table: str, *messages: dict[str, Any]) -> None:
    url = f"ws://{house.address}/ws/{table}"
    with connect(url, additional_headers={"Cookie": cookie}, compression=None) as line:
        line.recv(timeout=PATIENCE)
        for message in messages:
            line.send(json.dumps(message))
            assert json.loads(line.recv(timeout=PATIENCE))["kind"] != "error"


def killed(url: str, kills: int, seed: int) -> None:
    house, rng, done, resumed = Mortal(url), random.Random(seed), 0, 0
    try:
        while done < kills:
            clients = a_game(house, rng.choice(["assisted", "strict"]) if resumed else "assisted")
            while any(client.is_alive() for client in clients) and done < kills:
                hear_some(clients, rng.randrange(8))
                house.die()
                house.rise()
                done += 1
            for client in clients:
                client.join(4 * PATIENCE)
            assert all(client.is_over for client in clients), "a table is stuck"
            assert [client.wrong for client in clients] == [[], [], []]
            kept_what_was_told(house, clients)
            resumed += sum(client.resumed for client in clients)
        assert resumed
    finally:
        house.end()


def hear_some(clients: list[Stubborn], frames: int) -> None:
    """Let the game go on until its people have heard so many more frames, or it is over."""
    enough = sum(client.heard for client in clients) + frames
    wait_until(
        lambda: sum(client.heard for client in clients) >= enough or not any(client.is_alive() for client in clients)
    )


def kept_what_was_told(house: Any, clients: list[Stubborn]) -> None:
    """Every choice that anyone was told is in stands in the record of the finished game, in its round."""
    asked: list[httpx.Response] = []

    def is_there() -> bool:  # a server that is busy says so, and is asked again
        asked.append(get(f"http://{house.address}/api/tables/{clients[0].table}/record"))
        return asked[-1].status_code == 200

    wait_until(is_there)
    text = asked[-1].text
    blocks = [line for line in text.splitlines() if line.startswith('  "{')]
    for client in clients:
        for number, shown in client.reveals.items():
            picks = [part.split("pick ")[1][0] for part in blocks[number - 1].split("|")]
            assert picks == ["OST"[symbol] for symbol in shown]
    assert sum(len(client.told) for client in clients) > 0


@pytest.mark.parametrize("part", range(2))
def test_nothing_that_was_told_is_lost_when_the_house_is_killed(url: str, part: int):
    killed(url, 15, part)


@pytest.mark.soak
def test_soak_nothing_that_was_told_is_lost_when_the_house_is_killed(url: str):
    killed(url, 300, 99)
