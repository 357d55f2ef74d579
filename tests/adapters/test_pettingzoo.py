"""PettingZoo's own tests, unmodified, and what they do not ask: seeds with masks, no-ops, sealing, refusals."""

import warnings
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pokade.adapters.pettingzoo import env, parallel_env
from pokade.games import GAMES
from pokade.testing import tables

with warnings.catch_warnings():  # its tests import one of its own environments in a form that it gives up
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test

every_game = pytest.mark.parametrize("name", GAMES)
# A dictionary with a mask is PettingZoo's own form; it warns of it in environments that it does not know by name.
FORM = ("ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be")
with_masks = pytest.mark.filterwarnings(*FORM)
LONG = 400


@with_masks
@every_game
def test_pettingzoos_api_test(name: str):
    api_test(env(name), num_cycles=60)
    api_test(env(name, asked_only=True), num_cycles=60)


@every_game
def test_pettingzoos_parallel_api_test(name: str):
    parallel_api_test(parallel_env(name), num_cycles=60)


@every_game
def test_pettingzoos_seed_tests(name: str):
    seed_test(partial(env, name), num_cycles=30)
    parallel_seed_test(partial(parallel_env, name), num_cycles=30)


@every_game
def test_pettingzoos_max_cycles_test(name: str):
    max_cycles_test(SimpleNamespace(env=partial(env, name), parallel_env=partial(parallel_env, name)))


@every_game
def test_pettingzoos_render_test(name: str, capsys: pytest.CaptureFixture[str]):
    render_test(partial(env, name))

    assert capsys.readouterr().out != ""


def any_action(observation: dict[str, Any], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def played(make: Callable[[], Any], seed: int) -> list[bytes]:
    """A whole game by random actions that the masks allow: every byte that any seat got."""
    table, rng = make(), np.random.default_rng(seed)
    observations, _ = table.reset(seed=seed)
    got = []
    while table.agents and len(got) < LONG:
        got += [part.tobytes() for seen in observations.values() for part in seen.values()]
        actions = {agent: any_action(seen, rng) for agent, seen in observations.items()}
        observations, rewards, *_ = table.step(actions)
    return [*got, repr(rewards).encode()]


@every_game
def test_a_seed_repeats_a_game_byte_for_byte_and_another_seed_does_not(name: str):
    make = partial(parallel_env, name)

    assert played(make, 1) == played(make, 1)
    assert played(make, 1) != played(make, 2)


@every_game
def test_a_reset_without_a_seed_goes_on_from_the_last_one(name: str):
    starts = []
    for _ in range(2):
        table = parallel_env(name)
        table.reset(seed=5)
        starts.append([table.reset()[0]["player_0"]["observation"].tobytes() for _ in range(6)])

    assert starts[0] == starts[1]
    assert len(set(starts[0])) > 1


@every_game
def test_whoever_is_not_asked_has_the_no_op_alone(name: str):
    table, rng, unasked = parallel_env(name, players=GAMES[name].seats[-1]), np.random.default_rng(1), 0
    observations, _ = table.reset(seed=1)
    for _ in range(200):
        noop = table.table.encoder.noop
        for seat, agent in enumerate(table.agents):
            mask = observations[agent]["action_mask"]
            assert bool(mask[noop]) == (seat not in table.table.asked)
            assert mask[:noop].any() != bool(mask[noop])
            unasked += int(mask[noop])
        observations, *_ = table.step({agent: any_action(observations[agent], rng) for agent in table.agents})
        if not table.agents:
            observations, _ = table.reset()

    assert (unasked > 0) == (name != "pok")  # all choose in every round of that one


def test_the_seats_of_a_sealed_round_learn_nothing_of_each_other():
    """Whatever the first seat seals, the second one and the third get the same bytes."""
    seen = set()
    for action in range(3):
        table = env("pok", players=3)
        table.reset(seed=3)
        table.step(action)
        second = table.last()
        table.step(0)
        third = table.last()
        seen.add(
            repr([(o["observation"].tobytes(), o["action_mask"].tobytes(), *rest) for o, *rest in (second, third)])
        )

    assert len(seen) == 1


@every_game
@pytest.mark.parametrize("action", [-1, 10**6])
def test_what_the_mask_does_not_allow_is_refused_and_changes_nothing(name: str, action: int):
    table = env(name)
    table.reset(seed=1)
    before = [table.table.observe(seat)["observation"].tobytes() for seat in range(table.num_agents)]

    for agent in table.possible_agents:
        table.step(action)
        assert table.infos[agent]["refused"] in ("choice/illegal", "choice/not-now")

    assert [table.table.observe(seat)["observation"].tobytes() for seat in range(table.num_agents)] == before
    assert not any(table.terminations.values())


@every_game
def test_turn_by_turn_and_all_at_once_are_the_same_game(name: str):
    turns, at_once, rng = env(name), parallel_env(name), np.random.default_rng(4)
    turns.reset(seed=7)
    observations, _ = at_once.reset(seed=7)
    for _ in range(60):
        actions = {agent: any_action(observations[agent], rng) for agent in at_once.agents}
        for agent in turns.agents:
            assert turns.agent_selection == agent
            turns.step(actions[agent])
        observations, rewards, over, *_ = at_once.step(actions)
        assert all(over.values()) == turns.table.is_over
        if turns.table.is_over:
            assert {agent: turns._cumulative_rewards[agent] for agent in turns.agents} == rewards
            assert sum(rewards.values()) == pytest.approx(1.0)
            break
        for agent in turns.agents:
            assert turns.observe(agent)["observation"].tobytes() == observations[agent]["observation"].tobytes()


@pytest.mark.soak
@every_game
def test_every_table_of_the_rules_passes_the_parallel_test(name: str):
    for n_seats, options in tables(GAMES[name]):
        parallel_api_test(parallel_env(name, players=n_seats, **options), num_cycles=40)


def test_a_game_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="there is no game chess; there are pok"):
        env("chess")


def test_a_picture_shows_what_the_text_shows():
    table = parallel_env("poch", players=3, render_mode="rgb_array")
    table.reset(seed=1)

    first, again = table.render(), table.render()

    assert first.shape[2] == 3
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 8
    assert np.array_equal(first, again)
