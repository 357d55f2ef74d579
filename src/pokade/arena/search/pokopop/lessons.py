"""`python -m pokade.arena.search.pokopop.lessons`: learn what points are worth, from games of the search with itself.

A game begins with some rounds in which everybody jumps or waits at random every second time, so that all kinds of
scores are seen. From then on all play by the search, and every position before a deal is noted with what became of it.
The weights that explain these best (a conditional logit) make the search of the next lesson, until they change no more.
"""

import sys
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pokade.arena.draws import below, copy_cells, fraction, start_stream
from pokade.arena.kernel import compiled
from pokade.arena.search.pokopop.memory import PLAYED, WEIGHTS, N
from pokade.arena.search.pokopop.search import think
from pokade.arena.search.pokopop.worth import POINT, SIDES, lead, side
from pokade.arena.searching import Search
from pokade.games.pokopop import (
    DEALING,
    DECK,
    GAME,
    OVER,
    POKO,
    WAIT,
    choose,
    happen,
    outcome_at,
    points,
    tickets,
    turn,
)
from pokade.games.state import CHANCE, how_many, packed, rule

Floats = NDArray[np.float64]

ROUNDS: Final = 10  # with three players and no clash
RIDGE: Final = 10.0  # keeps weights that nothing speaks for where they were
SEED: Final = 2026
LESSONS: Final = 4


@rule
def play_lessons(states: Any, flats: Any, start: Any, table: Any, memory: Any, seed: Any, first: int, out: Any) -> int:
    """Games of the search with itself; notes positions and what became of them, and returns how many those are."""
    rng = np.zeros(1, np.uint64)
    state, noted = states[PLAYED], 0
    for number in range(first, first + len(out) // ROUNDS):
        start_stream(rng, seed, number)
        copy_cells(start, flats[PLAYED])
        lucky, begun = below(rng, DECK // state.n_seats), noted  # rounds that are played at random in part
        while state.phase != OVER:
            if state.phase == DEALING and state.n_dealt == 0 and state.round > max(1, lucky):
                _note(state, out[noted])
                noted += 1
            if turn(state) == CHANCE:
                happen(state, outcome_at(state, below(rng, tickets(state))))
            else:
                _choose_all(states, flats, table, memory, rng, state.round < lucky)
        for row in range(begun, noted):
            for seat in range(state.n_seats):
                out[row, SIDES + 2 * N + seat] = (state.winners >> seat & 1) / how_many(state.winners)
    return noted


@rule
def _note(state: Any, row: Any) -> None:
    """A position as the weights see it."""
    for which in range(SIDES):
        row[which] = side(state, which)
    for seat in range(state.n_seats):
        row[SIDES + seat] = points(state, seat) / POINT
        row[SIDES + N + seat] = lead(state, seat)


@rule
def _choose_all(states: Any, flats: Any, table: Any, memory: Any, rng: Any, is_lucky: bool) -> None:
    """One reveal. Where all have waited at a chance that was not the last, nothing new has to be thought."""
    state = states[PLAYED]
    if state.waits == 0 or state.max_waits - state.waits < 3:
        memory.n_nodes = 0
        for node in range(len(memory.follows)):
            for seat in range(N):
                memory.follows[node, seat] = 0
                for jumpers in range(1 << N):
                    memory.payoffs[node, jumpers, seat] = 0.0
        copy_cells(flats[PLAYED], flats[0])
        think(states, flats, table, memory)
    inside = state.inside
    for seat in range(state.n_seats):
        if inside >> seat & 1:
            often = 0.5 if is_lucky and below(rng, 2) == 0 else memory.jumps[0, seat]
            choose(state, seat, POKO if fraction(rng) < often else WAIT)


def lesson(search: Search, n_seats: int, effects: bool, games: int, number: int) -> Floats:
    """The positions of some games by the search as it is."""
    states, flats = search.records
    start = np.array(packed(GAME.new(n_seats, {"effects": effects})), np.int64)[: flats.shape[1]]
    out = np.zeros((games * ROUNDS, SIDES + 3 * N))
    play = compiled(play_lessons, GAME)
    noted = play(states, flats, start, search.table, search.memory, np.uint64(SEED + number), 0, out)
    return out[:noted]


def fitted(rows: Floats, n_seats: int, weights: Floats) -> Floats:
    """The weights under which what became of the positions is likeliest, from these on, by Newton's method."""
    sides, shares = rows[:, :SIDES], rows[:, SIDES + 2 * N : SIDES + 2 * N + n_seats]
    tens, leads = rows[:, SIDES : SIDES + n_seats], rows[:, SIDES + N : SIDES + N + n_seats]
    seen = np.concatenate([tens[:, :, None] * sides[:, None, :], leads[:, :, None] * sides[:, None, :]], axis=2)
    found = weights.copy()
    for _ in range(30):
        likings = seen @ found
        parts = np.exp(likings - likings.max(axis=1, keepdims=True))
        parts /= parts.sum(axis=1, keepdims=True)
        slope = np.einsum("rs,rsw->w", shares - parts, seen) - RIDGE * (found - weights)
        mean = np.einsum("rs,rsw->rw", parts, seen)
        bend = np.einsum("rs,rsw,rsv->wv", parts, seen, seen) - mean.T @ mean + RIDGE * np.eye(WEIGHTS)
        step = np.linalg.solve(bend, slope)
        found = found + step
        if abs(step).max() < 1e-6:
            break
    return found


def learn(search: Search, n_seats: int, effects: bool, games: int, lessons: int) -> None:
    """Lessons, each with the weights of those before; the first positions, by poorer play, are forgotten."""
    weights = search.table.weights[int(effects), n_seats]
    before, kept = weights.copy(), np.zeros((0, SIDES + 3 * N))
    for number in range(lessons):
        rows = lesson(search, n_seats, effects, games, number)
        kept = np.concatenate([kept, rows]) if number > 1 else rows
        found = fitted(kept, n_seats, before)
        moved = abs(found - weights).max()
        print(f"{n_seats} players, effects {effects}: {len(rows)} positions, moved {moved:.3f}", file=sys.stderr)  # noqa: T201
        weights[:] = found


def main() -> None:
    """Learn for every table, from the weights of the next smaller one on, and print them as the file has them."""
    search, games = Search(GAME), int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    weights = search.table.weights
    for effects in (False, True):
        for n_seats in GAME.seats:
            if n_seats > GAME.seats[0]:
                weights[int(effects), n_seats] = weights[int(effects), n_seats - 1]
            learn(search, n_seats, effects, games // 3 ** (n_seats - GAME.seats[0]), LESSONS)
    every = [[tuple(round(float(w), 3) for w in weights[effects, n]) for n in GAME.seats] for effects in range(2)]
    print(f"LEARNT: Final = {every}")  # noqa: T201


if __name__ == "__main__":
    main()
