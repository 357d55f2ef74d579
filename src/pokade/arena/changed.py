"""What if: a game with other numbers in its rules, for the laboratory only.

The rules file is read again with other constants, as a module of its own, and so are the files of the game that lean on
it: its rules of thumb and its measures. Such a game is in no list, so no table and no record can have it, and its
compiled code is kept apart from that of the real one (`kernel.cache_directory`).
"""

import ast
import importlib
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from pokade.arena.measures import Number, measures_of
from pokade.games.errors import BadRun
from pokade.games.game import Game

FOLDERS: Final = ("pokade.games", "pokade.players", "pokade.arena.measures")  # each leans on those before it


def numbers_of(game: Game) -> dict[str, int]:
    """The numbers that may be changed, as they stand in the rules."""
    rules = sys.modules[game.begin.__module__]
    return {name: _value(rules, number) for name, number in measures_of(game).numbers.items()}


def _value(rules: ModuleType, number: Number) -> int:
    held: Any = getattr(rules, number.constant)
    return int(held[number.places[0]] if number.places else held)


def changes_from(game: Game, texts: Sequence[str]) -> dict[str, int]:
    """Changes that are written NAME=NUMBER; refuses what the game does not offer."""
    known, found = measures_of(game).numbers, dict[str, int]()
    for given in texts:
        name, equals, value = given.partition("=")
        if not equals:
            raise BadRun("change/form", f"a change is written NAME=NUMBER, not {given}", given=given)
        if name not in known:
            has = ", ".join(known) or "–"
            sentence = f"{game.title} has no number {name} to change; it has {has}"
            raise BadRun("change/unknown", sentence, game=game.title, name=name, known=has)
        takes = known[name].takes
        if not (value.isascii() and value.isdigit() and int(value) in takes):
            sentence = f"the number {name} can become {takes[0]} to {takes[-1]}"
            raise BadRun("change/value", sentence, name=name, least=takes[0], most=takes[-1])
        found[name] = int(value)
    return found


def changed(game: Game, changes: Mapping[str, int]) -> Game:
    """The game with these numbers; the game itself if they are its own."""
    now = numbers_of(game)
    other = tuple(sorted((name, value) for name, value in changes.items() if now[name] != value))
    if not other:
        return game
    known = measures_of(game).numbers
    constants = [(known[name], value) for name, value in other]
    named = replace(game, changes=other).file
    for folder in FOLDERS:
        if f"{folder}.{named}" not in sys.modules and importlib.util.find_spec(f"{folder}.{game.name}"):
            _load(folder, game.name, named, constants)
    rules = sys.modules[f"{FOLDERS[0]}.{named}"]
    made: Game = rules.GAME
    if not made.changes:
        rules.GAME = made = replace(made, changes=other)  # type: ignore[attr-defined]  # the module made just now
    return made


def _load(folder: str, name: str, named: str, constants: Sequence[tuple[Number, int]]) -> None:
    """Run a file of the game again, as another module that leans on the other ones."""
    spec = importlib.util.find_spec(f"{folder}.{name}")
    assert spec is not None  # noqa: S101 - it was found just now
    file = Path(str(spec.origin))
    tree = _Other(name, named, constants if folder == FOLDERS[0] else ()).visit(ast.parse(file.read_text("utf-8")))
    module = ModuleType(f"{folder}.{named}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module  # numba finds the functions of its cache by it
    exec(compile(ast.fix_missing_locations(tree), str(file), "exec"), module.__dict__)  # noqa: S102 - our own file


class _Other(ast.NodeTransformer):
    """The same file with other constants, and with imports from the other modules of the game."""

    def __init__(self, name: str, named: str, constants: Sequence[tuple[Number, int]]) -> None:
        self._modules = {f"{folder}.{name}": f"{folder}.{named}" for folder in FOLDERS}
        self._constants = constants

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        node.module = self._modules.get(node.module or "", node.module)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        for number, value in self._constants:
            if isinstance(node.target, ast.Name) and node.target.id == number.constant and node.value is not None:
                node.value = _with_value(node.value, number.places, value)
        return node


def _with_value(held: ast.expr, places: tuple[int, ...], value: int) -> ast.expr:
    """A constant, or the members of a tuple at some places, become the value."""
    if not places:
        return ast.Constant(value)
    assert isinstance(held, ast.Tuple)  # noqa: S101 - a number with places is one of a tuple that is written out
    members = [ast.Constant(value) if place in places else member for place, member in enumerate(held.elts)]
    return ast.Tuple(members, ast.Load())
