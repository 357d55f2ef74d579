"""Tasks that nobody waits for, such as writing an index or a snapshot; none begins once the server is closing."""

import asyncio
from collections.abc import Coroutine
from typing import Any


class Background:
    """The background tasks of a hub."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_closing = False

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin a task; once the server is closing it is dropped instead."""
        if self.is_closing:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def is_idle(self) -> bool:
        return not self._tasks

    async def settle(self) -> None:
        """Wait until all of them are done."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
