"""Self-play with JAX (extra `[train]`): every seat of many compiled tables is the network, and learns from all of them.

Regularised policy gradients: what a choice brought above what was expected is learnt in small steps (PPO's clipped
ratio), and a mixture is worth its entropy times a temperature on top. With the temperature held, such play settles in
games where plain gradients go round in circles; it is lowered slowly, so play follows one path from everything equally
likely to near an equilibrium. What is exported is the mean of the weights over the last part of the way.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import pairwise
from typing import Any, Final

import numpy as np

from pokade.arena.learned.network import Layer
from pokade.arena.learned.player import Learned
from pokade.arena.vector import Tables
from pokade.games.errors import BadRun
from pokade.games.game import Game

AVERAGED: Final = 8  # the mean of the weights reaches back over one part in so many
BETAS: Final = (0.9, 0.999)  # of Adam
TINY: Final = 1e-8


@dataclass(frozen=True, slots=True)
class Settings:
    """How it learns. Temperatures are in parts of a win."""

    tables: int = 1024
    steps: int = 32  # of every table between two lessons
    units: tuple[int, ...] = (128, 128)  # hidden ones, by layer
    epochs: int = 1
    batches: int = 16  # of an epoch
    rate: float = 1e-3  # at first …
    last_rate: float = 5e-5  # … and at the end
    clip: float = 0.2
    trace: float = 0.8  # how far what came later counts, against what was expected (lambda)
    warm: float = 0.05  # the temperature at first …
    cold: float = 0.002  # … and at the end


@dataclass(slots=True)
class Training:
    """What is asked for, and how far it is."""

    game: Game
    n_seats: int
    minutes: float
    seed: int = 0
    options: Mapping[str, object] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    lessons: int | None = None  # so many instead of minutes: then the same seed gives the same network
    choices: int = 0  # that it has learnt from
    games: int = 0
    done: int = 0  # lessons
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.game.new(self.n_seats, self.options)  # refuses bad seats and options before anything is compiled

    @property
    def part(self) -> float:
        """How much of the way is done."""
        if self.lessons is not None:
            return min(1.0, self.done / self.lessons)
        return min(1.0, self.seconds / (60 * self.minutes))

    def about(self) -> dict[str, Any]:
        """What is to be known about the network."""
        known = {"seed": self.seed, "lessons": self.done, "games": self.games, "choices": self.choices}
        return {**known, "minutes": round(self.seconds / 60, 2)}


def jax_and_numpy() -> tuple[Any, Any]:
    """The library, or a sentence about it."""
    try:
        import jax  # noqa: PLC0415 - an extra
    except ImportError:
        raise BadRun("train/missing", "training needs JAX: pip install 'pokade[train]'") from None
    return jax, jax.numpy


def train(training: Training, progress: Callable[[Training], None] = lambda _: None) -> Learned:
    """Play and learn until the time is up. Stopped at any moment (Ctrl-C), it keeps what it has learnt."""
    learner, started = Learner(training), time.perf_counter()
    try:
        while training.part < 1.0:
            learner.lesson()
            training.seconds = time.perf_counter() - started
            progress(training)
    except KeyboardInterrupt:
        pass
    return learner.player()


class Learner:
    """The networks on their way: one that plays, one that says what a view is worth, and the mean of the first."""

    def __init__(self, training: Training) -> None:
        self._jax, self._np = jax_and_numpy()
        self._training, settings = training, training.settings
        self._tables = Tables(training.game, settings.tables, training.n_seats, training.options, seed=training.seed)
        encoder = self.encoder = self._tables.encoder
        source = np.random.default_rng(training.seed)
        nets = {
            "policy": _new((encoder.size, *settings.units, encoder.n_actions), source),
            "value": _new((encoder.size, *settings.units, 1), source),
        }
        zeros = self._jax.tree.map(np.zeros_like, nets)
        self._state = {"nets": nets, "mean": nets["policy"], "slope": zeros, "square": zeros, "step": np.float32(0)}
        self._key = self._jax.random.PRNGKey(training.seed)

    def lesson(self) -> None:
        """Play for a while, and learn from it."""
        training = self._training
        self._key, playing, learning = self._jax.random.split(self._key, 3)
        seen = self._play(playing)
        settings, part = training.settings, training.part
        rate, heat = _between(settings.rate, settings.last_rate, part), _between(settings.warm, settings.cold, part)
        learn = _learning(settings, 1.0 / training.n_seats)
        self._state = learn(self._state, seen, learning, np.float32(rate), np.float32(heat))
        self._jax.block_until_ready(self._state)
        training.done += 1
        training.games += int(seen["dones"].sum())
        training.choices += int((seen["actions"] != self.encoder.noop).sum())

    def player(self) -> Learned:
        """The mean of the weights, as a player."""
        layers = [Layer(np.asarray(weights), np.asarray(bias)) for weights, bias in self._state["mean"]]
        return Learned(self.encoder, layers, self._training.seed)

    def _play(self, key: Any) -> dict[str, Any]:
        """A stretch of every table: what was seen, done and won."""
        tables, steps = self._tables, self._training.settings.steps
        seen: dict[str, list[Any]] = {name: [] for name in ("numbers", "masks", "actions", "rewards", "dones")}
        for step_key in self._jax.random.split(key, steps):
            seen["numbers"].append(tables.observations.copy())
            seen["masks"].append(tables.masks.copy())
            policy = self._state["nets"]["policy"]
            actions = np.asarray(_acting()(policy, tables.observations, tables.masks, step_key))
            tables.step(actions.astype(np.int64))
            seen["actions"].append(actions)
            seen["rewards"].append(tables.rewards.copy())
            seen["dones"].append(tables.dones.copy())
        seen["numbers"].append(tables.observations.copy())
        return {name: np.stack(rows) for name, rows in seen.items()}


@cache
def _acting() -> Any:
    """Compiled once for all learners of a process that look alike: that takes longer than many lessons."""
    jax, _ = jax_and_numpy()
    return jax.jit(partial(_act, jax))


@cache
def _learning(settings: Settings, fair: float) -> Any:
    """As above."""
    jax, _ = jax_and_numpy()
    return jax.jit(partial(_learn, jax, settings, fair))


def _between(first: float, last: float, part: float) -> float:
    """From the first to the last, by equal factors."""
    return float(first * (last / first) ** part)


def _new(widths: tuple[int, ...], source: np.random.Generator) -> list[tuple[Any, Any]]:
    """Weights whose last layer is zero: every action equally likely, every view worth the same."""
    layers = []
    for at, (before, after) in enumerate(pairwise(widths)):
        scale = 0.0 if at == len(widths) - 2 else np.sqrt(2.0 / before)
        layers.append(
            (
                source.normal(0.0, 1.0, (before, after)).astype(np.float32) * np.float32(scale),
                np.zeros(after, np.float32),
            )
        )
    return layers


def _outputs(jax: Any, layers: Any, numbers: Any) -> Any:
    *hidden, (last, bias) = layers
    for weights, shift in hidden:
        numbers = jax.nn.relu(numbers @ weights + shift)
    return numbers @ last + bias


def _logarithms(jax: Any, layers: Any, numbers: Any, masks: Any) -> Any:
    """The logarithm of how likely each action is; those that are not allowed are far below."""
    return jax.nn.log_softmax(jax.numpy.where(masks == 1, _outputs(jax, layers, numbers), -1e9))


def _act(jax: Any, layers: Any, numbers: Any, masks: Any, key: Any) -> Any:
    return jax.random.categorical(key, _logarithms(jax, layers, numbers, masks))


def _learn(jax: Any, settings: Settings, fair: float, state: Any, seen: Any, key: Any, rate: Any, heat: Any) -> Any:
    """One lesson: what each choice was worth, then some epochs over all of them in batches."""
    worth = _outputs(jax, state["nets"]["value"], seen["numbers"])[..., 0]
    gains = _gains(jax, settings, seen, worth, fair)
    numbers, masks, actions = seen["numbers"][:-1], seen["masks"], seen["actions"][..., None]
    likely = jax.numpy.take_along_axis(_logarithms(jax, state["nets"]["policy"], numbers, masks), actions, -1)
    rows = {"numbers": numbers, "masks": masks, "actions": actions, "likely": likely}
    rows |= {"gains": gains[..., None], "goals": (worth[:-1] + gains)[..., None]}
    flat = jax.tree.map(lambda part: part.reshape(-1, part.shape[-1]), rows)
    spread = gains.std() + TINY

    def step(now: Any, picked: Any) -> Any:
        batch = jax.tree.map(lambda part: part[picked], flat)
        slopes = jax.grad(_loss, argnums=2)(jax, settings, now["nets"], batch, heat, spread)
        return _moved(jax, now, slopes, rate), None

    count = flat["goals"].shape[0] // settings.batches * settings.batches
    orders = [jax.random.permutation(one, count) for one in jax.random.split(key, settings.epochs)]
    state, _ = jax.lax.scan(step, state, jax.numpy.concatenate(orders).reshape(settings.epochs * settings.batches, -1))
    return state


def _gains(jax: Any, settings: Settings, seen: Any, worth: Any, fair: float) -> Any:
    """What came above what was expected, a little of it from later steps (generalised advantage estimation)."""
    going = 1.0 - seen["dones"][..., None].astype(np.float32)
    won = seen["rewards"] - fair * (1.0 - going)
    surprise = won + going * worth[1:] - worth[:-1]

    def back(later: Any, now: Any) -> Any:
        surprise_now, going_now = now
        gain = surprise_now + going_now * settings.trace * later
        return gain, gain

    _, gains = jax.lax.scan(back, jax.numpy.zeros_like(worth[0]), (surprise, going), reverse=True)
    return gains


def _loss(jax: Any, settings: Settings, nets: Any, batch: Any, heat: Any, spread: Any) -> Any:
    """PPO's clipped gain and the entropy, where there is a choice; the squared error of what views are worth."""
    num = jax.numpy
    logs = _logarithms(jax, nets["policy"], batch["numbers"], batch["masks"])
    ratio = num.exp(num.take_along_axis(logs, batch["actions"], -1) - batch["likely"])[:, 0]
    gains, is_choice = batch["gains"][:, 0], batch["masks"].sum(-1) > 1
    clipped = num.clip(ratio, 1.0 - settings.clip, 1.0 + settings.clip)
    gained = num.minimum(ratio * gains, clipped * gains)
    entropy = -(num.exp(logs) * num.where(batch["masks"] == 1, logs, 0.0)).sum(-1)
    chosen = num.where(is_choice, gained + heat * entropy, 0.0).sum() / num.maximum(1, is_choice.sum())
    errors = (_outputs(jax, nets["value"], batch["numbers"]) - batch["goals"]) ** 2
    return -chosen / spread + errors.mean() / spread**2


def _moved(jax: Any, state: Any, slopes: Any, rate: Any) -> Any:
    """A step of Adam, and the mean of the weights: over the last part of all steps so far."""
    first, second = BETAS
    step = state["step"] + 1.0
    slope = jax.tree.map(lambda old, new: first * old + (1 - first) * new, state["slope"], slopes)
    square = jax.tree.map(lambda old, new: second * old + (1 - second) * new * new, state["square"], slopes)
    size = rate * jax.numpy.sqrt(1 - second**step) / (1 - first**step)
    nets = jax.tree.map(lambda net, m, v: net - size * m / (jax.numpy.sqrt(v) + TINY), state["nets"], slope, square)
    share = AVERAGED / (step + AVERAGED)
    mean = jax.tree.map(lambda old, new: old + share * (new - old), state["mean"], nets["policy"])
    return {"nets": nets, "mean": mean, "slope": slope, "square": square, "step": step}
