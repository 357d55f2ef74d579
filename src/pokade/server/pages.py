"""The built web client: its page for all the addresses that people see, and its files, which never change.

The client is built into the wheel (`hatch_build.py`); in a working copy it lies in `web/dist`.
"""

import asyncio
import gzip
import hashlib
import html
import io
import mimetypes
import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import segno
from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse
from starlette.exceptions import HTTPException

from pokade import texts
from pokade.games import GAMES
from pokade.server import links, listening

PLACES: Final = (Path(__file__).parent / "client", Path(__file__).parents[3] / "web" / "dist")
ADDRESSES: Final = ("new", "join", "t", "replay", "rules", "learn", "over", "watch", "mine")  # as in router.svelte.ts
FOREVER: Final = "public, max-age=31536000, immutable"  # a file with a hash in its name is never another
ASK_FIRST: Final = "no-cache"  # kept, but compared by its tag each time
_PART: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")  # a code, an id or a ticket
MOST_HEADS: Final = 32  # of the page: a few for each address under which people find the house, and links to games
NOT_BUILT: Final = "The page is not built. In a working copy: make play"
POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",  # the drawings in the page carry a few styles of their own
        "connect-src 'self' ws: wss:",  # older browsers don't count sockets as 'self'
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
PAGE_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
mimetypes.add_type("application/manifest+json", ".webmanifest")


@dataclass(frozen=True, slots=True)
class File:
    """A file of the client, as it lies and pressed, with a tag that changes with it."""

    plain: bytes
    pressed: bytes
    kind: str
    tag: str

    @classmethod
    def of(cls, plain: bytes, kind: str) -> "File":
        tag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
        return cls(plain, gzip.compress(plain, mtime=0), kind, tag)

    def answer(
        self, request: Request, cache: str, more: Mapping[str, str] | None = None, status: int = 200
    ) -> Response:
        """The file, or "you have it already"."""
        headers = {"Cache-Control": cache, "ETag": self.tag, "Vary": "Accept-Encoding", **(more or {})}
        if status == 200 and request.headers.get("if-none-match") == self.tag:
            return Response(None, 304, headers)
        if "gzip" in request.headers.get("accept-encoding", "") and len(self.pressed) < len(self.plain):
            headers |= {"Content-Encoding": "gzip"}
            return Response(self.pressed, status, headers=headers, media_type=self.kind)
        return Response(self.plain, status, headers=headers, media_type=self.kind)


def mount(app: FastAPI) -> None:
    """Serve the client from an application; also tells its build apart from that of any other page."""
    place = next((place for place in PLACES if (place / "index.html").is_file()), None)
    if place is None:
        app.add_api_route("/", _not_built, include_in_schema=False)
        return
    shell = (place / "index.html").read_text("utf-8")
    app.state.build = _build(getattr(app.state, "build", ""), shell)
    app.state.page, app.state.files = shell, OrderedDict()
    app.state.served = frozenset(_serve_file(app, place, path) for path in place.rglob("*") if _is_served(place, path))
    app.add_api_route("/", _page, methods=["GET", "HEAD"], include_in_schema=False)
    for word in ADDRESSES:
        app.add_api_route(f"/{word}", _page, methods=["GET", "HEAD"], include_in_schema=False)
        app.add_api_route(f"/{word}/{{rest:path}}", _page, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/qr/{code}.svg", _qr, include_in_schema=False)
    app.add_api_route("/qr/over/{ticket}/{code}.svg", _qr_over, include_in_schema=False)


def _build(house: str, page: str) -> str:
    return hashlib.sha256(f"{house} {page}".encode()).hexdigest()[:12]


def _is_served(place: Path, path: Path) -> bool:
    return path.is_file() and path.name != "index.html" and not path.relative_to(place).parts[0].startswith(".")


def _serve_file(app: FastAPI, place: Path, path: Path) -> str:
    """Serve a file; its address, at which nobody is counted."""
    address = f"/{path.relative_to(place).as_posix()}"
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    file = File.of(path.read_bytes(), kind)
    cache = FOREVER if address.startswith("/assets/") else ASK_FIRST

    async def send(request: Request) -> Response:
        return file.answer(request, cache, {"X-Content-Type-Options": "nosniff"})

    app.add_api_route(address, send, methods=["GET", "HEAD"], include_in_schema=False)
    return address


async def _not_built() -> Response:
    return PlainTextResponse(NOT_BUILT, 503)


async def _page(request: Request) -> Response:
    """The one page of the client; which screen it shows is its own business."""
    return (await _shell(request)).answer(request, ASK_FIRST, PAGE_HEADERS)


async def lost(request: Request) -> Response | None:
    """The page for an address that leads nowhere, if a person asks and there is a page: it shows the way home."""
    is_read = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    if not is_read or not hasattr(request.app.state, "page"):
        return None
    return (await _shell(request)).answer(request, ASK_FIRST, PAGE_HEADERS, 404)


async def _shell(request: Request) -> File:
    """The page with the head that belongs to an address."""
    files: OrderedDict[str, File] = request.app.state.files
    head = _head(request, await links.shown(request) or _of_the_house(request.url.path))
    if head not in files:
        page = request.app.state.page.replace("</head>", f"{head}</head>", 1)
        files[head] = await asyncio.to_thread(File.of, page.encode(), "text/html")  # pressing it takes milliseconds
        while len(files) > MOST_HEADS:
            files.popitem(last=False)
    else:
        files.move_to_end(head)
    return files[head]


def _head(request: Request, link: links.Link) -> str:
    """What the house adds: its build, and for those who show links a title and a picture."""
    base = _way_for_friends(request)
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


def _way_for_friends(request: Request) -> str:
    """Where friends find the house: as it was set, or as the page was found, unless that is this machine alone."""
    state, url = request.app.state, request.url
    if getattr(state, "address", None):
        return f"{state.address.rstrip('/')}/"
    nearby = listening.nearby(getattr(state, "host", "")) if listening.is_loopback(url.hostname or "") else None
    return f"{listening.address(nearby, url.port or 80)}/" if nearby else str(request.base_url)


def _of_the_house(path: str) -> links.Link:
    """A title and a sentence for a link. Who shows links speaks no language of ours, so they are English."""
    _, first, *rest = [*path.split("/"), ""]
    game = GAMES.get(rest[0]) if rest else None
    if game is not None:
        return links.Link(f"{game.title} · Pokade", texts.text("en", f"{game.name}.tagline"), "picture.png")
    title = "A table at Pokade" if first == "t" else "Pokade"
    return links.Link(title, texts.text("en", "play.house"), "picture.png")


async def _qr(request: Request, code: str) -> Response:
    """A QR code for the address of a table; the page gives it a white card with room around it."""
    return _drawn(request, "t", code)


async def _qr_over(request: Request, ticket: str, code: str) -> Response:
    """A QR code for the address at which another device takes one's seats."""
    return _drawn(request, "over", ticket, code)


def _drawn(request: Request, *parts: str) -> Response:
    if not all(_PART.fullmatch(part) for part in parts):
        raise HTTPException(404)
    drawn = io.BytesIO()
    segno.make_qr(f"{_way_for_friends(request)}{'/'.join(parts)}", error="m").save(
        drawn, kind="svg", border=0, dark="#1C1433", light=None, xmldecl=False, svgns=True, omitsize=True
    )
    return Response(drawn.getvalue(), headers={"Cache-Control": ASK_FIRST}, media_type="image/svg+xml")
