"""What a seat has seen of a game follows from the game's steps, and holds nothing but views of that seat."""

import pytest

from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.play import Play, View
from pokade.games.recall import Recall
from pokade.games.state import CHANCE, NOBODY, packed
from pokade.testing import positions

every_game = pytest.mark.parametrize("name", GAMES)
STEPS = 300


def cells(views: tuple[View, ...]) -> list[list[int]]:
    return [packed(view.state) for view in views]


@every_game
def test_the_past_is_what_the_seat_saw_when_it_happened(name: str):
    play, seen, seat = Play(GAMES[name], GAMES[name].usual_seats), [], 1
    step = 0
    for _ in zip(range(STEPS), positions(play, Seeded(3)), strict=False):
        if play.state.step != step and not (play.steps[-1][0] == CHANCE == play.turn):
            seen.append(packed(play.view(seat).state))
        step = play.state.step

    view = Recall(play, seat).view(play)

    assert cells(view.past) == seen
    assert len(seen) > 4
    assert {earlier.seat for earlier in view.past} == {seat}
    assert packed(view.state) == packed(play.view(seat).state)


@every_game
def test_followed_step_by_step_or_made_again_it_is_the_same(name: str):
    play = Play(GAMES[name], GAMES[name].usual_seats)
    following = Recall(play, 0)
    for number, _ in enumerate(positions(play, Seeded(4))):
        if number % 7 == 0:
            following.view(play)
        if number == STEPS or play.turn == NOBODY:
            break

    assert cells(following.view(play).past) == cells(Recall(play, 0).view(play).past)


def test_what_others_have_sealed_is_not_in_it():
    pasts = []
    for choice in range(3):
        play = Play(GAMES["pok"], 3)
        for symbol in range(3):
            play.happen(symbol)
        play.choose(1, choice)
        play.choose(2, 0)
        pasts.append(Recall(play, 0).view(play))

    assert cells(pasts[0].past) == cells(pasts[1].past) == cells(pasts[2].past)
    assert len({tuple(packed(view.state)) for view in pasts}) == 1
