"""`pokade verify` as the command that people and programs call."""

from functools import partial
from typing import Any

import pytest

from pokade import records
from pokade.chance import Seeded
from pokade.fairness import Provable, proof_of
from pokade.games import GAMES
from pokade.games.play import Play
from pokade.loop import run
from pokade.testing import at_random
from tests.cli.processes import answered, ran

SEED = bytes(range(32))
NAMES = ("Ada", "Ben", "Cleo", "Dora")
SALTS = ("", "salt", "Sälz 🧂", "4")
PROMISE = "eeffe14c5a779b771ed5ee359dc526a254eb3e4727a097becc51a57cfff1f811"


def fair(name: str = "pok", **options: object) -> str:
    """The record of a game with provable dice."""
    play, chance, choices = Play(GAMES[name], 4, options), Provable(SEED, "table-1", SALTS, name), Seeded(1)
    for _ in run(play, chance, at_random(choices)):
        pass
    return records.write(play, NAMES, proof=proof_of(SEED, "table-1", SALTS))


SHORT = fair(max_rounds=1)
THROW = str(records.read(SHORT).actions[0])
FORGED = SHORT.replace(THROW, "d roll O OO OOO" if THROW != "d roll O OO OOO" else "d roll S OO OOO")
BARE = SHORT[: SHORT.index("[proof]")]


verify = partial(ran, "verify")


def answers(*arguments: object, stdin: bytes = b"") -> list[dict[str, Any]]:
    return answered(verify("--json", *arguments, stdin=stdin))


def test_a_fair_record_is_one_object_with_the_number_of_its_draws(file):
    path = file(SHORT)

    assert answers(path) == [{"file": str(path), "ok": True, "draws": 3, "covers": ["dice", "deals"], "notes": []}]


def test_a_forged_throw_is_found_at_its_action(file):
    path = file(FORGED)

    (answer,) = answers(path)

    assert list(answer) == ["file", "ok", "action", "error"]
    assert (answer["ok"], answer["action"]) == (False, 1)
    assert THROW[2:] in answer["error"]


def test_every_game_is_verified_and_several_records_are_numbered(file):
    path = file("---\n".join([*map(fair, GAMES), FORGED, BARE]))

    lines = answers(path)

    assert [line["record"] for line in lines] == list(range(1, len(GAMES) + 3))
    assert [line["ok"] for line in lines] == [True] * len(GAMES) + [False, False]
    assert lines[-1]["error"] == "the record has no proof"


def test_what_is_no_record_is_refused_like_everywhere(file, tmp_path):
    paths = [file(b"\xff", "bad"), file("", "empty"), tmp_path / "none", tmp_path]

    assert [(line["ok"], line["action"]) for line in answers(*paths)] == [(False, 0)] * 4


def test_a_dash_reads_standard_input():
    (answer,) = answers("-", stdin=SHORT.encode())

    assert (answer["file"], answer["ok"], answer["draws"]) == ("-", True, 3)


def test_what_a_record_leaves_out_is_told_and_changes_no_verdict(file):
    path = file(SHORT.replace("[result]", "[resutl]").replace('view = "full"', ""))

    (answer,) = answers(path)
    lines = verify(path).stdout.decode().splitlines()

    noted = [{"code": "key_misspelt", "key": "resutl"}, {"code": "view_missing"}, {"code": "result_missing"}]
    assert (answer["ok"], answer["notes"]) == (True, noted)
    assert len(lines) == 5
    assert "“resutl”" in lines[1]
    assert "no view" in lines[2]
    assert "no [result]" in lines[3]


def test_the_commitment_that_was_seen_is_compared(file):
    path = file(SHORT)

    assert answers("--commitment", PROMISE.upper(), path)[0]["ok"]
    assert not answers("--commitment", "0" * 64, path)[0]["ok"]
    assert verify("--commitment", "x", path).returncode == 1


def test_people_get_a_line_a_record(file):
    path = file(f"{SHORT}---\n{FORGED}---\n{BARE}")

    lines = verify(path).stdout.decode().splitlines()

    assert len(lines) == 4
    assert lines[1].strip().startswith("This is about dice and deals. It does not prove who sat there")
    del lines[1]
    assert lines[0] == f"{path}, record 1: fair; all 3 draws follow from the commitment {PROMISE}"
    assert lines[1].startswith(f"{path}, record 2, action 1: the seed gives {THROW[2:]}, and not ")
    assert lines[2] == f"{path}, record 3: the record has no proof"


def test_the_draws_are_listed_with_the_action_they_belong_to(file):
    shown = verify("--draws", file(SHORT)).stdout.decode().splitlines()[2:]

    chance = Provable(SEED, "table-1", SALTS, "pok")
    assert shown[0].split() == ["Draw", "Tickets", "Ticket", "Outcome", "Action"]
    assert [row.split()[:3] for row in shown[1:]] == [[str(number), "6", str(chance.draw(6))] for number in range(3)]
    assert shown[1].rstrip().endswith(f"1  {THROW}")


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_it_speaks_every_language(file, language: str):
    done = verify("--draws", "--lang", language, file(SHORT), PYTHONIOENCODING="ascii")

    assert done.returncode == 0
    assert not done.stderr


def test_why_a_record_is_not_fair_is_told_in_the_language_asked_for(file):
    path = file("---\n".join((BARE, FORGED)))

    first, second = verify("--lang", "de", path).stdout.decode().splitlines()

    assert first == f"{path}, Aufzeichnung 1: die Aufzeichnung hat keinen Beweis"
    assert second.startswith(f"{path}, Aufzeichnung 2, Aktion 1: der Startwert ergibt {THROW[2:]} und nicht ")


def test_an_unknown_language_is_refused_in_one_line(file):
    done = verify("--lang", "xx", file(SHORT))

    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
