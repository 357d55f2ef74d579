"""Tables that differ only in what a viewer may not know.

A pair begins somewhere in a random game. One table has its true hidden part, the other a twin of it, made by the
resampler in the tests of its game. Then people go on at both. What everybody may see happens at both at the same time;
what only others may see (what they seal, when, how often they change their mind, whom they mute) is each table's own.
`lockstep.py` plays them.
"""

import importlib
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOTHING, WATCHER, WIDTH, copied, heard_by, packed
from pokade.server.hub import index_of
from pokade.server.hub.codec import batches, stored
from pokade.server.table import CLOCKS, STAND_IN, Table, events
from pokade.server.table.events import Event
from pokade.server.views.frames import Audience
from pokade.testing import positions, tables
from tests.server.bottle import EPOCH, Bottle, Line, neutral_delay, tick

TABLE, CODE = "table1", "TABLE"
LATEST = 160  # steps of a game before its pair begins
Heard = tuple[float, str, bytes]


@dataclass
class Setting:
    """What both tables of a pair share."""

    game: str
    n_seats: int
    options: dict[str, Any]
    viewer: int
    rng: random.Random
    clock: str = "none"
    tells: bool = False
    bots: frozenset[int] = frozenset()
    mine: tuple[int, ...] = ()  # the viewer's seats
    seed: str = ""
    delay: float = 1.0
    host: int = 0
    has_same_seed: bool = True
    is_same_throughout: bool = False  # nothing of the hidden part will ever come out
    in_sight: tuple[str, ...] = ()  # fields that all can see, and no event tells of

    def person(self, seat: int) -> str:
        return "viewer" if seat in self.mine else f"p{seat}"

    @property
    def others(self) -> list[int]:
        """The seats of other people."""
        return [seat for seat in range(self.n_seats) if seat not in self.mine and seat not in self.bots]


def setting(game: str, rng: random.Random) -> Setting:
    n_seats, options = rng.choice(list(tables(GAMES[game])))
    viewer = rng.randrange(WATCHER, n_seats)
    rivals = [seat for seat in range(n_seats) if seat != viewer]
    bots = frozenset(rng.sample(rivals, rng.choice([0, 0, 1, len(rivals) - 1])))
    people = [seat for seat in range(n_seats) if seat not in bots]
    made = Setting(game, n_seats, options, viewer, rng, rng.choice(list(CLOCKS)), rng.random() < 0.1, bots)
    seconds = [seat for seat in people if seat != viewer]
    made.mine = () if viewer == WATCHER else (viewer, *seconds[:1]) if rng.random() < 0.1 else (viewer,)
    made.seed, made.delay = f"{rng.random()}", neutral_delay(rng)
    made.host, made.has_same_seed = rng.choice(people), rng.random() < 0.5
    return made


# A game until the pair begins, and its twin.


def begun(where: Setting) -> Play:
    """A random game, up to a moment when nothing of its open round is sealed yet and no throw is under way."""
    play, borders = Play(GAMES[where.game], where.n_seats, where.options), [0]
    left, was_chance = 0, False
    for now in positions(play, Seeded(where.seed)):
        left -= was_chance
        was_chance = now.turn == CHANCE
        if left == 0 and not getattr(now.state, "chosen", 0) and not now.is_over:
            borders.append(len(now.steps))
        if was_chance and left == 0:
            left = now.game.together(now.state)
        if len(now.steps) > LATEST:
            break
    return replayed(play, play.steps[: 0 if where.is_same_throughout else where.rng.choice(borders)])


def replayed(play: Play, steps: Sequence[tuple[int, int]]) -> Play:
    again = Play(play.game, play.n_seats, play.options)
    for actor, value in steps:
        if actor == CHANCE:
            again.happen(value)
        else:
            again.choose(actor, value)
    return again


@dataclass
class Twin:
    """A game as it might be, for all that the viewer knows."""

    before: Play  # the game as it is, told in the same way
    play: Play
    state: Any = None  # to be put in its place, where no log leads to it
    closed: dict[int, int] = field(default_factory=dict)  # fists that are closed in it

    @property
    def has_other_secrets(self) -> bool:
        """They will come out with the end of the game."""
        return self.state is not None or self.before.steps != self.play.steps


def twin_of(where: Setting, play: Play) -> Twin:
    says = importlib.import_module(f"tests.games.test_{where.game}")
    where.in_sight = getattr(says, "IN_SIGHT", ())
    if where.is_same_throughout:
        return Twin(play, play)
    state = says.twin_for(play, where.mine, True, where.rng)
    closed = {seat: state.choice[seat] for seat in range(where.n_seats) if getattr(state, "chosen", 0) >> seat & 1}
    for seat in closed:
        state.choice[seat], state.chosen = NOTHING, 0
    retell = getattr(says, "replayed_with", replayed_with)
    before, after = retell(play, play.state), retell(play, state)
    if packed(after.state) == packed(state):
        return Twin(before, after, None, closed)
    return Twin(play, play, state, closed)


def replayed_with(play: Play, state: Any) -> Play:
    """The same game, but with what lies face down in this state."""
    steps = play.steps[:]
    for seat in range(play.n_seats):
        if state.choice[seat] != play.state.choice[seat]:
            number = max(n for n, (actor, _) in enumerate(steps) if actor == seat)
            steps[number] = (seat, state.choice[seat])
    return replayed(play, steps)


def log_of(where: Setting, play: Play, secret: str, **more: Any) -> list[list[Event]]:
    """The log that leads to this moment of a game."""
    made = {"game": where.game, "seats": where.n_seats, "options": where.options, "clock": where.clock, "listed": True}
    made |= {"tells": where.tells, "code": CODE, "commitment": "c" * 64, "secret": secret, **more}
    now = EPOCH - 1000
    log = [[Event(events.CREATED, now, made | {"host": where.person(where.host)})]]
    for seat in range(where.n_seats):
        who = {"bot": STAND_IN} if seat in where.bots else {"person": where.person(seat)}
        log.append([Event(events.SEATED, now, {"seat": seat, "name": f"Name {seat}", **who})])
    log.append([Event(events.STARTED, now)])
    # Paused, so that nothing happens before everybody has come in.
    return [*log, *_played(where, play, now), [Event(events.PAUSED, EPOCH)]]


def _played(where: Setting, play: Play, now: float) -> Iterator[list[Event]]:
    again, steps, at = Play(play.game, play.n_seats, play.options), play.steps, 0
    while at < len(steps):
        together = again.game.together(again.state) if steps[at][0] == CHANCE else 1
        now += 1.0 if at + together < len(steps) else EPOCH - now  # what is open now was opened just now
        batch = []
        for actor, value in steps[at : at + together]:
            if actor == CHANCE:
                again.happen(value)
                batch.append(Event(events.CHANCE, now, {"outcome": value}))
            else:
                again.choose(actor, value)
                how = {"id": "", "house": True} if actor in where.bots else {"id": f"{actor} {at}"}
                batch.append(Event(events.CHOICE, now, {"seat": actor, "choice": value, **how}))
        at += together
        yield batch


# One of the two tables.


def in_order(heard: Iterable[Heard]) -> list[Heard]:
    """By time and by line. A refusal comes before what happens in the same instant: its order is nobody's doing."""
    return sorted(heard, key=lambda one: (*one[:2], not one[2].startswith(b'{"kind":"error"')))


class Side:
    """One table of a pair, in a bottle of its own."""

    def __init__(self, where: Setting, number: int, play: Play, twin: "Twin | None" = None) -> None:
        self.where, self.number, self.is_other = where, number, twin is not None and twin.has_other_secrets
        self.rng, self.closed = random.Random(f"{where.seed} {number}"), dict(twin.closed) if twin else {}
        self.bottle = Bottle(number, delay=where.delay, seed=where.seed)
        self.id = TABLE
        self.lines: dict[int, Line] = {}
        self.asked = dict.fromkeys(range(where.n_seats), 0)  # ids that a seat has made
        self.sent: dict[int, dict[str, Any]] = {}
        secret = ("00" if where.has_same_seed else f"{number:02}") * 32
        self._enter(self._log(play, secret), twin.state if twin else None)
        self.shadow = self.table.play.copy()
        self.late: list[int] = []  # who missed the deadline of the open round
        self.told: list[tuple[float, object]] = []  # what everybody may know of each step, and when it was taken

    def _enter(self, log: list[list[Event]], state: Any) -> None:
        bottle = self.bottle
        bottle.let_in(*self.cookies())
        bottle.run(self._stored(log))
        self.room = bottle.run(bottle.hub.room(TABLE))
        self.table: Table = self.room.table
        if state is not None:
            assert self.table.play is not None
            self.table.play.state = copied(state)
        self.version = self.table.version

        bottle.run(self._come_in())

    def _log(self, play: Play, secret: str) -> list[list[Event]]:
        return log_of(self.where, play, secret)

    def cookies(self) -> list[str]:
        return ["viewer", *(f"p{seat}" for seat in range(self.where.n_seats))]

    async def _come_in(self) -> None:
        self.viewer = self.bottle.line("viewer", TABLE, name="viewer")
        for seat in self.where.others:
            self.come(seat)
        self.bottle.at(1 / 4, lambda: self.line(self.where.host).say(do="pause", paused=False))

    def line(self, seat: int) -> Line:
        return self.viewer if seat in self.where.mine else self.lines[seat]

    async def _stored(self, log: list[list[Event]]) -> None:
        """Our table, and others that a list shows before and behind it."""
        storage, audience = self.bottle.storage, Audience(Table(TABLE))
        for batch in log:
            audience.frames(audience.table.apply(batch), ())
            await storage.append(TABLE, len(storage.logs.get(TABLE, [])) + 1, stored(batch))
        index = index_of(audience.table, EPOCH)
        await storage.put_index(TABLE, index)
        for number, ahead in enumerate((-5.0, 2.0, 6.0)):
            other = replace(index, code=f"OTHER{number}", updated_at=EPOCH + ahead)
            await storage.put_index(f"other{number}", other)

    def legal(self, seat: int) -> list[int]:
        assert self.table.play is not None
        return self.table.play.view(seat).choices

    def seal(self, seat: int, choice: int, choice_id: str = "") -> None:
        self.asked[seat] += 1
        self.sent[seat] = {"choice": choice, "id": choice_id or f"{seat} {1000 + self.asked[seat]}"}
        self.line(seat).say(do="choose", seat=seat, **self.sent[seat])

    def resend(self, seat: int) -> None:
        """As after a lost answer."""
        if seat in self.sent:
            self.lines[seat].say(do="choose", seat=seat, **self.sent[seat])

    def again(self, seat: int) -> None:
        """Reconnect, with some of the frames already there."""
        self.lines[seat].close()
        self.come(seat, f"last={seat}:{self.rng.randrange(30)}")

    def come(self, seat: int, query: str = "") -> None:
        self.lines[seat] = self.bottle.line(self.where.person(seat), self.id, query, f"seat {seat}")

    def listen(self) -> None:
        """Fold what was stored since: what the rules have told the viewer, step by step."""
        log = self.bottle.storage.logs[self.id]
        for batch in batches(row.event for row in log[self.version :]):
            for event in batch:
                self._fold(event)
        self.version = len(log)

    def _fold(self, event: Event) -> None:
        step, at = self.shadow.state.step, tick(event.at - EPOCH)
        if event.kind == events.CHANCE:
            self.shadow.happen(event["outcome"])
        elif event.kind == events.CHOICE:
            self.shadow.choose(event["seat"], event["choice"])
        elif event.kind == events.TIMEOUT:
            self.late.append(event["seat"])
        elif event.kind == events.ENDED:
            self.told.append((at, (event["seed"], self.number if self.is_other else 0)))
        if self.shadow.state.step != step:
            self.told.append((at, (self._news(), sorted(self.late))))
            self.late.clear()

    def _news(self) -> object:
        state = self.shadow.state
        rows = state.told[: state.n_told * WIDTH]
        heard = [heard_by(viewer, rows) for viewer in self.where.mine or (WATCHER,)]
        return heard, [repr(getattr(state, name)) for name in self.where.in_sight], self.shadow.turn, state.ending

    def viewer_heard(self) -> list[Heard]:
        """In order, each line by itself: which of a person's two windows is served first says nothing."""
        return in_order(heard for heard in self.bottle.heard if not heard[1].startswith("seat"))

    def close(self) -> None:
        failed = [line.task.exception() for line in (self.viewer, *self.lines.values()) if line.task.done()]
        self.bottle.close()
        assert not any(failed), failed
