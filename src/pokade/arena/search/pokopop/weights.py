"""Learnt by `python -m pokade.arena.search.pokopop.lessons`: without effects and with them, for 3, 4 and 5 players.

The lessons were given to 3 players without effects; the others have the same weights so far.
"""

from typing import Final

THREE: Final = (1.47, 1.56, -0.01, -0.08, -0.12, 0.35, 0.09, -0.25)
LEARNT: Final = ((THREE, THREE, THREE), (THREE, THREE, THREE))
