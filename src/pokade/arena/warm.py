"""`python -m pokade.arena.warm GAME …`: compiles the strong level into the cache, in a process of its own."""

import os
import sys

from pokade.arena.bots import warm
from pokade.games import GAMES


def main() -> None:
    """Compile for every game named; whoever plays meanwhile comes first, but it does get done."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(5)
    for name in sys.argv[1:]:
        warm(GAMES[name])


if __name__ == "__main__":
    main()
