"""How the strong level plays Poch: it deals the unseen cards again and again, and plays each deal to its end.

The hands it deals agree with everything that has been seen, and count the more, the better they explain what their
owners have said. All choices are tried on the same hands. What counts in the end is the share of the win: the deals
that are left are played beforehand, by rules of thumb, and a deal's result is put before each of these futures.
"""

from pokade.arena.search.poch.memory import RECORDS, Memory, Table
from pokade.arena.search.poch.search import CHUNK, ITERATIONS, SHINES, ponder, prepare, settle

__all__ = ["CHUNK", "ITERATIONS", "RECORDS", "SHINES", "Memory", "Table", "ponder", "prepare", "settle"]
