"""A page with its house, without a browser: frames come as they come, and choices are made as a script says."""

import asyncio
import json
from typing import Any

from pokade.server.browser.page_server import PageServer
from pokade.server.hub import Pace

AT_ONCE = Pace(reveal=0.0, bots=(0.0, 0.0))


class Page:
    """What a page hears and says. Its shelf is what a device keeps."""

    def __init__(self, shelf: dict[str, str] | None = None) -> None:
        self.shelf = {} if shelf is None else shelf
        self.heard: asyncio.Queue[tuple[str, int, str]] = asyncio.Queue()
        given = dict(self.shelf)
        self.house = PageServer("a build", lambda *told: self.heard.put_nowait(told), given, self._shelve, pace=AT_ONCE)

    def _shelve(self, key: str, text: str | None) -> None:
        if text is None:
            self.shelf.pop(key, None)
        else:
            self.shelf[key] = text

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        status, answer = await self.house.ask(method, path, "" if body is None else json.dumps(body))
        return status, json.loads(answer)

    async def get(self, path: str) -> Any:
        status, answer = await self.ask("GET", path)
        assert status == 200, answer
        return answer

    async def post(self, path: str, body: Any = None) -> Any:
        status, answer = await self.ask("POST", path, body)
        assert status == 200, answer
        return answer

    async def frame(self) -> dict[str, Any]:
        kind, _, text = await self.heard.get()
        assert kind == "frame"
        frame: dict[str, Any] = json.loads(text)
        assert frame["kind"] != "error", frame
        return frame

    async def say(self, do: str, **more: Any) -> None:
        await self.house.say(1, json.dumps({"do": do, **more}))

    async def play(self, table: str) -> dict[str, Any]:
        """Play every seat that is ours to the end, each time the next choice in the row; the table at the end."""
        await self.house.open(1, f"/ws/{table}")
        turns = 0
        while True:
            frame = await self.frame()
            view = frame.get("view")
            if view and view["choices"] and frame["kind"] in ("step", "snapshot"):
                turns += 1
                choice = view["choices"][turns % len(view["choices"])]
                await self.say("choose", seat=frame["viewer"], choice=choice, id=str(turns))
            if frame.get("table", {}).get("status") == "over":
                await self.house.close(1)
                over: dict[str, Any] = frame["table"]
                return over
