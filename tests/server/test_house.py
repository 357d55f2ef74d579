"""People at the tables of a house, over its real protocol: HTTP and WebSockets on the loopback, on real databases."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest

from pokade import fairness, records
from pokade.games import GAMES
from pokade.games.state import NOTHING, UNKNOWN
from pokade.server.network import guard
from pokade.server.table.terms import CLOCKS, Clock
from tests.patience import PATIENCE
from tests.server.clients import NAMES, Frame, Guest, Tab, post, refusal

Guests = Callable[..., Guest]
ASSISTED = {"memory": "assisted"}
every_game = pytest.mark.parametrize("game", GAMES)
_numbers = count()


@pytest.fixture
def address(open_house: str) -> str:
    return open_house


class Evening:
    """People around a table: `host` is the first of them, `tabs` are theirs in seat order."""

    def __init__(self, guest: Guests, game: str = "pok", seats: int = 3, **settings: Any) -> None:
        self.people = [guest(name) for name in NAMES[:seats]]
        self.host, *friends = self.people
        self.table = self.host.open(game, seats, **settings)
        self.id: str = self.table["id"]
        self.tabs = [self.host.at(self.id)]
        for friend in friends:
            tab = friend.at(self.id)
            tab.say("sit", name=friend.name)
            tab.say("ready")
            self.tabs.append(tab)
            tab.table(lambda t: sum(seat["ready"] for seat in t["seats"]) == len(self.tabs) - 1)

    def begun(self) -> "Evening":
        """The game is on, and everybody who has to choose first knows it."""
        self.tabs[0].say("start")
        for tab in self.tabs:
            tab.hear_until(lambda frame: frame["kind"] == "step" and frame["view"]["turn"] > 0)
        return self

    def voted(self) -> "Evening":
        """Everybody has had enough."""
        for tab in self.tabs:
            tab.say("vote")
        for tab in self.tabs:
            tab.table(lambda t: t["status"] == "over")
        return self


def seal(tab: Tab, seat: int, choice: int, choice_id: str = "") -> str:
    choice_id = choice_id or f"choice {next(_numbers)}"
    tab.say("choose", seat=seat, choice=choice, id=choice_id)
    return choice_id


def play_on(tab: Tab, seat: int) -> Frame:
    """Take the first choice whenever there is one, to the end of the game."""
    while True:
        frame = tab.hear()
        assert frame["kind"] != "error", frame
        if frame.get("table", {}).get("status") == "over":
            return frame
        if frame["kind"] == "step" and frame["view"]["choices"]:
            seal(tab, seat, frame["view"]["choices"][0])


def is_asked(frame: Frame) -> bool:
    return bool(frame["kind"] == "step" and frame["view"]["choices"])


# Coming in.


def test_a_guest_comes_in_without_an_account_and_is_known_again(guest: Guests):
    ada, stranger = guest("Ada"), guest()

    assert ada.get("/api/me") == {"person": ada.person, "name": "Ada", "language": "en"}
    assert refusal(stranger.http.get("/api/me")) == (404, "person/unknown")
    assert stranger.get("/healthz") == {"status": "ok"}
    assert stranger.get("/readyz") == {"status": "ready"}


def test_the_cookie_is_out_of_reach_of_scripts(address: str):
    answer = post(f"http://{address}/api/guest", json={"name": "Ada"})

    assert "httponly" in answer.headers["set-cookie"].lower()
    assert "samesite=lax" in answer.headers["set-cookie"].lower()


def test_a_new_name_is_for_the_tables_to_come(guest: Guests):
    ada = guest("Ada")
    before = ada.open()

    answer = ada.http.patch("/api/me", json={"name": "Countess", "language": "fr"}).json()

    assert answer == ada.get("/api/me") == {"person": ada.person, "name": "Countess", "language": "fr"}
    assert ada.get(f"/api/tables/{before['id']}")["seats"][0]["name"] == "Ada"
    assert ada.open()["seats"][0]["name"] == "Countess"


@pytest.mark.parametrize("name", [" ", "\u200b", "\n\t", "\x00"])
def test_a_name_that_nobody_could_read_is_refused_at_the_door(guest: Guests, name: str):
    ada = guest("Ada")

    assert refusal(guest().http.post("/api/guest", json={"name": name})) == (409, "person/name")
    assert refusal(ada.http.patch("/api/me", json={"name": name})) == (409, "person/name")
    assert ada.get("/api/me")["name"] == "Ada"


def test_a_name_is_kept_as_everybody_reads_it(guest: Guests):
    answer = guest().post("/api/guest", name="  Ada\x00\n of  the very long title ")

    assert answer["name"] == "Ada of the very"


# Opening and finding tables.


def test_a_table_is_opened_as_its_host_wants_it(guest: Guests):
    ada = guest("Ada")

    opened = ada.open("poch", 5, options={"deals": 1, "bluff": "no-set"}, clock="45s", tells=True, bots=3)

    assert (opened["game"], opened["status"], opened["clock"], opened["host"]) == ("poch", "open", "45s", 0)
    assert (opened["tells"], opened["listed"], opened["lesson"]) == (True, False, False)
    assert opened["options"] == {"deals": 1, "bluff": "no-set"}
    assert [seat["bot"] for seat in opened["seats"]] == [None, None, "casual", "casual", "casual"]
    assert [seat["free"] for seat in opened["seats"]] == [False, True, False, False, False]
    assert opened["seats"][0]["name"] == "Ada"
    assert len(opened["commitment"]) == 64
    assert opened["seed"] == ""
    assert ada.get(f"/api/tables/{opened['id']}") == opened


def test_friends_find_a_table_by_its_code_in_any_case(guest: Guests):
    ada, ben = guest("Ada"), guest("Ben")
    code = ada.open()["code"]

    found = [ben.get(f"/api/join/{written}") for written in (code, code.lower(), code.title())]

    assert found[0] == found[1] == found[2]
    assert found[0]["names"] == ["Ada", "", ""]
    assert refusal(ben.http.get("/api/join/NOPE0")) == (404, "table/unknown")


def test_the_list_shows_who_sits_where_and_what_is_free(guest: Guests):
    ada, ben = guest("Ada"), guest("Ben")
    shown, hidden = ada.open(listed=True, bots=1), ada.open()
    tab = ben.at(shown["id"])
    tab.say("sit", name="Ben", seat=1)
    tab.table(lambda t: t["seats"][1]["name"] == "Ben")

    listed = {found["id"]: found for found in guest().get("/api/tables")}

    assert listed[shown["id"]]["names"][:2] == ["Ada", "Ben"]
    assert (listed[shown["id"]]["free"], listed[shown["id"]]["status"]) == (0, "open")
    assert hidden["id"] not in listed


def test_a_list_has_no_table_that_is_over(guest: Guests):
    ada = guest("Ada")
    opened = ada.open(listed=True)
    tab = ada.at(opened["id"])
    tab.say("leave")
    assert tab.table(lambda t: t["status"] == "over")["ending"] == "left"

    assert opened["id"] not in {found["id"] for found in guest().get("/api/tables")}


def test_everybody_finds_their_own_tables_the_latest_first(guest: Guests):
    evening = Evening(guest)
    later = evening.people[1].open("pokerdice", 2)

    mine = evening.people[1].get("/api/mine")

    assert [found["id"] for found in mine] == [later["id"], evening.id]
    assert [found["id"] for found in evening.people[2].get("/api/mine")] == [evening.id]
    assert refusal(guest().http.get("/api/mine")) == (404, "person/unknown")


@pytest.mark.parametrize(
    ("wish", "status", "code"),
    [
        ({"game": "bridge", "seats": 4}, 409, "table/game"),
        ({"game": "pok", "seats": 2}, 409, "seats/number"),
        ({"game": "pok", "seats": 8}, 409, "seats/number"),
        ({"game": "pok", "seats": 9}, 422, "message/form"),
        ({"game": "pok", "seats": True}, 422, "message/form"),
        ({"game": "pok", "seats": 3, "options": {"memory": "total"}}, 409, "option/value"),
        ({"game": "pok", "seats": 3, "options": {"max_rounds": 0}}, 409, "option/value"),
        ({"game": "pok", "seats": 3, "options": {"stack": 100}}, 409, "option/unknown"),
        ({"game": "pok", "seats": 3, "clock": "1h"}, 422, "message/form"),
        ({"game": "pok", "seats": 3, "bots": 3}, 409, "table/bots"),
        ({"game": "pok", "seats": 3, "colour": "red"}, 422, "message/form"),
        ({}, 422, "message/form"),
    ],
)
def test_a_table_that_there_can_not_be_is_refused_and_leaves_nothing(
    guest: Guests, wish: Frame, status: int, code: str
):
    ada = guest("Ada")

    assert refusal(ada.http.post("/api/tables", json=wish)) == (status, code)
    assert ada.get("/api/mine") == []


def test_only_who_has_come_in_opens_tables(guest: Guests):
    nobody = guest()

    for path, wish in (("/api/tables", {"game": "pok", "seats": 3}), ("/api/quick/pok", {}), ("/api/lesson/pok", {})):
        assert refusal(nobody.http.post(path, json=wish)) == (404, "person/unknown")


@every_game
def test_one_tap_begins_a_game_against_bots(guest: Guests, game: str):
    ada = guest("Ada")

    begun = ada.http.post(f"/api/quick/{game}").raise_for_status().json()

    assert (begun["game"], begun["status"]) == (game, "on")
    assert [seat["bot"] for seat in begun["seats"]] == [None, *["casual"] * (GAMES[game].usual_seats - 1)]
    assert ada.at(begun["id"]).hear()["viewer"] == 0


def test_nobody_plays_what_is_not_played_here(guest: Guests):
    ada = guest("Ada")

    for path in ("/api/quick/bridge", "/api/lesson/bridge"):
        assert refusal(ada.http.post(path)) == (409, "table/game")


# Before the start.


def test_a_table_fills_and_begins_when_its_host_says_so(guest: Guests):
    ada, ben = guest("Ada"), guest("Ben")
    opened = ada.open("pokerdice", 2)
    host, friend = ada.at(opened["id"]), ben.at(opened["id"])

    assert host.refused("start") == "table/seats"
    friend.say("sit", name="Ben")
    assert host.table(lambda t: t["seats"][1]["name"] == "Ben")["seats"][1]["ready"] is False
    assert host.refused("start") == "table/ready"
    assert friend.refused("start") == "table/not-host"
    friend.say("ready")
    assert host.table()["seats"][1]["ready"]
    host.say("start")

    assert host.table()["status"] == "on"
    assert friend.refused("sit", name="Ben", seat=0) == "seat/taken"


def test_whoever_sits_down_sees_through_the_eyes_of_the_seat_at_once(guest: Guests):
    ada, ben = guest("Ada"), guest("Ben")
    tab = ben.at(ada.open()["id"])
    assert tab.hear()["viewer"] == -1

    tab.say("sit", name="Ben", seat=2)
    first = tab.hear()

    assert (first["kind"], first["viewer"]) == ("snapshot", 2)


def test_the_host_removes_somebody_who_is_then_a_watcher(guest: Guests):
    evening = Evening(guest)
    host, friend = evening.tabs[:2]

    assert friend.refused("remove", seat=2) == "table/not-host"
    assert host.refused("remove", seat=0) == "seat/own"
    assert friend.refused("sit", name="Ben", seat=7) == "seat/unknown"
    host.say("remove", seat=1)

    assert host.table(lambda t: t["seats"][1]["free"])
    assert friend.hear_until(lambda frame: frame["viewer"] == -1)["kind"] == "snapshot"
    assert friend.refused("ready") == "seat/none"


def test_the_host_seats_and_removes_bots(guest: Guests):
    ada = guest("Ada")
    tab = ada.at(ada.open()["id"])

    tab.say("bot", seat=1, level="random", name="Robi")
    assert tab.table(lambda t: t["seats"][1]["bot"])["seats"][1]["name"] == "Robi"
    tab.say("bot", seat=1, level="strong", temper="bold")
    assert tab.table(lambda t: t["seats"][1]["bot"] == "strong-bold")["seats"][1]["name"] == "Robi"
    assert tab.refused("bot", seat=0) == "seat/taken"
    tab.say("remove", seat=1)
    assert tab.table(lambda t: t["seats"][1]["free"])


def test_bots_play_as_well_as_one_asks_for(guest: Guests):
    ada = guest("Ada")

    quick = ada.post("/api/quick/pok", start=False, level="novice")
    opened = ada.post("/api/tables", game="poch", seats=3, bots=2, level="random")

    assert [seat["bot"] for seat in quick["seats"]] == [None, "novice", "novice", "novice"]
    assert [seat["bot"] for seat in opened["seats"]] == [None, "random", "random"]


def test_the_host_adds_seats_and_takes_free_ones_away(guest: Guests):
    ada, ben = guest("Ada"), guest("Ben")
    opened = ada.open(game="pokerdice", seats=2, options={"variant": "double", "equal_turns": True})
    host, friend = ada.at(opened["id"]), ben.at(opened["id"])

    host.say("seats", seats=4)
    wider = host.table(lambda t: len(t["seats"]) == 4)
    friend.say("sit", name="Ben", seat=3)
    host.table(lambda t: not t["seats"][3]["free"])

    assert wider["options"] == {"equal_turns": True}  # two sets of cards are for two
    assert friend.refused("seats", seats=5) == "table/not-host"
    assert host.refused("seats", seats=3) == "seat/taken"
    assert host.refused("seats", seats=6) == "seats/number"
    friend.say("leave")
    host.table(lambda t: t["seats"][3]["free"])
    host.say("seats", seats=2)
    assert len(host.table(lambda t: len(t["seats"]) == 2)["seats"]) == 2


def test_the_host_takes_another_seat_of_their_own_device_back(guest: Guests):
    ada = guest("Ada")
    tab = ada.at(ada.open()["id"])
    tab.say("sit", name="Ben", seat=1)
    tab.table(lambda t: t["seats"][1]["name"] == "Ben")

    tab.say("remove", seat=1)

    assert tab.table(lambda t: t["seats"][1]["free"])["seats"][0]["name"] == "Ada"
    assert tab.refused("remove", seat=0) == "seat/own"


def test_the_role_of_the_host_passes_on_when_the_host_leaves(guest: Guests):
    evening = Evening(guest)

    evening.tabs[0].say("leave")
    left = evening.tabs[1].table(lambda t: t["seats"][0]["free"])

    assert left["host"] == 1
    evening.tabs[1].say("remove", seat=2)
    assert evening.tabs[1].table()["seats"][2]["free"]


def test_friends_need_not_wait_for_a_host_who_is_gone(guest: Guests, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(CLOCKS, "none", Clock(None, 0.2))
    host, friend, _ = Evening(guest).tabs

    host.close()

    assert friend.table(lambda t: t["host"] != 0)["host"] == 1
    friend.say("remove", seat=0)
    assert friend.table(lambda t: t["seats"][0]["free"])["status"] == "open"


# Playing.


@every_game
def test_a_whole_game_is_played_by_people_and_proved_fair(guest: Guests, game: str):
    evening = Evening(guest, game, GAMES[game].seats[0])
    evening.tabs[0].say("start")
    with ThreadPoolExecutor(len(evening.tabs)) as pool:
        ends = list(pool.map(play_on, evening.tabs, range(len(evening.tabs))))
    assert {end["table"]["ending"] for end in ends} == {"played"}

    record = records.read(evening.host.http.get(f"/api/tables/{evening.id}/record").text)
    assert records.replay(record).is_over
    assert fairness.verify(record, evening.table["commitment"])
    assert evening.host.get("/api/mine")[0]["status"] == "over"


@every_game
def test_ones_own_salt_is_in_the_proof_of_a_game_against_bots(guest: Guests, game: str):
    ada = guest("Ada")
    opened = ada.post(f"/api/quick/{game}", start=False)
    assert opened["status"] == "open"
    tab = ada.at(opened["id"])

    tab.say("salt", seat=0, salt="a pinch of Ada")
    tab.say("start")
    play_on(tab, 0)

    record = records.read(ada.http.get(f"/api/tables/{opened['id']}/record").text)
    assert fairness.revealed(record).salts[0] == "a pinch of Ada"
    assert fairness.verify(record, opened["commitment"])


def test_salts_are_short_lines_and_close_with_the_start(guest: Guests):
    ada = guest("Ada")
    tab = ada.at(ada.post("/api/quick/pok", start=False)["id"])

    assert tab.refused("salt", seat=1, salt="for a bot") == "seat/not-yours"
    assert tab.refused("salt", seat=0, salt="two\nlines") == "salt/form"
    assert tab.refused("salt", seat=0, salt="x" * 65) == "message/form"
    tab.say("start")
    assert tab.refused("salt", seat=0, salt="too late") == "table/on"


def test_a_round_is_sealed_until_all_have_chosen_and_then_opens_at_once(guest: Guests):
    ada, ben, cleo = Evening(guest).begun().tabs

    sealed = seal(ada, 0, 1)
    assert {"kind": "sealed", "seat": 0, "choice": 1, "id": sealed}.items() <= ada.hear().items()
    seal(ben, 1, 2)
    ben.hear_until("sealed")
    assert ada.heard() == cleo.heard() == []
    seal(ada, 0, 2)
    assert ada.hear()["choice"] == 2
    seal(cleo, 2, 0)

    reveals = [tab.hear() for tab in (ada, ben, cleo)]
    assert [reveal["view"]["state"]["shown"][:3] for reveal in reveals] == [[2, 2, 0]] * 3


def test_a_table_may_show_who_has_chosen_and_never_what(guest: Guests):
    ada, ben, _ = Evening(guest, tells=True).begun().tabs

    seal(ada, 0, 1)

    assert {key: value for key, value in ben.hear().items() if key != "n"} == {
        "kind": "chosen",
        "viewer": 1,
        "seats": [0],
    }


def test_the_same_choice_sent_twice_counts_once(guest: Guests):
    tabs = Evening(guest).begun().tabs
    once = seal(tabs[0], 0, 1)

    seal(tabs[0], 0, 1, once)
    seal(tabs[0], 0, 2, once)
    assert [frame["choice"] for frame in tabs[0].heard()] == [1]
    for seat in (1, 2):
        seal(tabs[seat], seat, 0)
    assert tabs[0].hear()["view"]["state"]["shown"][:3] == [1, 0, 0]

    seal(tabs[0], 0, 1, once)
    assert [frame["kind"] for frame in tabs[0].heard() if frame["kind"] == "sealed"] == []


def test_a_choice_out_of_order_is_refused_and_changes_nothing(guest: Guests):
    ada, ben, _ = Evening(guest).begun().tabs

    assert ada.refused("choose", seat=1, choice=1, id="not mine") == "seat/not-yours"
    assert ada.refused("choose", seat=0, choice=99, id="no such") == "choice/illegal"
    assert ada.refused("choose", seat=0, choice="1", id="no number") == "message/form"
    assert ben.heard() == []


def test_who_is_not_asked_can_not_choose(guest: Guests):
    evening = Evening(guest, "poch", 2).begun()
    turn = evening.host.at(evening.id).hear()["view"]["turn"]
    waiting = {0b01: 1, 0b10: 0}[turn]

    assert evening.tabs[waiting].refused("choose", seat=waiting, choice=0, id="early") == "choice/not-now"


def test_a_missed_deadline_is_played_by_the_house_and_known_with_the_reveal(
    guest: Guests, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("pokade.games.play.LONGEST_LOOK", 0.0)
    monkeypatch.setitem(CLOCKS, "20s", Clock(PATIENCE, 60))
    ada, ben, cleo = Evening(guest, clock="20s").begun().tabs
    for seat, tab in enumerate((ada, ben)):
        seal(tab, seat, 1)
        tab.hear_until("sealed")

    monkeypatch.setitem(CLOCKS, "20s", Clock(0.0, 60))
    cleo.say("next")  # the house looks at its clock

    assert [tab.hear_until("step")["timeouts"] for tab in (ada, ben, cleo)] == [[2]] * 3


def test_a_pause_stops_the_clock_and_everything_else(guest: Guests):
    ada, ben, cleo = Evening(guest, clock="45s").begun().tabs

    assert ben.refused("pause") == "table/not-host"
    ada.say("pause")
    assert ben.table()["paused"]
    assert ben.refused("choose", seat=1, choice=1, id="in a pause") == "table/paused"
    assert ada.table()["paused"]
    ada.say("pause")
    assert ada.heard() == []
    ada.say("pause", paused=False)

    assert not cleo.table(lambda t: not t["paused"])["paused"]
    seal(ben, 1, 1)
    assert ben.hear_until("sealed")["choice"] == 1


def test_everybody_knows_the_new_deadline_after_a_pause(guest: Guests):
    evening = Evening(guest, clock="45s").begun()
    before = evening.host.at(evening.id).hear()["deadline"]

    evening.tabs[0].say("pause")
    evening.tabs[1].table(lambda t: t["paused"])
    assert evening.people[1].at(evening.id).hear()["deadline"] is None
    evening.tabs[0].say("pause", paused=False)
    resumed = evening.tabs[1].hear_until(lambda frame: "table" in frame and not frame["table"]["paused"])

    assert resumed["deadline"] == evening.people[1].at(evening.id).hear()["deadline"] != before


def test_a_game_ends_when_all_people_want_it_to(guest: Guests):
    evening = Evening(guest).begun()
    ada, ben, cleo = evening.tabs

    ada.say("vote")
    assert [seat["votes"] for seat in ben.table()["seats"]] == [True, False, False]
    assert ada.refused("vote") == "vote/done"
    ben.say("vote")
    cleo.say("vote")

    over = ada.table(lambda t: t["status"] == "over")
    assert over["ending"] == "voted"
    assert len(over["seed"]) == 64
    assert ada.refused("choose", seat=0, choice=1, id="too late") == "choice/not-now"
    assert ada.refused("sit", name="Ada") == "table/over"


def test_the_house_says_that_the_line_is_up_and_nothing_else(guest: Guests):
    ada, ben, _ = Evening(guest).begun().tabs
    for tab in (ada, ben):
        tab.heard()

    ada.say("ping")

    assert ada.heard() == [{"kind": "pong"}]
    assert ben.heard() == []


def test_a_vote_does_not_wait_for_those_who_have_left(guest: Guests):
    ada, ben, cleo = Evening(guest).begun().tabs
    ada.say("vote")
    ada.table(lambda t: t["seats"][0]["votes"])

    ben.say("leave")
    assert ada.table(lambda t: t["seats"][1]["standby"])["status"] == "on"
    cleo.say("leave")

    assert ada.table(lambda t: t["seats"][2]["standby"])["ending"] == "voted"


# Watching.


def test_anybody_may_watch_and_nobody_who_watches_can_meddle(guest: Guests):
    evening = Evening(guest)
    watcher = guest().at(evening.id)
    assert watcher.hear()["viewer"] == -1
    evening.begun()
    step = watcher.hear_until("step")

    assert (step["view"]["seat"], step["view"]["choices"], step["view"]["turn"]) == (-1, [], 0b111)
    assert watcher.refused("choose", seat=0, choice=1, id="mine") == "seat/not-yours"
    assert watcher.refused("chat", text="hello") == "chat/watcher"
    assert watcher.refused("vote") == "seat/none"
    assert watcher.refused("pause") == "seat/none"
    assert watcher.refused("mute", seat=0) == "seat/none"


def test_a_watcher_sees_no_hand_before_the_end_and_all_of_them_after_it(guest: Guests):
    evening = Evening(guest, "poch", 2).begun()
    watcher = guest()
    during = watcher.at(evening.id).hear()["view"]["state"]["hand"][:2]

    evening.voted()

    assert during == [UNKNOWN, UNKNOWN]
    replay = watcher.get(f"/api/tables/{evening.id}/replay")
    assert UNKNOWN not in replay["steps"][-1]["view"]["state"]["hand"][:2]


def test_a_screen_for_everybody_gets_what_a_watcher_gets_whoever_opens_it(guest: Guests):
    ada = guest("Ada")
    begun = ada.post("/api/quick/pok")

    screen = {"as": "watcher"}
    assert ada.at(begun["id"], **screen).hear_until("snapshot")["viewer"] == -1
    assert ada.at(begun["id"]).hear_until("snapshot")["viewer"] == 0


# Talking.


def test_everybody_hears_phrases_and_short_lines(guest: Guests):
    ada, ben, _ = Evening(guest).tabs

    ada.say("chat", phrase="well_played")
    assert ben.hear_until("chat")["lines"] == [{"seat": 0, "name": "Ada", "phrase": "well_played"}]
    ada.say("chat", text=" so\x07 what \n")
    assert ben.hear_until("chat")["lines"] == [{"seat": 0, "name": "Ada", "text": "so what"}]
    assert ada.refused("chat", phrase="abracadabra") == "chat/phrase"
    assert ada.refused("chat", text="x" * 141) == "message/form"


def test_a_newcomer_reads_what_was_said_lately(guest: Guests):
    evening = Evening(guest)
    evening.tabs[1].say("chat", text="hello")
    evening.tabs[1].hear_until("chat")

    assert guest().at(evening.id).hear()["lines"] == [{"seat": 1, "name": "Ben", "text": "hello"}]


def test_a_muted_seat_is_not_heard_until_it_is_heard_again(guest: Guests):
    evening = Evening(guest)
    ada, ben, cleo = evening.tabs
    ada.say("mute", seat=1)
    assert ada.hear_until("muted")["muted"] == [1]

    ben.say("chat", text="one")
    cleo.say("chat", text="two")
    heard = ada.hear_until("chat")["lines"]
    assert [line["text"] for line in heard + evening.host.at(evening.id).hear()["lines"]] == ["two", "two"]
    ada.say("mute", seat=1, muted=False)
    assert ada.hear_until("muted")["muted"] == []
    ben.say("chat", text="three")

    assert ada.hear_until("chat")["lines"][0]["text"] == "three"
    assert ada.refused("mute", seat=0) == "seat/own"
    assert ada.refused("mute", seat=7) == "seat/unknown"


# Going, coming back, and taking over.


def test_who_leaves_a_game_is_played_for_and_comes_back_with_one_tap(guest: Guests):
    ada, ben, cleo = Evening(guest).begun().tabs

    ben.say("leave")
    assert ada.table(lambda t: t["seats"][1]["standby"])["seats"][1]["name"] == "Ben"
    assert ben.refused("choose", seat=1, choice=1, id="while away") == "seat/standby"
    for seat, tab in ((0, ada), (2, cleo)):
        seal(tab, seat, 1)
    assert ada.hear_until("step")["view"]["state"]["shown"][1] in (0, 1, 2)  # the house chose for Ben
    ada.hear_until(is_asked)
    ben.say("back")
    assert not ada.table(lambda t: not t["seats"][1]["standby"])["paused"]
    assert ben.refused("back") == "seat/none"

    again = seal(ben, 1, 0)
    assert ben.hear_until(lambda frame: frame.get("id") == again)["choice"] == 0


def test_who_is_gone_too_long_is_played_for(guest: Guests, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(CLOCKS, "none", Clock(None, 0.2))
    ada, ben, _ = Evening(guest).begun().tabs

    ben.close()

    assert ada.table(lambda t: t["seats"][1]["standby"])["host"] == 0


def test_the_role_of_the_host_passes_on_in_a_game_too(guest: Guests):
    evening = Evening(guest).begun()

    evening.tabs[0].say("leave")
    left = evening.tabs[1].table(lambda t: t["seats"][0]["standby"])

    assert left["host"] == 1
    evening.tabs[1].say("pause")
    assert evening.tabs[1].table(lambda t: t["paused"])


def test_who_comes_back_to_a_game_that_all_have_left_is_its_host(guest: Guests):
    ada, ben, cleo = Evening(guest).begun().tabs
    ada.say("pause")  # or the bots would play it to its end meanwhile
    ada.table(lambda t: t["paused"])
    for tab in (cleo, ben, ada):
        tab.say("leave")
        tab.table(lambda t: t["seats"][(ada, ben, cleo).index(tab)]["standby"])  # noqa: B023 - heard at once

    ben.say("back")

    assert ben.table(lambda t: not t["seats"][1]["standby"])["host"] == 1
    ben.say("pause", paused=False)
    assert ben.hear_until(lambda frame: "table" in frame and not frame["table"]["paused"])


def test_a_pause_does_not_outlast_a_host_who_is_gone(guest: Guests, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(CLOCKS, "none", Clock(None, 0.2))
    ada, ben, _ = Evening(guest).begun().tabs
    ada.say("pause")
    ada.table(lambda t: t["paused"])

    ada.close()

    assert ben.table(lambda t: t["seats"][0]["standby"])["host"] == 1
    ben.say("pause", paused=False)
    assert not ben.table(lambda t: not t["paused"])["paused"]


def test_a_friend_takes_over_a_standby_seat_that_the_host_gives(guest: Guests):
    evening = Evening(guest, "poch", 3).begun()
    ada, ben, cleo = evening.tabs
    dora = guest("Dora")
    friend = dora.at(evening.id)
    friend.hear()

    assert friend.refused("sit", name="Dora", seat=1) == "seat/taken"
    assert ada.refused("give", seat=1) == "seat/taken"
    ben.say("leave")
    ada.table(lambda t: t["seats"][1]["standby"])
    assert friend.refused("give", seat=1) == "table/not-host"
    ada.say("give", seat=1)
    friend.table(lambda t: t["seats"][1]["bot"])
    friend.say("sit", name="Dora", seat=1)
    assert friend.hear_until("claim")["seat"] == 1
    for tab in (ada, cleo):
        tab.say("agree", seat=1)
    assert ada.table(lambda t: t["seats"][1]["claim"] and t["seats"][1]["claim"]["agreed"] == 2)
    assert friend.heard()[-1]["viewer"] == -1  # a deal is on: she watches

    assert ben.hear_until(lambda frame: frame["viewer"] == -1)["kind"] == "snapshot"
    assert ben.refused("back") == "seat/none"
    assert ben.refused("sit", name="Ben", seat=1) == "seat/held"
    ada.say("dismiss", seat=1)
    assert friend.hear_until("claim")["seat"] is None
    assert friend.refused("sit", name="Dora", seat=1) == "seat/refused"


def test_a_friend_takes_over_from_a_bot(guest: Guests):
    ada, ben = guest("Ada"), guest("Ben")
    begun = ada.post("/api/quick/pok")
    tab = ben.at(begun["id"])
    tab.hear()

    host = ada.at(begun["id"])
    tab.say("sit", name="Ben", seat=2)
    assert tab.hear_until("claim")["seat"] == 2
    host.say("agree", seat=2)
    host.hear_until(lambda frame: frame.get("view", {}).get("choices"))
    seal(host, 0, 0)

    first = tab.hear_until(lambda frame: frame.get("viewer") == 2)
    assert (first["kind"], first["table"]["seats"][2]["bot"]) == ("snapshot", None)
    assert first["view"]["state"]["choice"][2] == NOTHING


def test_nobody_with_a_seat_takes_another_in_a_game_that_is_on(guest: Guests):
    ada = guest("Ada")
    tab = ada.at(ada.post("/api/quick/pok")["id"])

    assert tab.refused("sit", name="Ada", seat=1) == "seat/held"


def test_a_lost_line_gets_exactly_the_frames_that_it_missed(guest: Guests):
    evening = Evening(guest, options=ASSISTED).begun()
    stayed, friends = evening.host.at(evening.id), evening.tabs[1:]
    last = stayed.hear()["n"]
    evening.tabs[0].close()

    seal(stayed, 0, 1)
    friends[0].say("chat", text="where are you?")
    for seat in (1, 2):
        seal(friends[seat - 1], seat, 2)
    stayed_heard = [stayed.hear() for _ in range(4)]
    missed = evening.host.at(evening.id, last=f"0:{last}").heard()

    assert [frame["kind"] for frame in missed] == ["sealed", "chat", "step", "step"]
    assert missed == stayed_heard
    assert [frame["n"] for frame in missed] == list(range(last + 1, last + 5))
    assert evening.host.at(evening.id, last=f"0:{last + 4}").heard() == []


@pytest.mark.parametrize("last", ["0:9999", "0:0", "1:1", "x", "0:-1", "0:1;2:1", "0:" + "9" * 30])
def test_who_says_a_number_that_the_house_does_not_know_gets_everything(guest: Guests, last: str):
    evening = Evening(guest, options=ASSISTED).begun()

    assert [frame["kind"] for frame in evening.host.at(evening.id, last=last).heard()] == ["snapshot"]


def test_under_strict_memory_one_comes_back_to_what_is_true_now_and_the_last_reveal(guest: Guests):
    evening = Evening(guest).begun()
    for seat, tab in enumerate(evening.tabs):
        seal(tab, seat, 1)
    evening.tabs[0].hear_until(is_asked)
    sealed = seal(evening.tabs[0], 0, 2)
    assert evening.tabs[0].hear_until("sealed")["id"] == sealed

    back = evening.host.at(evening.id, last="0:1").heard()

    assert [frame["kind"] for frame in back] == ["snapshot"]
    assert [told for told in back[0]["told"] if told[0] == "shown"]
    assert back[0]["view"]["state"]["choice"][:3] == [2, UNKNOWN, UNKNOWN]


def test_two_tabs_of_one_person_get_the_same_frames_and_either_may_choose(guest: Guests):
    evening = Evening(guest).begun()
    tabs = [evening.host.at(evening.id) for _ in range(2)]
    one, other = (tab.hear() for tab in tabs)
    assert one | {"now": 0} == other | {"now": 0}

    seal(tabs[0], 0, 1)
    assert tabs[1].hear_until("sealed")["choice"] == 1
    seal(tabs[1], 0, 2)
    tabs[0].hear_until(lambda frame: frame["kind"] == "sealed" and frame["choice"] == 2)
    for seat in (1, 2):
        seal(evening.tabs[seat], seat, 2)

    steps = [tab.hear_until("step") for tab in tabs]
    assert steps[0] == steps[1]
    assert steps[0]["view"]["state"]["shown"][:3] == [2, 2, 2]


def test_closing_one_of_two_tabs_does_not_put_a_person_away(guest: Guests, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(CLOCKS, "none", Clock(None, 0.3))
    evening = Evening(guest).begun()
    other = evening.people[1].at(evening.id)
    other.hear()

    other.close()
    evening.tabs[2].close()  # Cleo has no other tab: once she is away, Ben would be too
    cleo_is_away = evening.tabs[0].table(lambda t: t["seats"][2]["standby"])

    assert not cleo_is_away["seats"][1]["standby"]
    evening.tabs[1].close()
    assert evening.tabs[0].table(lambda t: t["seats"][1]["standby"])


def test_one_client_holds_several_seats_each_with_its_own_eyes_and_numbers(guest: Guests):
    ada = guest("Ada")
    opened = ada.open("poch", 3, options={"deals": 1})
    tab = ada.at(opened["id"])
    for name in ("Ben", "Cleo"):
        tab.say("sit", name=name)
    tab.table(lambda t: not any(seat["free"] for seat in t["seats"]))
    tab.say("start")

    frames = played_by_one(tab)

    for seat in range(3):
        own = [frame for frame in frames if frame["viewer"] == seat]
        numbers = [frame["n"] for frame in own if frame["kind"] != "snapshot"]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        hands = [frame["view"]["state"]["hand"] for frame in own if "view" in frame and frame["view"]["turn"]]
        assert any(hand[seat] > 0 for hand in hands)
        assert {cell for hand in hands for other, cell in enumerate(hand[:3]) if other != seat} == {UNKNOWN}
    assert fairness.verify(records.read(ada.http.get(f"/api/tables/{opened['id']}/record").text))


def played_by_one(tab: Tab) -> list[Frame]:
    """All frames of a game that one client plays for all seats, to its end."""
    frames = [tab.hear()]
    while frames[-1].get("table", {}).get("status") != "over":
        last = frames[-1]
        if last["kind"] == "step" and last["view"]["choices"]:
            seal(tab, last["viewer"], last["view"]["choices"][0])
        frames.append(tab.hear())
        assert frames[-1]["kind"] != "error", frames[-1]
    return frames


def test_a_page_of_another_build_is_told_to_load_anew(guest: Guests):
    evening = Evening(guest)
    build = evening.host.get("/api/server")["build"]

    old = evening.host.at(evening.id, build="of-yesterday")

    assert old.hear()["code"] == "client/old"
    assert old.close_code() == guard.OLD_CLIENT
    assert evening.host.at(evening.id, build=build).hear()["kind"] == "snapshot"
    assert evening.host.at(evening.id).hear()["kind"] == "snapshot"


# Another device.


def test_a_ticket_gives_another_device_the_same_seats_once(guest: Guests):
    evening = Evening(guest).begun()
    telephone, thief = guest(), guest()
    ticket = evening.host.post("/api/handover")["ticket"]

    person = telephone.post(f"/api/handover/{ticket}")

    assert person == {"person": evening.host.person, "name": "Ada", "language": "en"}
    assert telephone.http.cookies["pokade"] != evening.host.http.cookies["pokade"]
    assert refusal(thief.http.post(f"/api/handover/{ticket}")) == (404, "ticket/unknown")
    there = telephone.at(evening.id)
    assert there.hear()["viewer"] == 0
    seal(there, 0, 2)
    assert evening.tabs[0].hear_until("sealed")["choice"] == 2  # the first device stays in
    assert evening.host.get("/api/me")["person"] == evening.host.person


def test_the_other_device_knows_the_name_that_one_has_by_then(guest: Guests):
    ada, telephone = guest("Ada"), guest()
    ticket = ada.post("/api/handover")["ticket"]

    ada.http.patch("/api/me", json={"name": "Countess"}).raise_for_status()

    assert telephone.post(f"/api/handover/{ticket}")["name"] == telephone.get("/api/me")["name"] == "Countess"


def test_a_ticket_runs_out(guest: Guests, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pokade.server.network.routes.TICKET_SECONDS", -1.0)
    ticket = guest("Ada").post("/api/handover")["ticket"]

    for used in (ticket, "0" * 32, "%00", "x" * 100):
        assert refusal(guest().http.post(f"/api/handover/{used}")) == (404, "ticket/unknown")
    assert refusal(guest().http.post("/api/handover")) == (404, "person/unknown")


# My games.


def test_one_finds_one_s_finished_games_and_nobody_else_s(guest: Guests):
    ada, ben = guest("Ada"), guest("Ben")
    first = ada.post("/api/quick/pokopop", start=False)["id"]
    tab = ada.at(first)
    tab.say("start")
    asked = tab.hear_until(is_asked)
    assert ada.get("/api/played") == {"all": 0, "found": 0, "sums": [], "games": []}
    seal(tab, 0, asked["view"]["choices"][0])
    play_on(tab, 0)

    page = ada.get("/api/played", game="pokopop", find="ada", sort="best", most=1)

    assert (page["all"], page["found"], page["games"][0]["id"]) == (1, 1, first)
    assert page["sums"][0]["played"] == 1
    assert ada.get("/api/played", find="nobody")["games"] == ada.get("/api/played", first=1)["games"] == []
    assert ben.get("/api/played")["all"] == 0
    assert refusal(guest().http.get("/api/played")) == (404, "person/unknown")
    assert guest().http.get("/api/played", params={"most": 51}).status_code == 422
    assert all("story" not in found for found in ada.get("/api/mine"))


# Once more.


def test_a_rematch_turns_the_seats_and_begins_when_all_are_ready(guest: Guests):
    evening = Evening(guest, clock="2min").begun().voted()

    evening.tabs[1].say("rematch", options={"max_rounds": 7})
    new = {tab.table(lambda t: t["rematch"])["rematch"] for tab in evening.tabs}

    assert len(new) == 1
    tabs = [person.at(*new) for person in evening.people]
    first = [tab.hear() for tab in tabs]
    assert [frame["viewer"] for frame in first] == [1, 2, 0]
    shown = first[0]["table"]
    assert [seat["name"] for seat in shown["seats"]] == ["Cleo", "Ada", "Ben"]
    assert (shown["options"], shown["clock"], shown["host"]) == ({"max_rounds": 7}, "2min", 2)
    assert shown["commitment"] != evening.table["commitment"]
    for tab in tabs[:2]:
        tab.say("ready")
    assert tabs[2].table(lambda t: sum(s["ready"] for s in t["seats"]) == 2)["status"] == "open"
    tabs[2].say("ready")
    assert tabs[0].table(lambda t: t["status"] == "on")


def test_two_who_ask_at_once_come_to_one_table(guest: Guests):
    evening = Evening(guest, listed=True).begun().voted()

    for tab in evening.tabs:
        tab.say("rematch")
    rematch = {tab.table(lambda t: t["rematch"])["rematch"] for tab in evening.tabs}
    assert [tab.heard() for tab in evening.tabs] == [[], [], []]

    assert len(rematch) == 1
    assert {found["id"] for found in evening.host.get("/api/mine")} == {*rematch, evening.id}
    is_ours = [found["id"] for found in guest().get("/api/tables") if set(found["names"]) & {"Ada", ""}]
    abandoned = [i for i in is_ours if not any(s["name"] for s in evening.host.get(f"/api/tables/{i}")["seats"])]
    assert abandoned == []


def test_a_rematch_with_bots_needs_only_the_people(guest: Guests):
    ada = guest("Ada")
    first = ada.post("/api/quick/pokerdice")
    tab = ada.at(first["id"])
    tab.say("vote")
    tab.table(lambda t: t["status"] == "over")

    tab.say("rematch")
    again = ada.at(tab.table(lambda t: t["rematch"])["rematch"])
    assert [seat["bot"] for seat in again.hear()["table"]["seats"]] == ["casual", None, "casual"]
    again.say("ready")

    assert again.table(lambda t: t["status"] == "on")


def test_a_rematch_is_refused_before_the_end_to_strangers_and_with_bad_options(guest: Guests):
    evening = Evening(guest).begun()
    assert evening.tabs[0].refused("rematch") == "table/on"

    evening.voted()

    assert guest("Dora").at(evening.id).refused("rematch") == "seat/none"
    assert evening.tabs[0].refused("rematch", options={"max_rounds": -1}) == "option/value"
    assert evening.host.get(f"/api/tables/{evening.id}")["rematch"] == ""
