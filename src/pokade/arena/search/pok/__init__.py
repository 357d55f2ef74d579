"""How the strong level plays POK: regret matching at the sealed round, over what each hand is worth afterwards.

For three players all positions are worked out backwards once, with some steps of regret matching for every throw; the
limit of rounds is left out there, but for the last round. For more players the worth of a position is a race of
weights, one for each shape of a hand, learnt once from games that rules of thumb play with themselves.
Rivals are thought to follow the rules of thumb in part, and to play as well as they can for the rest.
"""

from pokade.arena.search.pok.search import CHUNK, ITERATIONS, RECORDS, SHINES, Memory, ponder, prepare, settle
from pokade.arena.search.pok.table import Table

__all__ = ["CHUNK", "ITERATIONS", "RECORDS", "SHINES", "Memory", "Table", "ponder", "prepare", "settle"]
