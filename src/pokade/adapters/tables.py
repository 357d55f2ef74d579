"""One table as the adapters use it: seats act by numbers, chance follows, and what is refused changes nothing."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokade.arena.encoding import Encoder
from pokade.chance import Seeded, advance
from pokade.games import GAMES
from pokade.games.errors import IllegalChoice
from pokade.games.game import Game
from pokade.games.play import Play
from pokade.games.state import NOBODY, members

Observation = dict[str, Any]  # `observation` and `action_mask`


def game_of(name: str) -> Game:
    """A game by its name."""
    if name not in GAMES:
        raise ValueError(f"there is no game {name}; there are {', '.join(GAMES)}")
    return GAMES[name]


class Table:
    """A game at a table, up to the next choice."""

    def __init__(self, name: str, players: int | None, options: Mapping[str, object]) -> None:
        self.game = game_of(name)
        self.n_seats = players or self.game.usual_seats
        self.options = dict(options)
        self.encoder = Encoder(self.game, self.n_seats, self.options)
        self._seeds: Any = np.random.default_rng()

    def begin(self, seed: int | None) -> None:
        """A new game: by the seed, or else by what follows from the last one."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.play = Play(self.game, self.n_seats, self.options)
        self._chance = Seeded(int(self._seeds.integers(1 << 62)))
        self.settle()

    def luck(self) -> int:
        """A seed for somebody who plays along; the same after the same `begin`."""
        return int(self._seeds.integers(1 << 62))

    def settle(self) -> None:
        """Dice and deals, until somebody has to choose."""
        while advance(self.play, self._chance):
            pass

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have to choose now."""
        return () if self.play.turn == NOBODY else members(self.play.turn)

    @property
    def is_over(self) -> bool:
        return self.play.is_over

    def act(self, seat: int, action: int) -> str:
        """A seat acts; says why it was refused, if it was, by the code of the refusal. Chance does not follow yet.

        A seat that is not asked has the no-op and nothing else.
        """
        if seat not in self.asked:
            return "" if action == self.encoder.noop else "choice/not-now"
        choice = self.encoder.choice(self.play.state.phase, action)
        try:
            self.play.choose(seat, choice)
        except IllegalChoice as refused:
            return refused.code
        return ""

    def observe(self, seat: int) -> Observation:
        """What a seat may know now, and what it may do."""
        view = self.play.view(seat)
        return {"observation": self.encoder.observation(view), "action_mask": self.encoder.mask(view)}

    def shares(self) -> list[float]:
        """Everybody's part of the win; nothing while the game is on."""
        outcome = self.play.outcome()
        return list(outcome.shares) if outcome else [0.0] * self.n_seats
