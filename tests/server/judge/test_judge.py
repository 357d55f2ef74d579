"""Records from outside: judged in a process of its own, within bounds, one after the other for each address."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from pokade import records
from pokade.fairness import proof_of
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.server.errors import TryAgain
from pokade.server.judge import judge, judging
from pokade.server.judge.__main__ import NICENESS
from pokade.server.judge.judge import Question, answered, game_of
from pokade.server.judge.judging import MOST, MOST_THERE, Judging
from pokade.server.network import judged
from pokade.server.network.guard import Guard
from pokade.testing import random_game
from tests.patience import PATIENCE
from tests.server.clients import refusal, running, wait_until
from tests.server.open_house import OpenHouse

HERE = "198.51.100.7"
GAME = random_game(GAMES["pok"], 3, {}, 5)
RECORD = records.write(GAME, ["Ada", "Ben", "Cleo"]).encode()
REPLAY = Question("replay", {"eyes": "all", "first": 0, "most": 500}, RECORD)
# A judge that never answers one kind of question, and does not survive another.
STUMBLING = (
    "import os, threading; from pokade.server.judge import judge, __main__; "
    "judge.DOING['stick'] = lambda _: threading.Event().wait(); judge.DOING['fall'] = lambda _: os._exit(1); "
    "__main__.main()"
)
STICK, FALL = Question("stick", {}, b"x"), Question("fall", {}, b"x")


@pytest.fixture
def stumbling(runner: asyncio.Runner) -> Iterator[Judging]:
    made = Judging((sys.executable, "-c", STUMBLING))
    yield made
    runner.run(made.close())


async def asked(judging: Judging, question: Question, address: str = HERE) -> bytes:
    with judging.place(address):
        return await judging.ask(address, question)


def pid_of(judging: Judging) -> int:
    assert judging._judge.process is not None
    return judging._judge.process.pid


def is_gone(pid: int) -> bool:
    """Has this process ended? One that waits for somebody to ask how has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


# What is answered.


async def test_the_process_answers_what_is_answered_here(runner: asyncio.Runner, stumbling: Judging):
    assert await asked(stumbling, REPLAY) == answered(REPLAY)
    assert len(orjson.loads(answered(REPLAY))["steps"]) > 2


async def test_it_is_one_process_at_low_priority(runner: asyncio.Runner, stumbling: Judging):
    assert stumbling._judge.process is None  # nobody has asked yet
    await asked(stumbling, REPLAY)
    first = pid_of(stumbling)
    await asked(stumbling, REPLAY, "another address")

    assert pid_of(stumbling) == first
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, first) == min(19, ours + NICENESS)


async def test_a_refusal_comes_with_its_code(runner: asyncio.Runner, stumbling: Judging):
    with pytest.raises(Refused) as refused:
        await asked(stumbling, Question("replay", REPLAY.words, b"nonsense"))

    assert refused.value.code == "record/bad"
    await asked(stumbling, REPLAY)


def test_a_game_of_the_house_is_written_as_it_is_elsewhere():
    proof, names = proof_of(bytes(32), "t", ["a", "b", "c"]), ["Ada", "Ben", "Cleo"]
    for view in ("full", "public", "p2"):
        game = orjson.loads(orjson.dumps(game_of(GAME, names, view, [(0, "timeout p1")], proof)))

        written = answered(Question("write", {}, game=game)).decode()

        assert written == records.write(GAME, names, view=view, notes=[(0, "timeout p1")], proof=proof)


def test_a_game_is_asked_about_as_it_is_now():
    play = random_game(GAMES["pok"], 3, {}, 5)
    play.steps, notes = play.steps[:3], []
    told = game_of(play, ["A", "B", "C"], "p1", notes, None)

    play.steps.append((0, 0))
    notes.append((0, "timeout p1"))

    assert (len(told["steps"]), told["notes"]) == (3, [])


# Bounds.


@pytest.mark.parametrize("do", [{"do": "replay", "words": REPLAY.words}, {"do": "verify", "words": {"shown": ""}}])
def test_more_actions_than_any_game_has_are_not_judged(do: dict[str, Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(judge, "MOST_ACTIONS", len(records.read(RECORD).actions))
    answered(Question(**do, record=RECORD))
    monkeypatch.setattr(judge, "MOST_ACTIONS", len(records.read(RECORD).actions) - 1)

    with pytest.raises(Refused) as refused:
        answered(Question(**do, record=RECORD))

    assert refused.value.code == "record/long"


def test_an_answer_has_a_largest_size(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(judge, "LARGEST_ANSWER", len(answered(REPLAY)) - 1)

    with pytest.raises(Refused) as refused:
        answered(REPLAY)

    assert refused.value.code == "record/long"


async def test_a_judge_that_is_stuck_is_killed_and_replaced(runner: asyncio.Runner, stumbling: Judging):
    await asked(stumbling, REPLAY)
    first, patience, stumbling.seconds = pid_of(stumbling), stumbling.seconds, 0.05

    with pytest.raises(Refused) as refused:
        await asked(stumbling, STICK)
    stumbling.seconds = patience

    assert refused.value.code == "judge/time"
    assert is_gone(first)
    assert await asked(stumbling, REPLAY) == answered(REPLAY)


@pytest.mark.parametrize("end", ["falls", "is killed"])
async def test_a_judge_that_is_gone_is_replaced(runner: asyncio.Runner, stumbling: Judging, end: str):
    await asked(stumbling, REPLAY)
    if end == "falls":
        with pytest.raises(Refused) as refused:
            await asked(stumbling, FALL)
    else:
        waiting = asyncio.create_task(asked(stumbling, STICK))
        await asyncio.sleep(0)
        os.kill(pid_of(stumbling), signal.SIGKILL)
        with pytest.raises(Refused) as refused:
            await waiting

    assert refused.value.code == "judge/failed"
    assert await asked(stumbling, REPLAY) == answered(REPLAY)


async def test_it_ends_with_the_house_and_nobody_waits_for_it(runner: asyncio.Runner, stumbling: Judging):
    await asked(stumbling, REPLAY)
    pid = pid_of(stumbling)
    stuck = [asyncio.create_task(asked(stumbling, STICK, address)) for address in (HERE, HERE, "elsewhere")]
    await asyncio.sleep(0)

    stumbling.stop()

    ends = await asyncio.gather(*stuck, return_exceptions=True)
    assert [end.code for end in ends if isinstance(end, Refused)] == ["judge/busy"] * 3
    assert is_gone(pid)


def test_it_notices_in_the_middle_of_a_record_that_the_house_was_killed():
    code = f"""
import asyncio, sys
from pokade.server.judge.judge import Question
from pokade.server.judge.judging import Judging

async def main():
    judging = Judging((sys.executable, "-c", {STUMBLING!r}))
    with judging.place("here"):
        await judging.ask("here", Question("write", {{}}, b"x"))
        print(judging._judge.process.pid, flush=True)
        await judging.ask("here", Question("stick", {{}}, b"x"))

asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())

        parent.kill()

    wait_until(lambda: is_gone(pid))


# The queue, with a judge that answers when the test says so.


class Held(Judging):
    """Answers in this process, and not before it is told to."""

    def __init__(self, waiting: float = judging.WAITING) -> None:
        super().__init__(waiting=waiting)
        self.begun: list[bytes] = []
        self.go_on = asyncio.Semaphore(0)

    async def _exchanged(self, question: bytes) -> bytes:
        self.begun.append(question[-1:])
        await self.go_on.acquire()
        return question[-1:]


def numbered(word: str) -> Question:
    return Question("write", {}, word.encode())


async def settled() -> None:
    """Everybody has gone as far as they can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_addresses_take_turns_and_each_has_one_record_judged_at_a_time(runner: asyncio.Runner):
    held = Held()
    crowd = [asyncio.create_task(asked(held, numbered(word), "crowd")) for word in "abc"]
    await settled()
    other = asyncio.create_task(asked(held, numbered("x"), "other"))
    await settled()
    assert held.begun == [b"a"]

    for _ in range(4):
        held.go_on.release()
        await settled()

    assert held.begun == [b"a", b"x", b"b", b"c"]
    assert await asyncio.gather(*crowd, other) == [b"a", b"b", b"c", b"x"]
    assert held._there == {}


async def test_who_finds_no_place_is_told_to_try_again(runner: asyncio.Runner):
    held = Held()
    with ExitStack() as places:
        for _ in range(MOST_THERE):
            places.enter_context(held.place(HERE))
        with pytest.raises(TryAgain) as refused, held.place(HERE):
            pass
        for number in range(MOST - MOST_THERE):
            places.enter_context(held.place(f"address {number}"))
        with pytest.raises(TryAgain), held.place("somebody else"):
            pass

    assert (refused.value.code, refused.value.status) == ("judge/busy", 503)
    assert refused.value.wait > 0
    with held.place(HERE):
        pass


async def test_a_few_addresses_leave_places_for_others(runner: asyncio.Runner):
    held = Held()
    with ExitStack() as places:
        for number in range(MOST):
            with suppress(TryAgain):
                places.enter_context(held.place(f"address {number % MOST_THERE}"))
        for number in range(MOST // 2):
            places.enter_context(held.place(f"somebody else {number}"))
        with pytest.raises(TryAgain), held.place("one too many"):
            pass


async def test_who_would_wait_too_long_is_told_to_try_again(runner: asyncio.Runner):
    held = Held(waiting=0.01)
    first = asyncio.create_task(asked(held, numbered("a")))
    await settled()

    for address in (HERE, "elsewhere"):
        with pytest.raises(TryAgain):
            await asked(held, numbered("b"), address)

    held.go_on.release()
    assert await first == b"a"
    assert held.begun == [b"a"]


async def test_a_place_is_held_until_the_answer_is_taken(runner: asyncio.Runner):
    held, taken = Held(), asyncio.Event()
    place = ExitStack()
    place.enter_context(held.place(HERE))

    async def send(_: Any) -> None:
        await taken.wait()

    async def receive() -> Any:
        raise AssertionError

    answer = judged._Judged(b"large", "text/plain", place)
    sending = asyncio.create_task(answer({"type": "http"}, receive, send))
    await settled()
    assert held._there[HERE].places == 1

    taken.set()
    await sending
    assert held._there == {}


# In the house.


def test_a_house_that_is_busy_says_so_before_it_reads_the_record(sqlite_url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(judging, "MOST_THERE", 0)
    with running(sqlite_url, watch=Guard()) as address:
        refused = httpx.post(f"http://{address}/api/verify", content=RECORD)

    assert refusal(refused) == (503, "judge/busy")
    assert int(refused.headers["retry-after"]) > 0


def test_a_house_that_closes_leaves_no_judge_behind(tmp_path: Path):
    with OpenHouse(tmp_path, "--db", f"sqlite:///{tmp_path}/house.db") as opened:
        answer = httpx.post(f"http://{opened.address}/api/replay", content=RECORD, timeout=PATIENCE)
        children = Path(f"/proc/{opened.process.pid}/task/{opened.process.pid}/children").read_text().split()
        assert answer.json()["game"] == "pok"
        assert len(children) == 1

        assert opened.stop() == 0

    assert is_gone(int(children[0]))
    assert opened.log.read_text() == ""


def test_a_house_that_closes_lets_nobody_wait_for_an_answer(sqlite_url: str):
    held = Held()
    with ThreadPoolExecutor() as pool:
        with running(sqlite_url, judging=held) as address:
            waiting = pool.submit(httpx.post, f"http://{address}/api/verify", content=RECORD, timeout=PATIENCE)
            wait_until(lambda: held.begun)

        assert refusal(waiting.result()) == (503, "judge/busy")
