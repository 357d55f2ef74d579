"""`python -m pokade.arena.search.pokerdice.backwards FOLDER`: works the chances of two players out, last rounds first.

Before a throw all is known but what both will seal. For each throw the player who waits picks the mixture that leaves
the active player least, where the active player answers with the best card and rethrows. How well each card does
against a mixture is one plan for all 252 throws at once, so mixtures on a grid are tried for all of them together, and
between neighbours on the grid chances are taken to be straight; with three cards a grid twice as fine changes them by
0.0004 at most in the mean.

Up to `WHOLE` cards every pair of hands is solved, at every lead or every second or third one, with a spline between
them. With more cards some pairs, by lot, are; the others follow from what each hand and each two cards of both add.

The folder holds what is solved, so that a run that was stopped goes on; the same code gives the same file. It takes
about five minutes of one core. The last line says where the file is that the search reads.
"""

import itertools
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pokade.arena.kernel import compiled
from pokade.arena.search.pokerdice.lattice import before_throw, plan
from pokade.arena.search.pokerdice.memory import INNER, SETS, THROWS
from pokade.arena.search.pokerdice.values import (
    CARDS,
    FILE,
    Floats,
    all_pairs,
    at_all_leads,
    hands_of,
    kept_pairs,
    mirrored,
    packed_chances,
)
from pokade.arena.searching import Search
from pokade.games.pokerdice import CAPTURED_VALUE, GAME, OBJECTIVES, VALUES
from pokade.games.state import rule

Ints = NDArray[np.int64]

WHOLE: Final = 5
SOLVED: Final = {6: 2500, 7: 1200, 8: 500, 9: 100}  # pairs of hands, by number of cards
WIDTH: Final = {1: 20, 2: 20, 3: 26, 4: 30, 5: 33, 6: 36, 7: 36, 8: 36, 9: 36}  # the farthest lead that is not decided
EVERY: Final = {2: 1, 3: 1, 4: 2, 5: 3, 6: 4, 7: 4, 8: 4, 9: 4}  # which leads are solved
GRID: Final = {2: 8, 3: 4}  # how many parts a mixture is made of; with more cards 2
DECIDED: Final = 1e-4  # if a round changes chances by less, it is not played
SURE: Final = 1e-5  # the chance that is as good as none
BATCH: Final = 100
CURVES: Final = 8  # by which chances with six cards and more are told apart
CALM: Final = 0.3  # how strongly a hand must differ to be believed (ridge regression)


@rule
def solve_pairs(
    table: Any, memory: Any, later: Any, ranks: Any, pairs: Any, leads: Any, grid: Any, edges: Any, found: Any
) -> None:
    """The chance of the active player, for some pairs of hands and leads; `later` has it with one card less."""
    size = len(grid[0])
    cards = np.zeros((2, size), np.int64)
    pay = np.zeros((size, size, SETS))
    tried = np.zeros((THROWS, len(grid), size))
    for number in range(len(pairs)):
        for seat in range(2):
            list_cards(pairs[number, seat], cards[seat])
        for at in range(len(leads)):
            low, high = weigh_pair(table, later, ranks, pairs[number], cards, leads[at], pay)
            if high - low < DECIDED:
                found[number, at] = (low + high) / 2
            else:
                try_grid(table, memory, pay, grid, tried)
                found[number, at] = least_of(table, tried, edges)


@rule
def list_cards(hand: int, cards: Any) -> None:
    """The cards of a hand."""
    count = 0
    for card in range(OBJECTIVES):
        if hand >> card & 1:
            cards[count] = card
            count += 1


@rule
def weigh_pair(table: Any, later: Any, ranks: Any, hands: Any, cards: Any, lead: int, pay: Any) -> tuple[float, float]:
    """The active player's chance after the round, by both cards and the final dice; the least and the most of all."""
    low, high = 1.0, 0.0
    farthest = later.shape[2] // 2
    for mine in range(len(pay)):
        for theirs in range(len(pay)):
            own, other = cards[0, mine], cards[1, theirs]
            row = later[ranks[hands[1] ^ 1 << other], ranks[hands[0] ^ 1 << own]]
            for kind in range(table.n_kinds):
                met = table.met[kind]
                behind = -lead - (VALUES[own] if met >> own & 1 else 0)
                behind += VALUES[other] if met >> other & 1 else -CAPTURED_VALUE
                chance = 1.0 - row[max(-farthest, min(farthest, behind)) + farthest]
                pay[mine, theirs, kind] = chance
                low, high = min(low, chance), max(high, chance)
    return low, high


@rule
def try_grid(table: Any, memory: Any, pay: Any, grid: Any, tried: Any) -> None:
    """By throw, mixture of the grid and card: what the active player has from it."""
    for mine in range(len(pay)):
        for point in range(len(grid)):
            for kind in range(table.n_kinds):
                memory.worth[kind] = 0.0
                for theirs in range(len(pay)):
                    memory.worth[kind] += grid[point, theirs] * pay[mine, theirs, kind]
            plan(table, memory)
            before_throw(table, memory)
            for throw in range(THROWS):
                tried[throw, point, mine] = memory.best[INNER + throw]


@rule
def least_of(table: Any, tried: Any, edges: Any) -> float:
    """The mean over all throws of what the best mixture leaves to the active player."""
    total = 0.0
    tops = np.zeros(tried.shape[1], np.int64)
    for throw in range(THROWS):
        total += table.odds[throw] * least_for(tried[throw], edges, tops)
    return total


@rule
def least_for(tried: Any, edges: Any, tops: Any) -> float:
    """The least of the best card's worth, on the grid and where two best cards change places between neighbours."""
    least = 1.0
    for point in range(len(tried)):
        tops[point] = 0
        for card in range(1, tried.shape[1]):
            if tried[point, card] > tried[point, tops[point]]:
                tops[point] = card
        least = min(least, tried[point, tops[point]])
    for edge in range(len(edges)):
        first, second = tried[edges[edge, 0]], tried[edges[edge, 1]]
        one, other = tops[edges[edge, 0]], tops[edges[edge, 1]]
        here, there = first[one] - first[other], second[other] - second[one]
        if one != other and here + there > 0.0:
            least = min(least, worth_between(first, second, here / (here + there)))
    return least


@rule
def worth_between(first: Any, second: Any, part: float) -> float:
    """What the best card has on the way from one mixture to another."""
    most = 0.0
    for card in range(len(first)):
        most = max(most, (1.0 - part) * first[card] + part * second[card])
    return most


def mixtures(size: int, parts: int) -> tuple[Floats, Ints]:
    """The grid: all mixtures that are made of equal parts, and those that differ by one part."""
    points = [point for point in itertools.product(range(parts + 1), repeat=size) if sum(point) == parts]
    number = {point: index for index, point in enumerate(points)}
    edges = []
    for point in points:
        for one, other in itertools.combinations(range(size), 2):
            if point[one]:
                moved = list(point)
                moved[one] -= 1
                moved[other] += 1
                edges.append((number[point], number[tuple(moved)]))
    return np.array(points, float) / parts, np.array(edges)


def spline(count: int, every: int) -> Floats:
    """What makes values at every so many steps into values at all of them: a natural cubic spline, as a matrix."""
    bends, changes = np.zeros((count, count)), np.zeros((count, count))
    bends[0, 0] = bends[-1, -1] = 1
    for knot in range(1, count - 1):
        bends[knot, knot - 1 : knot + 2] = 1, 4, 1
        changes[knot, knot - 1 : knot + 2] = 6, -12, 6
    second, same = np.linalg.solve(bends, changes), np.eye(count)
    rows = []
    for place in range(every * (count - 1) + 1):
        knot = min(place // every, count - 2)
        far = place / every - knot
        near = 1 - far
        straight = near * same[knot] + far * same[knot + 1]
        rows.append(straight + (near**3 - near) / 6 * second[knot] + (far**3 - far) / 6 * second[knot + 1])
    return np.array(rows)


def at_every_lead(chances: Floats, every: int) -> Floats:
    """Chances at some leads, for all between them too."""
    if every == 1:
        return chances
    sure = np.clip(chances, SURE, 1 - SURE)
    odds = np.log(sure / (1 - sure)) @ spline(chances.shape[1], every).T
    return np.asarray(1 / (1 + np.exp(-odds)))


def solved(cards: int, later: Floats, pairs: Ints, file: Path) -> Floats:
    """The chances of some pairs of hands at some leads; the file keeps them as they come."""
    leads = np.arange(-WIDTH[cards], WIDTH[cards] + 1, EVERY[cards])
    found = np.load(file) if file.exists() else np.full((len(pairs), len(leads)), np.nan)
    search = Search(GAME)
    grid, edges = mixtures(cards, GRID.get(cards, 2))
    loop = compiled(solve_pairs, GAME)
    for first in range(0, len(pairs), BATCH):
        rows = slice(first, first + BATCH)
        if np.isnan(found[rows]).any():
            loop(search.table, search.memory, later, _ranks(), pairs[rows], leads, grid, edges, found[rows])
            np.save(file, found)
            _say(f"{cards} cards: {first} of {len(pairs)} pairs of hands")
    return found


def _ranks() -> Ints:
    ranks = np.zeros(1 << OBJECTIVES, np.int64)
    for cards in range(1, OBJECTIVES + 1):
        for number, hand in enumerate(hands_of(cards)):
            ranks[hand] = number
    return ranks


def chances_with(cards: int, later: Floats, folder: Path) -> Floats:
    """The chance of the active player by both hands and the lead, for all hands with so many cards."""
    pairs = np.array(kept_pairs(cards))
    if cards > WHOLE and len(pairs) > SOLVED[cards]:
        rows = np.sort(np.random.default_rng(cards).choice(len(pairs), SOLVED[cards], replace=False))
        pairs = pairs[rows]
    found = at_every_lead(solved(cards, later, pairs, folder / f"{cards}-cards.npy"), EVERY[cards])
    return all_pairs(cards, found) if cards <= WHOLE else learnt(cards, pairs, found)


def learnt(cards: int, pairs: Ints, found: Floats) -> Floats:
    """The chances of all pairs of hands from those of some: what each hand and each two cards of both add."""
    hands = hands_of(cards)
    ranks = _ranks()
    mirror = np.array([mirrored(hand) for hand in range(1 << OBJECTIVES)])
    both, chances = np.concatenate([pairs, mirror[pairs]]), np.concatenate([found, found])
    usual = chances.mean(axis=0)
    curves = np.linalg.eigh((chances - usual).T @ (chances - usual))[1][:, : -CURVES - 1 : -1]
    parts = (chances - usual) @ curves
    held = np.array([[hand >> card & 1 for card in range(OBJECTIVES)] for hand in hands], float)
    mine, theirs = ranks[both[:, 0]], ranks[both[:, 1]]
    known = np.hstack([np.eye(len(hands))[mine], np.eye(len(hands))[theirs], _products(held[mine], held[theirs])])
    middle = parts.mean(axis=0)
    weights = np.linalg.solve(known.T @ known + CALM * np.eye(known.shape[1]), known.T @ (parts - middle))
    own, other, cross = np.split(weights, [len(hands), 2 * len(hands)])
    together = np.einsum("ai,bj,ijk->abk", held, held, cross.reshape(OBJECTIVES, OBJECTIVES, -1), optimize=True)
    full = np.clip((middle + own[:, None] + other[None] + together) @ curves.T + usual, 0.0, 1.0)
    full[mine, theirs] = chances
    return np.asarray(full)


def _products(left: Floats, right: Floats) -> Floats:
    products: Floats = np.einsum("pi,pj->pij", left, right)
    return products.reshape(len(left), -1)


def last_round() -> Floats:
    """The chances with one card each, as the search knows them."""
    known: Floats = Search(GAME).table.last_card
    beyond = WIDTH[1] - known.shape[2] // 2
    found: Floats = np.pad(known, ((0, 0), (0, 0), (beyond, beyond)), mode="edge")
    return found


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(folder: Path) -> None:
    """Solve number of cards after number of cards, then write the file."""
    folder.mkdir(parents=True, exist_ok=True)
    later, chances = last_round(), {}
    for cards in CARDS:
        later = np.ascontiguousarray(chances_with(cards, later, folder))
        ranks = _ranks()
        pairs = np.array(kept_pairs(cards))
        chances[cards] = at_all_leads(later[ranks[pairs[:, 0]], ranks[pairs[:, 1]]])
    FILE.write_bytes(packed_chances(chances))
    _say(f"written: {FILE}, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
