"""The conformance suite: what must hold for every game. The author of a further game calls the same checks.

Each check raises AssertionError with the game, the seed and the place where it failed. A game brings what only its
rules can say as `Claims`: what is conserved, and `twin`, which changes at random everything that a viewer can't know.
The twin is written from the rules' words and never from the marks on the fields, or the check could not fail.
"""

from pokade.games.state import WATCHER
from pokade.testing.games import Claims, at_random, positions, random_game, tables
from pokade.testing.players import check_player, check_reading, check_search
from pokade.testing.rules import (
    check_compiled_equals_plain,
    check_legal_choices,
    check_non_interference,
    check_random_games_end,
    check_records_round_trip,
    check_refusals_change_nothing,
    check_turning_the_table,
    check_weights_match_tickets,
    difference,
    turned_actions,
)

__all__ = [
    "WATCHER",
    "Claims",
    "at_random",
    "check_compiled_equals_plain",
    "check_everything",
    "check_legal_choices",
    "check_non_interference",
    "check_player",
    "check_random_games_end",
    "check_reading",
    "check_records_round_trip",
    "check_refusals_change_nothing",
    "check_search",
    "check_turning_the_table",
    "check_weights_match_tickets",
    "difference",
    "positions",
    "random_game",
    "tables",
    "turned_actions",
]


def check_everything(claims: Claims, scale: int = 1, seed: int = 1) -> None:
    """All checks, `scale` times the smallest number of games."""
    check_random_games_end(claims, 200 * scale, seed)
    check_refusals_change_nothing(claims, 60 * scale, seed)
    check_weights_match_tickets(claims, 60 * scale, seed)
    check_legal_choices(claims, 60 * scale, seed)
    check_records_round_trip(claims, 200 * scale, seed)
    check_turning_the_table(claims, 200 * scale, seed)
    check_non_interference(claims, 2_000 * scale, seed)
    check_compiled_equals_plain(claims, 200 * scale, seed)
