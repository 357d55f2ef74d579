"""Luck that is a test's own, and the same in every run: no test passes or fails by chance."""

import random

from pokade.games.game import Game
from pokade.games.play import View
from pokade.players import Player, player
from pokade.server.hub import bots, hub, presence


class Secrets:
    """What a house asks of the module `secrets`, the same after the same words."""

    def __init__(self, words: str) -> None:
        self.begin(words)

    def begin(self, words: str) -> None:
        self._random = random.Random(words)

    def token_hex(self, length: int) -> str:
        return self._random.randbytes(length).hex()

    def choice(self, letters: str) -> str:
        return self._random.choice(letters)

    def seed(self) -> bytes:
        return self._random.randbytes(32)


def foresee(words: str) -> Secrets:
    """From here on the seeds of this process's houses follow from these words, and bots choose by what they see."""
    secrets = Secrets(words)
    presence.secrets = hub.secrets = secrets  # type: ignore[assignment]
    hub.new_seed, bots.player = secrets.seed, steady_player  # type: ignore[assignment]
    return secrets


def steady_player(level: str, game: Game) -> Player:
    """A player that chooses alike whenever it sees the same."""

    def choose(view: View) -> int:
        return player(level, game, f"{view.seat} {view.state!r}")(view)

    return choose
