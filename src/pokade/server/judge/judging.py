"""The queue before the judge: one record at a time for each address, within bounds.

Python computes in one thread at a time, so that a long record in a thread would hold up every table. A process that is
started as a command needs no fork of a process with threads, loads little, can be killed, and sees that we are gone by
the end of its input. It is started by the first question.
"""

import asyncio
import contextlib
import logging
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pokade.games.errors import Refused
from pokade.server.errors import TryAgain
from pokade.server.judge.answerer import Answerer
from pokade.server.judge.judge import Question

COMMAND: Final = (sys.executable, "-P", "-m", "pokade.server.judge")
SECONDS: Final = 20.0  # for one record; the worst take two on a quiet machine
WAITING: Final = 30.0  # seconds in the queue, after which it is more honest to say no
MOST_THERE: Final = 8  # places of an address, with what is still coming in, and what is still going out
MOST: Final = 64  # places of all together: as many times the largest record is what they may take of the memory.
# Of the second half an address has one: so a few addresses that read slowly leave places for the others.
SOON: Final = 2  # seconds until it is worth trying again
LOG: Final = logging.getLogger("pokade.server.judge.judging")


@dataclass(slots=True)
class _There:
    """The places of one address, and its turns."""

    places: int = 0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Judging:
    """The queue before the judge, and the judge's process."""

    def __init__(self, command: Sequence[str] = COMMAND, seconds: float = SECONDS, waiting: float = WAITING) -> None:
        self._judge, self.seconds, self.waiting = Answerer(command), seconds, waiting
        self._there: dict[str, _There] = {}
        self._one = asyncio.Lock()  # it is fair, and each address waits here once: they take turns
        self._waits: set[asyncio.Timeout] = set()
        self._is_closing = False

    @contextlib.contextmanager
    def place(self, address: str) -> Iterator[None]:
        """A place in the queue, from before a record is read until its answer is sent."""
        there, taken = self._there.get(address) or _There(), sum(other.places for other in self._there.values())
        if taken >= MOST or there.places >= (MOST_THERE if taken < MOST // 2 else 1):
            raise _busy()
        self._there[address] = there
        there.places += 1
        try:
            yield
        finally:
            there.places -= 1
            if not there.places:
                del self._there[address]

    async def ask(self, address: str, question: Question) -> bytes:
        """The answer to a question of somebody who has a place. Raises Refused."""
        async with contextlib.AsyncExitStack() as turns:
            try:
                async with self._at_most(self.waiting):
                    await turns.enter_async_context(self._there[address].turn)
                    await turns.enter_async_context(self._one)
            except TimeoutError:
                raise _busy() from None
            return await self._answer(question)

    def stop(self) -> None:
        """The server closes: nobody waits here any longer."""
        self._is_closing = True
        for wait in self._waits:
            wait.reschedule(0.0)

    async def close(self) -> None:
        """End the process; questions still under way get no answer."""
        await self._judge.end()

    @contextlib.asynccontextmanager
    async def _at_most(self, seconds: float) -> AsyncIterator[None]:
        async with asyncio.timeout(0.0 if self._is_closing else seconds) as wait:
            self._waits.add(wait)
            try:
                yield
            finally:
                self._waits.discard(wait)

    async def _answer(self, question: Question) -> bytes:
        try:
            async with self._at_most(self.seconds):
                return await self._exchanged(question.packed())
        except TimeoutError:
            if self._is_closing:
                raise _busy() from None
            raise Refused("judge/time", "this record takes too long to judge") from None
        except (asyncio.IncompleteReadError, OSError, NotImplementedError):  # the last of workers on Windows
            LOG.warning("the judge is gone and is replaced")
            raise Refused("judge/failed", "this record can't be judged here") from None

    async def _exchanged(self, question: bytes) -> bytes:
        return await self._judge.ask(question)


def _busy() -> TryAgain:
    return TryAgain("judge/busy", "there is more to judge than can be done at once; try again in a moment", SOON)
