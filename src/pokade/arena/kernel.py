"""The only place that compiles: the same rule functions, over a numpy record made from the same state class.

A state is one record of 64-bit integers, so it can also be read as one flat array: views are masked there, from the
same answer of `sees` that plain views are made with. Functions here are free to be fast, so they do not check.
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
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from pokade.arena.draws import below, copy_cells, start_stream
from pokade.folders import cache_folder
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.games.state import CHANCE, NOBODY, NOTHING, RULES, UNKNOWN, State, columns, lowest, packed, sees
from pokade.players import LUCK, RANDOM, Policy, policy

Ints = NDArray[np.int64]

WINNERS, ROUNDS, CHOICES, ENDING, POINTS = 0, 1, 2, 3, 4  # what is kept of a game; points fill the rest of the row
GAMES_TOTAL, CHOICES_TOTAL, TIES_TOTAL = 0, 1, 2
WHOLE: Final = 840  # a win in units that every number of winners up to eight divides
SHARES: Final = (0, *(WHOLE // winners for winners in range(1, 9)))
LOWEST_SCORE: Final = -512
KINDS: Final = 4  # of players at one compiled table, random ones apart
TRACED: Final = 2048  # steps of a game that a trace holds
_STALE: Final = 30 * 24 * 3600  # seconds after which the compiled code of other rules is thrown away


def cache_directory(sources: Sequence[Path], home: Path | None = None) -> Path:
    """Where compiled code is kept: a directory whose name holds a digest of every source that goes into the code.

    Numba does not see a change in another file, and would go on playing the old rules.
    """
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {np.__version__} {platform.machine()}".encode())
    for source in sorted(sources):
        digest.update(source.read_bytes())
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


def _sources(game: Game, *minds: Callable[..., Any]) -> list[Path]:
    """Every file whose change changes the compiled code: all rules, the players' minds, and this one."""
    rules = Path(sees.__code__.co_filename).parent
    thumb = Path(policy.__code__.co_filename).with_name(f"{game.name}.py")
    found = {Path(function.__code__.co_filename) for function in (game.turn, below, _playouts)}
    near = {file for mind in minds for file in _near(game, mind)}
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


@register_jitable
def _look(flat: Any, view: Any, seen: Any, seat: int) -> None:
    """What `blinded` does, on the flat record: UNKNOWN in every cell that the seat may not see."""
    for cell in range(seen.shape[1]):
        view[cell] = flat[cell] if seen[seat, cell] else UNKNOWN


@register_jitable
def _no_mind(view: Any, seat: int, luck: int) -> int:
    """Stands where nobody but random players sit."""
    return 0


@register_jitable
def _decided(one: Any, two: Any, three: Any, four: Any, kind: int, view: Any, seat: int, luck: int) -> Any:
    """What one of four kinds of players chooses, counted from 1."""
    if kind == 1:
        return one(view, seat, luck)
    if kind == 2:
        return two(view, seat, luck)
    return three(view, seat, luck) if kind == 3 else four(view, seat, luck)


# The functions below hand numba nothing but module-level functions: only then does its cache know them again.


def _playouts(game: Game, *minds: Policy) -> Callable[..., Any]:
    """Compiles a loop that plays whole games between a few kinds of players and writes down how each went."""
    seated: list[Any] = [*minds, *[_no_mind] * (KINDS - len(minds))]
    one, two, three, four = seated
    turn, tickets, outcome_at, happen = game.turn, game.tickets, game.outcome_at, game.happen
    n_choices, choice_at, choose, points = game.n_choices, game.choice_at, game.choose, game.points

    def play(states: Any, flats: Any, seen: Any, start: Any, kinds: Any, seed: Any, first: int, out: Any) -> None:
        state, view = states[0], states[1]
        flat, view_flat = flats[0], flats[1]
        rng = np.zeros(1, np.uint64)
        for game_number in range(out.shape[0]):
            start_stream(rng, seed, first + game_number)
            copy_cells(start, flat)
            choices = 0
            while True:
                who = turn(state)
                if who == CHANCE:
                    happen(state, outcome_at(state, below(rng, tickets(state))))
                    continue
                if who == NOBODY:
                    break
                for seat in range(state.n_seats):
                    if who >> seat & 1:
                        choices += 1
                        if kinds[seat]:
                            _look(flat, view_flat, seen, seat)
                            choose(
                                state, seat, _decided(one, two, three, four, kinds[seat], view, seat, below(rng, LUCK))
                            )
                        else:
                            choose(state, seat, choice_at(state, seat, below(rng, n_choices(state, seat))))
            row = out[game_number]
            row[WINNERS] = state.winners
            row[ROUNDS] = state.round
            row[CHOICES] = choices
            row[ENDING] = state.ending
            for seat in range(state.n_seats):
                row[POINTS + seat] = points(state, seat)

    return _compiled(play)


def _endings(game: Game, decide: Callable[[Any, int, int], int]) -> Callable[..., Any]:
    """Compiles a loop that plays games to their end from anywhere, some of the next choices given."""
    turn, tickets, outcome_at, happen, choose = game.turn, game.tickets, game.outcome_at, game.happen, game.choose

    def finish(states: Any, flats: Any, seen: Any, starts: Any, given: Any, streams: Any, seed: Any, won: Any) -> None:
        state, view = states[0], states[1]
        flat, view_flat = flats[0], flats[1]
        rng = np.zeros(1, np.uint64)
        for number in range(len(won)):
            start_stream(rng, seed, streams[number])
            copy_cells(starts[number % len(starts)], flat)
            is_next = True
            while True:
                who = turn(state)
                if who == CHANCE:
                    happen(state, outcome_at(state, below(rng, tickets(state))))
                elif who == NOBODY:
                    break
                else:
                    for seat in range(state.n_seats):
                        if who >> seat & 1:
                            _look(flat, view_flat, seen, seat)
                            choice = decide(view, seat, below(rng, LUCK))
                            if is_next and given[number, seat] != NOTHING:
                                choice = given[number, seat]
                            choose(state, seat, choice)
                    is_next = False
            won[number] = state.winners

    return _compiled(finish)


def _traces(game: Game) -> Callable[..., Any]:
    """Compiles a loop that plays one random game and writes down every step and the state after it."""
    turn, tickets, outcome_at, happen = game.turn, game.tickets, game.outcome_at, game.happen
    n_choices, choice_at, choose = game.n_choices, game.choice_at, game.choose

    def trace(states: Any, flats: Any, start: Any, seed: Any, number: int, steps: Any, after: Any) -> int:
        state, flat = states[0], flats[0]
        rng = np.zeros(1, np.uint64)
        start_stream(rng, seed, number)
        copy_cells(start, flat)
        taken = 0
        while True:
            who = turn(state)
            if who == NOBODY or taken + state.n_seats > steps.shape[0]:
                return taken
            for seat in range(state.n_seats):
                if who == CHANCE:
                    if seat > 0:
                        break
                    value = outcome_at(state, below(rng, tickets(state)))
                    happen(state, value)
                elif who >> seat & 1:
                    value = choice_at(state, seat, below(rng, n_choices(state, seat)))
                    choose(state, seat, value)
                else:
                    continue
                steps[taken, 0] = CHANCE if who == CHANCE else seat
                steps[taken, 1] = value
                copy_cells(flat, after[taken])
                taken += 1

    return _compiled(trace)


def _trees(game: Game) -> Callable[..., Any]:
    """Compiles a walk through all that can happen, which counts the positions at every depth."""
    turn, tickets, outcome_at, happen = game.turn, game.tickets, game.outcome_at, game.happen
    n_choices, choice_at, choose = game.n_choices, game.choice_at, game.choose

    def walk(states: Any, flats: Any, due: Any, branches: Any, counts: Any) -> None:
        depth = 0
        while depth >= 0:
            state = states[depth]
            who = due[depth] if due[depth] else turn(state)  # the seats of a sealed round choose in seat order
            seat = lowest(who) if who > 0 else 0
            width = tickets(state) if who == CHANCE else n_choices(state, seat) if who else 0
            branch = branches[depth]
            branches[depth] += 1
            if branch == width or depth == len(counts):
                depth -= 1
                continue
            value = outcome_at(state, branch) if who == CHANCE else choice_at(state, seat, branch)
            if who == CHANCE and branch > 0 and outcome_at(state, branch - 1) == value:
                continue  # tickets of an outcome lie side by side
            copy_cells(flats[depth], flats[depth + 1])
            if who == CHANCE:
                happen(states[depth + 1], value)
            else:
                choose(states[depth + 1], seat, value)
            counts[depth] += 1
            depth += 1
            due[depth] = who & who - 1 if who > 0 else 0
            branches[depth] = 0

    return _compiled(walk)


def _views(game: Game) -> Callable[..., Any]:
    """Compiles the view of a seat, so that it can be compared with the plain one."""

    def look(flat: Any, view: Any, seen: Any, seat: int) -> None:
        _look(flat, view, seen, seat)

    return _compiled(look)


def count(rows: Any, seats: Any, totals: Any, rounds: Any, scores: Any, endings: Any) -> None:
    """Adds finished games to what is counted: integers only, so that the order of adding does not matter."""
    for number in range(rows.shape[0]):
        row = rows[number]
        winners = 0
        for seat in range(seats.shape[1]):
            winners += row[WINNERS] >> seat & 1
        whole_share = SHARES[winners]
        totals[GAMES_TOTAL] += 1
        totals[CHOICES_TOTAL] += row[CHOICES]
        totals[TIES_TOTAL] += 1 if winners > 1 else 0
        rounds[min(row[ROUNDS], len(rounds) - 1)] += 1
        endings[row[ENDING]] += 1
        for seat in range(seats.shape[1]):
            share = whole_share * (row[WINNERS] >> seat & 1)
            points = row[POINTS + seat]
            seats[0, seat] += share
            seats[1, seat] += share * share
            seats[2, seat] += 1 if share == WHOLE else 0
            seats[3, seat] += points
            seats[4, seat] += points * points
            scores[max(0, min(points - LOWEST_SCORE, len(scores) - 1))] += 1


def _counter(game: Game) -> Callable[..., Any]:
    """Compiles the counting."""
    return _compiled(count)


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    made: Callable[..., Any] = numba.njit(nogil=True, cache=True)(function)
    return made


_making = threading.RLock()  # numba's place for compiled code is one for all threads


@cache
def _kernel(make: Callable[..., Any], game: Game, *minds: Policy) -> Callable[..., Any]:
    with _making:
        _prepare(game, *minds or [_no_mind])
        made: Callable[..., Any] = make(game, *minds)
        return made


@cache
def compiled(function: Callable[..., Any], game: Game) -> Callable[..., Any]:
    """Compiles a function that stands elsewhere, such as a search; its file may lean on those in the same folder."""
    with _making:
        _prepare(game, function)
        return _compiled(function)


def _prepare(game: Game, *minds: Callable[..., Any]) -> None:
    """Tell numba what it may compile, and where to keep it."""
    _register()
    numba.config.CACHE_DIR = str(  # type: ignore[attr-defined]  # numba makes its settings at run time
        cache_directory(_sources(game, *minds))
    )


def compile_for(kernel: Any, *given: Any) -> None:
    """Compile for what will be given, or load it: now, and not at the first call."""
    kernel.compile(tuple(numba.typeof(value) for value in given))  # type: ignore[no-untyped-call]


class Arena:
    """One table in the fast carrier: a record for the state, one for a view, and the compiled loops over them."""

    def __init__(self, game: Game, n_seats: int, options: Mapping[str, object] | None = None) -> None:
        self.game, self.n_seats, self.options = game, n_seats, dict(options or {})
        self._states = np.zeros(2, record_type(game))
        self._flats: Ints = self._states.view(np.int64).reshape(2, -1)
        self._seen = visible(game)
        self._start: Ints = np.array(packed(game.new(n_seats, options)), np.int64)

    def __reduce__(self) -> tuple[Any, ...]:
        """What it was made of: arrays that share their memory would come apart in a pickle."""
        return Arena, (self.game, self.n_seats, self.options)

    def play(self, seed: int, first: int, games: int, minds: Sequence[str | Policy]) -> Ints:
        """Play games number `first` … of a run. One row a game.

        `minds` has each seat's built-in player, or a function like theirs that stands in a module.
        """
        kinds = list(dict.fromkeys(mind for mind in minds if mind != RANDOM))
        if len(kinds) > KINDS:
            raise ValueError(f"compiled games seat random players and {KINDS} other kinds")
        out = np.zeros((games, POINTS + self.n_seats), np.int64)
        found = [policy(mind, self.game) if isinstance(mind, str) else mind for mind in kinds]
        kernel = _kernel(_playouts, self.game, *found)
        seated = np.array([0 if mind == RANDOM else 1 + kinds.index(mind) for mind in minds])
        start = self._start[: self._seen.shape[1]].copy()
        start[cell_of(self.game, "unheard")] = 1
        kernel(self._states, self._flats, self._seen, start, seated, np.uint64(seed), first, out)
        return out

    def finish(self, starts: Ints, given: Ints, streams: Ints, seed: int, mind: str) -> Ints:
        """Play games to their end, row by row of `given`, from flat states that are taken in turn; the winners.

        `given` has each seat's next choice, or NOTHING where it is left to the player `mind`; rows with the same number
        in `streams` have the same luck.
        """
        won = np.zeros(len(given), np.int64)
        starts = starts[:, : self._seen.shape[1]].copy()
        starts[:, cell_of(self.game, "unheard")] = 1
        kernel = _kernel(_endings, self.game, policy(mind, self.game))
        kernel(self._states, self._flats, self._seen, starts, given, streams, np.uint64(seed), won)
        return won

    def count(self, rows: Ints, *counts: Ints) -> None:
        """Add finished games to what is counted (see `count`), without holding up other threads."""
        _kernel(_counter, self.game)(rows, *counts)

    @cached_property
    def _paper(self) -> tuple[Ints, Ints]:
        return np.zeros((TRACED, 2), np.int64), np.zeros((TRACED, self._flats.shape[1]), np.int64)

    def trace(self, seed: int, number: int) -> tuple[Ints, Ints]:
        """One random game: its first steps as (actor, value), and the flat state after each, until the next trace."""
        steps, after = self._paper
        kernel = _kernel(_traces, self.game)
        taken = kernel(self._states, self._flats, self._start, np.uint64(seed), number, steps, after)
        return steps[:taken], after[:taken]

    def tree(self, state: State, depth: int) -> list[int]:
        """How many ways there are to go 1, 2 … `depth` steps on from a state: different outcomes, every choice."""
        states = np.zeros(depth + 1, record_type(self.game))
        flats = states.view(np.int64).reshape(depth + 1, -1)
        flats[0] = packed(state)
        counts = np.zeros(depth, np.int64)
        due, branches = np.zeros((2, depth + 1), np.int64)
        _kernel(_trees, self.game)(states, flats, due, branches, counts)
        found: list[int] = counts.tolist()
        return found

    def view(self, flat: Ints, seat: int) -> Ints:
        """The compiled view of a state that `trace` has given, without the events."""
        view: Ints = np.zeros(self._seen.shape[1], np.int64)
        _kernel(_views, self.game)(flat, view, self._seen, seat)
        return view
