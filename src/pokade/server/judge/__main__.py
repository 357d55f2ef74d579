"""The judge: a process that answers questions about records, one after the other: `python -m pokade.server.judge`.

It gets questions on its standard input and answers on its standard output, each behind its length. It runs at low
priority, never waits for anything but its input, writes nothing else anywhere, and ends when its input does.
"""

import contextlib
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO, Final

import orjson

from pokade.games.errors import Refused
from pokade.server.judge.judge import GIVEN, LENGTHS, REFUSED, Question, answered

NICENESS: Final = 10  # a busy server has ten times the weight
MEMORY: Final = 1 << 30  # bytes of addresses; the worst records that we found take 150 MB


def main() -> None:
    """Answer until the server is gone."""
    answer_all(_answer, MEMORY)


def answer_all(answer: Callable[[BinaryIO, Question], None], memory: int) -> None:
    """Answer one question after the other, at low priority, until the server is gone."""
    _lower_priority(memory)
    questions: queue.SimpleQueue[Question] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    while True:
        answer(sys.stdout.buffer, questions.get())


def _lower_priority(memory: int) -> None:
    """Low priority, and a memory limit, where the platform has them."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - there is none elsewhere

        with contextlib.suppress(ValueError, OSError):  # macOS has the limit and refuses to set it
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _listen(line: BinaryIO, questions: "queue.SimpleQueue[Question]") -> None:
    """Read in a thread of its own, so that the end of the server is noticed in the middle of a record too."""
    while len(lengths := line.read(LENGTHS.size)) == LENGTHS.size:
        n_words, n_record = LENGTHS.unpack(lengths)
        words: dict[str, Any] = orjson.loads(line.read(n_words))
        questions.put(Question(**words, record=line.read(n_record)))
    os._exit(0)


def _answer(line: BinaryIO, question: Question) -> None:
    try:
        send(line, GIVEN, answered(question))
    except Refused as error:
        send(line, REFUSED, orjson.dumps([error.code, str(error)]))


def send(line: BinaryIO, kind: int, words: bytes) -> None:
    """An answer of a kind, or how far it is."""
    line.write(LENGTHS.pack(kind, len(words)) + words)
    line.flush()


if __name__ == "__main__":
    main()
