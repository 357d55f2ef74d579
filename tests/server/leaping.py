"""A hub in time that leaps, with its log in memory: an hour takes no time, and what it does not bring never comes."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

from pokade.server.hub import Hub, Pace
from tests.server.bottle import EPOCH, Leaping, Memory

AN_HOUR = 3600.0


def leap(work: Coroutine[object, object, None]) -> None:
    """Run something in a loop whose time leaps to whatever is due next."""
    with asyncio.Runner(loop_factory=Leaping) as runner:
        runner.run(work)


@asynccontextmanager
async def leaping_hub(pace: Pace) -> AsyncIterator[Hub]:
    loop = asyncio.get_running_loop()
    storage = Memory()
    hub = Hub(storage, pace=pace, clock=lambda: EPOCH + loop.time(), think=_at_once)  # type: ignore[arg-type]
    try:
        yield hub
    finally:
        await hub.close()


async def _at_once(think: Callable[[], int]) -> int:
    return think()


async def soon(fact: Callable[[], object]) -> None:
    """Let time leap on until something is so, within an hour of the house."""
    end = asyncio.get_running_loop().time() + AN_HOUR
    while not fact():
        assert asyncio.get_running_loop().time() < end, "it does not happen"
        await asyncio.sleep(0.25)
