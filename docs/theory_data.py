"""The numbers behind docs/theory.md: `python -m docs.theory_data` plays the games again and writes docs/theory.json.

What follows from a solution is worked out; the rest is counted in seeded games, so that the same players give the same
numbers. It takes some minutes of one core for each part; `python -m docs.theory_data skill` does one part again.
"""

import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any, Final

from pokade.arena.bots import bot
from pokade.arena.memory import made
from pokade.arena.search.poch.bidding import fear, prepare_tails
from pokade.arena.search.poch.book import BETTER, read
from pokade.arena.search.poch.memory import FEWEST, KINDS, RUNGS, Table
from pokade.arena.simulate import Match, run
from pokade.chance import Seeded
from pokade.games import GAMES, pokopop
from pokade.games.cards import CARDS, of_rank
from pokade.games.game import Game
from pokade.games.play import Play, View
from pokade.games.poch import HOLD, best_rank
from pokade.games.state import how_many
from pokade.loop import by_view
from pokade.loop import run as steps_of
from pokade.players import player
from pokade.solver.pok.hands import FULL, THROWS, counters, faces, left, positions
from pokade.solver.pok.solution import SIZES, solved

FILE: Final = Path(__file__).with_name("theory.json")
DIGITS: Final = 4
LEVEL: Final = 1  # neither far behind nor far ahead, in the book of bids
SECTION: Final = re.compile(r"^\*\*(.+, \d players)\*\*.*\n\n((?:\|.*\n)+)", re.MULTILINE)
MANY: Final = 200_000  # games between players that need no search
DEALT: Final = 4_000  # games by the plain rules
FEW: Final = 60  # games with players that search


def main() -> None:
    """Work out all parts, or those that are named."""
    found = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    for name in sys.argv[1:] or PARTS:
        began = time.perf_counter()
        found[name] = PARTS[name]()
        FILE.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
        sys.stderr.write(f"{name}: {time.perf_counter() - began:.0f} s\n")


# Solved: how a game opens, and what counters are worth.


def openings() -> dict[str, Any]:
    """By number of players and throw: how often the first counter shown is a disc, a square, a triangle."""
    found = {}
    for n_seats in SIZES:
        strategy = solved(n_seats).strategy(positions(n_seats)[-1])
        found[str(n_seats)] = [
            {"throw": list(throw), "ways": ways, "mixture": [_rounded(x) for x in strategy[at, 0]]}
            for at, (throw, ways) in enumerate(zip(THROWS, faces(), strict=True))
        ]
    return found


def worths() -> dict[str, Any]:
    """What a place in the race is worth, and what a hand of many symbols is worth more than one of few.

    A rival's hand is any of those with so many counters, all equally likely: what is shown is the mean.
    """
    found: dict[str, Any] = {}
    for n_seats in SIZES:
        solution = solved(n_seats)
        hands = {size: [h for h in range(FULL + 1) if left(h) == size] for size in range(2, 7)}
        table = {}
        for mine in range(2, 7):
            for theirs in range(2, 7):
                own = {hand: _mean(solution, hand, hands[theirs], n_seats) for hand in hands[mine]}
                table[f"{mine} {theirs}"] = _rounded(sum(own.values()) / len(own))
        shapes = {}
        for size in range(2, 7):
            for hand in hands[size]:
                held = tuple(sorted(counters(hand), reverse=True))
                if counters(hand) == held:
                    shapes[" ".join(map(str, held))] = _rounded(_mean(solution, hand, hands[size], n_seats))
        found[str(n_seats)] = {"race": table, "shapes": shapes}
    return found


def _mean(solution: Any, own: int, rivals: Sequence[int], n_seats: int) -> float:
    """What a hand is worth against rivals who all hold so many counters, over all such hands."""
    values = [solution.worths.of([own, *others])[own] for others in _tuples(rivals, n_seats - 1)]
    return float(sum(values) / len(values))


def _tuples(rivals: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """All ways in which so many rivals may hold these hands."""
    if count == 0:
        yield ()
        return
    for others in _tuples(rivals, count - 1):
        for hand in rivals:
            yield (*others, hand)


# Counted: how the strong level plays.


def jumps() -> dict[str, Any]:
    """Poko Pop!: how often the strong level jumps, by players, place and card; the last one lies face down."""
    game, found = GAMES["pokopop"], {}
    for n_seats in (3, 4):
        seen, jumped = Counter[str](), Counter[str]()
        for view, choice in _choices(game, n_seats, FEW):
            state = view.state
            if state.phase == pokopop.CHOOSING and state.waits == 0:
                kind = state.row[state.poko]
                value = "down" if kind == pokopop.FACE_DOWN else str(pokopop.VALUES[kind])
                key = f"{state.poko + 1} {value}"
            elif state.phase == pokopop.FINAL_CHOOSING:
                key = "final"
            else:
                continue
            seen[key] += 1
            jumped[key] += choice == pokopop.POKO
        found[str(n_seats)] = {key: [seen[key], _rounded(jumped[key] / seen[key])] for key in sorted(seen)}
    return found


def bids() -> dict[str, Any]:
    """Poch: how the book of the strong level opens, by players, place (the dealer last) and strength of the hand.

    A class of hands is given by its part of all hands, the best first, and by what a hand in its middle holds.
    """
    table, _ = made(Table)
    prepare_tails(table)
    read(table)
    found = {}
    for n_seats in (3, 4, 6):
        edges = (0.0, *BETTER, 1.0)
        example = _examples(table, n_seats, [(low + high) / 2 for low, high in pairwise(edges)])
        for place in range(n_seats):
            book = table.book[0, n_seats - FEWEST, LEVEL, place * (1 + KINDS * len(RUNGS))]
            found[f"{n_seats} {place}"] = _classes(book, list(pairwise(edges)), example)
    return found


def _classes(book: Any, bounds: Sequence[tuple[float, float]], examples: Sequence[str]) -> list[dict[str, Any]]:
    """How often each class opens with a small and with a large bid; a class in which no hands fall is left out."""
    rows: list[dict[str, Any]] = []
    for mixture, (low, high), holds in zip(book, bounds, examples, strict=True):
        if not mixture.any():
            rows[-1]["part"] = _rounded(rows[-1]["part"] + high - low)
            continue
        small = _rounded(_part(mixture, range(HOLD + 1, HOLD + 4)))
        large = _rounded(_part(mixture, range(HOLD + 4, len(mixture))))
        rows.append({"part": _rounded(high - low), "holds": holds, "small": small, "large": large})
    return rows


def _part(mixture: Any, options: range) -> float:
    """How often one of these options is taken, of those that can open: to hold is no option then."""
    often = [0.0 if option == HOLD else float(part) for option, part in enumerate(mixture)]
    return sum(often[option] for option in options) / max(sum(often), 1.0)


def _examples(table: Any, n_seats: int, middles: Sequence[float]) -> list[str]:
    """What hands at these places of all hands hold, the best first: the size and the rank of their best set."""
    source = random.Random(f"theory {n_seats}")
    hands = [sum(1 << dealt for dealt in source.sample(range(CARDS), CARDS // n_seats)) for _ in range(2000)]
    ranked = sorted(hands, key=lambda hand: fear(table, n_seats, hand, 0))
    shown = [ranked[int(middle * len(ranked))] for middle in middles]
    return [f"{how_many(of_rank(hand, best_rank(hand)))} {best_rank(hand)}" for hand in shown]


def _choices(game: Game, n_seats: int, games: int) -> Iterator[tuple[View, int]]:
    """Every choice of some games between strong players, with the view it was made from."""
    for number in range(games):
        play = Play(game, n_seats)
        bots = [bot("strong", game, f"theory {number} {seat}") for seat in range(n_seats)]
        made: list[tuple[View, int]] = []

        def decide(play: Play, seat: int) -> int:
            view = play.view(seat)
            made.append((view, bots[seat](view)))  # noqa: B023 - called before the next game begins
            return made[-1][1]  # noqa: B023 - as above

        for _ in steps_of(play, Seeded(f"theory {number}"), decide):
            pass
        yield from made


# Counted: luck and skill, seats.


def skill() -> dict[str, Any]:
    """By game and number of players: what one player of a level has among players of the level below.

    These games have been played: it is what the matrix of docs/bots.md says.
    """
    found: dict[str, Any] = {}
    for title, table in SECTION.findall((FILE.parent / "bots.md").read_text("utf-8")):
        rows = {row[0]: row[1:] for row in map(_cells, table.splitlines()) if len(row) > 4}
        game, n_seats = title.rpartition(", ")[0], int(title.rpartition(", ")[2].split()[0])
        name = next(game_.name for game_ in GAMES.values() if game_.title == game)
        for level, below, cell in (
            ("novice", "random", rows["random"][1]),
            ("casual", "novice", rows["casual"][0]),
            ("strong", "casual", rows.get("strong", ("", "", ""))[2]),
        ):
            if numbers := re.findall(r"[\d.]+", cell):
                shares = [_rounded(float(number) / 100) for number in numbers[:2]]
                found.setdefault(f"{name} {n_seats}", {})[f"{level} {below}"] = shares
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def seats() -> dict[str, Any]:
    """By game and number of players: each seat's share among equals, counted from the first active player or dealer."""
    found: dict[str, Any] = {}
    for game in GAMES.values():
        for n_seats in sorted({game.seats[0], game.usual_seats}):
            found[f"{game.name} {n_seats}"] = _dealt(game, n_seats) if game.name == "poch" else _fixed(game, n_seats)
    return found


def _fixed(game: Game, n_seats: int) -> list[list[float]]:
    """Where the first seat begins, or nobody does."""
    options = {option.name: "p1" for option in game.options if option.name == "first_active"}
    shares = run(Match(game, ["casual"] * n_seats, MANY, seed=1, options=options)).shares()
    return [[_rounded(one.mean), _rounded(one.error)] for one in shares]


def _dealt(game: Game, n_seats: int) -> list[list[float]]:
    """Where a dealer is drawn: places count from there."""
    found = [0.0] * n_seats
    for number in range(DEALT):
        play, bots = Play(game, n_seats), [player("casual", game, f"seats {number} {seat}") for seat in range(n_seats)]
        steps = steps_of(play, Seeded(f"seats {number}"), by_view(bots))
        next(steps)
        dealer = play.state.dealer
        for _ in steps:
            pass
        winners = play.state.winners
        for seat in range(n_seats):
            found[(seat - dealer) % n_seats] += (winners >> seat & 1) / how_many(winners) / DEALT
    return [[_rounded(share), _rounded(1.96 * sqrt(share * (1 - share) / DEALT))] for share in found]


def _rounded(value: float) -> float:
    return round(float(value), DIGITS) + 0.0


PARTS: Final = {
    "openings": openings, "worths": worths, "seats": seats, "skill": skill, "jumps": jumps, "bids": bids
}  # fmt: skip

if __name__ == "__main__":
    main()
