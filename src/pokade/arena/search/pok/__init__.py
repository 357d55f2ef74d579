"""How the strong level plays POK where no solution comes with the package: regret matching at the sealed round.

What a position is worth after the round is a race of weights, one for each shape of a hand, learnt once from games that
the search plays with itself. Seats with equal hands think alike, and symbols and seats have the names that come first
of all: so everybody who searches the same position finds the same mixtures, and only the choice is a matter of luck.
"""

from pokade.arena.search.pok.search import CHUNK, ITERATIONS, RECORDS, SHINES, prepare, settle
from pokade.arena.search.pok.table import Table
from pokade.arena.search.pok.thinking import Memory, ponder

__all__ = ["CHUNK", "ITERATIONS", "RECORDS", "SHINES", "Memory", "Table", "ponder", "prepare", "settle"]
