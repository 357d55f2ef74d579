"""How the strong level plays New Game, on arranged dice."""

# TODO: positions with one right choice, and that the strong level beats the rules of thumb.

from pokade.arena.bots import Budget, thought
from pokade.games.newgame import LEFT, RIGHT
from tests.games.test_newgame import choosing

QUICK = Budget(iterations=200)


def test_it_is_not_readable_where_neither_side_is_sure():
    play = choosing(4)

    assert {thought(play.view(0), luck, QUICK) for luck in range(40)} == {LEFT, RIGHT}
