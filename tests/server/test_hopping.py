"""How people once looked into the hands of bots, step by step: leave, give the seat just held, sit on a bot's seat.

Played over the real protocol, in a bottle. Each frame is compared, at the moment when it comes, with the views of the
seats that its reader holds rightfully at that moment.
"""

import importlib
import json
from collections.abc import Collection, Iterator
from typing import Any

import orjson
import pytest

from pokade import records
from pokade.games import GAMES
from pokade.games.state import CHANCE, NOTHING, WATCHER
from pokade.server.table import OVER, Table
from pokade.server.views.frames import shown
from tests.server.bottle import Bottle, Line, bottled  # noqa: F401 - one is a fixture for all tests here

every_game = pytest.mark.parametrize("game", GAMES)


class Spy:
    """Somebody at a table who reads everything, and counts what they should not have got."""

    def __init__(self, bottle: Bottle, cookie: str, table: str, own: Collection[int] = ()) -> None:
        self.bottle, self.cookie, self.id = bottle, cookie, table
        self.own = {*own}  # the seats that they hold rightfully now
        self.frames: list[dict[str, Any]] = []
        self.too_much: list[str] = []
        self.line = self.come()

    def come(self, query: str = "") -> Line:
        self.line = self.bottle.line(self.cookie, self.id, query, self.cookie)
        self.line.tell = self.hear
        return self.line

    @property
    def table(self) -> Table:
        table: Table = self.bottle.hub.rooms[self.id].table
        return table

    def hear(self, payload: bytes) -> None:
        frame = json.loads(payload)
        self.frames.append(frame)
        if self.is_over:
            return
        if frame.get("viewer", WATCHER) not in {WATCHER, *self.own}:
            self.too_much.append(f"a {frame['kind']} of seat {frame['viewer']}")
        if frame.get("view") is not None and frame["view"] not in self.views():
            self.too_much.append(f"a view of seat {frame['viewer']} that is not theirs")
        for name, who, *_ in frame.get("told", ()):
            if name == "dealt" and who not in (WATCHER, *self.own):
                self.too_much.append(f"a card of seat {who}")

    @property
    def is_over(self) -> bool:
        """Then everything lies open, for everybody."""
        return self.table.status == OVER

    def views(self) -> list[Any]:
        """What the seats that they hold can see now, and what everybody can."""
        play = self.table.play
        assert play is not None
        return [orjson.loads(orjson.dumps(shown(play.view(seat, person=True)))) for seat in (WATCHER, *self.own)]

    def say(self, *, wait: float = 0.02, **said: object) -> None:
        self.line.say(**said)
        self.bottle.run_until(self.bottle.time + wait)

    def asks_for_the_record(self) -> None:
        path = f"/api/tables/{self.id}/record"
        text = self.bottle.run(self.bottle.ask("GET", path, self.cookie, self.cookie)).decode()
        if not text.startswith("{") and not self.is_over:  # under strict memory there is none
            view = records.read(text).view
            if view not in ("public", *(f"p{seat + 1}" for seat in self.own)):
                self.too_much.append(f"a record through the eyes of {view}")

    def hop(self, seats: Collection[int]) -> None:
        """From seat to seat, before a choice of their own."""
        held = self.own.copy()
        self.say(do="leave")
        for seat in seats:
            for left in held:
                self.say(do="give", seat=left)
                self.own.discard(left)
            self.say(do="sit", name="me again", seat=seat)
            self.reads_back()
            self.say(do="leave")
            held = {seat}

    def reads_back(self) -> None:
        """All that the house keeps for somebody who was away for a moment."""
        self.asks_for_the_record()
        for last in ("", "last=0:1,1:1,2:1,3:1,4:1,-1:1"):
            self.line.close()
            self.come(last)
            self.bottle.run_until(self.bottle.time + 0.02)


@pytest.fixture
def bottle() -> Iterator[Bottle]:
    opened = Bottle(seed="hopping")
    opened.let_in("ann", "eve", "bob")
    yield opened
    opened.close()


def opened(bottle: Bottle, game: str, n_people: int) -> str:
    """A table where Ann is the host, and all seats but those of people are bots'."""
    seats = max(GAMES[game].usual_seats, 4)
    wish = {"game": game, "seats": seats, "bots": seats - n_people}
    table: str = json.loads(bottle.run(bottle.ask("POST", "/api/tables", "ann", "ann", wish)))["id"]
    return table


def run_to_a_decision(spy: Spy) -> None:
    """Until somebody is asked and the bots have chosen."""
    for _ in range(400):
        spy.bottle.run_until(spy.bottle.time + 0.25)
        bots = [seat for seat in spy.table.missing if spy.table.seats[seat].bot]
        if spy.table.due and not bots:
            return
    raise AssertionError("nobody is asked")


def cards_and_choices(table: Table, but: Collection[int]) -> list[object]:
    """What others hide now: there is something to be found."""
    assert table.play is not None
    state = table.play.state
    hidden, nothing = (state.choice, NOTHING) if hasattr(state, "choice") else (state.hand, 0)
    return [hidden[seat] for seat in range(state.n_seats) if seat not in but and hidden[seat] != nothing]


@every_game
def test_one_who_hops_over_the_bots_seats_sees_nothing_more(bottle: Bottle, game: str):
    table = opened(bottle, game, 1)
    ann = Spy(bottle, "ann", table, [0])
    ann.say(do="start")
    run_to_a_decision(ann)
    assert cards_and_choices(ann.table, [0])

    ann.hop(range(1, len(ann.table.seats)))

    assert ann.too_much == []
    assert {frame["viewer"] for frame in ann.frames if "viewer" in frame} == {0, WATCHER}


@every_game
def test_one_who_hops_and_goes_on_watching_never_gets_another_seat(bottle: Bottle, game: str):
    table = opened(bottle, game, 1)
    ann = Spy(bottle, "ann", table, [0])
    ann.say(do="start")
    run_to_a_decision(ann)

    rounds = 0
    while not ann.is_over and rounds < 6:
        ann.hop(range(len(ann.table.seats)))
        bottle.run_until(bottle.time + 5)
        rounds += 1

    assert ann.too_much == []
    assert rounds > 1
    assert not any(place.person for place in ann.table.seats)


@every_game
def test_a_second_cookie_sees_nothing_more_unless_everybody_lets_it_in(bottle: Bottle, game: str):
    table = opened(bottle, game, 2)
    ann, bob, eve = Spy(bottle, "ann", table, [0]), Spy(bottle, "bob", table, [1]), Spy(bottle, "eve", table)
    begin(ann, bob)
    run_to_a_decision(ann)
    bots = range(2, len(ann.table.seats))

    for _ in range(3):
        for seat in bots:
            eve.say(do="sit", name="Eve", seat=seat)
            ann.say(do="agree", seat=seat)
            eve.reads_back()
            eve.say(do="leave")
        eve.say(do="sit", name="Eve", seat=2)
        ann.say(do="agree", seat=2)
        play_on(ann, bob)
        if ann.table.status == OVER:  # a short game
            break

    assert (ann.too_much, bob.too_much, eve.too_much) == ([], [], [])
    assert {frame["viewer"] for frame in eve.frames if "viewer" in frame} == {WATCHER}


@every_game
def test_one_whom_all_let_in_begins_with_nothing_between_two_rounds(bottle: Bottle, game: str):
    says = importlib.import_module(f"tests.games.test_{game}")
    table = opened(bottle, game, 2)
    ann, bob, eve = Spy(bottle, "ann", table, [0]), Spy(bottle, "bob", table, [1]), Spy(bottle, "eve", table)
    begin(ann, bob)
    run_to_a_decision(ann)

    eve.say(do="sit", name="Eve", seat=2)
    ann.say(do="agree", seat=2)
    bob.say(do="agree", seat=2)
    while ann.table.seats[2].person is None:
        eve.reads_back()
        assert eve.too_much == []
        play_on(ann, bob, eve)
    eve.own.add(2)
    first = next(frame for frame in eve.frames if frame.get("viewer") == 2)

    assert (ann.too_much, bob.too_much) == ([], [])
    assert first["kind"] == "snapshot"
    assert first["n"] <= 1
    assert says.is_between_rounds(ann.table.play.state) or ann.table.turn != CHANCE


def begin(ann: Spy, bob: Spy) -> None:
    bob.say(do="sit", name="Bob", seat=1)
    bob.say(do="ready")
    ann.say(do="start")


def play_on(*spies: Spy) -> None:
    """Everybody chooses the first they can, until the decision that is open now is over."""
    table = spies[0].table
    step = table.step
    for _ in range(40):
        for spy in spies:
            for seat in spy.own:
                if seat in table.missing and table.play is not None:
                    choice = table.play.view(seat).choices[0]
                    spy.say(do="choose", seat=seat, choice=choice, id=f"{seat} {table.version}")
        spies[0].bottle.run_until(spies[0].bottle.time + 0.5)
        if table.step != step and table.seats[2].person is not None:
            return
    assert table.step != step
