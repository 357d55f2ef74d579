"""The page for whoever writes a client, docs/protocol.md, and the web client's types: all from the house's own code."""

import ast
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from docs.typescript import cells, option_facts, type_of, typescript
from pydantic import TypeAdapter

from pokade import texts
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.game import Game
from pokade.games.state import CHANCE, columns
from pokade.players import NAMES
from pokade.server import app, guard, hub, openapi, routes, table
from pokade.server.events import Event
from pokade.server.frames import Audience, Frame
from pokade.server.messages import ANSWERS, SAID, Sent
from pokade.server.table import Table, create

ROOT: Final = Path(__file__).parents[1]
TEMPLATE: Final = ROOT / "docs" / "protocol.template.md"
PAGE: Final = ROOT / "docs" / "protocol.md"
TYPES: Final = ROOT / "web" / "src" / "protocol.ts"
SOURCE: Final = ROOT / "src" / "pokade"
SPEAKERS: Final = ("games/*.py", "server/**/*.py", "fairness.py")  # where refusals come from
CODE: Final = re.compile(r"[a-z]+/[a-z-]+")
MEDIA: Final = ("application/", "text/", "image/")
Schema = dict[str, Any]


def write() -> None:
    """Both files, anew."""
    PAGE.write_text(page(), "utf-8")
    TYPES.parent.mkdir(parents=True, exist_ok=True)
    TYPES.write_text(typescript(), "utf-8")


def page() -> str:
    """The whole page; equal code gives equal text."""
    text = TEMPLATE.read_text("utf-8")
    sent = TypeAdapter(Sent).json_schema()
    made = {
        "endpoints": _endpoints(app.house("sqlite://").openapi()),
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
    """A table."""
    cut = [[cell.replace("|", "\\|") for cell in row] for row in rows]
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
    return found | {"claim": {"kind": "claim", "seat": 2}, "pong": {"kind": "pong"}, "error": _refusal(game, people)}


def _opened(game: Game, people: Sequence[str], tells: bool) -> Audience:
    audience = Audience(Table("5f0c6b7e1d2a3948"))
    data = {"game": game.name, "seats": len(people), "options": {}, "clock": "45s", "listed": False, "tells": tells}
    secrets = {"code": "K7QMX", "commitment": "9c56cc51b374c3ba", "host": people[0]}
    audience.apply(create(data | secrets, 0.0))
    for person in people:
        audience.apply(audience.table.sit(person, person.title(), 0.0))
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
    frames = audience.apply(batch)
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
    nodes = (node for file in speakers() for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    return sorted({node.value for node in nodes if isinstance(node, ast.Constant) and _is_code(node.value)})


def speakers() -> list[Path]:
    """The files where codes stand."""
    return [file for pattern in SPEAKERS for file in SOURCE.glob(pattern)]


def _is_code(value: object) -> bool:
    return isinstance(value, str) and CODE.fullmatch(value) is not None and not value.startswith(MEDIA)


def _limits() -> str:
    clocks = ", ".join(f"`{name}`" for name in table.CLOCKS)
    grace = "; ".join(f"`{name}` {'never' if s is None else f'{s:g} s'}" for name, s in table.GRACE.items())
    rates = [[f"`{limit.code}`", limit.each, f"{limit.burst:g}", _rate(limit.rate)] for limit in guard.ALL_LIMITS]
    lines = [
        f"- A message has at most {guard.LARGEST_MESSAGE} bytes; over {guard.LARGEST_FRAME} end the connection.",
        f"- A name is cut to {table.LONGEST_NAME} characters; a salt has at most {table.LONGEST_SALT}.",
        f"- A person has at most {guard.MOST_SOCKETS} connections open; those without a cookie "
        f"have {guard.MOST_SOCKETS_THERE} together at an address.",
        f"- A reader who falls {guard.WAITING} frames behind is dropped (close code {guard.SLOW}), and may come back.",
        f"- Who goes on after {guard.MOST_WARNINGS} answers of `limit/…` is shut out (close code {guard.UNWANTED}).",
        f"- The house pings every {guard.PING_INTERVAL:g} s, and hangs up after {guard.PING_TIMEOUT:g} s of silence.",
        f"- A list has at most {routes.MOST_TABLES} tables, an answer with a replay {routes.MOST_STEPS} steps.",
        f"- A join code has {hub.CODE_LENGTH} characters of `{hub.CODE_LETTERS}`.",
        f"- Clocks: {clocks}. A decision that is late is made by the house.",
        f"- Who is gone for longer than this is played for by the house, by clock: {grace}.",
        f"- A seat changes its mind at most {table.MOST_CHANGES} times a round.",
        f"- Without a clock, time may be called {table.CALLABLE:g} s after a decision opened. The house plays for all "
        f"that are missing {table.NOTICE:g} s later; after {table.MOST_MISSED} such rounds a seat is on standby.",
        f"- All who play may end a pause whose host is gone, or pauses of {table.LONGEST_PAUSE:g} s in a step.",
    ]
    return "\n".join(lines) + "\n\n" + _rows(["code", "for each", "at once", "then"], rates)


def _rate(rate: float) -> str:
    return f"{rate:g} a second" if rate >= 0.1 else f"{rate * guard.HOUR:g} an hour"


if __name__ == "__main__":
    write()
