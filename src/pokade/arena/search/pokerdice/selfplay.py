"""`python -m pokade.arena.search.pokerdice.selfplay`: how often cards are met when everybody thinks as the search does.

The search needs these chances to value hands (`hands.py`) with more than two players and in the double game, and they
follow from how it plays; so it plays rounds on arranged tables with what it knows, learns from them, and does so again.
For each number of players and throw it solves `ROUNDS_A_THROW` rounds with hands drawn by lot, `SWEEPS` times over. The
numbers are always the same; they take about a minute of one core.
"""

import random
import sys
from typing import Any, Final

import numpy as np

from pokade.arena.kernel import compiled
from pokade.arena.search.pokerdice.hands import value_hands
from pokade.arena.search.pokerdice.lattice import lay
from pokade.arena.search.pokerdice.memory import THROWS
from pokade.arena.search.pokerdice.values import ODDS, packed_odds
from pokade.arena.searching import Search
from pokade.games.pokerdice import CHOOSING, DOUBLE, GAME, OBJECTIVES, ROUNDS

SWEEPS: Final = 3
ROUNDS_A_THROW: Final = 6
STEPS: Final = 40
AT_LEAST: Final = 0.05  # how much a card counts that the active player does not want to play


def arranged(table: Any, n_seats: int, throw: int, chance: random.Random) -> Any:
    """A table on which all choose: any hands, nearly equal scores. With two players it is the double game."""
    state: Any = GAME.new(n_seats, {"variant": "double"} if n_seats == 2 else {})
    cards = chance.randint(2, OBJECTIVES)
    state.phase, state.active, state.round = CHOOSING, 0, ROUNDS + 1 - cards
    lay(state, table, throw)
    state.thrown = list(state.dice)
    for seat in range(n_seats):
        drawn = chance.sample(range(OBJECTIVES * (1 + state.variant)), cards * (1 + state.variant))
        held = [sum(card % OBJECTIVES == one for card in drawn) for one in range(OBJECTIVES)]
        state.hand[seat] = sum((number > 0) << one for one, number in enumerate(held))
        state.second[seat] = sum((number > 1) << one for one, number in enumerate(held))
        state.score[seat] = chance.randint(10, 14)
    return state


class Lesson:
    """What rounds with a number of players have taught."""

    def __init__(self, search: Search) -> None:
        self.mine, self.times = np.zeros((2, THROWS, OBJECTIVES))
        self.theirs = np.zeros((THROWS, OBJECTIVES))
        self.misses: list[float] = []
        kinds = range(search.table.n_kinds)
        self._met = np.array([[search.table.met[kind] >> card & 1 for card in range(OBJECTIVES)] for kind in kinds])

    def learn(self, throw: int, state: Any, memory: Any) -> None:
        """From one round, solved."""
        n_options, kinds = memory.n_options[0], len(self._met)
        ends = memory.joint[:n_options, :kinds].sum(axis=0)
        self.theirs[throw] += ends @ self._met / ROUNDS_A_THROW
        given = memory.all_missed[:kinds] @ ends
        self.misses.append(float(given / (state.n_seats - 1) / (1 + state.variant)))
        for option in range(n_options):
            weight = memory.now[0, option] + AT_LEAST
            cards = divmod(int(memory.choice[0, option]), OBJECTIVES)
            for card in cards if state.variant == DOUBLE else cards[1:]:
                self.mine[throw, card] += weight * (memory.option_ends[option, :kinds] @ self._met[:, card])
                self.times[throw, card] += weight

    def teach(self, table: Any, size: int) -> None:
        """Put it into the table; what was never seen stays."""
        seen = self.times > 0
        table.mine[size][seen] = self.mine[seen] / self.times[seen]
        table.theirs[size] = self.theirs
        table.misses[size] = np.mean(self.misses)


def main() -> None:
    """Begin with nothing but even chances, play and learn; then write the file."""
    search = Search(GAME)
    search.table.mine[:], search.table.theirs[:], search.table.misses[:] = 0.5, 0.4, 0.6
    value = compiled(value_hands, GAME)
    for sweep in range(SWEEPS):
        value(search.table)
        for n_seats in GAME.seats:
            chance, lesson = random.Random(f"{sweep} {n_seats}"), Lesson(search)
            for throw in range(THROWS):
                for _ in range(ROUNDS_A_THROW):
                    state = arranged(search.table, n_seats, throw, chance)
                    search.look(state, 0, chance.getrandbits(64))
                    search.ponder(STEPS)
                    lesson.learn(throw, state, search.memory)
            lesson.teach(search.table, n_seats - GAME.seats[0])
        sys.stdout.write(f"sweep {sweep + 1} of {SWEEPS}: misses {search.table.misses}\n")
        sys.stdout.flush()
    ODDS.write_bytes(packed_odds(search.table))


if __name__ == "__main__":
    main()
