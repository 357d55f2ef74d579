"""The house over its real protocol: HTTP and WebSockets on the loopback, against a real database."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.sync.client import ClientConnection, connect

from pokade import fairness, records
from pokade.games import GAMES
from pokade.server.app import house
from pokade.server.hub import Pace

AT_ONCE = Pace(reveal=0.0, bots=(0.0, 0.0))
PATIENCE = 20.0


@contextmanager
def running(database: str) -> Iterator[str]:
    """A house on the loopback; ends by itself."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(house(database, pace=AT_ONCE), log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + PATIENCE
    while not server.started:
        assert thread.is_alive(), "the house does not start"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listener.close()


@pytest.fixture
def address(url: str) -> Iterator[str]:
    """A house on a database of each kind."""
    with running(url) as found:
        yield found


class Client:
    """A person with a browser: a cookie, and a socket at one table."""

    def __init__(self, address: str, name: str) -> None:
        self.address, self.name = address, name
        self.http = httpx.Client(base_url=f"http://{address}")
        self.person = self.http.post("/api/guest", json={"name": name}).json()["person"]
        self.stack = ExitStack()
        self.socket: ClientConnection | None = None
        self.frames: list[dict[str, Any]] = []

    def go_to(self, table: str, query: str = "") -> "Client":
        cookie = "; ".join(f"{key}={value}" for key, value in self.http.cookies.items())
        self.socket = connect(
            f"ws://{self.address}/ws/{table}{query}", additional_headers={"Cookie": cookie}, compression=None
        )
        return self

    def say(self, do: str, **words: object) -> None:
        assert self.socket is not None
        self.socket.send(json.dumps({"do": do, **words}))

    def hear(self) -> dict[str, Any]:
        assert self.socket is not None
        frame: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        self.frames.append(frame)
        return frame

    def play_on(self, seat: int) -> dict[str, Any]:
        """Take the first choice whenever there is one, to the end of the game."""
        while True:
            frame = self.hear()
            assert frame["kind"] != "error", frame
            if frame.get("table", {}).get("status") == "over":
                return frame
            choices = frame["view"]["choices"] if frame["kind"] == "step" else []
            if choices:
                self.say("choose", seat=seat, choice=choices[0], id=f"{seat} {frame['n']}")

    def hear_until(self, kind: str) -> dict[str, Any]:
        while (frame := self.hear())["kind"] != kind:
            pass
        return frame


def test_a_guest_comes_in_without_an_account_and_is_known_again(address: str):
    ada = Client(address, "Ada")

    assert ada.http.get("/api/me").json()["name"] == "Ada"
    assert httpx.get(f"http://{address}/api/me").json()["code"] == "person/unknown"
    assert httpx.get(f"http://{address}/healthz").json() == {"status": "ok"}
    assert httpx.get(f"http://{address}/readyz").json() == {"status": "ready"}


def test_the_cookie_is_out_of_reach_of_scripts(address: str):
    answer = httpx.post(f"http://{address}/api/guest", json={"name": "Ada"})

    assert "httponly" in answer.headers["set-cookie"].lower()
    assert "samesite=lax" in answer.headers["set-cookie"].lower()


def at_a_table(address: str, game: str, seats: int, **settings: object) -> tuple[list[Client], str]:
    """People around a table whose game has begun."""
    people = [Client(address, name) for name in ("Ada", "Ben", "Cleo", "Dora", "Emil")[:seats]]
    table = people[0].http.post("/api/tables", json={"game": game, "seats": seats, **settings}).json()
    people[0].go_to(table["id"])
    for person in people[1:]:
        found = person.http.get(f"/api/join/{table['code'].lower()}").json()
        person.go_to(found["id"]).say("sit", name=person.name)
        person.say("ready")
        person.hear_until("snapshot")
    deadline = time.monotonic() + PATIENCE
    while sum(seat["ready"] for seat in people[0].hear().get("table", {}).get("seats", [])) < seats - 1:
        assert time.monotonic() < deadline
    people[0].say("start")
    return people, table["id"]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_people_and_proved_fair(address: str, game: str):
    people, table = at_a_table(address, game, GAMES[game].seats[0])
    with ThreadPoolExecutor(len(people)) as pool:
        ends = list(pool.map(Client.play_on, people, range(len(people))))
    assert {end["table"]["status"] for end in ends} == {"over"}

    text = people[0].http.get(f"/api/tables/{table}/record").text
    record = records.read(text)
    assert records.replay(record).is_over
    assert fairness.verify(record)
    assert people[0].http.get("/api/mine").json()[0]["status"] == "over"


def test_a_screen_for_everybody_gets_what_a_watcher_gets_whoever_opens_it(address: str):
    ada = Client(address, "Ada")
    table = ada.http.post("/api/quick/pok").json()

    assert ada.go_to(table["id"], "?as=watcher").hear_until("snapshot")["viewer"] == -1
    assert ada.go_to(table["id"]).hear_until("snapshot")["viewer"] == 0
