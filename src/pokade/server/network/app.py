"""The application: HTTP for coming in and finding tables, a WebSocket for playing at one."""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator
from functools import cache, partial
from importlib.metadata import version
from importlib.resources import files
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import WebSocketRoute

from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.server.errors import TryAgain
from pokade.server.hub import Fairness, Hub, Pace, Patience
from pokade.server.judge.analysing import Analysing
from pokade.server.judge.judging import Judging
from pokade.server.logs import log_bug
from pokade.server.network import pages
from pokade.server.network.asking import guard_of
from pokade.server.network.connections import CLOSING, CROWD
from pokade.server.network.gate import INSIDE, Gate, code_of_status, refusal
from pokade.server.network.guard import Guard
from pokade.server.network.openapi import openapi
from pokade.server.network.routes import ROUTES
from pokade.server.network.sockets import play_at
from pokade.server.storage import StorageError, open_storage

NOT_FOUND: Final = ("table/unknown", "person/unknown", "ticket/unknown", "problem/none")
TRY_AGAIN: Final = "5"  # seconds, for a database that is full or gone
SETTLING: Final = 2.0  # seconds after which there is time for what nobody waits for
MOST_WRONG: Final = 10  # things in a request that are named, if it has more
SWEEPING: Final = 15.0  # seconds between two looks for tables that nobody attends to


def create_app(
    url: str,
    *,
    pace: Pace | None = None,
    patience: Patience | None = None,
    watch: Guard | None = None,
    judging: Judging | None = None,
    analysing: Analysing | None = None,
    fairness: Fairness | None = None,
    warms: bool = False,
) -> FastAPI:
    """The application over one storage. Without a guard it has no rate limits: tests play faster than people."""
    watch, judging = watch or Guard(is_limited=False), judging or Judging()
    analysing = analysing or Analysing()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        storage = watch.metrics.watched(await open_storage(url))
        await storage.migrate()
        hub = Hub(storage, fairness=fairness, pace=pace, patience=patience)
        await hub.attend()
        watch.metrics.watch(hub)
        app.state.hub = hub
        tasks = [asyncio.create_task(_sweep(hub)), *([asyncio.create_task(_make_ahead(hub))] if warms else [])]
        try:
            yield {CLOSING: judging.stop, CROWD: watch.crowd}
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await judging.close()
            await analysing.close()
            await hub.close()
            await storage.close()

    # No pages about the API: they would load from elsewhere. /openapi.json is there.
    app = FastAPI(title="Pokade", version=version("pokade"), lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.guard, app.state.judging, app.state.build = watch, judging, build()
    app.state.analysing, app.state.pictures = analysing, {}
    app.add_middleware(Gate, watch=watch)
    for kind, handler in HANDLERS:
        app.add_exception_handler(kind, handler)
    # First and plain: after a restart all clients come back here at once.
    app.router.routes.append(WebSocketRoute("/ws/{table}", play_at))
    for method, path, function in ROUTES:
        app.add_api_route(path, function, methods=[method], response_model=None)
    pages.mount(app)
    app.openapi = cache(partial(openapi, app))  # type: ignore[method-assign] # as its makers advise
    return app


def build() -> str:
    """Changes whenever the messages or the program do, so that an old page can be told to reload."""
    sources = sorted(files("pokade.server.network.messages").iterdir(), key=lambda file: file.name)
    source = b"".join(file.read_bytes() for file in sources if file.name.endswith(".py"))
    return hashlib.sha256(version("pokade").encode() + source).hexdigest()[:12]


async def _sweep(hub: Hub) -> None:
    """Look after tables that nobody looks at, for as long as the server runs."""
    while True:
        try:
            await hub.sweep()
        except (StorageError, Refused):
            pass  # full or gone for a while, or somebody else was faster: there is a next time
        except Exception as error:  # a bug at one table does not leave the others alone
            log_bug(error)
        await asyncio.sleep(SWEEPING)


async def _make_ahead(hub: Hub) -> None:
    """Compile strong bots that nobody waits for yet, once those who come first have the page."""
    await asyncio.sleep(SETTLING)
    hub.strong.make_ahead(GAMES)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)  # noqa: S101 - registered for nothing else
    guard_of(request).refuse(error.code)
    later = error.status if isinstance(error, TryAgain) else 409
    return refusal(error, 404 if error.code in NOT_FOUND else later)


async def _no_storage(request: Request, error: Exception) -> JSONResponse:
    """The database is full or gone; nothing was acknowledged."""
    code = getattr(error, "code", "storage/gone")
    guard_of(request).refuse(code)
    return JSONResponse({"code": code, "text": "the server can't store anything now"}, 503, {"Retry-After": TRY_AGAIN})


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    """What was wrong and where, without what was sent."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for nothing else
    guard_of(request).refuse("message/form")
    detail = [{key: wrong[key] for key in ("loc", "msg", "type")} for wrong in error.errors()[:MOST_WRONG]]
    return JSONResponse({"code": "message/form", "text": "this is no such message", "detail": detail}, 422)


async def _unanswered(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for nothing else
    code = code_of_status(error.status_code)
    guard_of(request).refuse(code)
    page = await pages.lost(request) if error.status_code == 404 and not request.url.path.startswith(INSIDE) else None
    if page is not None:
        return page
    headers = {**(error.headers or {}), **_allowed(request)} if error.status_code == 405 else error.headers
    return JSONResponse({"code": code, "text": str(error.detail)}, error.status_code, headers)


def _allowed(request: Request) -> dict[str, str]:
    """All that can be asked of a path: the framework knows only of the first of several functions there."""
    path = getattr(request.scope.get("route"), "path", "")
    methods = [method for method, there, _ in ROUTES if there == path]
    return {"Allow": ", ".join(methods)} if methods else {}


HANDLERS: Final[tuple[tuple[type[Exception], Any], ...]] = (
    (Refused, _refused),
    (StorageError, _no_storage),
    (RequestValidationError, _malformed),
    (HTTPException, _unanswered),
)
