"""The types of a web client, made from the messages, the frames and the rules: web/src/protocol.ts.

What only one game needs, the numbers that its rules go by, has a file in that game's folder.
"""

import json
import sys
from collections.abc import Iterable
from typing import Any, Final

from pydantic import TypeAdapter

from pokade.games import GAMES
from pokade.games.game import Game, Option
from pokade.games.play import Play
from pokade.games.state import WATCHER
from pokade.server.network.messages.answers import ANSWERS
from pokade.server.network.messages.said import SAID, Chat, Guest, NewTable
from pokade.server.network.messages.sent import Sent
from pokade.server.network.messages.values import BY_GAME
from pokade.server.table.terms import CLOCKS, LONGEST_NAME, NOTICE, PACES
from pokade.server.views.frames import shown
from pokade.texts import LANGUAGES

Schema = dict[str, Any]
HEADER: Final = "// Made by `python -m docs.protocol` (`make docs`) from the server's own definitions. Do not edit."
NAMES: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
GENERIC: Final = "<G extends GameName = GameName>"
MAPS: Final = """
export type GameName = keyof typeof GAMES;

/** Values of the options, by game. */
export type GameOptions = {
  [G in GameName]: { [O in keyof Options<G>]: OptionValue<Options<G>[O]> };
};

type Options<G extends GameName> = (typeof GAMES)[G]["options"];
type OptionValue<O> = O extends { values: readonly (infer V)[] } ? V : number;

/** An event: its name and its numbers, whose kinds stand in GAMES (0 where one says nothing). */
export type Told<G extends GameName = GameName> = [
  event: { [K in G]: keyof (typeof GAMES)[K]["events"] }[G],
  who: number,
  what: number,
  more: number,
];
"""


def typescript() -> str:
    """The whole file; equal definitions give equal text."""
    said, sent = SAID.json_schema(), TypeAdapter(Sent).json_schema()
    extra = _definitions(TypeAdapter(answer).json_schema() for answer in ANSWERS.values())
    asked = {model.__name__: model.model_json_schema() for model in (Guest, NewTable)}
    frames = sent["$defs"] | extra
    parts = [HEADER, _server(), _games(), MAPS.strip(), _states(), *_interfaces(asked), *_interfaces(said["$defs"])]
    parts += [_union("Message", "Everything a client may say at a table.", said, set())]
    parts += [*_interfaces(frames), _union("Frame", "Everything the server sends.", sent, _generics(frames))]
    return "\n\n".join(parts) + "\n"


def constants(game: Game) -> str:
    """What the rules of a game call by a name in capitals: values, phases, encodings. Events are sent by name."""
    told = {event.name.upper() for event in game.events}
    named = vars(sys.modules[game.state.__module__]).items()
    found = {name: value for name, value in named if name[0] != "_" and name.isupper() and _is_plain(value)}
    lines = [
        f"export const {name} = {json.dumps(value)}{_frozen(value)};"
        for name, value in found.items()
        if name not in told
    ]
    return "\n".join([HEADER, f"/** What the rules of {game.title} go by, under their own names. */", *lines]) + "\n"


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_is_plain(member) for member in value)
    return type(value) in (int, str)


def _frozen(value: object) -> str:
    return " as const" if isinstance(value, tuple) else ""


def _server() -> str:
    """What holds for the whole server."""
    line = Chat.model_json_schema()["properties"]["text"]["maxLength"]
    clocks = {name: clock.seconds or 0 for name, clock in CLOCKS.items()}
    return "\n".join(
        [
            "/** How long a choice may take, in seconds; 0 is no clock. */",
            f"export const CLOCKS = {json.dumps(clocks)} as const;",
            "/** How long pauses and movements take, by the usual time. */",
            f"export const PACES = {json.dumps(PACES)} as const;",
            "/** How many seconds a call of time leaves everybody. */",
            f"export const NOTICE = {NOTICE:g};",
            "/** How many letters there may be. */",
            f"export const LONGEST = {json.dumps({'name': LONGEST_NAME, 'line': line})} as const;",
            f"export const WATCHER = {WATCHER}; // the seat of a view of somebody without a seat",
            f"export const LANGUAGES = {json.dumps(LANGUAGES)} as const;",
        ]
    )


def _games() -> str:
    facts = {game.name: _facts(game) for game in GAMES.values()}
    text = "/** The games: seats, options, endings by number, and what the numbers of their events are. */\n"
    return text + f"export const GAMES = {_literal(facts)} as const;"


def _literal(value: object, depth: int = 0) -> str:
    """A value as TypeScript: what a game says on lines of their own, down to single options and events."""
    if depth > 2 or not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    margin = "  " * depth
    lines = [f"{margin}  {key}: {_literal(member, depth + 1)}," for key, member in value.items()]
    return "\n".join(["{", *lines, margin + "}"])


def _facts(game: Game) -> Schema:
    return {
        "title": game.title,
        "seats": {"least": game.seats[0], "most": game.seats[-1], "usual": game.usual_seats},
        "options": {option.name: option_facts(option, game.seats) for option in game.options},
        "endings": game.endings,
        "events": {event.name: [event.who, event.what, event.more] for event in game.events},
    }


def option_facts(option: Option, seats: range) -> Schema:
    """What an option takes at any number of seats, and what it takes and is by number of seats."""
    taken = {n: option.takes(n) for n in seats}
    defaults = {n: option.default(n) for n in seats}
    first = taken[seats[0]]
    if isinstance(first, range):
        return {"least": first[0], "most": first[-1], "default": defaults}
    values = dict.fromkeys(value for values in taken.values() for value in values)
    return {"values": list(values), "takes": taken, "default": defaults}


def cells(game: Game) -> dict[str, str]:
    """The cells that a view of a game has, by name, with their shape as a type."""
    state = shown(Play(game, game.seats[0]).view(WATCHER))["state"]
    return {name: _shape(value) for name, value in state.items()}


def _shape(value: object) -> str:
    return _shape(value[0]) + "[]" if isinstance(value, list) else "number"


def _states() -> str:
    lines = ["/** The cells of a view, by game. */", "export interface GameStates {"]
    for game in GAMES.values():
        fields = [f"    {name}: {shape};" for name, shape in cells(game).items()]
        lines += [f"  {game.name}: {{", *fields, "  };"]
    return "\n".join([*lines, "}"])


def _definitions(schemas: Iterable[Schema]) -> dict[str, Schema]:
    """The named objects of some schemas."""
    found: dict[str, Schema] = {}
    for schema in schemas:
        found |= schema.get("$defs", {})
        if schema.get("type") == "object":
            found[schema["title"]] = schema
    return found


def _interfaces(definitions: dict[str, Schema]) -> list[str]:
    generics = _generics(definitions)
    return [_interface(name, schema, generics) for name, schema in definitions.items()]


def _generics(definitions: dict[str, Schema]) -> set[str]:
    """The definitions that differ from game to game, by themselves or through another one."""
    found: set[str] = set()
    while True:
        marks = {f'#/$defs/{name}"' for name in found} | {f'"{BY_GAME}"'}
        more = {name for name, schema in definitions.items() if any(mark in json.dumps(schema) for mark in marks)}
        if more == found:
            return found
        found = more


def _interface(name: str, schema: Schema, generics: set[str]) -> str:
    head = f"/** {schema['description']} */\nexport interface {name}{GENERIC if name in generics else ''} {{"
    lines = [head]
    for key, value in schema["properties"].items():
        if "description" in value:
            lines.append(f"  /** {value['description']} */")
        optional = "" if key in schema.get("required", ()) else "?"
        lines.append(f"  {key}{optional}: {type_of(value, generics)};")
    return "\n".join([*lines, "}"])


def _union(name: str, sentence: str, schema: Schema, generics: set[str]) -> str:
    members = [type_of(member, generics) for member in schema["oneOf"]]
    generic = GENERIC if generics else ""
    return f"/** {sentence} */\nexport type {name}{generic} =\n  | " + "\n  | ".join(members) + ";"


def type_of(schema: Schema, generics: Iterable[str] = ()) -> str:
    """A JSON schema as a TypeScript type."""
    if BY_GAME in schema:
        return str(schema[BY_GAME])
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"{name}<G>" if name in generics else name
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema:
        return " | ".join(type_of(member, generics) for member in schema["anyOf"])
    if "prefixItems" in schema:
        return "[" + ", ".join(type_of(member, generics) for member in schema["prefixItems"]) + "]"
    if schema["type"] == "array":
        return _list(type_of(schema["items"], generics))
    if schema["type"] == "object":
        return f"Record<string, {type_of(schema['additionalProperties'], generics)}>"
    return NAMES[schema["type"]]


def _list(item: str) -> str:
    return f"({item})[]" if " " in item else f"{item}[]"
