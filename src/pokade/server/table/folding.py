"""How a table follows from its log: what each kind of event changes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from pokade.games import GAMES
from pokade.games.play import Play, look
from pokade.games.state import WIDTH
from pokade.server.table import events
from pokade.server.table.evening import Evening
from pokade.server.table.events import Event
from pokade.server.table.facts import Facts
from pokade.server.table.lessons import Script
from pokade.server.table.seats import Claim, Seat
from pokade.server.table.terms import LINES, MOST_NOTES, ON, OVER, PACES


class Step(NamedTuple):
    """A step of the game: what the rules told with it, in rows of integers that end with their addressee."""

    told: list[int]
    is_in_new_round: bool


class Change(NamedTuple):
    """What a batch of events has changed at a table."""

    batch: Sequence[Event]
    steps: list[Step | None]  # by event
    told: list[int]  # by all of them
    timeouts: list[int]  # the seats that have missed the deadline of the round

    @property
    def has_moved(self) -> bool:
        """Has the game taken a step?"""
        return any(self.steps)


def fold(table: Facts, batch: Sequence[Event]) -> Change:
    """Fold events that were stored; each is believed, since it was checked before it was appended."""
    change = Change(batch, [], [], sorted({*table.timeouts, *_missed(batch)}))
    for event in batch:
        step, number = _position(table.play)
        APPLY[event.kind](table, event)
        table.version += 1
        change.steps.append(_step_since(step, number, table.play))
        change.told.extend(change.steps[-1].told if change.steps[-1] else ())
    return change


def _missed(batch: Sequence[Event]) -> list[int]:
    return [event["seat"] for event in batch if event.kind == events.TIMEOUT]


def _position(play: Play | None) -> tuple[int, int]:
    """How many steps the game has taken, and its round."""
    return (play.state.step, play.state.round) if play is not None else (0, 0)


def _step_since(step: int, number: int, play: Play | None) -> Step | None:
    """The step that was taken, if one was."""
    if play is None or play.state.step == step:
        return None
    return Step(play.state.told[: play.state.n_told * WIDTH], play.state.round != number)


def _created(table: Facts, event: Event) -> None:
    table.game, table.code = event["game"], event["code"]
    table.host, table.hosted_at = event["host"], event.at
    table.clock, table.commitment, table.secret = event["clock"], event["commitment"], event.data.get("secret", "")
    table.is_listed, table.tells, table.options = event["listed"], event["tells"], event["options"]
    table.seats = [Seat() for _ in range(event["seats"])]
    table.follows = event.data.get("follows", "")
    table.evening = Evening.of(event["evening"]) if "evening" in event.data else Evening(table.id)
    table.script = Script.of(event["script"]) if "script" in event.data else None


def _seated(table: Facts, event: Event) -> None:
    data, before = event.data, table.seats[event["seat"]]
    place = Seat(data.get("person"), data.get("bot"), data["name"], is_ready="bot" in data)
    if table.status == ON:
        place.salt = before.salt  # all draws of a game have the same salts
        if place.person is not None:
            place.stood_in, place.stood_in_name = before.bot or "", before.name
            table.held.add(place.person)
            table.claims.pop(event["seat"], None)
        # Which ids its last owner has used is not for the new one to find out.
        table.seen_ids = {known for known in table.seen_ids if known[0] != event["seat"]}
    table.seats[event["seat"]] = place
    if place.person is not None:
        table.evening = table.evening.without((place.person, place.name))


def _named(table: Facts, event: Event) -> None:
    table.seats[event["seat"]].name = event["name"]


def _unseated(table: Facts, event: Event) -> None:
    table.seats[event["seat"]] = Seat()


def _resized(table: Facts, event: Event) -> None:
    more = event["seats"] - len(table.seats)
    table.seats = [*table.seats[: event["seats"]], *(Seat() for _ in range(more))]
    table.options = event["options"]


def _salted(table: Facts, event: Event) -> None:
    table.seats[event["seat"]].salt = event["salt"]


def _ready(table: Facts, event: Event) -> None:
    table.seats[event["seat"]].is_ready = event["ready"]


def _hosted(table: Facts, event: Event) -> None:
    table.host, table.hosted_at = event["person"], event.at


def _started(table: Facts, event: Event) -> None:
    table.status, table.stepped_at, table.opened_at = ON, event.at, event.at
    table.play = Play(GAMES[table.game], len(table.seats), table.options)
    table.held = set(table.people)


def _chance(table: Facts, event: Event) -> None:
    assert table.play is not None  # noqa: S101 - the game was on when this was appended
    table.play.happen(event["outcome"])
    table.draws += 1
    _opened(table, table.play, event.at)


def _chosen(table: Facts, event: Event) -> None:
    assert table.play is not None  # noqa: S101 - the game was on when this was appended
    data = event.data
    is_open = table.play.choose(data["seat"], data["choice"])
    if data["seat"] in table.chosen:
        table.changes[data["seat"]] = table.changes.get(data["seat"], 0) + 1
    table.chosen[data["seat"]] = data["id"]
    if data["id"]:
        table.seen_ids.add((data["seat"], data["id"]))
    if is_open:  # what was sealed
        table.notes += [(table.opened_steps, f"timeout p{seat + 1}") for seat in table.timeouts]
        _count_missed(table)
        table.chosen, table.changes, table.timeouts = {}, {}, []
        _opened(table, table.play, event.at)


def _count_missed(table: Facts) -> None:
    """In how many rounds in a row a call of time has run out for each seat."""
    for seat in table.chosen:
        is_missed = table.called_by is not None and seat in table.timeouts
        table.seats[seat].missed = table.seats[seat].missed + 1 if is_missed else 0


def _opened(table: Facts, play: Play, at: float) -> None:
    """A step was taken. The clock starts when people have had a look at it."""
    table.callers, table.paused_for = [], 0.0
    table.stepped_at, table.opened_at = at, at + look(play.game, play.state) * PACES[table.pace_now]
    table.opened_steps = len(play.steps)


def _timed_out(table: Facts, event: Event) -> None:
    table.timeouts.append(event["seat"])


def _noted(table: Facts, note: str) -> None:
    if table.play is None:
        return
    at = (table.opened_steps, note)  # at the opening of its round: between sealed choices it would count them
    if at in table.notes[-MOST_NOTES:]:  # a person who comes and goes all day does not fill the record
        table.notes.remove(at)
    table.notes.append(at)


def _stood_by(table: Facts, event: Event) -> None:
    table.seats[event["seat"]].is_standby = True
    _noted(table, f"standby p{event['seat'] + 1}")


def _returned(table: Facts, event: Event) -> None:
    table.seats[event["seat"]].is_standby, table.seats[event["seat"]].missed = False, 0
    _noted(table, f"return p{event['seat'] + 1}")


def _paced(table: Facts, event: Event) -> None:
    table.pace = event["pace"]


def _paused(table: Facts, event: Event) -> None:
    table.is_paused, table.paused_by, table.paused_at = True, event.data.get("person", table.host), event.at


def _resumed(table: Facts, event: Event) -> None:
    """Everything goes on where it stood: nobody wins or loses time by a pause."""
    lasted = max(0.0, event.at - table.paused_at)
    table.is_paused, table.paused_by, table.paused_for = False, "", table.paused_for + lasted
    table.stepped_at, table.opened_at, table.called_at = (
        at + lasted for at in (table.stepped_at, table.opened_at, table.called_at)
    )


def _called(table: Facts, event: Event) -> None:
    if not event.data.get("called", True):
        table.callers = [seat for seat in table.callers if seat != event["seat"]]
        return
    table.called_at = table.called_at if table.callers else event.at
    table.callers = [*table.callers, event["seat"]]


def _claimed(table: Facts, event: Event) -> None:
    table.claims[event["seat"]] = Claim(event["person"], event["name"])


def _agreed(table: Facts, event: Event) -> None:
    claim = table.claims[event["seat"]]
    table.claims[event["seat"]] = replace(claim, agreed=claim.agreed | {event["person"]})


def _unclaimed(table: Facts, event: Event) -> None:
    table.claims.pop(event["seat"], None)


def _dismissed(table: Facts, event: Event) -> None:
    table.dismissed.add(event["person"])
    table.claims.pop(event["seat"], None)


def _voted(table: Facts, event: Event) -> None:
    table.seats[event["seat"]].votes_to_end = event.data.get("vote", True)


def _said(table: Facts, event: Event) -> None:
    table.lines = [*table.lines[-LINES + 1 :], event.data]


def _muted(table: Facts, event: Event) -> None:
    place = table.seats[event["seat"]]
    place.muted = place.muted | {event["other"]} if event["muted"] else place.muted - {event["other"]}


def _ended(table: Facts, event: Event) -> None:
    table.status, table.ending, table.seed = OVER, event["reason"], event.data.get("seed", "")
    table.ended_at = event.at


def _followed(table: Facts, event: Event) -> None:
    table.rematch = event["table"]


APPLY: Final[dict[str, Callable[[Facts, Event], None]]] = {
    events.CREATED: _created,
    events.SEATED: _seated,
    events.NAMED: _named,
    events.UNSEATED: _unseated,
    events.RESIZED: _resized,
    events.SALTED: _salted,
    events.READY: _ready,
    events.HOSTED: _hosted,
    events.STARTED: _started,
    events.CHANCE: _chance,
    events.CHOICE: _chosen,
    events.TIMEOUT: _timed_out,
    events.STANDBY: _stood_by,
    events.RETURNED: _returned,
    events.PACED: _paced,
    events.PAUSED: _paused,
    events.RESUMED: _resumed,
    events.CALLED: _called,
    events.CLAIMED: _claimed,
    events.AGREED: _agreed,
    events.UNCLAIMED: _unclaimed,
    events.DISMISSED: _dismissed,
    events.VOTED: _voted,
    events.CHAT: _said,
    events.MUTED: _muted,
    events.ENDED: _ended,
    events.FOLLOWED: _followed,
}
