"""What cards and hands of Pokerdice are worth in points, by how often cards are met in self-play; worked out once."""

from typing import Any

from pokade.arena.search.pokerdice.memory import HANDS, TABLES, THROWS
from pokade.games.pokerdice import CAPTURED_VALUE, OBJECTIVES, VALUES
from pokade.games.state import how_many, rule


@rule
def row_of(n_seats: int, spare: int, ahead: int) -> int:
    """Which row of values of hands is meant, by a table and the number of rounds until its owner is active."""
    row = 0
    for players, left in TABLES:
        if players == n_seats and left == spare:
            break
        row += players
    return row + ahead


@rule
def value_hands(table: Any) -> None:
    """What every hand is worth at every table: points to come, less a part of what misses give to the active player."""
    for n_seats, spare in TABLES:
        for hand in range(1, HANDS):
            if how_many(hand) > spare:
                for ahead in range(n_seats):
                    value_hand(table, n_seats, spare, ahead, hand)
    value_turn(table)


@rule
def value_hand(table: Any, n_seats: int, spare: int, ahead: int, hand: int) -> None:
    """The best card for every throw, weighed against the hand that remains."""
    later = row_of(n_seats, spare, (ahead - 1) % n_seats)
    total = 0.0
    for throw in range(THROWS):
        best = -1000.0
        for card in range(OBJECTIVES):
            if hand >> card & 1:
                worth = card_worth(table, throw, card, ahead == 0, n_seats) + table.future[later, hand ^ 1 << card]
                best = max(best, worth)
        total += best * table.odds[throw]
    table.future[row_of(n_seats, spare, ahead), hand] = total


@rule
def card_worth(table: Any, throw: int, card: int, is_active: bool, n_seats: int) -> float:
    """The points a card brings on a throw; a seat that misses more than usual gives that to one of all rivals."""
    misses = table.misses[n_seats - 2]
    if is_active:
        return float(VALUES[card] * table.mine[n_seats - 2, throw, card] + CAPTURED_VALUE * misses * (n_seats - 1))
    odds = table.theirs[n_seats - 2, throw, card]
    return float(VALUES[card] * odds - CAPTURED_VALUE * (1.0 - odds - misses) / (n_seats - 1))


@rule
def value_turn(table: Any) -> None:
    """What it is worth to be active once more than the other of two players: the mean over hands with an odd number."""
    total = 0.0
    count = 0
    for hand in range(1, HANDS):
        if how_many(hand) % 2 == 1:
            total += table.future[row_of(2, 0, 0), hand] - table.future[row_of(2, 0, 1), hand]
            count += 1
    table.turn = total / count
