"""What each viewer of a table gets when events are appended: at most one frame a batch, made from that viewer's view.

A viewer's frames have running numbers of their own, counting only what that viewer gets. From the opening of a sealed
round to its lock nobody gets a frame, a number or a byte that another seat's choice has caused, unless the table's own
option `tells` shows who has chosen.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from pokade.games.play import Told, View
from pokade.games.state import MAX_SEATS, WATCHER, columns
from pokade.server import events
from pokade.server.events import Event, batches
from pokade.server.table import OVER, Table

Frame = dict[str, Any]
_PRIVATE: Final = ("told", "unheard", "n_told", "chosen")  # told apart, or nobody's business
_MOVES: Final = (events.CHANCE, events.CHOICE, events.TIMEOUT)


class Audience:
    """A table and everybody who looks at it: folds batches of its log and says what each viewer gets."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.numbers = dict.fromkeys(range(WATCHER, MAX_SEATS), 0)

    def apply(self, batch: Sequence[Event]) -> dict[int, Frame]:
        """Fold a batch that was appended; a numbered frame for each viewer who gets one."""
        heard: dict[int, list[Told]] = {}
        timeouts = sorted({*self.table.timeouts, *(e["seat"] for e in batch if e.kind == events.TIMEOUT)})
        before = self._step
        for event in batch:
            step = self._step
            self.table.apply([event])
            if self._step != step:
                for viewer in self.viewers:
                    heard.setdefault(viewer, []).extend(self._view(viewer).told)
        frames = {}
        for viewer in self.viewers:
            frame = self._frame(viewer, batch, self._step != before, heard.get(viewer, []), timeouts)
            if frame is not None:
                self.numbers[viewer] += 1
                frames[viewer] = {"n": self.numbers[viewer], **frame}
        return frames

    @property
    def viewers(self) -> range:
        return range(WATCHER, len(self.table.seats))

    @property
    def _step(self) -> int:
        return self.table.play.state.step if self.table.play is not None else 0

    def tail(self, log: Iterable[bytes], viewer: int, last: int) -> list[Frame]:
        """What a viewer who has frame number `last` has missed; under strict memory only what is true now."""
        if self.table.is_forgetful or not 0 < last <= self.numbers[viewer]:
            return [self.snapshot(viewer)]
        again = Audience(Table(self.table.id))
        told = (again.apply(batch).get(viewer) for batch in batches(log))
        return [frame for frame in told if frame is not None and frame["n"] > last]

    def snapshot(self, viewer: int) -> Frame:
        """Everything a viewer may know now, for one who comes in or comes back: one's own sealed choice included."""
        frame: Frame = {"n": self.numbers[viewer], "kind": "snapshot", "table": described(self.table)}
        return frame if self.table.play is None else frame | self._now(viewer)

    def _now(self, viewer: int) -> Frame:
        return {"view": shown(self._view(viewer)), "deadline": self.table.deadline}

    def _view(self, viewer: int) -> View:
        assert self.table.play is not None  # noqa: S101 - asked only while there is a game
        is_bot = viewer != WATCHER and self.table.seats[viewer].bot is not None
        return self.table.play.view(viewer, person=not is_bot and self.table.status != OVER)

    def _frame(
        self, viewer: int, batch: Sequence[Event], has_moved: bool, heard: list[Told], timeouts: list[int]
    ) -> Frame | None:
        public = [event for event in batch if event.kind not in _MOVES]
        if has_moved:
            told = [[t.event.name, t.who, t.what, t.more] for t in heard]
            frame: Frame = {"kind": "step", "told": told, "timeouts": timeouts, **self._now(viewer)}
            return frame | {"table": described(self.table)} if public else frame
        if public:
            return _spoken(public) or {"kind": "table", "table": described(self.table)}
        own = [event for event in batch if event.kind == events.CHOICE and event["seat"] == viewer]
        if own:
            return {"kind": "sealed", "seat": viewer, "choice": own[-1]["choice"], "id": own[-1]["id"]}
        return {"kind": "chosen", "seats": sorted(self.table.chosen)} if self.table.tells else None


def _spoken(public: Sequence[Event]) -> Frame | None:
    """Chat alone is told as chat."""
    if any(event.kind != events.CHAT for event in public):
        return None
    return {"kind": "chat", "lines": [event.data for event in public]}


def described(table: Table) -> Frame:
    """What everybody may know of a table besides its game."""
    return {
        "id": table.id,
        "code": table.code,
        "game": table.game,
        "status": table.status,
        "options": dict(table.options),
        "clock": table.clock,
        "commitment": table.commitment,
        "host": next((seat for seat, place in enumerate(table.seats) if place.person == table.host), None),
        "paused": table.is_paused,
        "ending": table.ending,
        "seed": table.seed,
        "rematch": table.rematch,
        "seats": [
            {
                "name": place.name,
                "bot": place.bot,
                "free": place.is_free,
                "ready": place.is_ready,
                "standby": place.is_standby,
                "votes": place.votes_to_end,
            }
            for place in table.seats
        ],
    }


def shown(view: View) -> Frame:
    """A view as plain values: the cells it has, and what its seat can do and work out with them."""
    cells = {c.name: getattr(view.state, c.name) for c in columns(type(view.state)) if c.name not in _PRIVATE}
    return {
        "seat": view.seat,
        "state": cells,
        "turn": view.turn,
        "choices": view.choices,
        "points": view.points,
        "facts": view.facts,
    }
