"""The one encoder: a view as numbers for a network, and a seat's choices as a mask. Adapters and trained bots use it.

    encoder = Encoder(GAMES[name], n_seats, options)   # the layout of a table: it never changes
    encoder.observation(view)        # float32, `encoder.size` numbers from 0 to 1; view = play.view(seat)
    encoder.mask(view)               # int8, `encoder.n_actions` of them: 1 where the seat may choose that action
    encoder.choice(phase, action)    # the choice that an action stands for in a phase; `encoder.action` goes back
    encoder.key(view)                # the same as words: of two views of one seat, equal if the numbers are
    encoder.features                 # what each number is, by name

The last action, `encoder.noop`, is for a seat that is not asked: then it is the only one that the mask allows. Rows of
seats are turned so that the viewer's own comes first and the others follow in turn order, so one network plays any
seat. What is told is what the fields declare (games/cells.py); what a seat may not see has no number at all.

In compiled code the same is `encode(layout, cells, seats, rows, out)` and `allow(rules, layout, states, seats, out)`
with `encoder.layout`, where `cells` are flat records of states (kernel.py), masked or not: only visible ones are read.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokade.games.cells import A_PHASE, A_SEAT, NO_SEATS, SOME_SEATS, UNTOLD, Holds
from pokade.games.game import Game
from pokade.games.play import View
from pokade.games.state import CHANCE, NOTHING, WATCHER, Column, columns, packed, rule, sees

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Numbers = NDArray[np.float32]
Mask = NDArray[np.int8]
Places = NDArray[np.uint32]  # without a sign, so that compiled code need not ask whether it counts from the end

AS_IT_IS: Final = -1  # a number that names no seat
OWN: Final = 0  # the viewer's own row
PRIVATE: Final = ("own", "sealed")  # marks of fields of which a seat sees its own row alone


class Layout(NamedTuple):
    """Where a seat's numbers come from, as arrays for compiled code. Cells and names are given by viewer."""

    hot_cell: Places  # viewer, source: the cell whose value switches a number on
    hot_at: NDArray[np.int32]  # viewer, source, value + 1: which number that is; NOTHING where there is none
    scale_cell: Places  # viewer, source
    scale_names: Ints  # source: a row of `names`, or AS_IT_IS
    scale_least: Ints
    scale_step: Floats  # what one more is worth
    scale_at: Places
    bit_cell: Places  # viewer, source
    bit_shift: Ints  # viewer, source: the member of the set
    bit_at: Places
    names: Ints  # viewer, row, value + 1: the value as the viewer names it
    action: Ints  # by phase: its first action …
    actions: Ints  # … and how many it has


class Feature(NamedTuple):
    """A number of an encoded view: the field, the place in it (rows of seats from the viewer's own), and the value."""

    field: str
    place: tuple[int, ...]
    value: int | None  # that switches it on; None for a number on a scale

    def __str__(self) -> str:
        place = "".join(f"[{index}]" for index in self.place)
        return f"{self.field}{place}" + ("" if self.value is None else f"={self.value}")


@rule
def encode(layout: Any, cells: Any, seats: Any, rows: Any, out: Any) -> None:
    """States as the numbers of seats' views; reads no cell that a seat may not see.

    `cells` are flat records, `seats` the viewers of each, `out` their numbers; `rows` says which of them are meant. One
    call for many: a call hands over every array of the layout, which takes longer than a row does.
    """
    hot_cell, hot_at, names = layout.hot_cell, layout.hot_at, layout.names
    scale_cell, scale_names, scale_least = layout.scale_cell, layout.scale_names, layout.scale_least
    scale_step, scale_at = layout.scale_step, layout.scale_at
    bit_cell, bit_shift, bit_at = layout.bit_cell, layout.bit_shift, layout.bit_at
    for row in rows:
        for view in range(out.shape[1]):
            seat = seats[row, view]
            for at in range(out.shape[2]):
                out[row, view, at] = 0.0
            for at in range(hot_at.shape[1]):
                value = cells[row, hot_cell[seat, at]] + 1
                if 0 <= value < hot_at.shape[2]:
                    number = hot_at[seat, at, value]
                    if number != NOTHING:
                        out[row, view, number] = 1.0
            for at in range(len(scale_at)):
                value = cells[row, scale_cell[seat, at]]
                if scale_names[at] != AS_IT_IS:
                    value = names[seat, scale_names[at], value + 1]
                part = (value - scale_least[at]) * scale_step[at]
                out[row, view, scale_at[at]] = min(max(part, 0.0), 1.0)
            for at in range(len(bit_at)):
                out[row, view, bit_at[at]] = cells[row, bit_cell[seat, at]] >> bit_shift[seat, at] & 1


@rule
def allow(rules: Any, layout: Any, states: Any, seats: Any, out: Any) -> None:
    """Seats' choices as masks of actions, row by row; `rules` are the game's `turn` and `is_legal`."""
    turn, is_legal = rules
    first, counts, noop = layout.action, layout.actions, out.shape[2] - 1
    for row in range(out.shape[0]):
        state = states[row]
        who = turn(state)
        for view in range(out.shape[1]):
            seat = seats[row, view]
            for at in range(noop):
                out[row, view, at] = 0
            is_asked = who != CHANCE and who >> seat & 1
            out[row, view, noop] = 0 if is_asked else 1
            if is_asked:
                for choice in range(counts[state.phase]):
                    out[row, view, first[state.phase] + choice] = 1 if is_legal(state, seat, choice) else 0


def encodings(game: Game) -> Callable[..., None]:
    """Seats' numbers and masks, for the kernel to compile."""
    turn, is_legal = game.turn, game.is_legal

    def see(layout: Any, states: Any, flats: Any, seats: Any, out: Any, masks: Any) -> None:
        encode(layout, flats, seats, np.arange(len(flats)), out)
        allow((turn, is_legal), layout, states, seats, masks)

    return see


class Encoder:
    """Turns the views of a table into numbers. Two encoders of equal tables are alike."""

    def __init__(self, game: Game, n_seats: int, options: Mapping[str, object] | None = None) -> None:
        self.game, self.n_seats, self.options = game, n_seats, dict(options or {})
        self._actions = game.actions(game.new(n_seats, options))
        self.noop = max(actions.stop for actions in self._actions)
        self.n_actions = self.noop + 1
        made = _Making(game, n_seats, options)
        self.features: tuple[Feature, ...] = tuple(made.features)
        self.size = len(self.features)
        self.layout = made.layout(self._actions)
        self._told = told_fields(game)

    def __reduce__(self) -> tuple[Any, ...]:
        return Encoder, (self.game, self.n_seats, self.options)

    def observation(self, view: View) -> Numbers:
        """A view as numbers from 0 to 1."""
        lay, seat = self.layout, view.seat
        cells, out = np.array(packed(view.state), np.int64), np.zeros(self.size, np.float32)
        values = cells[lay.hot_cell[seat]] + 1
        within = np.where((values >= 0) & (values < lay.hot_at.shape[2]), values, 0)  # of NOTHING there is no number
        numbers = lay.hot_at[seat, np.arange(len(within)), within]
        out[numbers[numbers != NOTHING]] = 1.0
        values = cells[lay.scale_cell[seat]]
        renamed = lay.names[seat, lay.scale_names, np.clip(values + 1, 0, lay.names.shape[2] - 1)]
        values = np.where(lay.scale_names == AS_IT_IS, values, renamed)
        out[lay.scale_at] = np.clip((values - lay.scale_least) * lay.scale_step, 0.0, 1.0)
        out[lay.bit_at] = cells[lay.bit_cell[seat]] >> lay.bit_shift[seat] & 1
        return out

    def mask(self, view: View) -> Mask:
        """1 for each action that the view's seat may choose now."""
        out = np.zeros(self.n_actions, np.int8)
        choices = view.choices
        first = self._actions[view.state.phase].start
        out[[first + choice for choice in choices] or self.noop] = 1
        return out

    def choice(self, phase: int, action: int) -> int:
        """The choice that an action stands for in a phase; NOTHING if it stands for none there."""
        actions = self._actions[phase]
        return int(action) - actions.start if action in actions else NOTHING

    def action(self, phase: int, choice: int) -> int:
        """The action that stands for a choice of a phase."""
        return self._actions[phase][choice]

    def key(self, view: View, part: str = "") -> str:
        """What the numbers say, in words: a field that is still as it was at the start of a game is left out.

        Of a watcher's view it tells what everybody knows, and with `part="own"` what the seat alone knows.
        """
        start, told = self.game.state(), self._told
        if part == "own" or view.seat == WATCHER:
            told = [column for column in told if (column.mark in PRIVATE) == (part == "own")]
        said = [
            f"{column.name}={value}"
            for column in told
            if (value := _turned(column, getattr(view.state, column.name), max(view.seat, 0), self.n_seats))
            != _turned(column, getattr(start, column.name), 0, self.n_seats)
        ]
        return " ".join(said).replace(", ", ",")


def _turned(column: Column, value: Any, seat: int, n_seats: int) -> Any:
    """A field's value with the viewer's own row first, and without rows that it may not see."""
    if not column.by_seat:
        return value
    rows = [row for row in range(n_seats) if sees(column, OWN, row, recall=True)]
    return [value[(seat + row) % n_seats] for row in rows]


class _Making:
    """A layout while it is being made: field after field, source after source."""

    def __init__(self, game: Game, n_seats: int, options: Mapping[str, object] | None) -> None:
        self._game, self._n_seats, self._start = game, n_seats, game.new(n_seats, options)
        self._seats = range(n_seats)
        self.features: list[Feature] = []
        self._hot: list[tuple[list[int], list[list[int]]]] = []
        self._scale: list[tuple[list[int], int, int, float, int]] = []
        self._bit: list[tuple[list[int], list[int], int]] = []
        self._names: list[list[list[int]]] = []
        for column in told_fields(game):
            self._add(column, _cell_of(game, column))

    def _add(self, column: Column, cell: int) -> None:
        add = {"few": self._few, "seat": self._few, "phase": self._few, "scale": self._scaled}
        holds = self._game.held(column.name)
        for place, cells in self._places(column, cell, holds.placed_from):
            add.get(holds.form, self._members)(column.name, holds, place, cells)

    def _places(self, column: Column, cell: int, placed_from: int) -> Iterator[tuple[tuple[int, ...], list[int]]]:
        """Every place of a field that a seat sees, as the seat counts them, and its cell for each seat."""
        width = column.shape[-1] if len(column.shape) == 2 else 1
        rows = self._n_seats if column.by_seat else column.shape[0] if column.shape else 1
        for row in range(rows):
            if sees(column, OWN, row if column.by_seat else NOTHING, recall=True):
                for at in range(width):
                    place = (row, at)[: len(column.shape)]
                    yield place, [cell + self._cell(column, place, viewer, placed_from) for viewer in self._seats]

    def _cell(self, column: Column, place: tuple[int, ...], viewer: int, placed_from: int) -> int:
        """Where in the field a place lies, as a viewer counts."""
        if not place:
            return 0
        n, last = self._n_seats, place[-1]
        if column.by_seat:
            row = (viewer + place[0]) % n
            return row if len(place) == 1 else row * column.shape[1] + _turn(last, -viewer, n, placed_from)
        last = _turn(last, -viewer, n, placed_from)
        return last if len(place) == 1 else place[0] * column.shape[1] + last

    def _size(self, holds: Holds) -> int:
        if holds is A_PHASE:
            return len(self._game.actions(self._start))
        return self._n_seats if holds in (A_SEAT, SOME_SEATS) else holds.size(self._start)

    def _few(self, name: str, holds: Holds, place: tuple[int, ...], cells: list[int]) -> None:
        size, named_from = self._size(holds), 0 if holds is A_SEAT else holds.named_from
        first = len(self.features)
        named = _names(size, self._n_seats, named_from)
        self._hot.append((cells, [[NOTHING, *(first + name for name in names[1:])] for names in named]))
        self.features += [Feature(name, place, value) for value in range(size)]

    def _scaled(self, name: str, holds: Holds, place: tuple[int, ...], cells: list[int]) -> None:
        most = self._size(holds)
        names = AS_IT_IS if holds.named_from == NO_SEATS else self._named(most + 1, holds.named_from)
        self._scale.append((cells, names, holds.least, 1.0 / max(1, most - holds.least), len(self.features)))
        self.features.append(Feature(name, place, None))

    def _members(self, name: str, holds: Holds, place: tuple[int, ...], cells: list[int]) -> None:
        for member in range(self._size(holds)):
            of_seats = holds is SOME_SEATS
            shifts = [(viewer + member) % self._n_seats if of_seats else member for viewer in self._seats]
            self._bit.append((cells, shifts, len(self.features)))
            self.features.append(Feature(name, place, member))

    def _named(self, size: int, named_from: int) -> int:
        """A row of names, of which equal ones are kept once."""
        row = _names(size, self._n_seats, named_from)
        if row not in self._names:
            self._names.append(row)
        return self._names.index(row)

    def layout(self, actions: Any) -> Layout:
        """The arrays."""
        n = self._n_seats
        hot, scale, bit = _across(self._hot, 2), _across(self._scale, 5), _across(self._bit, 3)
        return Layout(
            hot_cell=_by_viewer(hot[0], n).astype(np.uint32),
            hot_at=_padded(hot[1], n).astype(np.int32),
            scale_cell=_by_viewer(scale[0], n).astype(np.uint32),
            scale_names=_ints(scale[1]),
            scale_least=_ints(scale[2]),
            scale_step=np.array(scale[3], np.float64),
            scale_at=_ints(scale[4]).astype(np.uint32),
            bit_cell=_by_viewer(bit[0], n).astype(np.uint32),
            bit_shift=_by_viewer(bit[1], n),
            bit_at=_ints(bit[2]).astype(np.uint32),
            names=_padded(self._names, n),
            action=_ints([phase.start for phase in actions]),
            actions=_ints([len(phase) for phase in actions]),
        )


def told_fields(game: Game) -> list[Column]:
    """The fields that have numbers, in the order of the state."""
    return [
        column for column in columns(game.state) if column.mark != "hidden" and game.held(column.name) not in UNTOLD
    ]


def _turn(value: int, viewer: int, n_seats: int, named_from: int) -> int:
    """A value as a viewer names it, if it stands for a seat at the table."""
    seat = value - named_from
    return named_from + (seat - viewer) % n_seats if 0 <= seat < n_seats else value


def _cell_of(game: Game, wanted: Column) -> int:
    """Where in the flat record a field begins."""
    before = [column.cells for column in columns(game.state)]
    return sum(before[: columns(game.state).index(wanted)])


def _names(size: int, n_seats: int, named_from: int) -> list[list[int]]:
    """How each viewer names the values from NOTHING on."""
    seats = range(n_seats)
    return [[NOTHING, *(_turn(value, viewer, n_seats, named_from) for value in range(size))] for viewer in seats]


def _padded(rows: list[list[list[int]]], n_seats: int) -> Ints:
    """Rows of different lengths as one array, by viewer."""
    width = max((len(row[0]) for row in rows), default=1)
    made = np.full((n_seats, max(1, len(rows)), width), NOTHING, np.int64)
    for at, row in enumerate(rows):
        made[:, at, : len(row[0])] = row
    return made


def _across(sources: list[Any], width: int) -> list[list[Any]]:
    return [list(part) for part in zip(*sources, strict=True)] if sources else [[] for _ in range(width)]


def _ints(values: list[int]) -> Ints:
    return np.array(values, np.int64)


def _by_viewer(rows: list[list[int]], n_seats: int) -> Ints:
    return np.ascontiguousarray(np.array(rows, np.int64).reshape(-1, n_seats).T)
