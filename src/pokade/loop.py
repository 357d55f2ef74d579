"""The game loop: chance when it is due, else every seat that has to choose. Games that programs play all run here."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from pokade.chance import Chance, draw
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOBODY, members
from pokade.players import Player

Decide = Callable[[Play, int], int]  # what a seat chooses now


class Step(NamedTuple):
    """One thing that happened: CHANCE and its outcome, or a seat and its choice."""

    actor: int
    value: int
    is_open: bool  # False for a choice that stays sealed for now


def run(
    play: Play, chance: Chance, decide: Decide, order: Callable[[Sequence[int]], Iterable[int]] = iter
) -> Iterator[Step]:
    """Play a game to its end, step by step. `order` says in which order the seats of a sealed round are asked."""
    while (turn := play.turn) != NOBODY:
        if turn == CHANCE:
            yield Step(CHANCE, draw(play, chance), is_open=True)
            continue
        for seat in order(members(turn)):
            choice = decide(play, seat)
            yield Step(seat, choice, play.choose(seat, choice))


def by_view(players: Sequence[Player]) -> Decide:
    """Each seat's player decides, from the view of its seat and nothing else."""
    return lambda play, seat: players[seat](play.view(seat))


def finish(play: Play, chance: Chance, players: Sequence[Player]) -> Play:
    """Play a game to its end with a player for each seat; the same play."""
    for _ in run(play, chance, by_view(players)):
        pass
    return play
