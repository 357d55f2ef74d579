"""A house on the loopback in a thread of this process, and its guests with their tabs: they speak the real protocol."""

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any
from urllib.parse import urlencode

import httpx
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from pokade.server.hub import Pace
from pokade.server.judge.analysing import Analysing
from pokade.server.judge.judging import Judging
from pokade.server.network import guard
from pokade.server.network.app import create_app
from pokade.server.network.guard import Guard
from tests.patience import PATIENCE, wait_until

AT_ONCE = Pace(reveal=0.0, bots=(0.0, 0.0))
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal")
_CERTIFICATES = ssl.create_default_context()  # loading them again for each guest takes longer than a game
Frame = dict[str, Any]
get, post, request = (partial(ask, timeout=PATIENCE) for ask in (httpx.get, httpx.post, httpx.request))


@contextmanager
def running(
    url: str,
    *,
    watch: Guard | None = None,
    pace: Pace = AT_ONCE,
    judging: Judging | None = None,
    analysing: Analysing | None = None,
    **serving: Any,
) -> Iterator[str]:
    """The address of a house over a database; ends by itself. Without a guard it has no limits."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # a client that comes before the server is up waits
    app = create_app(url, pace=pace, watch=watch, judging=judging, analysing=analysing)
    config = uvicorn.Config(app, log_level="warning", **{**guard.SERVING, **serving})
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    wait_until(lambda: server.started or not thread.is_alive())
    assert server.started, "the house does not start"
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listener.close()


class Tab:
    """One socket at one table."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line

    def say(self, do: str, **words: object) -> None:
        self.send(json.dumps({"do": do, **words}))

    def send(self, raw: str | bytes) -> None:
        self._line.send(raw)

    def hear(self) -> Frame:
        frame: Frame = json.loads(self._line.recv(timeout=PATIENCE))
        return frame

    def hear_until(self, what: str | Callable[[Frame], object]) -> Frame:
        """The next frame of a kind, or of which something is true."""
        is_it = (lambda frame: frame["kind"] == what) if isinstance(what, str) else what
        while not is_it(frame := self.hear()):
            pass
        return frame

    def table(self, is_so: Callable[[Frame], object] = lambda _: True) -> Frame:
        """The table as the next frame shows it, or the next of which something is true."""
        found: Frame = self.hear_until(lambda frame: "table" in frame and is_so(frame["table"]))["table"]
        return found

    def refused(self, do: str, **words: object) -> str:
        """The code of the answer to something that is not possible."""
        return self.code_of(json.dumps({"do": do, **words}))

    def code_of(self, raw: str | bytes) -> str:
        """The code of the answer to something that is no message."""
        self.send(raw)
        code: str = self.hear_until("error")["code"]
        return code

    def heard(self) -> list[Frame]:
        """All frames that were sent up to now: the answer to nonsense comes behind them."""
        self.send("{")
        frames = []
        while (frame := self.hear())["kind"] != "error":
            frames.append(frame)
        assert frame["code"] == "message/json", frame
        return frames

    def close(self) -> None:
        self._line.close()

    def close_code(self) -> int | None:
        """Why the house hung up, once it has."""
        with suppress(ConnectionClosed):
            while True:
                self._line.recv(timeout=PATIENCE)
        return self._line.close_code


class Guest:
    """A person with a browser: a cookie, and tabs. Without a name it is nobody, who can only watch."""

    def __init__(self, address: str, name: str = "") -> None:
        self.address, self.name, self.person = address, name, ""
        self._stack = ExitStack()
        self.http = self._stack.enter_context(
            httpx.Client(base_url=f"http://{address}", timeout=PATIENCE, verify=_CERTIFICATES)
        )
        if name:
            self.person = self.post("/api/guest", name=name)["person"]

    def __enter__(self) -> "Guest":
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def get(self, path: str, **query: Any) -> Any:
        return self.http.get(path, params=query).raise_for_status().json()

    def post(self, path: str, **body: object) -> Any:
        return self.http.post(path, json=body).raise_for_status().json()

    def open(self, game: str = "pok", seats: int = 3, **settings: object) -> Frame:
        """A table whose host this client is."""
        table: Frame = self.post("/api/tables", game=game, seats=seats, **settings)
        return table

    def at(self, table: str, headers: dict[str, str] | None = None, **query: object) -> Tab:
        """A tab at a table; whatever it hears first is still to be heard."""
        cookie = "; ".join(f"{key}={value}" for key, value in self.http.cookies.items())
        there = f"ws://{self.address}/ws/{table}" + (f"?{urlencode(query)}" if query else "")
        line = connect(
            there,
            additional_headers={"Cookie": cookie} | (headers or {}),
            compression=None,
            open_timeout=PATIENCE,
            close_timeout=PATIENCE,
            max_queue=None,  # a client that has not read everything can hang up too
            legacy=False,
        )
        return Tab(self._stack.enter_context(line))


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """The status and the stable code of an answer."""
    return answer.status_code, answer.json()["code"]
