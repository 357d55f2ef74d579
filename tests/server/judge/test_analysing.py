"""Looking back at finished games on the server: in a process of its own, kept, in turn, and never before the end."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from pokade import records
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.server.errors import TryAgain
from pokade.server.judge import analysing
from pokade.server.judge.analysing import MOST, MOST_THERE, Analysing
from pokade.server.judge.analyst import analysis_of
from pokade.server.judge.judge import Question
from pokade.testing import random_game
from tests.patience import wait_until
from tests.server.clients import Frame, Guest, refusal, running

HERE = "198.51.100.7"
RECORD = records.write(random_game(GAMES["pok"], 3, {}, 5), ["Ada", "Ben", "Cleo"]).encode()
GOOD, STICK, FALL, BAD = (Question(do, {}, RECORD) for do in ("good", "stick", "fall", "bad"))
# An analyst that does as the question says, without a compiler: it sticks, falls, refuses, or has an analysis.
PUPPET = """
import os, threading
from pokade.games.errors import Refused
from pokade.server.judge import analyst

def answer(question, progress):
    progress(3, 8)
    if question.do == "stick":
        threading.Event().wait()
    if question.do == "fall":
        os._exit(1)
    if question.do == "bad":
        raise Refused("record/bad", "no record")
    return {"made": question.do}

analyst.analysis_of = answer
analyst.main()
"""


@pytest.fixture
def puppet(runner: asyncio.Runner) -> Iterator[Analysing]:
    made = Analysing((sys.executable, "-c", PUPPET))
    yield made
    runner.run(made.close())


async def status(asked: Analysing, table: str, *wanted: str) -> dict[str, object]:
    """The status of a table once it is one of those that are wanted."""
    while True:
        found: dict[str, object] = orjson.loads(asked.status(table))
        if found["status"] in wanted and (found["status"] != "working" or found["total"]):
            return found
        await asyncio.sleep(0)


async def test_an_analysis_is_made_once_and_kept(runner: asyncio.Runner, puppet: Analysing):
    puppet.ask("t", HERE, GOOD)

    done = await status(puppet, "t", "done")

    assert done["analysis"] == {"made": "good"}
    assert not puppet.is_asked_for("t")
    assert puppet.kept("t") == b'{"made":"good"}'


async def test_of_those_that_are_kept_the_one_goes_that_nobody_has_asked_for_the_longest(
    runner: asyncio.Runner, puppet: Analysing, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(analysing, "KEPT", 2)
    for table in ("t", "u"):
        puppet.ask(table, HERE, GOOD)
        await status(puppet, table, "done")
    assert puppet.kept("t") is not None

    puppet.ask("v", HERE, GOOD)
    await status(puppet, "v", "done")

    assert [table for table in "tuv" if puppet.kept(table) is not None] == ["t", "v"]


async def test_how_far_it_is_can_be_asked(runner: asyncio.Runner, puppet: Analysing):
    puppet.ask("t", HERE, STICK)
    puppet.ask("u", HERE, GOOD)

    assert await status(puppet, "t", "working") == {
        "status": "working",
        "done": 3,
        "total": 8,
        "ahead": 0,
        "analysis": None,
    }
    waiting = await status(puppet, "u", "waiting")
    assert waiting["ahead"] == 1


async def test_too_many_are_told_to_come_back(runner: asyncio.Runner, puppet: Analysing):
    for number in range(MOST_THERE):
        puppet.ask(f"t{number}", HERE, STICK)
    with pytest.raises(TryAgain) as there:
        puppet.ask("u", HERE, GOOD)
    for number in range(MOST - MOST_THERE):
        puppet.ask(f"u{number}", f"198.51.100.{100 + number}", STICK)
    with pytest.raises(TryAgain) as everywhere:
        puppet.ask("v", "203.0.113.9", GOOD)

    assert there.value.code == everywhere.value.code == "analysis/busy"


@pytest.mark.parametrize(("question", "code"), [(FALL, "analysis/failed"), (BAD, "record/bad")])
async def test_what_can_not_be_made_is_told_and_may_be_asked_again(
    runner: asyncio.Runner, puppet: Analysing, question: Question, code: str
):
    puppet.ask("t", HERE, question)

    with pytest.raises(Refused) as refused:
        await status(puppet, "t", "done")

    assert refused.value.code == code
    puppet.ask("t", HERE, GOOD)
    assert (await status(puppet, "t", "done"))["analysis"] == {"made": "good"}


async def test_games_that_failed_and_that_nobody_asks_for_again_keep_no_place(
    runner: asyncio.Runner, puppet: Analysing, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(analysing, "KEPT", 2)
    for number in range(MOST_THERE):
        puppet.ask(f"t{number}", HERE, BAD)
    puppet.ask("last", "203.0.113.9", GOOD)  # its turn is behind theirs
    await status(puppet, "last", "done")

    puppet.ask("u", HERE, GOOD)

    assert (await status(puppet, "u", "done"))["analysis"] == {"made": "good"}
    assert [number for number in range(MOST_THERE) if puppet.is_asked_for(f"t{number}")] == [2, 3]


async def test_a_game_that_takes_too_long_is_given_up(runner: asyncio.Runner, puppet: Analysing):
    puppet.seconds = 0.0
    puppet.ask("t", HERE, STICK)

    with pytest.raises(Refused) as refused:
        await status(puppet, "t", "done")

    assert refused.value.code == "analysis/time"


def test_the_analyst_says_how_far_it_is():
    heard: list[tuple[int, int]] = []

    found = analysis_of(GOOD, lambda done, total: heard.append((done, total)))

    assert isinstance(found, dict)
    assert found["format"] == "analysis/1"
    assert heard[-1] == (len(found["steps"]), len(found["steps"]))


def test_a_table_is_looked_back_at_over_http_and_only_after_its_end(tmp_path: Path):
    puppet = Analysing((sys.executable, "-c", PUPPET))
    with running(f"sqlite:///{tmp_path / 'house.db'}", analysing=puppet) as address, Guest(address, "Ada") as ada:
        open_table, table = ada.open()["id"], ada.post("/api/quick/pok")["id"]
        paths = [f"/api/tables/{each}/analysis" for each in (open_table, table, "nowhere")]
        refused = [refusal(ada.http.get(path)) for path in paths]
        tab = ada.at(table)
        tab.say("vote")
        tab.table(lambda shown: shown["status"] == "over")
        answers: list[Frame] = []
        wait_until(lambda: answers.append(ada.get(paths[1])) or answers[-1]["status"] == "done")

    assert refused == [(409, "analysis/on"), (409, "analysis/on"), (404, "table/unknown")]
    assert answers[-1]["analysis"] == {"made": "analyse"}
    assert {answer["status"] for answer in answers} <= {"waiting", "working", "done"}
