"""Players by name, the strong ones included: the one door to them for the terminal, the table and the arena.

Where a solution comes with the package, the strong level plays it; elsewhere it searches. The master level does the
same, and leans from it to what answers its rivals, as far as it has read them (`arena/reading/`).
"""

import random
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Final

from pokade.arena import reading
from pokade.games.game import Game
from pokade.games.play import View
from pokade.players import (
    Player,
    Recalling,
    Source,
    is_master,
    is_strong,
    player,
    recalls,
    source_of,
    stand_in,
    tempered,
)

if TYPE_CHECKING:
    from pokade.arena.searching import Search


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a strong player thinks about a choice: so many iterations, or until the time is up.

    With neither it is the arena's own number of iterations, `times` over; games then repeat themselves for a seed.
    """

    iterations: int | None = None
    seconds: float | None = None
    times: float = 1.0


ARENA: Final = Budget()
HASTE: Final = 0.01  # seconds; with less, the clock is read more often


def bot(name: str, game: Game, seed: int | str | Source | None = None, budget: Budget = ARENA) -> Player:
    """A built-in player for one game; with the same seed (and no budget in seconds) it makes the same choices."""
    if not is_strong(name):
        return player(name, game, seed)
    source, temper = source_of(seed), name.partition("-")[2]
    think = read if is_master(name) else thought
    plain = tempered(partial(_by_thinking, think, source, budget), temper, game, source)
    return Recalling(plain) if is_master(name) and reading.has_reader(game) else plain


def _by_thinking(think: Callable[[View, int, Budget], int], source: Source, budget: Budget, view: View) -> int:
    return think(view, source.getrandbits(64), budget)


def read(view: View, luck: int, budget: Budget = ARENA) -> int:
    """What the master level chooses, from a view and the past of its seat; without a past, as the strong level."""
    if not reading.can_read(view):
        return thought(view, luck, budget)
    return drawn(view.choices, reading.chances(view), luck)


def thought(view: View, luck: int, budget: Budget = ARENA) -> int:
    """What the strong level chooses, from a view and nothing else."""
    chances = solution_chances(view)
    if chances is not None:
        return drawn(view.choices, chances, luck)
    with searching(view.game) as search:
        search.look(view.state, view.seat, luck)
        if search.thinks_once:
            search.ponder(1)
        elif budget.seconds is None:
            search.ponder(budget.iterations or max(1, round(search.iterations * budget.times)))
        else:
            until = time.monotonic() + budget.seconds
            step = search.chunk if budget.seconds > HASTE else max(1, search.chunk // 20)
            search.ponder(step)
            while time.monotonic() < until:
                search.ponder(step)
        return search.settle()


def mixed(view: View, seed: int | str, searches: int = 8, draws: int = 25) -> dict[int, float]:
    """How often the strong level makes each choice: by the solution, or so many draws after each of some searches."""
    chances = solution_chances(view)
    if chances is not None:
        return dict(zip(view.choices, chances, strict=True))
    source, found = source_of(seed), dict.fromkeys(view.choices, 0)
    with searching(view.game) as search:
        for _ in range(searches):
            search.look(view.state, view.seat, source.getrandbits(64))
            search.ponder(search.iterations)
            for _ in range(draws):
                found[search.settle()] += 1
    return {choice: count / (searches * draws) for choice, count in found.items()}


def solution_chances(view: View) -> list[float] | None:
    """How likely each of the view's choices is by the solution of the game, if one comes with the package."""
    solver = _solver(view.game)
    found: list[float] | None = solver.chances(view) if solver else None
    return found


def drawn(choices: Sequence[int], chances: Sequence[float], luck: int) -> int:
    """One of the choices, as likely as it should be; the same luck draws the same."""
    return random.Random(luck).choices(choices, chances)[0]


def _solver(game: Game) -> ModuleType | None:
    from pokade.solver import solver_of  # noqa: PLC0415 - loads the compiler, as below

    return None if game.changes else solver_of(game)


def warm(game: Game) -> None:
    """Compile the strong level of a game, or load what was compiled before: seconds, or a moment."""
    solver = _solver(game)
    if solver:
        solver.warm()
    if reading.has_reader(game):
        reading.reader_of(game).warm()
    with searching(game):
        pass


def is_warm(game: Game) -> bool:
    """Has the strong level of a game been compiled or loaded in this process?"""
    return bool(_idle[game.name])


def warm_apart(game: Game) -> None:
    """The same without holding up this process: another process compiles, this one loads."""
    call = [sys.executable, "-m", "pokade.arena.warm", game.name]
    subprocess.run(call, check=False, stdin=subprocess.DEVNULL, capture_output=True)  # noqa: S603 - our own module
    warm(game)


def bot_at_once(name: str, game: Game, seed: int | str | None = None, budget: Budget = ARENA) -> Player:
    """The same for people, who do not want to wait: while the strong level is compiled, the casual one answers.

    With a seed every choice must come again, so then the first one waits.
    """
    strong = bot(name, game, seed, budget)
    if not is_strong(name) or seed is not None:
        return strong
    warming = threading.Thread(target=warm_apart, args=(game,), daemon=True)
    warming.start()
    until_then = player(stand_in(name), game)

    def choose(view: View) -> int:
        return until_then(view) if warming.is_alive() else strong(view)

    return Recalling(choose) if recalls(strong) else choose


_idle: dict[str, list["Search"]] = defaultdict(list)  # searches that nobody uses just now
_room = threading.Lock()


@contextmanager
def searching(game: Game) -> Iterator["Search"]:
    """A search that nobody else uses meanwhile."""
    from pokade.arena.searching import Search  # noqa: PLC0415 - loads the compiler, which takes a moment

    if game.changes:
        raise ValueError(f"the strong level knows {game.title} by its own numbers only")
    with _room:
        search = _idle[game.name].pop() if _idle[game.name] else None
    search = search or Search(game)
    try:
        yield search
    finally:
        with _room:
            _idle[game.name].append(search)
