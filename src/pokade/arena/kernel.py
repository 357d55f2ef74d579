"""The only place that compiles: the same rule functions, over a numpy record made from the same state class.

A state is one record of 64-bit integers, so it can also be read as one flat array: views are masked there, from the
same answer of `sees` that plain views are made with. The compiled loops stand in `loops.py`.
"""

import contextlib
import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, register_jitable
from numpy.typing import NDArray

from pokade.arena.draws import below
from pokade.folders import cache_folder
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.games.state import RULES, columns, sees
from pokade.players import Policy, policy

Ints = NDArray[np.int64]

_STALE: Final = 30 * 24 * 3600  # seconds after which the compiled code of other rules is thrown away


def cache_directory(sources: Sequence[Path], home: Path | None = None, changes: str = "") -> Path:
    """Where compiled code is kept: a directory whose name holds a digest of every source that goes into the code.

    Rules with other numbers come from the same sources, so `changes` tells their code apart.

    Numba does not see a change in another file, and would go on playing the old rules.
    """
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {np.__version__} {platform.machine()}".encode())
    for source in sorted(sources):
        digest.update(source.read_bytes())
    digest.update(changes.encode())
    name = f"compiled-{digest.hexdigest()[:16]}"
    try:
        directory = (home or cache_folder()) / name
        directory.mkdir(parents=True, exist_ok=True)
    except OSError:  # no home, or one that can't be written
        directory = _own_temporary_folder() / name
        directory.mkdir(exist_ok=True)
    os.utime(directory)
    _forget_stale(directory)
    return directory


def _own_temporary_folder() -> Path:
    """The same one each time, unless somebody else has taken its name: what lies in it is executed."""
    user = os.getuid() if hasattr(os, "getuid") else ""  # where there are no numbers, the folder of a user is their own
    folder = Path(tempfile.gettempdir()) / f"pokade-{user}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    is_ours = stat.S_ISDIR(found.st_mode) and (user == "" or (found.st_uid == user and not found.st_mode & 0o022))
    return folder if is_ours else Path(tempfile.mkdtemp(prefix="pokade-"))


def _forget_stale(directory: Path) -> None:
    for other in directory.parent.glob("compiled-*"):
        if other != directory and other.stat().st_mtime < time.time() - _STALE:
            shutil.rmtree(other, ignore_errors=True)


def _sources(game: Game, near: Iterable[Path]) -> list[Path]:
    """Every file whose change changes the compiled code: all rules, this one, and what is near the function."""
    rules = Path(sees.__code__.co_filename).parent
    thumb = Path(policy.__code__.co_filename).with_name(f"{game.name}.py")
    found = {Path(function.__code__.co_filename) for function in (game.turn, below, compiled.__wrapped__)}
    return sorted({thumb, *found, *rules.glob("*.py"), *near})


def _near(game: Game, mind: Callable[..., Any]) -> list[Path]:
    """A mind may lean on its neighbours and on those of its game's folder, but not on what another game has."""
    file = Path(mind.__code__.co_filename)
    folder = file.parent.parent if file.parent.name in GAMES else file.parent
    others = {place for name in GAMES.keys() - {game.name} for place in (name, f"{name}.py")}
    return [file for file in folder.rglob("*.py") if file.relative_to(folder).parts[0] not in others]


_registered: set[Callable[..., Any]] = set()


def _register() -> None:
    """Let numba compile every rule function that has been imported so far."""
    for function in RULES:
        if function not in _registered:
            register_jitable(function)
            _registered.add(function)


def record_type(game: Game) -> np.dtype[Any]:
    """A numpy record with the fields of the game's state."""
    return np.dtype([(c.name, np.int64, c.shape) for c in columns(game.state)])


def cell_of(game: Game, name: str) -> int:
    """Where in the flat record a field begins."""
    cell = 0
    for column in columns(game.state):
        if column.name == name:
            break
        cell += column.cells
    return cell


@cache
def visible(game: Game) -> NDArray[np.bool_]:
    """For every seat and cell of the flat record (but the events): may that seat, with perfect recall, see it?"""
    rows = []
    for seat in range(game.seats[-1]):
        cells: list[bool] = []
        for column in columns(game.state)[:-1]:
            length = column.shape[0] if column.shape else 1
            for row in range(length):
                cells += [sees(column, seat, row, recall=True)] * (column.cells // length)
        rows.append(cells)
    return np.array(rows)


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    made: Callable[..., Any] = numba.njit(nogil=True, cache=True)(function)
    return made


_making = threading.RLock()  # numba's place for compiled code is one for all threads


@cache
def compiled(function: Callable[..., Any], game: Game) -> Callable[..., Any]:
    """Compiles a function that stands elsewhere, such as a search; its file may lean on those in the same folder."""
    with _making:
        _prepare(game, _near(game, function))
        return _compiled(function)


@cache
def loop(make: Callable[[Game], Callable[..., Any]], game: Game, *near: Path) -> Callable[..., Any]:
    """Compiles a loop over the rules of a game; its file may lean on functions marked as rules, and on files named."""
    with _making:
        leant_on = [value for value in make.__globals__.values() if getattr(value, "__code__", None) and value in RULES]
        _prepare(game, [*(Path(function.__code__.co_filename) for function in (make, *leant_on)), *near])
        return _compiled(make(game))


@cache
def address_of(decide: Policy, game: Game) -> int:
    """Compiles a rule of thumb by itself; `asked` calls what lies at this address."""
    with _making:
        _prepare(game, _near(game, decide))
        form = types.int64(numba.from_dtype(record_type(game)), types.int64, types.int64)
        made: Any = numba.cfunc(form, cache=True)(decide)
        _kept.append(made)
        return int(made.address)


_kept: list[Any] = []  # what lies at an address that somebody may call


def _call(_: Any, address: Any, view: Any, seat: Any, luck: Any) -> Any:
    """How to call a rule of thumb, as numba wants to be told."""
    form = types.int64(types.int64, view, types.int64, types.int64)

    def write(_context: Any, builder: Any, _form: Any, given: Any) -> Any:
        place, *rest = given
        kind = ir.FunctionType(place.type, [value.type for value in rest])
        return builder.call(builder.inttoptr(place, kind.as_pointer()), rest)

    return form, write


# `asked(address, view, seat, luck)`: the choice of the rule of thumb at an address. One loop seats all kinds by it.
asked: Any = intrinsic(_call)


def _prepare(game: Game, near: Iterable[Path]) -> None:
    """Tell numba what it may compile, and where to keep it."""
    _register()
    numba.config.CACHE_DIR = str(  # type: ignore[attr-defined]  # numba makes its settings at run time
        cache_directory(_sources(game, near), changes=repr(game.changes) if game.changes else "")
    )


def compile_for(kernel: Any, *given: Any) -> None:
    """Compile for what will be given, or load it: now, and not at the first call."""
    kernel.compile(tuple(numba.typeof(value) for value in given))  # type: ignore[no-untyped-call]
