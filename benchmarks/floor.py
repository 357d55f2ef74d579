"""The bare servers that Pokade is compared with: they parse what comes in, and send frames that they were given.

No rules and no storage: every frame is made of a dictionary with orjson and sent. Which frames go to whom after which
message stands in a script that was taken down from a real table. The floor has nothing over uvicorn, and a client that
reads slowly holds up the others. The second one is what a robust server begins with: FastAPI, and a queue with a task
of its own for each socket.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

SENDER = -1  # in a script: the client that has just spoken
WAITING = 256  # frames in a queue
Frame = dict[str, Any]
Burst = list[tuple[int, Frame]]  # at most one frame for each
Step = list[Burst]


class Script:
    """What is sent: `first` to every new client, `last` at the start, then one of the `steps` after each message.

    What the server sends in several bursts, one after each commit, goes out in as many: two frames in one go would be
    cheaper, and are not the same.
    """

    def __init__(self, path: str) -> None:
        found = orjson.loads(Path(path).read_bytes())
        self.first: Frame = found["first"]
        self.last: Step = found["last"]
        self.steps: list[Step] = found["steps"]


@dataclass(slots=True)
class Group:
    """The people at one table: how to send to each, and how many messages have come from them."""

    script: Script
    ways: dict[int, Any] = field(default_factory=dict)
    count: int = 0

    def after(self, raw: str) -> Step:
        """What is to be sent after a message."""
        if orjson.loads(raw)["do"] == "start":
            return self.script.last
        self.count += 1
        return self.script.steps[(self.count - 1) % len(self.script.steps)]


def floor(path: str) -> Callable[..., Awaitable[None]]:
    """The bare server."""
    script = Script(path)
    groups: dict[str, Group] = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        _, _, table, seat = scope["path"].split("/")
        group = groups.setdefault(table, Group(script))
        group.ways[int(seat)] = send
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "bytes": orjson.dumps(script.first)})
        while (message := await receive())["type"] == "websocket.receive":
            for number, burst in enumerate(group.after(message["text"])):
                if number:
                    await asyncio.sleep(0)
                for to, frame in burst:
                    way = send if to == SENDER else group.ways[to]
                    await way({"type": "websocket.send", "bytes": orjson.dumps(frame)})

    return app


def queued(path: str) -> Any:
    """The same with FastAPI, and a queue and a task for each socket."""
    from fastapi import FastAPI, WebSocket, WebSocketDisconnect  # noqa: PLC0415 - the floor carries none of it

    script = Script(path)
    groups: dict[str, Group] = {}
    app = FastAPI()

    async def play_at(socket: WebSocket, table: str, seat: int) -> None:
        group, queue = groups.setdefault(table, Group(script)), asyncio.Queue[Frame](WAITING)
        group.ways[seat] = queue
        await socket.accept()
        writer = asyncio.create_task(write(socket, queue))
        queue.put_nowait(script.first)
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                for number, burst in enumerate(group.after(await socket.receive_text())):
                    if number:
                        await asyncio.sleep(0)
                    for to, frame in burst:
                        group.ways[seat if to == SENDER else to].put_nowait(frame)
        writer.cancel()

    async def write(socket: WebSocket, queue: asyncio.Queue[Frame]) -> None:
        while True:
            await socket.send_bytes(orjson.dumps(await queue.get()))

    app.add_api_websocket_route("/ws/{table}/{seat}", play_at)
    return app
