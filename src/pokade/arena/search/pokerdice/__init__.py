"""How the strong level plays Pokerdice: exact rethrows, beliefs over sealed cards, and a small game solved each round.

Hands are public, so before a round all is known but what everybody seals. The best rethrows for any worth of the final
dice are exact. On top of them, regret matching works out how everybody mixes their cards; rivals are taken to play by
the rules of thumb half of the time. The first rethrow is the best one against what rivals have probably sealed. Before
the second one the dice that they chose by are gone from the view, so any card of theirs is taken to be as likely as
another (looking back through all first throws made no measurable difference).
"""

from pokade.arena.search.pokerdice.memory import RECORDS, Memory, Table
from pokade.arena.search.pokerdice.search import CHUNK, ITERATIONS, SHINES, ponder, prepare, settle

__all__ = ["CHUNK", "ITERATIONS", "RECORDS", "SHINES", "Memory", "Table", "ponder", "prepare", "settle"]
