"""Pokade under load, next to a bare server that sends the same frames in the same run: `python -m benchmarks load`.

What counts is the CPU time of the server's process (all its threads), since wall times are noise on a shared machine.
"""

import argparse
import asyncio
import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx
import uvloop
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.crowd import Link, Party, connect, gather_at_the_floor, guests, open_tables, party, sit_down
from benchmarks.floor import SENDER, Step
from benchmarks.served import Served

SEATS = 5
ROUND: dict[str, Any] = {"game": "pok", "seats": SEATS, "options": {"max_rounds": 10_000}}  # all show discs: none wins
ACTION: dict[str, Any] = {"game": "poch", "seats": SEATS, "options": {"deals": 1000, "stack": 10_000}}
WITH_BOTS: dict[str, Any] = ROUND | {"clock": "20s"}

TABLES, TRIES, WARM_UP, SECONDS = 100, 3, 0.4, 2.0  # tables that play as fast as they can
SCRIPTED, QUIET = 60, 0.04  # messages of a script; seconds without a frame after which a table has answered
RATE, PACED_TABLES, PACED_SECONDS = 500, 100, 6.0
IDLE, IDLE_TABLES, AT_ONCE = 10_000, 100, 100
STRONG_TABLES = 100  # with four strong bots each
STEPS = (250, 500, 1000, 1500, 2000, 3000, 4000)
STEP_SECONDS, BETWEEN_CHECKS, LAG = 4.0, 0.05, 0.1
LONGEST = 60.0  # seconds after which no more tables are added
BUSY = 0.5  # beyond it, times on the clock say little


@dataclass(slots=True)
class Cost:
    """What one choice costs a server, and what it sends for it."""

    micros: float
    frames: float
    bytes: float


Costs = tuple[Cost, Cost, Cost]


@dataclass(slots=True)
class Idle:
    """What so many silent connections cost a server."""

    kilobytes: float
    connects: float


@dataclass(slots=True)
class Strong:
    """What strong bots do to a server: seconds of its slowest answers with casual bots, and with strong ones instead.

    And the part of their own answers that came within 0.3 s, of how many.
    """

    casual: float
    strong: float
    within: float
    answers: int


@dataclass(slots=True)
class Load:
    """Everything that is measured: Pokade, then the floor (and for CPU, then the one with queues)."""

    rounds: Costs
    actions: Costs
    latency: tuple[list[float], list[float]]
    idle: tuple[Idle, Idle]
    lags: dict[int, float]  # seconds, by tables
    strong: Strong
    busy: float  # processes that others had running before, for each core

    @property
    def tables(self) -> int:
        return max((tables for tables, lag in self.lags.items() if lag <= LAG), default=0)


# Tables of five.


async def at_the_house(served: Served, new: dict[str, Any], count: int) -> list[Party]:
    cookies = await guests(served.port, SEATS)
    tables = await open_tables(served.port, cookies[0], count, new)
    return [await sit_down(served.port, table, cookies) for table in tables]


async def at_the_floor(served: Served, count: int) -> list[Party]:
    return [await gather_at_the_floor(served.port, f"t{number}") for number in range(count)]


async def script_of(served: Served, new: dict[str, Any]) -> dict[str, Any]:
    """Play at one table, one message after the other, and take down what the server sends after each."""
    (found,) = await at_the_house(served, new, 1)
    first = await found.seats[1].link.hear()  # the snapshot; the host's is gone
    found.is_paced, found.log = True, []
    found.start()
    steps = [await _answer_of(found, SENDER)]
    while len(steps) <= SCRIPTED or not _is_for_all(steps[-1]):
        seat, view = found.waiting.pop(0)
        seat.choose(view)
        steps.append(await _answer_of(found, seat.number))
    found.leave()
    return {"first": first, "last": steps[-1], "steps": steps[1:]}


async def _answer_of(found: Party, sender: int) -> Step:
    """What everybody got until the table was quiet, in bursts; a frame for the sender alone is for any sender."""
    assert found.log is not None  # noqa: S101 - scripts are taken down
    while not (found.log and found.waiting) or time.perf_counter() - found.heard_at < QUIET:
        await asyncio.sleep(QUIET / 4)
    heard, found.log = found.log, []
    step: Step = []
    for seat, frame in heard:
        burst = next((one for one in step if seat not in dict(one)), None)
        if burst is None:
            step.append(burst := [])
        burst.append((seat, frame))
    return [[(SENDER, frame) for _, frame in step[0]]] if {seat for seat, _ in heard} == {sender} else step


def _is_for_all(step: Step) -> bool:
    return len(step[-1]) == SEATS


# CPU of a choice, of servers that have as much to do as they can.


async def costs(new: dict[str, Any], folder: Path) -> Costs:
    """The best of several tries of Pokade and the bare servers, turn by turn since the machine is shared."""
    script = folder / f"{new['game']}.json"
    with Served("house", f"sqlite:///{folder}/{new['game']}.db", "at once") as house:
        script.write_text(json.dumps(await script_of(house, new)))
        with Served("floor", str(script)) as floor, Served("queued", str(script)) as queued:
            sides = [(house, await at_the_house(house, new, TABLES))]
            sides += [(bare, await at_the_floor(bare, TABLES)) for bare in (floor, queued)]
            for _, parties in sides:
                start_paused(parties)
            tries = [[await cost(*side) for side in sides] for _ in range(TRIES)]
    ours, bare, robust = (min(column, key=lambda one: one.micros) for column in zip(*tries, strict=True))
    return ours, bare, robust


def start_paused(parties: list[Party]) -> None:
    for one in parties:
        one.is_paced = True
        one.start()


async def cost(served: Served, parties: list[Party]) -> Cost:
    for one in parties:
        one.go_on()
    await asyncio.sleep(WARM_UP)
    before, cpu = counted(parties), served.ask("cpu")
    await asyncio.sleep(SECONDS)
    after, cpu = counted(parties), served.ask("cpu") - cpu
    for one in parties:
        one.is_paced = True
    await asyncio.sleep(WARM_UP)
    choices, frames, size = (late - early for early, late in zip(before, after, strict=True))
    return Cost(1e6 * cpu / choices, frames / choices, size / choices)


def counted(parties: list[Party]) -> tuple[int, int, int]:
    for one in parties:
        if one.error is not None:
            raise RuntimeError(f"a server refused: {one.error}")
    return tuple(sum(getattr(one, what) for one in parties) for what in ("choices", "frames", "size"))


# Time from a choice to the fifth view of it.


async def latencies(folder: Path) -> tuple[list[float], list[float]]:
    """Milliseconds of every action at a steady rate, at Pokade and at the floor."""
    with Served("house", f"sqlite:///{folder}/latency.db", "at once") as house:
        ours = await paced(await at_the_house(house, ACTION, PACED_TABLES))
    with Served("floor", str(folder / "poch.json")) as floor:
        return ours, await paced(await at_the_floor(floor, PACED_TABLES))


async def paced(parties: list[Party]) -> list[float]:
    """An action is late from the moment it was due: a server that falls behind is not waited for.

    Whose turn it is comes by chance. In a fixed order all tables would deal new hands at the same moment.
    """
    start_paused(parties)
    while not all(one.waiting for one in parties):
        await asyncio.sleep(QUIET)
    began, draw = time.perf_counter(), random.Random(1)
    for number in range(int(RATE * PACED_SECONDS)):
        due = began + number / RATE
        await asyncio.sleep(due - time.perf_counter())
        while not any(one.act(due) for one in draw.sample(parties, PACED_TABLES)):
            if time.perf_counter() - began > 2 * PACED_SECONDS:
                raise RuntimeError(f"the server is far from {RATE} actions a second")
            await asyncio.sleep(0.001)
    await asyncio.sleep(1.0)
    return sorted(1000 * each for one in parties for each in one.latencies)


# Silent connections.


async def idles(folder: Path) -> tuple[Idle, Idle]:
    with Served("house", f"sqlite:///{folder}/idle.db", "at once") as house:
        cookies = await guests(house.port, SEATS)
        tables = await open_tables(house.port, cookies[0], IDLE_TABLES, ROUND)
        ours = await idle(house, lambda n: (f"/ws/{tables[n % IDLE_TABLES]}", cookies[n // IDLE_TABLES % SEATS]))
    with Served("floor", str(folder / "pok.json")) as floor:
        return ours, await idle(floor, lambda n: (f"/ws/t{n % IDLE_TABLES}/{n // IDLE_TABLES % SEATS}", ""))


async def idle(served: Served, where: Callable[[int], tuple[str, str]]) -> Idle:
    """Connect them all, some at a time; each counts once it has its first frame."""
    memory, began, numbers = served.ask("memory"), time.perf_counter(), iter(range(IDLE))
    links: list[Link] = []

    async def come() -> None:
        for number in numbers:
            link = await connect(served.port, *where(number))
            await link.hear()
            links.append(link)

    await asyncio.gather(*(come() for _ in range(AT_ONCE)))
    seconds = time.perf_counter() - began
    await asyncio.sleep(1.0)
    kilobytes = (served.ask("memory") - memory) / 1024 / IDLE
    for link in links:
        link.close()
    return Idle(kilobytes, IDLE / seconds)


# Tables with bots and clocks, as people play at them.


async def lags(folder: Path) -> dict[int, float]:
    """How late the server answers with so many tables, until it is too late: a person and four bots each."""
    found: dict[int, float] = {}
    began = time.perf_counter()
    with Served("house", f"sqlite:///{folder}/tables.db", "people") as house:
        (cookie,) = await guests(house.port, 1)
        parties: list[Party] = []
        for step in STEPS:
            parties += await with_bots(house, cookie, step - len(parties))
            found[step] = await lag(house)
            if found[step] > LAG or time.perf_counter() - began > LONGEST:
                break
    return found


async def strong_lags(folder: Path) -> Strong:
    """How late the server answers with so many tables of casual bots, of strong ones, and how late those answer."""
    lateness = {}
    for level in ("casual", "strong"):
        with Served("house", f"sqlite:///{folder}/{level}.db", "people") as house:
            (cookie,) = await guests(house.port, 1)
            await with_bots(house, cookie, 1, level)
            while level == "strong" and await _answers(house) < SEATS:  # until the code is compiled and loaded
                await asyncio.sleep(0.5)
            await with_bots(house, cookie, STRONG_TABLES - 1, level)
            lateness[level] = await lag(house)
            within, answers = await _answered_within(house, 0.3), await _answers(house)
    return Strong(lateness["casual"], lateness["strong"], within, answers)


async def _answers(house: Served) -> int:
    """How many choices strong bots have made."""
    return int(await _metric(house, 'pokade_strong_seconds_bucket{le="+Inf"}'))


async def _answered_within(house: Served, seconds: float) -> float:
    """The part of the strong bots' choices that took no longer."""
    return await _metric(house, f'pokade_strong_seconds_bucket{{le="{seconds}"}}') / max(1, await _answers(house))


async def _metric(house: Served, name: str) -> float:
    async with httpx.AsyncClient(base_url=f"http://{house.address}", timeout=30) as http:
        lines = (await http.get("/metrics")).text.splitlines()
    return float(next(line for line in lines if line.startswith(name)).rpartition(" ")[2])


async def with_bots(house: Served, cookie: str, count: int, level: str = "casual") -> list[Party]:
    tables = iter(await open_tables(house.port, cookie, count, WITH_BOTS))
    made: list[Party] = []

    async def begin() -> None:
        for table in tables:
            link = await connect(house.port, f"/ws/{table}", cookie)
            for seat in range(1, SEATS):
                link.say("bot", seat=seat, level=level)
            made.append(party([link]))
            made[-1].start()

    await asyncio.gather(*(begin() for _ in range(20)))
    return made


async def lag(house: Served) -> float:
    """The seconds within which 99 of 100 health checks are answered."""
    took: list[float] = []
    async with httpx.AsyncClient(base_url=f"http://{house.address}", timeout=30) as http:
        await http.get("/healthz")
        await asyncio.sleep(1.0)
        end = time.perf_counter() + STEP_SECONDS
        while time.perf_counter() < end:
            began = time.perf_counter()
            await http.get("/healthz")
            took.append(time.perf_counter() - began)
            await asyncio.sleep(BETWEEN_CHECKS)
    return at_rank(sorted(took), 0.99)


def at_rank(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


# The table.


async def measured() -> Load:
    with tempfile.TemporaryDirectory(prefix="pokade-bench-") as name, Progress(transient=True) as progress:
        folder, task = Path(name), progress.add_task("load", total=6)
        busy = os.getloadavg()[0] / (os.cpu_count() or 1)

        def on(found: Any) -> Any:
            progress.advance(task)
            return found

        return Load(
            on(await costs(ROUND, folder)),
            on(await costs(ACTION, folder)),
            on(await latencies(folder)),
            on(await idles(folder)),
            on(await lags(folder)),
            on(await strong_lags(folder)),
            busy,
        )


def load_table(found: Load) -> Table:
    """Each line: what Pokade needs, what the bare server needs, the ratio, and the goal."""
    table = Table(title=f"The server under load on SQLite, next to a bare uvicorn server ({TABLES} tables at once)")
    for heading in ("", "server", "floor", "ratio", "goal", ""):
        table.add_column(heading, justify="right" if heading else "left")
    if found.busy > BUSY:
        table.caption = (
            f"Others kept the machine busy ({found.busy:.1f} processes a core): only CPU and memory mean much."
        )
    for line in (*_cpu_lines(found), *_latency_lines(found), *_idle_lines(found), *_table_lines(found)):
        table.add_row(*line)
    return table


def _line(what: str, ours: float, bare: float, form: str, goal: str, is_met: bool | None) -> tuple[str, ...]:
    mark = "" if is_met is None else "[green]met[/]" if is_met else "[red]missed[/]"
    return what, form.format(ours), form.format(bare), f"{ours / bare:.2f} ×", goal, mark


def _cpu_lines(found: Load) -> list[tuple[str, ...]]:
    lines = []
    for what, times, (ours, bare, robust) in (
        ("CPU of a durable sealed round of five seats and the next throw (POK)", SEATS, found.rounds),
        ("CPU of a durable choice in five views, with the cards dealt (Poch)", 1, found.actions),
    ):
        ratio = ours.micros / bare.micros
        lines.append(_line(what, times * ours.micros, times * bare.micros, "{:,.0f} µs", "≤ 1.6 ×", ratio <= 1.6))
        with_queues = "  next to FastAPI with a queue for each socket"
        lines.append(_line(with_queues, times * ours.micros, times * robust.micros, "{:,.0f} µs", "", None))
        lines.append(_line("  frames sent for it", times * ours.frames, times * bare.frames, "{:.1f}", "", None))
        lines.append(_line("  bytes sent for it", times * ours.bytes, times * bare.bytes, "{:,.0f}", "", None))
    return lines


def _latency_lines(found: Load) -> list[tuple[str, ...]]:
    ours, bare = found.latency
    what = f"at {RATE} actions/s, from a choice to its fifth view"
    p50, p99 = ((at_rank(ours, part), at_rank(bare, part)) for part in (0.5, 0.99))
    return [
        _line(f"p50 {what}", *p50, "{:.2f} ms", "", None),
        _line(f"p99 {what}", *p99, "{:.2f} ms", "≤ 10 ms", p99[0] <= 10),
    ]


def _idle_lines(found: Load) -> list[tuple[str, ...]]:
    ours, bare = found.idle
    memory = f"memory of an idle connection, at {IDLE:,}"
    return [
        _line(memory, ours.kilobytes, bare.kilobytes, "{:.1f} KB", "≤ 36 KB", ours.kilobytes <= 36),
        _line("connects a second", ours.connects, bare.connects, "{:,.0f}", "≥ 1,000", ours.connects >= 1000),
    ]


def _table_lines(found: Load) -> list[tuple[str, ...]]:
    lines = [("tables × 5 seats held with bots and clocks (99 of 100 answers within 0.1 s)", f"{found.tables:,}")]
    lines += [(f"  slowest answers at {tables:,}", f"{1000 * lag:.0f} ms") for tables, lag in found.lags.items()]
    strong = found.strong
    return [
        *lines,
        (f"slowest answers at {STRONG_TABLES} tables, all bots casual", f"{1000 * strong.casual:.0f} ms"),
        ("  all bots strong", f"{1000 * strong.strong:.0f} ms"),
        (f"  their own answers within 0.3 s, of {strong.answers:,}", f"{100 * strong.within:.1f} %", "", "", "≥ 95 %"),
    ]


def summary(found: Load) -> dict[str, Any]:
    """The numbers for programs."""
    numbers = asdict(found) | {"tables": found.tables}
    numbers["latency"] = [{str(part): at_rank(one, part) for part in (0.5, 0.99)} for one in found.latency]
    return numbers


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks load", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the numbers to this file too")
    given = parser.parse_args(words)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(measured())
    Console(width=140).print(load_table(found))
    if given.json:
        given.json.write_text(json.dumps(summary(found), indent=2))
