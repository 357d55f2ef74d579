"""Nothing needs POSIX: each place that makes use of it goes on without it. `make test-types` looks for other places."""

import asyncio
import os
import resource
import signal
import sys
from pathlib import Path
from types import ModuleType

import platformdirs
import pytest

from pokade import folders
from pokade.arena import kernel, runs, warm
from pokade.cli.screen import Screen
from pokade.games.errors import Refused
from pokade.server.hub import strong
from pokade.server.judge import __main__ as judge
from pokade.server.judge import judging
from pokade.server.judge.judge import Question
from pokade.server.network import static
from pokade.server.storage import DatabaseInUse, alone, rows


def test_folders_are_those_of_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    assert folders.data_folder() == tmp_path / "data" / "pokade"
    assert folders.cache_folder() == tmp_path / "cache" / "pokade"


def test_nobody_without_a_home_gets_a_folder_called_tilde(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: Path("~/.local/share/pokade"))

    with pytest.raises(OSError, match="no home"):
        folders.data_folder()


def test_without_a_home_compiled_code_lies_in_a_folder_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(kernel, "cache_folder", lambda: (_ for _ in ()).throw(FileNotFoundError()))
    monkeypatch.setattr(kernel.tempfile, "gettempdir", lambda: str(tmp_path))

    first = kernel.cache_directory([])

    assert first.parent.stat().st_mode & 0o777 == 0o700
    assert kernel.cache_directory([]) == first


def test_compiled_code_is_never_taken_from_a_folder_of_somebody_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(kernel.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(kernel.tempfile, "tempdir", str(tmp_path))
    theirs = tmp_path / f"pokade-{os.getuid()}"
    theirs.mkdir()
    theirs.chmod(0o777)

    assert kernel._own_temporary_folder() not in (theirs, kernel._own_temporary_folder())


def test_where_users_have_no_numbers_there_is_a_folder_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(kernel.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.delattr(os, "getuid")

    assert kernel._own_temporary_folder() == tmp_path / "pokade-"


def test_where_there_is_no_niceness_work_is_done_as_it_is(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(os, "nice")
    monkeypatch.setattr(resource, "setrlimit", lambda *_: (_ for _ in ()).throw(ValueError("as macOS says")))
    monkeypatch.setattr(warm.sys, "argv", ["warm"])
    monkeypatch.setattr(warm.signal, "signal", lambda *_: None)

    judge._lower_priority(judge.MEMORY)
    warm.main()


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_a_thread_that_cannot_be_of_low_priority_alone_is_not(platform: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(strong.sys, "platform", platform)
    monkeypatch.delattr(os, "setpriority")

    strong._lower_priority()


def test_threads_are_counted_where_a_process_has_no_cores_of_its_own(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(os, "sched_getaffinity")

    assert runs.all_threads() == os.cpu_count()


def test_a_terminal_that_never_says_that_it_was_resized_can_be_played_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(signal, "SIGWINCH")
    screen = Screen("en")
    screen.is_live = screen.can_clear = True

    with screen:
        pass


def test_a_backup_is_whole_where_folders_cannot_be_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    honest = os.open

    def windows(path: str | Path, access: int, mode: int = 0o777) -> int:
        if Path(path).is_dir():
            raise PermissionError(13, "Permission denied")
        return honest(path, access, mode)

    monkeypatch.delattr(os, "O_DIRECTORY")
    monkeypatch.setattr(rows.os, "open", windows)
    with rows.new_file(tmp_path / "backup") as part:
        os.write(handle := honest(part, os.O_WRONLY), b"all of it")
        os.close(handle)

    assert (tmp_path / "backup").read_bytes() == b"all of it"


def test_a_database_is_locked_with_what_windows_has(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def locking(handle: int, mode: int, length: int) -> None:
        if held:
            raise PermissionError(13, "Permission denied")
        held.append((handle, mode, length))

    held: list[tuple[int, int, int]] = []
    msvcrt = ModuleType("msvcrt")
    msvcrt.locking, msvcrt.LK_NBLCK = locking, 2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(sys, "platform", "win32")
    house = f"sqlite:///{tmp_path}/house.sqlite"

    with alone(house), pytest.raises(DatabaseInUse), alone(house):
        pass
    assert [(mode, length) for _, mode, length in held] == [(2, 1)]


def test_a_loop_that_cannot_start_processes_judges_nothing_and_says_so(monkeypatch: pytest.MonkeyPatch):
    async def cannot(*_: object, **__: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(judging.asyncio, "create_subprocess_exec", cannot)

    async def ask() -> None:
        queue = judging.Judging()
        with queue.place("here"):
            await queue.ask("here", Question("write", {}))

    with pytest.raises(Refused, match="can't be judged here"):
        asyncio.run(ask())


def test_files_of_the_page_have_their_kind_whatever_the_system_thinks():
    assert static.mimetypes.guess_type("app.js")[0] == "text/javascript"
    assert static.mimetypes.guess_type("manifest.webmanifest")[0] == "application/manifest+json"
