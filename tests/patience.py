"""Real time, in one place: how long a test waits for what is certain to come, on however slow a machine.

Nothing here is a claim about speed. A wait ends as soon as the fact is there; only a test that fails waits to the end.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 240.0  # seconds, for what takes one or two on a quiet machine
GLANCE: Final = 0.005  # seconds from one look at a fact to the next


def wait_until(fact: Callable[[], object]) -> None:
    """Look again and again until something is so."""
    end = time.monotonic() + PATIENCE
    while not fact():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(GLANCE)


async def until(fact: Callable[[], object]) -> None:
    """The same, while the tasks of this loop go on."""
    async with asyncio.timeout(PATIENCE):
        while not fact():
            await asyncio.sleep(GLANCE)
