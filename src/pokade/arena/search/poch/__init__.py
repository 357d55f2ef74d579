"""How the strong level plays Poch: it deals the unseen cards again and again, and plays each deal to its end.

The hands it deals agree with everything that has been seen, and count the more, the better they explain what their
owners have said. All choices are tried on the same hands. What counts in the end is the share of the win: the deals
that are left are played beforehand, and a deal's result is put before each of these futures.

Bids follow a book, which was learnt by regret minimisation (`learning.py`) and lies beside this file; what others have
said, and will say, is judged by the same book. Two players know each other's hands: they bid as is best against the
best answer. Playing out, everybody is believed to know all hands, and to name what leaves themselves the most counters.
The book knows bids of up to 10: where the option `max_bid` allows more, the search takes higher ones for a 10, and bids
none itself.
"""

from pokade.arena.search.poch.book import read
from pokade.arena.search.poch.memory import RECORDS, Memory, Table
from pokade.arena.search.poch.search import CHUNK, ITERATIONS, SHINES, ponder, prepare, settle

__all__ = ["CHUNK", "ITERATIONS", "RECORDS", "SHINES", "Memory", "Table", "ponder", "prepare", "read", "settle"]
