"""Several processes serve the same tables: `pokade serve --workers 2` on a real PostgreSQL."""

import contextlib
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from websockets.exceptions import WebSocketException

from pokade import fairness, records
from tests.server.clients import Guest, Tab, wait_until
from tests.server.open_house import PATIENCE, OpenHouse, answer, sit_down

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


def behind(house: OpenHouse, tab: Tab) -> int:
    """The worker at the other end of a line."""
    port = tab._line.socket.getsockname()[1]
    for worker in workers(house):
        if any(one.raddr and one.raddr.port == port for one in psutil.Process(worker).net_connections("tcp")):
            return worker
    raise AssertionError("nobody is at the other end")


def tab_at(house: OpenHouse, worker: int, guest: Guest, table: str) -> Tab:
    """A tab whose line leads to this worker; which one takes a call is otherwise chance."""
    for _ in range(TRIES):
        tab = guest.at(table)
        if behind(house, tab) == worker:
            return tab
        tab.close()
    raise AssertionError(f"{TRIES} calls, and worker {worker} took none")


class Seated(threading.Thread):
    """Somebody who plays, and comes back whenever the line breaks."""

    def __init__(self, guest: Guest, table: str, seat: int, tab: Tab) -> None:
        super().__init__(daemon=True)
        self.guest, self.table, self.seat, self.tab = guest, table, seat, tab
        self.round = self.breaks = 0
        self.is_over = False

    def run(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.is_over and time.monotonic() < deadline:
            with contextlib.suppress(OSError, EOFError, WebSocketException):
                self._play_on()
            if not self.is_over:
                self.breaks += 1
                time.sleep(0.1)
                with contextlib.suppress(OSError, WebSocketException):
                    self.tab = self.guest.at(self.table)

    def _play_on(self) -> None:
        while not self.is_over:
            frame = self.tab.hear()
            self.is_over = frame.get("table", {}).get("status") == "over"
            if "view" in frame:
                self.round = frame["view"]["state"]["round"]
                time.sleep(0.1)  # as people do; the house takes ten messages a second
                answer(self.tab, frame, self.seat, f"{self.seat} {frame['view']['state']['step']}")


def test_people_at_different_workers_play_one_game_and_a_worker_may_die_in_it(house: OpenHouse):
    people = [Guest(house.address, name) for name in ("Ada", "Ben", "Cleo")]
    table = people[0].open(options={"max_rounds": ROUNDS})["id"]
    first, second = workers(house)
    tabs = [tab_at(house, at, person, table) for person, at in zip(people, (first, second, first), strict=True)]
    sit_down(people, tabs)
    seated = [Seated(person, table, seat, tabs[seat]) for seat, person in enumerate(people)]
    for one in seated:
        one.start()
    wait_until(lambda: min(one.round for one in seated) >= 2)

    psutil.Process(second).kill()

    for one in seated:
        one.join(2 * PATIENCE)
    assert [one.is_over for one in seated] == [True, True, True]
    assert seated[1].breaks >= 1
    record = records.read(people[0].http.get(f"/api/tables/{table}/record").text)
    assert records.replay(record).is_over
    assert fairness.verify(record)
    wait_until(lambda: len(workers(house)) == 2)
    assert second not in workers(house)
    assert "a worker is gone and is replaced" in house.log.read_text()


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_one_signal_closes_every_worker_and_tells_clients_to_come_back(sign: int, house: OpenHouse):
    with Guest(house.address, "Ada") as ada:
        table, there = ada.open()["id"], workers(house)
        tabs = [tab_at(house, worker, ada, table) for worker in there]

        assert house.stop(sign) == 0

        assert [tab.close_code() for tab in tabs] == [1012, 1012]
    assert not any(map(is_alive, there))
    assert "All tables are kept" in house.said[-1]
    assert house.log.read_text() == ""


def test_workers_leave_when_their_supervisor_is_killed(house: OpenHouse):
    address, there = house.address, workers(house)

    house.process.kill()

    wait_until(lambda: not any(map(is_alive, there)))
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

    wait_until(lambda: not any(map(is_alive, there)))
