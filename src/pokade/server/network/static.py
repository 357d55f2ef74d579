"""The files of the built client: Starlette's static files, gzipped as the build left them where a client takes that."""

import mimetypes
import os
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

POLICY: Final = "Content-Security-Policy"
HASHED: Final = "/assets/"  # where every name holds a hash
FOREVER: Final = "public, max-age=31536000, immutable"  # a file with a hash in its name is never another
ASK_FIRST: Final = "no-cache"  # kept, but compared by its tag each time
COMPRESSED: Final = ".gz"
WORKER: Final = "/assets/worker-"  # the script in which Python runs, when a page plays without a server
# A worker has a policy of its own, so no document needs leave to compile WebAssembly.
WORKERS_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
KINDS: Final = {  # of the client's files; what the system knows of them may be wrong (Windows) or nothing (containers)
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
for _ending, _kind in KINDS.items():
    mimetypes.add_type(_kind, _ending)


class ClientFiles(StaticFiles):
    """All files of the client but its page. `addresses` are theirs."""

    def __init__(self, place: Path) -> None:
        super().__init__(directory=place)
        files = [path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()]
        self.addresses = frozenset(f"/{file}" for file in files if _is_served(file))

    @property
    def paths(self) -> list[str]:
        """The patterns of the addresses: one for each file, and one for each folder."""
        first = {address.split("/")[1]: address.count("/") > 1 for address in self.addresses}
        return [f"/{name}/{{rest:path}}" if is_folder else f"/{name}" for name, is_folder in sorted(first.items())]

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file or its compressed variant, or "you have it already"."""
        address = f"/{path.replace(os.sep, '/')}"
        if address not in self.addresses:
            raise HTTPException(404)
        response = await self._variant(path, scope)
        response.headers["Cache-Control"] = FOREVER if address.startswith(HASHED) else ASK_FIRST
        response.headers["Vary"] = "Accept-Encoding"
        if address.startswith(WORKER):
            response.headers[POLICY] = WORKERS_POLICY
        return response

    async def _variant(self, path: str, scope: Scope) -> Response:
        if accepts_gzip(Headers(scope=scope)):
            try:
                response = await super().get_response(path + COMPRESSED, scope)
            except HTTPException as error:
                if error.status_code != 404:
                    raise
            else:
                if isinstance(response, FileResponse):
                    response.headers["Content-Encoding"] = "gzip"
                return response
        return await super().get_response(path, scope)


def _is_served(file: str) -> bool:
    return file != "index.html" and not file.startswith(".") and not file.endswith(COMPRESSED)


def accepts_gzip(headers: Headers) -> bool:
    """Does a client take gzip? A weight of 0 says that it does not; `*` is about what is not named."""
    weights = {"*": 0.0}
    for part in headers.get("accept-encoding", "").split(","):
        coding, _, weight = part.lower().partition(";")
        weights[coding.strip()] = _weight(weight.strip().removeprefix("q="))
    return weights.get("gzip", weights["*"]) > 0


def _weight(given: str) -> float:
    try:
        return float(given or 1)
    except ValueError:
        return 0.0
