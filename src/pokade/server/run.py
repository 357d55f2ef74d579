"""The server as a process: one, or several workers under a supervisor, and how they start and stop."""

import asyncio
import contextlib
import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Final, Protocol

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from pokade.server import logs
from pokade.server.hub import A_DAY, Patience
from pokade.server.network import guard
from pokade.server.network.app import create_app
from pokade.server.network.guard import Guard
from pokade.server.settings import Settings, database, origins
from pokade.server.storage import open_storage

AT_ONCE: Final = 130  # exit status after a second signal to stop
STARTING: Final = 60.0  # seconds that a worker may take to open
COLLECTING: Final = (20_000, 20, 20)  # new objects, and rounds of looking through the young and the older ones
SWITCHING: Final = 0.0005  # seconds that a busy thread keeps Python from one that waits for it
MOST_FILES: Final = 65_536  # that a process may have open
ANSWERING: Final = 30  # seconds without an answer after which a worker counts as hung


class Teller(Protocol):
    """Tells the terminal that the server has started, or is stopping."""

    def opened(self) -> None: ...

    def closing(self) -> None: ...


def prepare(url: str) -> None:
    """Make sure that there is a database to open, before anybody is let in. Raises StorageError."""
    asyncio.run(_prepare(url))


async def _prepare(url: str) -> None:
    storage = await open_storage(url)
    try:
        await storage.migrate()
    finally:
        await storage.close()


def serve(settings: Settings, listener: socket.socket, teller: Teller) -> bool:
    """Serve until told to stop; says whether the server ever started."""
    log = logs.config(settings.log_format, settings.log_level)
    app = partial(application, settings)
    config = uvicorn.Config(
        app,
        factory=True,
        lifespan="on",
        log_config=log,
        workers=settings.workers,
        timeout_worker_healthcheck=ANSWERING,
        **guard.SERVING,
    )
    return _serve_together(config, listener, teller) if settings.workers > 1 else _serve_alone(config, listener, teller)


def _serve_alone(config: uvicorn.Config, listener: socket.socket, teller: Teller) -> bool:
    server = _Server(config, teller)
    with contextlib.suppress(SystemExit):  # how uvicorn gives up; the log says why
        server.run([listener])
    return server.started


def _serve_together(config: uvicorn.Config, listener: socket.socket, teller: Teller) -> bool:
    workers = _Workers(config, listener, teller)
    try:
        workers.run()
    finally:
        workers.kill_all()
    return workers.has_opened


def application(settings: Settings) -> FastAPI:
    """The application as it is set up; called in every process that serves."""
    logs.catch_the_rest()
    tune()
    _leave_with_the_supervisor()
    everyone = settings.metrics == "everyone"
    watch = Guard(trusted=settings.trusted_proxy, origins=origins(settings), shows_metrics=everyone)
    patience = Patience(
        usual=settings.keep_days * A_DAY,
        slow=settings.keep_slow_days * A_DAY,
        logs=settings.keep_log_days * A_DAY,
        records=settings.keep_record_days * A_DAY,
    )
    app = create_app(database(settings), patience=patience, watch=watch, warms=settings.warm)
    app.state.host, app.state.address = settings.host, settings.public_url  # the links that the page shares
    return app


def tune() -> None:
    """Set Python up for a process that only serves.

    What is loaded stays, and messages leave few cycles behind: looking for them took a tenth of the time. And who waits
    for a commit waits for its thread, which asks for the interpreter a dozen times while the loop may be busy.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTING)
    sys.setswitchinterval(SWITCHING)
    _allow_files()


def _allow_files() -> None:
    """Every connection is an open file. Many systems allow a process a thousand, and more if it asks."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - there is none elsewhere

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(OSError, ValueError):  # macOS names a limit that it does not grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _leave_with_the_supervisor() -> None:
    """A worker whose supervisor was killed would keep the port for ever."""
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        threading.Thread(target=_leave_after, args=(supervisor.join,), daemon=True).start()


def _leave_after(wait: Callable[[], object]) -> None:
    wait()
    os.kill(os.getpid(), signal.SIGTERM)


class _Server(uvicorn.Server):
    """One process. Told to stop it closes cleanly, told twice it stops at once: what was acknowledged is kept."""

    def __init__(self, config: uvicorn.Config, teller: Teller) -> None:
        super().__init__(config)
        self._teller = teller

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._teller.opened()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._teller.closing()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as uvicorn calls it
        """Unlike uvicorn's own, it does not raise the signal once more at the end: a clean stop is a success."""
        if self.should_exit:
            os._exit(AT_ONCE)
        self.should_exit = True


class _Workers(Multiprocess):
    """Several processes on one socket. One that dies or hangs is replaced."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket, teller: Teller) -> None:
        super().__init__(config, [listener])
        self._teller = teller
        self.has_opened = False

    def init_processes(self) -> None:
        super().init_processes()
        self.has_opened = all(worker.wait_until_ready(STARTING) for worker in self.processes)
        if self.has_opened:
            self._teller.opened()
        else:
            self.should_exit.set()

    def keep_subprocess_alive(self) -> None:
        """Also one that can't start now is tried again: the database may only be gone for a moment."""
        for place, worker in enumerate(self.processes):
            if self.should_exit.is_set() or worker.is_alive(self.config.timeout_worker_healthcheck):
                continue
            worker.kill()
            worker.join()
            logs.LOG.warning("a worker is gone and is replaced", extra={"worker": worker.pid})
            self.processes[place] = Process(self.config, self.sockets)
            self.processes[place].start()

    def handle_hup(self) -> None:
        """The terminal was closed."""
        self.handle_term()

    def terminate_all(self) -> None:
        for sig in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sig, self._stop_at_once)
        self._teller.closing()
        for listener in self.sockets:
            listener.close()
        super().terminate_all()

    def kill_all(self) -> None:
        """Those that are still there."""
        for worker in self.processes:
            worker.process.kill()

    def _stop_at_once(self, *_: object) -> None:
        self.kill_all()
        os._exit(AT_ONCE)
