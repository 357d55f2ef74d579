"""Tables as logs: what may be appended, what it comes to, and what each viewer gets of it."""

import json
from collections.abc import Callable, Sequence

import pytest

from pokade import records
from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.state import CHANCE, NOTHING, WATCHER
from pokade.players import player
from pokade.server.hub.codec import batches, stored
from pokade.server.table import ON, OPEN, OVER, STAND_IN, Table, create
from pokade.server.table.events import KINDS, Event
from pokade.server.table.folding import APPLY
from pokade.server.table.rematches import planned
from pokade.server.table.terms import LINES, MOST_CHANGES
from pokade.server.views.frames import Audience, Frame, described

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal")
every_game = pytest.mark.parametrize("game", GAMES)


class House:
    """A table in memory with its log, its viewers' frames and a clock that the test turns."""

    def __init__(self, game: str = "pok", seats: int = 3, clock: str = "none", **settings: object) -> None:
        self.now = 1000.0
        self.log: list[bytes] = []
        self.audience = Audience(Table("t1"))
        self.frames: dict[int, list[Frame]] = {viewer: [] for viewer in range(WATCHER, 8)}
        data = {"game": game, "seats": seats, "options": {}, "clock": clock, "listed": False, "tells": False}
        self.do(create(data | {"code": "ABCD", "commitment": "c0", "host": "ada"} | settings, self.now))

    @property
    def table(self) -> Table:
        return self.audience.table

    def do(self, batch: Sequence[Event]) -> dict[int, Frame]:
        self.log += stored(batch)
        frames = self.audience.frames(self.table.apply(batch))
        for viewer, frame in frames.items():
            self.frames[viewer].append(frame)
        return frames

    def full(self) -> "House":
        """Everybody sits and is ready, and the host starts."""
        for seat in range(len(self.table.seats)):
            self.do(self.table.sit(NAMES[seat].lower(), NAMES[seat], self.now))
            self.do(self.table.ready(NAMES[seat].lower(), True, self.now))
        self.do(self.table.start("ada", self.now))
        return self

    def throw(self, *outcomes: int) -> "House":
        self.do(self.table.chance(outcomes, self.now))
        return self

    def choose(self, seat: int, choice: int, choice_id: str = "") -> dict[int, Frame]:
        choice_id = choice_id or f"id {len(self.log)}"
        return self.do(self.table.choose(NAMES[seat].lower(), seat, choice, choice_id, self.now))

    def bytes_for(self, viewer: int) -> bytes:
        return json.dumps([self.frames[viewer], self.audience.snapshot(viewer)]).encode()


def play_on(house: House, seed: str) -> None:
    """Random people play the game to its end."""
    chance = Seeded(seed)
    table = house.table
    assert table.play is not None
    while (turn := table.turn) != 0:
        play = table.play
        if turn == CHANCE:
            house.throw(play.game.outcome_at(play.state, chance.draw(play.game.tickets(play.state))))
            continue
        for seat in table.missing:
            house.choose(
                seat, play.game.choice_at(play.state, seat, chance.draw(play.game.n_choices(play.state, seat)))
            )
    house.do([table.ended("played", house.now)])


def refused(code: str, ask: Callable[[], object]) -> None:
    with pytest.raises(Refused) as refusal:
        ask()
    assert refusal.value.code == code


def test_every_kind_of_event_can_be_folded():
    assert set(KINDS) == set(APPLY)


@every_game
def test_a_whole_game_is_played_and_the_log_alone_gives_the_same_table(game: str):
    house = House(game, GAMES[game].seats[0]).full()
    play_on(house, game)

    again = Table("t1")
    for batch in batches(house.log):
        again.apply(batch)

    assert (again.status, again.version) == (OVER, len(house.log))
    assert described(again) == described(house.table)
    assert again.play is not None
    assert house.table.play is not None
    assert again.play.steps == house.table.play.steps
    assert again.play.outcome() is not None


@every_game
def test_the_record_of_a_table_replays(game: str):
    house = House(game, GAMES[game].seats[0]).full()
    house.do(house.table.leave("ben", house.now))
    house.do(house.table.come_back("ben", house.now))
    play_on(house, game)
    assert house.table.play is not None

    text = records.write(house.table.play, [s.name for s in house.table.seats], notes=house.table.notes)

    assert "t standby p2" in text
    assert "t return p2" in text
    assert records.replay(records.read(text)).points() == house.table.play.points()


def test_frames_of_a_viewer_are_numbered_without_gaps():
    house = House().full()
    before = {viewer: len(frames) for viewer, frames in house.frames.items()}
    numbers = dict(house.audience.numbers)
    house.throw(0, 0, 0)
    for seat in range(3):
        house.choose(seat, seat)

    for viewer in range(WATCHER, 3):
        got = [frame["n"] for frame in house.frames[viewer][before[viewer] :]]
        assert got == list(range(numbers[viewer] + 1, numbers[viewer] + 1 + len(got)))
        assert len(got) >= 2
        assert house.audience.snapshot(viewer)["n"] == got[-1]


def test_from_open_to_lock_nobody_gets_anything_that_another_seat_caused():
    house = House().full().throw(0, 0, 0)
    before = {viewer: house.bytes_for(viewer) for viewer in (WATCHER, 1, 2)}

    frames = house.choose(0, 2)

    assert list(frames) == [0]
    assert (frames[0]["kind"], frames[0]["choice"]) == ("sealed", 2)
    assert {viewer: house.bytes_for(viewer) for viewer in (WATCHER, 1, 2)} == before


@every_game
def test_what_others_seal_and_when_never_reaches_a_viewer_before_the_lock(game: str):
    def bytes_seen(choices: Sequence[int], order: Sequence[int]) -> bytes:
        house = House(game, 3).full()
        chance = Seeded("same dice")
        while house.table.turn == CHANCE:
            play = house.table.play
            assert play is not None
            house.throw(play.game.outcome_at(play.state, chance.draw(play.game.tickets(play.state))))
        for seat in order:
            if seat in house.table.due and len(house.table.due) > 1:
                play = house.table.play
                assert play is not None
                house.choose(seat, play.game.choice_at(play.state, seat, choices[seat]))
        return house.bytes_for(2)

    seen = {bytes_seen([a, b, 0], order) for a in (0, 1) for b in (0, 1) for order in ([], [0], [1], [0, 1], [1, 0, 1])}

    assert len(seen) == 1


def test_a_table_that_tells_shows_who_has_chosen_and_not_what():
    house = House(tells=True).full().throw(0, 0, 0)

    frames = house.choose(0, 2)

    assert {viewer: frame["kind"] for viewer, frame in frames.items()} == {
        WATCHER: "chosen",
        0: "sealed",
        1: "chosen",
        2: "chosen",
    }
    assert frames[1]["seats"] == [0]


def test_the_lock_shows_everything_to_all_in_one_frame():
    house = House().full().throw(0, 3, 3)
    house.choose(0, 0)
    house.choose(1, 1)

    frames = house.choose(2, 1)

    assert set(frames) == {WATCHER, 0, 1, 2}
    assert {frame["kind"] for frame in frames.values()} == {"step"}
    assert frames[WATCHER]["view"]["state"]["shown"][:3] == [0, 1, 1]
    assert ["shown", 1, 0, 0] in frames[WATCHER]["told"]


def test_one_changes_ones_mind_so_often_a_round_and_no_more():
    house = House().full().throw(0, 0, 0)
    for number in range(MOST_CHANGES + 1):
        house.choose(0, number % 2)

    refused("choice/changes", lambda: house.choose(0, 0))
    for seat in (1, 2):
        house.choose(seat, 0)
    house.throw(0, 0, 0)

    assert house.choose(0, 0)  # another round


def test_one_changes_ones_mind_until_all_are_in():
    house = House().full().throw(0, 3, 3)
    house.choose(0, 0)
    house.choose(0, 1)
    house.choose(1, 1)
    house.choose(2, 2)

    assert house.table.play is not None
    assert house.table.play.state.shown[:3] == [1, 1, 2]


def test_the_same_choice_id_counts_once():
    house = House().full().throw(0, 3, 3)
    house.choose(0, 0, "one")

    assert house.table.choose("ada", 0, 0, "one", house.now) == []
    assert house.table.choose("ada", 0, 1, "one", house.now) == []


def test_an_id_that_another_seat_has_used_is_a_new_one_for_me():
    house = House().full().throw(0, 3, 3)
    house.choose(1, 0, "the same")

    assert house.choose(0, 0, "the same")[0]["kind"] == "sealed"  # or else it would tell that the other has chosen


def test_ones_own_sealed_choice_is_in_the_snapshot():
    house = House().full().throw(0, 3, 3)
    house.choose(0, 2)

    assert house.audience.snapshot(0)["view"]["state"]["choice"][0] == 2
    assert house.audience.snapshot(1)["view"]["state"]["choice"][1] == NOTHING


def test_under_strict_memory_a_person_gets_no_older_reveals_and_a_bot_does():
    house = House()
    house.do(house.table.sit("ada", "Ada", house.now))
    house.do(house.table.seat_bot("ada", 1, STAND_IN, "Bot", house.now))
    house.do(house.table.seat_bot("ada", 2, STAND_IN, "Cot", house.now))
    house.do(house.table.start("ada", house.now))

    assert house.table.is_forgetful
    assert house.audience.snapshot(0)["view"]["state"]["counters"][1] == [-99] * 3
    assert house.audience.snapshot(1)["view"]["state"]["counters"][0] == [2] * 3


def test_a_missed_deadline_is_played_by_the_house_and_known_with_the_reveal():
    house = House(clock="20s").full().throw(0, 3, 3)
    house.choose(0, 0)
    house.choose(1, 1)
    refused("choice/not-now", lambda: house.table.play_for(2, 1, house.now + 19))
    late = house.now + 20

    frames = house.do(house.table.play_for(2, 1, late))

    assert house.table.deadline is None
    assert frames[0]["timeouts"] == [2]
    assert house.table.play is not None
    assert records.actions_of(house.table.play, notes=house.table.notes)[1] == "t timeout p3"


def test_a_timeout_that_does_not_lock_the_round_is_nobodys_news():
    house = House(clock="20s").full().throw(0, 3, 3)

    frames = house.do(house.table.play_for(2, 1, house.now + 20))

    assert list(frames) == [2]
    assert [frame["kind"] for frame in frames.values()] == ["sealed"]
    house.choose(0, 0)
    assert house.choose(1, 1)[WATCHER]["timeouts"] == [2]


def test_who_leaves_a_game_is_held_by_the_house_and_comes_back():
    house = House().full().throw(0, 3, 3)
    house.do(house.table.leave("ben", house.now))
    refused("seat/standby", lambda: house.table.choose("ben", 1, 1, "x", house.now))

    house.do(house.table.play_for(1, 1, house.now))
    house.do(house.table.come_back("ben", house.now))
    house.choose(1, 2)

    assert not house.table.seats[1].is_standby
    assert house.table.missing == [0, 2]


@pytest.mark.parametrize("is_early", [False, True])
def test_a_note_does_not_say_how_many_had_chosen_when_it_was_written(is_early: bool):
    house = House(clock="20s").full().throw(0, 3, 3)
    if is_early:
        house.choose(0, 0)
    house.do(house.table.leave("cleo", house.now))
    if not is_early:
        house.choose(0, 0)
    house.do(house.table.play_for(2, 0, house.now))
    house.do(house.table.play_for(1, 0, house.now + 20))

    assert house.table.play is not None
    assert records.actions_of(house.table.play, notes=house.table.notes)[1:3] == ["t standby p3", "t timeout p2"]


def test_the_hosts_role_passes_on():
    house = House()
    for name in ("Ada", "Ben"):
        house.do(house.table.sit(name.lower(), name, house.now))

    house.do(house.table.leave("ada", house.now))

    assert (house.table.host, house.table.status) == ("ben", OPEN)
    house.do(house.table.leave("ben", house.now))
    assert house.table.status == OVER


def test_only_the_host_seats_bots_removes_and_starts():
    house = House()
    for name in ("Ada", "Ben"):
        house.do(house.table.sit(name.lower(), name, house.now))
    table = house.table

    refused("table/not-host", lambda: table.seat_bot("ben", 2, STAND_IN, "Bot", house.now))
    refused("table/not-host", lambda: table.remove("ben", 0, house.now))
    refused("table/not-host", lambda: table.start("ben", house.now))
    refused("seat/own", lambda: table.remove("ada", 0, house.now))
    refused("seat/empty", lambda: table.remove("ada", 2, house.now))
    refused("table/seats", lambda: table.start("ada", house.now))
    house.do(table.seat_bot("ada", 2, STAND_IN, "Bot", house.now))
    refused("seat/taken", lambda: table.seat_bot("ada", 1, STAND_IN, "Bot", house.now))
    refused("table/ready", lambda: table.start("ada", house.now))
    house.do(table.ready("ben", True, house.now))
    house.do(table.start("ada", house.now))
    assert table.status == ON
    refused("table/on", lambda: table.remove("ada", 1, house.now))


def test_a_person_may_hold_several_seats_and_sees_through_each():
    house = House(seats=3)
    for seat in range(3):
        house.do(house.table.sit("ada", f"Seat {seat}", house.now, seat))
    house.do(house.table.start("ada", house.now))
    house.throw(0, 3, 3)

    for seat in range(3):
        house.do(house.table.choose("ada", seat, seat, f"id {seat}", house.now))

    assert house.table.viewers_of("ada") == [0, 1, 2]
    assert house.table.viewers_of("stranger") == [WATCHER]
    assert house.table.play is not None
    assert house.table.play.state.shown[:3] == [0, 1, 2]


def test_a_paused_table_takes_no_choices_and_has_no_deadline():
    house = House(clock="45s").full().throw(0, 3, 3)
    refused("table/not-host", lambda: house.table.pause("ben", True, house.now))
    house.do(house.table.pause("ada", True, house.now))

    assert house.table.deadline is None
    refused("table/paused", lambda: house.choose(0, 0))
    assert house.table.pause("ada", True, house.now) == []
    house.do(house.table.pause("ada", False, house.now + 100))
    assert house.table.deadline == house.now + 145


def test_a_game_ends_when_all_people_vote_for_it():
    house = House().full()
    house.do(house.table.leave("cleo", house.now))
    house.do(house.table.vote("ada", house.now))
    refused("vote/done", lambda: house.table.vote("ada", house.now))
    assert house.table.status == ON

    house.do(house.table.vote("ben", house.now))

    assert (house.table.status, house.table.ending) == (OVER, "voted")


def test_a_vote_can_be_taken_back_and_everybody_sees_it():
    house = House().full()
    voted = house.do(house.table.vote("ada", house.now))
    assert [frame["table"]["seats"][0]["votes"] for frame in voted.values()] == [True] * len(voted)
    assert house.table.vote("ben", house.now, False) == []

    taken_back = house.do(house.table.vote("ada", house.now, False))

    assert {*taken_back} == {*voted} >= {WATCHER, 0, 1, 2}
    assert [frame["table"]["seats"][0]["votes"] for frame in taken_back.values()] == [False] * len(voted)
    for person in ("ben", "cleo"):
        house.do(house.table.vote(person, house.now))
    assert house.table.status == ON


def test_people_of_the_same_name_are_told_apart():
    house = House(seats=5)
    for number, name in enumerate(("Ada", "ada", "Maximilian Otto.", "Maximilian Otto.")):
        house.do(house.table.sit(f"p{number}", name, house.now))
    house.do(house.table.seat_bot("ada", None, STAND_IN, "Ada", house.now))

    names = [place.name for place in house.table.seats]

    assert names == ["Ada", "ada 2", "Maximilian Otto.", "Maximilian Ott 2", "Ada 3"]


def test_a_bot_makes_way_for_a_person_of_its_name():
    house = House()
    house.do(house.table.sit("ada", "Ada", house.now))
    house.do(house.table.seat_bot("ada", 1, STAND_IN, "", house.now))
    assert house.table.seats[1].name == "Ben"

    house.do(house.table.sit("ben", "ben", house.now))

    assert [place.name for place in house.table.seats] == ["Ada", "Cleo", "ben"]


def test_one_takes_another_name_at_ones_own_seat_before_the_start():
    house = House()
    house.do(house.table.sit("ada", "Otter", house.now))
    house.do(house.table.salt("ada", 0, "pepper", house.now))
    house.do(house.table.ready("ada", True, house.now))
    house.do(house.table.sit("ben", "Ben", house.now))

    named = house.do(house.table.sit("ada", "Ben", house.now, 0))

    assert named[1]["table"]["seats"][0]["name"] == "Ben 2"
    assert (house.table.seats[0].salt, house.table.seats[0].is_ready) == ("pepper", True)
    assert house.table.sit("ada", "Ben", house.now, 0) == []
    refused("seat/taken", lambda: house.table.sit("ada", "Ada", house.now, 1))


def test_salts_close_with_the_start():
    house = House()
    house.do(house.table.sit("ada", "Ada", house.now))
    house.do(house.table.salt("ada", 0, "pepper", house.now))
    refused("seat/not-yours", lambda: house.table.salt("ben", 0, "x", house.now))
    refused("salt/form", lambda: house.table.salt("ada", 0, "x" * 65, house.now))

    assert house.table.seats[0].salt == "pepper"


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"game": "chess"}, "table/game"),
        ({"clock": "5s"}, "table/clock"),
        ({"seats": 2}, "seats/number"),
        ({"options": {"memory": "weak"}}, "option/value"),
        ({"options": {"colour": 1}}, "option/unknown"),
    ],
)
def test_a_table_that_cannot_be_is_refused(settings: dict[str, object], code: str):
    refused(code, lambda: create({"game": "pok", "seats": 3, "options": {}, "clock": "none"} | settings, 1.0))


@pytest.mark.parametrize(("given", "kept"), [("  Ada   Lo\tve ", "Ada Love"), ("x" * 40, "x" * 16), ("Zoë", "Zoë")])
def test_names_are_cleaned_and_cut(given: str, kept: str):
    house = House()

    house.do(house.table.sit("a", given, house.now))

    assert house.table.seats[0].name == kept
    refused("person/name", lambda: house.table.sit("b", "\n \x00", house.now))


def test_chat_reaches_everybody_and_changes_nothing():
    house = House().full()

    frames = house.do(house.table.speak("ada", "", " hel\x00lo ", house.now))

    assert {frame["kind"] for frame in frames.values()} == {"chat"}
    assert frames[1]["lines"] == [{"seat": 0, "name": "Ada", "text": "hello"}]
    assert house.audience.snapshot(WATCHER)["lines"] == frames[1]["lines"]
    assert house.do(house.table.speak("ben", "hello", "", house.now))[0]["lines"][0]["phrase"] == "hello"
    refused("chat/phrase", lambda: house.table.speak("ben", "no such phrase", "", house.now))
    refused("chat/watcher", lambda: house.table.speak("zoe", "hello", "", house.now))
    assert house.table.speak("ben", "", " \n ", house.now) == []


def test_only_the_last_lines_of_a_long_talk_are_kept():
    house = House().full()
    for number in range(LINES + 3):
        house.do(house.table.speak("ada", "", f"line {number}", house.now))

    lines = [line["text"] for line in house.audience.snapshot(1)["lines"]]

    assert lines == [f"line {number}" for number in range(3, LINES + 3)]


def test_a_muted_seat_is_not_heard_and_nobody_else_learns_of_it():
    house = House().full()

    frames = house.do(house.table.mute("ada", 1, True, house.now))

    assert {viewer: frame["kind"] for viewer, frame in frames.items()} == {0: "muted"}
    assert set(house.do(house.table.speak("ben", "hello", "", house.now))) == {WATCHER, 1, 2}
    assert house.audience.snapshot(0)["lines"] == []
    assert house.audience.snapshot(0)["muted"] == [1]
    house.do(house.table.mute("ada", 1, False, house.now))
    assert 0 in house.do(house.table.speak("ben", "bye", "", house.now))
    refused("seat/own", lambda: house.table.mute("ada", 0, True, house.now))
    refused("seat/none", lambda: house.table.mute("zoe", 0, True, house.now))


def test_a_host_who_is_gone_for_too_long_is_host_no_more():
    house = House().full()

    house.do(house.table.stand_by(0, house.now))

    assert house.table.host == "ben"


def test_a_rematch_begins_when_the_last_of_its_people_is_ready():
    house = House(follows="t0")
    for seat, name in enumerate(("ada", "ben")):
        house.do(house.table.sit(name, name.title(), house.now, seat))
    house.do(house.table.seat_bot("ada", 2, STAND_IN, "Bot", house.now))
    house.do(house.table.ready("ben", True, house.now))
    assert house.table.status == OPEN

    house.do(house.table.ready("ada", True, house.now))

    assert house.table.status == ON


def test_a_snapshot_tells_what_happened_since_a_choice_was_last_seen():
    house = House().full().throw(0, 0, 0)
    for seat in range(3):
        house.choose(seat, seat)
    revealed = house.frames[0][-1]["told"]
    house.throw(1, 1, 1)

    assert house.audience.snapshot(0)["told"] == revealed + house.frames[0][-1]["told"]
    snapshot, thrown = house.audience.snapshot(0), house.frames[0][-1]["told"]
    assert snapshot["setting"] == len(thrown)  # what the next reveal will judge …
    assert [event[0] for event in snapshot["judged"]] == [event[0] for event in thrown]  # … and what the last one has
    assert snapshot["judged"] != thrown


@every_game
def test_bots_and_people_play_through_the_same_door(game: str):
    house = House(game, GAMES[game].seats[0])
    house.do(house.table.sit("ada", "Ada", house.now))
    for seat in range(1, GAMES[game].seats[0]):
        house.do(house.table.seat_bot("ada", seat, STAND_IN, f"Bot {seat}", house.now))
    house.do(house.table.start("ada", house.now))
    house.do(house.table.leave("ada", house.now))
    minds, chance = player(STAND_IN, GAMES[game], 1), Seeded(game)
    play = house.table.play
    assert play is not None

    while (turn := house.table.turn) != 0:
        if turn == CHANCE:
            house.throw(play.game.outcome_at(play.state, chance.draw(play.game.tickets(play.state))))
        else:
            for seat in house.table.missing:
                house.do(house.table.play_for(seat, minds(play.view(seat)), house.now))

    assert play.outcome() is not None


def test_a_rematch_is_led_once_and_only_after_the_end():
    house = House().full()
    refused("table/on", lambda: house.table.follow("ada", "t2", "WXYZ", house.now))
    house.do([house.table.ended("played", house.now)])
    refused("seat/none", lambda: house.table.follow("stranger", "t2", "WXYZ", house.now))

    house.do(house.table.follow("ada", "t2", "WXYZ", house.now))

    assert house.table.rematch == "t2"
    assert house.table.follow("ben", "t3", "ABCD", house.now) == []
    settings = planned(house.table, "ada", None, None, ()).settings
    assert create(settings | {"code": "X", "host": "ada", "commitment": ""}, house.now)


def test_the_clock_of_a_decision_starts_when_people_have_seen_the_reveal():
    house = House(clock="20s").full().throw(0, 0, 0)
    assert house.table.deadline == house.now + 20

    for seat in range(3):
        house.choose(seat, 0)

    assert house.table.opened_at == house.now + 4  # worth a look of four seconds
    house.now += 4
    assert house.throw(0, 0, 0).table.deadline == house.now + 20


def test_a_bot_takes_the_first_free_seat_under_a_name_with_a_letter_of_its_own():
    house = House()
    house.do(house.table.sit("ada", "Bea", house.now))
    for _ in range(2):
        house.do(house.table.seat_bot("ada", None, STAND_IN, "", house.now))

    assert [place.name for place in house.table.seats] == ["Bea", "Ada", "Cleo"]
    refused("table/full", lambda: house.table.seat_bot("ada", None, STAND_IN, "", house.now))


def test_a_bot_may_play_another_way_and_keeps_its_name():
    house = House()
    house.do(house.table.sit("ada", "Bea", house.now))
    house.do(house.table.seat_bot("ada", 1, STAND_IN, "", house.now))

    house.do(house.table.seat_bot("ada", 1, "strong-bold", "", house.now))

    assert (house.table.seats[1].bot, house.table.seats[1].name) == ("strong-bold", "Ada")


def test_a_person_who_comes_and_goes_without_end_does_not_fill_the_record():
    house = House().full().throw(0)
    for _ in range(50):
        for person in ("ben", "cleo"):
            house.do(house.table.leave(person, house.now))
            house.do(house.table.come_back(person, house.now))
    house.do(house.table.leave("ben", house.now))

    assert house.table.play is not None
    written = records.actions_of(house.table.play, notes=house.table.notes)
    notes = [action for action in written if action.startswith("t ")]
    assert notes == ["t return p2", "t standby p3", "t return p3", "t standby p2"]
