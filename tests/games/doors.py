"""What the tests of every game ask of a play: what it refuses, and what it tells."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pokade.games.errors import Refused
from pokade.games.play import Play, told
from pokade.games.state import packed


@contextmanager
def refused(play: Play, code: str) -> Iterator[None]:
    """The body is refused with that code, and nothing has changed."""
    before, steps = packed(play.state), play.steps[:]
    with pytest.raises(Refused) as refusal:
        yield
    assert refusal.value.code == code
    assert (packed(play.state), play.steps) == (before, steps)


def heard(play: Play) -> list[tuple[str, int, int, int]]:
    """What the last step told: names and numbers."""
    return [(event.event.name, event.who, event.what, event.more) for event in told(play.game, play.state)]
