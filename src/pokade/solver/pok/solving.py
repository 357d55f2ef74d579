"""Solves POK position by position, those with the fewest counters first, on as many threads or machines as wanted.

What is done is kept in a file beside the one that is to be written, position by position, so that a run that was ended
goes on where it was. Same settings, same bytes.
"""

import hashlib
import itertools
import json
from collections.abc import Callable, Iterator
from math import log
from pathlib import Path
from typing import Any, Final

import numpy as np

from pokade.arena.kernel import compiled
from pokade.arena.runs import Workers, in_order
from pokade.games.errors import Unsolved
from pokade.games.pok import GAME, SEATS, SYMBOLS, finish_round
from pokade.solver.pok.files import FORMAT, Solved, written
from pokade.solver.pok.hands import THROWS, Hands, faces, kinds, left, positions
from pokade.solver.pok.limited import solve_with, stopped
from pokade.solver.pok.loops import UNIT, solve_position
from pokade.solver.pok.settling import FAILED
from pokade.solver.pok.worths import Floats, Worths

LAST: Final = 1e-8  # the end of every path, see path.py
MOST_MARKS: Final = len(THROWS) * (1 + (SYMBOLS - 1) * SEATS)


def _code() -> str:
    """A digest of the solver and the rules: what other code has solved is solved again."""
    here, rules = Path(__file__).parent, Path(finish_round.__code__.co_filename)
    files = [*sorted(here.glob("*.py")), rules]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]


class Solving:
    """The work of solving a game for a number of players."""

    def __init__(self, n_seats: int, out: Path) -> None:
        self.n_seats, self.out = n_seats, out
        self.kept = out.with_name(out.name + ".part")
        self.positions = positions(n_seats)
        self.settings: dict[str, float] = {"end": LAST}
        self.worths = Worths(n_seats)
        self.solved: list[Solved] = []
        self._faces = np.array(faces(), np.float64)

    def __getstate__(self) -> dict[str, Any]:
        """For other machines, which need to know what positions are worth, and not how they were solved."""
        return {**self.__dict__, "solved": []}

    def run(self, workers: int | Workers, progress: Callable[[int], None]) -> None:
        """Solve what is not solved yet, then write the file."""
        self._go_on()
        with self.kept.open("a", encoding="utf-8") as kept:
            for solved in self._solutions(workers):
                self._add(solved)
                json.dump([solved.worths, solved.marks.tolist()], kept, separators=(",", ":"))
                kept.write("\n")
                kept.flush()
                progress(len(self.solved))
        self.out.write_bytes(written(self.n_seats, self.solved, self.settings))
        self.kept.unlink()

    def _go_on(self) -> None:
        """Take what an earlier run has solved, as far as it is whole."""
        heading = json.dumps({"format": FORMAT, "players": self.n_seats, "settings": self.settings, "code": _code()})
        lines = self.kept.read_text("utf-8").split("\n") if self.kept.exists() else []
        done = lines[1:-1] if lines[:1] == [heading] else []
        for line in done:
            worths, marks = json.loads(line)
            self._add(Solved(tuple(worths), np.array(marks, np.uint16)))
        self.kept.write_text("\n".join([heading, *done, ""]), "utf-8")

    def _add(self, solved: Solved) -> None:
        self.worths.learn(self.positions[len(self.solved)], solved.worths)
        self.solved.append(solved)

    def _solutions(self, workers: int | Workers) -> Iterator[Solved]:
        """Level by level: positions with the same number of counters do not lead to each other."""
        rest = self.positions[len(self.solved) :]
        for _, level in itertools.groupby(rest, key=lambda position: sum(map(left, position))):
            yield from in_order(self.solve, list(level), workers)

    def solve(self, position: Hands) -> Solved:
        """One position, when all that it leads to are solved."""
        worths, marks = np.zeros(self.n_seats), np.zeros(MOST_MARKS, np.int64)
        loop = compiled(solve_position, GAME)
        count = loop(
            self.worths.for_one_thread(), np.array(position), self._faces, log(self.settings["end"]), worths, marks
        )
        if count == FAILED:
            sentence = f"no path leads to an equilibrium of {position}"
            raise Unsolved("solution/unsolved", sentence, position=str(position))
        return Solved(_units(position, worths), marks[:count].astype(np.uint16))


class LimitedSolving(Solving):
    """The same with a limit of rounds: all positions with one round left, then with two, and so on."""

    def __init__(self, n_seats: int, out: Path, max_rounds: int) -> None:
        super().__init__(n_seats, out)
        self.settings["max_rounds"] = max_rounds
        self._every = self.positions
        self.positions = self._every * max_rounds
        self.worths, self._next = stopped(n_seats), Worths(n_seats)

    def _add(self, solved: Solved) -> None:
        self._next.learn(self.positions[len(self.solved)], solved.worths)
        self.solved.append(solved)
        if len(self.solved) % len(self._every) == 0:
            self.worths, self._next = self._next, Worths(self.n_seats)

    def _solutions(self, workers: int | Workers) -> Iterator[Solved]:
        while len(self.solved) < len(self.positions):
            yield from in_order(self.solve, self._every[len(self.solved) % len(self._every) :], workers)

    def solve(self, position: Hands) -> Solved:
        """One position, when all are solved with a round less."""
        return Solved(_units(position, solve_with(self.worths, position, self._faces)[1]), np.zeros(0, np.uint16))


def _units(position: Hands, worths: Floats) -> tuple[int, ...]:
    """The worth of each kind but the last, as it is kept."""
    units = [round(worth * UNIT) for worth in worths[: len(kinds(position)) - 1].tolist()]
    return tuple(min(max(worth, 0), UNIT - 1) for worth in units)
