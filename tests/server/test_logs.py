"""What the house writes down: a whole game with errors and bugs in it, and no secret of it in the log."""

import json
import logging
import logging.config
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

import orjson
import pytest

from pokade.server import logs
from tests.server.clients import Frame, Guest, Tab
from tests.server.open_house import COMMAND, OpenHouse, answer, sit_down

NAMES = ("Zaphrodine", "Quillibrand", "Xanthippus")
SALTS = ("saffron-salt",)
CHATTED = "whispered-between-friends"
BOOM = "BOOM-a-bug-with-a-secret"
QUERY = "s3cret-in-the-query"
PLANTED = "s3cret-in-an-exception"
FRAME_PIECE = 40  # signs of a frame that nobody writes by chance

# Bugs of every kind: in what a message does, in a request, in a callback, in a task, in a thread, in a destructor.
BUGS = f"""
import asyncio, threading
from pokade.server.storage.sqlite import SqliteStorage

append, listed_tables = SqliteStorage.append, SqliteStorage.listed_tables

async def broken_append(self, table, version, events, **more):
    if any({BOOM.encode()!r} in event for event in events):
        raise ValueError(f"{{table}} {{events}}")
    await append(self, table, version, events, **more)

def fail(*words):
    raise ValueError(*words)

async def failing(words):
    fail(words)

class Lost:
    def __del__(self):
        fail({PLANTED!r})

async def broken_list(self, *_):
    loop = asyncio.get_running_loop()
    loop.call_soon(fail, {PLANTED!r}, 1)
    loop.create_task(failing({PLANTED!r}))
    thread = threading.Thread(target=fail, args=({PLANTED!r},))
    thread.start()
    await asyncio.to_thread(thread.join)
    Lost()
    raise KeyError({PLANTED!r})

SqliteStorage.append, SqliteStorage.listed_tables = broken_append, broken_list
"""

# A house that lets the libraries talk as they like.
TALKATIVE = """
import copy, uvicorn.config
from pokade.server import logs

def config(*_):
    talk = copy.deepcopy(uvicorn.config.LOGGING_CONFIG)
    talk["loggers"]["uvicorn"]["level"] = talk["loggers"]["uvicorn.error"]["level"] = "DEBUG"
    return talk

logs.config = config
"""


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_whole_game_with_errors_and_bugs_leaves_no_secret_in_the_log(form: str, tmp_path: Path):
    said, log, secrets = an_evening(tmp_path, "--log", form, "--log-level", "debug")

    assert leaked(said + log, secrets) == []
    assert [line for line in log.splitlines() if not is_well_formed(line, form)] == []
    told = ("/api/tables 500", "refused: choice/", "bug: ValueError", "bug: KeyError", "refused: message/json")
    told += ("Task exception was never retrieved", "Exception in callback", "bug")
    assert [words for words in told if words not in log] == []
    assert (
        sum("pokade.serve" in line and "fail:" in line for line in log.splitlines()) == 2
    )  # the thread, the destructor


def test_the_search_for_secrets_finds_them_where_libraries_may_talk(tmp_path: Path):
    _, log, secrets = an_evening(tmp_path, plant=TALKATIVE)

    found = set(leaked(log, secrets))

    assert {"query", "table", "token", "name", "salt", "choice id", "chat", "planted", "frame"} <= found


def is_well_formed(line: str, form: str) -> bool:
    if form == "json":
        return set(json.loads(line)) >= {"time", "level", "logger", "message"}
    return bool(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (debug|info|warning|error) [a-z.]+: ", line))


Secrets = dict[str, list[str]]


def an_evening(folder: Path, *flags: str, plant: str = "") -> tuple[str, str, Secrets]:
    """A whole game of three people who also err, in a house with bugs: what it said, its log, all that is secret."""
    folder = folder / f"{time.monotonic_ns()}"
    folder.mkdir()
    db = f"sqlite:///{folder / 'house.sqlite'}"
    with OpenHouse(folder, "--db", db, *flags, code=BUGS + plant + COMMAND) as house, ExitStack() as stack:
        people = [stack.enter_context(Guest(house.address, name)) for name in NAMES]
        table = people[0].open(options={"max_rounds": 2})
        tabs = [person.at(table["id"], q=QUERY) for person in people]
        begin(people, tabs)
        err(people[0], tabs[0])
        with ThreadPoolExecutor(3) as pool:
            frames = list(pool.map(play_on, people, tabs, range(3)))
        record = people[0].http.get(f"/api/tables/{table['id']}/record").text
        assert house.stop() == 0
    secrets = {
        "query": [QUERY],
        "table": [table["id"], table["code"]],
        "token": [token for person in people for token in person.http.cookies.values()],
        "person": [person.person for person in people],
        "name": list(NAMES),
        "salt": list(SALTS),
        "seed": [record.partition("seed = ")[2].split('"')[1]],
        "choice id": [f"choice-of-{name}" for name in NAMES],
        "chat": [CHATTED, BOOM],
        "planted": [PLANTED],
        "frame": [piece for seen in frames for frame in seen for piece in pieces(frame)],
    }
    return "".join(house.said), house.log.read_text(), secrets


def begin(people: list[Guest], tabs: list[Tab]) -> None:
    tabs[0].say("salt", seat=0, salt=SALTS[0])
    tabs[0].say("chat", text=CHATTED)
    tabs[0].hear_until("chat")
    sit_down(people, tabs)
    tabs[0].hear_until("step")


def err(person: Guest, tab: Tab) -> None:
    """Mistakes of a person, and bugs of the house."""
    codes = [tab.code_of("{ no JSON " + CHATTED), tab.refused("dance", text=CHATTED)]
    codes += [tab.refused("choose", seat=seat, choice=99_999, id=f"choice-of-{person.name}") for seat in (0, 1)]
    codes += [tab.refused("chat", text=BOOM)]
    assert codes == ["message/json", "message/unknown", "choice/illegal", "seat/not-yours", "server/bug"]
    assert person.http.get(f"/api/tables?q={QUERY}").status_code == 500
    assert person.http.get(f"/api/join/{CHATTED}").status_code == 404
    assert person.http.post("/api/tables", content="{ no JSON " + CHATTED).status_code == 422


def play_on(person: Guest, tab: Tab, seat: int) -> list[Frame]:
    """Play to the end, first of all what may have been asked already; all frames that came."""
    frames: list[Frame] = []
    tab.say("choose", seat=seat, choice=0, id=f"choice-of-{person.name}")
    while not frames or frames[-1].get("table", {}).get("status") != "over":
        frames.append(tab.hear())
        answer(tab, frames[-1], seat, f"choice-of-{person.name}-{frames[-1].get('n')}")
    return frames


def pieces(frame: Frame) -> list[str]:
    """A frame as it is sent, in parts so small that a line of a log could hold one."""
    sent = orjson.dumps(frame).decode()
    return [sent[at : at + FRAME_PIECE] for at in range(0, len(sent) - FRAME_PIECE, FRAME_PIECE)]


def leaked(log: str, secrets: Secrets) -> list[str]:
    """The kinds of secrets that stand in a log."""
    return [kind for kind, hidden in secrets.items() if any(secret in log for secret in hidden)]


# Line by line


def written(form: Literal["text", "json"], level: str, talk: Callable[[], object], capsys: Any) -> list[str]:
    """What is written of what somebody logs."""
    before = {name: logging.getLogger(name).level for name in ("", *logs.LIBRARIES, logs.OURS, logs.LOG.name)}
    handlers = logging.root.handlers[:]
    try:
        logging.config.dictConfig(logs.config(form, level))
        talk()
    finally:
        logging.root.handlers[:] = handlers
        for name, was in before.items():
            logging.getLogger(name).setLevel(was)
    lines: list[str] = capsys.readouterr().err.splitlines()
    return lines


@pytest.mark.parametrize("name", logs.LIBRARIES)
def test_libraries_never_get_below_warnings(name: str, capsys: pytest.CaptureFixture):
    def talk() -> None:
        for level in (5, logging.DEBUG, logging.INFO):
            logging.getLogger(name).log(level, "GET /ws/%s?last=1", "5f0c6b7e")

    assert written("text", "debug", talk, capsys) == []


def test_of_a_librarys_warning_only_its_own_words_and_numbers_are_written(capsys: pytest.CaptureFixture):
    def talk() -> None:
        logging.getLogger("uvicorn.error").warning("Cancel %s tasks of %r", 3, "Ada")
        logging.getLogger("uvicorn.error").error(ValueError("Ada"))
        logging.getLogger("somebody").error("100% sure\nof Ada")
        logging.getLogger("asyncio").error("Exception in callback Hub.f('Ada')\nhandle: Ada")

    lines = written("text", "debug", talk, capsys)

    assert [line.split(": ", 1)[1] for line in lines] == [
        "Cancel 3 tasks of '…'",
        "ValueError",
        "100% sure",
        "Exception in callback Hub.f…",
    ]


def test_of_an_exception_its_kind_and_its_places_are_written_and_none_of_its_words(capsys: pytest.CaptureFixture):
    def talk() -> None:
        try:
            raise KeyError("Ada")
        except KeyError:
            logging.getLogger("pokade.test").exception("a listener failed")

    (line,) = written("json", "warning", talk, capsys)

    told = json.loads(line)
    assert (told["message"], told["error"]) == ("a listener failed", "KeyError")
    assert told["at"].startswith("talk:")
    assert "Ada" not in line


def test_an_object_has_the_time_in_utc_and_the_fields_of_its_record(capsys: pytest.CaptureFixture):
    talk = lambda: logs.LOG.info("open", extra={"here": "http://x"})  # noqa: E731
    (line,) = written("json", "error", talk, capsys)

    told = json.loads(line)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", told["time"])
    assert (told["level"], told["logger"], told["message"], told["here"]) == (
        "info",
        "pokade.serve",
        "open",
        "http://x",
    )


def test_a_line_stays_one_line_and_gives_a_terminal_no_orders(capsys: pytest.CaptureFixture):
    talk = lambda: logging.getLogger("pokade.test").error("up\x1b[2J and %s", "a\rway")  # noqa: E731
    (line,) = written("text", "error", talk, capsys)

    assert line.isprintable()
    assert line.endswith(r"up\x1b[2J and a\rway")


@pytest.mark.parametrize(("level", "heard"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
def test_the_level_is_the_one_that_was_asked_for(level: str, heard: int, capsys: pytest.CaptureFixture):
    def talk() -> None:
        for at in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):
            logging.getLogger("pokade.server.network.guard").log(at, "said")

    assert len(written("text", level, talk, capsys)) == heard
