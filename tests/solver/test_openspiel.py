"""Reduced games of POK (two symbols, few counters and rounds) on the same tree in OpenSpiel, whose solvers share
nothing with ours: what its best response gains against our mixtures, what they are worth, what its own solver finds.
"""

from functools import cache
from typing import Any

import numpy as np
import pyspiel
import pytest

from pokade.games.play import View
from pokade.games.pok import CHOOSING, GAME, OVER, SYMBOLS, choose, turn
from pokade.games.state import CHANCE, copied, how_many
from pokade.solver.pok import solved
from pokade.solver.pok.hands import THROWS, faces
from pokade.solver.pok.reference import shares

pytestmark = pytest.mark.soak

SEATS = 3
WAYS = sum(faces())
ONE_ROUND = ("ST ST ST", "TT ST ST", "SST STT ST")
TWO_ROUNDS = ("SS ST TT",)  # one seat chooses: the tree of two rounds is large
TYPE = pyspiel.GameType(
    short_name="reduced_pok",
    long_name="POK with few counters and rounds",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.CONSTANT_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=SEATS,
    min_num_players=SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
)


def endgame(hands: str, rounds: int) -> Any:
    """The rules' own state before the throw, with these hands and so many rounds to go."""
    state: Any = GAME.new(SEATS, {"max_rounds": rounds})
    state.unheard = 1
    for seat, letters in enumerate(hands.split()):
        state.counters[seat][:] = [letters.count(letter) for letter in "OST"]
        state.left[seat] = len(letters)
    return state


class Reduced(pyspiel.Game):
    """An endgame as OpenSpiel sees it: a throw is one chance, sealed choices come one after the other, unseen."""

    def __init__(self, start: Any) -> None:
        rounds = start.max_rounds
        info = pyspiel.GameInfo(
            num_distinct_actions=SYMBOLS,
            max_chance_outcomes=len(THROWS),
            num_players=SEATS,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=rounds * (SEATS + 1),
        )
        super().__init__(TYPE, info, {})
        self.start = start

    def new_initial_state(self) -> "Position":
        return Position(self)


class Position(pyspiel.State):
    """A state of the rules, what is sealed so far, and what all have seen."""

    def __init__(self, game: Reduced) -> None:
        super().__init__(game)
        self.now = copied(game.start)
        self.sealed: list[int] = []
        self.seen = ""

    def current_player(self) -> int:
        if self.now.phase == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if turn(self.now) == CHANCE else len(self.sealed)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, ways / WAYS) for number, ways in enumerate(faces())]

    def _legal_actions(self, player: int) -> list[int]:
        return [symbol for symbol in range(SYMBOLS) if self.now.counters[player][symbol]]

    def _apply_action(self, action: int) -> None:
        if self.now.phase != CHOOSING:
            self.now.dice[:] = THROWS[action]
            self.now.n_dice, self.now.phase = len(self.now.dice), CHOOSING
            self.seen += f" {action}:"
            return
        self.sealed.append(action)
        if len(self.sealed) == SEATS:
            for seat, symbol in enumerate(self.sealed):
                choose(self.now, seat, symbol)
            self.seen += "".join(map(str, self.sealed))
            self.sealed = []

    def information_state_string(self, player: int | None = None) -> str:
        return f"{self.current_player() if player is None else player}|{self.seen}"

    def is_terminal(self) -> bool:
        return bool(self.now.phase == OVER)

    def returns(self) -> list[float]:
        if self.now.phase != OVER:
            return [0.0] * SEATS
        winners = self.now.winners
        return [(winners >> seat & 1) / how_many(winners) for seat in range(SEATS)]

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player} {action}"

    def __str__(self) -> str:
        return f"{self.seen} {self.sealed}"


@cache
def reduced(hands: str, rounds: int) -> Reduced:
    return Reduced(endgame(hands, rounds))


@cache
def ours(hands: str, rounds: int) -> Any:
    """Our solution, asked as the strong level asks it: by views."""
    from open_spiel.python import policy  # noqa: PLC0415 - comes with an extra

    def asked(state: Position) -> dict[int, float]:
        found = solved(SEATS).mixture(View(GAME, state.current_player(), state.now))
        return {symbol: found[symbol] for symbol in state.legal_actions()}

    return policy.tabular_policy_from_callable(reduced(hands, rounds), asked)


ALL = [(hands, 1) for hands in ONE_ROUND] + [(hands, 2) for hands in TWO_ROUNDS]


@pytest.mark.parametrize(("hands", "rounds"), ALL)
def test_the_best_response_of_openspiel_gains_nothing_against_our_mixtures(hands: str, rounds: int):
    from open_spiel.python.algorithms import exploitability  # noqa: PLC0415 - comes with an extra

    game = reduced(hands, rounds)

    assert exploitability.nash_conv(game, ours(hands, rounds)) == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize(("hands", "rounds"), ALL)
def test_openspiel_finds_our_mixtures_worth_what_we_say(hands: str, rounds: int):
    from open_spiel.python.algorithms import expected_game_score  # noqa: PLC0415 - comes with an extra

    game = reduced(hands, rounds)
    found = expected_game_score.policy_value(game.new_initial_state(), [ours(hands, rounds)] * SEATS)

    assert list(found) == pytest.approx(shares(solved(SEATS), game.start), abs=1e-5)


@pytest.mark.parametrize("hands", ONE_ROUND)
def test_blind_play_is_as_exploitable_there_as_here(hands: str):
    """That the two best responses agree on something that is no equilibrium."""
    from open_spiel.python import policy  # noqa: PLC0415 - comes with an extra
    from open_spiel.python.algorithms import exploitability  # noqa: PLC0415 - as above

    game = reduced(hands, 1)
    found = exploitability.nash_conv(game, policy.UniformRandomPolicy(game), return_only_nash_conv=False)

    gains = [
        sum(gain_of_blind(game.start, throw, seat) * ways for throw, ways in zip(THROWS, faces(), strict=True)) / WAYS
        for seat in range(SEATS)
    ]
    assert list(found.player_improvements) == pytest.approx(gains, abs=1e-9)


def gain_of_blind(start: Any, throw: tuple[int, ...], seat: int) -> float:
    """What the best symbol is worth more than a blind one, if the others choose blindly: played out by the rules."""
    held = [[s for s in range(SYMBOLS) if start.counters[other][s]] for other in range(SEATS)]
    worths = {symbol: [] for symbol in held[seat]}  # type: dict[int, list[float]]
    for showing in np.ndindex(*(len(own) for own in held)):
        shown = [held[other][at] for other, at in enumerate(showing)]
        state = copied(start)
        state.dice[:] = throw
        state.n_dice, state.phase = len(throw), CHOOSING
        for other, symbol in enumerate(shown):
            choose(state, other, symbol)
        assert state.phase == OVER
        worths[shown[seat]].append((state.winners >> seat & 1) / how_many(state.winners))
    means = [float(np.mean(values)) for values in worths.values()]
    return max(means) - float(np.mean(means))


@pytest.mark.parametrize("hands", ["TT ST TT", "SS ST TT"])
def test_its_own_solver_finds_the_same_worth_where_one_seat_decides(hands: str):
    """With several who choose there may be several equilibria; here is one, and regret minimisation gets there."""
    from open_spiel.python.algorithms import cfr, expected_game_score  # noqa: PLC0415 - comes with an extra

    game = reduced(hands, 1)
    solver = cfr.CFRSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    found = expected_game_score.policy_value(game.new_initial_state(), [solver.average_policy()] * SEATS)

    assert list(found) == pytest.approx(shares(solved(SEATS), game.start), abs=0.01)
