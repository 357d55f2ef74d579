"""How long people wait for the first choice of a game: it follows from what is told, and who speaks, before it."""

import pytest

from pokade.chance import Seeded, advance
from pokade.games import GAMES
from pokade.games.play import Play
from pokade.games.state import CHANCE, WATCHER, how_many
from pokade.server.hub import Pace
from pokade.server.hub.keeper import ALONE

DEALS = 200
FIRST_CHOICE = 4.2  # seconds at most between a tap and the choice, less what a page needs to open
MOST_STEPS = 5  # who deals, the deal, and the three who may speak before


def first_choice(name: str, seed: int) -> tuple[int, float]:
    """The steps before a person in the last seat chooses, and the seconds that they take at most."""
    game, chance = GAMES[name], Seeded(seed)
    play = Play(game, game.usual_seats)
    steps, seconds, last = 0, 0.0, -1
    me = play.n_seats - 1
    while play.turn == CHANCE or not play.turn >> me & 1:
        if play.turn == CHANCE:
            advance(play, chance)
        else:
            seat = play.turn.bit_length() - 1
            seconds += Pace().bots[1] * (ALONE if how_many(play.turn) == 1 else 1.0)
            play.choose(seat, play.view(seat).choices[0])
        told = play.view(WATCHER)
        if told.state.step != last and told.told:
            last, steps = told.state.step, steps + 1
            seconds += sum(each.event.look for each in told.told)
    return steps, seconds


@pytest.mark.parametrize("game", GAMES)
def test_the_first_choice_comes_after_few_steps_that_are_told_quickly(game: str) -> None:
    for seed in range(DEALS):
        steps, seconds = first_choice(game, seed)
        assert steps <= MOST_STEPS, seed
        assert seconds <= FIRST_CHOICE, seed
