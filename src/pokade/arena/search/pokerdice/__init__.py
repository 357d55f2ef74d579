"""How the strong level plays Pokerdice: the round in which everybody seals is solved, and its solution is played.

Hands are public, so before a round all is known but what everybody seals. The best rethrows for any worth of the final
dice are exact. On top of them, regret matching works out how everybody mixes their cards; all are taken to think alike.
Cards are drawn from the mean of these mixtures, and rethrows from the plans that answered them.

What a round leads to: with two players, chances to win that were worked out backwards from the last round on
(`backwards.py`); with more players and in the double game, the points that everybody will probably have, by how often
cards are met in self-play (`selfplay.py`).
"""

from pokade.arena.search.pokerdice.memory import RECORDS, Memory, Table
from pokade.arena.search.pokerdice.search import CHUNK, ITERATIONS, SHINES, ponder, prepare, settle
from pokade.arena.search.pokerdice.values import read

__all__ = ["CHUNK", "ITERATIONS", "RECORDS", "SHINES", "Memory", "Table", "ponder", "prepare", "read", "settle"]
