"""Strong bots at the tables: they search off the event loop, one at a time, and step back for everything else.

How long they think shrinks with how many wait to think. Before the compiled code of a game is there they play the
casual level, so that nobody ever waits for a compiler: it runs in a process of its own, and is loaded when it is done.
"""

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from pokade.arena.bots import Budget, bot, warm
from pokade.games import GAMES
from pokade.games.play import View
from pokade.players import player, stand_in
from pokade.server.durations import Durations
from pokade.server.guard import log_bug

SECONDS: Final = 0.1  # that a strong bot thinks when it is alone
CROWD: Final = 20
PATIENCE: Final = 1.0  # seconds after which the casual level answers in its place
MODEST: Final = 10  # how far a thinking thread steps back behind the others, on the scale of `nice`


Later = Callable[[Callable[[], None]], object]


def _at_once(count: Callable[[], None]) -> None:
    count()


class StrongBots:
    """All strong bots of this process."""

    def __init__(self, seconds: float = SECONDS, patience: float = PATIENCE) -> None:
        self._seconds, self._patience = seconds, patience
        self._pool = ThreadPoolExecutor(1, "strong", initializer=_step_back)
        self._waiting = 0
        self._warming: dict[str, asyncio.Task[None]] = {}
        self._ready: set[str] = set()
        self.took = Durations()
        self.stood_in = 0

    async def choose(self, name: str, view: View, later: Later = _at_once) -> int:
        """What a strong bot chooses from its view; the casual level until it is ready, or if it takes too long.

        What is to be counted of it is given to `later`, since to count a sealed choice at once would tell of it.
        """
        self.get_ready(view.game.name)
        if view.game.name in self._ready:
            self._count(1)
            thinking = asyncio.get_running_loop().run_in_executor(self._pool, self._think, name, view)
            thinking.add_done_callback(lambda _: self._count(-1))
            with contextlib.suppress(TimeoutError), self._timed(later):
                return await asyncio.wait_for(thinking, self._patience)
        later(self._count_stand_in)
        return await asyncio.to_thread(player(stand_in(name), view.game), view)

    @contextlib.contextmanager
    def _timed(self, later: Later) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:  # also if somebody else has to answer
            later(partial(self.took.observe, time.perf_counter() - began))

    def _count_stand_in(self) -> None:
        self.stood_in += 1

    def _think(self, name: str, view: View) -> int:
        crowd = max(1, self._waiting)
        seconds = self._seconds / (crowd if crowd < CROWD else 2 * crowd)  # in a crowd the way here takes time as well
        return bot(name, view.game, budget=Budget(seconds=seconds))(view)

    def _count(self, change: int) -> None:
        self._waiting += change

    def get_ready(self, game: str) -> None:
        """Begin to make the code of a game, once."""
        if game not in self._warming:
            self._warming[game] = asyncio.create_task(self._warm(game))

    async def _warm(self, game: str) -> None:
        try:
            compiler = await asyncio.create_subprocess_exec(sys.executable, "-m", "pokade.arena.warm", game)
            try:
                await compiler.wait()
            finally:
                with contextlib.suppress(ProcessLookupError):
                    compiler.kill()
                await compiler.wait()
            await asyncio.get_running_loop().run_in_executor(self._pool, warm, GAMES[game])
            self._ready.add(game)
        except Exception as error:  # a machine that can't compile still has casual bots
            log_bug(error)

    async def close(self) -> None:
        """Stop; nobody waits for what is still being thought."""
        for task in self._warming.values():
            task.cancel()
        await asyncio.gather(*self._warming.values(), return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)


def _step_back() -> None:
    """Let the loop and its people come first; where a thread can't step back alone, it does not."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), MODEST)
