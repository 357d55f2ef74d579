"""The numbers behind docs/theory.md: `python -m docs.theory_data` plays the games again and writes docs/theory.json.

What follows from a solution is worked out; the rest is counted in seeded games, so that the same players give the same
numbers. It takes some minutes of one core for each part; `python -m docs.theory_data skill` does one part again.
"""

import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from math import sqrt
from pathlib import Path
from typing import Any, Final

from pokade.arena.memory import made
from pokade.arena.search.poch.bidding import fear, prepare_tails
from pokade.arena.search.poch.book import BETTER, read
from pokade.arena.search.poch.memory import FEWEST, KINDS, RUNGS, Table
from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.cards import CARDS, of_rank
from pokade.games.game import Game
from pokade.games.play import Play
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
GAMES_OF_SEATS: Final = 3_000  # games by the plain rules
VALUES: Final = (1, 2, 3, 4, 5)  # of Poko Pop!'s cards
WAITS: Final = 12  # looks at a card that all may wait through


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


# Poko Pop!: the round as a game of its own.


def jumps() -> dict[str, Any]:
    """How often to jump at the first look, by players, place and card, if a round is played for its points alone.

    The mean over all cards that may lie on the places behind; the last one lies face down and counts its mean.
    """
    found = {}
    for n_seats in (3, 4, 5):
        often: dict[str, list[float]] = {}
        for cards in product(VALUES, repeat=n_seats - 1):
            for place, jump in enumerate(_jumps(cards, n_seats)):
                often.setdefault(f"{place + 1} {cards[place]}", []).append(jump)
        found[str(n_seats)] = {key: _rounded(sum(jumps) / len(jumps)) for key, jumps in often.items()}
    return found


@cache
def _round(cards: tuple[int, ...], inside: int) -> tuple[float, float]:
    """At the first of these cards, with so many still in: how often everybody jumps, and what they can expect.

    All mix alike. Where all wait they look again, twelve times at most: solved from the last look to the first.
    """
    if not cards:
        return 1.0, sum(VALUES) / len(VALUES)
    behind = _round(cards[1:], inside - 1)[1]
    jump, worth = 0.0, 0.0
    for _ in range(WAITS):
        jump = _mixed(lambda p, worth=worth: _ahead(p, cards[0], inside, behind, worth))
        alone = (1 - jump) ** (inside - 1)
        worth = alone * cards[0] - (1 - alone)
    return jump, worth


def _ahead(jump: float, card: float, inside: int, behind: float, again: float) -> float:
    """What jumping is worth more than waiting, if all others jump so often."""
    alone = (1 - jump) ** (inside - 1)
    one_other = (inside - 1) * jump * (1 - jump) ** (inside - 2)
    return alone * card - (1 - alone) - one_other * behind - alone * again


def _mixed(ahead: Callable[[float], float]) -> float:
    """Where both are worth the same, by halving."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if ahead(middle) > 0 else (low, middle)
    return (low + high) / 2


def _jumps(cards: tuple[int, ...], n_seats: int) -> list[float]:
    """How often everybody jumps at each place, if somebody has taken each card before."""
    return [_round(cards[place:], n_seats - place)[0] for place in range(len(cards))]


# Poch.


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
    """Each seat's share among equals, counted from the first active player or dealer, where the rules have one."""
    found: dict[str, Any] = {}
    for game in GAMES.values():
        role = next((name for name in ("active", "dealer") if hasattr(game.state(), name)), None)
        for n_seats in sorted({game.seats[0], 4}) if role else ():
            found[f"{game.name} {n_seats}"] = _shares(game, n_seats, role)
    return found


def _shares(game: Game, n_seats: int, role: str) -> list[list[float]]:
    """What each place wins, with the half width of its 95 % interval."""
    found = [0.0] * n_seats
    for number in range(GAMES_OF_SEATS):
        play, bots = Play(game, n_seats), [player("casual", game, f"seats {number} {seat}") for seat in range(n_seats)]
        steps = steps_of(play, Seeded(f"seats {number}"), by_view(bots))
        next(steps)
        first = getattr(play.state, role)
        for _ in steps:
            pass
        winners = play.state.winners
        for seat in range(n_seats):
            found[(seat - first) % n_seats] += (winners >> seat & 1) / how_many(winners) / GAMES_OF_SEATS
    return [[_rounded(share), _rounded(1.96 * sqrt(share * (1 - share) / GAMES_OF_SEATS))] for share in found]


def _rounded(value: float) -> float:
    return round(float(value), DIGITS) + 0.0


PARTS: Final = {
    "openings": openings, "worths": worths, "seats": seats, "skill": skill, "jumps": jumps, "bids": bids
}  # fmt: skip

if __name__ == "__main__":
    main()
