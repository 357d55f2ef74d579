"""Two school classes at one address, while somebody there floods the server: `python -m benchmarks classes`.

Sixty fresh browsers come within five seconds: each loads the page with its files, comes in, opens a table against bots
and gets its first choice. The crowd at the same address uploads the worst records, opens tables and sends messages, all
without end. The server has its usual limits.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from benchmarks import uploads
from benchmarks.crowd import connect
from benchmarks.served import Served

BROWSERS, WITHIN, AT_ONCE, WARM_UP = 60, 5.0, 6, 3.0  # a browser has six connections
TABLES, TALKERS = 5, 5  # clients that open tables, and clients that send messages
PATIENCE = 60.0
FILE = re.compile(r'(?:src|href)="(/assets/[^"]+)"')


async def browse(port: int, delay: float, refused: Counter[str]) -> tuple[float, float]:
    """The seconds until the page was whole, and until there was something to choose."""
    await asyncio.sleep(delay)
    began, house = time.perf_counter(), f"http://127.0.0.1:{port}"
    limits = httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE)
    # Loading certificates for each of them would take longer than the rest.
    async with httpx.AsyncClient(base_url=house, timeout=PATIENCE, limits=limits, verify=False) as http:  # noqa: S501

        async def ask(method: str, path: str, **words: object) -> httpx.Response:
            answer = await http.request(method, path, **words)
            if answer.status_code != 200:
                refused[f"{path.split('/')[1]} {answer.status_code}"] += 1
            return answer

        page = await ask("GET", "/")
        await asyncio.gather(*(ask("GET", file) for file in FILE.findall(page.text)), ask("GET", "/api/tables"))
        whole = time.perf_counter() - began
        cookie = (await ask("POST", "/api/guest", json={"name": "Ada"})).headers["set-cookie"].split(";")[0]
        table = (await ask("POST", "/api/quick/pok")).json()["id"]
        link = await connect(port, f"/ws/{table}", cookie)
        while not (await link.hear()).get("view", {}).get("choices"):
            pass
        link.close()
        return whole, time.perf_counter() - began


async def come(port: int) -> tuple[list[float], list[float], Counter[str]]:
    refused: Counter[str] = Counter()
    browsers = (browse(port, WITHIN * number / BROWSERS, refused) for number in range(BROWSERS))
    times = await asyncio.gather(*browsers)
    return sorted(one[0] for one in times), sorted(one[1] for one in times), refused


# Those who flood, in a process of their own.


async def flood(port: int, files: list[Path]) -> None:
    answers: Counter[str] = Counter()
    bodies = [file.read_bytes() for file in files]
    tasks = [asyncio.create_task(uploads.uploading(port, number, bodies, answers)) for number in range(uploads.CROWD)]
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as http:
        came = [await http.post("/api/guest", json={"name": "M"}) for _ in range(TABLES + TALKERS)]
        cookies = [answer.headers["set-cookie"].split(";")[0] for answer in came]
        http.cookies.clear()
        tasks += [asyncio.create_task(_opening(http, cookie, answers)) for cookie in cookies[:TABLES]]
        tasks += [asyncio.create_task(_talking(http, port, cookie, answers)) for cookie in cookies[TABLES:]]
        await asyncio.to_thread(sys.stdin.read)
    print(json.dumps(answers))
    os._exit(0)  # they would go on for ever


async def _opening(http: httpx.AsyncClient, cookie: str, answers: Counter[str]) -> None:
    while True:
        answer = await http.post("/api/tables", json={"game": "pok", "seats": 5}, headers={"Cookie": cookie})
        answers[f"tables {answer.status_code}"] += 1


async def _talking(http: httpx.AsyncClient, port: int, cookie: str, answers: Counter[str]) -> None:
    opened = await http.post("/api/tables", json={"game": "pok", "seats": 3}, headers={"Cookie": cookie})
    while True:
        try:
            link = await connect(port, f"/ws/{opened.json()['id']}", cookie)
            while not link.is_lost:
                link.say("chat", text="!")
                answers["messages"] += 1
                await asyncio.sleep(0.001)
        except OSError:
            answers["sockets refused"] += 1
            await asyncio.sleep(0.01)


async def measured() -> tuple[list[tuple[list[float], list[float], Counter[str]]], dict[str, int]]:
    found = []
    with tempfile.TemporaryDirectory(prefix="pokade-bench-") as name:
        files = uploads.worst(Path(name))
        with Served("limited", f"sqlite:///{name}/quiet.db") as house:
            found.append(await come(house.port))
        with Served("limited", f"sqlite:///{name}/flooded.db") as house:
            command = [sys.executable, "-m", "benchmarks.classes", str(house.port), *map(str, files)]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
                await asyncio.sleep(WARM_UP)
                found.append(await come(house.port))
                answered = json.loads((await asyncio.to_thread(crowd.communicate))[0])
    return found, answered


def main() -> None:
    before = os.getloadavg()[0]
    found, answered = asyncio.run(measured())
    table = Table(title=f"{BROWSERS} fresh browsers at one address within {WITHIN:g} s")
    for heading in ("", "quiet", "flooded", "goal"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, which in (("the page is whole", 0), ("a choice is there", 1)):
        for rank, part in (("half of them", 0.5), ("the last", 1.0)):
            cells = [f"{one[which][min(BROWSERS - 1, int(part * BROWSERS))]:.2f} s" for one in found]
            table.add_row(f"{name}, {rank}", *cells, "")
    table.add_row("requests refused", *(str(sum(one[2].values())) for one in found), "0")
    Console(width=100).print(table, f"The flood got {answered}. Others kept {before:.1f} processes running.")


if __name__ == "__main__":
    asyncio.run(flood(int(sys.argv[1]), [Path(file) for file in sys.argv[2:]]))
