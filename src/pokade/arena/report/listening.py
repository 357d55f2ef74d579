"""Compiled games that are listened to: the same games as in a match, and what their events come to."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pokade.arena.casting import AT_RANDOM, LEVEL, Cast
from pokade.arena.draws import below, copy_cells, start_luck
from pokade.arena.kernel import Ints, loop
from pokade.arena.loops import NOT_BEGUN, POINTS, ROUND, Arena, begin_round, decided, end_game, look
from pokade.arena.measures import ROWS, measures_of
from pokade.games.game import Game
from pokade.games.state import CHANCE, NOBODY, NOTHING, WIDTH, rule


@rule
def hear(note: Any, state: Any, heard: int, counts: Any) -> int:
    """Note what a step has told, once: a choice that stays sealed is no step."""
    if state.step != heard:
        for event in range(state.n_told):
            at = event * WIDTH
            note(state, state.told[at], state.told[at + 1], state.told[at + 2], state.told[at + 3], counts)
    step: int = state.step
    return step


def observed(game: Game) -> Callable[..., Any]:
    """Plays whole games between rules of thumb, as `games` does, and listens to them."""
    turn, tickets, outcome_at, happen = game.turn, game.tickets, game.outcome_at, game.happen
    n_choices, choice_at, choose, points = game.n_choices, game.choice_at, game.choose, game.points
    note = measures_of(game).note

    def play(table: Any, kinds: Any, seed: Any, first: int, out: Any, counts: Any) -> None:
        states, flats, seen, start, chance, luck, place = table
        state, view = states[0], states[1]
        for at in range(out.shape[0]):
            copy_cells(start, flats[0])
            start_luck(luck, seed, first + at)
            place[ROUND] = NOTHING
            heard, due = 0, turn(state)
            while due != NOBODY:
                if due == CHANCE:
                    begin_round(chance, place, seed, first + at, state.round)
                    happen(state, outcome_at(state, below(chance, tickets(state))))
                    heard = hear(note, state, heard, counts)
                else:
                    for seat in range(state.n_seats):
                        if due >> seat & 1:
                            out[at, POINTS + state.n_seats + seat] += 1
                            if kinds[seat, LEVEL] == AT_RANDOM:
                                choice = choice_at(state, seat, below(luck, n_choices(state, seat)))
                            else:
                                look(flats[0], flats[1], seen, seat)
                                choice = decided(kinds, seat, view, seat, luck)
                            choose(state, seat, choice)
                            heard = hear(note, state, heard, counts)
                due = turn(state)
            end_game(points, state, place, out[at])

    return play


class Listening(Arena):
    """A table in the fast carrier at which everything that is told is heard."""

    def observe(self, cast: Cast, seed: int, first: int, games: int) -> tuple[Ints, Ints]:
        """Play games number `first` … of a match; a row a game, and what was counted by measure, row and kind."""
        measures = measures_of(self.game)
        out = np.zeros((games, POINTS + 2 * self.n_seats), np.int64)
        counts = np.zeros((max(1, len(measures.measures)), ROWS, 3), np.int64)
        chance, luck = np.zeros((2, 1), np.uint64)
        place = np.array([0, 0, NOT_BEGUN, NOTHING])
        table = (self._states, self._flats, self._seen, self._start, chance, luck, place)
        kernel = loop(observed, self.game, *measures.files)
        kernel(table, cast.kinds, np.uint64(seed), first, out, counts)
        return out, counts
