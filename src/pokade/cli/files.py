"""Files of records, as commands read them and answer for them: they wait for nothing and show no traceback."""

import codecs
import json
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final, NoReturn

import typer

from pokade import records
from pokade.cli.options import FAILED, fail
from pokade.games.errors import BadRecord
from pokade.records import one_line
from pokade.texts import explained, text

STANDARD_INPUT: Final = "-"
LARGEST_FILE: Final = 1 << 30  # bytes
_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Piece:
    """One record of a file: the path as it was given, and its number if the file has several (else 0)."""

    file: str
    number: int
    raw: bytes


Answer = Callable[[Piece, BadRecord | None], bool]  # says whether the record was right


def answer_all(paths: Sequence[str], answer: Answer) -> NoReturn:
    """Answer for every record of the files in order, and end the command: with status 1 if any was not right."""
    try:
        are_right = [_answer_file(path, answer) for path in paths]
    except OSError as error:
        _hush()
        if isinstance(error, BrokenPipeError):
            raise typer.Exit(FAILED) from None
        fail(_reason(error), FAILED)
    raise typer.Exit(0 if all(are_right) else 1)


def _answer_file(path: str, answer: Answer) -> bool:
    """Answer for every record of a file, or once for a file that can't be read."""
    is_right = True
    found = _pieces(path)
    while True:
        try:
            piece = next(found)
        except StopIteration:
            return is_right
        except BadRecord as trouble:
            return answer(Piece(path, 0, b""), trouble)
        is_right &= answer(piece, None)


def _pieces(path: str) -> Iterator[Piece]:
    """The records of a file, one at a time; nothing of them before all of the file is known to be UTF-8."""
    try:
        with _opened(path) as file:
            _check_encoding(file)
            for number, raw in records.pieces(file):
                yield Piece(path, number, raw)
    except (OSError, ValueError) as error:
        why = _reason(error)
        raise BadRecord(0, "file/system", why, why=why) from None


def _opened(path: str) -> IO[bytes]:
    """A file to read, which never waits for anybody: no pipes, no devices."""
    if path == STANDARD_INPUT:
        return _standard_input()
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode):
        if stat.S_ISDIR(mode):
            raise BadRecord(0, "file/folder", "Is a directory")
        raise BadRecord(0, "file/kind", "not a regular file; - reads standard input")
    return open(path, "rb")


def _standard_input() -> IO[bytes]:
    """Standard input as a file that can be read twice."""
    if sys.stdin is None:
        raise BadRecord(0, "file/input", "there is no standard input")
    spool = tempfile.TemporaryFile()  # noqa: SIM115  # the caller closes it
    while spool.tell() <= LARGEST_FILE and (chunk := sys.stdin.buffer.read(_CHUNK)):
        spool.write(chunk)
    spool.seek(0)
    return spool


def _check_encoding(file: IO[bytes]) -> None:
    decode = codecs.getincrementaldecoder("utf-8")().decode
    try:
        while chunk := file.read(_CHUNK):
            decode(chunk)
            if file.tell() > LARGEST_FILE:
                raise BadRecord(0, "file/size", "a file is at most 1 GiB")
        decode(b"", True)
    except UnicodeDecodeError:
        raise BadRecord(0, "record/encoding", "not UTF-8") from None
    file.seek(0)


def _reason(error: Exception) -> str:
    return one_line((error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__)


def _hush() -> None:
    """Nobody reads any more, or nothing can be written: let what is left go nowhere."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def echo_json(piece: Piece, answer: Mapping[str, Any]) -> bool:
    """One object on a line of its own; says whether the record was right."""
    numbered = {"record": piece.number} if piece.number else {}
    typer.echo(json.dumps({"file": piece.file} | numbered | dict(answer)))  # flushes
    return bool(answer["ok"])


def wrong(trouble: BadRecord) -> dict[str, Any]:
    """What programs are told of a record that is not right."""
    return {"ok": False, "action": trouble.action, "error": str(trouble)}


def place(language: str, piece: Piece, action: int = 0) -> str:
    """Where something is: the file, the record if there are several, the action if it is one."""
    where = [one_line(piece.file)]
    where += [text(language, "replay.record", number=piece.number)] if piece.number else []
    where += [text(language, "replay.action", number=action)] if action else []
    return ", ".join(where)


def complaint(language: str, piece: Piece, trouble: BadRecord) -> str:
    """What people are told of a record that is not right."""
    return f"{place(language, piece, trouble.action)}: {one_line(explained(language, trouble))}"
