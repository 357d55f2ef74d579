"""Finished games and uploaded records, step by step, through anybody's eyes: a client needs no rules to show them."""

from typing import Final

from pokade import records
from pokade.games.errors import BadRecord, Refused
from pokade.games.play import Play, View, told_in
from pokade.games.state import WATCHER, copied, heard_by
from pokade.records import Action, Record
from pokade.server.views.frames import Frame, shown
from pokade.texts import LANGUAGES, explained, text

ALL: Final = "all"  # everybody's cards, as after the end of a game


def walk(
    record: Record, eyes: str, first: int = 0, most: int | None = None, language: str = LANGUAGES[0]
) -> list[Frame]:
    """The actions of a record with what was told and the view after each; action 0 is the start."""
    play = records.started(record)
    viewer = _viewer(eyes, len(record.players))
    wanted = range(first, len(record.actions) + 1 if most is None else first + most)
    frames = [_frame(play, eyes, viewer, Action(0, "", []))] if 0 in wanted else []
    try:
        actions = (action for action in records.steps(record, play) if action.number in wanted)
        frames += [_frame(play, eyes, viewer, action) for action in actions]
    except BadRecord as error:
        raise refusal(error, language) from None
    return frames


def uploaded(raw: bytes, language: str = LANGUAGES[0]) -> Record:
    """A record that somebody sent; refused as one line."""
    try:
        return records.read(raw)
    except BadRecord as error:
        raise refusal(error, language) from None


def refusal(error: BadRecord, language: str) -> Refused:
    """What is wrong with a record, for its reader: where, and the sentence of the error's own code."""
    where = f"{text(language, 'replay.action', number=error.action)}: " if error.action else ""
    return Refused("record/bad", where + explained(language, error))


def _viewer(eyes: str, n_seats: int) -> int:
    if eyes in (ALL, records.PUBLIC):
        return WATCHER
    if eyes.startswith("p") and len(eyes) == 2 and eyes[1] in "12345678" and 1 <= int(eyes[1:]) <= n_seats:
        return int(eyes[1:]) - 1
    raise Refused("replay/eyes", "a game is seen by all, public, or a seat such as p1")


def _frame(play: Play, eyes: str, viewer: int, action: Action) -> Frame:
    # A replay is a look back, so nothing is forgotten; `all` is for games whose secrets are out.
    view = View(play.game, WATCHER, copied(play.state)) if eyes == ALL else play.view(viewer)
    outcome, told = play.outcome(), action.told if eyes == ALL else heard_by(viewer, action.told)
    return {
        "action": action.number,
        "text": action.text if eyes == ALL else "",
        "told": [[t.event.name, t.who, t.what, t.more] for t in told_in(play.game, told)],
        "view": shown(view),
        "outcome": None if outcome is None else {"reason": outcome.reason, "shares": list(outcome.shares)},
    }
