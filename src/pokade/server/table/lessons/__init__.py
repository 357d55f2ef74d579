"""Guided games: given chance, given rivals, sentences between. The client needs no rules for them either.

A lesson is a record that tells its story while it is played again: one TOML file a game in this folder, with the
keys of a record (`players`, `options`) and steps in order. Each step may say something first, by keys of the game's own
texts under `lesson`, and then plays a few actions in the words of the record. The first seat is the learner's: what it
does in the record is what it is led to do. Where it has nothing to do but to read, the table waits until it has.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pokade import records
from pokade.games import GAMES
from pokade.games.play import Play
from pokade.games.state import CHANCE

LEARNER = 0


@dataclass(frozen=True, slots=True)
class Script:
    """What happens in a guided game; `steps` of a state tell where it has got to."""

    names: tuple[str, ...]
    options: Mapping[str, Any]
    draws: tuple[int, ...]
    choices: Mapping[tuple[int, int], int]  # by step and seat
    sayings: Mapping[int, tuple[str, ...]]  # by step

    def draws_after(self, done: int, count: int) -> list[int]:
        """The next outcomes, if `done` have come before them; fewer where the lesson ends."""
        return list(self.draws[done : done + count])

    def choice(self, step: int, seat: int) -> int | None:
        """What a seat does at a step."""
        return self.choices.get((step, seat))

    def says(self, step: int) -> list[str]:
        """The sentences that belong to a step."""
        return list(self.sayings.get(step, ()))

    def data(self) -> dict[str, Any]:
        """As plain values, for the log."""
        return {
            "names": list(self.names),
            "options": dict(self.options),
            "draws": list(self.draws),
            "choices": [[*place, choice] for place, choice in self.choices.items()],
            "sayings": [[step, list(keys)] for step, keys in self.sayings.items()],
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Script":
        """The script that `data` was made from."""
        return cls(
            tuple(data["names"]),
            data["options"],
            tuple(data["draws"]),
            {(step, seat): choice for step, seat, choice in data["choices"]},
            {step: tuple(keys) for step, keys in data["sayings"]},
        )


@cache
def lesson(game: str) -> Script:
    """The guided first game of a game."""
    found = tomllib.loads(files(__name__).joinpath(f"{game}.toml").read_text("utf-8"))
    return written(game, found)


def written(game: str, found: Mapping[str, Any]) -> Script:
    """A lesson file as a script; it is played through once, so a lesson that breaks the rules is refused here."""
    players, options = tuple(found["players"]), found.get("options", {})
    play = Play(GAMES[game], len(players), options)
    sayings: dict[int, tuple[str, ...]] = {}
    places: list[tuple[int, int, int]] = []
    for step in found["step"]:
        if "say" in step:
            sayings[play.state.step] = sayings.get(play.state.step, ()) + tuple(step["say"])
        for action in step.get("do", ()):
            places += _played(play, action)
    draws = tuple(value for _, actor, value in places if actor == CHANCE)
    choices = {(at, actor): value for at, actor, value in places if actor != CHANCE}
    return Script(players, options, draws, choices, sayings)


def _played(play: Play, action: str) -> list[tuple[int, int, int]]:
    """Play an action of a record; at which step who did what."""
    at, done = play.state.step, len(play.steps)
    records.perform(play, action)
    return [(at, actor, value) for actor, value in play.steps[done:]]
