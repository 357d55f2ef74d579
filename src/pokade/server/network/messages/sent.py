"""What the server sends at a table: frames, and what they are made of."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic can't look into the one of `typing` before Python 3.12

from pokade.server.network.messages.values import BY_GAME, ClockName, GameName, Options, PaceName, exactly
from pokade.server.table import Status

Cells = int | list[int] | list[list[int]]
State = Annotated[dict[str, Cells], Field(json_schema_extra={BY_GAME: "GameStates[G]"})]
TextKey = tuple[str, dict[str, int | str]]
Told = Annotated[tuple[str, int, int, int], Field(json_schema_extra={BY_GAME: "Told<G>"})]


@exactly
class ClaimShown(TypedDict):
    """Somebody asks for a bot's seat."""

    name: str
    agreed: int
    """How many of those who have to agree do …"""
    wanted: int
    """… and how many there are: the host, and one more person if there is one."""
    by: list[int]
    """The first seats of all who have agreed."""


@exactly
class SeatShown(TypedDict):
    """A place at the table and who has it."""

    name: str
    """Empty while the seat is free."""
    bot: str | None
    """The level of the bot that sits here, with its temper if it has one: `casual`, `strong-bold`."""
    free: bool
    ready: bool
    standby: bool
    """A stand-in bot plays for its person, who can come back."""
    votes: bool
    """Its person wants to end the game."""
    newcomer: bool
    """Its person has taken a bot's seat, and the host may send them away."""
    claim: ClaimShown | None
    """The person who asks for it; after the end of the game, one who did not come in any more."""


@exactly
class EveningRow(TypedDict):
    """Somebody of an evening, or all bots together."""

    name: str
    """Empty for the bots."""
    bots: bool
    seat: int | None
    """Where they sit now, if they do."""
    played: int
    """Games to their end."""
    won: int
    """Of them, alone or with others."""
    shared: int
    """Of those, with others."""
    place: int
    """More wins are better, and of as many the ones that were not shared; equals have the same place."""


@exactly
class EveningShown(TypedDict):
    """Games of the same people, one after the other (docs/evening.md)."""

    games: int
    """That were played to their end; this one too, once it is over."""
    rows: list[EveningRow]
    """By place."""
    resting: list[str]
    """The people who sit this game out, since it takes fewer."""


@exactly
class TableShown(TypedDict):
    """What everybody may know of a table besides its game."""

    id: str
    code: str
    """For joining: five letters and digits."""
    game: GameName
    status: Status
    options: Options
    """Those that differ from their defaults, or were given."""
    clock: ClockName
    """Time for a decision."""
    listed: bool
    tells: bool
    """Does it show who has chosen?"""
    lesson: bool
    """Is it a guided game?"""
    commitment: str
    """Binds the server to the seed of all draws (docs/fairness.md)."""
    host: int | None
    """The host's first seat."""
    paused: bool
    paused_by: int | None
    """The first seat of the host who stopped the clocks."""
    pause_ends: float | None
    """From when anybody at the table may start them again."""
    pace: PaceName
    """How long reveals and bots' answers take."""
    called: int | None
    """The seat that has called time for the decision that is due."""
    callers: list[int]
    """All seats that want the call, in the order in which they came."""
    ending: str
    """Why the table is over: played, voted, left, forgotten or taught; empty before."""
    seed: str
    """The seed of all draws in hexadecimal digits, revealed at the end; empty before."""
    rematch: str
    """The id of the table that follows this one, or empty."""
    evening: EveningShown | None
    """How the evening stands, from its second game on and at the end of the first."""
    seats: list[SeatShown]


@exactly
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
    choice_texts: list[TextKey]
    """What each choice is called: a text under `GAME.choice` in the catalogues, and the values of its slots."""
    question: TextKey | None
    """What this seat is asked now: a text under `GAME.prompt`."""
    points: list[int]
    """What each seat counts, as if the game were scored now."""
    places: list[int]
    """Which place each seat has, from 1; empty while the game is on."""
    facts: dict[str, int]
    """What the view lets its seat work out, by name: limits of a bid, objectives met now."""


@exactly
class Line(TypedDict):
    """What somebody said: a phrase or a text."""

    seat: int
    name: str
    phrase: NotRequired[str]
    """A text under `phrase` in the catalogues."""
    text: NotRequired[str]


@exactly
class LessonShown(TypedDict):
    """Where a guided game has got to."""

    says: list[str]
    """What is said now: texts under `GAME.lesson` in the catalogues."""
    choice: int | None
    """What to choose now. If it is null and something is said, the game goes on when the learner says `next`."""


@exactly
class SnapshotFrame(TypedDict):
    """Everything a viewer may know now: the first frame of a connection."""

    kind: Literal["snapshot"]
    n: int
    """The number of the last frame that is contained in it."""
    viewer: int
    now: float
    """The time of the server, in which all its times are: a monotonic clock that begins at the time of day."""
    table: TableShown
    lines: list[Line]
    """What was said lately."""
    muted: list[int]
    """The seats that this one has muted."""
    judged: NotRequired[list[Told]]
    """The throw or deal that the last choice was about, if it was about one."""
    told: NotRequired[list[Told]]
    """What happened since a choice was last seen, that choice included."""
    setting: NotRequired[int]
    """How many of the last of `told` are the throw or deal that the next choice is about."""
    view: NotRequired[ViewShown]
    """Once the game has begun."""
    deadline: NotRequired[float | None]
    """When the decision that is due must be in, in seconds since 1970; null without a clock or a call of time."""
    call_at: NotRequired[float | None]
    """From when time may be called for it; null where it can't."""
    lesson: NotRequired[LessonShown]
    """In a guided game."""


@exactly
class StepFrame(TypedDict):
    """The game went on: a throw, a deal, a choice, or the one reveal of a sealed round."""

    kind: Literal["step"]
    n: int
    viewer: int
    told: list[Told]
    """What happened, in order: an event's name and its three numbers."""
    timeouts: list[int]
    """The seats that missed the deadline, so that the server chose for them."""
    view: ViewShown
    deadline: float | None
    call_at: float | None
    lesson: NotRequired[LessonShown]
    table: NotRequired[TableShown]
    """If something about the table changed with it."""


@exactly
class SealedFrame(TypedDict):
    """Your choice is stored; only its seat gets this. Choices that a bot makes for the seat have an empty id."""

    kind: Literal["sealed"]
    n: int
    viewer: int
    seat: int
    choice: int
    id: str


@exactly
class ChosenFrame(TypedDict):
    """Who has chosen; only at a table opened with `tells`."""

    kind: Literal["chosen"]
    n: int
    viewer: int
    seats: list[int]


@exactly
class TableFrame(TypedDict):
    """Something about the table changed: seats, who asks for one, host, pause, a call of time, votes, its end."""

    kind: Literal["table"]
    n: int
    viewer: int
    table: TableShown
    deadline: float | None
    """When the decision that is due must be in: a pause takes it away, and the end of the pause brings a later one."""
    call_at: float | None


@exactly
class ChatFrame(TypedDict):
    """Somebody at the table said something."""

    kind: Literal["chat"]
    n: int
    viewer: int
    lines: list[Line]


@exactly
class MutedFrame(TypedDict):
    """The seats that this one has muted have changed; only the seat itself gets this."""

    kind: Literal["muted"]
    n: int
    viewer: int
    muted: list[int]


@exactly
class ClaimFrame(TypedDict):
    """The seat that you have asked for, or null if you ask no longer. It has no number: only you get it."""

    kind: Literal["claim"]
    seat: int | None


@exactly
class BotsFrame(TypedDict):
    """Whether the strong bots here play at their strength. It has no number, since nothing has happened in the game."""

    kind: Literal["bots"]
    ready: bool
    """While it is false, their search is still being compiled, and the casual level stands in for them."""


@exactly
class PongFrame(TypedDict):
    """The answer to `ping`. It has no number, since nothing has happened."""

    kind: Literal["pong"]


@exactly
class ErrorFrame(TypedDict):
    """A message was refused, and nothing has changed. It has no number, since nobody else learns of it."""

    kind: Literal["error"]
    code: str
    """Stable; the catalogues of texts have sentences for people."""
    text: str
    """One sentence for developers."""


Sent = Annotated[
    SnapshotFrame
    | StepFrame
    | SealedFrame
    | ChosenFrame
    | TableFrame
    | ChatFrame
    | MutedFrame
    | ClaimFrame
    | BotsFrame
    | PongFrame
    | ErrorFrame,
    Field(discriminator="kind"),
]
