"""Other projects' games with random players, driven from Python: choices per second, or None if not installed."""

import importlib.util
import random
import time
from collections.abc import Callable

SECONDS = 2.0  # that each peer plays


def rate(one_game: Callable[[], int]) -> float:
    """Choices a second of a function that plays one game and says how many choices it took."""
    one_game()
    choices, started = 0, time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        choices += one_game()
    return choices / (time.perf_counter() - started)


def open_spiel() -> float | None:
    """Goofspiel with 3 players, its simultaneous form: the peer closest to a sealed round."""
    if importlib.util.find_spec("pyspiel") is None:
        return None
    import pyspiel  # noqa: PLC0415 - only where it is installed

    game = pyspiel.load_game("goofspiel", {"players": 3})

    def play() -> int:
        state, choices = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(random.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
            else:
                state.apply_actions([random.choice(state.legal_actions(seat)) for seat in range(3)])
                choices += 3
        return choices

    return rate(play)


def rlcard() -> float | None:
    """Leduc hold'em with two random players."""
    if importlib.util.find_spec("rlcard") is None:
        return None
    import rlcard  # noqa: PLC0415 - only where it is installed
    from rlcard.agents import RandomAgent  # noqa: PLC0415 - only where it is installed

    env = rlcard.make("leduc-holdem")
    env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])

    def play() -> int:
        trajectories, _ = env.run(is_training=False)
        return sum(len(seat) // 2 for seat in trajectories)

    return rate(play)


def pettingzoo() -> float | None:
    """Rock, paper, scissors through the parallel interface: sealed choices of two."""
    if importlib.util.find_spec("pettingzoo") is None or importlib.util.find_spec("pygame") is None:
        return None
    from pettingzoo.classic import rps_v2  # noqa: PLC0415 - only where it is installed

    env = rps_v2.parallel_env()

    def play() -> int:
        env.reset()
        choices = 0
        while env.agents:
            choices += len(env.agents)
            env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        return choices

    return rate(play)


PEERS: dict[str, Callable[[], float | None]] = {
    "OpenSpiel goofspiel, 3 players": open_spiel,
    "RLCard leduc-holdem": rlcard,
    "PettingZoo rps_v2": pettingzoo,
}
