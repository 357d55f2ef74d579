"""A crowd that uploads the worst allowed records without end, while people play: `python -m benchmarks uploads`.

The server has its usual limits. Half of the crowd sits at the address of those who play, the other half each at an
address of its own; and half of it hangs up when it is refused, and comes again at once. What counts is how long casual
bots take to answer, and the health check.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

from benchmarks.crowd import Frame, Link, connect, guests, open_tables
from benchmarks.served import Served
from pokade import records
from pokade.fairness import Provable, proof_of
from pokade.games import GAMES
from pokade.games.play import Play
from pokade.loop import run

CROWD, SECONDS, WARM_UP, TABLES, BETWEEN_CHECKS = 20, 15.0, 3.0, 8, 0.02
LEVEL, BOTS = "casual", 4
NEW = {"game": "pok", "seats": BOTS + 1, "options": {"max_rounds": 10_000}}
HEADER = 'format = "record/1"\ngame = "pok"\nrules = "pok/1"\nplayers = ["A", "B", "C"]\nactions = []\n'


# The worst records that are allowed: games as long as they can be, and files that are hard to read.


def longest_game(n_seats: int, rounds: int) -> str:
    """A game of POK in which everybody shows the same for ever, with its proof."""
    play, seed, salts = Play(GAMES["pok"], n_seats, {"max_rounds": rounds}), bytes(32), [""] * n_seats
    for _ in run(play, Provable(seed, "t", salts, "pok"), lambda play, seat: play.legal(seat)[0]):
        pass
    return records.write(play, ["A"] * n_seats, proof=proof_of(seed, "t", salts))


def worst(folder: Path) -> list[Path]:
    made = {
        "long": longest_game(5, 10_000),
        "longest": longest_game(7, 9300),
        "sections": HEADER + "".join(f"[k{number}]\n" for number in range(110_000)),
        "numbers": HEADER.replace("[]", f"[{'1,' * 500_000}]"),
    }
    for name, text in made.items():
        (folder / f"{name}.toml").write_text(text)
    return [folder / f"{name}.toml" for name in made]


# The crowd, in a process of its own.


async def flood(port: int, files: list[Path]) -> None:
    """Upload until the standard input ends, then say how often what was answered."""
    answers: Counter[str] = Counter()
    bodies = [file.read_bytes() for file in files]
    each = [asyncio.create_task(uploading(port, number, bodies, answers)) for number in range(CROWD)]
    await asyncio.to_thread(sys.stdin.read)
    for task in each:
        task.cancel()
    print(json.dumps(answers))


async def uploading(port: int, number: int, bodies: list[bytes], answers: Counter[str]) -> None:
    """One of the crowd."""
    here, is_rude = "127.0.0.1" if number % 2 else f"127.0.1.{number + 1}", number % 4 < 2
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(here, 0))
            status = ""
            while status in ("", "200") or not is_rude:
                body, what = bodies[number % len(bodies)], ("verify", "replay")[number // 2 % 2]
                number += 1
                head = f"POST /api/{what} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write(head.encode() + body)
                status = await _status(reader)
                answers[status] += 1
            writer.transport.abort()
        except (OSError, asyncio.IncompleteReadError):
            answers["hung up"] += 1


async def _status(reader: asyncio.StreamReader) -> str:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    await reader.readexactly(int(head.partition("content-length: ")[2].split("\r\n")[0]))
    return head.split()[1]


# Those who play.


async def play(house: Served) -> list[Link]:
    return [await _with_bots(house, cookie) for cookie in await guests(house.port, TABLES)]


async def _with_bots(house: Served, cookie: str) -> Link:
    (table,) = await open_tables(house.port, cookie, 1, NEW)
    link = await connect(house.port, f"/ws/{table}", cookie)
    for seat in range(1, BOTS + 1):
        link.say("bot", seat=seat, level=LEVEL)
    link.say("start")
    return link


async def answering(link: Link, took: list[float]) -> None:
    """Choose at once, and time how long the bots take until all is shown; or have taken until the time is up."""
    chosen, number = 0.0, 0
    try:
        while True:
            view: Frame | None = (await link.hear()).get("view")
            if view and view["choices"]:
                chosen, number = time.perf_counter(), number + 1
                link.say("choose", seat=0, choice=view["choices"][0], id=f"{id(took)}-{number:06}")
            elif view and chosen:
                took.append(time.perf_counter() - chosen)
                chosen = 0.0
                link.say("next")
    finally:
        took += [time.perf_counter() - chosen] if chosen else []


async def checking(house: Served, took: list[float]) -> None:
    async with httpx.AsyncClient(base_url=f"http://{house.address}", timeout=60) as http:
        while True:
            began = time.perf_counter()
            await http.get("/healthz")
            took.append(time.perf_counter() - began)
            await asyncio.sleep(BETWEEN_CHECKS)


async def timed(house: Served, links: list[Link]) -> tuple[list[float], list[float], float]:
    """Seconds of bots' answers and of health checks, and the part of a core that the server needs."""
    answers: list[float] = []
    checks: list[float] = []
    cpu = house.ask("cpu")
    tasks = [asyncio.create_task(answering(link, answers)) for link in links]
    tasks.append(asyncio.create_task(checking(house, checks)))
    await asyncio.sleep(SECONDS)
    for task in tasks:
        task.cancel()
    failed = [one for one in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(one, Exception)]
    if failed:
        raise failed[0]
    return sorted(answers), sorted(checks), (house.ask("cpu") - cpu) / SECONDS


async def measured() -> tuple[Any, Any, dict[str, int]]:
    with tempfile.TemporaryDirectory(prefix="pokade-bench-") as name:
        files = worst(Path(name))
        with Served("limited", f"sqlite:///{name}/house.db") as house:
            usual = await timed(house, await play(house))
            links = await play(house)
            command = [sys.executable, "-m", "benchmarks.uploads", str(house.port), *map(str, files)]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
                await asyncio.sleep(WARM_UP)
                flooded = await timed(house, links)
                answered = json.loads((await asyncio.to_thread(crowd.communicate))[0])
    return usual, flooded, answered


def main() -> None:
    before = os.getloadavg()[0]
    usual, flooded, answered = asyncio.run(measured())
    table = Table(title=f"{CROWD} connections upload the worst records without end")
    for heading in ("", "usual", "flooded", "goal"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, part in (("p50", 0.5), ("p99", 0.99)):
        table.add_row(f"bots' answers {name}", *(f"{_at(one[0], part):.2f} s" for one in (usual, flooded)), "≤ 2 ×")
    for name, part, goal in (("p50", 0.5, ""), ("p99", 0.99, "≤ 50 ms")):
        table.add_row(f"/healthz {name}", *(f"{1000 * _at(one[1], part):.1f} ms" for one in (usual, flooded)), goal)
    table.add_row("CPU of the server", *(f"{100 * one[2]:.0f} %" for one in (usual, flooded)), "")
    Console(width=100).print(table, f"The crowd got {answered}. Others kept {before:.1f} processes running.")


def _at(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


if __name__ == "__main__":
    asyncio.run(flood(int(sys.argv[1]), [Path(file) for file in sys.argv[2:]]))
