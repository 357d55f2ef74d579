"""The page for authors of clients, docs/protocol.md, and the web client's types: all from the server's own code."""

import ast
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from docs.typescript import cells, constants, option_facts, type_of, typescript
from pydantic import TypeAdapter

from pokade import texts
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.game import Game
from pokade.games.state import CHANCE, columns
from pokade.players import NAMES
from pokade.server import hub
from pokade.server.network import app, guard, judged, openapi, routes
from pokade.server.network.messages.answers import ANSWERS
from pokade.server.network.messages.said import SAID
from pokade.server.network.messages.sent import Sent
from pokade.server.table import Table, create, terms
from pokade.server.table.events import Event
from pokade.server.views.frames import Audience, Frame

ROOT: Final = Path(__file__).parents[1]
TEMPLATE: Final = ROOT / "docs" / "protocol.template.md"
PAGE: Final = ROOT / "docs" / "protocol.md"
TYPES: Final = ROOT / "web" / "src" / "protocol.ts"
SOURCE: Final = ROOT / "src" / "pokade"
SPEAKERS: Final = ("games/*.py", "server/**/*.py", "fairness.py")  # where refusals come from
CODE: Final = re.compile(r"[a-z]+/[a-z-]+")
ABOUT_RECORDS: Final = ("BadRecord", "Misread", "Unfair")
MEDIA: Final = ("application/", "text/", "image/")
Schema = dict[str, Any]


def write() -> None:
    """The page, and the files of the web client."""
    PAGE.write_text(page(), "utf-8")
    for path, text in client_files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def client_files() -> dict[Path, str]:
    """Everything of the web client that is made from the server's own code, by where it stands."""
    numbers = {TYPES.parent / "games" / game.name / "constants.ts": constants(game) for game in GAMES.values()}
    return {TYPES: typescript(), **numbers}


def page() -> str:
    """The whole page; equal code gives equal text."""
    text = TEMPLATE.read_text("utf-8")
    sent = TypeAdapter(Sent).json_schema()
    made = {
        "endpoints": _endpoints(app.create_app("sqlite://").openapi()),
        "messages": _messages(SAID.json_schema()),
        "frames": _frames(sent, examples()),
        "parts": _parts(sent),
        "games": "\n\n".join(_game(game) for game in GAMES.values()),
        "errors": _errors(),
        "limits": _limits(),
    }
    for slot, content in made.items():
        text = text.replace(f"{{{slot}}}\n", content + "\n")
    return text


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table. A cell stays on one line, whatever lines its text has in the code."""
    cut = [[" ".join(cell.split()).replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *cut])


# HTTP and messages.


def _endpoints(api: Schema) -> str:
    rows = []
    for path, operations in api["paths"].items():
        for method, operation in operations.items():
            name = f"{method.upper()} {path}"
            rows.append([f"`{name}`", operation["description"], _body(api, operation), _answer(name)])
    return _rows(["endpoint", "what it does", "body", "answer"], rows)


def _body(api: Schema, operation: Schema) -> str:
    if "requestBody" not in operation:
        return ""
    content = operation["requestBody"]["content"]
    if openapi.JSON not in content:
        return f"{content[openapi.RECORD]['schema']['description']}, as `{openapi.RECORD}`"
    reference = content[openapi.JSON]["schema"]
    reference = next((member for member in reference.get("anyOf", ()) if "$ref" in member), reference)
    if "$ref" not in reference:
        return type_of(reference)
    return _fields(api["components"]["schemas"][reference["$ref"].rpartition("/")[2]])


def _answer(name: str) -> str:
    answer = ANSWERS.get(name)
    if answer is None:
        return ""
    schema = TypeAdapter(answer).json_schema()
    if schema["type"] == "array":
        return f"a list of `{schema['items']['$ref'].rpartition('/')[2]}`"
    return f"`{schema['title']}`"


def _messages(schema: Schema) -> str:
    rows = []
    for name in (member["$ref"].rpartition("/")[2] for member in schema["oneOf"]):
        message = schema["$defs"][name]
        rows.append([f"`{message['properties']['do']['const']}`", message["description"], _fields(message, but="do")])
    return _rows(["`do`", "what it means", "with"], rows)


def _fields(schema: Schema, but: str = "") -> str:
    return "; ".join(
        f"`{key}`: {_meant(value)}" + ("" if key in schema.get("required", ()) else _default(value))
        for key, value in schema["properties"].items()
        if key != but
    )


def _default(schema: Schema) -> str:
    return f" (default `{json.dumps(schema['default'])}`)" if "default" in schema else " (may be left out)"


def _meant(schema: Schema) -> str:
    """A field's type with its bounds, in words."""
    least, most = schema.get("minimum"), schema.get("maximum", schema.get("exclusiveMaximum", 1) - 1)
    if least is not None:
        return f"{least:g} to {most:g}"
    if "maxLength" in schema:
        return f"text of {schema.get('minLength', 0)} to {schema['maxLength']} characters"
    if "anyOf" in schema:
        return " or ".join(_meant(member) for member in schema["anyOf"])
    return f"`{type_of({k: v for k, v in schema.items() if not k.startswith('x-')})}`"


# Frames.


def _frames(schema: Schema, shown: dict[str, Frame]) -> str:
    parts = []
    for name in (member["$ref"].rpartition("/")[2] for member in schema["oneOf"]):
        frame = schema["$defs"][name]
        kind = frame["properties"]["kind"]["const"]
        example = f"```json\n{_example(shown[kind])}\n```"
        parts += [f"### `{kind}`", frame["description"], _keys(frame), example]
    return "\n\n".join(parts)


def _parts(schema: Schema) -> str:
    """What frames and answers are made of."""
    found = dict(schema["$defs"])
    for answer in ANSWERS.values():
        made = TypeAdapter(answer).json_schema()
        found |= made.get("$defs", {}) | ({made["title"]: made} if made["type"] == "object" else {})
    parts = {name: part for name, part in found.items() if "kind" not in part.get("properties", {})}
    return "\n\n".join(f"### {name}\n\n{part['description']}\n\n{_keys(part)}" for name, part in parts.items())


def _keys(schema: Schema) -> str:
    required = schema.get("required", ())
    rows = [
        [f"`{key}`" + ("" if key in required else " (may be left out)"), _plain(value), value.get("description", "")]
        for key, value in schema["properties"].items()
    ]
    return _rows(["key", "type", "meaning"], rows)


def _plain(schema: Schema) -> str:
    return f"`{type_of(schema)}`"


def _example(frame: Frame) -> str:
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in frame.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def examples() -> dict[str, Frame]:
    """A frame of each kind from a real game: no dice are drawn, the first ticket and the first choice are taken."""
    game = next(iter(GAMES.values()))
    people = [name.lower() for name in NAMES[: game.seats[0]]]
    frames = [*_scripted(game, people, tells=True), *_scripted(game, people, tells=False)]
    found = {frame["kind"]: frame for frame in frames}
    return found | {
        "claim": {"kind": "claim", "seat": 2},
        "bots": {"kind": "bots", "ready": False},
        "pong": {"kind": "pong"},
        "error": _refusal(game, people),
    }


def _opened(game: Game, people: Sequence[str], tells: bool) -> Audience:
    audience = Audience(Table("5f0c6b7e1d2a3948"))
    data = {"game": game.name, "seats": len(people), "options": {}, "clock": "45s", "listed": False, "tells": tells}
    secrets = {"code": "K7QMX", "commitment": "9c56cc51b374c3ba", "host": people[0]}
    audience.frames(audience.table.apply(create(data | secrets, 0.0)))
    for person in people:
        audience.frames(audience.table.apply(audience.table.sit(person, person.title(), 0.0)))
    return audience


def _scripted(game: Game, people: Sequence[str], tells: bool) -> Iterator[Frame]:
    """What seat 0 gets: the table fills, the first round is played, somebody chats, and there is a snapshot."""
    audience = _opened(game, people, tells)
    for person in people[1:]:
        yield from _heard(audience, audience.table.ready(person, True, 1.0))
    yield from _heard(audience, audience.table.start(people[0], 2.0))
    yield from _first_round(audience)
    yield from _heard(audience, audience.table.speak(people[1], "well_played", "", 9.0))
    yield from _heard(audience, audience.table.mute(people[0], 2, True, 9.0))
    yield audience.snapshot(0)


def _first_round(audience: Audience) -> Iterator[Frame]:
    here = audience.table
    assert here.play is not None  # noqa: S101 - the game has begun
    while here.turn == CHANCE:
        yield from _heard(audience, here.chance([here.play.game.outcome_at(here.play.state, 0)], 3.0))
    for seat in here.missing:
        first = here.play.view(seat).choices[0]
        yield from _heard(
            audience, here.choose(here.seats[seat].person or "", seat, first, f"choice {seat}", 4.0 + seat)
        )


def _heard(audience: Audience, batch: Sequence[Event]) -> list[Frame]:
    frames = audience.frames(audience.table.apply(batch))
    return [frames[0]] if 0 in frames else []


def _refusal(game: Game, people: Sequence[str]) -> Frame:
    try:
        _opened(game, people, tells=False).table.start(people[1], 1.0)
    except Refused as error:
        return {"kind": "error", "code": error.code, "text": str(error)}
    raise AssertionError("only the host starts")


# Games.


def _game(game: Game) -> str:
    seats = f"{game.seats[0]} to {game.seats[-1]} seats, usually {game.usual_seats}."
    endings = ", ".join(f"{number} `{name}`" for number, name in enumerate(game.endings))
    options = [[f"`{option.name}`", *_option(option_facts(option, game.seats))] for option in game.options]
    told = [[f"`{event.name}`", event.who, event.what, event.more] for event in game.events]
    parts = [f"### {game.title} (`{game.name}`)", f"{seats} Endings: {endings}.", _state(game)]
    parts += [_rows(["option", "values", "default"], options), _rows(["event", "who", "what", "more"], told)]
    return "\n\n".join(parts)


def _option(facts: Schema) -> tuple[str, str]:
    values = f"{facts['least']} to {facts['most']}" if "least" in facts else _by_seats(facts["takes"])
    return values, _by_seats(facts["default"])


def _by_seats(values: Schema) -> str:
    """One answer, or one for each number of seats."""
    written = {n: _value(value) for n, value in values.items()}
    if len(set(written.values())) == 1:
        return next(iter(written.values()))
    return "; ".join(f"{n} seats: {text}" for n, text in written.items())


def _value(value: object) -> str:
    members = value if isinstance(value, tuple) else (value,)
    return ", ".join(f"`{json.dumps(member)}`" for member in members)


def _state(game: Game) -> str:
    marks = {column.name: column.mark for column in columns(game.state)}
    rows = [[f"`{name}`", f"`{shape}`", marks[name]] for name, shape in cells(game).items()]
    return _rows(["field of the state", "type", "who sees it"], rows)


# Errors and limits.


def _errors() -> str:
    said: dict[str, str] = texts.entry("en", "error")
    return _rows(["code", "sentence"], [[f"`{code}`", said[code]] for code in codes()])


def codes() -> list[str]:
    """Every code that stands anywhere in the rules or the server."""
    nodes = [node for file in speakers() for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    inside = {id(part) for node in nodes if _is_of_a_record(node) for part in ast.walk(node)}
    return sorted({n.value for n in nodes if isinstance(n, ast.Constant) and _is_code(n.value) and id(n) not in inside})


def _is_of_a_record(node: ast.AST) -> bool:
    """Is this the making of an error about a record? The server answers those with `record/bad` and `proof/unfair`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ABOUT_RECORDS


def speakers() -> list[Path]:
    """The files where codes stand."""
    return [file for pattern in SPEAKERS for file in SOURCE.glob(pattern)]


def _is_code(value: object) -> bool:
    return isinstance(value, str) and CODE.fullmatch(value) is not None and not value.startswith(MEDIA)


def _limits() -> str:
    clocks = ", ".join(f"`{name}`" for name in terms.CLOCKS)
    grace = "; ".join(f"`{name}` {'never' if s is None else f'{s:g} s'}" for name, (_, s) in terms.CLOCKS.items())
    rates = [[f"`{limit.code}`", limit.each, f"{limit.burst:g}", _rate(limit.rate)] for limit in guard.ALL_LIMITS]
    lines = [
        f"- A message has at most {guard.LARGEST_MESSAGE} bytes; over {guard.LARGEST_FRAME} end the connection.",
        f"- The body of a request has at most {guard.LARGEST_MESSAGE} bytes; that of a record {guard.LARGEST_BODY}.",
        f"- A name is cut to {terms.LONGEST_NAME} characters; a salt has at most {terms.LONGEST_SALT}.",
        f"- A person has at most {guard.MOST_SOCKETS} connections open. Beyond {guard.FEW_SOCKETS} each, people "
        f"have {guard.MORE_SOCKETS_THERE} together at an address; those without a cookie have "
        f"{guard.MOST_SOCKETS_THERE}.",
        f"- A client that falls {guard.WAITING} frames behind is dropped (close code {guard.TRY_AGAIN_LATER}), "
        "and may come back.",
        f"- After {guard.MOST_WARNINGS} answers of `limit/…` a client is shut out "
        f"(close code {guard.POLICY_VIOLATION}).",
        f"- Heartbeat: the server pings every {guard.PING_INTERVAL:g} s, and hangs up after "
        f"{guard.PING_TIMEOUT:g} s of silence.",
        f"- A list has at most {routes.MOST_TABLES} tables, an answer with a replay {judged.MOST_STEPS} steps.",
        f"- A join code has {hub.CODE_LENGTH} characters of `{hub.CODE_LETTERS}`.",
        f"- Clocks: {clocks}. A decision that is late is made by the server.",
        f"- A stand-in bot plays for a person who is away for longer than this, by clock: {grace}.",
        "- Before the start, the role of a host who is away for as long passes on to somebody who is there; with the "
        f"clock `1day` after {terms.HOSTLESS:g} s, once the host has had the role for a day.",
        f"- A seat changes its mind at most {terms.MOST_CHANGES} times a round.",
        f"- Without a clock, time may be called {terms.CALLABLE:g} s after a decision opened. The server plays for all "
        f"that are missing {terms.NOTICE:g} s later; after {terms.MOST_MISSED} such rounds a seat is on standby.",
        f"- Every player may end a pause whose host is gone, or after {terms.LONGEST_PAUSE:g} s of pause in a step.",
    ]
    return "\n".join(lines) + "\n\n" + _rows(["code", "rate limit per", "burst", "then"], rates)


def _rate(rate: float) -> str:
    return f"{rate:g} per second" if rate >= 0.1 else f"{rate * guard.HOUR:g} per hour"


if __name__ == "__main__":
    write()
