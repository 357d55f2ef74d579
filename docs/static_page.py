"""The built client for a site that has no server behind it: the page plays by itself, wherever its folder lies."""

import shutil
from pathlib import Path
from typing import Final

MARK: Final = '<meta name="server" content="here">'  # as in web/src/here.svelte.ts
# A site can't send headers, so the page says itself where it may load from; its worker may compile WebAssembly.
POLICY: Final = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'self\'; '
    "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'\">"
)


def lay_out(client: Path, place: Path) -> None:
    """Copy the client into a folder of a site, with addresses that are relative to it."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(client, place, ignore=shutil.ignore_patterns("*.gz", ".vite"))
    page = place / "index.html"
    words = page.read_text("utf-8").replace('="/', '="./').replace("<head>", f"<head>{MARK}{POLICY}", 1)
    page.write_text(words, "utf-8")
    manifest = place / "manifest.webmanifest"
    told = manifest.read_text("utf-8").replace('"url": "/', '"url": "./#/').replace('"src": "/', '"src": "./')
    manifest.write_text(told.replace('": "/"', '": "./"'), "utf-8")
