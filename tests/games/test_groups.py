"""What several seats can't know together: the twins with which the server is tried against groups of people."""

import importlib
import random

import pytest

from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.play import Play
from pokade.games.state import CHANCE, UNKNOWN, WATCHER, packed
from pokade.testing import positions, tables


@pytest.mark.parametrize("game", GAMES)
def test_no_seat_of_a_group_can_tell_a_twin_and_twins_often_differ(game: str):
    says, rng = importlib.import_module(f"tests.games.test_{game}"), random.Random(game)
    differing = total = 0
    for number in range(12):
        n_seats, options = rng.choice(list(tables(GAMES[game])))
        group = rng.sample(range(n_seats), rng.randint(1, n_seats - 1))
        for play in positions(Play(GAMES[game], n_seats, options), Seeded(f"{game} {number}")):
            if len(play.steps) > 300:
                break
            twin = play.copy()
            twin.state = says.twin_for(play, group, True, rng)

            for seat in (*group, WATCHER):
                assert packed(twin.view(seat, person=True).state) == packed(play.view(seat, person=True).state)
            differing += packed(twin.state) != packed(play.state)
            total += 1

    assert differing > total / 5


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_table_together_knows_everything_that_is_sealed_or_dealt(game: str):
    says, rng = importlib.import_module(f"tests.games.test_{game}"), random.Random(game)
    play = Play(GAMES[game], GAMES[game].usual_seats, {})
    for now in positions(play, Seeded(game)):
        twin = says.twin_for(now, range(now.n_seats), False, rng)

        assert packed(twin) == packed(now.state)


@pytest.mark.parametrize("game", GAMES)
def test_between_two_rounds_no_seat_sees_a_card_or_a_choice_that_a_watcher_does_not(game: str):
    says, moments = importlib.import_module(f"tests.games.test_{game}"), 0
    for number in range(6):
        for play in positions(Play(GAMES[game], GAMES[game].usual_seats, {}), Seeded(f"{game} {number}")):
            if play.turn == CHANCE and says.is_between_rounds(play.state):
                watcher = packed(play.view(WATCHER).state)
                for seat in range(play.n_seats):
                    more = [
                        mine
                        for mine, theirs in zip(packed(play.view(seat).state), watcher, strict=True)
                        if mine != theirs
                    ]
                    assert {cell for cell in more if cell != UNKNOWN} <= {0, -1}, (game, number, len(play.steps))
                moments += 1

    assert moments > 20
