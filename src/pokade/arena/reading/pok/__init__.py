"""How the master level reads its rivals in POK: by the symbols that they have shown, round by round.

Counters and dice are known to all, so every symbol that was shown says how likely it was for each kind of player.
"""

from pokade.arena.reading.pok.guessing import guesses, warm
from pokade.arena.reading.pok.kinds import KINDS
from pokade.arena.reading.pok.reference import answers, covers, reference

__all__ = ["KINDS", "answers", "covers", "guesses", "reference", "warm"]
