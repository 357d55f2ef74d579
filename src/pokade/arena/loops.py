"""Compiled loops over the rules of a game, and a table to run them on. They are free to be fast: they do not check.

The makers hand numba nothing but module-level functions: only then does its cache know them again.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pokade.arena.casting import AT_RANDOM, ELSEWHERE, LEVEL, TEMPER, Cast, Pasts
from pokade.arena.draws import below, copy_cells, next_word, start_luck, start_round, start_stream
from pokade.arena.kernel import Ints, address_of, asked, cell_of, loop, record_type, visible
from pokade.arena.trees import trees
from pokade.games.game import Game
from pokade.games.state import CHANCE, NOBODY, NOTHING, UNKNOWN, State, packed, rule
from pokade.players import LIKING, LUCK, Policy, policy

Floats = NDArray[np.float64]

WINNERS, ROUNDS, CHOICES, ENDING, POINTS = 0, 1, 2, 3, 4  # what is kept of a game; then points and choices by seat
GAMES_TOTAL, CHOICES_TOTAL, TIES_TOTAL = 0, 1, 2
WHOLE: Final = 840  # a win in units that every number of winners up to eight divides
SHARES: Final = (0, *(WHOLE // winners for winners in range(1, 9)))
LOWEST_SCORE: Final = -512
TRACED: Final = 2048  # steps of a game that a trace holds
GAME, DUE, ROUND, ASKED, SEEN = 0, 1, 2, 3, 4  # where a loop stands when it asks somebody outside
NOT_BEGUN: Final = -2
LOOK: Final = -2  # instead of a seat: players that remember are to look
UNSEEN: Final = -1  # instead of the step that they have seen last: nobody remembers


@rule
def look(flat: Any, view: Any, seen: Any, seat: int) -> None:
    """What `blinded` does, on the flat record: UNKNOWN in every cell that the seat may not see."""
    for cell in range(seen.shape[1]):
        view[cell] = flat[cell] if seen[seat, cell] else UNKNOWN


@rule
def decided(kinds: Any, kind: int, view: Any, seat: int, luck: Any) -> int:
    """What a player that goes by a rule of thumb chooses, or its temper; NOTHING if it is to be asked elsewhere."""
    choice: int = NOTHING
    if kinds[kind, TEMPER] and below(luck, LIKING) == 0:
        choice = asked(kinds[kind, TEMPER], view, seat, below(luck, LUCK))
    if choice == NOTHING and kinds[kind, LEVEL] != ELSEWHERE:
        choice = asked(kinds[kind, LEVEL], view, seat, below(luck, LUCK))
    return choice


@rule
def ask_outside(luck: Any, given: Any, place: Any, due: int, seat: int) -> int:
    """Luck for the player outside; the loop goes on with the seats after this one."""
    given[0] = next_word(luck)
    place[ASKED], place[DUE] = seat, due >> seat + 1 << seat + 1
    return seat


@rule
def take_answer(choose: Any, state: Any, place: Any, answer: int) -> None:
    """Go on with the choice of the player that was asked outside of the loop, if one was."""
    if place[ASKED] != NOTHING:
        choose(state, place[ASKED], answer)
        place[ASKED] = NOTHING


@rule
def is_news(state: Any, place: Any) -> bool:
    """Has something happened that players who remember have not seen yet? They see it now."""
    is_new: bool = place[SEEN] != UNSEEN and place[SEEN] != state.step
    if is_new:
        place[SEEN] = state.step
    return is_new


@rule
def begin_game(state: Any, flat: Any, start: Any, luck: Any, place: Any, seed: Any, number: int) -> None:
    """A game that has not begun: as at the start, with the luck of its players."""
    if place[ROUND] == NOT_BEGUN:
        copy_cells(start, flat)
        start_luck(luck, seed, number)
        place[ROUND], place[SEEN] = NOTHING, min(place[SEEN], state.step)


@rule
def begin_round(chance: Any, place: Any, seed: Any, deal: int, number: int) -> None:
    """Chance of this round: the same in all games of a deal."""
    if number != place[ROUND]:
        place[ROUND] = number
        start_round(chance, seed, deal, number)


@rule
def let_chance(
    turn: Any, tickets: Any, outcome_at: Any, happen: Any, state: Any, place: Any, chance: Any, seed: Any, deal: int
) -> None:
    """Dice or cards, until somebody is to choose or the game is over."""
    while turn(state) == CHANCE:
        begin_round(chance, place, seed, deal, state.round)
        happen(state, outcome_at(state, below(chance, tickets(state))))


@rule
def end_game(points: Any, state: Any, place: Any, row: Any) -> None:
    """Write down how a game went."""
    row[WINNERS] = state.winners
    row[ROUNDS] = state.round
    row[ENDING] = state.ending
    for seat in range(state.n_seats):
        row[POINTS + seat] = points(state, seat)
        row[CHOICES] += row[POINTS + state.n_seats + seat]
    place[GAME] += 1
    place[ROUND] = NOT_BEGUN


@rule
def share_of(state: Any, seat: int) -> float:
    """A seat's part of the win."""
    winners = 0
    for other in range(state.n_seats):
        winners += state.winners >> other & 1
    share: float = (state.winners >> seat & 1) / max(1, winners)
    return share


def games(game: Game) -> Callable[..., Any]:
    """Plays whole games between players of any kinds and writes down how each went.

    Returns the seat whose player is to be asked outside of the loop, and goes on with the answer; LOOK for those who
    remember; NOTHING at the end.
    """
    turn, tickets, outcome_at, happen = game.turn, game.tickets, game.outcome_at, game.happen
    n_choices, choice_at, choose, points = game.n_choices, game.choice_at, game.choose, game.points

    def play(table: Any, kinds: Any, who: Any, deals: Any, seed: Any, first: int, answer: int, out: Any) -> int:
        states, flats, seen, start, chance, luck, given, place = table
        state, view = states[0], states[1]
        flat, view_flat = flats[0], flats[1]
        take_answer(choose, state, place, answer)
        while place[GAME] < out.shape[0]:
            at = place[GAME]
            begin_game(state, flat, start, luck, place, seed, first + at)
            due = place[DUE] if place[DUE] else turn(state)
            if is_news(state, place):
                return LOOK
            if due == CHANCE:
                let_chance(turn, tickets, outcome_at, happen, state, place, chance, seed, deals[at])
                continue
            if due == NOBODY:
                end_game(points, state, place, out[at])
            for seat in range(state.n_seats):  # those of a sealed round choose in seat order
                if due >> seat & 1:
                    out[at, POINTS + state.n_seats + seat] += 1
                    kind = who[at, seat]
                    if kinds[kind, LEVEL] == AT_RANDOM:
                        choose(state, seat, choice_at(state, seat, below(luck, n_choices(state, seat))))
                        continue
                    look(flat, view_flat, seen, seat)
                    choice = decided(kinds, kind, view, seat, luck)
                    if choice == NOTHING:
                        return ask_outside(luck, given, place, due, seat)
                    choose(state, seat, choice)
            place[DUE] = 0
        return NOTHING

    return play


def endings(game: Game) -> Callable[..., Any]:
    """Plays games to their end from anywhere, some of the next choices given."""
    turn, tickets, outcome_at, happen, choose = game.turn, game.tickets, game.outcome_at, game.happen, game.choose

    def finish(table: Any, mind: int, starts: Any, given: Any, streams: Any, seed: Any, won: Any) -> None:
        states, flats, seen = table
        state, view = states[0], states[1]
        rng = np.zeros(1, np.uint64)
        for number in range(len(won)):
            start_stream(rng, seed, streams[number])
            copy_cells(starts[number % len(starts)], flats[0])
            is_next = True
            while True:
                who = turn(state)
                if who == CHANCE:
                    happen(state, outcome_at(state, below(rng, tickets(state))))
                elif who == NOBODY:
                    break
                else:
                    for seat in range(state.n_seats):
                        if who >> seat & 1:
                            look(flats[0], flats[1], seen, seat)
                            choice = asked(mind, view, seat, below(rng, LUCK))
                            if is_next and given[number, seat] != NOTHING:
                                choice = given[number, seat]
                            choose(state, seat, choice)
                    is_next = False
            won[number] = state.winners

    return finish


def traces(game: Game) -> Callable[..., Any]:
    """Plays one random game and writes down every step and the state after it."""
    turn, tickets, outcome_at, happen = game.turn, game.tickets, game.outcome_at, game.happen
    n_choices, choice_at, choose = game.n_choices, game.choice_at, game.choose

    def trace(states: Any, flats: Any, start: Any, seed: Any, number: int, steps: Any, after: Any) -> int:
        state, flat = states[0], flats[0]
        rng = np.zeros(1, np.uint64)
        start_stream(rng, seed, number)
        copy_cells(start, flat)
        taken = 0
        while True:
            who = turn(state)
            if who == NOBODY or taken + state.n_seats > steps.shape[0]:
                return taken
            for seat in range(state.n_seats):
                if who == CHANCE:
                    if seat > 0:
                        break
                    value = outcome_at(state, below(rng, tickets(state)))
                    happen(state, value)
                elif who >> seat & 1:
                    value = choice_at(state, seat, below(rng, n_choices(state, seat)))
                    choose(state, seat, value)
                else:
                    continue
                steps[taken, 0] = CHANCE if who == CHANCE else seat
                steps[taken, 1] = value
                copy_cells(flat, after[taken])
                taken += 1

    return trace


def views(game: Game) -> Callable[..., Any]:
    """The view of a seat, so that it can be compared with the plain one."""

    def see(flat: Any, view: Any, seen: Any, seat: int) -> None:
        look(flat, view, seen, seat)

    return see


def count(rows: Any, seats: Any, totals: Any, rounds: Any, scores: Any, endings: Any) -> None:
    """Adds finished games to what is counted: integers only, so that the order of adding does not matter."""
    for number in range(rows.shape[0]):
        row = rows[number]
        winners = 0
        for seat in range(seats.shape[1]):
            winners += row[WINNERS] >> seat & 1
        whole_share = SHARES[winners]
        totals[GAMES_TOTAL] += 1
        totals[CHOICES_TOTAL] += row[CHOICES]
        totals[TIES_TOTAL] += 1 if winners > 1 else 0
        rounds[min(row[ROUNDS], len(rounds) - 1)] += 1
        endings[row[ENDING]] += 1
        for seat in range(seats.shape[1]):
            share = whole_share * (row[WINNERS] >> seat & 1)
            points = row[POINTS + seat]
            seats[0, seat] += share
            seats[1, seat] += share * share
            seats[2, seat] += 1 if share == WHOLE else 0
            seats[3, seat] += points
            seats[4, seat] += points * points
            scores[max(0, min(points - LOWEST_SCORE, len(scores) - 1))] += 1


def counter(game: Game) -> Callable[..., Any]:
    """The counting."""
    return count


class Arena:
    """One table in the fast carrier: a record for the state, one for a view, and the compiled loops over them."""

    def __init__(self, game: Game, n_seats: int, options: Mapping[str, object] | None = None) -> None:
        self.game, self.n_seats, self.options = game, n_seats, dict(options or {})
        self._states = np.zeros(2, record_type(game))
        self._flats: Ints = self._states.view(np.int64).reshape(2, -1)
        self._seen = visible(game)
        self._start: Ints = np.array(packed(game.new(n_seats, options)), np.int64)

    def __reduce__(self) -> tuple[Any, ...]:
        """What it was made of: arrays that share their memory would come apart in a pickle."""
        return Arena, (self.game, self.n_seats, self.options)

    def play(self, seed: int, first: int, games: int, minds: Sequence[str | Policy]) -> Ints:
        """Play games number `first` … of a run, `minds` being the players of each seat. One row a game."""
        return self.meet(Cast(self.game, minds), seed, first, np.tile(np.arange(self.n_seats), (games, 1)))

    def meet(
        self, cast: Cast, seed: int, first: int, who: Ints, deals: Ints | None = None, seconds: Floats | None = None
    ) -> Ints:
        """Play games number `first` … of a run, one for each row of `who`: the players of its seats, by number.

        `deals` says which games have the same chance (none of them, else); in `seconds` it is noted how long players
        that search have thought, by game and seat.
        """
        out = np.zeros((len(who), POINTS + 2 * self.n_seats), np.int64)
        start = self._start[: self._seen.shape[1]].copy()
        start[cell_of(self.game, "unheard")] = 1
        chance, luck, given = (np.zeros(1, np.uint64) for _ in range(3))
        place = np.array([0, 0, NOT_BEGUN, NOTHING, 0 if cast.is_recalling else UNSEEN])
        table = (self._states, self._flats, self._seen, start, chance, luck, given, place)
        deals = np.arange(first, first + len(who)) if deals is None else deals
        answer, kernel, pasts = 0, loop(games, self.game), Pasts(cast, self._seen)
        while (seat := kernel(table, cast.kinds, who, deals, np.uint64(seed), first, answer, out)) != NOTHING:
            at, flat, view = int(place[GAME]), *(cells[: self._seen.shape[1]] for cells in self._flats)
            if seat == LOOK:
                pasts.look(at, who[at], flat)
                continue
            started = time.perf_counter()
            answer = cast.ask(int(who[at, seat]), seat, view, int(given[0]), pasts.of(at, seat))
            if seconds is not None:
                seconds[at, seat] += time.perf_counter() - started
        return out

    def finish(self, starts: Ints, given: Ints, streams: Ints, seed: int, mind: str) -> Ints:
        """Play games to their end, row by row of `given`, from flat states that are taken in turn; the winners.

        `given` has each seat's next choice, or NOTHING where it is left to the player `mind`; rows with the same number
        in `streams` have the same luck.
        """
        won = np.zeros(len(given), np.int64)
        starts = starts[:, : self._seen.shape[1]].copy()
        starts[:, cell_of(self.game, "unheard")] = 1
        table, decide = (self._states, self._flats, self._seen), address_of(policy(mind, self.game), self.game)
        loop(endings, self.game)(table, decide, starts, given, streams, np.uint64(seed), won)
        return won

    def count(self, rows: Ints, *counts: Ints) -> None:
        """Add finished games to what is counted (see `count`), without holding up other threads."""
        loop(counter, self.game)(rows, *counts)

    @cached_property
    def _paper(self) -> tuple[Ints, Ints]:
        return np.zeros((TRACED, 2), np.int64), np.zeros((TRACED, self._flats.shape[1]), np.int64)

    def trace(self, seed: int, number: int) -> tuple[Ints, Ints]:
        """One random game: its first steps as (actor, value), and the flat state after each, until the next trace."""
        steps, after = self._paper
        kernel = loop(traces, self.game)
        taken = kernel(self._states, self._flats, self._start, np.uint64(seed), number, steps, after)
        return steps[:taken], after[:taken]

    def tree(self, state: State, depth: int) -> list[int]:
        """How many ways there are to go 1, 2 … `depth` steps on from a state: different outcomes, every choice."""
        states = np.zeros(depth + 1, record_type(self.game))
        flats = states.view(np.int64).reshape(depth + 1, -1)
        flats[0] = packed(state)
        counts = np.zeros(depth, np.int64)
        due, branches = np.zeros((2, depth + 1), np.int64)
        loop(trees, self.game)(states, flats, due, branches, counts)
        found: list[int] = counts.tolist()
        return found

    def view(self, flat: Ints, seat: int) -> Ints:
        """The compiled view of a state that `trace` has given, without the events."""
        view: Ints = np.zeros(self._seen.shape[1], np.int64)
        loop(views, self.game)(flat, view, self._seen, seat)
        return view
