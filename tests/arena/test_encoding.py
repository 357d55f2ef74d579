"""The encoder: what a seat may know and nothing else, as numbers that are the same for every seat and every carrier."""

import pickle
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from pokade import records
from pokade.arena.encoding import Encoder, encodings, told_fields
from pokade.arena.kernel import loop, record_type, visible
from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.cells import PAST, RETOLD, Holds
from pokade.games.errors import RulesError
from pokade.games.play import Play, View
from pokade.games.state import CHANCE, NOTHING, Column, columns, copied, packed
from pokade.testing import positions, random_game, tables, turned_actions
from tests.test_conformance import claims

SEED = 13
every_game = pytest.mark.parametrize("name", GAMES)


@cache
def _encoder(name: str, n_seats: int, options: tuple[tuple[str, Any], ...]) -> Encoder:
    return Encoder(GAMES[name], n_seats, dict(options))


def encoder_of(play: Play) -> Encoder:
    return _encoder(play.game.name, play.n_seats, tuple(play.options.items()))


def some_positions(name: str, games: int, every: int = 7) -> Iterator[Play]:
    """Positions of random games at tables of all kinds."""
    game, rng = GAMES[name], random.Random(SEED)
    every_table = list(tables(game))
    for number in range(games):
        n_seats, options = every_table[number % len(every_table)]
        for play in positions(Play(game, n_seats, options), Seeded(f"{SEED} {number}")):
            if rng.randrange(every) == 0 or play.is_over:
                yield play
            if len(play.steps) > 400:
                break


def seen(play: Play, seat: int) -> tuple[bytes, bytes]:
    encoder, view = encoder_of(play), play.view(seat)
    return encoder.observation(view).tobytes(), encoder.mask(view).tobytes()


def compiled(play: Play, seat: int) -> tuple[bytes, bytes]:
    """The same by the compiled encoder, from the state itself."""
    encoder = encoder_of(play)
    states = np.zeros(1, record_type(play.game))
    flats = states.view(np.int64).reshape(1, -1)
    flats[0] = packed(play.state)
    numbers, mask = np.ones((1, 1, encoder.size), np.float32), np.ones((1, 1, encoder.n_actions), np.int8)
    loop(encodings, play.game)(encoder.layout, states, flats, np.array([[seat]]), numbers, mask)
    return numbers.tobytes(), mask.tobytes()


@every_game
def test_compiled_and_plain_give_the_same_bytes(name: str):
    for play in some_positions(name, 60, every=20):
        for seat in range(play.n_seats):
            assert compiled(play, seat) == seen(play, seat), (play, play.options, seat)


@every_game
def test_what_a_seat_may_not_see_changes_no_byte(name: str):
    differing, rng, twin_of = 0, random.Random(SEED), claims(name).twin
    for play in some_positions(name, 60):
        seat = rng.randrange(play.n_seats)
        twin = play.copy()
        twin.state = twin_of(play, seat, False, rng)
        differing += packed(twin.state) != packed(play.state)

        assert seen(twin, seat) == seen(play, seat), (play, seat)
        assert encoder_of(play).key(twin.view(seat)) == encoder_of(play).key(play.view(seat))
        if differing % 20 == 0:
            assert compiled(twin, seat) == compiled(play, seat)

    assert differing > 50


def test_a_secret_that_was_declared_public_is_found(monkeypatch: pytest.MonkeyPatch):
    game, rng, twin_of = GAMES["pok"], random.Random(SEED), claims("pok").twin
    opened = {"choice": "public"}
    leaking = [replace(column, mark=opened.get(column.name, column.mark)) for column in columns(game.state)]
    monkeypatch.setattr("pokade.arena.encoding.columns", lambda _: leaking)
    encoder, found = Encoder(game, 3), 0

    for play in positions(Play(game, 3), Seeded(SEED)):
        views = [View(game, 0, state) for state in (play.state, twin_of(play, 0, False, rng))]
        found += encoder.observation(views[0]).tobytes() != encoder.observation(views[1]).tobytes()

    assert found > 0


@every_game
def test_only_cells_that_the_seat_may_see_are_read(name: str):
    game = GAMES[name]
    for n_seats in game.seats:
        layout = Encoder(game, n_seats).layout
        for seat in range(n_seats):
            read = np.concatenate([layout.hot_cell[seat], layout.scale_cell[seat], layout.bit_cell[seat]])
            assert visible(game)[seat][read].all()


@every_game
def test_turning_the_table_turns_the_numbers_along(name: str):
    """A seat gets the numbers that its neighbour gets where everybody has moved on by one seat."""
    compared = 0
    for play in whole_games(name):
        actions = turned_actions(records.actions_of(play), play.n_seats)
        record = records.Record(play.game, tuple("x" * play.n_seats), play.options, records.FULL, actions)
        one, other = (Play(play.game, play.n_seats, play.options) for _ in range(2))
        for step, turned in zip(play.steps, records.replay(record).steps, strict=True):
            one.take(*step)
            other.take(*turned)
            if not is_sealed(one) and len(one.steps) % 5 == 0 and is_dealt(one):
                for seat in range(play.n_seats):
                    assert seen(one, seat) == seen(other, (seat + 1) % play.n_seats), (one, play.options, seat)
                    compared += 1
    assert compared > 50


def whole_games(name: str) -> Iterator[Play]:
    """A short game of every table that treats its seats alike."""
    for number, (n_seats, options) in enumerate(tables(GAMES[name])):
        if not any(isinstance(value, str) and value.startswith("p") for value in options.values()):
            play = random_game(GAMES[name], n_seats, options, f"{SEED} {number}")
            if len(play.steps) <= 1000 and claims(name).turns_evenly(play):
                yield play


def is_sealed(play: Play) -> bool:
    """Has somebody chosen in a round that is still sealed? A record has such choices by seat."""
    return bool(getattr(play.state, "chosen", 0))


def is_dealt(play: Play) -> bool:
    """Has everybody got their cards? A record has hands by seat."""
    return play.turn != CHANCE or play.game.words.dealt_to(play.state) == NOTHING


@every_game
def test_every_choice_is_an_action_and_every_action_of_the_mask_a_choice(name: str):
    for play in some_positions(name, 40):
        encoder, phase = encoder_of(play), play.state.phase
        for seat in range(play.n_seats):
            view = play.view(seat)
            allowed = np.flatnonzero(encoder.mask(view)).tolist()
            choices = sorted(view.choices)

            assert [encoder.choice(phase, action) for action in allowed] == (choices or [NOTHING])
            assert [encoder.action(phase, choice) for choice in choices] == (allowed if choices else [])
            assert (allowed == [encoder.noop]) == (not choices)


@every_game
def test_views_that_differ_in_what_is_told_have_other_numbers(name: str):
    """Nothing is lost: equal numbers mean equal cells, and an equal key."""
    found: dict[tuple[Encoder, int, bytes], tuple[str, list[Any]]] = {}
    for play in some_positions(name, 40, every=3):
        encoder = encoder_of(play)
        view = play.view(0)
        told = [getattr(view.state, column.name) for column in told_fields(play.game)]
        numbers = encoder.observation(view)
        assert 0.0 <= numbers.min() <= numbers.max() <= 1.0
        same = found.setdefault((encoder, 0, numbers.tobytes()), (encoder.key(view), told))
        assert same == (encoder.key(view), told), play
    assert len({key for key, _ in found.values()}) > 50


def _fields(name: str, kind: Holds) -> list[Column]:
    every = [column for column in columns(GAMES[name].state) if column.mark not in ("told", "hidden")]
    return [column for column in every if GAMES[name].held(column.name) is kind]


@every_game
def test_what_is_past_changes_nothing_that_comes(name: str):
    """A game goes on to the same end when all that is declared past is forgotten."""
    rng = random.Random(SEED)
    for play in some_positions(name, 30, every=15):
        if play.is_over or is_sealed(play):
            continue
        forgetful, start = play.copy(), play.game.state()
        for column in _fields(name, PAST):
            if column.name not in ("step", "n_told"):
                setattr(forgetful.state, column.name, getattr(start, column.name))
        assert seen(forgetful, 0) == seen(play, 0)
        seed = f"{SEED} {rng.random()}"
        ends = [_end(copied(one.state), play, seed) for one in (play, forgetful)]
        assert ends[0] == ends[1], play


def _end(state: Any, play: Play, seed: str) -> tuple[int, int, tuple[int, ...]]:
    trial = play.copy()
    trial.state = state
    for _ in positions(trial, Seeded(seed)):
        if len(trial.steps) > len(play.steps) + 300:
            break
    return trial.state.winners, trial.state.ending, trial.points()


@every_game
def test_what_is_said_to_be_told_elsewhere_is(name: str):
    """Equal numbers of everybody mean equal values of every field that follows from the others."""
    known: dict[Any, Any] = {}
    for play in some_positions(name, 60, every=2):
        key = (encoder_of(play), tuple(seen(play, seat)[0] for seat in range(play.n_seats)))
        values = [getattr(play.view(0).state, column.name) for column in _fields(name, RETOLD)]
        assert known.setdefault(key, values) == values


def test_an_encoder_is_the_same_after_a_pickle():
    encoder = Encoder(GAMES["poch"], 4, {"max_bid": 3})

    again = pickle.loads(pickle.dumps(encoder))  # noqa: S301 - our own

    assert (again.features, again.n_actions) == (encoder.features, encoder.n_actions)


def test_a_field_of_which_nothing_is_said_is_refused():
    game = GAMES["pok"]
    silent = replace(game, holds={name: holds for name, holds in game.holds.items() if name != "dice"})

    with pytest.raises(RulesError, match="nothing says what dice holds"):
        Encoder(silent, 3)
