"""PettingZoo: every game with its options and sizes, turn by turn (`env`) and all seats at once (`parallel_env`).

    from pokade.adapters.pettingzoo import env, parallel_env
    table = parallel_env(NAME, players=4, **options)

Both go by cycles: in a cycle every seat acts once, and dice or deals follow. A seat that is not asked has the no-op
alone. Seats of a sealed round act one after another in `env`, and none sees what the others have sealed. An action
that the mask does not allow is refused: nothing changes, `infos[agent]["refused"]` has the reason, and after the cycle
the seats are asked again. With `asked_only=True` the turns of seats that are not asked are left out of `env`.
"""

from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from pokade.adapters.drawing import MODES, rendered
from pokade.adapters.spaces import action_space, observation_space
from pokade.adapters.tables import Observation, Table

VERSION: Final = "v0"
Info = dict[str, Any]


def env(
    game: str,
    *,
    players: int | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    asked_only: bool = False,
    **options: Any,
) -> "Turns":
    """A table whose seats act one after another. After `max_cycles` the game is cut off (never, if that is None)."""
    return Turns(Table(game, players, options), render_mode, max_cycles, asked_only)


def parallel_env(
    game: str,
    *,
    players: int | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    **options: Any,
) -> "Parallel":
    """A table whose seats act all at once, cycle by cycle."""
    return Parallel(Table(game, players, options), render_mode, max_cycles)


class _Common:
    """What both kinds have: names, spaces, pictures."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "is_parallelizable": True, "render_fps": 2}

    def __init__(self, table: Table, render_mode: str | None, max_cycles: int | None) -> None:
        self.table, self.render_mode, self.max_cycles = table, render_mode, max_cycles
        self.metadata = {**type(self).metadata, "name": f"pokade_{table.game.name}_{VERSION}"}  # type: ignore[misc]
        self.possible_agents = [f"player_{seat}" for seat in range(table.n_seats)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(table.encoder) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(table.encoder) for agent in self.possible_agents}
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._cycles = 0

    def observation_space(self, agent: str) -> Any:
        """The numbers of a view and the mask of its actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """All actions of the table, the no-op last."""
        return self.action_spaces[agent]

    def render(self) -> NDArray[np.uint8] | str | None:
        """What a watcher sees, as text or as a picture."""
        return rendered(self.table.play, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""

    def state(self) -> NDArray[np.float32]:
        """Everybody's numbers in a row, for critics that may see them all."""
        return np.concatenate([self.table.observe(seat)["observation"] for seat in range(self.table.n_seats)])

    def _begin(self, seed: int | None) -> None:
        self.table.begin(seed)
        self.agents, self._cycles = self.possible_agents[:], 0

    def _end_cycle(self) -> bool:
        """Dice and deals follow; says whether the game is cut off here."""
        self.table.settle()
        self._cycles += 1
        return not self.table.is_over and self._cycles == self.max_cycles

    def _info(self, seat: int, refused: str) -> Info:
        mask = self.table.encoder.mask(self.table.play.view(seat))
        return {"action_mask": mask, "refused": refused}


class Parallel(_Common, ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # it has no types
    """All seats at once."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """A new game."""
        self._begin(seed)
        return self._observed(), {agent: self._info(self._seat[agent], "") for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """A cycle: everybody's actions, then dice and deals."""
        asked = self.table.asked
        noop = self.table.encoder.noop
        refused = {agent: self._acted(self._seat[agent], actions.get(agent, noop), asked) for agent in self.agents}
        is_cut, agents = self._end_cycle(), self.agents
        shares = self.table.shares()
        rewards = {agent: shares[self._seat[agent]] for agent in agents}
        over, cut = dict.fromkeys(agents, self.table.is_over), dict.fromkeys(agents, is_cut)
        infos = {agent: self._info(self._seat[agent], refused[agent]) for agent in agents}
        observed = self._observed()
        if self.table.is_over or is_cut:
            self.agents = []
        return observed, rewards, over, cut, infos

    def _acted(self, seat: int, action: int, asked: tuple[int, ...]) -> str:
        """A seat that was not asked when the cycle began does nothing in it."""
        if seat not in asked:
            return "" if action == self.table.encoder.noop else "choice/not-now"
        return self.table.act(seat, action)

    def _observed(self) -> dict[str, Observation]:
        return {agent: self.table.observe(self._seat[agent]) for agent in self.agents}


class Turns(_Common, AECEnv[str, Observation, int]):  # type: ignore[misc]  # as above
    """One seat after another."""

    def __init__(self, table: Table, render_mode: str | None, max_cycles: int | None, asked_only: bool) -> None:
        super().__init__(table, render_mode, max_cycles)
        self.asked_only = asked_only

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"refused": ""} for agent in self.agents}
        self._begin_cycle()

    def _begin_cycle(self) -> None:
        """Who acts in this cycle, in seat order, and who of them is asked."""
        self._asked = self.table.asked
        self._left = list(self._asked) if self.asked_only else list(range(self.table.n_seats))
        self._select()

    def _select(self) -> None:
        agent = self.possible_agents[self._left[0]]
        self.agent_selection = agent
        self.infos[agent] = {**self.infos[agent], "action_mask": self.observe(agent)["action_mask"]}

    def observe(self, agent: str) -> Observation:
        """What a seat may know now; nothing that others have sealed."""
        seen = self.table.observe(self._seat[agent])
        if self.agents and self.agent_selection == agent and self._seat[agent] not in self._asked:
            seen["action_mask"][:] = 0
            seen["action_mask"][self.table.encoder.noop] = 1
        return seen

    def step(self, action: int | None) -> None:
        """The selected seat acts; with the last one of a cycle dice and deals follow."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat = self._left.pop(0)
        self.infos[agent] = {"refused": self._acted(seat, action)}
        if self._left:
            self._select()
            return
        self._finish_cycle()
        self._accumulate_rewards()

    def _acted(self, seat: int, action: int | None) -> str:
        if seat not in self._asked:
            return "" if action == self.table.encoder.noop else "choice/not-now"
        return self.table.act(seat, -1 if action is None else action)

    def _finish_cycle(self) -> None:
        is_cut, is_over = self._end_cycle(), self.table.is_over
        if not is_cut and not is_over:
            self._begin_cycle()
            return
        shares = self.table.shares()
        for agent in self.agents:
            self.rewards[agent] = shares[self._seat[agent]]
            self.terminations[agent], self.truncations[agent] = is_over, is_cut
        self.agent_selection = self.agents[0]
