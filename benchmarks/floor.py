"""The bare servers that the house is compared with: they parse what comes in, and send frames that they were given.

No rules and no storage: every frame is made of a dictionary with orjson and sent. Which frames go to whom after which
message stands in a script that was taken down from a real table. The floor has nothing over uvicorn, and whoever reads
slowly holds up the others. The second one is what a robust server begins with: FastAPI, and a queue with a task of its
own for each socket.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

SENDER = -1  # in a script: whoever has just spoken
WAITING = 256  # frames in a queue
Frame = dict[str, Any]
Frames = list[tuple[int, Frame]]


class Script:
    """What is sent: `first` to whoever comes, `last` at the start, then one of the `steps` after each message."""

    def __init__(self, path: str) -> None:
        found = orjson.loads(Path(path).read_bytes())
        self.first: Frame = found["first"]
        self.last: Frames = found["last"]
        self.steps: list[Frames] = found["steps"]


@dataclass(slots=True)
class Group:
    """The people at one table: how to send to each, and how many messages have come from them."""

    script: Script
    ways: dict[int, Any] = field(default_factory=dict)
    count: int = 0

    def answers(self, raw: str, sender: int) -> list[tuple[Any, Frame]]:
        """Where to send which frames after a message."""
        frames = self.script.last
        if orjson.loads(raw)["do"] != "start":
            frames = self.script.steps[self.count % len(self.script.steps)]
            self.count += 1
        return [(self.ways[sender if seat == SENDER else seat], frame) for seat, frame in frames]


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
            for way, frame in group.answers(message["text"], int(seat)):
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
                for way, frame in group.answers(await socket.receive_text(), seat):
                    way.put_nowait(frame)
        writer.cancel()

    async def write(socket: WebSocket, queue: asyncio.Queue[Frame]) -> None:
        while True:
            await socket.send_bytes(orjson.dumps(await queue.get()))

    app.add_api_websocket_route("/ws/{table}/{seat}", play_at)
    return app
