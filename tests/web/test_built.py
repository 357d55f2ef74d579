"""What is built: small, complete, and the same words as the house's."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pokade.games import GAMES
from pokade.server.network.pages import ADDRESSES
from pokade.texts import LANGUAGES
from tests.web import fair, golden
from tests.web.conftest import WEB

MOST_AT_FIRST = 123 * 1024  # bytes of JavaScript, compressed, for home, and for a table with its game


def chunks_of(client: Path) -> dict[str, Any]:
    chunks: dict[str, Any] = json.loads((client / ".vite/manifest.json").read_text("utf-8"))
    return chunks


def brought_by(client: Path, *screens: str) -> set[str]:
    """The keys of the entry, one language and some screens, with all that they import."""
    chunks = chunks_of(client)
    page = (client / "index.html").read_text("utf-8")
    entry = next(
        key for key, chunk in chunks.items() if f'<script type="module" crossorigin src="/{chunk["file"]}"' in page
    )
    language = next(key for key in chunks if key.endswith("de.toml"))
    found: set[str] = set()
    waiting = [entry, language, *screens]
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting += chunks[key].get("imports", [])
    return found


def pressed(client: Path, name: str) -> int:
    return len(gzip.compress((client / name).read_bytes()))


@pytest.mark.parametrize("screens", [(), ("src/screens/Table.svelte",), ("src/screens/NewTable.svelte",)])
def test_what_comes_first_is_small_and_brings_no_game(client: Path, screens: tuple[str, ...]) -> None:
    chunks = chunks_of(client)
    keys = brought_by(client, *screens)
    sizes = {chunks[key]["file"]: pressed(client, chunks[key]["file"]) for key in keys}

    assert len(sizes) > 1
    assert sum(sizes.values()) <= MOST_AT_FIRST, sizes
    assert not any(table_of(game) in keys for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_brings_only_its_own_part(client: Path, game: str) -> None:
    chunks, keys = chunks_of(client), brought_by(client, "src/screens/Table.svelte", table_of(game))
    sizes = {chunks[key]["file"]: pressed(client, chunks[key]["file"]) for key in keys}

    assert sum(sizes.values()) <= MOST_AT_FIRST, sizes
    assert [other for other in GAMES if table_of(other) in keys] == [game]


def table_of(game: str) -> str:
    return f"src/games/{game}/Table.svelte"


def test_the_page_asks_for_no_more_scripts_than_that(client: Path) -> None:
    chunks = chunks_of(client)
    named = re.findall(r'(?:src|href)="/?([^"]+\.js)"', (client / "index.html").read_text("utf-8"))

    assert named
    assert set(named) <= {chunks[key]["file"] for key in brought_by(client)}


def test_a_device_keeps_every_screen_and_one_language(client: Path) -> None:
    kept: dict[str, list[str]] = json.loads((client / "offline.json").read_text("utf-8"))
    files = {f"/assets/{path.name}" for path in (client / "assets").iterdir() if path.suffix in (".js", ".css")}

    assert set(kept) == {"all", *LANGUAGES}
    assert {path for paths in kept.values() for path in paths} == files
    assert {len(kept[language]) for language in LANGUAGES} == {2}  # its texts and its rules


def test_every_script_and_style_lies_there_compressed_too(client: Path) -> None:
    files = [path for path in (client / "assets").iterdir() if path.suffix in (".js", ".css")]
    small = {path: path.with_name(f"{path.name}.gz") for path in files if path.stat().st_size > 1000}

    assert len(small) > 10
    assert all(gzip.decompress(small[path].read_bytes()) == path.read_bytes() for path in small)


PLAYS_A_GAME = """
import asyncio, json, sys
sys.path.insert(0, sys.argv[1])
from pokade.games import GAMES
from pokade.server.browser.page_server import PageServer

async def main():
    house = PageServer("", lambda *_: None, {}, lambda *_: None)
    await house.ask("POST", "/api/guest", json.dumps({"name": "Ada"}))
    answers = [await house.ask("POST", f"/api/quick/{game}", "{}") for game in GAMES]
    print([json.loads(body)["status"] for _, body in answers] == ["on"] * len(GAMES))

asyncio.run(main())
"""


def test_the_sources_in_the_page_need_nothing_but_python(client: Path, tmp_path: Path) -> None:
    [bundle] = (client / "assets").glob("pokade-*.json")
    for path, source in json.loads(bundle.read_text("utf-8")).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source, "utf-8")

    alone = [sys.executable, "-I", "-S", "-c", PLAYS_A_GAME, str(tmp_path)]

    assert subprocess.run(alone, capture_output=True, text=True, check=True).stdout == "True\n"


def test_python_is_no_part_of_what_a_page_loads_or_keeps_unasked(client: Path) -> None:
    house: list[str] = json.loads((client / "server.json").read_text("utf-8"))
    unasked = (client / "index.html").read_text("utf-8") + (client / "offline.json").read_text("utf-8")

    assert all((client / path).is_file() for path in house)
    assert [path for path in house if path in unasked] == []


def test_nothing_is_loaded_from_elsewhere(client: Path) -> None:
    page = (client / "index.html").read_text("utf-8")

    assert 'src="http' not in page
    assert 'href="http' not in page


def test_the_house_serves_the_page_for_every_address_that_the_client_knows() -> None:
    router = (WEB / "src/router.svelte.ts").read_text("utf-8")
    tabs = re.search(r"const TABS[^{]*\{(.*?)\}", router, re.DOTALL)
    assert tabs
    known = set(re.findall(r'case "(\w+)":', router)) | set(re.findall(r"(\w+):", tabs[1]))

    assert {"t", "watch"} <= known
    assert set(ADDRESSES) == known


def test_the_answers_that_the_client_is_compared_with_are_those_of_today() -> None:
    assert golden.FILE.read_text("utf-8") == golden.written(), "python -m tests.web.golden writes them again"
    assert fair.FILE.read_text("utf-8") == fair.written(), "python -m tests.web.fair writes them again"
