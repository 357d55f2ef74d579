"""The rules of thumb of New Game, on arranged dice."""

# TODO: what your levels and tempers do where it can be told.

import random
from collections import Counter

from pokade.games.newgame import GAME, LEFT, RIGHT
from pokade.games.play import Play
from pokade.games.state import NOTHING
from pokade.players import LUCK, policy
from tests.games.test_newgame import choosing, shown

LUCKS = [random.Random(number).randrange(LUCK) for number in range(200)]


def answers(name: str, play: Play, seat: int = 0) -> Counter[int]:
    """What a player chooses, over many lucks."""
    view = play.view(seat).state
    return Counter(policy(name, GAME)(view, seat, luck) for luck in LUCKS)


def test_a_novice_takes_either_side():
    assert set(answers("novice", choosing())) == {LEFT, RIGHT}


def test_casual_prefers_the_better_side_and_is_never_sure():
    found = answers("casual", choosing(1))

    assert found[RIGHT] > found[LEFT] > 0


def test_tempers_have_their_likings():
    assert set(answers("bold", choosing(5))) == {LEFT}
    assert set(answers("cautious", choosing(5))) == {RIGHT}
    assert set(answers("bluffer", choosing(5))) == {NOTHING}
    play = shown("L R R")
    play.happen(1)
    assert set(answers("bluffer", play)) == {RIGHT}
