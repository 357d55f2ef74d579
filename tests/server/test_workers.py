"""Several processes serve the same tables: `pokade serve --workers 2` on a real PostgreSQL."""

import contextlib
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection

from pokade import fairness, records
from tests.server.open_house import PATIENCE, Guest, OpenHouse, answer, is_over, say

TRIES = 90  # to get through to a certain worker; the house allows a hundred sockets at once
ROUNDS = 8


@pytest.fixture
def house(postgres_url: str, tmp_path: Path) -> Iterator[OpenHouse]:
    with OpenHouse(tmp_path, "--db", postgres_url, "--workers", "2") as opened:
        yield opened


def workers(house: OpenHouse) -> list[int]:
    """The ids of the processes that serve."""
    children = psutil.Process(house.process.pid).children()
    alive = [child for child in children if child.status() != psutil.STATUS_ZOMBIE]
    return [child.pid for child in alive if any("spawn_main" in part for part in child.cmdline())]


def is_alive(worker: int) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return bool(psutil.Process(worker).status() != psutil.STATUS_ZOMBIE)
    return False


def behind(house: OpenHouse, line: ClientConnection) -> int:
    """The worker at the other end of a line."""
    port = line.socket.getsockname()[1]
    for worker in workers(house):
        if any(one.raddr and one.raddr.port == port for one in psutil.Process(worker).net_connections("tcp")):
            return worker
    raise AssertionError("nobody is at the other end")


def line_to(house: OpenHouse, worker: int, guest: Guest, table: str) -> ClientConnection:
    """A line that leads to this worker; which one takes a call is otherwise chance."""
    for _ in range(TRIES):
        line = guest.go_to(table)
        if behind(house, line) == worker:
            return line
        line.close()
    raise AssertionError(f"{TRIES} calls, and worker {worker} took none")


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


class Seated(threading.Thread):
    """Somebody who plays, and comes back whenever the line breaks."""

    def __init__(self, guest: Guest, table: str, seat: int, line: ClientConnection) -> None:
        super().__init__(daemon=True)
        self.guest, self.table, self.seat, self.line = guest, table, seat, line
        self.round = self.breaks = 0
        self.is_over = False

    def run(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.is_over and time.monotonic() < deadline:
            with contextlib.suppress(OSError, EOFError, WebSocketException, httpx.HTTPError):
                self._play_on()
            if not self.is_over:
                self.breaks += 1
                time.sleep(0.1)
                with contextlib.suppress(OSError, WebSocketException):
                    self.line = self.guest.go_to(self.table)

    def _play_on(self) -> None:
        while not self.is_over:
            frame = self.guest.hear(self.line)
            self.is_over = is_over(frame)
            if "view" in frame:
                self.round = frame["view"]["state"]["round"]
                time.sleep(0.1)  # as people do; the house takes ten messages a second
                answer(self.line, frame, self.seat, f"{self.seat} {frame['view']['state']['step']}")


def test_people_at_different_workers_play_one_game_and_a_worker_may_die_in_it(house: OpenHouse):
    people = [Guest(house.address, name) for name in ("Ada", "Ben", "Cleo")]
    table = people[0].open_table(game="pok", seats=3, options={"max_rounds": ROUNDS})["id"]
    first, second = workers(house)
    lines = [
        line_to(house, worker, person, table) for person, worker in zip(people, (first, second, first), strict=True)
    ]
    sit_down(people, lines)
    seated = [Seated(person, table, seat, line) for seat, (person, line) in enumerate(zip(people, lines, strict=True))]
    for one in seated:
        one.start()
    until(lambda: min(one.round for one in seated) >= 2)

    psutil.Process(second).kill()

    for one in seated:
        one.join(2 * PATIENCE)
    assert [one.is_over for one in seated] == [True, True, True]
    assert seated[1].breaks >= 1
    record = records.read(httpx.get(f"http://{house.address}/api/tables/{table}/record").text)
    assert records.replay(record).is_over
    assert fairness.verify(record)
    until(lambda: len(workers(house)) == 2)
    assert second not in workers(house)
    assert "a worker is gone and is replaced" in house.log.read_text()


def sit_down(people: list[Guest], lines: list[ClientConnection]) -> None:
    for seat, (person, line) in list(enumerate(zip(people, lines, strict=True)))[1:]:
        say(line, "sit", name=person.name, seat=seat)
        say(line, "ready")
    while sum(seat["ready"] for seat in people[0].hear_kind(lines[0], "table")["table"]["seats"]) < 2:
        pass
    say(lines[0], "start")


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_one_signal_closes_every_worker_and_tells_clients_to_come_back(sign: int, house: OpenHouse):
    ada = Guest(house.address, "Ada")
    table = ada.open_table(game="pok", seats=3)["id"]
    there = workers(house)
    lines = [line_to(house, worker, ada, table) for worker in there]

    assert house.stop(sign) == 0

    for line in lines:
        with contextlib.suppress(WebSocketException, EOFError):
            while True:
                line.recv(timeout=PATIENCE)
        assert line.close_code == 1012
    assert not any(map(is_alive, there))
    assert "All tables are kept" in house.said[-1]
    assert house.log.read_text() == ""


def test_workers_leave_when_their_supervisor_is_killed(house: OpenHouse):
    address, there = house.address, workers(house)

    house.process.kill()

    until(lambda: not any(map(is_alive, there)))
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://{address}/healthz")


def test_a_second_signal_stops_every_worker_at_once(house: OpenHouse):
    host, port = house.address.split(":")
    there = workers(house)
    with contextlib.ExitStack() as stack:
        for _ in range(10):  # requests that the workers would wait for
            unfinished = stack.enter_context(socket.create_connection((host, int(port))))
            unfinished.sendall(b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        time.sleep(0.5)
        house.process.send_signal(signal.SIGTERM)
        house.hear("Closing")
        time.sleep(0.5)
        assert any(map(is_alive, there))

        assert house.stop() == 130

    until(lambda: not any(map(is_alive, there)))
