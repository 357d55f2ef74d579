"""`pokade serve` as people and supervisors start it, see it and stop it."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import segno
from typer.testing import CliRunner, Result

from pokade.cli import app
from pokade.server import settings
from pokade.server.listening import EVERYWHERE, CannotListen, address, listen, nearby
from pokade.server.settings import NAMES, Settings, settled
from pokade.texts import LANGUAGES
from tests.patience import wait_until
from tests.server.clients import Guest, get, post
from tests.server.open_house import COMMAND, PATIENCE, OpenHouse, started

ROOT = Path(__file__).parents[2]

# Settings


def asked(*flags: str, env: Mapping[str, str] | None = None) -> Result:
    """The command, for calls that are refused before anything is opened."""
    cleared = {f"POKADE_{name.upper()}": None for name in (*NAMES, "config")}
    return CliRunner().invoke(app, ["serve", *flags], env={**cleared, "LC_ALL": "C", **(env or {})})


def refusal(result: Result) -> str:
    """The one line with which a call was refused."""
    assert result.exit_code == 2, result.output
    assert not result.stdout
    (line,) = result.stderr.splitlines()
    assert line.startswith("pokade: ")
    return line.removeprefix("pokade: ")


def written(folder: Path, text: str) -> Path:
    file = folder / "house.toml"
    file.write_text(text, "utf-8")
    return file


def test_flags_come_before_the_environment_and_that_before_the_file(tmp_path: Path):
    file = written(
        tmp_path, 'port = 1\nhost = "127.0.0.1"\nlog-level = "error"\ntrusted_proxy = ["10.0.0.0/8", "::1"]\n'
    )
    environment = {"POKADE_PORT": "2", "POKADE_LOG_LEVEL": "debug", "POKADE_CONFIG": str(file), "POKADE_LOG_FORMAT": ""}

    found = settled({"port": "3"}, environment)

    assert (found.port, found.log_level, found.host, found.log_format) == (3, "debug", "127.0.0.1", "text")
    assert found.trusted_proxy == ("10.0.0.0/8", "::1/128")


def test_a_list_in_the_environment_is_written_with_commas():
    found = settled(
        {}, {"POKADE_TRUSTED_PROXY": "127.0.0.1, 10.1.2.3/8", "POKADE_ALLOWED_ORIGIN": "https://Play.example:443/"}
    )

    assert found.trusted_proxy == ("127.0.0.1/32", "10.0.0.0/8")
    assert found.allowed_origin == ("https://play.example",)


def test_the_address_for_friends_may_speak_too():
    found = settled({"public_url": "https://play.example", "allowed_origin": ["http://other.example:8080"]}, {})

    assert set(settings.origins(found)) == {"https://play.example", "http://other.example:8080"}


BAD = [
    ("host", "http://here"),
    ("port", "99999"),
    ("port", "seven"),
    ("db", "mysql://here"),
    ("workers", "0"),
    ("trusted_proxy", "router"),
    ("allowed_origin", "play.example"),
    ("allowed_origin", "https://play.example/page"),
    ("public_url", "play.example"),
    ("log_format", "xml"),
    ("log_level", "trace"),
    ("metrics", "yes"),
    ("keep_days", "0"),
    ("keep_slow_days", "nan"),
    ("keep_log_days", "0"),
    ("keep_record_days", "-1"),
    ("warm", "maybe"),
    ("language", "tlh"),
]


SWITCHES = ("warm",)  # flags without a value


def test_every_setting_has_a_bad_value_to_be_tested_with():
    assert {name for name, _ in BAD} == set(NAMES)


@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_bad_value_is_one_kind_line_that_names_its_source(name: str, value: str, tmp_path: Path):
    file = written(tmp_path, f"{name} = {json.dumps(value)}\n")
    flag, variable = f"--{name.replace('_', '-')}", f"POKADE_{name.upper()}"

    said = {
        variable: refusal(asked(env={variable: value})),
        f"{file}: {name}": refusal(asked("--config", str(file))),
    }
    if name not in SWITCHES:
        said[flag] = refusal(asked(flag, value))

    for source, line in said.items():
        assert line.startswith(f"{source}: ")
        assert settings.EXAMPLES[name].split(",")[0] in line
        assert value in line or name == "db"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "value"), BAD[:2])
def test_a_bad_value_is_named_in_the_language_that_was_asked_for(name: str, value: str, language: str):
    lines = {refusal(asked(f"--{name}", value, "--lang", spoken)) for spoken in LANGUAGES}

    assert len(lines) == len(LANGUAGES)
    assert "\\" not in "".join(lines)  # also where French has spaces that don't break
    assert refusal(asked(f"--{name}", value, env={"POKADE_LANGUAGE": language})) in lines


@pytest.mark.parametrize("password", ["s3cr3t", "s3:cr3t", "s3#cr3t", "s3/cr3t"])
def test_a_password_is_never_repeated(password: str):
    for start in ("postgres:/", "postgresql:/", "postgresql://"):
        said = asked("--db", f"{start}/pokade:{password}@127.0.0.1:notaport/pokade", "--port", "0")

        assert said.exit_code
        assert "cr3t" not in said.output + said.stderr


@pytest.mark.parametrize("source", ["flag", "environment", "file"])
def test_several_workers_need_postgresql(source: str, tmp_path: Path):
    file = written(tmp_path, "workers = 2\n")
    said = {
        "flag": lambda: asked("--workers", "2", "--db", "sqlite:///house.sqlite"),
        "environment": lambda: asked(env={"POKADE_WORKERS": "2"}),
        "file": lambda: asked("--config", str(file)),
    }

    line = refusal(said[source]())

    assert "PostgreSQL" in line
    assert "only one process can write" in line


def test_a_file_of_settings_is_refused_for_a_key_that_means_nothing(tmp_path: Path):
    file = written(tmp_path, "prot = 7654\n")

    line = refusal(asked("--config", str(file)))

    assert line.startswith(f"{file}: prot: ")
    assert "port" in line


@pytest.mark.parametrize("content", [None, b"port = = 1", b"\xff", b"[serve]\nport = 1\n"])
def test_a_file_of_settings_that_cannot_be_read_is_one_kind_line(content: bytes | None, tmp_path: Path):
    file = tmp_path / "house.toml"
    if content is not None:
        file.write_bytes(content)

    assert str(file) in refusal(asked("--config", str(file)))


def test_the_folder_of_the_database_is_made_for_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "some" / "where"))

    url = settings.database(Settings())

    assert url == f"sqlite:///{tmp_path}/some/where/pokade/house.sqlite"
    assert (tmp_path / "some" / "where" / "pokade").stat().st_mode & 0o777 == 0o700


def test_the_guide_for_hosts_lists_every_setting_with_its_default():
    guide = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `--([a-z-]+)` \| (.*) \|$", guide, re.MULTILINE))

    assert [name.replace("-", "_") for name in rows] == list(NAMES)
    for flag, row in rows.items():
        name = flag.replace("-", "_")
        default = Settings.model_fields[name].default
        assert row.startswith(f"`POKADE_{name.upper()}` | `{name}` | ")
        assert f"| `{default:g}` |" in row if isinstance(default, float) else not default or f"| `{default}` |" in row


# Starting


def test_starting_the_command_loads_nothing_of_the_server():
    heavy = {"fastapi", "uvicorn", "pydantic", "starlette", "asyncpg", "asyncio", "sqlite3", "segno", "websockets"}
    code = f"import sys, pokade.cli; print(sorted({heavy!r} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def sqlite(folder: Path) -> tuple[str, str]:
    return "--db", f"sqlite:///{folder / 'house.sqlite'}"


def test_the_address_is_said_once_the_house_answers(tmp_path: Path):
    with OpenHouse(tmp_path, *sqlite(tmp_path)) as house:
        assert get(f"http://{house.address}/readyz").json() == {"status": "ready"}
        assert house.said[0] == "The house is open."
        assert house.hear("Only this machine")


def test_the_default_database_is_made_as_needed(tmp_path: Path):
    with OpenHouse(tmp_path, env={"XDG_DATA_HOME": str(tmp_path / "data")}) as house:
        with Guest(house.address, "Ada") as ada:
            ada.open()

        assert house.stop() == 0

    assert (tmp_path / "data" / "pokade" / "house.sqlite").stat().st_mode & 0o777 == 0o600


def failed(*flags: str, status: int = 1, env: dict[str, str] | None = None) -> str:
    """The one line with which the command gives up."""
    with started("serve", *flags, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        said, complained = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, complained
    assert not said
    (line,) = complained.splitlines()
    return str(line)


def test_a_port_that_is_taken_is_one_kind_line_with_another_that_is_free(tmp_path: Path):
    with OpenHouse(tmp_path, *sqlite(tmp_path)) as house:
        port = house.address.rpartition(":")[2]

        line = failed("--host", "127.0.0.1", "--port", port, *sqlite(tmp_path))

        free = int(re.search(r"--port (\d+) is free", line)[1])  # type: ignore[index]
        assert f"Port {port} is taken" in line
        assert "--port 0" in line
        listen("127.0.0.1", free).close()
        assert get(f"http://{house.address}/readyz").status_code == 200


def test_a_host_that_is_not_ours_is_one_kind_line(tmp_path: Path):
    line = failed("--host", "203.0.113.77", "--port", "0", *sqlite(tmp_path))

    assert "203.0.113.77" in line
    assert "--host 0.0.0.0" in line


def test_a_port_of_the_administrator_is_named_as_such(monkeypatch: pytest.MonkeyPatch):
    bind = socket.socket.bind

    def guarded(sock: socket.socket, place: Any) -> None:
        if 0 < place[1] < 1024:
            raise PermissionError(13, "Permission denied")
        bind(sock, place)

    monkeypatch.setattr("socket.socket.bind", guarded)

    with pytest.raises(CannotListen) as caught:
        listen("127.0.0.1", 80)

    assert caught.value.kind == "port_forbidden"
    assert caught.value.free >= 1024


def test_a_database_that_cannot_be_opened_is_one_kind_line_with_its_code(tmp_path: Path):
    (tmp_path / "letter.txt").write_text("Dear Ada, this is no database, but long enough to look like one. " * 9)
    common = ("--host", "127.0.0.1", "--port", "0", "--db")

    for path in (tmp_path / "no folder" / "house.sqlite", tmp_path, tmp_path / "letter.txt"):
        assert "(storage/bad-database)" in failed(*common, f"sqlite:///{path}")

    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        line = failed(*common, f"postgresql://ada:s3cr3t@127.0.0.1:{deaf.getsockname()[1]}/house")
    assert "(storage/gone)" in line
    assert "s3cr3t" not in line


def test_a_second_house_on_the_same_file_is_one_kind_line_with_its_code(tmp_path: Path):
    common = ("--host", "127.0.0.1", "--port", "0", "--db")
    (tmp_path / "by another name.sqlite").symlink_to(tmp_path / "house.sqlite")
    with OpenHouse(tmp_path, *sqlite(tmp_path)) as house:
        assert house.address

        lines = [failed(*common, f"sqlite:///{tmp_path / name}") for name in ("house.sqlite", "by another name.sqlite")]

        assert all("(storage/in-use)" in line and str(tmp_path / "house.sqlite") in line for line in lines)
        with Guest(house.address, "Ada") as ada:
            assert ada.get("/api/mine") == []


def test_a_killed_house_does_not_lock_the_next_one_out(tmp_path: Path):
    with OpenHouse(tmp_path, *sqlite(tmp_path)) as house:
        assert house.address
        assert house.stop(signal.SIGKILL) == -signal.SIGKILL

    with OpenHouse(tmp_path, *sqlite(tmp_path)) as house:
        assert house.address


def test_a_data_folder_that_cannot_be_made_is_one_kind_line(tmp_path: Path):
    (tmp_path / "data").write_text("in the way")

    line = failed("--host", "127.0.0.1", "--port", "0", env={"XDG_DATA_HOME": str(tmp_path / "data")})

    assert "(storage/bad-database)" in line


def test_friends_are_shown_an_address_that_they_can_reach():
    assert nearby("127.0.0.1") is None
    assert nearby("localhost") is None
    assert nearby("192.168.7.7") == "192.168.7.7"
    assert nearby(EVERYWHERE[0]) not in ("127.0.0.1", *EVERYWHERE)
    assert address("::1", 7654) == "http://[::1]:7654"


def test_every_address_of_the_machine_is_listened_on_by_default():
    assert Settings().host in EVERYWHERE
    with listen("::", 0) as everywhere, socket.create_connection(("127.0.0.1", everywhere.getsockname()[1])):
        pass


# What is seen

SIGNS = {" ": (0, 0), "▄": (0, 1), "▀": (1, 0), "█": (1, 1)}
FRIENDS = "http://192.168.178.23:7654"


@contextmanager
def terminal(folder: Path, *flags: str, columns: int = 80, **env: str) -> Iterator[tuple[subprocess.Popen, int]]:
    """The command with a terminal of its own: its process, and what stands for screen and keyboard."""
    screen, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    colours = {"TERM": "xterm-256color", "COLUMNS": None, "NO_COLOR": None, "COLORTERM": None, **env}
    call = ("serve", "--host", "127.0.0.1", "--port", "0", *sqlite(folder), *flags)
    own = lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # noqa: E731 - so that Ctrl-C reaches it
    with started(
        *call,
        env=colours,
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
        preexec_fn=own,
    ) as process:
        os.close(inside)
        try:
            yield process, screen
        finally:
            if process.poll() is None:
                process.kill()
            os.close(screen)


def shown(screen: int, words: str) -> str:
    """What the terminal got, up to these words."""
    seen = b""
    with contextlib.suppress(OSError):  # the terminal's way to say that nobody writes any more
        while words.encode() not in seen and select.select([screen], [], [], PATIENCE)[0]:
            seen += os.read(screen, 65536)
    assert words in seen.decode(), seen
    return seen.decode()


def squares(seen: str) -> list[list[int]]:
    """The QR code in what a terminal got: 1 where it is black, 0 where it is white, whatever its own colours are."""
    rows: list[list[int]] = []
    for styled in re.findall(r"\x1b\[(?:38;5;16;48;5;231|38;2;0;0;0;48;2;255;255;255)m([ ▄▀█]+)\x1b\[0m", seen):
        pairs = [SIGNS[sign] for sign in styled]
        rows += [[above for above, _ in pairs], [below for _, below in pairs]]
    return rows


@pytest.mark.parametrize("colours", [{}, {"COLORTERM": "truecolor"}], ids=["256", "true"])
def test_a_terminal_shows_both_addresses_and_a_qr_code_that_is_dark_on_light(colours: dict[str, str], tmp_path: Path):
    code = [list(row) for row in segno.make_qr(FRIENDS, error="l").matrix_iter(border=4)]

    with terminal(tmp_path, "--address", FRIENDS, **colours) as (_, screen):
        seen = shown(screen, "Ctrl-C")

    assert "On this machine: http://127.0.0.1:" in seen
    assert f"For your friends: {FRIENDS}" in seen
    assert squares(seen)[: len(code)] == code
    assert not any(map(any, squares(seen)[len(code) :]))


@pytest.mark.parametrize(
    "plain",
    [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {"PYTHONIOENCODING": "ascii"}, {"columns": 30}],
    ids=["dumb", "no-colour", "ascii", "narrow"],
)
def test_a_terminal_that_cannot_show_it_gets_the_address_without_a_qr_code(plain: dict[str, Any], tmp_path: Path):
    with terminal(tmp_path, "--address", FRIENDS, "--lang", "fr", **plain) as (process, screen):
        seen = shown(screen, "Ctrl-C")
        process.terminate()
        assert process.wait(PATIENCE) == 0

    assert FRIENDS in seen
    assert not set(seen) & {"▄", "▀", "█"}
    assert "\x1b" not in seen


def test_a_pipe_gets_the_address_without_a_qr_code(tmp_path: Path):
    with OpenHouse(
        tmp_path, *sqlite(tmp_path), "--address", FRIENDS, "--lang", "de", env={"PYTHONIOENCODING": "ascii"}
    ) as house:
        house.hear(FRIENDS)
        assert house.stop() == 0

    assert all(line.isascii() and line.isprintable() for line in house.said)
    assert house.log.read_text() == ""


def test_a_reader_who_goes_away_does_not_close_the_house(tmp_path: Path):
    with listen("127.0.0.1", 0) as probe:
        port = probe.getsockname()[1]
    deaf, mouth = os.pipe()
    os.close(deaf)
    call = ("serve", "--host", "127.0.0.1", "--port", str(port), *sqlite(tmp_path))
    with started(*call, stdout=mouth, stderr=subprocess.PIPE) as process:
        os.close(mouth)
        is_open = answers(process, port)
        process.terminate()
        _, complained = process.communicate(timeout=PATIENCE)

    assert is_open
    assert (process.returncode, complained) == (0, b"")


def answers(process: subprocess.Popen, port: int) -> bool:
    """Does the house answer, before it ends?"""
    found: list[int] = []

    def is_told() -> bool:
        with contextlib.suppress(httpx.HTTPError):
            found.append(httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE).status_code)
        return bool(found) or process.poll() is not None

    wait_until(is_told)
    return found == [200]


def test_programs_get_objects_and_nothing_else(tmp_path: Path):
    with OpenHouse(tmp_path, *sqlite(tmp_path), "--log", "json") as house:
        wait_until(lambda: house.log.read_text().endswith("\n"))
        assert house.stop() == 0

    told = [json.loads(line) for line in house.log.read_text().splitlines()]
    assert [one["message"] for one in told] == [
        "the server is listening",
        "the server is stopping",
        "the server has stopped",
    ]
    assert told[0]["here"].startswith("http://127.0.0.1:")
    assert {one["level"] for one in told} == {"info"}
    assert "".join(house.said) == ""


# Stopping


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_one_signal_closes_cleanly_and_tells_clients_to_come_back(sign: int, tmp_path: Path):
    with OpenHouse(tmp_path, *sqlite(tmp_path)) as house, Guest(house.address, "Ada") as ada:
        table = ada.open()["id"]
        tab = ada.at(table)
        tab.hear_until("snapshot")

        assert house.stop(sign) == 0

        assert tab.close_code() == 1012
        assert house.said[-2].startswith("Closing")
        assert "All tables are kept" in house.said[-1]
        assert house.log.read_text() == ""
        with OpenHouse(tmp_path, *sqlite(tmp_path)) as again:
            ada.http.base_url = httpx.URL(f"http://{again.address}")
            assert [one["id"] for one in ada.get("/api/mine")] == [table]


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_the_house_is_still_opening_ends_it_quietly(sign: int, tmp_path: Path):
    slow = "import time, pokade.server.listening as at\n"
    slow += "at.listen = lambda *_: print('slow', flush=True) or time.sleep(999)\n"
    with OpenHouse(tmp_path, *sqlite(tmp_path), code=slow + COMMAND) as house:
        house.hear("slow")

        assert house.stop(sign) == 0

    assert house.said == ["slow"]
    assert house.log.read_text() == ""


def test_a_second_ctrl_c_stops_at_once(tmp_path: Path):
    with terminal(tmp_path) as (process, screen):
        port = int(re.search(r"machine: http://127.0.0.1:(\d+)", shown(screen, "Ctrl-C"))[1])  # type: ignore[index]
        with socket.create_connection(("127.0.0.1", port)) as unfinished:
            unfinished.sendall(b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            assert get(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE).is_success  # a later client was heard
            os.write(screen, b"\x03")
            shown(screen, "Closing")
            os.write(screen, b"\x03")

            assert process.wait(PATIENCE) == 130  # once would be 0, after ten seconds for the unfinished request


# Behind a proxy


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A house that believes this machine, and shows its numbers to everyone."""
    folder = tmp_path_factory.mktemp("proxied")
    flags = ("--trusted", "127.0.0.1", "--metrics", "everyone", "--origin", "https://page.example")
    with OpenHouse(folder, *sqlite(folder), *flags, "--address", "https://play.example") as house:
        yield house.address


@pytest.fixture(scope="module")
def direct(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A house as it is without settings."""
    folder = tmp_path_factory.mktemp("direct")
    with OpenHouse(folder, *sqlite(folder)) as house:
        yield house.address


def is_secure(address: str, **headers: str) -> bool:
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9", **headers}
    came_in = post(f"http://{address}/api/guest", json={"name": "Ada"}, headers=forwarded).raise_for_status()
    return "secure" in came_in.headers["set-cookie"].lower()


def test_forwarded_headers_count_only_from_a_trusted_proxy(proxied: str, direct: str):
    assert is_secure(proxied)
    assert not is_secure(direct)


def test_numbers_are_for_this_machine_unless_set_otherwise(proxied: str, direct: str):
    through = {"X-Forwarded-For": "203.0.113.9"}

    assert "pokade_tables" in get(f"http://{proxied}/metrics", headers=through).text
    assert get(f"http://{direct}/metrics", headers=through).status_code == 404
    assert "pokade_tables" in get(f"http://{direct}/metrics").text


@pytest.mark.parametrize("page", ["https://page.example", "https://play.example"])
def test_only_pages_that_were_named_may_speak(page: str, proxied: str, direct: str):
    spoken = {"headers": {"Origin": page}, "json": {"name": "Ada"}}

    assert post(f"http://{proxied}/api/guest", **spoken).status_code == 200
    assert post(f"http://{direct}/api/guest", **spoken).status_code == 403
