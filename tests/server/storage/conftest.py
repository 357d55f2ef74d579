"""The storage of a test here: each database, and the memory of a server that has none."""

import asyncio
from collections.abc import Iterator

import pytest

from pokade.server.storage import Storage
from pokade.server.storage.memory import MemoryStorage
from tests.server.conftest import ready


@pytest.fixture(params=["sqlite", "postgres", "memory"])
def storage(request: pytest.FixtureRequest, runner: asyncio.Runner) -> Iterator[Storage]:
    if request.param == "memory":
        yield MemoryStorage()
        return
    opened = runner.run(ready(request.getfixturevalue(f"{request.param}_url")))
    yield opened
    runner.run(opened.close())
