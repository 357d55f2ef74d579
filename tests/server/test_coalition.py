"""Non-interference against people: what a group gets follows from the views of the seats that they rightfully held.

The pairs are played in `coalition.py`, through the real application. Here they are counted, leaks are planted, and the
way that people once looked into bots' hands is walked once more, step by step.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pokade import records
from pokade.games import GAMES
from pokade.games.state import CHANCE
from pokade.server.hub import Room
from pokade.server.hub.log import Log
from pokade.server.judge.judge import game_of
from pokade.server.network import judged, routes
from pokade.server.table import ON, Seat, Table, events, folding, newcomers, questions
from pokade.server.table.events import Event
from pokade.server.views import frames
from pokade.server.views.frames import Audience, Frame
from pokade.server.views.recent import Recent
from tests.server.bottle import bottled  # noqa: F401 - it is a fixture for all tests here
from tests.server.coalition import Group, circle
from tests.server.further import Lesson, Rematch, classroom, reunion

PAIRS = 100
SOAK_PAIRS = 10_000
PARTS = 2
ROUNDS = 10
every_game = pytest.mark.parametrize("game", GAMES)
Leak = Callable[[pytest.MonkeyPatch], None]


def checked(game: str, numbers: range, story: str = "") -> Counter[str]:
    """Play pairs, and count what was seen in them."""
    counted: Counter[str] = Counter()
    for number in numbers:
        group = met(game, number, story)
        try:
            group.check(ROUNDS)
        except BaseException as error:
            error.add_note(f"{game} {number}: {group.where}")
            raise
        counted["pairs"] += 1
        counted[type(group).__name__] += 1
        counted["other secrets"] += group.sides[1].is_other
        counted["frames"] += group.frames
        counted["decisions"] += group.decisions
        counted["seated"] += group.seated
    return counted


def met(game: str, number: int, story: str = "") -> Group:
    """One pair in eight is a lesson, one a rematch."""
    rng = random.Random(f"circle {game} {number}")
    if story or number % 8 > 1:
        return Group(circle(game, rng, story))
    return Rematch(reunion(game, rng)) if number % 8 else Lesson(classroom(game, rng))


def part_of(pairs: int, part: int, first: int = 0) -> range:
    return range(first + pairs * part // PARTS, first + pairs * (part + 1) // PARTS)


@pytest.mark.parametrize("part", range(PARTS))
@every_game
def test_twin_tables_send_a_group_the_same_bytes(game: str, part: int):
    counted = checked(game, part_of(PAIRS, part))

    assert counted["pairs"] == PAIRS // PARTS
    assert counted["other secrets"] > PAIRS // PARTS // 3
    assert counted["frames"] > 10 * PAIRS // PARTS
    assert counted["seated"] > 1


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
@every_game
def test_soak_twin_tables_send_a_group_the_same_bytes(game: str, part: int):
    assert checked(game, part_of(SOAK_PAIRS, part, 1_000_000))["pairs"] == SOAK_PAIRS // PARTS


# Leaks, planted where people come and go.


def one_sits_down_at_once(patch: pytest.MonkeyPatch) -> None:
    honest = questions.QUESTIONS["sit"]

    def leaky(table: Table, person: str, said: Any, now: float) -> list[Event]:
        asked = honest(table, person, said, now)
        if not asked or asked[0].kind != events.CLAIMED:
            return asked
        seat = {"seat": asked[0]["seat"]}
        return [Event(events.SEATED, now, asked[0].data), Event(events.RETURNED, now, seat)]

    patch.setitem(questions.QUESTIONS, "sit", leaky)


def who_has_held_a_seat_may_have_another(patch: pytest.MonkeyPatch) -> None:
    honest = newcomers.ask_for

    def leaky(table: Table, *asked: Any) -> list[Event]:
        held, table.held = table.held, set(table.playing)
        try:
            return honest(table, *asked)
        finally:
            table.held = held

    patch.setattr(newcomers, "ask_for", leaky)


def numbers_go_on(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Audience, "_begin_with", lambda *_: None)


def frames_are_handed_on(patch: pytest.MonkeyPatch) -> None:
    numbers_go_on(patch)
    patch.setattr(Recent, "hand_on", lambda *_: None)


def mutes_go_on(patch: pytest.MonkeyPatch) -> None:
    honest = folding.APPLY[events.SEATED]

    def leaky(at: Table, event: Event) -> None:
        muted = at.seats[event["seat"]].muted
        honest(at, event)
        at.seats[event["seat"]].muted = muted

    patch.setitem(folding.APPLY, events.SEATED, leaky)


def a_newcomer_reads_the_whole_record_of_the_seat(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Seat, "is_newcomer", False)


def one_comes_in_as_soon_as_an_even_number_has_sealed(patch: pytest.MonkeyPatch) -> None:
    honest = newcomers.is_clean
    patch.setattr(newcomers, "is_clean", lambda at, seat: honest(at, seat) or (at.due and len(at.chosen) % 2 == 0))


def one_comes_in_while_cards_lie_face_down(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(newcomers, "is_clean", lambda at, seat: at.turn == CHANCE)  # noqa: ARG005 - whatever it knows


def a_seal_is_counted_at_once(patch: pytest.MonkeyPatch) -> None:
    honest = Log._count
    patch.setattr(Log, "_count", lambda house, room, batch, took, _: honest(house, room, batch, took, True))


def what_is_sealed_is_counted_when_somebody_asks_for_a_seat(patch: pytest.MonkeyPatch) -> None:
    honest = Log._count

    def leaky(house: Log, room: Room, batch: Sequence[Event], took: float, has_moved: bool) -> None:
        honest(house, room, batch, took, has_moved or batch[0].kind not in (events.CHOICE, events.CHAT, events.MUTED))

    patch.setattr(Log, "_count", leaky)


def a_call_of_time_names_those_who_are_missing(patch: pytest.MonkeyPatch) -> None:
    honest = frames.described
    for place in (frames, routes):
        patch.setattr(
            place, "described", lambda at: honest(at) | {"idle": at.missing if at.called_by is not None else []}
        )


def a_call_of_time_is_refused_if_nobody_is_missing_but_the_caller(patch: pytest.MonkeyPatch) -> None:
    honest = Table.call

    def leaky(at: Table, person: str, now: float, is_called: bool = True) -> list[Event]:
        at.want(any(at.seats[seat].person != person for seat in at.missing), "call/alone", "they all wait for you")
        return honest(at, person, now, is_called)

    patch.setattr(Table, "call", leaky)


def a_game_that_is_on_is_looked_back_at(patch: pytest.MonkeyPatch) -> None:
    honest = judged._told

    def leaky(at: Table, person: str) -> Frame:
        if person:
            return honest(at, person)
        assert at.play is not None
        return game_of(at.play, [place.name for place in at.seats], records.FULL, at.notes, None, is_closed=False)

    patch.setattr(judged, "OVER", ON)
    patch.setattr(judged, "_told", leaky)


TAKEN = "has taken seat"
LEAKS: dict[Leak, tuple[str, str, str]] = {  # with a game and a story where it shows, and the words it is found out by
    one_sits_down_at_once: ("poch", "join", f"hand|{TAKEN}"),
    who_has_held_a_seat_may_have_another: ("pok", "hop", TAKEN),
    numbers_go_on: ("pok", "heir", '"n":'),
    frames_are_handed_on: ("pokerdice", "heir", '"n":'),
    mutes_go_on: ("pokopop", "heir", "muted"),
    a_newcomer_reads_the_whole_record_of_the_seat: ("poch", "heir", "record"),
    one_comes_in_as_soon_as_an_even_number_has_sealed: ("pok", "join", f"{TAKEN}|only one table|a step was taken|kind"),
    one_comes_in_while_cards_lie_face_down: ("pokerdice", "join", f"snapshot|{TAKEN}"),
    a_seal_is_counted_at_once: ("pok", "any", "metrics"),
    what_is_sealed_is_counted_when_somebody_asks_for_a_seat: ("pok", "join", "metrics"),
    a_call_of_time_names_those_who_are_missing: ("pok", "idle", '"idle":'),
    a_game_that_is_on_is_looked_back_at: ("poch", "any", "analysis"),
    a_call_of_time_is_refused_if_nobody_is_missing_but_the_caller: ("pok", "idle", "only one table|call/"),
}


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_caught(leak: Leak, monkeypatch: pytest.MonkeyPatch):
    game, story, words = LEAKS[leak]
    leak(monkeypatch)

    with pytest.raises(AssertionError, match=words):
        checked(game, range(PAIRS), story)
