"""What a seat has seen of a game so far, made again from its steps: the memory of players that remember.

A seat's past is its views, one after another: whenever a choice has opened, and whenever chance has been and somebody
is to choose. It follows from the steps of a game and from nothing else, so whoever has them (a table's log, a saved
game) has it too, in any process and at any time.
"""

from dataclasses import replace

from pokade.games.play import Play, View
from pokade.games.state import CHANCE


class Recall:
    """Follows a game for one of its seats; every step is taken once."""

    def __init__(self, play: Play, seat: int) -> None:
        self._twin, self._seat = Play(play.game, play.n_seats, play.options), seat
        self._seen: list[View] = []

    def view(self, play: Play) -> View:
        """What the seat may know, with all that it has seen before."""
        twin = self._twin
        for actor, value in play.steps[len(twin.steps) :]:
            is_open = twin.take(actor, value)
            if is_open and not actor == CHANCE == twin.turn:  # dice and cards that come together are seen together
                self._seen.append(twin.view(self._seat))
        return replace(play.view(self._seat), past=tuple(self._seen))
