"""`python -m pokade.analysis.composing GAME`: make a game's problems again."""

import argparse
import json
import lzma
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

from pokade import problems
from pokade.analysis.composing.exact import exact
from pokade.analysis.composing.sampled import GAP, PROVED, SURELY, sampled
from pokade.analysis.composing.selfplay import Row, is_exact, played, sizes_of
from pokade.games import GAMES
from pokade.games.game import Game, Value
from pokade.solver import solver_of

MANY: Final = 400  # problems of a game
MOST: Final = 20_000  # games of self-play that are looked through


def main() -> None:
    """Look for problems until there are enough; a run that was stopped goes on where it was."""
    given = _asked()
    game = GAMES[given.game]
    out = given.out or problems.file_of(game)
    part = out.with_name(f"{out.name}.part")
    until = time.monotonic() + given.seconds if given.seconds else float("inf")
    rows, done = _kept(part)
    for number in count(done):
        if len(_different(rows)) >= given.count or number >= MOST or time.monotonic() > until:
            break
        row = (exact if is_exact(game) else sampled)(played(game, number))
        rows.append(row)
        with part.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
    found = _different(rows)[: given.count]
    if found:
        out.write_bytes(packed(game, found))
    print(f"{game.title}: {len(found)} problems of {len(rows)} games, {out}")  # noqa: T201 - a developer's command


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m pokade.analysis.composing", description=main.__doc__)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--count", type=int, default=MANY)
    parser.add_argument("--seconds", type=float, default=0.0, help="stop after about so long")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def _kept(part: Path) -> tuple[list[Row | None], int]:
    """What was found before, by game, and how many games that were."""
    rows = [json.loads(line) for line in part.read_text("utf-8").splitlines()] if part.exists() else []
    return rows, len(rows)


def _different(rows: list[Row | None]) -> list[Row]:
    """The problems, each once: where the same choices are worth exactly the same, it is the same problem."""
    found: dict[tuple[float, ...], Row] = {}
    for row in rows:
        if row is not None:
            found.setdefault(_key(row), row)
    return list(found.values())


def _key(row: Row) -> tuple[float, ...]:
    return (row["players"], *sorted(value for choice in row["choices"] for value in choice[1:3]))


def packed(game: Game, rows: list[Row]) -> bytes:
    """A file: equal problems give equal bytes."""
    content = {"format": problems.FORMAT, "method": dict(_method(game)), "problems": rows}
    text = json.dumps(content, separators=(",", ":"), sort_keys=True)
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def _method(game: Game) -> Iterator[tuple[str, Value]]:
    """Where the numbers come from."""
    yield "kind", "solution" if is_exact(game) else "playouts"
    if is_exact(game):
        solver = solver_of(game)
        assert solver is not None  # noqa: S101 - an exact game has one
        yield "digest", " ".join(solver.solved(n_seats).digest for n_seats in sizes_of(game))
    else:
        yield "games", PROVED
        yield "gap", str(GAP)
        yield "errors", str(SURELY)


if __name__ == "__main__":
    main()
