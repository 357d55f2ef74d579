"""What the server logs: lines for people or one JSON object a line, and never a secret.

Our own loggers say what may be said. Libraries don't know what is secret here: of theirs only warnings are written,
without the values (uvicorn's lines at INFO hold addresses with ids and queries, and those at DEBUG whole frames). Of an
exception its kind and its places are written, never its words: those may hold whatever somebody sent.
"""

import contextlib
import logging
import re
import sys
import threading
import time
import traceback
from typing import Any, Final, Literal

import orjson

OURS: Final = "pokade"
LOG: Final = logging.getLogger("pokade.serve")
BUGS: Final = logging.getLogger("pokade.server")
LIBRARIES: Final = ("uvicorn", "uvicorn.error", "uvicorn.asgi", "uvicorn.access", "websockets", "asyncio", "asyncpg")
_USUAL: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}  # and no fields of ours
LONGEST: Final = 2000  # signs of a message
_REPR: Final = re.compile(r"[(<\[{].*")  # where asyncio begins to show values


def config(form: Literal["text", "json"], level: str) -> dict[str, Any]:
    """For `logging.config.dictConfig`, in this process and in every worker."""
    ours, theirs = level.upper(), "ERROR" if level == "error" else "WARNING"
    loggers: dict[str, Any] = {name: {"level": theirs, "handlers": [], "propagate": True} for name in LIBRARIES}
    loggers[OURS] = {"level": ours}
    loggers[LOG.name] = {"level": "DEBUG" if ours == "DEBUG" else "INFO"}  # opening and closing are always told
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"ours": {"()": Objects if form == "json" else Lines}},
        "handlers": {"ours": {"class": "logging.StreamHandler", "formatter": "ours", "stream": "ext://sys.stderr"}},
        "root": {"level": theirs, "handlers": ["ours"]},
        "loggers": loggers,
    }


class Lines(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        return _clean(f"{when} {record.levelname.lower()} {record.name}: {_words(record)}{fields}")


class Objects(logging.Formatter):
    """A JSON object on a line of its own."""

    def format(self, record: logging.LogRecord) -> str:
        seconds, milliseconds = divmod(int(record.created * 1000), 1000)
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
        told = {"time": f"{when}.{milliseconds:03}Z", "level": record.levelname.lower(), "logger": record.name}
        told |= {"process": record.process, "message": _clean(_words(record))} | _fields(record)
        return orjson.dumps(told, default=str).decode()


def _words(record: logging.LogRecord) -> str:
    """The message; of a library's only what stands in its source, and the numbers."""
    words = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
    with contextlib.suppress(TypeError, ValueError, KeyError):  # one that doesn't fit its values is still a message
        words = record.getMessage() if _is_ours(record) else words % _numbers(record.args)
    words = words.split("\n")[0]
    return _REPR.sub("…", words) if record.name == "asyncio" else words


def _clean(words: str) -> str:
    """On one line, and nothing in it that a terminal would obey."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in words[:LONGEST])


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name.split(".")[0] == OURS


def _numbers(values: object) -> tuple[float | str, ...]:
    given = values if isinstance(values, tuple) else ()
    return tuple(value if isinstance(value, int | float) else "…" for value in given)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """What a record of ours carries besides its message, and what is told of an exception."""
    fields = {name: value for name, value in vars(record).items() if name not in _USUAL} if _is_ours(record) else {}
    if record.exc_info and record.exc_info[1] is not None:
        fields |= {"error": type(record.exc_info[1]).__name__, "at": places(record.exc_info[1])}
    return fields


def places(error: BaseException) -> str:
    """Where an exception came from, the innermost place first."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    return " < ".join(f"{frame.name}:{frame.lineno}" for frame in frames)


def log_bug(error: Exception) -> None:
    """Where it happened and its kind; its words and values may hold what nobody may know."""
    BUGS.error("bug: %s at %s", type(error).__name__, places(error))


def catch_the_rest() -> None:
    """What nobody caught is written down like everything else; Python would print its words and values."""
    logging.raiseExceptions = False
    sys.excepthook = lambda _kind, error, _trace: _uncaught(error)
    sys.unraisablehook = lambda lost: _uncaught(lost.exc_value)
    threading.excepthook = lambda lost: _uncaught(lost.exc_value)


def _uncaught(error: BaseException | None) -> None:
    LOG.error("bug", exc_info=error)
