"""Pieces of a dataset: games by their numbers, as columns of choices and as steps."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple, Self

import numpy as np

from pokade.arena import reading
from pokade.arena.bots import drawn, solution_chances
from pokade.arena.casting import AT_RANDOM, LEVEL, NO_TEMPER, TEMPER, Pasts, state_of
from pokade.arena.dataset.loops import (
    OF_CHOICE,
    OF_GAME,
    OF_PHASE,
    OF_SEAT,
    PLACES,
    ROW,
    STEP,
    WRITTEN,
    written,
)
from pokade.arena.encoding import Encoder, Mask, Numbers
from pokade.arena.kernel import Ints, cell_of, loop
from pokade.arena.loops import (
    ASKED,
    GAME,
    LOOK,
    NOT_BEGUN,
    POINTS,
    ROUND,
    SEEN,
    SHARES,
    UNSEEN,
    WHOLE,
    WINNERS,
    Arena,
    Floats,
)
from pokade.arena.places import Places
from pokade.arena.played import Games
from pokade.arena.tournament import Tournament
from pokade.games.play import View
from pokade.games.state import NOTHING

AT_FIRST: Final = 1 << 14  # choices that there is room for, until it proves too little
UNKNOWN_MIXTURE: Final = np.float32(np.nan)


class Piece(NamedTuple):
    """Some games: a row for each choice, and all steps."""

    numbers: Numbers
    masks: Mask
    rows: Ints  # game, round, seat, phase and choice (see `loops.py`)
    mixtures: Numbers  # by action; all NaN where it is not known
    steps: Ints  # game, actor, value
    who: Ints  # by game and seat: which of the entrants
    shares: Floats  # by game and seat
    points: Ints  # by game and seat
    first: int  # the number of the first game


class Paper(Arena):
    """A table whose games are written down."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(tournament.game, tournament.size, tournament.options)
        self._tournament, self._cast = tournament, tournament.cast()
        self.encoder = Encoder(self.game, self.n_seats, self.options)
        self._room = AT_FIRST

    def write(self, batch: range) -> Piece:
        """The games of these numbers. If the paper does not hold them, they are played again on a larger one."""
        while True:
            found = self._try(batch)
            if found is not None:
                return found
            self._room *= 2

    def _try(self, batch: range) -> Piece | None:
        who, deals = self._tournament.seated(batch)
        out = np.zeros((len(who), POINTS + 2 * self.n_seats), np.int64)
        paper, place = self._paper_for(self._room), self._place()
        mixtures = np.full((self._room, self.encoder.n_actions), UNKNOWN_MIXTURE, np.float32)
        self._play(batch.start, who, deals, out, paper, place, mixtures)
        count, taken = int(place[ROW]), int(place[STEP])
        if count > self._room or taken > len(paper[3]):
            return None
        numbers, masks, rows, steps = paper[0][:count, 0], paper[1][:count, 0], paper[2][:count], paper[3][:taken]
        self._mix_evenly(who, rows, masks, mixtures)
        won = out[:, WINNERS, None] >> np.arange(self.n_seats) & 1
        shares = won * np.array(SHARES)[won.sum(axis=1)][:, None] / WHOLE
        points = out[:, POINTS : POINTS + self.n_seats]
        return Piece(numbers, masks, rows, mixtures[:count], steps, who, shares, points, batch.start)

    def _play(
        self, first: int, who: Ints, deals: Ints, out: Ints, paper: tuple[Any, ...], place: Ints, mixtures: Numbers
    ) -> None:
        """As `Arena.meet` does, with all that is written down."""
        cells = self._seen.shape[1]
        start = self._start[:cells].copy()
        start[cell_of(self.game, "unheard")] = 1
        chance, luck, given = (np.zeros(1, np.uint64) for _ in range(3))
        table = (self._states, self._flats, self._seen, start, chance, luck, given, place, self.encoder.layout, paper)
        kernel, pasts, answer = loop(written, self.game), Pasts(self._cast, self._seen), 0
        seed = np.uint64(self._tournament.seed)
        while (seat := kernel(table, self._cast.kinds, who, deals, seed, first, answer, out)) != NOTHING:
            at = int(place[GAME])
            if seat == LOOK:
                pasts.look(at, who[at], self._flats[0, :cells])
                continue
            view = View(self.game, seat, state_of(self.game, self._flats[1, :cells]), tuple(pasts.of(at, seat)))
            answer = self._ask(int(who[at, seat]), view, int(given[0]), mixtures[min(place[ROW], self._room - 1)])

    def _paper_for(self, room: int) -> tuple[Any, ...]:
        encoder = self.encoder
        return (
            np.zeros((room, 1, encoder.size), np.float32),
            np.zeros((room, 1, encoder.n_actions), np.int8),
            np.zeros((room, WRITTEN), np.int64),
            np.zeros((4 * room, 3), np.int64),
            np.zeros((1, 1), np.int64),  # the viewer …
            np.zeros(1, np.int64),  # … of the one state that is encoded
        )

    def _place(self) -> Ints:
        """Where the loop stands before the first game."""
        place = np.zeros(PLACES, np.int64)
        place[ROUND], place[ASKED], place[SEEN] = NOT_BEGUN, NOTHING, 0 if self._cast.is_recalling else UNSEEN
        return place

    def _ask(self, number: int, view: View, luck: int, mixture: Numbers) -> int:
        """What a player that thinks chooses; its mixture is written down where that is what it draws from."""
        chances = self._chances(number, view)
        if chances is None:
            return self._cast.think(number, view, luck)
        if self._cast.kinds[number, TEMPER] == NO_TEMPER:
            mixture[:] = 0.0
            mixture[[self.encoder.action(view.state.phase, choice) for choice in view.choices]] = chances
        return drawn(view.choices, chances, luck)

    def _chances(self, number: int, view: View) -> list[float] | None:
        """What a player draws its choice from, unless it searches."""
        if self._cast.recalls[number] and reading.can_read(view):
            return reading.chances(view)
        return solution_chances(view)

    def _mix_evenly(self, who: Ints, rows: Ints, masks: Mask, mixtures: Numbers) -> None:
        """A random player takes any choice."""
        kinds = self._cast.kinds[who[rows[:, OF_GAME], rows[:, OF_SEAT]]]
        at = np.flatnonzero((kinds[:, LEVEL] == AT_RANDOM) & (kinds[:, TEMPER] == NO_TEMPER))
        mixtures[at] = masks[at] / masks[at].sum(axis=1, dtype=np.float32)[:, None]


@dataclass(frozen=True, slots=True)
class Writing:
    """Writes pieces down. It can be pickled, so threads, processes and machines may do it."""

    places: Places[Paper]

    @classmethod
    def of(cls, tournament: Tournament) -> Self:
        """For the games of a tournament."""
        return cls(Places(partial(Paper, replace(tournament, played=Games()))))

    def __call__(self, batch: range) -> Piece:
        with self.places.one() as paper:
            return paper.write(batch)


def games_of(piece: Piece) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """The number of each game, and its steps."""
    ends = np.searchsorted(piece.steps[:, OF_GAME], np.arange(len(piece.who) + 1))
    for game, (begin, end) in enumerate(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)):
        yield piece.first + game, [(actor, value) for _, actor, value in piece.steps[begin:end].tolist()]


def actions_of(encoder: Encoder, piece: Piece) -> Ints:
    """The action that stands for each choice."""
    found: Ints = encoder.layout.action[piece.rows[:, OF_PHASE]] + piece.rows[:, OF_CHOICE]
    return found
