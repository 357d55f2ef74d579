"""What the checks play: a game with its author's claims, at every table, at random."""

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pokade.chance import Seeded
from pokade.games.game import Game, Option, Value
from pokade.games.play import Play
from pokade.loop import Decide, run

LONG = 1_000_000  # steps after which a random game counts as endless


@dataclass(frozen=True, slots=True)
class Claims:
    """What a game's author says of its rules."""

    game: Game
    twin: Callable[[Play, int, bool, random.Random], Any]  # (play, viewer, is it a person, rng) → another state
    conserved: Callable[[Any], Hashable]  # the same at every moment of a game
    turns_evenly: Callable[[Play], bool] = lambda _: True  # False where a ruling favours a seat by its place


def tables(game: Game) -> Iterator[tuple[int, dict[str, Value]]]:
    """Every number of seats with the defaults, and every value of every option (of a range: both ends and between)."""
    for n_seats in game.seats:
        yield n_seats, {}
        for option in game.options:
            for value in _values(option, n_seats):
                yield n_seats, {option.name: value}


def _values(option: Option, n_seats: int) -> list[Value]:
    taken = option.takes(n_seats)
    if not isinstance(taken, range):
        return [value for value in taken if value != option.default(n_seats)]
    # A limit at its upper end is never reached by chance, but a game must still run under it.
    return sorted({taken[0], taken[0] + 1, taken[0] + 2, taken[0] + 7, taken[-1]})


def cycle(game: Game, games: int) -> Iterator[tuple[int, tuple[int, dict[str, Value]]]]:
    """So many games over all tables in turn, each with its number."""
    every = list(tables(game))
    for number in range(games):
        yield number, every[number % len(every)]


def positions(play: Play, chance: Seeded) -> Iterator[Play]:
    """A random game, step by step: the same play, yielded at the start and after each step."""
    yield play
    for _ in run(play, chance, at_random(chance), in_any_order(play.n_seats, chance)):
        assert len(play.steps) <= LONG, f"{play.game.name}: a random game does not end"
        yield play


def in_any_order(n_seats: int, chance: Seeded) -> Callable[[Sequence[int]], list[int]]:
    """The seats of a sealed round, from any of them on."""

    def order(seats: Sequence[int]) -> list[int]:
        first = chance.draw(n_seats)
        return sorted(seats, key=lambda seat: (seat < first, seat))

    return order


def at_random(chance: Seeded) -> Decide:
    """Any choice that the seat has, all equally likely; faster than a player, since it needs no view."""

    def decide(play: Play, seat: int) -> int:
        game, state = play.game, play.state
        return game.choice_at(state, seat, chance.draw(game.n_choices(state, seat)))

    return decide


def random_game(game: Game, n_seats: int, options: Mapping[str, object], seed: int | str) -> Play:
    """A random game, played to its end."""
    play = Play(game, n_seats, options)
    for _ in positions(play, Seeded(seed)):
        pass
    return play
