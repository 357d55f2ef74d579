"""The built web client: its page for all the addresses that people see, and its files, which never change.

The client is built into the wheel (`hatch_build.py`); in a working copy it lies in `web/dist`.
"""

import asyncio
import gzip
import hashlib
import html
import re
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse
from starlette.exceptions import HTTPException

from pokade import texts
from pokade.games import GAMES
from pokade.server import listening
from pokade.server.network import guard, links, qr
from pokade.server.network.asking import guard_of
from pokade.server.network.guard import address_of
from pokade.server.network.static import ASK_FIRST, ClientFiles, accepts_gzip

PLACES: Final = (Path(__file__).parents[1] / "client", Path(__file__).parents[4] / "web" / "dist")
ADDRESSES: Final = (
    "new",
    "join",
    "t",
    "replay",
    "look",
    "day",
    "rules",
    "learn",
    "over",
    "watch",
    "mine",
)  # as in routes.ts
_PART: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")  # a code, an id or a ticket
MOST_HEADS: Final = 32  # of the page: a few for each address of the server, and links to games
NOT_BUILT: Final = "The page is not built. In a working copy: make play"


@dataclass(frozen=True, slots=True)
class Page:
    """The client's page with a head of its own, plain and compressed, with a tag that changes with it."""

    plain: bytes
    compressed: bytes
    tag: str

    @classmethod
    def of(cls, html_text: str) -> "Page":
        plain = html_text.encode()
        tag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
        return cls(plain, gzip.compress(plain, mtime=0), tag)

    def answer(self, request: Request, status: int = 200) -> Response:
        """The page, or "you have it already"."""
        headers = {"Cache-Control": ASK_FIRST, "ETag": self.tag, "Vary": "Accept-Encoding"}
        if status == 200 and request.headers.get("if-none-match") == self.tag:
            return Response(None, 304, headers)
        if accepts_gzip(request.headers):
            return HTMLResponse(self.compressed, status, headers | {"Content-Encoding": "gzip"})
        return HTMLResponse(self.plain, status, headers)


def mount(app: FastAPI) -> None:
    """Serve the client from an application; also tells its build apart from that of any other page."""
    place = next((place for place in PLACES if (place / "index.html").is_file()), None)
    if place is None:
        app.add_api_route("/", _not_built, include_in_schema=False)
        return
    shell = (place / "index.html").read_text("utf-8")
    app.state.build = _build(getattr(app.state, "build", ""), shell)
    app.state.page, app.state.pages, app.state.drawings = shell, OrderedDict(), qr.Drawings()
    _serve_files(app, ClientFiles(place))
    app.add_api_route("/", _page, methods=["GET", "HEAD"], include_in_schema=False)
    for word in ADDRESSES:
        app.add_api_route(f"/{word}", _page, methods=["GET", "HEAD"], include_in_schema=False)
        app.add_api_route(f"/{word}/{{rest:path}}", _page, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/qr/{code}.svg", _qr, include_in_schema=False)
    app.add_api_route("/qr/over/{ticket}/{code}.svg", _qr_over, include_in_schema=False)


def _build(server: str, page: str) -> str:
    return hashlib.sha256(f"{server} {page}".encode()).hexdigest()[:12]


def _serve_files(app: FastAPI, files: ClientFiles) -> None:
    """Serve the files of the client; at their addresses nobody is counted."""
    app.state.served = files.addresses

    async def send(request: Request) -> Response:
        return await files.get_response(files.get_path(request.scope), request.scope)

    for path in files.paths:
        app.add_api_route(path, send, methods=["GET", "HEAD"], include_in_schema=False)


async def _not_built() -> Response:
    return PlainTextResponse(NOT_BUILT, 503)


async def _page(request: Request) -> Response:
    """The one page of the client; which screen it shows is its own business."""
    return (await _shell(request)).answer(request)


async def lost(request: Request) -> Response | None:
    """The page for an address that leads nowhere, if a person asks and there is a page: it shows the way home."""
    is_read = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    if not is_read or not hasattr(request.app.state, "page"):
        return None
    return (await _shell(request)).answer(request, 404)


async def _shell(request: Request) -> Page:
    """The page with the head that belongs to an address."""
    pages: OrderedDict[str, Page] = request.app.state.pages
    head = _head(request, await links.shown(request) or _default_link(request.url.path))
    if head not in pages:
        page = request.app.state.page.replace("</head>", f"{head}</head>", 1)
        pages[head] = await asyncio.to_thread(Page.of, page)  # to compress it takes milliseconds
        while len(pages) > MOST_HEADS:
            pages.popitem(last=False)
    else:
        pages.move_to_end(head)
    return pages[head]


def _head(request: Request, link: links.Link) -> str:
    """What the server adds: its build, and a title and a picture for link previews."""
    base = _public_url(request)
    tags = {
        "og:title": link.title,
        "og:description": link.text,
        "og:image": f"{base}{link.picture}",
        "og:image:alt": link.title,
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:type": "website",
        "og:site_name": "Pokade",
    }
    metas = "".join(f'<meta property="{key}" content="{html.escape(value)}">' for key, value in tags.items())
    build = html.escape(request.app.state.build)
    card = '<meta name="twitter:card" content="summary_large_image">'
    return f'<meta name="build" content="{build}"><meta name="address" content="{html.escape(base)}">{metas}{card}'


def _public_url(request: Request) -> str:
    """The public URL: as it was set, or as the page was found, unless that is this machine alone."""
    state, url = request.app.state, request.url
    if getattr(state, "address", None):
        return f"{state.address.rstrip('/')}/"
    nearby = listening.nearby(getattr(state, "host", "")) if listening.is_loopback(url.hostname or "") else None
    return f"{listening.address(nearby, url.port or 80)}/" if nearby else str(request.base_url)


def _default_link(path: str) -> links.Link:
    """A title and a sentence for a link preview, in English: nobody says which language it is shown in."""
    _, first, *rest = [*path.split("/"), ""]
    game = GAMES.get(rest[0]) if rest else None
    if game is not None:
        return links.Link(f"{game.title} · Pokade", texts.text("en", f"{game.name}.tagline"), "picture.png")
    title = "A table at Pokade" if first == "t" else "Pokade"
    return links.Link(title, texts.text("en", "play.house"), "picture.png")


async def _qr(request: Request, code: str) -> Response:
    """A QR code for the address of a table; the page gives it a white card with room around it."""
    return await _drawn(request, "t", code)


async def _qr_over(request: Request, ticket: str, code: str) -> Response:
    """A QR code for the address at which another device of a person takes over the seats."""
    return await _drawn(request, "over", ticket, code)


async def _drawn(request: Request, *parts: str) -> Response:
    address = f"{_public_url(request)}{'/'.join(parts)}"
    if not all(_PART.fullmatch(part) for part in parts) or len(address) > qr.LONGEST:
        raise HTTPException(404)
    drawings: qr.Drawings = request.app.state.drawings
    if not drawings.has(address):
        guard_of(request).take(guard.DRAWINGS, address_of(request.scope))
    drawn = await drawings.get(address)
    return Response(drawn, headers={"Cache-Control": ASK_FIRST}, media_type="image/svg+xml")
