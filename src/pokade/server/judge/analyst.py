"""The analyst: a process that looks back at finished games, one by one: `python -m pokade.server.judge.analyst`.

It is apart from the judge, since an analysis takes seconds and loads the compiler. It speaks over the same kind of
line, and says now and then how far it is. It ends when its input does.
"""

import queue
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO, Final

import orjson

from pokade import records
from pokade.games.errors import BadRecord, Refused
from pokade.server.judge.__main__ import listen, lower_priority
from pokade.server.judge.judge import GIVEN, LENGTHS, REFUSED, Question, record_in

UNDER_WAY: Final = 2  # beside REFUSED and GIVEN: how far it is, as [done, of how many]
MEMORY: Final = 4 << 30  # bytes of addresses; a compiler takes many that it never uses


def main() -> None:
    """Answer until the server is gone."""
    lower_priority(MEMORY)
    questions: queue.SimpleQueue[Question] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    while True:
        answer(sys.stdout.buffer, questions.get())


def answer(line: BinaryIO, question: Question) -> None:
    """Look back at one game, and say how far it is on the way."""

    def progress(done: int, total: int) -> None:
        _send(line, UNDER_WAY, [done, total])

    try:
        _send(line, GIVEN, analysis_of(question, progress))
    except Refused as error:
        _send(line, REFUSED, [error.code, str(error)])


def analysis_of(question: Question, progress: Callable[[int, int], None]) -> object:
    """The analysis of a game that is over, or whose table is closed. Raises Refused."""
    from pokade.analysis import analysed, told  # noqa: PLC0415 - loads the compiler, which takes a moment

    try:
        return told(analysed(records.read(record_in(question)), progress, is_closed=True))
    except BadRecord as error:
        raise Refused("record/bad", f"action {error.action}: {error}") from None


def _send(line: BinaryIO, kind: int, what: object) -> None:
    words = orjson.dumps(what)
    line.write(LENGTHS.pack(kind, len(words)) + words)
    line.flush()


if __name__ == "__main__":
    main()
