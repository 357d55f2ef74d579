"""Several processes serve the same tables: `pokade serve --workers 2` on a real PostgreSQL."""

import contextlib
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import psutil
import pytest
from websockets.exceptions import WebSocketException

from pokade import fairness, records
from tests.patience import PATIENCE, wait_until
from tests.server.clients import Guest, Tab, get
from tests.server.open_house import OpenHouse, answer, sit_down

ROUNDS = 6
HALF = 3


@pytest.fixture
def house(postgres_url: str, tmp_path: Path) -> Iterator[OpenHouse]:
    with OpenHouse(tmp_path, "--db", postgres_url, "--workers", "2") as opened:
        yield opened


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Sees out everybody who came in."""
    with ExitStack() as made:
        yield made


def workers(house: OpenHouse) -> list[int]:
    """The ids of the processes that serve."""
    children = psutil.Process(house.process.pid).children()
    alive = [child for child in children if child.status() != psutil.STATUS_ZOMBIE]
    return [child.pid for child in alive if any("spawn_main" in part for part in child.cmdline())]


def is_alive(worker: int) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return bool(psutil.Process(worker).status() != psutil.STATUS_ZOMBIE)
    return False


def connections(worker: int) -> list[int]:
    """The ports of the clients whose calls a worker has taken."""
    taken = [one for one in psutil.Process(worker).net_connections("tcp") if one.status == psutil.CONN_ESTABLISHED]
    return [one.raddr.port for one in taken]


def behind(house: OpenHouse, tab: Tab) -> int:
    """The worker at the other end of a line."""
    port = tab._line.socket.getsockname()[1]
    for worker in workers(house):
        if port in connections(worker):
            return worker
    raise AssertionError("nobody is at the other end")


def tab_at(house: OpenHouse, worker: int, guest: Guest, table: str) -> Tab:
    """A tab whose line leads to this worker, since the others are held; which one takes a call is otherwise chance."""
    others = [psutil.Process(other) for other in workers(house) if other != worker]
    for other in others:
        other.suspend()
    try:
        tab = guest.at(table)
    finally:
        for other in others:
            other.resume()
    assert behind(house, tab) == worker
    return tab


class Seated(threading.Thread):
    """Somebody who plays, comes back whenever the line breaks, and waits in the middle of the game for a word."""

    def __init__(self, guest: Guest, table: str, seat: int, tab: Tab) -> None:
        super().__init__(daemon=True)
        self.guest, self.table, self.seat, self.tab = guest, table, seat, tab
        self.round = self.breaks = 0
        self.may_go_on = threading.Event()
        self.is_over = False

    def run(self) -> None:
        while not self.is_over:
            with contextlib.suppress(OSError, EOFError, WebSocketException):
                self._play_on()
            if not self.is_over:
                self.breaks += 1
                wait_until(self._is_back)

    def _is_back(self) -> bool:
        with contextlib.suppress(OSError, WebSocketException):
            self.tab = self.guest.at(self.table)
            return True
        return False

    def _play_on(self) -> None:
        while not self.is_over:
            frame = self.tab.hear()
            self.is_over = frame.get("table", {}).get("status") == "over"
            if "view" in frame:
                self.round = frame["view"]["state"]["round"]
                if self.round >= HALF:
                    self.may_go_on.wait(PATIENCE)
                answer(self.tab, frame, self.seat, f"{self.seat} {frame['view']['state']['step']}")


def test_people_at_different_workers_play_one_game_and_a_worker_may_die_in_it(house: OpenHouse, stack: ExitStack):
    people = [stack.enter_context(Guest(house.address, name)) for name in ("Ada", "Ben", "Cleo")]
    table = people[0].open(options={"max_rounds": ROUNDS})["id"]
    first, second = workers(house)
    tabs = [tab_at(house, at, person, table) for person, at in zip(people, (first, second, first), strict=True)]
    sit_down(people, tabs)
    seated = [Seated(person, table, seat, tabs[seat]) for seat, person in enumerate(people)]
    for one in seated:
        one.start()
    wait_until(lambda: min(one.round for one in seated) >= HALF)

    psutil.Process(second).kill()

    for one in seated:
        one.may_go_on.set()
    for one in seated:
        one.join(PATIENCE)
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
        get(f"http://{address}/healthz")


def test_a_second_signal_stops_every_worker_at_once(house: OpenHouse, stack: ExitStack):
    host, port = house.address.split(":")
    there = workers(house)
    for _ in range(10):  # requests that the workers would wait for
        unfinished = stack.enter_context(socket.create_connection((host, int(port))))
        unfinished.sendall(b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
    wait_until(lambda: sum(len(connections(worker)) for worker in there) == 10)
    house.process.send_signal(signal.SIGTERM)
    house.hear("Closing")

    assert house.stop() == 130

    wait_until(lambda: not any(map(is_alive, there)))
