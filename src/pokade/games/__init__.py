"""The games. `GAMES` is the one list; nothing else in the project names a game."""

from typing import Final

from pokade.games import poch, pok, pokerdice, pokopop
from pokade.games.game import Game

GAMES: Final[dict[str, Game]] = {g.name: g for g in (pok.GAME, pokerdice.GAME, pokopop.GAME, poch.GAME)}
