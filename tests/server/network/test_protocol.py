"""The protocol as it is written down: real frames have the shape that is defined, and the generated files are fresh."""

import asyncio
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from docs import protocol
from docs.typescript import typescript
from pydantic import TypeAdapter, ValidationError

from pokade.games import GAMES
from pokade.games.state import WATCHER, columns
from pokade.server.hub import Pace
from pokade.server.hub.handlers import HANDLERS
from pokade.server.judge.judge import Question, answered
from pokade.server.network.app import create_app
from pokade.server.network.judged import _told
from pokade.server.network.messages.answers import ANSWERS
from pokade.server.network.messages.said import SAID
from pokade.server.network.messages.sent import Sent
from pokade.server.table import OVER, Table
from pokade.server.views.frames import Frame
from tests.patience import until
from tests.server.table.test_table import House, play_on

SENT: TypeAdapter[Any] = TypeAdapter(Sent)
RECORDS = ("POST /api/replay", "POST /api/verify")  # their body is a record
STALE = "run `make docs`"
BUILT_IN = {"Partial", "Record"}
LITERALS = re.compile(r'"[^"]*"|/\*\*.*?\*/|//[^\n]*', re.DOTALL)


PAGE, TYPES, FILES = (
    cache(protocol.page),
    cache(typescript),
    cache(protocol.client_files),
)  # what they are made of takes seconds to gather


def all_frames(house: House) -> Iterator[Frame]:
    for viewer in range(WATCHER, len(house.table.seats)):
        yield from house.frames[viewer]
        yield house.audience.snapshot(viewer)


@pytest.mark.parametrize("tells", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_every_frame_of_a_whole_game_is_as_defined(game: str, tells: bool):
    house = House(game, GAMES[game].seats[0], clock="20s", tells=tells)
    snapshot = house.audience.snapshot(WATCHER)
    house.full()
    play_on(house, f"protocol {game}")

    for frame in [snapshot, *all_frames(house)]:
        SENT.validate_python(frame)


def test_every_message_but_a_ping_is_handled_at_the_table():
    assert set(HANDLERS) == set(SAID.json_schema()["discriminator"]["mapping"]) - {"ping"}


def test_a_frame_with_a_key_too_many_is_noticed():
    frame = House().audience.snapshot(WATCHER)
    for leak in (frame | {"missing": [1]}, frame | {"table": frame["table"] | {"secret": "5eed"}}):
        with pytest.raises(ValidationError):
            SENT.validate_python(leak)


@pytest.mark.parametrize("kind", protocol.examples())
def test_the_examples_are_as_defined(kind: str):
    assert SENT.validate_python(protocol.examples()[kind])["kind"] == kind


def test_there_is_an_example_of_every_kind():
    assert set(protocol.examples()) == set(SENT.json_schema()["discriminator"]["mapping"])


def test_answers_over_http_are_as_defined(tmp_path: Path):
    app = create_app(f"sqlite:///{tmp_path / 'house.sqlite'}", pace=Pace(0.0, (0.0, 0.0)))

    async def ask() -> dict[str, Any]:
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://h") as http,
        ):
            table = await finished(app, http)
            bodies = {
                "POST /api/guest": {"name": "Ada"},
                "PATCH /api/me": {"name": "Ada", "language": "de"},
                "POST /api/tables": {"game": next(iter(GAMES)), "seats": 3, "bots": 1},
            }
            answers: dict[str, Any] = {}
            for name in sorted(ANSWERS, key=lambda name: ("{ticket}" in name, name.startswith("GET"))):
                method, path = name.split()
                ticket = answers.get("POST /api/handover", {}).get("ticket", "")
                path = path.format(game=next(iter(GAMES)), code=table.code, table=table.id, ticket=ticket)
                body = {"content": record_of(table)} if name in RECORDS else {"json": bodies.get(name)}
                query = {"date": "2026-11-18"} if name == "GET /api/problem" else None
                answers[name] = (await http.request(method, path, params=query, **body)).raise_for_status().json()
            return answers

    answers = asyncio.run(ask())
    for name, answer in answers.items():
        TypeAdapter(ANSWERS[name]).validate_python(answer)
    assert answers["POST /api/verify"]["fair"]
    assert answers["GET /api/tables/{table}/replay"] == answers["POST /api/replay"]


async def finished(app: Any, http: httpx.AsyncClient) -> Table:
    """A table whose game is over: everybody has left it to the bots."""
    (await http.post("/api/guest", json={"name": "Ada"})).raise_for_status()
    person = (await http.get("/api/me")).json()["person"]
    here = (await http.post(f"/api/quick/{next(iter(GAMES))}")).json()["id"]
    table: Table = await app.state.hub.ask(here, lambda t, now: t.leave(person, now))
    await until(lambda: table.status == OVER)
    return table


def record_of(table: Table) -> str:
    return answered(Question("write", {}, game=_told(table, ""))).decode()


def test_every_answer_belongs_to_an_endpoint():
    paths = create_app("sqlite://").openapi()["paths"]

    assert set(ANSWERS) <= {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}


def test_the_page_is_fresh():
    assert protocol.PAGE.read_text("utf-8") == PAGE(), STALE


def test_the_types_are_fresh():
    for path, text in FILES().items():
        assert path.read_text("utf-8") == text, STALE


@pytest.mark.parametrize("game", GAMES)
def test_the_page_and_the_types_have_every_field_event_option_and_ending(game: str):
    state = TYPES().partition("export interface GameStates")[2]
    sent = set(House(game, GAMES[game].seats[0]).full().audience.snapshot(WATCHER)["view"]["state"])
    page = PAGE().partition(f"(`{game}`)")[2]
    events = {event.name for event in GAMES[game].events} | {option.name for option in GAMES[game].options}

    assert sent <= {column.name for column in columns(GAMES[game].state)}
    assert [name for name in sent if f"    {name}: number" not in state] == []
    assert [name for name in events | sent | set(GAMES[game].endings) if f"`{name}`" not in page] == []


def test_every_type_that_is_used_is_defined_and_none_is_any():
    bare = LITERALS.sub("", TYPES())
    defined = set(re.findall(r"(?:type|interface|const) (\w+)", bare))
    parameters = set(re.findall(r"[<\[]([A-Z])\b", bare)) | set(re.findall(r"infer (\w)", bare))
    used = set(re.findall(r"\b[A-Z]\w*", bare))

    assert used - defined - parameters - BUILT_IN == set()
    assert not re.search(r"\b(any|unknown|undefined)\b", bare)
    for left, right in ("{}", "[]", "()"):
        assert bare.count(left) == bare.count(right)


def test_the_unions_have_every_message_and_every_frame():
    text = TYPES()
    for schema, tag in ((SAID.json_schema(), "do"), (SENT.json_schema(), "kind")):
        for word in schema["discriminator"]["mapping"]:
            assert f'  {tag}: "{word}";' in text


def test_the_page_has_a_sentence_or_a_code_for_every_refusal():
    page = PAGE()
    for code in ("choice/not-now", "table/not-host", "seat/taken", "message/large", "table/unknown"):
        assert f"| `{code}` |" in page
