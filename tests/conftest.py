"""For all tests: a Ctrl-C works in the processes they start, and what is compiled for one test serves the next."""

import os
import re
import signal
from typing import Final

import pytest

from pokade.games import GAMES

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background jobs ignore it, and pass that on
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Files whose tests need compiled code of a game: the one in the test's name, or else the same for the whole file.
THINKING: Final = ("test_search", "test_reading", "test_analysis", "test_problems", "test_exploit")


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: one of them always waits, for a database, a browser or a disk."""
    return (os.cpu_count() or 1) + 1


def _thought_about(test: str) -> str | None:
    """Which code a test has compiled that other tests need too."""
    file, _, name = test.partition("::")
    thinks = any(f"/{kind}" in file for kind in THINKING)
    for game in GAMES:
        is_named = f"_{game}.py" in file or re.search(rf"[\[-]{game}[\]-]", name)
        if is_named and (thinks or "strong" in name or "master" in name):
            return f"search of {game}"
    return file if thinks else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that think about one game run in one process: a search takes seconds to compile."""
    for item in items:
        code = _thought_about(item.nodeid)
        if code and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(code))
