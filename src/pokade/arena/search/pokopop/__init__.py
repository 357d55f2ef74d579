"""How the strong level plays Poko Pop!: the rest of the round solved exactly, and so is the last pile.

As long as nobody clashes, the round goes on by who takes which card, so its tree is small. Every node is a sealed
choice between waiting and jumping, solved for the part of the win; seats that are alike are treated alike, and rivals
are thought to play the same strategy. What points are worth after a round is a smooth function, learnt from games of
the strategy with itself.
"""

from pokade.arena.search.pokopop.memory import RECORDS, Memory, Table
from pokade.arena.search.pokopop.search import CHUNK, ITERATIONS, SHINES, ponder, prepare, settle

__all__ = ["CHUNK", "ITERATIONS", "RECORDS", "SHINES", "Memory", "Table", "ponder", "prepare", "settle"]
