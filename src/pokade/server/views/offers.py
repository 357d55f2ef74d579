"""What is played at a server, and how: all that a client must know to offer tables."""

from collections.abc import Sequence
from typing import Any

from pokade import texts
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.players import PLAYERS, TEMPERS
from pokade.server.table import CLOCKS
from pokade.server.views.frames import Frame


def offers(build: str, bots: Sequence[str] = tuple(PLAYERS)) -> Frame:
    """The games with their options, clocks, bots and phrases of one build of the server."""
    return {
        "build": build,
        "games": [_game(game) for game in GAMES.values()],
        "clocks": list(CLOCKS),
        "bots": list(bots),
        "tempers": list(TEMPERS),
        "phrases": list(texts.entry("en", "phrase")),
    }


def _game(game: Game) -> Frame:
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "usual_seats": game.usual_seats,
        "options": {str(n): [_option(option, n) for option in game.options] for n in game.seats},
    }


def _option(option: Any, n_seats: int) -> Frame:
    taken = option.takes(n_seats)
    is_number = isinstance(taken, range)
    values = [taken[0], taken[-1]] if is_number else list(taken)
    return {"name": option.name, "values": values, "is_number": is_number, "default": option.default(n_seats)}
