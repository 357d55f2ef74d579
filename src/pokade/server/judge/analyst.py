"""The analyst: a process that looks back at finished games, one by one: `python -m pokade.server.judge.analyst`.

It is apart from the judge, since an analysis takes seconds and loads the compiler. It speaks over the same kind of
line, and says now and then how far it is. It ends when its input does.
"""

from collections.abc import Callable
from typing import BinaryIO, Final

import orjson

from pokade import records
from pokade.games.errors import BadRecord, Refused
from pokade.server.judge.__main__ import answer_all, send
from pokade.server.judge.judge import GIVEN, REFUSED, UNDER_WAY, Question, record_in

MEMORY: Final = 4 << 30  # bytes of addresses; a compiler takes many that it never uses


def main() -> None:
    """Answer until the server is gone."""
    answer_all(answer, MEMORY)


def answer(line: BinaryIO, question: Question) -> None:
    """Look back at one game, and say how far it is on the way."""

    def progress(done: int, total: int) -> None:
        send(line, UNDER_WAY, orjson.dumps([done, total]))

    try:
        send(line, GIVEN, orjson.dumps(analysis_of(question, progress)))
    except Refused as error:
        send(line, REFUSED, orjson.dumps([error.code, str(error)]))


def analysis_of(question: Question, progress: Callable[[int, int], None]) -> object:
    """The analysis of a game that is over, or whose table is closed. Raises Refused."""
    from pokade.analysis import analysed, told  # noqa: PLC0415 - loads the compiler, which takes a moment

    try:
        return told(analysed(records.read(record_in(question)), progress, is_closed=True))
    except BadRecord as error:
        raise Refused("record/bad", f"action {error.action}: {error}") from None


if __name__ == "__main__":
    main()
