"""How long a server stands still when somebody comes to a table with a long log: the longest gap of a ticking task.

Somebody who changed their mind ten times a second has left such a log behind. `python -m benchmarks stalls` measures
the first load of the table, a load with what an earlier server has kept of it, and a visitor who comes back.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice

from rich.table import Table as Shown

from pokade.server.hub import Hub
from pokade.server.hub.codec import stored
from pokade.server.run import tune
from pokade.server.storage import Storage, open_storage
from pokade.server.table import Table, create, events
from pokade.server.table.events import Event

EVENTS = 100_000
TOGETHER = 5_000  # events an append, while the log is made
LAST = "last"
TICK = 0.001  # seconds; a task that never rests would keep Python from the threads that read
SETTLING = 0.3  # seconds that the loop may take to come to rest


def long_log(length: int) -> Iterator[Event]:
    """A table of POK at which one seat seals again and again."""
    settings = {"game": "pok", "seats": 3, "options": {"memory": "assisted"}, "clock": "none"}
    yield from create(
        settings | {"listed": False, "tells": False, "code": "ABCDE", "host": "p0", "commitment": ""}, 0.0
    )
    for seat in range(3):
        yield Event(events.SEATED, 0.0, {"seat": seat, "person": f"p{seat}", "name": f"P{seat}"})
    yield Event(events.STARTED, 0.0)
    for outcome in range(3):
        yield Event(events.CHANCE, 0.0, {"outcome": outcome})
    for number in range(length):
        yield Event(events.CHOICE, float(number), {"seat": 0, "choice": number % 2, "id": f"a choice {number}"})


async def write(storage: Storage, table_id: str) -> None:
    log, version = islice(long_log(EVENTS), EVENTS), 1
    while batch := list(islice(log, TOGETHER)):
        await storage.append(table_id, version, [raw for event in batch for raw in stored([event])])
        version += len(batch)


async def stall(work: Callable[[], Awaitable[object]]) -> tuple[float, float]:
    """The longest gap of a ticking task while the work is done, and how long that took."""
    longest, is_done = 0.0, False

    async def tick() -> None:
        nonlocal longest
        before = time.perf_counter()
        while not is_done:
            await asyncio.sleep(TICK)
            now = time.perf_counter()
            longest, before = max(longest, now - before - TICK), now

    ticking = asyncio.create_task(tick())
    await asyncio.sleep(0)
    began = time.perf_counter()
    await work()
    took = time.perf_counter() - began
    is_done = True
    await ticking
    return longest, took


async def measure(url: str) -> dict[str, tuple[float, float]]:
    storage = await open_storage(url)
    await storage.migrate()
    await write(storage, LAST)
    found: dict[str, tuple[float, float]] = {}
    for name in ("first load", "load again"):
        hub = Hub(storage)
        found[name] = await stall(lambda hub=hub: hub.room(LAST))  # type: ignore[misc]
        if name == "first load":
            await asyncio.sleep(SETTLING)
            await hub.close()
    table: Table = hub.rooms[LAST].table
    number = hub.rooms[LAST].audience.numbers[0]
    await hub.listen(LAST, "p0", asyncio.Queue(), {0: number})
    for more in range(10):
        await hub.ask(
            table.id, lambda _, now, n=more: [Event(events.CHOICE, now, {"seat": 0, "choice": 0, "id": f"more {n}"})]
        )
    found["reconnect"] = await stall(lambda: hub.listen(LAST, "p0", asyncio.Queue(), {0: number}))
    await hub.close()
    await storage.close()
    return found


def stalls_table() -> Shown:
    tune()
    shown = Shown(title=f"A log of {EVENTS:,} events: the longest time that the server stands still")
    for heading in ("", "longest gap", "took"):
        shown.add_column(heading, justify="right" if heading else "left")
    with tempfile.TemporaryDirectory(prefix="pokade-bench-") as folder:
        found = asyncio.run(measure(f"sqlite:///{folder}/house.db"))
    for name, (longest, took) in found.items():
        shown.add_row(name, f"{1e3 * longest:,.1f} ms", f"{took:,.2f} s")
    return shown
