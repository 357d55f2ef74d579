"""For all tests: a Ctrl-C works in the processes they start, and what is compiled for one test serves the next."""

import signal

import pytest

from pokade.games import GAMES

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background jobs ignore it, and pass that on
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that think about one game run in one process: a search takes seconds to compile."""
    for item in items:
        test = item.nodeid
        for game in GAMES:
            is_search = f"test_search_{game}.py" in test or ("test_searches.py" in test and f"[{game}]" in test)
            if is_search or f"[strong-{game}]" in test or f"[{game}-strong" in test:
                item.add_marker(pytest.mark.xdist_group(f"search of {game}"))
