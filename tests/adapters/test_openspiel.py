"""OpenSpiel's own tests and algorithms on our games, and whether what they find is what we find."""

import itertools
import pickle
import random
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability, external_sampling_mccfr, ismcts, mcts

import pokade.adapters.openspiel as adapter
from pokade.chance import exhaust
from pokade.games import GAMES
from pokade.games.play import Play
from pokade.games.state import packed
from pokade.solver import solver_of
from pokade.testing import tables
from tests.test_conformance import claims

every_game = pytest.mark.parametrize("name", GAMES)
NAMES = [name for name in pyspiel.registered_names() if name.startswith(adapter.PREFIX)]
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
ONE_ROUND = {"players": 3, "max_rounds": 1}


def loaded(name: str, **parameters: Any) -> Any:
    return pyspiel.load_game(adapter.PREFIX + name, parameters)


def test_every_game_is_registered_and_sealed_ones_turn_by_turn_too():
    sealed = [name for name, game in GAMES.items() if adapter.has_sealed_rounds(game)]

    assert sorted(NAMES) == sorted(adapter.PREFIX + name for name in (*GAMES, *(f"{name}_turns" for name in sealed)))


@pytest.mark.parametrize("name", NAMES)
def test_openspiels_random_sim_test(name: str):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("name", [name for name in GAMES if adapter.has_sealed_rounds(GAMES[name])])
def test_openspiels_random_sim_test_of_its_turn_based_form(name: str):
    turns = pyspiel.convert_to_turn_based(loaded(name))

    pyspiel.random_sim_test(turns, num_sims=1, serialize=False, verbose=False)


@pytest.mark.soak
@every_game
def test_openspiels_random_sim_test_at_every_table(name: str):
    for n_seats, options in tables(GAMES[name]):
        if options.get("max_waits") != 0:  # without a limit a game may be as long as it likes
            pyspiel.random_sim_test(loaded(name, players=n_seats, **options), 1, serialize=True, verbose=False)


def played_through(name: str) -> str:
    """A game at the smallest table, as OpenSpiel's own tool tells it."""
    from open_spiel.python.algorithms import generate_playthrough  # noqa: PLC0415 - it loads far more than it needs

    table = f"{adapter.PREFIX}{name}(players={GAMES[name].seats[0]})"
    return str(generate_playthrough.playthrough(table, action_sequence=None, seed=2026))


@every_game
def test_the_playthrough_is_the_one_that_was_checked_in(name: str):
    """How a game looks to OpenSpiel does not change unnoticed: `python -m tests.adapters.playthroughs` writes it."""
    assert (PLAYTHROUGHS / f"{name}.txt").read_text("utf-8") == played_through(name)


def at_random(state: Any, rng: random.Random) -> None:
    """One step on, any way."""
    if state.is_chance_node():
        state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
    elif state.is_simultaneous_node():
        state.apply_actions([rng.choice(state.legal_actions(p) or [0]) for p in range(state.num_players())])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("name", NAMES)
def test_a_serialised_state_goes_on_as_the_original_does(name: str):
    game, rng = pyspiel.load_game(name), random.Random(1)
    state = game.new_initial_state()
    for _ in range(40):
        if not state.is_terminal():
            at_random(state, rng)
    again = game.deserialize_state(state.serialize())
    pickled = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own

    for other in (again, pickled, state.clone()):
        assert str(other) == str(state)
        assert packed(other.play.state) == packed(state.play.state)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_player_may_not_know_changes_neither_string_nor_tensor(name: str):
    game, rng, differing = pyspiel.load_game(name), random.Random(2), 0
    twin_of = claims(game.rules.name).twin
    for _ in range(3):
        state = game.new_initial_state()
        while not state.is_terminal() and len(state.play.steps) < 150:
            at_random(state, rng)
            player, twin = rng.randrange(state.num_players()), state.clone()
            twin.play.state = twin_of(state.play, player, False, rng)
            differing += packed(twin.play.state) != packed(state.play.state)
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.information_state_tensor(player) == state.information_state_tensor(player)
    assert differing > 0 or not name.endswith(adapter.TURNS)


@pytest.mark.parametrize("name", [name for name in NAMES if "poch" not in name])
def test_another_world_looks_the_same_to_the_player_and_differs_for_others(name: str):
    differing = worlds_of(name, 12)

    assert differing > 0 or "turns" not in name


@pytest.mark.soak
def test_another_world_of_hidden_hands_looks_the_same_to_the_player():
    assert worlds_of(adapter.PREFIX + "poch", 12) > 0


def worlds_of(name: str, games: int) -> int:
    """Positions of random games and another world of each; says how many were really other."""
    game, rng, differing = pyspiel.load_game(name), random.Random(3), 0
    draw = adapter.resampler(4)
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal() and len(state.play.steps) < 120:
            at_random(state, rng)
            player = state.current_player()
            if player >= 0:
                other = draw(state, player)
                differing += packed(other.play.state) != packed(state.play.state)
                assert other.information_state_string(player) == state.information_state_string(player)
                assert other.legal_actions() == state.legal_actions()
    return differing


def searched(sealed: tuple[int, int], worlds: Any) -> list[tuple[int, float]]:
    """What information-set search makes of the last seat's choice when the other two have sealed theirs."""
    game = loaded("pok_turns", **ONE_ROUND)
    state = game.new_initial_state()
    for action in (0, 3, 3, *sealed):  # one disc, and two blanks
        state.apply_action(action)
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=1.4,
        max_simulations=120,
        random_state=np.random.RandomState(2),
        final_policy_type=ismcts.ISMCTSFinalPolicyType.NORMALIZED_VISITED_COUNT,
    )
    bot.set_resampler(worlds)
    return sorted(bot.step_with_policy(state)[0])


def test_information_set_search_knows_nothing_of_what_others_have_sealed():
    """With our worlds it thinks the same whatever they did; with plain copies it would look into their fists."""
    rounds = list(itertools.product(range(2), repeat=2))
    fair = [searched(sealed, adapter.resampler(3)) for sealed in rounds]
    peeping = [searched(sealed, lambda state, _: state.clone()) for sealed in rounds]

    assert all(found == fair[0] for found in fair)
    assert any(found != peeping[0] for found in peeping)
    assert sum(part for _, part in fair[0]) == pytest.approx(1.0)


def ends(throw: tuple[int, ...], choices: tuple[int, ...]) -> tuple[float, ...]:
    """How the only round ends, by the rules themselves."""
    play = Play(GAMES["pok"], 3, {"max_rounds": 1})
    for outcome in throw:
        play.happen(outcome)
    for seat, choice in enumerate(choices):
        play.choose(seat, choice)
    outcome = play.outcome()
    assert outcome is not None
    return outcome.shares


@cache
def worth_of_choices(throw: tuple[int, ...]) -> tuple[float, ...]:
    """What each choice of the first seat is worth if the others choose at random."""
    others = list(itertools.product(range(3), repeat=2))
    return tuple(sum(ends(throw, (choice, *rest))[0] for rest in others) / len(others) for choice in range(3))


def throws() -> list[tuple[tuple[int, ...], Fraction]]:
    """All throws of the first round, each with its probability."""
    play = Play(GAMES["pok"], 3, {"max_rounds": 1})
    return [(tuple(after.state.dice), chance) for after, chance in exhaust(play)]


def test_nash_conv_of_random_play_is_what_the_rules_say():
    """By hand: each throw's best choice against two who choose at random, less a third; the same for all three."""
    game = pyspiel.convert_to_turn_based(loaded("pok", **ONE_ROUND))

    found = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))

    gain = sum(float(chance) * max(worth_of_choices(throw)) for throw, chance in throws()) - 1 / 3
    assert found == pytest.approx(3 * gain, abs=1e-9)


class Solved(policy.Policy):
    """Our solution, as OpenSpiel's algorithms ask for it."""

    def __init__(self, game: Any) -> None:
        super().__init__(game, list(range(game.num_players())))
        self._solver: Any = solver_of(GAMES["pok"])

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        seat = state.current_player() if player_id is None else player_id
        view = state.play.view(seat)
        chances = self._solver.chances(view)
        return dict(zip(view.choices, chances, strict=True))


@pytest.mark.soak  # since our solution is compiled for it
def test_nash_conv_of_our_solution_is_nearly_nothing():
    game = loaded("pok_turns", **ONE_ROUND)

    assert exploitability.nash_conv(game, Solved(game)) < 1e-3


def test_external_sampling_comes_near_an_equilibrium():
    np.random.seed(1)  # its algorithms draw from there
    game = loaded("pok_turns", **ONE_ROUND)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game, external_sampling_mccfr.AverageType.SIMPLE)
    for _ in range(400):
        solver.iteration()

    random_play = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert exploitability.nash_conv(game, solver.average_policy()) < random_play / 2


def test_information_states_are_positions_and_not_histories():
    """Two ways to the same position have one information state."""
    game, keys = loaded("pok", players=3), set()
    for first, second in (((0, 3, 3), (1, 3, 3)), ((1, 3, 3), (0, 3, 3))):
        state = game.new_initial_state()
        for throw in (first, second):
            for outcome in throw:
                state.apply_action(outcome)
            state.apply_actions([throw[0], (throw[0] + 1) % 3, (throw[0] + 1) % 3])
        for outcome in (0, 0, 0):
            state.apply_action(outcome)
        keys.add(state.information_state_string(0))

    assert len(keys) == 1
