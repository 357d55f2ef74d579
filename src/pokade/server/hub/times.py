"""How long things take at a table, how long tables are kept, and the clock by which it is measured."""

import asyncio
import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pokade.server.table import CLOCKS, Table

Clock = Callable[[], float]
A_DAY: Final = 86_400
A_MONTH: Final = 30 * A_DAY


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take; tests make it nothing."""

    reveal: float = 1.0  # how much of the time that an event is worth a look people get before the game goes on
    # … and with math.inf the next throw or deal waits until all who are there have tapped Next
    bots: tuple[float, float] = (0.6, 1.8)  # seconds: a bot's neutral delay, whatever it has to think about


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a table waits for anybody to come back, and how long what is left of it is kept; in seconds."""

    usual: float = A_DAY
    slow: float = A_MONTH  # with a day for each decision
    logs: float = 90 * A_DAY  # of tables that are over; then only the record of the game is left …
    records: float = 400 * A_DAY  # … and then nothing

    def of(self, table: Table) -> float:
        return self.slow if CLOCKS[table.clock].seconds == A_DAY else self.usual


def steady() -> Clock:
    """The time of day, as a clock that nobody sets: when the machine's jumps, no decision gets more or less time."""
    ahead = time.time() - time.monotonic()
    return lambda: ahead + time.monotonic()


async def wait(woken: asyncio.Event, seconds: float) -> None:
    """Until it is woken, but no longer than so many seconds.

    Before Python 3.12, `wait_for` forgets that it was cancelled if it is woken in the same moment; a table would go on.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(None if seconds == math.inf else max(0.0, seconds)):
            await woken.wait()
