"""People by the thousand, cheap enough not to stand in the way: a WebSocket client of few lines over uvloop."""

import asyncio
import base64
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")
PATIENCE = 30.0  # seconds for whatever is to happen
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
Frame = dict[str, Any]


class Link(asyncio.Protocol):
    """One connection. Frames that come go to `heard`, as they are."""

    def __init__(self, path: str, cookie: str) -> None:
        self.heard: Callable[[bytes], None] = self._keep
        self.frames: asyncio.Queue[bytes] = asyncio.Queue()
        self.opened = asyncio.get_running_loop().create_future()
        self.is_lost = False
        self._buffer = bytearray()
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
            + (f"Cookie: {cookie}\r\n" if cookie else "")
            + "\r\n"
        ).encode()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("refused"))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.opened.done() and not self._is_open():
            return
        while (frame := self._frame()) is not None:
            opcode, payload = frame
            if opcode == PING:
                self._send(PONG, payload)
            elif opcode != CLOSE:
                self.heard(payload)

    def say(self, do: str, **words: object) -> None:
        self._send(TEXT, orjson.dumps({"do": do, **words}))

    async def hear(self) -> Frame:
        frame: Frame = orjson.loads(await asyncio.wait_for(self.frames.get(), PATIENCE))
        if frame.get("kind") == "error":
            raise RuntimeError(f"refused: {frame}")
        return frame

    def close(self) -> None:
        self.transport.abort()

    def _is_open(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        if not self._buffer.startswith(b"HTTP/1.1 101"):
            self.opened.set_exception(ConnectionError(self._buffer[:200].decode()))
            return False
        del self._buffer[: end + 4]
        self.opened.set_result(self)
        return True

    def _frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        start, size = 2, buffer[1] & 127
        if size == 126:
            start, size = 4, int.from_bytes(buffer[2:4])
        elif size == 127:
            start, size = 10, int.from_bytes(buffer[2:10])
        if len(buffer) < start + size:
            return None
        frame = (buffer[0] & 15, bytes(buffer[start : start + size]))
        del buffer[: start + size]
        return frame

    def _send(self, opcode: int, payload: bytes) -> None:
        # Masked with zeros, as the protocol allows: the server unmasks it all the same.
        size = len(payload)
        head = bytes((128 | opcode, 128 | size)) if size < 126 else bytes((128 | opcode, 254)) + size.to_bytes(2)
        self.transport.write(head + b"\0\0\0\0" + payload)

    def _keep(self, payload: bytes) -> None:
        self.frames.put_nowait(payload)


async def connect(port: int, path: str, cookie: str = "", *, here: str = "127.0.0.1") -> Link:
    loop = asyncio.get_running_loop()
    _, link = await loop.create_connection(lambda: Link(path, cookie), "127.0.0.1", port, local_addr=(here, 0))
    await asyncio.wait_for(link.opened, PATIENCE)
    return link


@dataclass(slots=True)
class Seat:
    """A person at a table, who takes the first choice whenever there is one."""

    link: Link
    party: "Party"
    number: int
    chosen: int = 0

    def hear(self, payload: bytes) -> None:
        self.party.heard(self, payload)

    def choose(self, view: Frame) -> None:
        self.chosen += 1
        self.party.choices += 1
        self.link.say("choose", seat=view["seat"], choice=view["choices"][0], id=f"{self.number}-{self.chosen:06}")


@dataclass(slots=True)
class Party:
    """The people at one table, and what they have counted. A paced one waits with its choices until it is told."""

    seats: list[Seat] = field(default_factory=list)
    is_paced: bool = False
    waiting: list[tuple[Seat, Frame]] = field(default_factory=list)
    choices: int = 0
    frames: int = 0
    size: int = 0  # bytes of those frames
    error: Frame | None = None
    log: list[tuple[int, Frame]] | None = None
    heard_at: float = 0.0
    missing: set[int] = field(default_factory=set)  # who has not seen yet what was chosen at `acted_at`
    acted_at: float = 0.0
    latencies: list[float] = field(default_factory=list)

    def start(self) -> None:
        self.seats[0].link.say("start")

    def heard(self, seat: Seat, payload: bytes) -> None:
        self.frames += 1
        self.size += len(payload)
        frame = orjson.loads(payload)
        if self.log is not None:
            self.log.append((seat.number, frame))
            self.heard_at = time.perf_counter()
        if frame["kind"] == "error":
            self.error = frame
        elif "view" in frame:
            self._viewed(seat, frame["view"])

    def _viewed(self, seat: Seat, view: Frame) -> None:
        if self.missing:
            self.missing.discard(seat.number)
            if not self.missing:
                self.latencies.append(time.perf_counter() - self.acted_at)
        if view["choices"] and self.is_paced:
            self.waiting.append((seat, view))
        elif view["choices"]:
            seat.choose(view)

    def act(self, due: float) -> bool:
        """The next choice of a paced table, which was due at `due`; False while somebody has not seen the last one."""
        if not self.waiting or self.missing:
            return False
        seat, view = self.waiting.pop(0)
        self.missing, self.acted_at = {one.number for one in self.seats}, due
        seat.choose(view)
        return True

    def go_on(self) -> None:
        """As fast as they can."""
        self.is_paced = False
        waiting, self.waiting = self.waiting, []
        for seat, view in waiting:
            seat.choose(view)

    def leave(self) -> None:
        for seat in self.seats:
            seat.link.close()


async def guests(port: int, count: int) -> list[str]:
    """The cookies of so many people who came in."""
    limits = httpx.Limits(max_connections=20)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, limits=limits) as http:

        async def enter(number: int) -> str:
            answer = await http.post("/api/guest", json={"name": NAMES[number % len(NAMES)]})
            return answer.raise_for_status().headers["set-cookie"].split(";")[0]

        return list(await asyncio.gather(*map(enter, range(count))))


async def open_tables(port: int, cookie: str, count: int, new: Frame) -> list[str]:
    """The ids of so many new tables of one host."""
    limits = httpx.Limits(max_connections=20)
    headers = {"Cookie": cookie}
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, limits=limits, headers=headers
    ) as http:

        async def one() -> str:
            return (await http.post("/api/tables", json=new)).raise_for_status().json()["id"]

        return list(await asyncio.gather(*(one() for _ in range(count))))


async def sit_down(port: int, table: str, cookies: list[str]) -> Party:
    """Five people around a table of the server that waits for its start."""
    links = [await connect(port, f"/ws/{table}", cookie) for cookie in cookies]
    for number, link in enumerate(links[1:], 1):
        link.say("sit", name=NAMES[number], seat=number)
        link.say("ready")
    while sum(seat["ready"] for seat in (await links[0].hear()).get("table", {}).get("seats", [])) < len(links) - 1:
        pass
    return party(links)


async def gather_at_the_floor(port: int, table: str) -> Party:
    """Five people around a table of the bare server."""
    return party([await connect(port, f"/ws/{table}/{seat}") for seat in range(len(NAMES))])


def party(links: list[Link]) -> Party:
    made = Party()
    for number, link in enumerate(links):
        made.seats.append(Seat(link, made, number))
        link.heard = made.seats[-1].hear
    return made
