"""Another world: a state that a seat can't tell from the true one, with everything that it can't know drawn again."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pokade.analysis.playouts import redeal_of
from pokade.arena.casting import state_of
from pokade.games.game import Game
from pokade.games.play import Play
from pokade.games.state import NOTHING, blinded, columns, copied, packed

Fraction = Callable[[], float]  # a number from 0 up to 1, drawn


def another_world(play: Play, seat: int, sealing: int, draw: Fraction) -> Any:
    """Hidden hands as they may have been dealt, and for every sealed choice of others any that they may have made.

    `sealing` is the phase in which choices were sealed last.
    """
    world = _dealt_again(play, seat, draw)
    for column in columns(play.game.state):
        if column.mark == "sealed":
            choices = getattr(world, column.name)
            for other in range(play.n_seats):
                if other != seat and choices[other] != NOTHING:
                    choices[other] = _any_choice(play.game, world, other, sealing, draw)
    return world


def _dealt_again(play: Play, seat: int, draw: Fraction) -> Any:
    redeal = redeal_of(play.game)
    if redeal is None:
        return copied(play.state)
    cells = np.array([packed(play.state)], np.int64)
    redeal(blinded(play.state, seat, recall=True), seat, cells, int(draw() * (1 << 53)))
    return state_of(play.game, cells[0])


def _any_choice(game: Game, world: Any, seat: int, sealing: int, draw: Fraction) -> int:
    then = copied(world)
    then.phase = sealing
    return game.choice_at(then, seat, int(draw() * game.n_choices(then, seat)))
