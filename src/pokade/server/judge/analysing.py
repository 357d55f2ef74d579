"""The queue before the analyst, and the analyses that are kept: a request gets the analysis, or how far it is."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from pokade.games.errors import Refused
from pokade.server.errors import TryAgain
from pokade.server.judge.answerer import Answerer
from pokade.server.judge.judge import Question

COMMAND: Final = (sys.executable, "-P", "-m", "pokade.server.judge.analyst")
SECONDS: Final = 300.0  # for one game: twenty of a core, at low priority, and a minute to compile at the first time
MOST: Final = 16  # games that wait or are looked at
MOST_THERE: Final = 4  # of them, those that one address has asked for
KEPT: Final = 256  # analyses, of some fifty kilobytes each
SOON: Final = 10  # seconds until it is worth trying again
LOG: Final = logging.getLogger("pokade.server.judge.analysing")


@dataclass(slots=True)
class _Job:
    """A game that is waited for."""

    address: str
    done: int = 0
    total: int = 0
    is_begun: bool = False

    def hear(self, said: bytes) -> None:
        """How far it is."""
        self.done, self.total = orjson.loads(said)


class Analysing:
    """Analyses by table: kept, under way, or waiting their turn. The process starts with the first question."""

    def __init__(self, command: Sequence[str] = COMMAND, seconds: float = SECONDS) -> None:
        self._analyst, self.seconds = Answerer(command), seconds
        self._kept: dict[str, bytes] = {}
        self._jobs: dict[str, _Job] = {}
        self._failed: dict[str, Refused] = {}  # apart: a game that nobody asks for again takes no place in the queue
        self._tasks: set[asyncio.Task[None]] = set()
        self._one = asyncio.Lock()  # it is fair: first come, first served

    def kept(self, table: str) -> bytes | None:
        """The analysis, if it has been made; one that was asked for lately is kept longer."""
        found = self._kept.pop(table, None)
        if found is not None:
            self._kept[table] = found
        return found

    def is_asked_for(self, table: str) -> bool:
        """Is the game looked at, does it wait, or is there still to be said that it failed?"""
        return table in self._jobs or table in self._failed

    def ask(self, table: str, address: str, question: Question) -> None:
        """Have a game looked at. Raises TryAgain where too many wait already."""
        there = sum(job.address == address for job in self._jobs.values())
        if len(self._jobs) >= MOST or there >= MOST_THERE:
            raise TryAgain("analysis/busy", "many games wait to be looked at; try again in a moment", SOON)
        self._jobs[table] = job = _Job(address)
        task = asyncio.create_task(self._look(table, job, question))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def status(self, table: str) -> bytes:
        """The answer to somebody who wants an analysis. Raises Refused if it could not be made, once."""
        found, job = self.kept(table), self._jobs.get(table)
        if table in self._failed:
            raise self._failed.pop(table)
        ahead = list(self._jobs).index(table) if job else 0
        answer = {
            "status": "done" if found else "working" if job and job.is_begun else "waiting",
            "done": job.done if job else 0,
            "total": job.total if job else 0,
            "ahead": ahead,
            "analysis": None if found is None else orjson.Fragment(found),
        }
        return orjson.dumps(answer)

    async def close(self) -> None:
        """End the process, and all that waits for it."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._analyst.end()

    async def _look(self, table: str, job: _Job, question: Question) -> None:
        """One game after the other."""
        async with self._one:
            job.is_begun = True
            try:
                async with asyncio.timeout(self.seconds):
                    found = await self._analyst.ask(question.packed(), job.hear)
            except TimeoutError:
                self._fail(table, Refused("analysis/time", "it takes too long to look at this game"))
            except (asyncio.IncompleteReadError, OSError, NotImplementedError):  # the last of workers on Windows
                LOG.warning("the analyst is gone and is replaced")
                self._fail(table, Refused("analysis/failed", "this game can't be looked at here"))
            except Refused as error:
                self._fail(table, error)
            else:
                self._keep(table, found)

    def _keep(self, table: str, found: bytes) -> None:
        del self._jobs[table]
        self._kept[table] = found
        _cut(self._kept)

    def _fail(self, table: str, error: Refused) -> None:
        del self._jobs[table]
        self._failed[table] = error
        _cut(self._failed)


def _cut(some: dict[str, Any]) -> None:
    """Of what is kept, the one goes that nobody has asked for the longest."""
    if len(some) > KEPT:
        del some[next(iter(some))]
