"""The judge: a process that replays, verifies and draws records, one after the other: `python -m pokade.server.judge`.

It gets questions on its standard input and answers on its standard output, each behind its length. It runs at low
priority, never waits for anybody but the house, writes nothing else anywhere, and ends when its input does.
"""

import os
import queue
import struct
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

import orjson

from pokade import fairness, records
from pokade.games import GAMES
from pokade.games.errors import BadRecord, Refused, Unfair
from pokade.games.play import Play
from pokade.games.state import CHANCE
from pokade.records import Proof, Record
from pokade.server import picture
from pokade.server.frames import Frame
from pokade.server.replays import uploaded, walk

MOST_ACTIONS: Final = 60_000  # of a record; as many as the longest games have that fit into one
LARGEST_ANSWER: Final = 16 << 20  # bytes; the largest we found are a fifth of it
NICENESS: Final = 10  # a house at work has ten times the weight
MEMORY: Final = 1 << 30  # bytes of addresses; the worst records that we found take 150 MB
LENGTHS: Final = struct.Struct("!II")  # of a question's words and of its record; or REFUSED or GIVEN, and of an answer
GIVEN: Final = 0
REFUSED: Final = 1


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be done with a record, or with a game of the house that is first written down as one."""

    do: str
    words: Frame
    record: bytes = b""
    game: Frame | None = None

    def packed(self) -> bytes:
        """As it goes over the line."""
        words = orjson.dumps({"do": self.do, "words": self.words, "game": self.game})
        return LENGTHS.pack(len(words), len(self.record)) + words + self.record


def game_of(
    play: Play,
    names: list[str],
    view: str,
    notes: list[tuple[int, str]],
    proof: Proof | None,
    *,
    is_closed: bool = False,
) -> Frame:
    """A game as a question carries it: what has happened by now, and how it is to be written."""
    told = None if proof is None else {name: getattr(proof, name) for name in Proof.__slots__}
    head = {"name": play.game.name, "seats": play.n_seats, "options": play.options, "steps": play.steps[:]}
    return head | {"names": names, "view": view, "notes": notes[:], "proof": told, "is_closed": is_closed}


def answered(question: Question) -> bytes:
    """The whole answer to a question. Raises Refused."""
    record = question.record if question.game is None else _written(question.game)
    answer = DOING[question.do](record, **question.words)
    if len(answer) > LARGEST_ANSWER:
        raise Refused("record/long", "there is too much in this record to be shown")
    return answer


def _written(game: Frame) -> bytes:
    play = Play(GAMES[game["name"]], game["seats"], game["options"])
    for actor, value in game["steps"]:
        if actor == CHANCE:
            play.happen(value)
        else:
            play.choose(actor, value)
    proof = game["proof"] and Proof(**game["proof"])
    how = {"view": game["view"], "notes": game["notes"], "is_closed": game["is_closed"]}
    return records.write(play, game["names"], proof=proof, **how).encode()


def _replayed(raw: bytes, eyes: str, first: int, most: int) -> bytes:
    record = uploaded(raw)
    _bound(record)
    proof = record.proof if isinstance(record.proof, dict) else {}
    answer = {
        "game": record.game.name,
        "names": list(record.players),
        "options": dict(record.options),
        "commitment": str(proof.get("commitment", "")),
        "actions": len(record.actions),
        "steps": walk(record, eyes, first, most),
    }
    return orjson.dumps(answer)


def _verified(raw: bytes, shown: str) -> bytes:
    answer: Frame = {"fair": True, "code": "", "text": "", "action": 0}
    answer |= {"table": "", "commitment": "", "seed": "", "salts": [], "draws": []}
    try:
        record = records.read(raw)
        _bound(record)
        answer |= _promised(record)
        draws = fairness.verify(record, shown)
    except BadRecord as error:
        code = "proof/unfair" if isinstance(error, Unfair) else "record/bad"
        return orjson.dumps(answer | {"fair": False, "code": code, "text": str(error), "action": error.action})
    names = ("number", "tickets", "ticket", "outcome", "action")
    return orjson.dumps(answer | {"draws": [{name: getattr(draw, name) for name in names} for draw in draws]})


def _pictured(raw: bytes, shape: str, language: str) -> bytes:
    record = uploaded(raw)
    _bound(record)
    try:
        play = records.replay(record)
    except BadRecord as error:
        raise Refused("record/bad", f"action {error.action}: {error}") from None
    return picture.png(picture.Result.of(play, record.players), shape, language)


def _bound(record: Record) -> None:
    if len(record.actions) > MOST_ACTIONS:
        raise Refused("record/long", f"a record of at most {MOST_ACTIONS} actions is judged")


def _promised(record: Record) -> Frame:
    """What the proof in a record says, right or wrong: whoever checks it elsewhere needs just that."""
    proof = record.proof if isinstance(record.proof, dict) else {}
    texts_in = {word: str(proof.get(word, "")) for word in ("table", "commitment", "seed")}
    salts = proof.get("salts")
    return texts_in | {"salts": [str(salt) for salt in salts] if isinstance(salts, list) else []}


DOING: Final[dict[str, Callable[..., bytes]]] = {
    "write": lambda raw: raw,
    "replay": _replayed,
    "verify": _verified,
    "picture": _pictured,
}


# The process.


def main() -> None:
    """Answer until the house is gone."""
    _step_back()
    questions: queue.SimpleQueue[Question] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    while True:
        _answer(sys.stdout.buffer, questions.get())


def _step_back() -> None:
    """Run behind everybody else, and die rather than fill the memory, where the platform can do that."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - there is none elsewhere

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _listen(line: BinaryIO, questions: "queue.SimpleQueue[Question]") -> None:
    """Read in a thread of its own, so that the end of the house is noticed in the middle of a record too."""
    while len(lengths := line.read(LENGTHS.size)) == LENGTHS.size:
        n_words, n_record = LENGTHS.unpack(lengths)
        words: dict[str, Any] = orjson.loads(line.read(n_words))
        questions.put(Question(**words, record=line.read(n_record)))
    os._exit(0)


def _answer(line: BinaryIO, question: Question) -> None:
    try:
        kind, answer = GIVEN, answered(question)
    except Refused as error:
        kind, answer = REFUSED, orjson.dumps([error.code, str(error)])
    line.write(LENGTHS.pack(kind, len(answer)) + answer)
    line.flush()


if __name__ == "__main__":
    main()
