"""The documentation site: built as it is released, complete, without a broken link, and asking nobody else."""

import json
import re
from pathlib import Path

import pytest
from docs import links, reference, site

from pokade import __version__
from pokade.games import GAMES

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.xdist_group("site")  # built once


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(site, "STAGE", place / "stage")
        patched.setattr(site, "SITE", place / "site")
        site.main()
    return place / "site"


def test_the_site_has_every_page_and_no_link_that_leads_nowhere(built: Path):
    written = [path for path in (ROOT / "docs").rglob("*.md") if not path.name.endswith(".template.md")]
    pages = {path.relative_to(built).with_suffix(".md").as_posix() for path in built.rglob("*.html")}

    expected = {path.relative_to(ROOT / "docs").as_posix().replace("README.md", "index.md") for path in written}
    assert expected <= pages
    assert {f"reference/{name}.md" for name in reference.pages()} <= pages
    assert links.broken(built) == []


def test_the_site_asks_no_other_address_for_anything(built: Path):
    loaded = re.compile(r'<(?:script|img|link|iframe)[^>]+(?:src|href)="(https?://[^"]+)"')
    pages = [path.read_text("utf-8") for path in built.rglob("*.html")]
    code = [
        path.read_text("utf-8") for path in (*built.rglob("*.js"), *built.rglob("*.css")) if "play" not in path.parts
    ]

    assert [address for page in pages for address in loaded.findall(page)] == []
    assert [found[0] for text in (*pages, *code) if (found := site.ELSEWHERE.search(text))] == []


def test_words_of_the_pages_are_found(built: Path):
    index = json.dumps(json.loads((built / "search.json").read_text("utf-8")))

    assert all(game.title in index for game in GAMES.values())
    assert "Non-interference" in index


def test_play_now_opens_a_page_that_needs_no_server(built: Path):
    front = (built / "index.html").read_text("utf-8")
    page = (built / "play" / "index.html").read_text("utf-8")

    assert re.search(r'href="play/index\.html"[^>]*>Play now<', front)
    assert '<meta name="server" content="here">' in page
    assert not re.search(r'(?:src|href)="/', page)


def test_a_broken_link_is_found(tmp_path: Path):
    (tmp_path / "a.html").write_text('<a href="b.html#there">b</a><a href="b.html#gone">b</a><img src="c.png">')
    (tmp_path / "b.html").write_text('<h1 id="there">b</h1>')

    assert links.broken(tmp_path) == ["a.html: b.html#gone", "a.html: c.png"]


def test_version_changelog_and_citation_agree():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    latest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)

    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == __version__  # type: ignore[index]
    assert latest
    assert latest[1] == __version__
