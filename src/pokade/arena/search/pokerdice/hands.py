"""What cards and hands of Pokerdice are worth, worked out once."""

import math
from typing import Any, Final

from pokade.arena.search.pokerdice.lattice import best_again, foresee, lay, node_of, plan, worth_of_keeping
from pokade.arena.search.pokerdice.memory import HANDS, SETS, TABLES, THROWS
from pokade.arena.search.regrets import even_out
from pokade.games.pokerdice import CAPTURED_VALUE, JOKER, OBJECTIVES, VALUES
from pokade.games.state import how_many, rule

SOFTNESS: Final = 0.35  # points by which players misjudge their cards
SHARE_OF_SIZE: Final = tuple(1.0 / math.comb(OBJECTIVES, size) for size in range(OBJECTIVES + 1))


@rule
def chase_cards(state: Any, table: Any, memory: Any) -> None:
    """For every throw and card: what the active player keeps, and how often it is met."""
    for card in range(OBJECTIVES):
        for kind in range(SETS):
            memory.worth[kind] = table.met[kind] >> card & 1
        plan(table, memory)
        for throw in range(THROWS):
            lay(state, table, throw)
            kept = node_of(state, table, best_again(state, table, memory, 2))
            table.mine[throw, card] = worth_of_keeping(memory, kept)


@rule
def like_at_first(table: Any) -> None:
    """Before hands have a value: everybody likes what the active player meets more often than usual."""
    for card in range(OBJECTIVES):
        usual = 0.0
        for throw in range(THROWS):
            usual += table.odds[throw] * table.mine[throw, card]
        for throw in range(THROWS):
            gain = VALUES[card] * (table.mine[throw, card] - usual)
            for role in range(2):
                table.liked[role, throw, card] = math.exp(gain / SOFTNESS)
    even_out_likings(table)


@rule
def even_out_likings(table: Any) -> None:
    """The cards of every role and throw add up to one."""
    for role in range(2):
        for throw in range(THROWS):
            even_out(table.liked[role, throw], OBJECTIVES)


@rule
def forget_likings(table: Any) -> None:
    """Nothing is liked yet."""
    for role in range(2):
        for throw in range(THROWS):
            for card in range(OBJECTIVES):
                table.liked[role, throw, card] = 0.0


@rule
def spoil_cards(state: Any, table: Any, memory: Any) -> None:
    """For every throw and card: how often somebody else meets it, while the active player plays well and unkindly."""
    for throw in range(THROWS):
        lay(state, table, throw)
        for card in range(OBJECTIVES):
            table.theirs[throw, card] = 0.0
        for card in range(OBJECTIVES):
            liked = table.liked[0, throw, card]
            if liked > 0.02:
                fear(table, memory, throw, card)
                plan(table, memory)
                kept = node_of(state, table, best_again(state, table, memory, 2))
                foresee(table, memory, kept)
                add_met(table, memory, throw, liked)
        certain = table.theirs[throw, JOKER]  # the others' share of liked cards was too small to look at
        for card in range(OBJECTIVES):
            table.theirs[throw, card] /= certain


@rule
def fear(table: Any, memory: Any, throw: int, card: int) -> None:
    """The worth of final dice to the active player with a card against one rival that played something likely."""
    for kind in range(table.n_kinds):
        met = table.met[kind]
        worth = float(VALUES[card] * (met >> card & 1))
        for other in range(OBJECTIVES):
            liked = table.liked[1, throw, other]
            worth -= liked * (VALUES[other] if met >> other & 1 else -CAPTURED_VALUE)
        memory.worth[kind] = worth


@rule
def add_met(table: Any, memory: Any, throw: int, weight: float) -> None:
    """Adds to everybody else's chances how often the dice end well for a card."""
    for kind in range(table.n_kinds):
        met = table.met[kind]
        for card in range(OBJECTIVES):
            if met >> card & 1:
                table.theirs[throw, card] += weight * memory.ends[kind]


@rule
def row_of(n_seats: int, spare: int, ahead: int) -> int:
    """Which row of values of hands is meant, by a table and the number of rounds until one is active."""
    row = 0
    for players, left in TABLES:
        if players == n_seats and left == spare:
            break
        row += players
    return row + ahead


@rule
def value_hands(table: Any, index: int) -> None:
    """What every hand is worth at a table: points to come, less a part of what misses give to the active player."""
    n_seats, spare = TABLES[index]
    if index == 0:
        forget_likings(table)
    for hand in range(1, HANDS):
        if how_many(hand) > spare:
            for ahead in range(n_seats):
                value_hand(table, n_seats, spare, ahead, hand)
    if index == 0:
        even_out_likings(table)


@rule
def value_hand(table: Any, n_seats: int, spare: int, ahead: int, hand: int) -> None:
    """The best card for every throw, weighed against the hand that remains."""
    later = row_of(n_seats, spare, (ahead - 1) % n_seats)
    total = 0.0
    for throw in range(THROWS):
        best = -1000.0
        liked = 0
        for card in range(OBJECTIVES):
            if hand >> card & 1:
                worth = card_worth(table, throw, card, ahead == 0, n_seats) + table.future[later, hand ^ 1 << card]
                if worth > best:
                    best = worth
                    liked = card
        total += best * table.odds[throw]
        if n_seats == 2:
            role = 0 if ahead == 0 else 1
            table.liked[role, throw, liked] += SHARE_OF_SIZE[how_many(hand)]
    table.future[row_of(n_seats, spare, ahead), hand] = total


@rule
def card_worth(table: Any, throw: int, card: int, is_active: bool, n_seats: int) -> float:
    """The points a card brings on a throw; a miss costs others' gain, shared out among all rivals."""
    if is_active:
        return float(VALUES[card] * table.mine[throw, card])
    odds = table.theirs[throw, card]
    return float(VALUES[card] * odds - CAPTURED_VALUE * (1.0 - odds) / (n_seats - 1))
