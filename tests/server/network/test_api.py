"""What the house answers over HTTP: records, replays and proofs; and schemathesis tries all of it with anything."""

import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pokade import fairness, records
from pokade.games import GAMES
from pokade.games.state import UNKNOWN
from pokade.server.network.routes import ROUTES
from tests.patience import PATIENCE, wait_until
from tests.server.clients import Frame, Guest, get, refusal, request

Guests = Callable[..., Guest]
ASSISTED = {"memory": "assisted"}
FLIPS = 60
EXAMPLES = 6  # for each endpoint, besides all boundaries of its schema
LONGEST = 5 * PATIENCE  # for what takes ten seconds on a quiet machine
every_game = pytest.mark.parametrize("game", GAMES)


@pytest.fixture
def address(open_house: str) -> str:
    return open_house


class Finished:
    """A game that is over, and its record."""

    def __init__(self, ada: Guest, game: str) -> None:
        self.game = game
        self.table = ada.post(f"/api/quick/{game}", start=False)
        self.path = f"/api/tables/{self.table['id']}"
        tab = ada.at(self.table["id"])
        tab.say("salt", seat=0, salt="a pinch of Ada")
        tab.say("start")
        tab.say("leave")  # the bots play it to its end
        wait_until(lambda: ada.get(self.path)["status"] == "over")
        self.record = ada.http.get(f"{self.path}/record").raise_for_status().text


@pytest.fixture(scope="module")
def finished(open_house: str) -> Iterator[Callable[[str], Finished]]:
    """Each game once for all tests."""
    played: dict[str, Finished] = {}
    with Guest(open_house, "Ada") as ada:
        yield lambda game: played.get(game) or played.setdefault(game, Finished(ada, game))


def hands(step: Frame, seats: int) -> list[Any]:
    found: list[Any] = step["view"]["state"]["hand"][:seats]
    return found


# Records.


@every_game
def test_the_record_of_a_finished_game_is_whole_and_for_everybody(guest: Guests, finished: Any, game: str):
    over = finished(game)

    answer = guest().http.get(f"{over.path}/record")

    assert answer.headers["content-type"].startswith("application/toml")
    record = records.read(answer.text)
    assert (record.view, record.game.name) == ("full", game)
    assert records.replay(record).is_over
    assert answer.text == over.record


def test_a_record_before_the_end_is_what_one_has_seen_oneself(guest: Guests):
    ada, ben = guest("Ada"), guest("Ben")
    begun = ada.post("/api/quick/poch")
    ada.at(begun["id"]).hear_until(lambda frame: "view" in frame and frame["view"]["turn"] > 0)
    path = f"/api/tables/{begun['id']}/record"

    own, others = ada.http.get(path).text, ben.http.get(path).text

    assert (records.read(own).view, records.read(others).view) == ("p1", "public")
    deals = {text: re.findall(r'"d deal (p\d) ([^"]*)"', text) for text in (own, others)}
    assert [seat for seat, cards in deals[own] if "?" not in cards] == ["p1"]
    assert [seat for seat, cards in deals[others] if "?" not in cards] == []
    assert "seed" not in own + others


def test_there_is_no_record_of_a_game_that_people_keep_in_their_heads(guest: Guests):
    ada = guest("Ada")
    strict, assisted = ada.post("/api/quick/pok"), ada.open(options=ASSISTED, bots=2)
    ada.at(assisted["id"]).say("start")
    path = f"/api/tables/{assisted['id']}/record"
    wait_until(lambda: ada.http.get(path).status_code == 200)

    assert refusal(ada.http.get(f"/api/tables/{strict['id']}/record")) == (409, "record/strict")
    assert records.read(ada.http.get(path).text).view == "p1"


def test_there_is_no_record_before_the_start(guest: Guests):
    ada = guest("Ada")

    assert refusal(ada.http.get(f"/api/tables/{ada.open()['id']}/record")) == (409, "record/none")


def test_a_game_that_was_voted_to_its_end_reveals_its_seed_and_verifies(guest: Guests):
    ada = guest("Ada")
    begun = ada.post("/api/quick/pokerdice")
    tab = ada.at(begun["id"])
    tab.say("vote")
    over = tab.table(lambda t: t["status"] == "over")

    record = ada.http.get(f"/api/tables/{begun['id']}/record").text
    checked = ada.get(f"/api/tables/{begun['id']}/verify")

    assert tomllib.loads(record)["proof"]["seed"] == over["seed"] == checked["seed"] != ""
    assert (checked["fair"], checked["code"], checked["commitment"]) == (True, "", begun["commitment"])
    assert ada.get(f"/api/tables/{begun['id']}/replay")["steps"][0]["action"] == 0


# Replays.


@every_game
@pytest.mark.parametrize("eyes", ["all", "public", "p1", "p2"])
def test_a_finished_game_is_seen_step_by_step_through_anybodys_eyes(guest: Guests, finished: Any, game: str, eyes: str):
    over = finished(game)

    seen = guest().get(f"{over.path}/replay", eyes=eyes)

    assert (seen["game"], seen["commitment"]) == (game, over.table["commitment"])
    assert seen["names"] == [seat["name"] for seat in over.table["seats"]]
    assert [step["action"] for step in seen["steps"]] == list(range(seen["actions"] + 1))[:500]
    assert {step["view"]["seat"] for step in seen["steps"]} == {{"p1": 0, "p2": 1}.get(eyes, -1)}


def test_a_replay_shows_each_only_their_own_hand(guest: Guests, finished: Any):
    over, nobody = finished("poch"), guest()
    dealt = 1 + len(over.table["seats"])  # the dealer and all hands

    seen = {
        eyes: hands(nobody.get(f"{over.path}/replay", eyes=eyes, first=dealt, most=1)["steps"][0], 4)
        for eyes in ("all", "public", "p2")
    }

    assert UNKNOWN not in seen["all"]
    assert seen["public"] == [UNKNOWN] * 4
    assert seen["p2"] == [UNKNOWN, seen["all"][1], UNKNOWN, UNKNOWN]


def test_a_replay_comes_in_pieces_as_large_as_one_wants(guest: Guests, finished: Any):
    over, nobody = finished("pokerdice"), guest()
    whole = nobody.get(f"{over.path}/replay", most=1000)["steps"]

    pieces = [nobody.get(f"{over.path}/replay", first=first, most=7)["steps"] for first in range(0, len(whole), 7)]

    assert [step for piece in pieces for step in piece] == whole
    assert nobody.get(f"{over.path}/replay", first=len(whole))["steps"] == []
    for query in ({"first": -1}, {"most": 0}, {"most": 1001}, {"first": "x"}):
        assert refusal(nobody.http.get(f"{over.path}/replay", params=query)) == (422, "message/form")


def test_nobody_looks_back_at_a_game_that_is_on(guest: Guests):
    ada = guest("Ada")

    for opened in (ada.open(), ada.post("/api/quick/pok")):
        for what in ("replay", "verify"):
            assert refusal(ada.http.get(f"/api/tables/{opened['id']}/{what}")) == (409, "replay/on")


def test_nobody_has_eyes_who_does_not_sit_there(guest: Guests, finished: Any):
    over = finished("pok")

    for eyes in ("", "p0", "p5", "p9", "watcher"):
        assert refusal(guest().http.get(f"{over.path}/replay", params={"eyes": eyes})) == (409, "replay/eyes")


@every_game
def test_an_uploaded_record_is_seen_like_a_game_of_the_house(guest: Guests, finished: Any, game: str):
    over, nobody = finished(game), guest()

    answer = nobody.http.post("/api/replay", content=over.record, params={"eyes": "p1"})

    assert answer.json() == nobody.get(f"{over.path}/replay", eyes="p1")


@pytest.mark.parametrize("content", [b"", b"\xff", b"nonsense", b'format = "record/1"', b"[" * 1000, b"a.b" * 100])
def test_what_is_no_record_is_refused_in_one_line(guest: Guests, content: bytes):
    answer = guest().http.post("/api/replay", content=content)

    assert refusal(answer) == (409, "record/bad")
    assert "\n" not in answer.json()["text"]


def test_a_record_that_breaks_the_rules_is_refused_with_its_action(guest: Guests, finished: Any):
    broken = finished("pok").record.replace("d roll", "d rill", 1)

    answer = guest().http.post("/api/replay", content=broken)

    assert refusal(answer) == (409, "record/bad")
    assert answer.json()["text"].startswith("action 2: ")  # the first says that Ada has left


@pytest.mark.parametrize(
    ("language", "empty", "missing", "points"),
    [
        ("en", "an empty record", "game is missing", "wrong points"),
        ("de", "eine leere Aufzeichnung", "game fehlt", "falsche Punkte"),
        ("fr", "un enregistrement vide", "game manque", "points faux"),
        ("es", "un registro vacío", "falta game", "puntos equivocados"),
    ],
)
def test_what_is_wrong_with_a_record_is_said_in_the_language_of_the_reader(
    guest: Guests, finished: Any, language: str, empty: str, missing: str, points: str
):
    def said(path: str, content: str) -> str:
        answer = guest().http.post(f"/api/{path}", content=content, params={"language": language}).json()
        assert answer["code"] == "record/bad"
        return str(answer["text"])

    assert said("replay", "") == empty
    assert said("replay", 'format = "record/1"') == missing
    assert said("verify", wrong_points(finished("poch").record)).startswith(points)


def test_an_upload_that_is_too_large_is_refused(guest: Guests):
    for path in ("/api/replay", "/api/verify"):
        assert refusal(guest().http.post(path, content=b"#" * (records.LARGEST + 1))) == (413, "limit/body")


# Proofs.


@every_game
def test_a_finished_game_is_fair_and_shows_every_draw(guest: Guests, finished: Any, game: str):
    over, nobody = finished(game), guest()

    checked = nobody.get(f"{over.path}/verify", shown=over.table["commitment"])

    assert (checked["fair"], checked["code"], checked["commitment"]) == (True, "", over.table["commitment"])
    drawn = [{name: getattr(draw, name) for name in checked["draws"][0]} for draw in fairness.verify(over_read(over))]
    assert checked["draws"] == drawn
    assert nobody.http.post("/api/verify", content=over.record).json() == checked


def test_what_checks_a_game_elsewhere_comes_with_the_answer(guest: Guests, finished: Any):
    over = finished("pok")

    checked = guest().get(f"{over.path}/verify")

    proof = over_read(over).proof
    assert {word: checked[word] for word in ("table", "commitment", "seed", "salts")} == {
        word: proof[word] for word in ("table", "commitment", "seed", "salts")
    }


def over_read(over: Finished) -> records.Record:
    return records.read(over.record)


def test_a_game_is_not_fair_if_another_commitment_was_shown(guest: Guests, finished: Any):
    over, other = finished("pok"), finished("poch")

    for answer in (
        guest().get(f"{over.path}/verify", shown=other.table["commitment"]),
        guest().http.post("/api/verify", params={"shown": "0" * 64}, content=over.record).json(),
    ):
        assert (answer["fair"], answer["code"], answer["draws"]) == (False, "proof/unfair", [])


def places(record: str) -> list[int]:
    """Where the bytes stand that chance and its proof are made of."""
    chance = re.finditer(r'(?<=  "d )[^"]*', record)
    proof = re.finditer(
        r'(?<=seed = ")[^"]*|(?<=commitment = ")[^"]*|(?<=salts = \[")[^"]*|(?<=table = ")[^"]*', record
    )
    return [place for found in (*chance, *proof) for place in range(*found.span())]


@every_game
def test_any_changed_byte_of_chance_or_proof_is_found(guest: Guests, finished: Any, game: str):
    over, nobody, rng = finished(game), guest(), random.Random(game)
    assert nobody.http.post("/api/verify", content=over.record).json()["fair"]

    for place in rng.sample(places(over.record), FLIPS):
        other = rng.choice([c for c in "0123456789abcdefSHDCpT " if c != over.record[place]])
        changed = over.record[:place] + other + over.record[place + 1 :]
        answer = nobody.http.post("/api/verify", content=changed).raise_for_status().json()
        assert not answer["fair"], over.record[place - 20 : place + 20]
        assert answer["code"] in ("proof/unfair", "record/bad")


@pytest.mark.parametrize("part", ["seed", "salts", "commitment"])
def test_each_part_of_the_proof_counts(guest: Guests, finished: Any, part: str):
    record = finished("pok").record
    swapped = {"seed": r'(?<=seed = ")(.)', "salts": "pinch", "commitment": r'(?<=commitment = ")(.)'}[part]

    changed = re.sub(swapped, lambda found: "0" if found[0] != "0" else "1", record, count=1)

    assert changed != record
    answer = guest().http.post("/api/verify", content=changed).json()
    assert (answer["fair"], answer["code"]) == (False, "proof/unfair")


def wrong_points(record: str) -> str:
    return re.sub(r"(?<=points = \[)\d+", lambda found: str(int(found[0]) + 1), record)


def test_a_result_that_the_rules_do_not_give_is_found_too(guest: Guests, finished: Any):
    answer = guest().http.post("/api/verify", content=wrong_points(finished("poch").record)).json()

    assert (answer["fair"], answer["code"]) == (False, "record/bad")


# Anything at all.


# Made from the schema, whatever keeps the answers: once is enough, on the database that takes less (no NUL in text).
on_postgres = pytest.mark.parametrize("open_house", ["postgres"], indirect=True)


@on_postgres
def test_nothing_that_anybody_sends_over_http_is_a_bug(guest: Guests, tmp_path: Path):
    ada = guest("Ada")
    call = [sys.executable, "-m", "schemathesis.cli", "run", f"http://{ada.address}/openapi.json", "--no-color"]
    call += ["--seed", "1", "--max-examples", str(EXAMPLES), "--continue-on-failure"]
    call += ["--request-timeout", str(PATIENCE), "--suppress-health-check", "all", "--generation-deterministic"]
    call += ["-H", f"Cookie: pokade={ada.http.cookies['pokade']}"]

    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, timeout=LONGEST, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Tested: {len(ROUTES)}\n" in done.stdout


# The house, in a thread of this process, draws from `random` while the cases are made; it is not they that do.
@pytest.mark.filterwarnings("ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning")
@on_postgres
@pytest.mark.parametrize("what", ["", "/record", "/replay", "/verify"])
def test_nothing_that_anybody_asks_of_a_table_is_a_bug(guest: Guests, finished: Any, what: str):
    from tests.server.network.anything import cases  # noqa: PLC0415 - a second of every process that collects tests

    ada = guest("Ada")
    tables = [finished("poch").table["id"], ada.post("/api/quick/pokerdice")["id"], ada.open()["id"]]

    for number, case in enumerate(cases(ada.address, f"/api/tables/{{table}}{what}", 8 * EXAMPLES)):
        case.path_parameters = {"table": tables[number % len(tables)]}
        case.call_and_validate(timeout=PATIENCE)


def test_the_interface_is_described_as_it_is(address: str):
    api = get(f"http://{address}/openapi.json").json()

    for path, operations in api["paths"].items():
        for method, operation in operations.items():
            answers = operation["responses"]
            assert set(answers) == {"200", "4XX", "503"}, (method, path)
            assert answers["4XX"]["content"]["application/json"]["schema"]["$ref"].endswith("/Refusal")
            assert operation["description"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("DELETE", "/api/tables", "GET, POST"), ("PUT", "/api/me", "GET, PATCH"), ("GET", "/api/guest", "POST")],
)
def test_who_asks_in_another_way_learns_which_ways_there_are(address: str, method: str, path: str, allowed: str):
    answer = request(method, f"http://{address}{path}")

    assert refusal(answer) == (405, "http/method")
    assert sorted(answer.headers["allow"].split(", ")) == allowed.split(", ")
