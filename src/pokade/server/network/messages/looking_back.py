"""What the server answers about a finished game that is looked back at; docs/analysis.md says how it is worked out.

Chances, costs and worths are parts of a win, from 0 to 1. Seats, steps and choices count from 0, actions from 1.
"""

from typing import Literal

from typing_extensions import TypedDict

from pokade.server.network.messages.sent import TextKey, Told, ViewShown
from pokade.server.network.messages.values import GameName, Options, Value, exactly


@exactly
class StepJudged(TypedDict):
    """Everybody's chance of winning after a step, and what has changed it: the three changes add up to it."""

    action: int
    """The action of the record at which it ends."""
    chances: list[float]
    errors: list[float]
    """Standard errors of the chances; 0 where they are exact."""
    luck: list[float]
    choices: list[float]
    meeting: list[float]


@exactly
class OptionJudged(TypedDict):
    """One of the choices that a seat had."""

    words: str
    """As the record writes it."""
    said: TextKey
    """What it is called: a text under `GAME.choice` in the catalogues, and the values of its slots."""
    often: float
    """How often the reference takes it."""
    worth: float
    error: float
    """Standard error of the worth, against what the reference mixes."""


@exactly
class ChoiceJudged(TypedDict):
    """A choice where there was one to make."""

    step: int
    action: int
    seat: int
    chosen: int
    """Its place among the options."""
    options: list[OptionJudged]
    cost: float
    """What it lost against the reference, from what the seat could know."""
    error: float
    merit: float
    """What it gained over a choice picked blindly."""


@exactly
class Readability(TypedDict):
    """Could a rival who paid attention have foreseen the choices?"""

    word: Literal["hidden", "open", "clear"]
    bits: float
    """The evidence for habits."""
    mixed: int
    """Choices for which the reference mixes."""
    guessed: float
    """Those of them that a reader would have guessed."""
    expected: float
    """Those that a reader would guess of somebody who mixes as the reference does."""


@exactly
class SeatJudged(TypedDict):
    """What the game comes to for a seat: an equal part, luck, choices and meeting are its share of the win."""

    luck: float
    luck_error: float
    choices: float
    choices_error: float
    meeting: float
    readability: Readability
    best: list[int]
    """Numbers of choices."""
    worst: list[int]


@exactly
class AnalysisShown(TypedDict):
    """A finished game, looked back at."""

    format: str
    game: GameName
    players: list[str]
    options: Options
    method: dict[str, Value]
    """`kind` is `solution`, or `playouts` with the number of `games` from each position."""
    shares: list[float] | None
    """Null if the game was not played to its end."""
    steps: list[StepJudged]
    choices: list[ChoiceJudged]
    seats: list[SeatJudged]


@exactly
class Analysed(TypedDict):
    """The analysis of a finished game, or how far it is: ask again in a second or two."""

    status: Literal["waiting", "working", "done"]
    done: int
    """Steps that have been looked at …"""
    total: int
    """… of so many; 0 before it is known."""
    ahead: int
    """Games that come before."""
    analysis: AnalysisShown | None
    """Once it is done."""


@exactly
class ValuedShown(TypedDict):
    """One of the choices of a position."""

    choice: int
    said: TextKey
    """What it is called: a text under `GAME.choice` in the catalogues, and the values of its slots."""
    often: float
    """How often the reference takes it."""
    worth: float
    error: float
    """Standard error of the worth; 0 where it is exact."""


@exactly
class ProblemShown(TypedDict):
    """The position of a day: what its seat sees, and what each of its choices is worth (docs/problems.md)."""

    date: str
    """As 2026-11-18."""
    game: GameName
    number: int
    """Its place among the positions of its game, from 0 …"""
    of: int
    """… and how many there are."""
    names: list[str]
    options: Options
    seat: int
    view: ViewShown
    told: list[Told]
    """What happened last."""
    choices: list[ValuedShown]
    best: list[int]
    """The right choices: the best one, or those that the reference mixes."""
    gap: float
    """How far they are ahead of the next one."""
    gap_error: float
    method: dict[str, Value]
    """`kind` is `solution`, or `playouts` with the number of `games` for each of the best choices."""
