"""What the judge does with a record: it is replayed, verified, drawn, or first written down."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import orjson

from pokade import fairness, records
from pokade.games import GAMES
from pokade.games.errors import BadRecord, Refused, Unfair
from pokade.games.play import Play
from pokade.records import Proof, Record
from pokade.server.views.frames import Frame
from pokade.server.views.replays import refusal, uploaded, walk
from pokade.server.views.result import Result
from pokade.texts import LANGUAGES, explained

MOST_ACTIONS: Final = 60_000  # of a record; as many as the longest games have that fit into one
LARGEST_ANSWER: Final = 16 << 20  # bytes; the largest we found are a fifth of it
LENGTHS: Final = struct.Struct("!II")  # of a question's words and of its record; or a kind of answer, and of its words
GIVEN: Final = 0
REFUSED: Final = 1
UNDER_WAY: Final = 2  # no answer yet: how far it is, as [done, of how many]


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be done with a record, or with a game of a table that is first written down as one."""

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
    answer = DOING[question.do](record_in(question), **question.words)
    if len(answer) > LARGEST_ANSWER:
        raise Refused("record/long", "there is too much in this record to be shown")
    return answer


def record_in(question: Question) -> bytes:
    """The record that a question is about; that of a table's game is written first."""
    return question.record if question.game is None else _written(question.game)


def _written(game: Frame) -> bytes:
    play = Play(GAMES[game["name"]], game["seats"], game["options"])
    for actor, value in game["steps"]:
        play.take(actor, value)
    proof = game["proof"] and Proof(**game["proof"])
    how = {"view": game["view"], "notes": game["notes"], "is_closed": game["is_closed"]}
    return records.write(play, game["names"], proof=proof, **how).encode()


def _replayed(raw: bytes, eyes: str, first: int, most: int, language: str = LANGUAGES[0]) -> bytes:
    record = uploaded(raw, language)
    _bound(record)
    proof = record.proof if isinstance(record.proof, dict) else {}
    answer = {
        "game": record.game.name,
        "names": list(record.players),
        "options": dict(record.options),
        "commitment": str(proof.get("commitment", "")),
        "actions": len(record.actions),
        "steps": walk(record, eyes, first, most, language),
    }
    return orjson.dumps(answer)


def _verified(raw: bytes, shown: str, language: str = LANGUAGES[0]) -> bytes:
    answer: Frame = {"fair": True, "code": "", "text": "", "action": 0}
    answer |= {"table": "", "commitment": "", "seed": "", "salts": [], "draws": []}
    try:
        record = records.read(raw)
        _bound(record)
        answer |= _promised(record)
        draws = fairness.verify(record, shown)
    except BadRecord as error:
        code = "proof/unfair" if isinstance(error, Unfair) else "record/bad"
        said = explained(language, error)
        return orjson.dumps(answer | {"fair": False, "code": code, "text": said, "action": error.action})
    names = ("number", "tickets", "ticket", "outcome", "action")
    return orjson.dumps(answer | {"draws": [{name: getattr(draw, name) for name in names} for draw in draws]})


def _pictured(raw: bytes, shape: str, language: str) -> bytes:
    from pokade.server.judge import picture  # noqa: PLC0415 - needs Pillow, which replays and proofs do without

    record = uploaded(raw, language)
    _bound(record)
    try:
        play = records.replay(record)
    except BadRecord as error:
        raise refusal(error, language) from None
    return picture.png(Result.of(play, record.players), shape, language)


def _bound(record: Record) -> None:
    if len(record.actions) > MOST_ACTIONS:
        raise Refused("record/long", f"a record of at most {MOST_ACTIONS} actions is judged")


def _promised(record: Record) -> Frame:
    """What the proof in a record says, right or wrong: a check elsewhere needs just that."""
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
