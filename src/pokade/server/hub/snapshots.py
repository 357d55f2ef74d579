"""A folded table as bytes, so that nobody has to fold a long log from its beginning.

A snapshot is a cache: it follows from the log, and is ignored wherever another program made it. All fields of a table,
of its game and of its audience are in it, found by their declarations; what they are made of is read from their types.
"""

import hashlib
import types
from collections.abc import Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import orjson

from pokade.games import GAMES
from pokade.games.play import Play
from pokade.server.table.lessons import Script
from pokade.server.views.frames import Audience

EVERY: Final = 400  # events, after which the next snapshot is stored
ROW: Final = 500  # values
_PACKAGES: Final = ("pokade.games", "pokade.server.table", "pokade.server.table.lessons", "pokade.server.views")
_PLAIN: Final = (Any, int, float, str, bool, type(None))


@cache
def maker() -> str:
    """Changes with every program that may fold a log otherwise, or writes snapshots otherwise."""
    sources = [file for package in _PACKAGES for file in files(package).iterdir()]
    sources = [file for file in sources if file.name.endswith((".py", ".toml"))]
    sources.append(files("pokade.server.hub").joinpath("snapshots.py"))
    digests = sorted(file.name + hashlib.sha256(file.read_bytes()).hexdigest() for file in sources)
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]


def frozen(audience: Audience) -> bytes:
    """A folded table and what everybody has been told of it."""
    options = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_NON_STR_KEYS
    return orjson.dumps(audience, default=_as_plain, option=options)


def _as_plain(value: Any) -> Any:
    """What JSON has no words for."""
    if isinstance(value, Script):
        return value.data()
    if isinstance(value, Play):
        return {"game": value.game.name, "state": value.state, "steps": _rows(value.steps)}
    if is_dataclass(value):
        cls: Any = type(value)
        return {field.name: getattr(value, field.name) for field in _kept(cls)}
    if isinstance(value, set | frozenset):
        return _rows(list(value))
    raise TypeError(f"a snapshot can't hold {type(value).__name__}")


@cache
def _kept(cls: Any) -> list[Field[Any]]:
    return [field for field in fields(cls) if not field.metadata.get("apart")]


def _rows(values: list[Any]) -> list[str]:
    """What grows with a game, in rows that are parsed one by one: other threads have their turn between."""
    return [orjson.dumps(values[at : at + ROW], default=_as_plain).decode() for at in range(0, len(values), ROW)]


def _of_rows(rows: list[str]) -> Iterator[Any]:
    for row in rows:
        yield from orjson.loads(row)


def thawed(raw: bytes) -> Audience:
    """The audience that was frozen."""
    audience: Audience = _thaw(Audience)(orjson.loads(raw))
    return audience


@cache
def _thaw(hint: Any) -> Any:
    """What makes a value of a type from plain values."""
    origin, args = get_origin(hint), get_args(hint)
    if hint in _PLAIN or origin is Literal:
        return _itself
    if hint is Script:
        return Script.of
    if hint is Play:
        return _play
    if is_dataclass(hint):
        return _dataclass(hint)
    if origin in (types.UnionType, Union):
        return _optional(*[_thaw(arg) for arg in args if arg is not type(None)])
    return _collection(hint, origin, args)


def _itself(value: Any) -> Any:
    return value


def _optional(inner: Any) -> Any:
    return lambda value: None if value is None else inner(value)


def _dataclass(cls: Any) -> Any:
    """All fields as they were, whatever the constructor would have made of them."""
    hints, kept = get_type_hints(cls), _kept(cls)
    makers = {field.name: _thaw(hints[field.name]) for field in kept}
    own = {field.name: field.default for field in fields(cls) if field not in kept}

    def made(value: Any) -> Any:
        one = cls.__new__(cls)
        for name, make in makers.items():
            object.__setattr__(one, name, make(value[name]))
        for name, default in own.items():
            object.__setattr__(one, name, default)
        return one

    return made


def _collection(hint: Any, origin: Any, args: tuple[Any, ...]) -> Any:
    if origin in (dict, Mapping):
        key, inner = (int if args[0] is int else str), _thaw(args[1])
        return lambda value: {key(name): inner(one) for name, one in value.items()}
    if origin is tuple and args[-1] is not Ellipsis:
        inners = [_thaw(arg) for arg in args]
        if all(inner is _itself for inner in inners):
            return tuple
        return lambda value: tuple(inner(one) for inner, one in zip(inners, value, strict=True))
    if origin in (list, tuple):
        inner = _thaw(args[0])
        return _itself if hint == list[int] else lambda value: origin(map(inner, value))
    if origin in (set, frozenset):
        inner = _thaw(args[0])
        return lambda value: origin(map(inner, _of_rows(value)))
    raise TypeError(f"a snapshot can't hold {hint}")


def _play(value: Any) -> Play:
    play = Play.__new__(Play)
    play.game = GAMES[value["game"]]
    state: Any = play.game.state
    play.state = _thaw(state)(value["state"])
    play.steps = list(map(tuple, _of_rows(value["steps"])))
    return play
