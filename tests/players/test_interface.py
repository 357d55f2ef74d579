"""A player gets a view, has no path to a state, and decides the same whatever it may not see."""

import pickle
import random
from dataclasses import fields
from typing import Any

import pytest

from pokade import testing
from pokade.arena.bots import Budget, bot
from pokade.chance import Seeded, advance
from pokade.games import GAMES
from pokade.games.play import Play, View
from pokade.games.state import UNKNOWN, blinded, columns, packed, sees
from pokade.players import LEVELS, MASTER, PLAYERS, TEMPERS, THUMBS, is_master, is_player, is_strong, player, stand_in
from pokade.testing import tables
from tests.test_conformance import SEED, claims

TWINS = 40
SHORT = Budget(iterations=20)

every_game = pytest.mark.parametrize("name", GAMES)
# A master without a past is the strong level, whatever its temper: once is enough.
NAMES = [*PLAYERS, *(f"{level}-{temper}" for level in LEVELS if level != MASTER for temper in TEMPERS)]


def lists_in(value: object) -> list[int]:
    """The lists that a field is made of, by identity."""
    if not isinstance(value, list):
        return []
    return [id(value), *(found for item in value for found in lists_in(item))]


def some_plays(name: str, times: int, seed: int) -> list[Play]:
    """Games of bots, stopped where somebody has to choose; some have sealed choices already."""
    found: list[Play] = []
    rng = random.Random(seed)
    while len(found) < times:
        game = GAMES[name]
        play = Play(game, *rng.choice(list(tables(game))))
        chance, casual = Seeded(rng.random().__str__()), player("casual", game, rng.random().__str__())
        for _ in range(rng.randrange(60)):  # far enough for every phase; some tables play for ever
            while advance(play, chance):
                pass
            if play.is_over:
                break
            found[len(found) :] = [play.copy()] if rng.random() < 0.15 else []
            seat = rng.choice([seat for seat in range(play.n_seats) if play.turn >> seat & 1])
            play.choose(seat, casual(play.view(seat)))
    return found[:times]


@every_game
def test_a_view_holds_no_cell_that_its_seat_may_not_see(name: str):
    for play in some_plays(name, 20, seed=1):
        view = play.view(0)
        for column in columns(type(play.state)):
            value = getattr(view.state, column.name)
            for row in range(column.shape[0] if column.by_seat else 0):
                if column.mark != "told" and not sees(column, 0, row, recall=True):
                    assert set(value[row] if isinstance(value[row], list) else [value[row]]) == {UNKNOWN}
            if not column.shape and not sees(column, 0, 0, recall=True):
                assert value == UNKNOWN


@every_game
def test_a_view_has_no_path_to_the_state(name: str):
    play = some_plays(name, 1, seed=2)[0]
    view = play.view(0)
    before = packed(play.state)
    theirs = {found for column in columns(type(play.state)) for found in lists_in(getattr(play.state, column.name))}
    ours = {found for column in columns(type(play.state)) for found in lists_in(getattr(view.state, column.name))}

    scribble(view.state)

    assert [field.name for field in fields(View)] == ["game", "seat", "state", "past"]
    assert view.past == ()
    assert not hasattr(view, "__dict__")
    assert not ours & theirs
    assert packed(play.state) == before


def scribble(state: Any) -> None:
    """A player that writes wherever it can."""
    for column in columns(type(state)):
        value = getattr(state, column.name)
        if not column.shape:
            setattr(state, column.name, 7)
        else:
            for row in range(len(value)):
                value[row] = [7] * column.shape[1] if len(column.shape) == 2 else 7


@every_game
@pytest.mark.parametrize("who", NAMES)
def test_what_a_player_may_not_see_never_changes_what_it_does(name: str, who: str):
    says, rng, differing = claims(name), random.Random(3), 0
    times = TWINS if who in LEVELS or not is_strong(who) else 20
    for number, play in enumerate(some_plays(name, times, seed=4)):
        seat = rng.choice([seat for seat in range(play.n_seats) if play.turn >> seat & 1])
        twin = says.twin(play, seat, False, rng)
        differing += packed(twin) != packed(play.state)
        views = [View(play.game, seat, blinded(state, seat, recall=True)) for state in (play.state, twin)]

        chosen = [bot(who, play.game, number, SHORT)(view) for view in views]

        assert chosen[0] == chosen[1]
        play.check(seat, chosen[0])
    assert differing > times / 4


@every_game
@pytest.mark.parametrize("who", [*THUMBS, *TEMPERS])
def test_rules_of_thumb_are_legal_and_a_function_of_the_view_and_luck(name: str, who: str):
    differing = testing.check_player(claims(name), who, SEED)

    assert differing > 10


@every_game
@pytest.mark.parametrize("who", NAMES)
def test_a_player_can_play_a_whole_game_of_every_size(name: str, who: str):
    game = GAMES[name]
    for n in (game.seats[0], game.seats[-1]):
        play, chance = Play(game, n), Seeded(n)
        minds = [bot(who if seat == 0 else "random", game, seat, SHORT) for seat in range(n)]
        while not play.is_over:
            if not advance(play, chance):
                seat = next(seat for seat in range(n) if play.turn >> seat & 1 and not _has_sealed(play, seat))
                play.choose(seat, minds[seat](play.view(seat)))
        assert play.outcome() is not None


def _has_sealed(play: Play, seat: int) -> bool:
    return bool(getattr(play.state, "chosen", 0) >> seat & 1)


def test_a_temper_makes_no_player_strong():
    assert [is_strong(name) for name in ("strong", "strong-bold", "casual-bold", "")] == [True, True, False, False]
    assert [is_master(name) for name in ("master", "master-bold", "strong", "")] == [True, True, False, False]


def test_the_casual_level_stands_in_with_the_same_temper():
    assert [stand_in(name) for name in ("strong", "master-bold")] == ["casual", "casual-bold"]


def test_names_of_players():
    assert all(is_player(name) for name in (*NAMES, "master-bold"))
    assert not any(is_player(name) for name in ("", "random-bold", "casual-", "casual-shy", "clever", "bold"))


@every_game
@pytest.mark.parametrize("who", ["random", "casual", "novice-bold", "strong", "master"])
def test_a_player_goes_on_after_a_pickle_as_it_would_have(name: str, who: str):
    one = bot(who, GAMES[name], 7, SHORT)
    views = [play.view(play.turn.bit_length() - 1) for play in some_plays(name, 4, seed=5)]
    one(views[0])

    other = pickle.loads(pickle.dumps(one))  # noqa: S301 - our own

    assert [one(view) for view in views] == [other(view) for view in views]
