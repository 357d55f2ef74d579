"""A compiled walk through all that can happen in a game."""

from collections.abc import Callable
from typing import Any

from pokade.arena.draws import copy_cells
from pokade.games.game import Game
from pokade.games.state import CHANCE, lowest


def trees(game: Game) -> Callable[..., Any]:
    """Walks through all that can happen, which counts the positions at every depth."""
    turn, tickets, outcome_at, happen = game.turn, game.tickets, game.outcome_at, game.happen
    n_choices, choice_at, choose = game.n_choices, game.choice_at, game.choose

    def walk(states: Any, flats: Any, due: Any, branches: Any, counts: Any) -> None:
        depth = 0
        while depth >= 0:
            state = states[depth]
            who = due[depth] if due[depth] else turn(state)  # the seats of a sealed round choose in seat order
            seat = lowest(who) if who > 0 else 0
            width = tickets(state) if who == CHANCE else n_choices(state, seat) if who else 0
            branch = branches[depth]
            branches[depth] += 1
            if branch == width or depth == len(counts):
                depth -= 1
                continue
            value = outcome_at(state, branch) if who == CHANCE else choice_at(state, seat, branch)
            if who == CHANCE and branch > 0 and outcome_at(state, branch - 1) == value:
                continue  # tickets of an outcome lie side by side
            copy_cells(flats[depth], flats[depth + 1])
            if who == CHANCE:
                happen(states[depth + 1], value)
            else:
                choose(states[depth + 1], seat, value)
            counts[depth] += 1
            depth += 1
            due[depth] = who & who - 1 if who > 0 else 0
            branches[depth] = 0

    return walk
