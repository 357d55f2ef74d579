"""What each viewer of a table gets when events are appended: at most one frame a batch, made from that viewer's view.

A viewer's frames have running numbers of their own, counting only what that viewer gets. From the opening of a sealed
round to its lock nobody gets a frame, a number or a byte that another seat's choice has caused, unless the table's own
option `tells` shows who has chosen.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, Final

from pokade.games.play import View
from pokade.games.state import EVERYONE, MAX_SEATS, WATCHER, WIDTH, columns, heard_by
from pokade.server.table import OVER, Claim, Seat, Table, events, newcomers
from pokade.server.table.evening import Member
from pokade.server.table.events import Event
from pokade.server.table.folding import Change, Step

Frame = dict[str, Any]
_PRIVATE: Final = ("told", "unheard", "n_told", "chosen")  # sent apart, or not at all
_NOT_FOR_ALL: Final = events.MOVES | {events.MUTED}
_NEW_OWNER: Final = (events.SEATED, events.UNSEATED)
EVERY_VIEWER: Final = range(WATCHER, MAX_SEATS)
APART: Final = {"apart": True}  # marks fields that belong to the process, and do not follow from the log


@dataclass(slots=True, eq=False)
class Audience:
    """A table and everybody who looks at it: what each viewer gets of a change, and what is true for a newcomer."""

    table: Table
    clock: Callable[[], float] = field(default=float, metadata=APART)
    numbers: dict[int, int] = field(default_factory=lambda: dict.fromkeys(EVERY_VIEWER, 0))
    _lately: list[int] = field(default_factory=list)  # told since a choice was last seen, for everybody's ears …
    _setting: list[int] = field(default_factory=list)  # … of that the throw or deal that the next choice is about …
    _judged: list[int] = field(default_factory=list)  # … and before it the one that the last choice was about

    def frames(self, change: Change, wanted: Collection[int] = EVERY_VIEWER) -> dict[int, Frame]:
        """A numbered frame for each viewer who gets one of a change and is wanted."""
        for event, step in zip(change.batch, change.steps, strict=True):
            if event.kind in _NEW_OWNER:
                self._begin_with(event["seat"])
            if step is not None:
                self._remember(event, step)
        news = _News(self, change)
        frames = {}
        for viewer in news.reached():
            self.numbers[viewer] += 1
            if viewer in wanted:
                frames[viewer] = {"n": self.numbers[viewer], "viewer": viewer, **news.frame(viewer)}
        return frames

    def _remember(self, event: Event, step: Step) -> None:
        """What was told, for those who come later."""
        if event.kind != events.CHANCE:
            self._judged, self._lately, self._setting = self._setting, step.told, []
        else:
            self._lately = self._lately + step.told
            self._setting = [] if step.is_in_new_round else self._setting + step.told

    def _begin_with(self, seat: int) -> None:
        """A seat's stream is its owner's: the next owner gets nothing that was for the owner before."""
        self.numbers[seat] = 0
        self._lately, self._setting = _without(seat, self._lately), _without(seat, self._setting)
        self._judged = _without(seat, self._judged)

    def snapshot(self, viewer: int) -> Frame:
        """Everything a viewer may know now, on coming in or coming back: the own sealed choice included."""
        muted = self.muted_by(viewer)
        frame: Frame = {
            "n": self.numbers[viewer],
            "viewer": viewer,
            "kind": "snapshot",
            "now": round(self.clock(), 3),
            "table": described(self.table),
            "lines": [line(said) for said in self.table.lines if said["seat"] not in muted],
            "muted": sorted(muted),
        }
        if self.table.play is None:
            return frame
        judged, told, setting = (self.heard(told, viewer) for told in (self._judged, self._lately, self._setting))
        return frame | {"judged": judged, "told": told, "setting": len(setting)} | self.now(viewer)

    def now(self, viewer: int) -> Frame:
        """The game through a viewer's eyes."""
        frame = {"view": shown(self._view(viewer)), **times(self.table)}
        return frame if self.table.script is None else frame | {"lesson": self._lesson(viewer)}

    def heard(self, told: list[int], viewer: int) -> list[list[Any]]:
        """Of what was told, what a viewer hears."""
        assert self.table.play is not None  # noqa: S101 - asked only while there is a game
        names, rows = self.table.play.game.events, heard_by(viewer, told)
        return [[names[rows[at]].name, *rows[at + 1 : at + 4]] for at in range(0, len(rows), WIDTH)]

    def muted_by(self, viewer: int) -> frozenset[int]:
        """The seats that a viewer doesn't want to hear."""
        return frozenset() if viewer == WATCHER else self.table.seats[viewer].muted

    def _view(self, viewer: int) -> View:
        assert self.table.play is not None  # noqa: S101 - asked only while there is a game
        is_bot = viewer != WATCHER and self.table.seats[viewer].bot is not None
        return self.table.play.view(viewer, person=not is_bot and self.table.status != OVER)

    def _lesson(self, viewer: int) -> Frame:
        """What is said to a learner now, and what to do next."""
        assert self.table.script is not None  # noqa: S101 - asked only in a guided game
        is_asked = viewer in self.table.due
        choice = self.table.script.choice(self.table.step, viewer) if is_asked else None
        return {"says": self.table.script.says(self.table.step), "choice": choice}


def _without(seat: int, told: list[int]) -> list[int]:
    """What was told, but for what only one seat has heard."""
    rows = (told[at : at + WIDTH] for at in range(0, len(told), WIDTH))
    return [cell for row in rows if row[-1] != seat for cell in row]


class _News:
    """What a batch has changed, for each viewer."""

    def __init__(self, audience: Audience, change: Change) -> None:
        self._audience, self._table, self._change = audience, audience.table, change
        self._has_moved, batch = change.has_moved, change.batch
        self._public = [event for event in batch if event.kind not in _NOT_FOR_ALL]
        self._is_talk = bool(self._public) and all(event.kind == events.CHAT for event in self._public)
        self._own = [event for event in batch if event.kind in (events.CHOICE, events.MUTED)]

    def reached(self) -> Collection[int]:
        """The viewers who get a frame."""
        everyone = range(WATCHER, len(self._table.seats))
        if self._has_moved or (self._public and not self._is_talk):
            return everyone
        if self._is_talk:
            return [viewer for viewer in everyone if self._lines(viewer)]
        if self._table.tells and any(event.kind == events.CHOICE for event in self._own):
            return everyone
        return sorted({event["seat"] for event in self._own})

    def frame(self, viewer: int) -> Frame:
        """The frame that a viewer gets whom it reaches."""
        if self._has_moved:
            return self._stepped(viewer)
        if self._is_talk:
            return {"kind": "chat", "lines": self._lines(viewer)}
        if self._public:
            return {"kind": "table", "table": self._table_shown, **times(self._table)}
        own = [event for event in self._own if event["seat"] == viewer]
        if not own:
            return {"kind": "chosen", "seats": sorted(self._table.chosen)}
        if own[-1].kind == events.MUTED:
            return {"kind": "muted", "muted": sorted(self._audience.muted_by(viewer))}
        sealed = own[-1].data
        return {"kind": "sealed", "seat": viewer, "choice": sealed["choice"], "id": sealed["id"]}

    def _stepped(self, viewer: int) -> Frame:
        frame: Frame = {
            "kind": "step",
            "told": self._heard_by_all if self._is_for_all else self._audience.heard(self._change.told, viewer),
            "timeouts": self._change.timeouts,
            **self._audience.now(viewer),
        }
        if self._public:
            frame["table"] = self._table_shown
        return frame

    @cached_property
    def _is_for_all(self) -> bool:
        return self._change.told[WIDTH - 1 :: WIDTH].count(EVERYONE) * WIDTH == len(self._change.told)

    @cached_property
    def _heard_by_all(self) -> list[list[Any]]:
        return self._audience.heard(self._change.told, WATCHER)

    def _lines(self, viewer: int) -> list[Frame]:
        muted = self._audience.muted_by(viewer)
        return [line(event.data) for event in self._public if event["seat"] not in muted]

    @cached_property
    def _table_shown(self) -> Frame:
        return described(self._table)


def times(table: Table) -> Frame:
    """When the decision that is due must be in, and from when time may be called for it."""
    return {"deadline": table.deadline, "call_at": table.call_at}


def line(data: Frame) -> Frame:
    """What somebody said, as everybody reads it."""
    return {key: data[key] for key in ("seat", "name", "phrase", "text") if key in data}


def described(table: Table) -> Frame:
    """What everybody may know of a table besides its game."""
    return {
        "id": table.id,
        "code": table.code,
        "game": table.game,
        "status": table.status,
        "options": dict(table.options),
        "clock": table.clock,
        "listed": table.is_listed,
        "tells": table.tells,
        "lesson": table.script is not None,
        "commitment": table.commitment,
        "host": _seat_of(table, table.host),
        "paused": table.is_paused,
        "paused_by": _seat_of(table, table.paused_by),
        "pause_ends": table.pause_ends if table.is_paused else None,
        "pace": table.pace_now,
        "called": table.called_by,
        "callers": table.callers[:],
        "ending": table.ending,
        "seed": table.seed,
        "rematch": table.rematch,
        "evening": _evening(table),
        "seats": [_place(table, seat, place) for seat, place in enumerate(table.seats)],
    }


def _seat_of(table: Table, person: str) -> int | None:
    """The first seat of a person."""
    return next((seat for seat, place in enumerate(table.seats) if person and place.person == person), None)


def _evening(table: Table) -> Frame | None:
    """How the evening stands: who has won how often, by rank, and who sits this game out. Nothing before its first."""
    now = table.evening_now
    if table.script is not None or not (now.games or now.resting):
        return None
    seats = [(place.person, place.name) if place.person else None for place in table.seats]
    members = now.around(seats) + ([(now.bots, None)] if now.bots.played else [])
    ranks = sorted(_rank(member) for member, _ in members)
    rows = [
        {
            "name": member.name,
            "bots": member is now.bots,
            "seat": seat,
            "played": member.played,
            "won": member.won,
            "shared": member.shared,
            "place": ranks.index(_rank(member)) + 1,
        }
        for member, seat in sorted(members, key=lambda one: _rank(one[0]))
    ]
    return {"games": now.games, "rows": rows, "resting": [name for _, name in now.resting]}


def _rank(member: Member) -> tuple[int, int]:
    """More wins are better, and of as many the ones that were not shared."""
    return -member.won, member.shared


def _place(table: Table, seat: int, place: Seat) -> Frame:
    claim = table.claims.get(seat)
    return {
        "name": place.name,
        "bot": place.bot,
        "free": place.is_free,
        "ready": place.is_ready,
        "standby": place.is_standby,
        "votes": place.votes_to_end,
        "newcomer": place.is_newcomer,
        "claim": claim and _claim(table, claim),
    }


def _claim(table: Table, claim: Claim) -> Frame:
    """That somebody wants to come in, and how many of those who have to agree do."""
    return {
        "name": claim.name,
        "agreed": newcomers.agreed(table, claim),
        "wanted": newcomers.wanted(table),
        "by": sorted(seat for person in claim.agreed if (seat := _seat_of(table, person)) is not None),
    }


def shown(view: View) -> Frame:
    """A view as plain values: the cells it has, and what its seat can do and work out with them."""
    game, seat, state = view.game, view.seat, view.state
    cls: Any = type(state)
    names, cells = _cells(cls)
    choices = view.choices
    return {
        "seat": seat,
        "state": dict(zip(names, cells(state), strict=True)),
        "turn": view.turn,
        "choices": choices,
        "choice_texts": [game.said(state, seat, choice) for choice in choices],
        "question": game.asked(state, seat) if choices else None,
        "points": view.points,
        "places": view.places,
        "facts": view.facts,
    }


@cache
def _cells(cls: Any) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The names of the cells that views of this game show, and what takes their values."""
    names = tuple(column.name for column in columns(cls) if column.name not in _PRIVATE)
    return names, attrgetter(*names)
