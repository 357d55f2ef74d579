"""OpenSpiel: importing this registers every game, as `python_pokade_` and its name, with its options as parameters.

    import pyspiel, pokade.adapters.openspiel
    game = pyspiel.load_game(f"python_pokade_{NAME}", {"players": 3})

Chance is explicit, one die or card a node. A sealed round is one simultaneous node; a game with such rounds is also
there turn by turn, as `…_turns`, where the seats of a round choose one after another and see nothing of each other.
An information state is what the encoder tells of the view (see docs/encoding.md): a position, not its history. Returns
are shares of the win, which add up to one. `resample_from_infostate` draws what the player can't know again.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pyspiel

from pokade.adapters.worlds import another_world
from pokade.arena.encoding import Encoder
from pokade.games import GAMES
from pokade.games.game import Game, Option
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOBODY, WATCHER, columns, members

PREFIX, TURNS = "python_pokade_", "_turns"
LONGEST: Final = 100_000  # steps of a game, whatever its options
MOST_OUTCOMES: Final = 64  # of chance, at one node
AS_THE_RULES_SAY: Final = 0  # a number whose default depends on the players


class Kept:
    """A play that is copied quickly: OpenSpiel copies a state by copying whatever it holds."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __deepcopy__(self, memo: Any) -> "Kept":
        return Kept(self.play.copy())


def has_sealed_rounds(rules: Game) -> bool:
    """Do several seats ever choose at once?"""
    return any(column.mark == "sealed" for column in columns(rules.state))


def _default(option: Option, rules: Game) -> Any:
    found = {option.default(n_seats) for n_seats in rules.seats}
    return found.pop() if len(found) == 1 else AS_THE_RULES_SAY


def game_type(rules: Game, is_turns: bool) -> Any:
    """What OpenSpiel wants to know of a game before it is made."""
    dynamics = pyspiel.GameType.Dynamics
    parameters = {"players": rules.usual_seats} | {option.name: _default(option, rules) for option in rules.options}
    return pyspiel.GameType(
        short_name=f"{PREFIX}{rules.name}{TURNS if is_turns else ''}",
        long_name=f"{rules.title}{', turn by turn' if is_turns else ''}",
        dynamics=dynamics.SIMULTANEOUS if has_sealed_rounds(rules) and not is_turns else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.seats[-1],
        min_num_players=rules.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=parameters,
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """A game at a table of some size, with options."""

    rules: Game
    is_turns: bool

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.n_seats, self.options = params["players"], _options(self.rules, params)
        self.encoder = Encoder(self.rules, self.n_seats, self.options)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoder.noop,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.n_seats,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=LONGEST,
        )
        super().__init__(game_type(self.rules, self.is_turns), info, dict(params))

    def max_chance_nodes_in_history(self) -> int:
        """How often chance may have its turn."""
        return LONGEST

    def new_initial_state(self) -> "SpielState":
        """A table before the first throw or deal."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """What a player may know: the same with and without perfect recall, since a view keeps all that counts."""
        if params:
            raise ValueError(f"observations have no parameters, but got {params}")
        is_whole = iig_obs_type is None or iig_obs_type.public_info
        if iig_obs_type and iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return Observer(self.encoder, "public")
        return Observer(self.encoder, "" if is_whole else "own")


def _options(rules: Game, params: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given; a default that depends on the players is left to the rules."""
    given = {option.name: (params[option.name], _default(option, rules)) for option in rules.options}
    return {name: value for name, (value, default) in given.items() if value != default}


class SpielState(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A game being played."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._kept = Kept(Play(game.rules, game.n_seats, game.options))
        self._sealed: list[int] = []  # turn by turn: the seats that have chosen in this round
        self._sealing = 0  # the phase in which seats sealed something last

    @property
    def play(self) -> Play:
        """The rules' own game."""
        return self._kept.play

    def _left(self) -> list[int]:
        return [seat for seat in members(self.play.turn) if seat not in self._sealed]

    def current_player(self) -> int:
        """Chance, nobody, one seat, or several at once."""
        turn = self.play.turn
        if turn in (CHANCE, NOBODY):
            return int(pyspiel.PlayerId.CHANCE if turn == CHANCE else pyspiel.PlayerId.TERMINAL)
        left = self._left()
        is_one = len(left) == 1 or self.get_game().is_turns
        return left[0] if is_one else int(pyspiel.PlayerId.SIMULTANEOUS)

    def _legal_actions(self, player: int) -> list[int]:
        """A seat's actions; none if it is not asked."""
        encoder, phase = self.get_game().encoder, self.play.state.phase
        return sorted(encoder.action(phase, choice) for choice in self.play.legal(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring, and how likely that is."""
        weights = self.play.chances()
        total = sum(weights.values())
        return [(outcome, weight / total) for outcome, weight in sorted(weights.items())]

    def _apply_action(self, action: int) -> None:
        if self.play.turn == CHANCE:
            self.play.happen(int(action))
            return
        seat = self.current_player()
        if self._choose(seat, action):
            self._sealed = []
        else:
            self._sealed = [*self._sealed, seat]

    def _apply_actions(self, actions: list[int]) -> None:
        for seat in members(self.play.turn):
            self._choose(seat, actions[seat])

    def _choose(self, seat: int, action: int) -> bool:
        """A choice; says whether anything opened by it."""
        self._sealing = self.play.state.phase
        return self.play.choose(seat, self.get_game().encoder.choice(self._sealing, int(action)))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        phase = self.play.state.phase
        choice = self.get_game().encoder.choice(phase, action)
        return self.play.game.words.write_choice(phase, self.play.state, choice)

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return self.play.is_over

    def returns(self) -> list[float]:
        """Everybody's share of the win; nothing while the game is on."""
        outcome = self.play.outcome()
        return list(outcome.shares) if outcome else [0.0] * self.play.n_seats

    def resample_from_infostate(self, player_id: int, sampler: Any) -> "SpielState":
        """A state that the player can't tell from this one: hidden hands and the others' sealed choices drawn again.

        How it came about is not drawn again, so it does not know its own steps.
        """
        other: SpielState = self.clone()
        other.play.state = another_world(self.play, player_id, self._sealing, sampler)
        other.play.steps = []
        return other

    def __str__(self) -> str:
        """Everything that has happened, for people who debug."""
        return " ".join(f"{'d' if actor == CHANCE else f'p{actor + 1}'}:{value}" for actor, value in self.play.steps)


def resampler(seed: int) -> Callable[[SpielState, int], SpielState]:
    """`resample_from_infostate` with luck of its own, for bots that take a function; the same seed, the same worlds."""
    luck = random.Random(seed)
    return lambda state, player: state.resample_from_infostate(player, luck.random)


class Observer:
    """The encoder, as OpenSpiel wants it; parts of what a player knows have words alone."""

    def __init__(self, encoder: Encoder, part: str) -> None:
        self._encoder, self._part = encoder, part
        self.tensor = None if part else np.zeros(encoder.size, np.float32)
        self.dict = {} if self.tensor is None else {"view": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """The numbers of a player's view."""
        if self.tensor is not None:
            self.tensor[:] = self._encoder.observation(state.play.view(player))

    def string_from(self, state: SpielState, player: int) -> str:
        """The same in words."""
        if self._part == "public":
            return self._encoder.key(state.play.view(WATCHER))
        return f"p{player + 1} {self._encoder.key(state.play.view(player), self._part)}"


def _register(rules: Game, is_turns: bool) -> None:
    """A class for each: OpenSpiel lets go of what makes a game after Python has ended, which only a class survives."""
    made = type("SpielGame", (SpielGame,), {"rules": rules, "is_turns": is_turns})
    pyspiel.register_game(game_type(rules, is_turns), made)


for _rules in GAMES.values():
    for _is_turns in (False, True) if has_sealed_rounds(_rules) else (False,):
        _register(_rules, _is_turns)
