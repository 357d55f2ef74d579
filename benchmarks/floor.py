"""The bare server that the house is compared with: it parses what comes in, and sends frames that it was given.

No rules, no storage, no queues, no framework over uvicorn: every frame is made of a dictionary with orjson and sent.
Which frames go to whom after which message stands in a script that was taken down from a real table.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

SENDER = -1  # in a script: whoever has just spoken
Frames = list[tuple[int, dict[str, Any]]]


@dataclass(slots=True)
class Group:
    """The people at one table: how to send to each, and how many messages have come from them."""

    sends: dict[int, Callable[[Any], Awaitable[None]]] = field(default_factory=dict)
    count: int = 0

    async def send(self, frames: Frames, sender: int) -> None:
        for seat, frame in frames:
            send = self.sends[sender if seat == SENDER else seat]
            await send({"type": "websocket.send", "bytes": orjson.dumps(frame)})


def floor(path: str) -> Callable[..., Awaitable[None]]:
    """An application that plays the script in a file to every table: `first`, `last`, and `steps` by message."""
    script = orjson.loads(Path(path).read_bytes())
    groups: dict[str, Group] = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        _, _, table, seat = scope["path"].split("/")
        group, seat = groups.setdefault(table, Group()), int(seat)
        group.sends[seat] = send
        await receive()
        await send({"type": "websocket.accept"})
        await group.send([(SENDER, script["first"])], seat)
        while (message := await receive())["type"] == "websocket.receive":
            said = orjson.loads(message["text"])
            if said["do"] == "start":
                await group.send(script["last"], seat)
                continue
            frames = script["steps"][group.count % len(script["steps"])]
            group.count += 1
            await group.send(frames, seat)

    return app
