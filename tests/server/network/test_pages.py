"""The page and its files: what is kept, what is asked for again, and what a link shows."""

import asyncio
import gzip
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType

import httpx
import pytest
from fastapi import FastAPI

from pokade.server.network import guard, pages, qr
from pokade.server.network.app import create_app
from pokade.server.network.guard import Guard

PAGE = "<!doctype html><html><head><title>Pokade</title></head><body>the page</body></html>"
SCRIPT = "console.log('a script that is long enough to be worth pressing'); " * 20


class Browser:
    """Asks a house of this process for its pages, without a network."""

    def __init__(self, app: FastAPI, address: str = "http://house.example:7654") -> None:
        self._app, self._runner, self._stack = app, asyncio.Runner(), AsyncExitStack()
        self._http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=address)

    def __enter__(self) -> "Browser":
        self._runner.run(self._stack.enter_async_context(self._app.router.lifespan_context(self._app)))
        self._runner.run(self._stack.enter_async_context(self._http))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        self._runner.run(self._stack.aclose())
        self._runner.close()

    def get(self, path: str, **more: dict[str, str]) -> httpx.Response:
        return self._runner.run(self._http.get(path, **more))

    def head(self, path: str) -> httpx.Response:
        return self._runner.run(self._http.head(path))


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client as the build leaves it."""
    place = tmp_path / "client"
    (place / "assets").mkdir(parents=True)
    (place / ".vite").mkdir()
    (place / "index.html").write_text(PAGE)
    (place / "assets/index-a1b2.js").write_text(SCRIPT)
    (place / "assets/index-a1b2.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (place / "assets/worker-c3d4.js").write_text("// runs Python")
    (place / "sw.js").write_text("// the worker")
    (place / ".vite/manifest.json").write_text("{}")
    monkeypatch.setattr(pages, "PLACES", (place,))
    return place


@pytest.fixture
def browser(built: Path, tmp_path: Path) -> Iterator[Browser]:
    with Browser(create_app(f"sqlite:///{tmp_path / 'house.db'}")) as made:
        yield made


@pytest.mark.parametrize("path", ["/", "/new", "/t/K7QMX", "/t/K7QMX/tv", "/replay/abc", "/rules/pok", "/mine"])
def test_every_address_that_people_see_is_the_page(browser: Browser, path: str) -> None:
    answer = browser.get(path)

    assert answer.status_code == 200
    assert "the page" in answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/api/nothing",
        "/assets/other.js",
        "/.vite/manifest.json",
        "/../secret",
        "/assets/",
        "/assets/index-a1b2.js.gz",
        "/assets/%2e%2e/index.html",
    ],
)
def test_what_is_not_there_is_refused_with_a_code(browser: Browser, path: str) -> None:
    answer = browser.get(path)

    assert answer.status_code == 404
    assert answer.json()["code"] == "http/unknown"


def test_a_file_with_a_hash_in_its_name_is_kept_for_ever(browser: Browser) -> None:
    answer = browser.get("/assets/index-a1b2.js")

    assert answer.text == SCRIPT
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert browser.get("/assets/index-a1b2.js", headers={"accept-encoding": "identity"}).text == SCRIPT


def test_only_the_script_that_runs_python_may_compile_webassembly(browser: Browser) -> None:
    worker = browser.get("/assets/worker-c3d4.js").headers["content-security-policy"]

    assert "script-src 'self' 'wasm-unsafe-eval'" in worker
    assert "default-src 'none'" in worker
    for path in ("/", "/mine", "/sw.js", "/assets/index-a1b2.js"):
        assert "wasm" not in browser.get(path).headers["content-security-policy"]


@pytest.mark.parametrize(
    ("accepted", "is_compressed"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0", False),
        ("*;q=1, gzip; q=0.0", False),
        ("identity", False),
        ("gzip;q=much", False),
        ("", False),
    ],
)
@pytest.mark.parametrize("path", ["/", "/assets/index-a1b2.js"])
def test_what_is_sent_is_compressed_only_for_clients_that_take_it(
    browser: Browser, path: str, accepted: str, is_compressed: bool
) -> None:
    answer = browser.get(path, headers={"accept-encoding": accepted})

    assert ("content-encoding" in answer.headers) == is_compressed
    assert answer.headers["vary"] == "Accept-Encoding"
    assert ("the page" if path == "/" else SCRIPT) in answer.text


def test_both_variants_of_a_file_have_a_tag_and_a_type_of_their_own(browser: Browser) -> None:
    answers = [browser.get("/assets/index-a1b2.js", headers={"accept-encoding": a}) for a in ("gzip", "identity")]

    assert len({answer.headers["etag"] for answer in answers}) == 2
    assert {answer.headers["content-type"] for answer in answers} == {"text/javascript; charset=utf-8"}
    for answer, accepted in zip(answers, ("gzip", "identity"), strict=True):
        known = {"accept-encoding": accepted, "if-none-match": answer.headers["etag"]}
        assert browser.get("/assets/index-a1b2.js", headers=known).status_code == 304


@pytest.mark.parametrize("path", ["/", "/assets/index-a1b2.js", "/sw.js"])
def test_the_head_of_an_answer_is_the_same_without_its_body(browser: Browser, path: str) -> None:
    whole, head = browser.get(path), browser.head(path)

    assert (head.status_code, head.content) == (200, b"")
    assert {name: head.headers[name] for name in ("etag", "cache-control", "content-length")} == {
        name: whole.headers[name] for name in ("etag", "cache-control", "content-length")
    }


@pytest.mark.parametrize("path", ["/", "/sw.js"])
def test_what_may_change_is_asked_for_each_time_and_sent_once(browser: Browser, path: str) -> None:
    first = browser.get(path)

    assert first.headers["cache-control"] == "no-cache"
    again = browser.get(path, headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""


def test_the_page_carries_the_build_of_the_house(browser: Browser) -> None:
    build = browser.get("/api/server").json()["build"]

    assert f'<meta name="build" content="{build}">' in browser.get("/").text


def test_another_page_is_another_build(built: Path, tmp_path: Path) -> None:
    before = create_app(f"sqlite:///{tmp_path / 'a.db'}").state.build
    (built / "index.html").write_text(PAGE.replace("the page", "a newer page"))

    assert create_app(f"sqlite:///{tmp_path / 'b.db'}").state.build != before


def test_a_link_has_a_title_and_a_picture(browser: Browser) -> None:
    page = browser.get("/rules/poch").text

    assert '<meta property="og:title" content="Poch · Pokade">' in page
    assert '<meta property="og:image" content="http://house.example:7654/picture.png">' in page


@pytest.fixture
def coded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the QR codes say that are drawn from now on."""
    said: list[str] = []
    honest = qr.segno.make_qr
    monkeypatch.setattr(qr.segno, "make_qr", lambda text, **how: said.append(text) or honest(text, **how))
    return said


def test_a_qr_code_is_a_drawing_of_the_address_of_a_table(browser: Browser, coded: list[str]) -> None:
    answer = browser.get("/qr/K7QMX.svg")

    assert coded == ["http://house.example:7654/t/K7QMX"]

    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")
    assert browser.get("/qr/K7%22QMX.svg").status_code == 404


def test_a_seat_is_taken_to_another_device_by_a_qr_code(browser: Browser, coded: list[str]) -> None:
    answer = browser.get("/qr/over/0123456789abcdef/K7QMX.svg")

    assert coded == ["http://house.example:7654/over/0123456789abcdef/K7QMX"]

    assert answer.headers["content-type"] == "image/svg+xml"
    assert browser.get("/over/0123456789abcdef/K7QMX").status_code == 200
    assert browser.get("/qr/over/01%2234/K7QMX.svg").status_code == 404


@pytest.mark.parametrize("length", [1000, 4000])
def test_a_long_host_is_not_drawn(browser: Browser, coded: list[str], length: int) -> None:
    answer = browser.get("/qr/K7QMX.svg", headers={"Host": "h" * length})

    assert (answer.status_code, answer.json()["code"]) == (404, "http/unknown")
    assert coded == []


def test_a_qr_code_is_drawn_once_and_new_ones_are_limited(built: Path, tmp_path: Path, coded: list[str]) -> None:
    watch = Guard(clock=lambda: 0.0)
    with Browser(create_app(f"sqlite:///{tmp_path / 'house.db'}", watch=watch), "http://house.example:7654") as client:
        again = [client.get("/qr/K7QMX.svg") for _ in range(3)]
        flood = [client.get(f"/qr/A{number:04}.svg") for number in range(int(guard.DRAWINGS.burst))]

        assert len(coded) == guard.DRAWINGS.burst
        assert (flood[-2].status_code, flood[-1].status_code) == (200, 429)
        assert {answer.text for answer in (*again, client.get("/qr/K7QMX.svg"))} == {again[0].text}


def test_qr_codes_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qr, "KEPT", 3)

    async def asked() -> list[str]:
        drawings = qr.Drawings()
        for text in ("a", "b", "c", "a", "d"):
            await drawings.get(text)
        return [text for text in "abcd" if drawings.has(text)]

    assert asyncio.run(asked()) == ["a", "c", "d"]


def test_friends_get_the_address_that_was_set(built: Path, tmp_path: Path, coded: list[str]) -> None:
    app = create_app(f"sqlite:///{tmp_path / 'house.db'}")
    app.state.address = "https://play.example"

    with Browser(app, "http://127.0.0.1:7654") as client:
        assert '<meta name="address" content="https://play.example/">' in client.get("/").text
        assert client.get("/qr/K7QMX.svg").is_success
    assert coded == ["https://play.example/t/K7QMX"]


def test_without_a_build_the_house_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "PLACES", (tmp_path / "nothing",))

    with Browser(create_app(f"sqlite:///{tmp_path / 'house.db'}")) as client:
        assert client.get("/").status_code == 503
        assert "make play" in client.get("/").text


@pytest.mark.parametrize("path", ["/foo", "/foo/bar", "/rules.html"])
def test_an_address_that_leads_nowhere_is_a_page_for_people_and_a_code_for_programs(browser: Browser, path: str):
    page = browser.get(path, headers={"accept": "text/html,*/*;q=0.8"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "the page" in page.text
    assert "Content-Security-Policy" in page.headers
    again = browser.get(path, headers={"accept": "text/html", "if-none-match": page.headers["etag"]})
    assert again.status_code == 404

    answer = browser.get(path, headers={"accept": "*/*"})
    assert (answer.status_code, answer.json()["code"]) == (404, "http/unknown")


def test_a_program_that_asks_for_an_unknown_answer_gets_a_code_whatever_it_reads(browser: Browser):
    answer = browser.get("/api/nothing", headers={"accept": "text/html"})

    assert (answer.status_code, answer.json()["code"]) == (404, "http/unknown")
