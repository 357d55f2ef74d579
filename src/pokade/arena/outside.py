"""Players from files outside the project: FILE.py:NAME is a function, a class, or an object that can be called.

FILE.npz is a player that has learnt: by `pokade exploit` or by `pokade train`.

A file may do what a script in its place could: import its neighbours, define dataclasses, use numba's cache. What it
returns is checked here, so that its mistake is told as its own.
"""

import hashlib
import importlib.util
import operator
import sys
import sysconfig
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from pokade.games.errors import BadPlayer
from pokade.games.play import View
from pokade.games.state import RULES
from pokade.players import CASUAL, PLAYERS, TEMPERS, Player, Policy, by_policy, is_player, source_of
from pokade.records import one_line

FORM: Final = "FILE.py:FUNCTION"  # how a player of a file is named
USUAL: Final = "choose"  # the function of a file that is named without one
LEARNT: Final = ".npz"  # the ending of players that have learnt
LONGEST: Final = 80  # letters of a value that are shown
_PACKAGE: Final = Path(__file__).parents[1]


class Outsider:
    """A player that is not ours: what it returns may be any kind of integer, and must be one of the view's choices."""

    def __init__(self, name: str, decide: Player, file: Path | None = None, policy: Policy | None = None) -> None:
        self.name, self._decide, self._file = name, decide, file
        self.policy = policy  # a function written like a rule, which compiled games can ask

    def __call__(self, view: View) -> int:
        allowed = view.choices  # before it gets the view, which it may scribble on
        try:
            given: Any = self._decide(view)
        except (Exception, SystemExit) as error:
            raise _raised(self.name, f"p{view.seat + 1}", error) from error
        try:
            choice = operator.index(given)
        except TypeError:
            choice = None
        if choice is None or choice not in allowed:
            raise _not_allowed(self.name, f"p{view.seat + 1}", given, allowed, is_integer=choice is not None)
        return int(choice)

    @property
    def digest(self) -> str:
        """What changes when the player's file changes, or one beside it that it has imported."""
        files = sorted({self._file, *_imported(self._file.parent)}) if self._file else []
        return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]


def checked(who: Player, name: str = "") -> Outsider:
    """A player from outside whose answers are checked."""
    return who if isinstance(who, Outsider) else Outsider(name or getattr(who, "__name__", "player"), who)


def outsider(name: str) -> Outsider | None:
    """The player of a file; None if the name is a built-in player's. Refuses every other name."""
    if is_player(name):
        return None
    file, function = _parts(name)
    path = Path(file).resolve()
    if not path.is_file():
        raise BadPlayer("player/file", f"there is no file {file}", file=file)
    if path.suffix == LEARNT:
        return Outsider(name, _learnt(path), path)
    if path.suffix != ".py":
        raise BadPlayer("player/python", f"{file} is not a Python file", file=file)
    found = getattr(_loaded(name, path), function, None)
    if not callable(found):
        raise BadPlayer("player/function", f"{file} has no function {function}", file=file, function=function)
    if found in RULES:
        return by_rule(name, found, path)
    return Outsider(name, _made(name, found) if isinstance(found, type) else found, path)


def _learnt(path: Path) -> Player:
    """A player of arrays: a network of self-play, or a best response."""
    from pokade.arena.exploit.trained import load as load_response  # noqa: PLC0415 - loads the compiler: a moment
    from pokade.arena.learned.player import is_learned, load  # noqa: PLC0415 - as above

    return load(path) if is_learned(path) else load_response(path)


def by_rule(name: str, decide: Policy, file: Path | None = None) -> Outsider:
    """A player of a function that is written like a rule of thumb: (view's state, seat, luck) to a choice."""
    return Outsider(name, by_policy(decide, source_of(name)), file, decide)


def _made(name: str, kind: Callable[[], Any]) -> Player:
    """One object of a class, which is asked for every choice."""
    try:
        made = kind()
    except (Exception, SystemExit) as error:
        why = described(error)
        raise BadPlayer("player/made", f"{name} could not be made: {why}", player=name, why=why) from error
    if not callable(made):
        sentence = f"{name} is a class without __call__(self, view), so it can't be asked for a choice"
        raise BadPlayer("player/class", sentence, player=name)
    player: Player = made
    return player


def _parts(name: str) -> tuple[str, str]:
    """The file and the function that a name means."""
    if name.endswith((".py", LEARNT)):
        return name, USUAL
    file, colon, function = name.rpartition(":")
    if not colon:
        known, tempered = ", ".join(PLAYERS), f"{CASUAL}-{TEMPERS[0]}"
        sentence = f"no player {name}; there are {known} (with a temper if you like: {tempered}) and {FORM}"
        raise BadPlayer("player/unknown", sentence, player=name, known=known, tempered=tempered, form=FORM)
    return file, function


def _loaded(name: str, path: Path) -> ModuleType:
    try:
        return _module(path, path.read_bytes())
    except (Exception, SystemExit) as error:
        why = described(error)
        raise BadPlayer("player/loaded", f"{name} could not be loaded: {why}", player=name, why=why) from error


@cache
def _module(path: Path, content: bytes) -> ModuleType:
    """The file as a module, once for all the players in it; `content` tells a changed file from the one before."""
    _go_first(path.parent)
    name = _free_name(path)
    _bots[name] = path
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None  # noqa: PT018, S101 - it is a Python file
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles look there for what is defined in the file
    spec.loader.exec_module(module)
    return module


_bots: Final[dict[str, Path]] = {}  # the modules made of bot files


def _go_first(folder: Path) -> None:
    """Imports look in the bot's folder before all packages, and take no neighbour of another bot for one here.

    The standard library comes first: a bot called random.py must not be what other processes import as `random`.
    """
    others = {path.parent for path in _bots.values()} - {folder}
    for name, module in list(sys.modules.items()):
        file = Path(getattr(module, "__file__", None) or "/")
        if name not in _bots and others & set(file.parents) and _has(folder, name.partition(".")[0]):
            del sys.modules[name]
    places = [place for place in sys.path if place != str(folder)]
    library = [at for at, place in enumerate(places) if place == sysconfig.get_path("stdlib")]
    first = library[-1] + 1 if library else 0
    sys.path[:] = [*places[:first], str(folder), *places[first:]]


def _has(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or (folder / name).is_dir()


def _free_name(path: Path) -> str:
    """The name of the file, unless another module has it."""
    is_taken = path.stem in sys.modules or path.stem in sys.stdlib_module_names
    if _bots.get(path.stem) == path or not is_taken:
        return path.stem
    return f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"


def _imported(folder: Path) -> list[Path]:
    """The files of a folder that have been imported."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return [Path(file) for file in files if file and folder in Path(file).parents and Path(file).is_file()]


def _raised(player: str, seat: str, error: BaseException) -> BadPlayer:
    why = described(error)
    return BadPlayer("player/raised", f"{player} ({seat}) raised {why}", player=player, seat=seat, why=why)


def _not_allowed(player: str, seat: str, given: object, allowed: list[int], *, is_integer: bool) -> BadPlayer:
    choice, listed = _short(given), ", ".join(map(str, allowed))
    if is_integer:
        sentence = f"{player} ({seat}) chose {choice}; allowed: {listed}"
        return BadPlayer("player/choice", sentence, player=player, seat=seat, choice=choice, allowed=listed)
    sentence = f"{player} ({seat}) chose {choice}, which is not an integer; allowed: {listed}"
    return BadPlayer("player/integer", sentence, player=player, seat=seat, choice=choice, allowed=listed)


def _short(value: object) -> str:
    said = one_line(repr(value))
    return said if len(said) <= LONGEST else said[:LONGEST] + "…"


def described(error: BaseException) -> str:
    """An exception in one line: its kind, its words and its place in the bot's own code."""
    words = f"{type(error).__name__}: {_short_words(error)}"
    if isinstance(error, SyntaxError):
        return words
    frames = own_frames(error)
    return f"{words} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else words


def _short_words(error: BaseException) -> str:
    said = one_line(str(error))
    return said if len(said) <= 2 * LONGEST else said[: 2 * LONGEST] + "…"


def own_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The frames of a traceback that are not ours, nor those of the machinery that imports."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if _PACKAGE not in Path(frame.filename).parents and frame.filename[0] != "<"]


def own_traceback(error: BaseException) -> str:
    """What Python would print, with the bot's own frames only."""
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(own_frames(error))]
    return "".join([*lines, *traceback.format_exception_only(error)])
