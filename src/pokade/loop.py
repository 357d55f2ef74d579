"""The game loop: chance when it is due, else every seat that has to choose. Games that programs play all run here."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pokade.chance import Chance, draw
from pokade.games.play import Play, View
from pokade.games.recall import Recall
from pokade.games.state import CHANCE, NOBODY, members
from pokade.players import Player, recalls

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
    """Each seat's player decides, from the view of its seat and nothing else; a player that remembers has its past."""
    look = views_for(dict(enumerate(players)))
    return lambda play, seat: players[seat](look(play, seat))


def views_for(players: Mapping[int, Player]) -> Callable[[Play, int], View]:
    """What each seat gets in one game: its view, with the past where these players remember."""
    following: dict[int, Recall] = {}

    def look(play: Play, seat: int) -> View:
        if not recalls(players[seat]):
            return play.view(seat)
        return following.setdefault(seat, Recall(play, seat)).view(play)

    return look


def finish(play: Play, chance: Chance, players: Sequence[Player]) -> Play:
    """Play a game to its end with a player for each seat; the same play."""
    for _ in run(play, chance, by_view(players)):
        pass
    return play
