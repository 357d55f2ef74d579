"""Gymnasium: one seat of a game against named bots, and many tables at once. Importing this registers every game.

    env = gymnasium.make(f"pokade/{NAME}-v0", players=4, opponents="casual", **options)
    envs = gymnasium.make_vec(f"pokade/{NAME}-v0", num_envs=1024, players=4, opponents="casual")

Opponents are one name for all, or a name for each; they sit in turn order after `seat`. An observation has the numbers
of the seat's view and the mask of its actions, and the reward is the seat's share of the win at the end. An action
that the mask does not allow is refused: nothing changes, and `info["refused"]` has the reason.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from pokade.adapters.drawing import MODES, rendered
from pokade.adapters.spaces import action_space, observation_space
from pokade.adapters.tables import Observation, Table
from pokade.arena.bots import bot
from pokade.games import GAMES
from pokade.players import CASUAL, Player, is_player

NAMESPACE, VERSION = "pokade", "v0"
OWN_SEAT: Final = 0


def named(opponents: str | Sequence[str], n_seats: int) -> list[str]:
    """A name for each opponent; refuses too few, too many, and names that nobody has."""
    names = [opponents] * (n_seats - 1) if isinstance(opponents, str) else list(opponents)
    if len(names) != n_seats - 1:
        raise ValueError(f"{n_seats} players have {n_seats - 1} opponents, not {len(names)}")
    for name in names:
        if not is_player(name):
            raise ValueError(f"there is no player {name}")
    return names


class OneSeat(gymnasium.Env[Observation, np.int64]):
    """One seat of a table; bots have the others."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        players: int | None = None,
        opponents: str | Sequence[str] = CASUAL,
        seat: int = OWN_SEAT,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.table, self.seat, self.render_mode = Table(game, players, options), seat, render_mode
        if not 0 <= seat < self.table.n_seats:
            raise ValueError(f"there is no seat {seat}: seats are 0 to {self.table.n_seats - 1}")
        self.opponents = named(opponents, self.table.n_seats)
        self.observation_space = observation_space(self.table.encoder)
        self.action_space: Any = action_space(self.table.encoder)
        self._bots: dict[int, Player] = {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Any]:
        """A new game, up to the seat's first choice."""
        super().reset(seed=seed)
        self.table.begin(seed)
        for at, name in enumerate(self.opponents):
            place = (self.seat + 1 + at) % self.table.n_seats
            self._bots[place] = bot(name, self.table.game, self.table.luck())
        self._go_on()
        return self.table.observe(self.seat), {"refused": ""}

    def _go_on(self) -> None:
        """The bots choose and chance has its turn, until the seat is asked or the game is over."""
        self.table.settle()
        while not self.table.is_over:
            asked = self.table.asked
            for place in asked:
                if place != self.seat:
                    self.table.play.choose(place, self._bots[place](self.table.play.view(place)))
            if self.seat in asked:
                return
            self.table.settle()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The seat acts, and the game goes on up to its next choice."""
        refused = self.table.act(self.seat, int(action))
        if not refused:
            self._go_on()
        share = self.table.shares()[self.seat]
        return self.table.observe(self.seat), share, self.table.is_over, False, {"refused": refused}

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask alone, as some learners ask for it."""
        mask: NDArray[np.bool_] = self.table.observe(self.seat)["action_mask"].astype(bool)
        return mask

    def render(self) -> Any:
        """What a watcher sees, as text or as a picture."""
        return rendered(self.table.play, self.render_mode)


for _name in GAMES:
    gymnasium.register(
        id=f"{NAMESPACE}/{_name}-{VERSION}",
        entry_point=f"{__name__}:OneSeat",
        vector_entry_point="pokade.adapters.vector:ManyTables",
        kwargs={"game": _name},
    )
