"""States made of integers, who may see each field, and the views made from that: the only place that hides anything.

A field is declared with one of five marks, and a field without a mark is refused:

    public      everybody
    remembered  shown to all at some time: bots see it, people only with assisted memory; a seat always sees its own row
    own         its seat's row only
    sealed      its seat's row until the rules move it to a public field
    hidden      nobody
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Final, TypeVar

from pokade.games.errors import RulesError

UNKNOWN: Final = -99  # what a view holds in a cell that its viewer may not see
NOTHING: Final = -1  # no card, no seat, no choice yet
WATCHER: Final = -1  # a viewer without a seat
EVERYONE: Final = -1  # the addressee of an event that all may hear

CHANCE: Final = -1  # whose turn it is: dice or deals …
NOBODY: Final = 0  # … or no one, since the game is over; else a bit set of seats

TOLD: Final = 64  # events that one step may tell
WIDTH: Final = 5  # an event: code, who, what, more, and whom it is told to

_MARK: Final = "mark"
_SHAPE: Final = "shape"


class Seats(int):
    """The first size of a field that has one row a seat."""


MAX_SEATS: Final = Seats(8)


def _declared(mark: str, shape: tuple[int, ...], start: int) -> Any:
    metadata = {_MARK: mark, _SHAPE: shape}
    if not shape:
        return field(default=start, metadata=metadata)
    if len(shape) == 1:
        return field(default_factory=lambda: [start] * shape[0], metadata=metadata)
    rows, columns = shape
    return field(default_factory=lambda: [[start] * columns for _ in range(rows)], metadata=metadata)


def public(*shape: int, start: int = 0) -> Any:
    """Everybody sees it."""
    return _declared("public", shape, start)


def remembered(*shape: int, start: int = 0) -> Any:
    """Everybody has seen it once: bots know it, people only with assisted memory (their own row always)."""
    return _declared("remembered", shape, start)


def own(*shape: int, start: int = 0) -> Any:
    """Each seat sees its own row."""
    return _declared("own", shape, start)


def sealed(*shape: int, start: int = NOTHING) -> Any:
    """Each seat sees its own row until the rules reveal it by moving it to a public field."""
    return _declared("sealed", shape, start)


def hidden(*shape: int, start: int = 0) -> Any:
    """Nobody sees it."""
    return _declared("hidden", shape, start)


def _told() -> Any:
    """The events of the last step; each row names its addressee."""
    return _declared("told", (TOLD * WIDTH,), 0)


@dataclass(slots=True)
class State:
    """What every game's state has."""

    n_seats: int = public()  # how many sit at the table
    phase: int = public()  # what the game waits for, by its own list of phases
    round: int = public()  # the round under way, from 1
    ending: int = public()  # why the game is over; 0 while it is on
    winners: int = public()  # bit set of the seats that share the win
    step: int = public()  # counts the steps that people notice; a choice still sealed is none
    n_told: int = public()  # events of the last such step
    unheard: int = hidden()  # 1 in the arena's loops, where nobody listens: then nothing is told
    told: list[int] = _told()  # the events of the last step, `n_told` rows of five: code, who, what, more, addressee

    def __init_subclass__(cls) -> None:
        """A game's states are written short too: `dataclass` leaves alone what a class has already."""
        cls.__repr__ = State.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """Nothing secret: a state may end up in a log."""
        name = type(self).__name__
        return f"<{name} {self.n_seats} seats, round {self.round}, phase {self.phase}, step {self.step}>"


S = TypeVar("S", bound=State)
F = TypeVar("F", bound=Callable[..., Any])

RULES: list[Callable[..., Any]] = []


def rule(function: F) -> F:
    """Marks a function of the rules: it runs as plain Python here, and the arena compiles the same function."""
    RULES.append(function)
    return function


@rule
def next_step(state: State) -> None:
    """A step that people notice begins: what the last one told is over."""
    state.step += 1
    state.n_told = 0


@rule
def tell(state: State, code: int, who: int, what: int, more: int) -> None:
    """Tell everyone what happened."""
    tell_to(state, EVERYONE, code, who, what, more)


@rule
def tell_to(state: State, addressee: int, code: int, who: int, what: int, more: int) -> None:
    """Tell one seat what happened."""
    if state.unheard:
        return
    told = state.told
    at = state.n_told * WIDTH
    told[at] = code
    told[at + 1] = who
    told[at + 2] = what
    told[at + 3] = more
    told[at + 4] = addressee
    state.n_told += 1


@rule
def how_many(seats: int) -> int:
    """The size of a bit set."""
    count = 0
    while seats:
        seats &= seats - 1
        count += 1
    return count


@rule
def lowest(seats: int) -> int:
    """The smallest member of a bit set that is not empty."""
    return how_many((seats & -seats) - 1)


@rule
def nth(seats: int, index: int) -> int:
    """The member of a bit set (of up to 32) that has `index` smaller ones before it."""
    at = 0
    width = 16
    while width:
        smaller = how_many(seats >> at & (1 << width) - 1)
        if index >= smaller:
            index -= smaller
            at += width
        width >>= 1
    return at


@rule
def everyone(state: State) -> int:
    """All seats, as a bit set."""
    return (1 << state.n_seats) - 1


@cache
def members(seats: int) -> tuple[int, ...]:
    """The members of a bit set of seats, ascending."""
    return tuple(seat for seat in range(MAX_SEATS) if seats >> seat & 1)


@dataclass(frozen=True, slots=True)
class Column:
    """A field of a state, as the carriers and the views need it."""

    name: str
    mark: str
    shape: tuple[int, ...]

    @property
    def by_seat(self) -> bool:
        return bool(self.shape) and isinstance(self.shape[0], Seats)

    @property
    def cells(self) -> int:
        size = 1
        for length in self.shape:
            size *= length
        return size


def columns(cls: type[State]) -> tuple[Column, ...]:
    """The fields of a state class, the events last; refuses a class whose fields do not say who may see them."""
    key: Any = cls
    return _columns(key)


@cache
def _columns(cls: Any) -> tuple[Column, ...]:
    found = [_column(cls, f.name, f.metadata) for f in fields(cls)]
    return tuple(sorted(found, key=lambda column: column.mark == "told"))


def _column(cls: type[State], name: str, metadata: Any) -> Column:
    if _MARK not in metadata:
        raise RulesError(f"{cls.__module__}.{cls.__name__}.{name} does not say who may see it")
    column = Column(name, metadata[_MARK], metadata[_SHAPE])
    if column.mark in ("own", "sealed") and not column.by_seat:
        raise RulesError(f"{cls.__module__}.{cls.__name__}.{name} is {column.mark} but has no row for each seat")
    return column


def sees(column: Column, viewer: int, row: int, recall: bool) -> bool:
    """May this viewer see this row of the field? The one answer, for every view that is ever made."""
    if column.mark == "public":
        return True
    if column.mark == "hidden":
        return False
    if column.by_seat and row == viewer:
        return True
    return column.mark == "remembered" and recall


def blinded(state: S, viewer: int, recall: bool) -> S:
    """The state with UNKNOWN wherever `viewer` may not look; `recall` opens what was shown before."""
    cls: Any = type(state)
    view: S = _blinding(cls, viewer, recall)(state)
    _keep_what_was_told_to(view, state, viewer)
    return view


def copied(state: S) -> S:
    """An independent state that equals this one."""
    cls: Any = type(state)
    twin: S = _copying(cls)(state)
    return twin


@cache
def _blinding(cls: Any, viewer: int, recall: bool) -> Callable[[Any], Any]:
    found = (column for column in columns(cls) if column.mark != "told")
    return _maker(cls, {column.name: _seen(column, viewer, recall) for column in found})


@cache
def _copying(cls: Any) -> Callable[[Any], Any]:
    return _maker(cls, {column.name: _copy(column, range(column.cells)) for column in columns(cls)})


def _maker(cls: Any, fields: dict[str, str]) -> Callable[[Any], Any]:
    """A function that makes one state of another, written out field by field: five times as fast as a loop over them.

    Views are made for everybody at every step, so this is the busiest place of a server.
    """
    lines = [f"    made.{name} = {value}" for name, value in fields.items()]
    source = "\n".join(("def make(state):", "    made = new(cls)", *lines, "    return made"))
    names: dict[str, Any] = {"cls": cls, "new": object.__new__, "UNKNOWN": UNKNOWN}
    exec(source, names)  # noqa: S102 - made of the names of our own fields, as dataclasses make their methods
    make: Callable[[Any], Any] = names["make"]
    return make


def _seen(column: Column, viewer: int, recall: bool) -> str:
    """The visible part of a field's value, as an expression."""
    if not column.shape:
        return _copy(column, [NOTHING]) if sees(column, viewer, NOTHING, recall) else "UNKNOWN"
    return _copy(column, [row for row in range(column.shape[0]) if sees(column, viewer, row, recall)])


def _copy(column: Column, rows: Sequence[int]) -> str:
    """A copy of some rows of a field, with UNKNOWN for the others, as an expression."""
    value = f"state.{column.name}"
    if not column.shape:
        return value
    if len(column.shape) == 1:
        if len(rows) >= column.shape[0]:
            return f"{value}[:]"
        return _listed(f"{value}[{row}]" if row in rows else "UNKNOWN" for row in range(column.shape[0]))
    blank = _listed(["UNKNOWN"] * column.shape[1])
    return _listed(f"{value}[{row}][:]" if row in rows else blank for row in range(column.shape[0]))


def _listed(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def is_bare(state: State, seat: int) -> bool:
    """Is nothing sealed, and does a seat know nothing that a watcher does not, if both remember everything?

    What is its own and still as at the start of a game counts as nothing.
    """
    start, mine, theirs = type(state)(), blinded(state, seat, True), blinded(state, WATCHER, True)
    for column in columns(type(state)):
        given = getattr(start, column.name)
        if column.mark == "sealed" and getattr(state, column.name) != given:
            return False
        if not _is_nothing(getattr(mine, column.name), getattr(theirs, column.name), given):
            return False
    return True


def _is_nothing(mine: Any, theirs: Any, start: Any) -> bool:
    """Is each cell of a field either the same for both, or as at the start?"""
    if isinstance(mine, list):
        return all(_is_nothing(*cells) for cells in zip(mine, theirs, start, strict=True))
    return bool(mine in (theirs, start))


def heard_by(viewer: int, told: list[int]) -> list[int]:
    """Of events in a row, those that this viewer hears. The one answer, like `sees`."""
    if told[WIDTH - 1 :: WIDTH].count(EVERYONE) * WIDTH == len(told):  # as nearly always
        return told[:]
    heard: list[int] = []
    for at in range(0, len(told), WIDTH):
        if told[at + 4] in (EVERYONE, viewer):
            heard += told[at : at + WIDTH]
    return heard


def told_rows(state: State) -> list[int]:
    """The events of the last step in a row, `WIDTH` numbers each; `heard_by` says which of them a viewer may get."""
    return state.told[: state.n_told * WIDTH]


def _keep_what_was_told_to(view: State, state: State, viewer: int) -> None:
    told = heard_by(viewer, told_rows(state))
    view.n_told = len(told) // WIDTH
    view.told = told + [0] * (TOLD * WIDTH - len(told))


def packed(state: State) -> list[int]:
    """Every cell in order, what is no longer told as zeros: equal states give equal lists."""
    cells: list[int] = []
    for column in columns(type(state)):
        value = getattr(state, column.name)
        if column.mark == "told":
            live = state.n_told * WIDTH
            cells += value[:live] + [0] * (len(value) - live)
        elif len(column.shape) == 2:
            for row in value:
                cells += row
        elif column.shape:
            cells += value
        else:
            cells.append(value)
    return cells
