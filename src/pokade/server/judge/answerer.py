"""A process that answers questions, one after the other, as the server has it: over a pipe, each behind its length."""

import asyncio
import contextlib
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence

import orjson

from pokade.games.errors import Refused
from pokade.server.judge.judge import LENGTHS, REFUSED, UNDER_WAY


class Answerer:
    """It starts with the first question, and is replaced when it is gone or was left in the middle of one."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self.process: Process | None = None

    async def ask(self, question: bytes, under_way: Callable[[bytes], None] = lambda _: None) -> bytes:
        """One question, one answer; `under_way` hears how far it is. Raises Refused."""
        process = await self._running()
        line = process.stdout
        assert process.stdin is not None  # noqa: S101 - it was asked for
        assert line is not None  # noqa: S101 - it was asked for
        try:
            process.stdin.write(question)
            await process.stdin.drain()
            while (heard := await _heard(line))[0] == UNDER_WAY:
                under_way(heard[1])
        except BaseException:
            await self.end()
            raise
        if heard[0] == REFUSED:
            raise Refused(*orjson.loads(heard[1]))
        return heard[1]

    async def end(self) -> None:
        """End the process; a question still under way gets no answer."""
        process, self.process = self.process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _running(self) -> Process:
        if self.process is None or self.process.returncode is not None:
            self.process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True
            )
        return self.process


async def _heard(line: asyncio.StreamReader) -> tuple[int, bytes]:
    kind, length = LENGTHS.unpack(await line.readexactly(LENGTHS.size))
    return kind, await line.readexactly(length)
