"""Non-interference at the wire: tables that differ only in what a viewer may not know send that viewer the same bytes.

Pairs of tables are made in `twins.py` and played in `lockstep.py`, through the real application. Here they are counted,
and leaks are planted.
"""

import asyncio
import json
import logging
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from pokade import records
from pokade.games import GAMES
from pokade.games.play import Play
from pokade.games.state import CHANCE
from pokade.server.hub import Room, archive, bots, log, room
from pokade.server.hub.codec import packed
from pokade.server.hub.keeper import Keeper
from pokade.server.network import routes
from pokade.server.table import Table, events
from pokade.server.table.events import Event
from pokade.server.table.folding import Change
from pokade.server.views import frames
from pokade.server.views.frames import Audience, Frame
from tests.server.bottle import EPOCH, Bottle, Notebook
from tests.server.clients import NAMES, Guest, running
from tests.server.lockstep import Pair
from tests.server.open_house import sit_down
from tests.server.twins import TABLE, Setting, Side, setting

PAIRS = 120
SOAK_PAIRS = 10_000
PARTS = 2
WHOLE_GAMES = 3
LONG = 400  # decisions, more than these games have
every_game = pytest.mark.parametrize("game", GAMES)
Leak = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(autouse=True)
def bottled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Bots do what is planned, threads have no time of their own, the commitment is the same whatever the seed."""
    honest, ours, notebook = archive.proof_of, logging.getLogger("pokade"), Notebook()
    monkeypatch.setattr(bots, "player", lambda *_: Bottle.running.plan)
    monkeypatch.setattr(archive, "proof_of", lambda *given: replace(honest(*given), commitment="c" * 64))
    monkeypatch.setattr(asyncio, "to_thread", at_once)
    monkeypatch.setattr(ours, "propagate", False)
    level = ours.level
    ours.addHandler(notebook)
    ours.setLevel(logging.DEBUG)
    yield
    ours.removeHandler(notebook)
    ours.setLevel(level)


async def at_once(work: Callable[..., Any], *given: Any) -> Any:
    return work(*given)


def checked(game: str, numbers: range, rounds: int = 3) -> dict[str, int]:
    """Play pairs; count them, those whose hidden part differed from the beginning, and what was compared."""
    counted = {"pairs": 0, "other secrets": 0, "frames": 0}
    for number in numbers:
        pair = Pair(setting(game, random.Random(f"{game} {number}")))
        try:
            pair.check(rounds)
        except AssertionError as error:
            error.add_note(f"{game} {number}: {pair.where}")
            raise
        counted["pairs"] += 1
        counted["other secrets"] += pair.twin.has_other_secrets or bool(pair.twin.closed)
        counted["frames"] += pair.frames
    return counted


def part_of(pairs: int, part: int, first: int = 0) -> range:
    return range(first + pairs * part // PARTS, first + pairs * (part + 1) // PARTS)


@pytest.mark.parametrize("part", range(PARTS))
@every_game
def test_twin_tables_send_a_viewer_the_same_bytes(game: str, part: int):
    counted = checked(game, part_of(PAIRS, part))

    assert counted["pairs"] == PAIRS // PARTS
    assert counted["other secrets"] > PAIRS // PARTS // 5
    assert counted["frames"] > 10 * PAIRS // PARTS


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
@every_game
def test_soak_twin_tables_send_a_viewer_the_same_bytes(game: str, part: int):
    assert checked(game, part_of(SOAK_PAIRS, part, 1_000_000))["pairs"] == SOAK_PAIRS // PARTS


def to_the_end(game: str, number: int) -> Setting:
    """A whole game that looks the same at both tables; who sealed what before, when and how often is their own."""
    rng = random.Random(f"whole {game} {number}")
    where = setting(game, rng)
    where.n_seats, where.options = GAMES[game].usual_seats, {"max_rounds": 6} if game == "pok" else {}
    where.viewer = number % (where.n_seats + 1) - 1
    where.mine, where.bots = ((where.viewer,) if where.viewer >= 0 else ()), frozenset()
    where.host, where.is_same_throughout, where.has_same_seed = 0, True, True
    return where


@pytest.mark.parametrize("number", range(WHOLE_GAMES))
@every_game
def test_how_sealed_choices_came_about_is_never_told_even_after_the_end(game: str, number: int):
    pair = Pair(to_the_end(game, number))

    pair.check(LONG)

    assert pair.table.status == "over"


# Leaks, planted one by one where one might slip in.


def a_frame_for_each_seal(patch: pytest.MonkeyPatch) -> None:
    honest = Audience.frames

    def leaky(audience: Audience, change: Change, *wanted: Any) -> dict[int, Frame]:
        sent = honest(audience, change, *wanted)
        has_sealed = change.batch[0].kind == events.CHOICE
        others = {viewer for viewer in audience.numbers if has_sealed and viewer not in sent}.intersection(*wanted)
        return sent | {viewer: {"n": audience.numbers[viewer], "kind": "tick"} for viewer in others}

    patch.setattr(Audience, "frames", leaky)


def a_number_that_counts_others(patch: pytest.MonkeyPatch) -> None:
    honest = Audience.frames

    def leaky(audience: Audience, change: Change, *wanted: Any) -> dict[int, Frame]:
        first = change.batch[0]
        for viewer in audience.numbers:
            audience.numbers[viewer] += first.kind == events.CHOICE and first["seat"] != viewer
        return honest(audience, change, *wanted)

    patch.setattr(Audience, "frames", leaky)


def a_count_of_seals_in_the_table(patch: pytest.MonkeyPatch) -> None:
    honest = frames.described
    for place in (frames, routes):
        patch.setattr(place, "described", lambda table: honest(table) | {"sealed": len(table.chosen)})


def a_list_of_who_has_chosen(patch: pytest.MonkeyPatch) -> None:
    honest = Audience.snapshot
    patch.setattr(Audience, "snapshot", lambda a, viewer: honest(a, viewer) | {"chosen": sorted(a.table.chosen)})


def a_list_that_moves_with_a_seal(patch: pytest.MonkeyPatch) -> None:
    for place in (log, room):
        patch.setattr(place, "changes_table", lambda batch: any(event.kind != events.CHANCE for event in batch))


def an_error_that_knows_a_hidden_cell(patch: pytest.MonkeyPatch) -> None:
    honest = Play.check

    def leaky(play: Play, seat: int, choice: int) -> int:
        try:
            return honest(play, seat, choice)
        except Exception as error:
            error.args = (f"{error} {play.state.choice}",)
            raise

    patch.setattr(Play, "check", leaky)


def a_tail_with_the_seals_of_others(patch: pytest.MonkeyPatch) -> None:
    honest = Room.tail

    def leaky(room: Room, viewer: int, last: int) -> list[bytes]:
        sealed = {"n": 1, "kind": "sealed", "seats": sorted(room.table.chosen)}
        return [*honest(room, viewer, last), *([packed(sealed)] if room.table.chosen else [])]

    patch.setattr(Room, "tail", leaky)


def a_frame_whose_length_tells(patch: pytest.MonkeyPatch) -> None:
    honest = Audience.snapshot
    patch.setattr(Audience, "snapshot", lambda a, viewer: honest(a, viewer) | {"": " " * len(a.table.chosen)})


def a_choice_in_the_log(patch: pytest.MonkeyPatch) -> None:
    honest = Table.choose

    def leaky(table: Table, person: str, seat: int, choice: int, *rest: Any) -> list[Event]:
        logging.getLogger("pokade.server.table.table").debug("p%d chose %d", seat, choice)
        return honest(table, person, seat, choice, *rest)

    patch.setattr(Table, "choose", leaky)


def a_line_in_the_log_for_each_seal(patch: pytest.MonkeyPatch) -> None:
    honest = Table.choose

    def leaky(table: Table, *given: Any) -> list[Event]:
        logging.getLogger("pokade.server.table.table").debug("somebody chose")
        return honest(table, *given)

    patch.setattr(Table, "choose", leaky)


def a_record_with_what_is_sealed(patch: pytest.MonkeyPatch) -> None:
    honest = records.write
    patch.setattr(records, "write", lambda play, *given, **more: honest(play, *given, **more) + f"# {len(play.steps)}")


def a_deadline_that_moves_with_a_seal(patch: pytest.MonkeyPatch) -> None:
    honest = Table.deadline
    patch.setattr(
        Table, "deadline", property(lambda t: None if honest.fget(t) is None else honest.fget(t) + len(t.chosen))
    )


def a_bot_that_hesitates(patch: pytest.MonkeyPatch) -> None:
    honest = Keeper._play_for

    async def leaky(keeper: Keeper, at: Room, seats: list[int], not_before: float = 0.0) -> None:
        await honest(keeper, at, seats, not_before + Bottle.running.planned.get(seats[0], 0) / 8)

    patch.setattr(Keeper, "_play_for", leaky)


LEAKS: dict[Leak, str] = {  # and the words in which it is found out
    a_frame_for_each_seal: "tick",
    a_number_that_counts_others: '"n":',
    a_count_of_seals_in_the_table: '"sealed":',
    a_list_of_who_has_chosen: '"chosen":',
    a_list_that_moves_with_a_seal: r"updated_at|other|api",
    an_error_that_knows_a_hidden_cell: r"\[-?\d+, -?\d+",
    a_tail_with_the_seals_of_others: "'tail'",
    a_frame_whose_length_tells: '"": ?"',
    a_choice_in_the_log: "the log .*chose",
    a_line_in_the_log_for_each_seal: "the log .*chose",
    a_record_with_what_is_sealed: "record",
    a_deadline_that_moves_with_a_seal: "deadline",
    a_bot_that_hesitates: "a step was taken|only one table sent",
}


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_caught(leak: Leak, monkeypatch: pytest.MonkeyPatch):
    leak(monkeypatch)

    with pytest.raises(AssertionError, match=LEAKS[leak]):
        checked("pokerdice", range(PAIRS))


# What the pairs have found, or rest on, each by itself.


def choosing(clock: str = "none", bots: frozenset[int] = frozenset(), **options: Any) -> Side:
    """A table of POK for five whose first round is open; the viewer has seat 0."""
    options = {"memory": "assisted", **options}
    where = Setting("pok", 5, options, 0, random.Random(1), clock, bots=bots, mine=(0,))
    play = Play(GAMES["pok"], 5, where.options)
    while play.turn == CHANCE:
        play.happen(min(play.chances()))
    side = Side(where, 0, play)
    side.bottle.run_until(1)
    return side


def counted(side: Side) -> dict[str, int]:
    """How many frames came on each line since the last count."""
    came = Counter(name for _, name, _ in side.bottle.heard)
    side.bottle.heard.clear()
    return dict(came)


def seal(side: Side, *seats: int) -> None:
    for seat in seats:
        side.seal(seat, side.legal(seat)[0])
        side.bottle.run_until(side.bottle.time + 1)


def test_from_the_opening_to_the_lock_a_seal_sends_nothing_to_anybody_else():
    side = choosing()
    counted(side)

    seal(side, 1, 2, 1, 3, 2, 4)
    before = counted(side)
    seal(side, 0)
    lock = counted(side)
    side.close()

    assert before == {"seat 1": 2, "seat 2": 2, "seat 3": 1, "seat 4": 1}
    assert lock["viewer"] == lock["seat 1"] == lock["seat 4"]


def test_who_is_late_is_not_told_whether_others_are_late_too():
    heard = []
    for in_time in ((), (1, 2, 3, 4)):
        side = choosing("20s")
        seal(side, *in_time)
        counted(side)
        side.bottle.run_until(22)
        heard.append(next(json.loads(frame)["kind"] for _, name, frame in side.bottle.heard if name == "viewer"))
        side.close()

    assert heard == ["step", "step"]


def test_one_who_is_gone_for_too_long_just_when_time_is_up_stands_by_after_the_reveal():
    heard = []
    for sealed in ((), (1,)):
        side = choosing("2min")
        deadline = side.table.deadline - EPOCH
        side.bottle.run_until(deadline - side.table.grace)
        side.lines[4].close()
        side.bottle.run_until(deadline - 30)
        seal(side, *sealed)
        counted(side)
        side.bottle.run_until(deadline + 8)
        heard.append([(at, json.loads(frame)["kind"]) for at, name, frame in side.bottle.heard if name == "viewer"])
        side.close()

    assert heard[0] == heard[1]
    assert [kind for _, kind in heard[0]] == ["step", "step", "table"]  # reveal, throw, standby


def test_whether_somebody_had_sealed_who_leaves_delays_nobody_else_s_standby():
    heard = []
    for sealed in ((), (1,)):
        side = choosing()
        seal(side, *sealed)
        side.bottle.run_until(10)
        side.lines[4].close()
        side.bottle.run_until(10 + side.table.grace - 0.25)
        side.lines[1].say(do="leave")
        side.bottle.run_until(side.bottle.time + 8)
        heard.append([(at, frame) for at, name, frame in side.bottle.heard if name == "viewer"])
        side.close()

    assert heard[0] == heard[1]
    assert sum(b'"kind":"table"' in frame for _, frame in heard[0]) >= 2


def test_how_long_a_bot_thinks_does_not_show():
    times = []
    for choice in (0, 1):
        side = choosing(bots=frozenset((1, 2, 3, 4)))
        seal(side, 0)
        side.bottle.planned, side.bottle.thinking = dict.fromkeys((1, 2, 3, 4), choice), {1: 0.1}
        side.bottle.heard.clear()
        side.bottle.run_until(10)
        times.append(next(at for at, name, _ in side.bottle.heard if name == "viewer"))
        side.close()

    assert times[0] == times[1]


def test_the_seed_comes_with_the_end_of_the_table_and_not_before():
    side = choosing(max_rounds=1)
    seal(side, 0, 1, 2, 3)
    side.seal(4, side.legal(4)[0])
    has_seed = []
    while side.table.status == "on":
        side.bottle.get(f"/api/tables/{TABLE}/record", "viewer")
        side.bottle.run_until(side.bottle.time + 0.25)
        has_seed.append(any(b"seed = " in payload for _, _, payload in side.bottle.heard))
    side.close()

    assert side.table.play.is_over
    assert True not in has_seed[:-1]


def test_a_seal_changes_no_list_on_a_real_database(url: str):
    with running(url) as address, ExitStack() as stack:
        people = [stack.enter_context(Guest(address, name)) for name in NAMES[:3]]
        table = people[0].open(listed=True, clock="1day", options={"memory": "assisted"})
        tabs = [guest.at(table["id"]) for guest in people]
        sit_down(people, tabs)
        for tab in tabs:
            tab.hear_until(lambda frame: frame["kind"] == "step" and frame["view"]["turn"] > 0)
        people[1].open(listed=True)
        before = all_pages(people[0], table)

        for seat in (1, 2):
            tabs[seat].say("choose", seat=seat, choice=0, id="sealed")
            tabs[seat].hear_until("sealed")

        assert all_pages(people[0], table) == before
        assert tabs[0].heard() == []


def all_pages(guest: Guest, table: Frame) -> list[str]:
    there = f"/api/tables/{table['id']}"
    paths = ("/api/tables", "/api/mine", "/api/played", f"/api/join/{table['code']}", there, f"{there}/record")
    return [guest.http.get(path).text for path in paths]


def test_an_id_that_another_seat_has_used_is_a_new_one_for_me():
    side = choosing()
    side.seal(1, side.legal(1)[0], "the same")
    side.seal(0, side.legal(0)[0], "the same")
    side.bottle.run_until(2)
    side.close()

    assert sorted(side.table.chosen) == [0, 1]


def test_a_note_does_not_say_how_many_had_chosen_when_it_was_written():
    written = []
    for early in ((), (1, 2, 3)):
        side = choosing("20s")
        seal(side, *early)
        side.lines[4].say(do="leave")
        side.bottle.run_until(10)
        seal(side, *(seat for seat in (1, 2, 3) if seat not in early))
        side.bottle.run_until(22)
        written.append(records.actions_of(side.table.play, notes=side.table.notes)[:4])
        side.close()

    assert written[0] == written[1]
    assert written[0][1:3] == ["t standby p5", "t timeout p1"]
