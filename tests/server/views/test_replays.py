"""Replays: the view of any seat, a watcher or all, at every step."""

import json

import pytest

from pokade import records
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.state import UNKNOWN
from pokade.server.views.replays import uploaded, walk
from pokade.testing import random_game

every_game = pytest.mark.parametrize("game", GAMES)


def record_of(game: str) -> records.Record:
    n = GAMES[game].usual_seats
    return records.read(records.write(random_game(GAMES[game], n, {}, 5), [f"P{seat}" for seat in range(n)]))


@every_game
@pytest.mark.parametrize("eyes", ["all", "public", "p1", "p2"])
def test_every_action_has_a_frame_and_the_last_one_the_outcome(game: str, eyes: str):
    record = record_of(game)

    frames = walk(record, eyes)

    assert [frame["action"] for frame in frames] == list(range(len(record.actions) + 1))
    assert frames[0]["outcome"] is None
    assert sum(frames[-1]["outcome"]["shares"]) == pytest.approx(1)


def test_each_looks_through_their_own_eyes():
    record = record_of("poch")
    dealt = 1 + len(record.players)  # the dealer and all hands

    hands = {eyes: walk(record, eyes)[dealt]["view"]["state"]["hand"][:4] for eyes in ("all", "public", "p2")}

    assert UNKNOWN not in hands["all"]
    assert hands["public"] == [UNKNOWN] * 4
    assert [hand == UNKNOWN for hand in hands["p2"]] == [True, False, True, True]
    assert hands["p2"][1] == hands["all"][1]


def test_an_action_of_many_steps_tells_all_that_they_told():
    record = record_of("poch")
    last_hand = 1 + len(record.players)

    told = {eyes: [event[0] for event in walk(record, eyes)[last_hand]["told"]] for eyes in ("all", "public")}

    assert told["all"].count("dealt") == 8
    assert told["public"][:2] == ["trumps", "antes"]
    assert "dealt" not in told["public"]


def test_a_note_tells_nothing_anew():
    text = records.write(random_game(GAMES["pok"], 3, {}, 5), ["A", "B", "C"])
    first, rest = text.split('",\n', 1)
    record = records.read(first + '",\n  "t timeout p2",\n' + rest)

    told = [frame["told"] for frame in walk(record, "all")]

    assert told[1][0][0] == "thrown"
    assert told[2] == []


def test_only_all_sees_what_was_written_about_secrets():
    record = record_of("poch")

    assert walk(record, "all")[2]["text"].startswith("d deal p1")
    assert "deal p1" not in json.dumps(walk(record, "p2"))


@pytest.mark.parametrize("eyes", ["", "p0", "p9", "px", "p٣", "everyone"])
def test_nobody_else_has_eyes(eyes: str):
    with pytest.raises(Refused) as refusal:
        walk(record_of("pok"), eyes)
    assert refusal.value.code == "replay/eyes"


@pytest.mark.parametrize("raw", [b"", b"\xff", b"nonsense", b'format = "record/1"'])
def test_a_bad_upload_is_refused_in_one_line(raw: bytes):
    with pytest.raises(Refused) as refusal:
        uploaded(raw)
    assert refusal.value.code == "record/bad"
    assert "\n" not in str(refusal.value)


def test_a_record_that_breaks_the_rules_is_refused_with_its_action():
    text = records.write(random_game(GAMES["pok"], 3, {}, 5), ["A", "B", "C"]).replace("d roll", "d rill", 1)

    with pytest.raises(Refused, match="action 1"):
        walk(uploaded(text.encode()), "all")
