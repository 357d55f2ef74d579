"""What is built: small, complete, and the same words as the house's."""

import gzip
import json
from pathlib import Path
from typing import Any

from pokade.server.pages import ADDRESSES
from tests.web import fair, golden
from tests.web.conftest import WEB

MOST_AT_FIRST = 120 * 1024  # bytes of JavaScript, compressed, before the home screen is there


def scripts_of_the_first_load(client: Path) -> set[str]:
    """The entry, all that it imports, and one language."""
    chunks: dict[str, Any] = json.loads((client / ".vite/manifest.json").read_text("utf-8"))
    entry = next(key for key, chunk in chunks.items() if chunk.get("isEntry"))
    language = next(key for key in chunks if key.endswith("de.toml"))
    found, waiting = set(), [entry, language]
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting += chunks[key].get("imports", [])
    return {chunks[key]["file"] for key in found}


def test_the_first_load_is_small(client: Path) -> None:
    sizes = {name: len(gzip.compress((client / name).read_bytes())) for name in scripts_of_the_first_load(client)}

    assert len(sizes) > 1
    assert sum(sizes.values()) <= MOST_AT_FIRST, sizes


def test_nothing_is_loaded_from_elsewhere(client: Path) -> None:
    page = (client / "index.html").read_text("utf-8")

    assert 'src="http' not in page
    assert 'href="http' not in page


def test_the_house_serves_the_page_for_every_address_that_the_client_knows() -> None:
    router = (WEB / "src/router.svelte.ts").read_text("utf-8")

    for word in ADDRESSES:
        assert f'case "{word}"' in router or f"{word}:" in router, word


def test_the_answers_that_the_client_is_compared_with_are_those_of_today() -> None:
    assert golden.FILE.read_text("utf-8") == golden.written(), "python -m tests.web.golden writes them anew"
    assert fair.FILE.read_text("utf-8") == fair.written(), "python -m tests.web.fair writes them anew"
