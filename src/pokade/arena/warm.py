"""`python -m pokade.arena.warm GAME …`: compiles the strong level into the cache, in a process of its own."""

import contextlib
import os
import signal
import sys

from pokade.arena.bots import warm
from pokade.folders import cache_folder
from pokade.games import GAMES
from pokade.locks import one_at_a_time


def main() -> None:
    """Compile for every game named; games that are played meanwhile come first.

    One such process compiles at a time: the others would take the cores from people, for the same code as a rule.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one hears it
    if hasattr(os, "nice"):  # not on Windows
        os.nice(5)
    with contextlib.ExitStack() as alone:
        with contextlib.suppress(OSError):  # nowhere to keep a lock: then several compile
            alone.enter_context(one_at_a_time(cache_folder() / "compiling.lock"))
        for name in sys.argv[1:]:
            warm(GAMES[name])


if __name__ == "__main__":
    main()
