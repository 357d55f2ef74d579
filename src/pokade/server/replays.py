"""Finished games and uploaded records, step by step, through anybody's eyes: a client needs no rules to show them."""

from typing import Final

from pokade import records
from pokade.games.errors import BadRecord, Refused
from pokade.games.play import Play, Told, View, told_in
from pokade.games.state import WATCHER, WIDTH, copied, heard_by
from pokade.records import Record
from pokade.server.frames import Frame, shown

ALL: Final = "all"  # everybody's cards, as after the end of a game


def walk(record: Record, eyes: str, first: int = 0, most: int | None = None) -> list[Frame]:
    """The actions of a record with what was told and the view after each; action 0 is the start."""
    play = _Heard(record)
    viewer = _viewer(eyes, len(record.players))
    wanted = range(first, len(record.actions) + 1 if most is None else first + most)
    frames = [_frame(play, eyes, viewer, 0, "")] if 0 in wanted else []
    try:
        for number, text in records.steps(record, play):
            if number in wanted:
                frames.append(_frame(play, eyes, viewer, number, text))
            play.news.clear()
    except BadRecord as error:
        raise Refused("record/bad", f"action {error.action}: {error}") from None
    return frames


class _Heard(Play):
    """A play that keeps what an action told: a throw of three dice or a dealt hand is one action of many steps."""

    __slots__ = ("news",)

    def __init__(self, record: Record) -> None:
        super().__init__(record.game, len(record.players), record.options)
        self.news: list[int] = []

    def happen(self, outcome: int) -> None:
        super().happen(outcome)
        self._hear()

    def choose(self, seat: int, choice: int) -> None:
        step = self.state.step
        super().choose(seat, choice)
        if self.state.step != step:  # a choice still sealed tells nothing
            self._hear()

    def _hear(self) -> None:
        self.news += self.state.told[: self.state.n_told * WIDTH]

    def told(self, eyes: str, viewer: int) -> list[Told]:
        return told_in(self.game, self.news if eyes == ALL else heard_by(viewer, self.news))


def uploaded(raw: bytes) -> Record:
    """A record that somebody sent; refused as one line."""
    try:
        return records.read(raw)
    except BadRecord as error:
        raise Refused("record/bad", f"action {error.action}: {error}") from None


def _viewer(eyes: str, n_seats: int) -> int:
    if eyes in (ALL, records.PUBLIC):
        return WATCHER
    if eyes.startswith("p") and len(eyes) == 2 and eyes[1] in "12345678" and 1 <= int(eyes[1:]) <= n_seats:
        return int(eyes[1:]) - 1
    raise Refused("replay/eyes", "a game is seen by all, public, or a seat such as p1")


def _frame(play: _Heard, eyes: str, viewer: int, number: int, text: str) -> Frame:
    # A replay is a look back, so nothing is forgotten; `all` is for games whose secrets are out.
    view = View(play.game, WATCHER, copied(play.state)) if eyes == ALL else play.view(viewer)
    outcome = play.outcome()
    return {
        "action": number,
        "text": text if eyes == ALL else "",
        "told": [[t.event.name, t.who, t.what, t.more] for t in play.told(eyes, viewer)],
        "view": shown(view),
        "outcome": None if outcome is None else {"reason": outcome.reason, "shares": list(outcome.shares)},
    }
