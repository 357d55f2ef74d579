"""What clients may say and what the house sends, defined once: docs/protocol.md and the web types are made from this.

The models of what clients say check it as it comes in. The definitions of what the house sends cost nothing: frames are
plain dictionaries, and a test compares those of whole games with the definitions.
"""

from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict  # pydantic can't look into the one of `typing` before Python 3.12

SeatNumber = Annotated[int, Field(ge=0, lt=8, strict=True)]
Name = Annotated[str, Field(min_length=1, max_length=64)]
Value = str | bool | int

BY_GAME: Final = "x-by-game"  # marks what differs from game to game, with its type in the web client (G is the game)
GameName = Annotated[str, Field(json_schema_extra={BY_GAME: "G"})]
Options = Annotated[dict[str, Value], Field(json_schema_extra={BY_GAME: "Partial<GameOptions[G]>"})]


class Message(BaseModel):
    """Everything a client says at a table has `do`."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Sit(Message):
    """Take a seat: the one named, or the first free one."""

    do: Literal["sit"]
    name: Name
    seat: SeatNumber | None = None


class Leave(Message):
    """Give up one's seats; in a game the house holds them."""

    do: Literal["leave"]


class Ready(Message):
    """Ready to start, or not."""

    do: Literal["ready"]
    ready: bool = True


class SeatBot(Message):
    """The host lets a bot sit down."""

    do: Literal["bot"]
    seat: SeatNumber
    level: Literal["random", "casual"] = "casual"
    name: Name = "Bot"


class Remove(Message):
    """The host frees a seat before the start."""

    do: Literal["remove"]
    seat: SeatNumber


class Give(Message):
    """The host gives a standby seat to a friend."""

    do: Literal["give"]
    seat: SeatNumber


class Salt(Message):
    """Add salt to the draws, before the start."""

    do: Literal["salt"]
    seat: SeatNumber
    salt: Annotated[str, Field(max_length=64)]


class Start(Message):
    """The host starts the game."""

    do: Literal["start"]


class Choose(Message):
    """Seal a choice, or change it. The id makes it safe to send it again."""

    do: Literal["choose"]
    seat: SeatNumber
    choice: Annotated[int, Field(strict=True, ge=0, le=100_000)]
    id: Annotated[str, Field(min_length=1, max_length=64)]


class Next(Message):
    """Seen enough of the reveal."""

    do: Literal["next"]


class Back(Message):
    """Take one's seat back from the house."""

    do: Literal["back"]


class Pause(Message):
    """The host stops the clocks, or starts them again."""

    do: Literal["pause"]
    paused: bool = True


class Vote(Message):
    """Vote to end the game."""

    do: Literal["vote"]


class Chat(Message):
    """A short line for everybody at the table."""

    do: Literal["chat"]
    text: Annotated[str, Field(min_length=1, max_length=140)]


Said = Annotated[
    Sit | Leave | Ready | SeatBot | Remove | Give | Salt | Start | Choose | Next | Back | Pause | Vote | Chat,
    Field(discriminator="do"),
]
SAID: TypeAdapter[Any] = TypeAdapter(Said)


class Guest(BaseModel):
    """Who comes in: a name and a language, and no account."""

    name: Name
    language: Literal["en", "de", "fr", "es"] = "en"


class NewTable(BaseModel):
    """A table to be opened."""

    model_config = ConfigDict(extra="forbid")

    game: GameName
    seats: Annotated[int, Field(ge=2, le=8, strict=True)]
    options: Options = Field(default_factory=dict)
    clock: Literal["none", "20s", "45s", "2min", "1day"] = "none"
    listed: bool = False
    tells: bool = False


_exactly = with_config(ConfigDict(extra="forbid", use_attribute_docstrings=True))
Cells = int | list[int] | list[list[int]]
State = Annotated[dict[str, Cells], Field(json_schema_extra={BY_GAME: "GameStates[G]"})]
Told = Annotated[tuple[str, int, int, int], Field(json_schema_extra={BY_GAME: "Told<G>"})]


@_exactly
class SeatShown(TypedDict):
    """A place at the table and who has it."""

    name: str
    """Empty while the seat is free."""
    bot: str | None
    """The level of the bot that sits here."""
    free: bool
    ready: bool
    standby: bool
    """The house plays for its person, who can come back."""
    votes: bool
    """Its person wants to end the game."""


@_exactly
class TableShown(TypedDict):
    """What everybody may know of a table besides its game."""

    id: str
    code: str
    """For joining: five letters and digits."""
    game: GameName
    status: Literal["open", "on", "over"]
    options: Options
    """Those that differ from their defaults, or were given."""
    clock: Literal["none", "20s", "45s", "2min", "1day"]
    """Time for a decision."""
    commitment: str
    """Binds the house to the seed of all draws (docs/fairness.md)."""
    host: int | None
    """The host's first seat."""
    paused: bool
    ending: str
    """Why the table is over: played, voted, left or forgotten; empty before."""
    seed: str
    """The seed of all draws in hexadecimal digits, revealed when the game was played to its end; empty before."""
    rematch: str
    """The id of the table that follows this one, or empty."""
    seats: list[SeatShown]


@_exactly
class ViewShown(TypedDict):
    """What one seat, or a watcher, may know of the game now, and what it can do."""

    seat: int
    """Whose view this is; -1 is a watcher's."""
    state: State
    """The cells of the state; -99 where this viewer may not look."""
    turn: int
    """-1: dice or deals; 0: the game is over; else the bit set of the seats that choose now."""
    choices: list[int]
    """What this seat may choose now; empty if it is not its turn."""
    points: list[int]
    """What each seat counts, as if the game were scored now."""
    facts: dict[str, int]
    """What the view lets its seat work out, by name: limits of a bid, objectives met now."""


@_exactly
class Line(TypedDict):
    """What somebody said."""

    name: str
    text: str


@_exactly
class SnapshotFrame(TypedDict):
    """Everything a viewer may know now: the first frame after one comes in."""

    kind: Literal["snapshot"]
    n: int
    """The number of the last frame that is contained in it."""
    table: TableShown
    view: NotRequired[ViewShown]
    """Once the game has begun."""
    deadline: NotRequired[float | None]
    """When the decision that is due must be in, in seconds since 1970; null without a clock."""


@_exactly
class StepFrame(TypedDict):
    """The game went on: a throw, a deal, a choice, or the one reveal of a sealed round."""

    kind: Literal["step"]
    n: int
    told: list[Told]
    """What happened, in order: an event's name and its three numbers."""
    timeouts: list[int]
    """The seats that missed the deadline, so that the house chose for them."""
    view: ViewShown
    deadline: float | None
    table: NotRequired[TableShown]
    """If something about the table changed with it."""


@_exactly
class SealedFrame(TypedDict):
    """One's own choice is kept; only its seat gets this. The house's own choices for a seat have an empty id."""

    kind: Literal["sealed"]
    n: int
    seat: int
    choice: int
    id: str


@_exactly
class ChosenFrame(TypedDict):
    """Who has chosen; only at a table opened with `tells`."""

    kind: Literal["chosen"]
    n: int
    seats: list[int]


@_exactly
class TableFrame(TypedDict):
    """Something about the table changed: seats, host, pause, votes, its end."""

    kind: Literal["table"]
    n: int
    table: TableShown


@_exactly
class ChatFrame(TypedDict):
    """Somebody at the table said something."""

    kind: Literal["chat"]
    n: int
    lines: list[Line]


@_exactly
class ErrorFrame(TypedDict):
    """A message was refused, and nothing has changed. It has no number, since nobody else learns of it."""

    kind: Literal["error"]
    code: str
    """Stable; the catalogues of texts have sentences for people."""
    text: str
    """One sentence for developers."""


Sent = Annotated[
    SnapshotFrame | StepFrame | SealedFrame | ChosenFrame | TableFrame | ChatFrame | ErrorFrame,
    Field(discriminator="kind"),
]


@_exactly
class Person(TypedDict):
    """The person behind the cookie."""

    person: str
    """An id that stays; the cookie proves that one has it."""
    name: str
    language: NotRequired[str]


@_exactly
class Listed(TypedDict):
    """A table in a list."""

    id: str
    code: str
    game: GameName
    status: Literal["open", "on", "over"]


ANSWERS: Final[dict[str, Any]] = {  # what the house answers over HTTP, where it is JSON
    "POST /api/guest": Person,
    "GET /api/me": Person,
    "POST /api/tables": TableShown,
    "GET /api/tables": list[Listed],
    "POST /api/quick/{game}": TableShown,
    "GET /api/mine": list[Listed],
    "GET /api/join/{code}": Listed,
}
