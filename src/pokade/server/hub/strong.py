"""Strong bots at the tables: they search in a low-priority thread, one at a time, off the event loop.

How long they think shrinks with how many wait to think. Before the compiled code of a game is there they play the
casual level, so that nobody ever waits for a compiler: it runs in a process of its own, for one game at a time, the one
that is most waited for first, and its code is loaded when it is done.
"""

import asyncio
import contextlib
import os
import sys
import threading
import time
from asyncio.subprocess import DEVNULL
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from pokade.arena.bots import Budget, bot, warm
from pokade.arena.reading import has_reader
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.games.play import View
from pokade.players import is_master, player, stand_in
from pokade.server.hub.durations import Durations
from pokade.server.logs import log_bug

SECONDS: Final = 0.1  # that a strong bot thinks when it is alone
CROWD: Final = 20
PATIENCE: Final = 1.0  # seconds after which the casual level answers in its place
NICENESS: Final = 10  # of the thread in which they think


Later = Callable[[Callable[[], None]], object]


def _at_once(count: Callable[[], None]) -> None:
    count()


class StrongBots:
    """All strong bots of this process; `tell` hears of a game whose bots are ready."""

    def __init__(
        self, seconds: float = SECONDS, patience: float = PATIENCE, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self._seconds, self._patience = seconds, patience
        self._pool = ThreadPoolExecutor(1, "strong", initializer=_lower_priority)
        self._waiting = 0
        self._wanted: Counter[str] = Counter()  # how often each game has been waited for; 0: made ahead
        self._compiled: set[str] = set()
        self._ready: set[str] = set()
        self._given_up: set[str] = set()
        self._compiling: asyncio.Task[None] | None = None
        self._tell = tell
        self.took = Durations()
        self.stood_in = 0

    async def choose(self, name: str, view: View, later: Later = _at_once) -> int:
        """What a strong bot chooses from its view; the casual level until it is ready, or if it takes too long.

        What is to be counted of it is given to `later`, since to count a sealed choice at once would tell of it.
        """
        self.get_ready(view.game.name)
        if self.is_ready(view.game.name):
            self._count(1)
            thinking = asyncio.get_running_loop().run_in_executor(self._pool, self._think, name, view)
            thinking.add_done_callback(lambda _: self._count(-1))
            with contextlib.suppress(TimeoutError), self._timed(later):
                async with asyncio.timeout(self._patience):
                    return await thinking
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

    def is_ready(self, game: str) -> bool:
        """Do the strong bots of a game play at their strength? Until then the casual level stands in."""
        return game in self._ready

    def get_ready(self, game: str) -> None:
        """Somebody waits for the strong bots of a game."""
        self._wanted[game] += 1
        self._go_on()

    def make_ahead(self, games: Iterable[str]) -> None:
        """Compile before anybody asks; games that somebody waits for go first."""
        self._wanted.update(dict.fromkeys(games, 0))
        self._go_on()

    def _go_on(self) -> None:
        if self._compiling is None and self._next() is not None:
            self._compiling = asyncio.create_task(self._make_ready())

    def _next(self) -> str | None:
        """The game that is most waited for, of those that are not done: what nobody waits for need not be loaded."""
        waiting = {game: n for game, n in self._wanted.items() if n or game not in self._compiled}
        todo = waiting.keys() - self._ready - self._given_up
        return max(sorted(todo), key=lambda game: waiting[game], default=None)

    async def _make_ready(self) -> None:
        try:
            while (game := self._next()) is not None:
                try:
                    await self._make(game)
                except Exception as error:  # a machine that can't compile still has casual bots
                    self._given_up.add(game)
                    log_bug(error)
        finally:
            self._compiling = None

    async def _make(self, game: str) -> None:
        if game not in self._compiled:
            await self._compile(game)
            self._compiled.add(game)
        if self._wanted[game]:
            await asyncio.get_running_loop().run_in_executor(self._pool, warm, GAMES[game])
            self._ready.add(game)
            self._tell(game)

    async def _compile(self, game: str) -> None:
        command = (sys.executable, "-m", "pokade.arena.warm", game)
        # Ctrl-C is for the server, which ends it; what it would complain of, `pokade warm` shows.
        compiler = await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
        )
        try:
            if await compiler.wait():  # killed, or out of memory: to compile here would hold up every table
                raise ChildProcessError(f"the compiler ended with {compiler.returncode}")
        finally:
            with contextlib.suppress(ProcessLookupError):
                compiler.kill()
            await compiler.wait()

    async def close(self) -> None:
        """Stop; nobody waits for what is still being thought."""
        if self._compiling is not None:
            self._compiling.cancel()
            await asyncio.gather(self._compiling, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)


def remembers(name: str, game: Game) -> bool:
    """Does this bot want the past of its seat with its view?"""
    return is_master(name) and has_reader(game)


def _lower_priority() -> None:
    """The event loop comes first; where a thread has no priority of its own, this does nothing."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
