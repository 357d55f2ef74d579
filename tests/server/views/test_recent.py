"""Coming back: the frames that were missed, as long as the server has them; else what is true now."""

import asyncio
from collections.abc import Sequence

import orjson
import pytest

from pokade.games.state import WATCHER
from pokade.server.hub import Listener, Room
from pokade.server.table import Table, create, events
from pokade.server.table.events import Event
from pokade.server.table.terms import MOST_CHANGES
from pokade.server.views import recent
from pokade.server.views.frames import Audience, Frame

PEOPLE = ("ada", "ben", "cleo")


class Evening:
    """A table of POK in memory with three people who look, and what each was sent."""

    def __init__(self, memory: str = "assisted") -> None:
        self.room = Room(Audience(Table("t1")))
        settings = {"game": "pok", "seats": 3, "options": {"memory": memory}, "clock": "none", "listed": False}
        named = {"tells": False, "code": "ABCD", "commitment": "c0", "host": "ada"}
        self.do(create(settings | named, 0.0))
        self.lines = {person: self.come(person) for person in PEOPLE}
        for seat, person in enumerate(PEOPLE):
            self.do(self.table.sit(person, person.title(), 0.0, seat))
            self.do(self.table.ready(person, True, 0.0))
        self.do(self.table.start("ada", 0.0))
        self.do(self.table.chance([0, 3, 3], 0.0))

    @property
    def table(self) -> Table:
        return self.room.table

    def do(self, batch: Sequence[Event]) -> None:
        self.room.fold(batch)

    def come(self, person: str) -> Listener:
        listener = Listener(person, asyncio.Queue(), tuple(self.table.viewers_of(person)))
        self.room.listeners.add(listener)
        self.room.recent.follow(listener.viewers)
        return listener

    def go(self, person: str) -> None:
        self.room.listeners.discard(self.lines.pop(person))

    def seal(self, seat: int, number: int) -> None:
        self.do(self.table.choose(PEOPLE[seat], seat, number % 2, f"{seat} {number}", 0.0))

    def number(self, viewer: int) -> int:
        return self.room.audience.numbers[viewer]

    def tail(self, viewer: int, last: int) -> list[Frame]:
        return [orjson.loads(frame) for frame in self.room.tail(viewer, last)]

    def speak(self, count: int, words: str = "words") -> None:
        for _ in range(count):
            self.do(self.table.speak("ben", "", words, 0.0))


def sent(listener: Listener) -> list[Frame]:
    queue = listener.queue
    assert isinstance(queue, asyncio.Queue)
    return [orjson.loads(queue.get_nowait()) for _ in range(queue.qsize())]


def kinds(frames: Sequence[Frame]) -> list[str]:
    return [frame["kind"] for frame in frames]


@pytest.mark.parametrize("missed", [0, 1, 3])
def test_who_comes_back_gets_exactly_what_was_sent_meanwhile(missed: int):
    evening = Evening()
    evening.seal(0, 1)
    evening.speak(1)
    evening.seal(0, 2)
    last = evening.number(0) - missed

    assert evening.tail(0, last) == [frame for frame in sent(evening.lines["ada"]) if frame["n"] > last]


def test_frames_are_kept_while_their_viewer_is_gone_for_a_moment():
    evening = Evening()
    last = evening.number(0)
    evening.go("ada")

    evening.seal(0, 1)
    evening.speak(2)

    assert kinds(evening.tail(0, last)) == ["sealed", "chat", "chat"]


def test_what_others_seal_changes_nothing_of_what_is_kept_for_a_viewer():
    quiet, restless = Evening(), Evening()
    for number in range(MOST_CHANGES):
        restless.seal(1, number)
    for evening in (quiet, restless):
        evening.speak(2)

    for last in range(quiet.number(0) + 2):
        assert restless.room.tail(0, last) == quiet.room.tail(0, last)


def test_under_strict_memory_who_comes_back_gets_what_is_true_now():
    evening = Evening("strict")

    assert kinds(evening.tail(0, evening.number(0))) == ["snapshot"]


@pytest.mark.parametrize("off", [-999, 1, 999])
def test_a_number_that_was_never_sent_brings_what_is_true_now(off: int):
    evening = Evening()

    assert kinds(evening.tail(0, evening.number(0) + off)) == ["snapshot"]


def test_only_so_many_frames_are_kept():
    evening = Evening()
    evening.speak(recent.FRAMES + 1)
    newest = evening.number(0)

    assert kinds(evening.tail(0, newest - recent.FRAMES)) == ["chat"] * recent.FRAMES
    assert kinds(evening.tail(0, newest - recent.FRAMES - 1)) == ["snapshot"]


def test_long_frames_are_kept_up_to_their_bound():
    evening = Evening()
    evening.speak(4, words="w" * (recent.BYTES // 4))
    newest = evening.number(0)

    assert kinds(evening.tail(0, newest - 3)) == ["chat"] * 3
    assert kinds(evening.tail(0, newest - 4)) == ["snapshot"]


def test_nothing_is_kept_for_a_viewer_whom_nobody_was_or_who_is_long_gone():
    evening = Evening()
    assert set(evening.room.recent.viewers) == {WATCHER, 0, 1, 2}
    last = evening.number(0)
    evening.go("ada")

    evening.speak(recent.FRAMES + 1)

    assert set(evening.room.recent.viewers) == {1, 2}
    assert kinds(evening.tail(0, last)) == ["snapshot"]


@pytest.mark.parametrize("kind", [events.SEATED, events.UNSEATED])
def test_nothing_of_a_seat_is_kept_for_its_next_owner(kind: str):
    evening = Evening()
    evening.seal(0, 1)
    evening.go("ada")

    evening.do([Event(kind, 0.0, {"seat": 0, "bot": "casual", "name": "Bot"})])

    assert 0 not in evening.room.recent.viewers
    assert all(kinds(evening.tail(0, last)) == ["snapshot"] for last in range(evening.number(0)))
