"""A table as this process serves it: the table, the people who look at it, and what they have been sent."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from pokade.games.play import Play, View
from pokade.games.recall import Recall
from pokade.server.errors import TableRefused
from pokade.server.hub.codec import packed
from pokade.server.hub.counts import Unshown
from pokade.server.hub.listeners import Listener
from pokade.server.storage import TableIndex
from pokade.server.table import ON, OPEN, Table, newcomers
from pokade.server.table.events import Event, changes_table
from pokade.server.table.folding import Change
from pokade.server.table.lessons import LEARNER
from pokade.server.views.frames import Audience
from pokade.server.views.recent import Recent

BOTS_HAVE_CHOSEN: Final = 60.0  # seconds after which a bot has answered, however long it thinks


@dataclass(slots=True, eq=False)
class Room:
    """A table in this process, and what the process keeps beside its log."""

    audience: Audience
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    listeners: set[Listener] = field(default_factory=set)
    recent: Recent = field(default_factory=Recent)
    away_since: dict[str, float] = field(default_factory=dict)
    next_tapped: set[str] = field(default_factory=set)
    attended: tuple[int, list[int]] | None = None  # the step and the seats for which bots have had their time to choose
    unshown: Unshown = field(default_factory=Unshown)
    task: asyncio.Task[None] | None = None  # keeps it going
    indexed: TableIndex | None = None  # what storage has of it
    kept_at: int = 0  # the version of its last snapshot
    changed_at: float = 0.0  # when anything has happened that all may know
    record: str = ""  # of its game, if that is all that is left
    has_stand_ins: Callable[[Table], bool] = lambda _: False  # does the casual level play for its strong bots?
    recalls: dict[int, Recall] = field(default_factory=dict)  # what seats have seen, for bots that remember
    table: Table = field(init=False)

    def __post_init__(self) -> None:
        self.table = self.audience.table

    def fold(self, batch: Sequence[Event]) -> bool:
        """Fold a batch that is stored, send all listeners what they get of it, and say whether the game moved."""
        change, is_about_table = self.table.apply(batch), changes_table(batch)
        has_moved = change.has_moved
        frames = self._told(change)
        for listener in self.listeners:
            if is_about_table:
                self._look_again(listener, frames)
                continue
            for viewer in listener.viewers:
                if viewer in frames:
                    listener.offer(frames[viewer])
        if is_about_table and self.table.status == OPEN:
            self._miss(batch[-1].at)
        if has_moved:
            self.next_tapped.clear()  # a tap was about the step before
        if has_moved or is_about_table:  # a choice that stays sealed gives nobody anything to do
            self.changed_at = batch[-1].at
            self.woken.set()
        return has_moved

    def _miss(self, now: float) -> None:
        """Those who have a seat and do not look are away, also if they have never come, or through another process."""
        for person in {*self.table.people} - {listener.person for listener in self.listeners}:
            self.away_since.setdefault(person, now)

    def _told(self, change: Change) -> dict[int, bytes]:
        """The frames of all viewers whom somebody is, or may come back as."""
        watched = {viewer for listener in self.listeners for viewer in listener.viewers}
        self.recent.follow(watched)
        wanted = {*watched, *self.recent.viewers}
        frames = {viewer: packed(frame) for viewer, frame in self.audience.frames(change, wanted).items()}
        for viewer, frame in frames.items():
            self.recent.keep(viewer, frame, is_seen=viewer in watched)
        self.recent.hand_on(change.batch)
        return frames

    def tail(self, viewer: int, last: int) -> list[bytes]:
        """What a viewer who has frame number `last` has missed; else, and under strict memory, what is true now."""
        missed = self.recent.since(viewer, last, self.audience.numbers[viewer])
        if missed is None or self.table.is_forgetful:
            return [packed(self.audience.snapshot(viewer))]
        return missed

    def _look_again(self, listener: Listener, frames: dict[int, bytes]) -> None:
        """With a seat that somebody has just taken comes all that there is to see from it."""
        before, listener.viewers = listener.viewers, tuple(self.table.viewers_of(listener.person))
        for viewer in listener.viewers:
            if viewer not in before:
                listener.offer(packed(self.audience.snapshot(viewer)))
            elif viewer in frames:
                listener.offer(frames[viewer])
        self.tell_of_claim(listener)
        self.tell_of_stand_ins(listener)

    def tell_of_claim(self, listener: Listener) -> None:
        """Let somebody know which seat they have asked for, if they don't know yet."""
        claim = newcomers.claim_of(self.table, listener.person)
        if claim != listener.claim:
            listener.claim = claim
            listener.offer(packed({"kind": "claim", "seat": claim}))

    def tell_of_stand_ins(self, listener: Listener) -> None:
        """Let somebody know whether the strong bots here play at their strength, if that has changed."""
        has_stand_ins = self.has_stand_ins(self.table)
        if has_stand_ins != listener.sees_stand_ins:
            listener.sees_stand_ins = has_stand_ins
            listener.offer(packed({"kind": "bots", "ready": not has_stand_ins}))

    @property
    def is_being_read(self) -> bool:
        """Does a guided game wait for its learner to have read what is said?"""
        return self.table.is_to_be_read and self.table.seats[LEARNER].person not in self.next_tapped

    def is_left(self, now: float) -> bool:
        """Does nobody look, and is there nothing to do but wait for somebody, or for a deadline that storage knows?

        A while after anything has changed all bots have chosen. Whether they have is never asked: how many tables are
        in memory is for everybody to see.
        """
        if self.listeners or self.lock.locked():
            return False
        table = self.table
        waits = any(not table.seats[seat].is_played_by_bot for seat in table.due)
        is_quiet = now - self.changed_at >= BOTS_HAVE_CHOSEN
        return table.status != ON or (waits and is_quiet and table.grace is None)

    def view_with_past(self, play: Play, seat: int) -> View:
        """A seat's view with its past, which follows from the log: what is kept of it here saves going through it."""
        return self.recalls.setdefault(seat, Recall(play, seat)).view(play)

    def want_log(self) -> None:
        """Refuse where the log is gone."""
        if self.record:
            raise TableRefused("table/archived", "only the record of this game is left")
