"""The one thread that writes to a SQLite file: it commits whatever is queued, in one transaction."""

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from queue import Empty, SimpleQueue
from typing import Any

from pokade.server.storage.interface import Callback, CodeTaken, StorageGone, VersionTaken
from pokade.server.storage.rows import CLOSED, COLUMNS, REPLACED, tell
from pokade.server.storage.sqlite_connection import connect, identity, trouble

MOVED = "The file of the database is no longer there."
# OR FAIL keeps no copy of the pages for undoing half a statement: the whole transaction is rolled back anyway.
PUT_EVENT = "INSERT OR FAIL INTO events (table_id, version, event, written_at) VALUES (?, ?, ?, ?)"
TOGETHER = 16  # events that one statement puts: the interpreter's lock changes hands once, not for each
PUT_EVENTS = PUT_EVENT + ", (?, ?, ?, ?)" * (TOGETHER - 1)
PUT_INDEX = (
    f"INSERT INTO tables ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "  # noqa: S608 # names of columns, no values
    f"ON CONFLICT (id) DO UPDATE SET {REPLACED}"
)


@dataclass(slots=True)
class Job:
    """Something to do inside the next transaction. It may be done again, if the transaction fails."""

    future: asyncio.Future[Any]
    work: Callable[[sqlite3.Connection], Any] | None = None

    def refusal(self, error: Exception) -> Exception:
        """What the failure of a transaction with this job alone is to its caller."""
        return error


@dataclass(slots=True)
class Append(Job):
    """Events for a log. Those of all appends in a transaction are put together."""

    table: str = ""
    version: int = 0  # of the first event
    rows: Sequence[tuple[str, int, bytes, float]] = ()
    index: tuple[Any, ...] | None = None

    def refusal(self, error: Exception) -> Exception:
        """Which of the unique things was taken; anything else is a bug and stays as it is."""
        if not isinstance(error, sqlite3.IntegrityError):
            return error
        if "events.version" in str(error):
            return VersionTaken(f"Table {self.table} has got past version {self.version}.")
        return CodeTaken("Another table has this code.") if "tables.code" in str(error) else error


class Writer:
    """The connection that writes, and its thread. Listeners hear of its commits."""

    def __init__(self, path: str, callbacks: Sequence[Callback]) -> None:
        self._path, self._callbacks = path, callbacks
        self._loop = asyncio.get_running_loop()
        self._fresh: list[Job] = []  # of this turn of the loop
        self._jobs: SimpleQueue[list[Job]] = SimpleQueue()  # an empty list is the last
        self.is_closed = False
        self.db = connect(path)
        self._file = identity(path)
        self._thread = threading.Thread(target=self._write_until_closed, name="sqlite-writer", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    async def close(self) -> None:
        """Write what is queued, and stop."""
        self.is_closed = True
        self._hand_over()
        self._jobs.put([])
        await asyncio.to_thread(self._thread.join)

    def has_its_file(self) -> bool:
        """Does the file that was opened still lie at its path?"""
        return identity(self._path) == self._file

    def queue(self, job: Job) -> asyncio.Future[Any]:
        """Have a job done in the next transaction; its answer comes when that is on the disk."""
        if self.is_closed:
            raise StorageGone(CLOSED)
        if not self._fresh:
            self._loop.call_soon(self._hand_over)
        self._fresh.append(job)
        return job.future

    def _hand_over(self) -> None:
        """What one turn of the loop brings goes to the writer together: earlier they would only fight for Python."""
        jobs, self._fresh = self._fresh, []
        if jobs:
            self._jobs.put(jobs)

    def _write_until_closed(self) -> None:
        while jobs := self._queued():
            answers = self._commit(jobs)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits for an answer any more
                self._loop.call_soon_threadsafe(self._settle, jobs, answers)

    def _queued(self) -> list[Job]:
        """Wait for jobs, then take all that are there; none once the storage closes."""
        jobs = self._jobs.get()
        with contextlib.suppress(Empty):
            while more := self._jobs.get_nowait():
                jobs += more
            if jobs:
                self._jobs.put([])  # to be met again
        return jobs

    def _commit(self, jobs: list[Job]) -> list[Any]:
        """One transaction for all. If something in it fails, each half by itself, down to the one at fault."""
        if not self.has_its_file():  # it would take everything, and nobody would find it again
            return [StorageGone(MOVED) for _ in jobs]
        try:
            self.db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:  # the file is held or broken, which is no job's fault
            return [trouble(error) for _ in jobs]
        try:
            answers = self._do(jobs)
            self.db.execute("COMMIT")
        except Exception as error:
            with contextlib.suppress(sqlite3.Error):  # some failures have rolled back already
                self.db.rollback()
            half = len(jobs) // 2
            return self._commit(jobs[:half]) + self._commit(jobs[half:]) if half else [trouble(jobs[0].refusal(error))]
        return answers

    def _do(self, jobs: list[Job]) -> list[Any]:
        appends = [job for job in jobs if isinstance(job, Append)]
        rows = [row for job in appends for row in job.rows]
        whole = len(rows) - len(rows) % TOGETHER
        for at in range(0, whole, TOGETHER):
            self.db.execute(PUT_EVENTS, list(chain.from_iterable(rows[at : at + TOGETHER])))
        if whole < len(rows):
            self.db.executemany(PUT_EVENT, rows[whole:])
        if indexes := [job.index for job in appends if job.index is not None]:
            self.db.executemany(PUT_INDEX, indexes)
        return [job.work(self.db) if job.work is not None else None for job in jobs]

    def _settle(self, jobs: list[Job], answers: list[Any]) -> None:
        told = {}
        for job, answer in zip(jobs, answers, strict=True):
            refused = isinstance(answer, BaseException)
            if isinstance(job, Append) and job.rows and not refused:
                told[job.table] = job.version + len(job.rows) - 1
            if not job.future.done():
                job.future.set_exception(answer) if refused else job.future.set_result(answer)
        # After those who wait for it: an appender knows its own events before it hears of them.
        self._loop.call_soon(tell, self._callbacks, told)
