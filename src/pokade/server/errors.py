"""What the server refuses, each with a stable code and one sentence. What storage refuses: storage/interface.py.

Refused (games/errors.py)
├── TableRefused     a table does not allow it now
├── TryAgain         not now; says after how many seconds
│   └── LimitReached a rate limit
├── ForeignOrigin    a page of another site
└── OldClient        a page of another build
"""

import math

from pokade.games.errors import Refused


class TableRefused(Refused):
    """Somebody asked a table for what it does not allow now."""


class TryAgain(Refused):
    """Not now; `wait` is how many seconds until there is room again."""

    status = 503

    def __init__(self, code: str, sentence: str, wait: float) -> None:
        super().__init__(code, sentence)
        self.wait = max(1, math.ceil(wait))


class LimitReached(TryAgain):
    """A rate limit is used up."""

    status = 429

    def __init__(self, code: str, wait: float) -> None:
        super().__init__(code, "that was too much at once; wait a moment", wait)


class ForeignOrigin(Refused):
    """A page of another site speaks in the name of a person who is here."""


class OldClient(Refused):
    """A page of another build: it must be reloaded before it can play on."""
