"""Many tables as one vector environment of Gymnasium, played by compiled code on one thread.

    envs = gymnasium.make_vec(f"pokade/{NAME}-v0", num_envs=1024, players=4, opponents="casual")   # a row is a table
    envs = gymnasium.make_vec(f"pokade/{NAME}-v0", num_envs=4096, players=4, opponents=None)       # a row is a seat

With `opponents=None` every seat is yours: rows 0 … players − 1 are the seats of the first table, and so on; a row that
is not asked has the no-op alone. Else your seat goes round from table to table (`seat` fixes it).

Autoreset is `SAME_STEP`: a game that ends is followed by the next one in the same step, and `infos["final_obs"]` has
its last observations. Observations, masks and rewards are the kernel's own arrays, written over by each step: copy
what you keep, or say `copy=True`.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pokade.adapters.gymnasium import named
from pokade.adapters.spaces import action_space, observation_space
from pokade.adapters.tables import Observation, game_of
from pokade.arena.vector import Tables
from pokade.players import CASUAL


class ManyTables(VectorEnv[Observation, Any, Any]):
    """Many tables at once."""

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int | None = None,
        opponents: str | Sequence[str] | None = CASUAL,
        seat: int | None = None,
        copy: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        rules = game_of(game)
        n_seats = players or rules.usual_seats
        rows = n_seats if opponents is None else 1
        if num_envs % rows:
            raise ValueError(f"num_envs counts seats here, {n_seats} for each table: it can't be {num_envs}")
        if render_mode is not None:
            raise ValueError("many tables are not drawn")
        names = None if opponents is None else named(opponents, n_seats)
        seats = None if seat is None else [seat] * (num_envs // rows)
        self.num_envs, self._copy, self._rows = num_envs, copy, rows
        self.tables = Tables(rules, num_envs // rows, n_seats, options, names, seats, finals=True)
        self.single_observation_space = observation_space(self.tables.encoder)
        self.single_action_space = action_space(self.tables.encoder)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """New games at all tables."""
        super().reset(seed=seed)
        self.tables.reset(int(self.np_random.integers(1 << 63)))
        return self._observed(), {}

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """Everybody's actions; each table goes on up to its next choice."""
        tables = self.tables
        tables.step(np.ascontiguousarray(actions, np.int64).reshape(tables.n_tables, tables.n_views))
        ends = tables.dones if self._rows == 1 else np.repeat(tables.dones, self._rows)
        infos: dict[str, Any] = {"refused": self._given(tables.refused)}
        if ends.any():
            infos |= {"final_obs": self._given(tables.finals), "_final_obs": ends.copy()}
        return self._observed(), self._given(tables.rewards), ends.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _observed(self) -> Observation:
        return {
            "observation": self._given(self.tables.observations),
            "action_mask": self._given(self.tables.masks),
        }

    def _given(self, array: Any) -> Any:
        """An array by row; the kernel's own, unless a copy is wanted."""
        rows = array.reshape(self.num_envs, *array.shape[2:])
        return rows.copy() if self._copy else rows
