"""Gymnasium: one seat against bots, and many tables at once that play what plain games play."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import pokade.adapters
from pokade.arena.encoding import Encoder
from pokade.arena.streams import Duplicate, luck_of
from pokade.arena.vector import Tables
from pokade.chance import advance
from pokade.games import GAMES
from pokade.games.play import Play
from pokade.games.state import members
from pokade.players import Player, player

every_game = pytest.mark.parametrize("name", GAMES)
first, *_, last = GAMES  # to compile each would take a minute


def made(name: str, **settings: Any) -> Any:
    assert pokade.adapters
    return gymnasium.make(f"pokade/{name}-v0", **settings)


@every_game
def test_gymnasiums_check_env(name: str, capsys: pytest.CaptureFixture[str]):
    check_env(made(name).unwrapped)

    assert capsys.readouterr().out != ""  # what the mode for people has printed


def whole_game(env: Any, seed: int) -> tuple[list[bytes], float]:
    rng = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    got, share, is_over = [seen["observation"].tobytes()], 0.0, False
    while not is_over:
        assert info["refused"] == ""
        seen, share, is_over, _, info = env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        got.append(seen["observation"].tobytes())
    return got, share


@every_game
def test_a_seed_repeats_a_game_against_bots(name: str):
    one, other = (made(name, opponents="casual-bold") for _ in range(2))

    assert whole_game(one, 3) == whole_game(other, 3)
    assert whole_game(one, 3) != whole_game(one, 4)


def test_opponents_are_named_and_their_number_fits():
    env = made("pokerdice", players=3, opponents=["novice", "random"], seat=2, equal_turns=True)
    assert whole_game(env, 1)[1] in (0.0, 1.0)

    with pytest.raises(ValueError, match="3 players have 2 opponents, not 1"):
        made("pokerdice", players=3, opponents=["novice"])
    with pytest.raises(ValueError, match="there is no player genius"):
        made("pokerdice", players=3, opponents="genius")
    with pytest.raises(ValueError, match="there is no seat 3"):
        made("pokerdice", players=3, seat=3)


def test_a_refused_action_changes_nothing():
    env = made("pok", players=3)
    seen, _ = env.reset(seed=1)

    after, share, is_over, is_cut, info = env.step(env.unwrapped.table.encoder.noop)

    assert info["refused"] == "choice/illegal"
    assert (share, is_over, is_cut) == (0.0, False, False)
    assert after["observation"].tobytes() == seen["observation"].tobytes()
    assert env.unwrapped.action_masks().tolist() == [True, True, True, False]


class Plain:
    """One table of `Tables` in plain Python: the same dice, the same bots, one game after another."""

    def __init__(self, name: str, n_seats: int, bots: dict[int, str], seed: int, number: int) -> None:
        self.play, self.bots, self.number = Play(GAMES[name], n_seats), {}, number
        self.chance, luck = Duplicate(seed, number, self.play), luck_of(seed, number)
        self.bots: dict[int, Player] = {seat: player(bot, GAMES[name], luck) for seat, bot in bots.items()}
        self.go_on()

    def go_on(self) -> None:
        while not self.play.is_over:
            if advance(self.play, self.chance):
                continue
            asked = members(self.play.turn)
            for seat in asked:
                if seat in self.bots:
                    self.play.choose(seat, self.bots[seat](self.play.view(seat)))
            if any(seat not in self.bots for seat in asked):
                return


def follow(name: str, n_seats: int, opponents: list[str] | None, n_tables: int, steps: int) -> int:  # noqa: C901
    """Many tables beside as many plain ones: after every step, every byte is the same. Says how many games ended."""
    game, seed, ended = GAMES[name], 11, 0
    tables, encoder = Tables(game, n_tables, n_seats, None, opponents, seed=seed, finals=True), Encoder(game, n_seats)

    def plain(at: int, number: int) -> Plain:
        own = at % n_seats
        after = {(own + 1 + place) % n_seats: bot for place, bot in enumerate(opponents or [])}
        return Plain(name, n_seats, after, seed, number)

    beside = [plain(at, at) for at in range(n_tables)]
    for _ in range(steps):
        actions = tables.random_actions().copy()
        for at, table in enumerate(beside):
            phase = table.play.state.phase
            for view, seat in enumerate(tables.seats[at].tolist()):
                assert tables.observations[at, view].tobytes() == encoder.observation(table.play.view(seat)).tobytes()
                assert tables.masks[at, view].tobytes() == encoder.mask(table.play.view(seat)).tobytes()
            for view, seat in enumerate(tables.seats[at].tolist()):
                if actions[at, view] != encoder.noop:
                    table.play.choose(seat, encoder.choice(phase, int(actions[at, view])))
            table.go_on()
        tables.step(actions)
        for at, table in enumerate(beside):
            assert bool(tables.dones[at]) == table.play.is_over
            outcome = table.play.outcome()
            for view, seat in enumerate(tables.seats[at].tolist()):
                share = outcome.shares[seat] if outcome else 0.0
                assert tables.rewards[at, view] == np.float32(share)
                if outcome:
                    final = encoder.observation(table.play.view(seat))
                    assert tables.finals[at, view].tobytes() == final.tobytes()
            if table.play.is_over:
                ended += 1
                beside[at] = plain(at, table.number + n_tables)
    return ended


COMPILED = [name if name in (first, last) else pytest.param(name, marks=pytest.mark.soak) for name in GAMES]


@pytest.mark.parametrize("name", COMPILED)
def test_many_tables_play_what_plain_tables_play(name: str):
    assert follow(name, GAMES[name].usual_seats, None, 3, 90) > 0


@pytest.mark.parametrize("name", COMPILED)
def test_many_tables_among_bots_play_what_plain_tables_play(name: str):
    n_seats = GAMES[name].usual_seats
    bots = ["casual", "random", "novice-bold", "novice"]

    assert follow(name, n_seats, bots[: n_seats - 1], n_seats + 1, 60) > 0


def test_the_vector_environment_keeps_gymnasiums_form():
    assert pokade.adapters
    envs = gymnasium.make_vec("pokade/pok-v0", num_envs=6, players=3, opponents=None)
    seen, _ = envs.reset(seed=1)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert seen in envs.observation_space

    rng, ended = np.random.default_rng(1), 0
    for _ in range(60):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])
        assert actions in envs.action_space
        seen, rewards, ends, cuts, infos = envs.step(actions)
        assert rewards.shape == ends.shape == cuts.shape == (6,)
        assert rewards[~ends].sum() == 0.0
        assert rewards.sum() == pytest.approx(ends.sum() / 3)
        assert not infos["refused"].any()
        if ends.any():
            ended += 1
            assert infos["final_obs"][ends].max() == 1.0
    assert ended > 0


def test_observations_and_masks_are_the_kernels_own_memory():
    assert pokade.adapters
    envs = gymnasium.make_vec("pokade/pok-v0", num_envs=4, players=3, opponents="casual")
    seen, _ = envs.reset(seed=1)
    later, *_ = envs.step(envs.unwrapped.tables.random_actions())

    assert np.shares_memory(seen["observation"], later["observation"])
    assert np.shares_memory(seen["action_mask"], envs.unwrapped.tables.masks)


def test_rows_are_copies_if_that_is_wanted():
    assert pokade.adapters
    envs = gymnasium.make_vec("pokade/pok-v0", num_envs=4, players=3, copy=True)
    seen, _ = envs.reset(seed=1)

    later, *_ = envs.step(envs.unwrapped.tables.random_actions())

    assert not np.shares_memory(seen["observation"], later["observation"])


def test_a_refused_action_at_one_table_leaves_that_table_waiting():
    tables = Tables(GAMES["pok"], 2, 3, opponents=["casual"] * 2, seed=1)
    before = tables.observations.copy()

    tables.step(np.array([[99], [0]]))

    assert tables.refused.tolist() == [[True], [False]]
    assert np.array_equal(tables.observations[0], before[0])
    assert not np.array_equal(tables.observations[1], before[1])


def test_whoever_searches_does_not_play_at_many_tables():
    with pytest.raises(ValueError, match="strong searches"):
        Tables(GAMES["pok"], 2, 3, opponents=["strong", "casual"])


def test_seats_that_do_not_fill_tables_are_refused():
    assert pokade.adapters
    with pytest.raises(ValueError, match="num_envs counts seats here, 3 for each table"):
        gymnasium.make_vec("pokade/pok-v0", num_envs=4, players=3, opponents=None)
