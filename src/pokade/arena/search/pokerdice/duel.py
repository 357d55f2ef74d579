"""Two players with one set of cards each: chances to win that were worked out backwards, from the last round on."""

import math
from typing import Any, Final

from pokade.arena.search.pokerdice.lattice import before_throw, plan
from pokade.arena.search.pokerdice.memory import FARTHEST, HANDS, NARROW, SHAPES
from pokade.games.pokerdice import CAPTURED_VALUE, OBJECTIVES, VALUES, n_rounds
from pokade.games.state import how_many, lowest, rule

HANDS_OF: Final = tuple(math.comb(OBJECTIVES, cards) for cards in range(OBJECTIVES + 1))


@rule
def number_hands(table: Any) -> None:
    """Hands and pairs of hands in the order in which their chances are kept."""
    for cards in range(1, OBJECTIVES):
        table.first_pair[cards] = table.first_pair[cards - 1] + HANDS_OF[cards - 1] ** 2
        rank = 0
        for hand in range(HANDS):
            if how_many(hand) == cards:
                table.rank[hand] = rank
                rank += 1


@rule
def play_last_cards(table: Any, memory: Any) -> None:
    """The last round exactly: nobody has a choice but the active player's rethrows; a draw is theirs (§5.4)."""
    for mine in range(OBJECTIVES):
        for theirs in range(OBJECTIVES):
            for lead in range(-NARROW, NARROW + 1):
                for kind in range(table.n_kinds):
                    met = table.met[kind]
                    gained = lead + (VALUES[mine] if met >> mine & 1 else 0)
                    gained -= VALUES[theirs] if met >> theirs & 1 else -CAPTURED_VALUE
                    memory.worth[kind] = 1.0 if gained >= 0 else 0.0
                plan(table, memory)
                table.last_card[mine, theirs, lead + NARROW] = before_throw(table, memory)


@rule
def chance(table: Any, mine: int, theirs: int, lead: int) -> float:
    """How likely the active player wins before a throw, by the hands of both and the points that they are ahead."""
    cards = how_many(mine)
    if cards == 1:
        near = max(-NARROW, min(NARROW, lead))
        return float(table.last_card[lowest(mine), lowest(theirs), near + NARROW])
    pair = table.first_pair[cards] + table.rank[mine] * HANDS_OF[cards] + table.rank[theirs]
    at = max(-FARTHEST, min(FARTHEST, lead)) + FARTHEST
    found = table.usual[cards, at]
    for shape in range(SHAPES):
        found += table.parts[pair, shape] * table.curves[cards, shape, at]
    return float(max(0.0, min(1.0, found)))


@rule
def weigh_duel(state: Any, table: Any, memory: Any) -> None:
    """By both cards and the final dice: how likely the active player wins, who waits in the next round."""
    active, rival = state.active, 1 - state.active
    is_last = state.round == n_rounds(state)
    for mine in range(memory.n_options[active]):
        for theirs in range(memory.n_options[rival]):
            left = state.hand[active] ^ 1 << memory.choice[active, mine]
            right = state.hand[rival] ^ 1 << memory.choice[rival, theirs]
            for kind in range(table.n_kinds):
                lead = state.score[active] - state.score[rival]
                lead += int(memory.gain[active, mine, kind] + memory.miss[rival, theirs, kind])
                lead -= int(memory.gain[rival, theirs, kind])
                wins = 1.0 if lead >= 0 else 0.0
                memory.pay[mine, theirs, kind] = wins if is_last else 1.0 - chance(table, right, left, -lead)


@rule
def duel_worth(state: Any, memory: Any, mine: int, kind: int) -> float:
    """What final dice are worth to the active player with an option."""
    rival = 1 - state.active
    worth = 0.0
    for option in range(memory.n_options[rival]):
        worth += memory.now[rival, option] * memory.pay[mine, option, kind]
    return worth


@rule
def duel_answer(state: Any, table: Any, memory: Any, option: int) -> float:
    """What an option of the other player brings against the active player's mixture."""
    worth = 0.0
    for mine in range(memory.n_options[state.active]):
        if memory.now[state.active, mine] > 0.0:
            for kind in range(table.n_kinds):
                worth += memory.joint[mine, kind] * (1.0 - memory.pay[mine, option, kind])
    return worth
