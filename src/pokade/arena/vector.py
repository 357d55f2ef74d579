"""Many tables at once in the compiled kernel, each up to its next choice: what networks are trained on.

    tables = Tables(GAMES[name], 4096, 3)                             # every seat is yours …
    tables = Tables(GAMES[name], 4096, 3, opponents=["casual"] * 2)   # … or one of each table, among compiled bots
    tables.reset(seed=1)
    tables.step(actions)                     # int64, (tables, views): one action for each seat that is yours
    tables.observations, tables.masks        # float32 and int8, (tables, views, …): as `encoding` lays them out
    tables.rewards, tables.dones             # a seat's share of the win when its game is over, and whether it is

The arrays are always the same ones, written over by each step: copy what you keep. A table whose game ends begins the
next one in the same step; its last observations are in `tables.finals`, if asked for. An action that the mask does not
allow is refused (`tables.refused`): nothing happens at its seat, and it is asked again. Games are numbered: table t
plays t, t + tables, …, and a game has the same dice and deals as the arena's game of that number and seed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokade.arena.casting import AT_RANDOM, LEVEL, Cast
from pokade.arena.draws import below, start_luck, start_round
from pokade.arena.encoding import Encoder, Mask, Numbers, allow, encode
from pokade.arena.kernel import Ints, cell_of, loop, record_type, visible
from pokade.arena.loops import decided, look, share_of
from pokade.games.game import Game
from pokade.games.state import CHANCE, NOBODY, NOTHING, WIDTH, columns, packed, rule
from pokade.players import is_strong

Words = NDArray[np.uint64]

GAME, ROUND = 0, 1  # where a table stands
NOT_BEGUN: Final = -1
SAMPLING: Final = 0xAC7105  # tells the luck of random actions from all other


class Room(NamedTuple):
    """The tables, as the compiled step needs them."""

    states: Any  # a record for each table
    flats: Ints  # the same, cell by cell
    start: Ints
    eyes: Any  # one record, in which a bot looks
    eyes_flat: Ints
    seen: NDArray[np.bool_]
    chance: Words  # by table
    luck: Words  # by table
    place: Ints  # table: the number of its game, and the round that its dice are of
    seats: Ints  # table, view: the seats that are asked from outside
    kinds: Ints
    who: Ints  # table, seat: the kind of bot, or NOTHING
    ours: Ints  # by table: the seats that are asked from outside, as a bit set
    rows: Ints  # all tables


class Out(NamedTuple):
    """What a step writes."""

    observations: Numbers
    masks: Mask
    rewards: Numbers
    dones: NDArray[np.bool_]
    refused: NDArray[np.bool_]
    finals: Numbers


# Arrays are handed over one by one below: a whole `Room` would cost more than a step of a table does.


@rule
def take(choose: Any, state: Any, base: int, at: int, actions: Any, seats: Any, masks: Any, refused: Any) -> None:
    """The choices from outside at a table; one that the mask does not allow is refused."""
    noop = masks.shape[2] - 1
    for view in range(seats.shape[1]):
        action = actions[at, view]
        is_allowed = 0 <= action <= noop and masks[at, view, action] == 1
        refused[at, view] = not is_allowed
        if is_allowed and action != noop:
            choose(state, seats[at, view], action - base)


@rule
def begin(start: Any, flats: Any, place: Any, at: int, number: int) -> None:
    """A new game at a table."""
    for cell in range(len(start)):
        flats[at, cell] = start[cell]
    place[at, GAME], place[at, ROUND] = number, NOT_BEGUN


@rule
def throw(tickets: Any, outcome_at: Any, happen: Any, state: Any, dice: Any, place: Any, at: int, seed: Any) -> None:
    """Chance has its turn: dice and cards of a round are the same in all games of that number."""
    if state.round != place[at, ROUND]:
        place[at, ROUND] = state.round
        start_round(dice, seed, place[at, GAME], state.round)
    happen(state, outcome_at(state, below(dice, tickets(state))))


@rule
def ask(rules: Any, state: Any, flats: Any, sight: Any, kinds: Any, who: Any, mind: Any, at: int, due: int) -> bool:
    """Let the bots choose; says whether a seat is left that is asked from outside."""
    n_choices, choice_at, choose = rules
    eyes, eyes_flat, seen = sight
    is_asked = False
    for seat in range(state.n_seats):
        if due >> seat & 1:
            kind = who[at, seat]
            if kind == NOTHING:
                is_asked = True
            elif kinds[kind, LEVEL] == AT_RANDOM:
                choose(state, seat, choice_at(state, seat, below(mind, n_choices(state, seat))))
            else:
                look(flats[at], eyes_flat, seen, seat)
                choose(state, seat, decided(kinds, kind, eyes, seat, mind))
    return is_asked


@rule
def settle(state: Any, seats: Any, dones: Any, rewards: Any, at: int) -> None:
    """What a finished game was worth to everybody."""
    dones[at] = True
    for view in range(seats.shape[1]):
        rewards[at, view] = share_of(state, seats[at, view])


@rule
def clear(dones: Any, rewards: Any, at: int) -> None:
    """What the last step said of a finished game is over."""
    if dones[at]:
        dones[at] = False
        for view in range(rewards.shape[1]):
            rewards[at, view] = 0.0


def steps(game: Game) -> Callable[..., None]:  # noqa: C901 - calls hand arrays over, which costs more than they do
    """A step of all tables, or new games at all of them, numbered from `first` (NOTHING for a step)."""
    turn, tickets, outcome_at, happen = game.turn, game.tickets, game.outcome_at, game.happen
    n_choices, choice_at, choose, is_legal = game.n_choices, game.choice_at, game.choose, game.is_legal

    def step(layout: Any, room: Any, seed: Any, actions: Any, first: int, out: Any) -> None:
        states, flats, start, eyes, eyes_flat, seen, chance, luck, place, seats, kinds, who, ours, rows = room
        masks, rewards, dones, refused, base = out.masks, out.rewards, out.dones, out.refused, layout.action
        dice, mind = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
        for at in range(len(flats)):
            state, is_new, number = states[at], first != NOTHING, first + at
            clear(dones, rewards, at)
            if not is_new:
                take(choose, state, base[state.phase], at, actions, seats, masks, refused)
            dice[0], mind[0] = chance[at], luck[at]
            is_asked = False
            while not is_asked:
                if is_new:
                    begin(start, flats, place, at, number)
                    start_luck(mind, seed, number)
                    is_new = False
                due = turn(state)
                if due == CHANCE:
                    throw(tickets, outcome_at, happen, state, dice, place, at, seed)
                elif due == NOBODY:
                    if first == NOTHING:
                        settle(state, seats, dones, rewards, at)
                        if len(out.finals):
                            encode(layout, flats, seats, rows[at : at + 1], out.finals)
                    number, is_new = place[at, GAME] + len(flats), True
                elif due & ~ours[at] == 0:
                    is_asked = True
                else:
                    rules, sight = (n_choices, choice_at, choose), (eyes, eyes_flat, seen)
                    is_asked = ask(rules, state, flats, sight, kinds, who, mind, at, due)
            chance[at], luck[at] = dice[0], mind[0]
        encode(layout, flats, seats, rows, out.observations)
        allow((turn, is_legal), layout, states, seats, masks)

    return step


def samples(game: Game) -> Callable[..., None]:
    """Any action that a mask allows, all equally likely."""

    def sample(masks: Any, rng: Any, actions: Any) -> None:
        for at in range(masks.shape[0]):
            for view in range(masks.shape[1]):
                mask, count = masks[at, view], 0
                for action in range(len(mask)):
                    count += mask[action]
                left, action = below(rng, count), -1
                while left >= 0:
                    action += 1
                    left -= mask[action]
                actions[at, view] = action

    return sample


class Tables:
    """Many tables of one game. For one thread; several of them may run side by side."""

    def __init__(
        self,
        game: Game,
        n_tables: int,
        n_seats: int,
        options: Mapping[str, object] | None = None,
        opponents: Sequence[str] | None = None,
        seats: Sequence[int] | None = None,
        seed: int = 0,
        finals: bool = False,
    ) -> None:
        """`seats` says which seat of each table is yours, among opponents; else it goes round from table to table.

        With `finals` the last observations of finished games are kept, which takes a tenth of the speed.
        """
        self.game, self.n_tables, self.n_seats = game, n_tables, n_seats
        self.encoder = Encoder(game, n_seats, options)
        self._seats = _seats(n_tables, n_seats, opponents, seats)
        self._room = self._made(options, opponents)
        views = self._seats.shape[1]
        self._out = Out(
            np.zeros((n_tables, views, self.encoder.size), np.float32),
            np.zeros((n_tables, views, self.encoder.n_actions), np.int8),
            np.zeros((n_tables, views), np.float32),
            np.zeros(n_tables, np.bool_),
            np.zeros((n_tables, views), np.bool_),
            np.zeros((n_tables if finals else 0, views, self.encoder.size), np.float32),
        )
        self._luck = np.zeros(1, np.uint64)
        self._actions = np.zeros((n_tables, views), np.int64)
        self.reset(seed)

    def _made(self, options: Mapping[str, object] | None, opponents: Sequence[str] | None) -> Room:
        game, cells = self.game, visible(self.game).shape[1]
        states, eyes = np.zeros(self.n_tables, _short_record(game)), np.zeros(1, record_type(game))
        start = np.array(packed(game.new(self.n_seats, options))[:cells], np.int64)
        start[cell_of(game, "unheard")] = 1
        kinds = _kinds(game, opponents)
        return Room(
            states=states,
            flats=states.view(np.int64).reshape(self.n_tables, -1),
            start=start,
            eyes=eyes[0],
            eyes_flat=eyes.view(np.int64),
            seen=visible(game),
            chance=np.zeros(self.n_tables, np.uint64),
            luck=np.zeros(self.n_tables, np.uint64),
            place=np.zeros((self.n_tables, 2), np.int64),
            seats=self._seats,
            kinds=kinds,
            who=_who(self._seats, self.n_seats),
            ours=(1 << self._seats).sum(1),
            rows=np.arange(self.n_tables),
        )

    @property
    def n_views(self) -> int:
        """How many seats of each table are asked from outside."""
        return int(self._seats.shape[1])

    @property
    def seats(self) -> Ints:
        """The seat behind each view of each table."""
        return self._seats

    @property
    def observations(self) -> Numbers:
        return self._out.observations

    @property
    def masks(self) -> Mask:
        return self._out.masks

    @property
    def rewards(self) -> Numbers:
        return self._out.rewards

    @property
    def dones(self) -> NDArray[np.bool_]:
        return self._out.dones

    @property
    def refused(self) -> NDArray[np.bool_]:
        return self._out.refused

    @property
    def finals(self) -> Numbers:
        """The last observations of the games that ended with the last step (`dones`)."""
        return self._out.finals

    def reset(self, seed: int, first: int = 0) -> None:
        """New games at all tables, the first of which has the number `first`."""
        self._seed = np.uint64(seed)
        self._luck[0] = np.uint64(seed) ^ np.uint64(SAMPLING)
        for written in (self.rewards, self.dones, self.refused, self.finals):
            written.fill(0)
        self._go_on(self._actions, first)

    def step(self, actions: Ints) -> None:
        """Everybody's actions; every table goes on up to its next choice."""
        self._go_on(actions, NOTHING)

    def _go_on(self, actions: Ints, first: int) -> None:
        loop(steps, self.game)(self.encoder.layout, self._room, self._seed, actions, first, self._out)

    def random_actions(self) -> Ints:
        """An action for every view, any that its mask allows; the same array each time."""
        loop(samples, self.game)(self.masks, self._luck, self._actions)
        return self._actions


def _short_record(game: Game) -> np.dtype[Any]:
    """The record of a state without room for events, of which there are none where nobody listens."""
    *cells, told = columns(game.state)
    return np.dtype([*((c.name, np.int64, c.shape) for c in cells), (told.name, np.int64, (WIDTH,))])


def _seats(n_tables: int, n_seats: int, opponents: Sequence[str] | None, seats: Sequence[int] | None) -> Ints:
    if opponents is None:
        return np.tile(np.arange(n_seats), (n_tables, 1))
    own = np.arange(n_tables) % n_seats if seats is None else np.array(seats, np.int64)
    return own.reshape(n_tables, 1)


def _kinds(game: Game, opponents: Sequence[str] | None) -> Ints:
    """The bots by number; refuses one that can't be asked within a compiled loop."""
    for name in opponents or ():
        if is_strong(name):
            raise ValueError(f"{name} searches, so it can't play at many tables at once")
    return Cast(game, opponents).kinds if opponents else np.zeros((1, 2), np.int64)


def _who(seats: Ints, n_seats: int) -> Ints:
    """Who sits where: the bots in turn order after the seat that is asked from outside."""
    who = np.full((len(seats), n_seats), NOTHING, np.int64)
    if seats.shape[1] == 1:
        for bot in range(n_seats - 1):
            who[np.arange(len(seats)), (seats[:, 0] + 1 + bot) % n_seats] = bot
    return who
