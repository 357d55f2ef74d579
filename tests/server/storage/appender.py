"""A process that appends as fast as it can and prints each version that was acknowledged, until it is killed.

python -m tests.server.storage.appender URL append TABLES, or URL race VERSIONS to race for each
version of one table, whenever told to go, and say who won.
"""

import asyncio
import os
import sys

from pokade.server.storage import Storage, VersionTaken, open_storage

EVENTS_AT_ONCE = 3


def content(table: str, version: int) -> bytes:
    return f"{table} at {version} ".encode() * 5


async def append_on(storage: Storage, table: str) -> None:
    logged = await storage.events(table)
    version = logged[-1].version if logged else 0
    while True:
        new = range(version + 1, version + 2 + version % EVENTS_AT_ONCE)
        await storage.append(table, new[0], [content(table, number) for number in new])
        version = new[-1]
        os.write(1, f"{table} {version}\n".encode())


async def race(storage: Storage, table: str, versions: int) -> None:
    """Try for every version, each when all are told to go."""
    for version in range(1, versions + 1):
        sys.stdin.readline()
        try:
            await storage.append(table, version, [str(os.getpid()).encode()])
            os.write(1, b"won\n")
        except VersionTaken:
            os.write(1, b"lost\n")


async def main(url: str, what: str, number: int) -> None:
    storage = await open_storage(url)
    os.write(1, b"ready\n")
    if what == "race":
        await race(storage, "raced", number)
        await storage.close()
    else:
        await asyncio.gather(*(append_on(storage, f"table-{i}") for i in range(number)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
