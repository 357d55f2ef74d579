import asyncio
import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from pokade.server.hub import bots, hub, presence
from pokade.server.storage import Storage, open_storage
from tests.luck import foresee
from tests.server.clients import Guest, running
from tests.server.databases import Postgres, drop_database, new_database

GIVEN_SERVER = "POKADE_TEST_POSTGRES"  # the address of a PostgreSQL server where databases may be made and dropped


@pytest.fixture(autouse=True)
def luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice, deals and bots of houses in this process follow from the name of the test."""
    for place, name in ((hub, "secrets"), (hub, "new_seed"), (presence, "secrets"), (bots, "player")):
        monkeypatch.setattr(place, name, getattr(place, name))  # as it was, when the test is over
    foresee(request.node.name)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server of our own, that a test may stop as long as it starts it again."""
    server = Postgres()
    yield server
    server.end()


@contextmanager
def empty_postgres(request: pytest.FixtureRequest) -> Iterator[str]:
    server = os.environ.get(GIVEN_SERVER) or request.getfixturevalue("postgres").url
    url = new_database(server)
    yield url
    drop_database(server, url)


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty PostgreSQL database."""
    with empty_postgres(request) as url:
        yield url


@pytest.fixture
def own_postgres_url(postgres: Postgres) -> Iterator[str]:
    """An empty database on the server that may be stopped."""
    url = new_database(postgres.url)
    yield url
    drop_database(postgres.url, url)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'house.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """An empty database of each kind."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def open_house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a house on a database of each kind, which all tests of a module visit."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            url = f"sqlite:///{tmp_path_factory.mktemp('house') / 'house.db'}"
        else:
            url = stack.enter_context(empty_postgres(request))
        yield stack.enter_context(running(url))


@pytest.fixture
def guest(address: str) -> Iterator[Callable[..., Guest]]:
    """Lets people into the house of the test's module, and sees them out."""
    with ExitStack() as stack:
        yield lambda name="": stack.enter_context(Guest(address, name))


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as made:
        yield made


@pytest.fixture
def storage(url: str, runner: asyncio.Runner) -> Iterator[Storage]:
    opened = runner.run(ready(url))
    yield opened
    runner.run(opened.close())


async def ready(url: str) -> Storage:
    storage = await open_storage(url)
    await storage.migrate()
    return storage


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """An `async def` test runs in the loop of its `runner`, where its storage lives."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj) or "runner" not in pyfuncitem.funcargs:
        return None
    wanted = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    pyfuncitem.funcargs["runner"].run(pyfuncitem.obj(**wanted))
    return True
