"""What clients may say and what the house sends, defined once: docs/protocol.md and the web types are made from this.

The models of what clients say check it as it comes in. The definitions of what the house sends cost nothing: frames are
plain dictionaries, and a test compares those of whole games with the definitions.
"""

from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict  # pydantic can't look into the one of `typing` before Python 3.12

from pokade.games import GAMES
from pokade.players import Level, Temper


def _whole(given: object) -> object:
    """In JSON 3.0 is a whole number too."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


SeatNumber = Annotated[int, Field(ge=0, lt=8, strict=True)]
Name = Annotated[str, Field(min_length=1, max_length=64)]
Flag = Annotated[bool, Field(strict=True)]
Value = str | bool | int
Clock = Literal["none", "20s", "45s", "2min", "1day"]
PaceName = Literal["brisk", "usual", "slow"]
Status = Literal["open", "on", "over"]

BY_GAME: Final = "x-by-game"  # marks what differs from game to game, with its type in the web client (G is the game)
GameName = Annotated[str, Field(json_schema_extra={BY_GAME: "G", "enum": list(GAMES)})]
Options = Annotated[dict[str, Value], Field(json_schema_extra={BY_GAME: "Partial<GameOptions[G]>"})]


class Message(BaseModel):
    """Everything a client says at a table has `do`."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Sit(Message):
    """Take a seat: the one named, or the first free one. Before the start, one's own seat: take another name there.

    Whoever comes second under a name is told apart by a number.
    While a game is on this asks for a bot's seat. You come in between two rounds, once the host and one more person (if
    there is one) have agreed; until then you watch. Whoever has held a seat of a game can't ask for another.
    """

    do: Literal["sit"]
    name: Name
    seat: SeatNumber | None = None


class Leave(Message):
    """Give up one's seats; in a game the house holds them. Who has only asked for a seat asks no longer."""

    do: Literal["leave"]


class Ready(Message):
    """Ready to start, or not."""

    do: Literal["ready"]
    ready: Flag = True


class SeatBot(Message):
    """The host lets a bot sit down: on the seat named, or the first free one. Without a name the house gives it one."""

    do: Literal["bot"]
    seat: SeatNumber | None = None
    level: Level = "casual"
    temper: Temper | Literal[""] = ""
    name: Annotated[str, Field(max_length=64)] = ""

    @property
    def bot(self) -> str:
        """The whole name of the player behind it; who plays at random has no temper."""
        return f"{self.level}-{self.temper}" if self.temper and self.level != "random" else self.level


class Remove(Message):
    """The host frees a seat before the start."""

    do: Literal["remove"]
    seat: SeatNumber


class Seats(Message):
    """The host adds seats at the end or takes free ones away, before the start. Options that need others go."""

    do: Literal["seats"]
    seats: Annotated[int, Field(ge=1, le=8, strict=True)]


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
    """Seen enough of the reveal, or read what a guided game says."""

    do: Literal["next"]


class Back(Message):
    """Take one's seat back from the house."""

    do: Literal["back"]


class Agree(Message):
    """Have nothing against the one who asks for a bot's seat."""

    do: Literal["agree"]
    seat: SeatNumber


class Dismiss(Message):
    """The host refuses one who asks for a seat, or sends away one who has taken a bot's; the bot plays on."""

    do: Literal["dismiss"]
    seat: SeatNumber


class Call(Message):
    """Call time, from `call_at` on: all have 20 seconds, then the house plays for those whose choice is missing.

    Others may join a call. It is off when the last of those who want it has taken it back.
    """

    do: Literal["call"]
    called: Flag = True


class SetPace(Message):
    """How long reveals and bots' answers take; for a person whose table has nobody else but bots."""

    do: Literal["pace"]
    pace: PaceName


class Pause(Message):
    """The host stops the clocks, or starts them again.

    Anybody at the table may start them again if whoever stopped them is gone, or from `pause_ends` on.
    """

    do: Literal["pause"]
    paused: Flag = True


class Vote(Message):
    """Vote to end the game, or take the vote back."""

    do: Literal["vote"]
    vote: Flag = True


class Chat(Message):
    """A preset phrase, which everybody reads in their own language, or else a short line."""

    do: Literal["chat"]
    phrase: Annotated[str, Field(max_length=32)] = ""
    text: Annotated[str, Field(max_length=140)] = ""


class Mute(Message):
    """Don't show me what a seat says, or do again."""

    do: Literal["mute"]
    seat: SeatNumber
    muted: Flag = True


class Ping(Message):
    """Is the line up? The house answers at once with `pong`."""

    do: Literal["ping"]


class Rematch(Message):
    """After the end: the next game of the evening; the table that follows stands in the table frame.

    The same people sit down one seat further on. Bots fill what the game needs; where it takes fewer, people sit out in
    turn. Whoever asks second comes to the table of the first. It begins when all its people are ready.
    """

    do: Literal["rematch"]
    options: Options | None = None
    """Other options than before."""
    game: GameName | None = None
    """Another game than before: the host chooses it."""


Said = Annotated[
    Sit
    | Leave
    | Ready
    | SeatBot
    | Remove
    | Seats
    | Give
    | Salt
    | Start
    | Choose
    | Next
    | Back
    | Agree
    | Dismiss
    | Call
    | SetPace
    | Pause
    | Vote
    | Chat
    | Mute
    | Ping
    | Rematch,
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
    seats: Annotated[int, Field(ge=2, le=8, strict=True), BeforeValidator(_whole)]
    options: Options = Field(default_factory=dict)
    clock: Clock = "none"
    listed: Flag = False
    """In the list of open tables; else one comes by code or link only."""
    tells: Flag = False
    """Show who has chosen."""
    bots: Annotated[int, Field(ge=0, lt=8, strict=True), BeforeValidator(_whole)] = 0
    """So many of the last seats are bots."""
    level: Level = "casual"
    """How well they play."""


class Quick(BaseModel):
    """One tap against bots."""

    model_config = ConfigDict(extra="forbid")

    start: Flag = True
    """If not, the table waits for `salt` and `start`: so one can add salt after one has seen the commitment."""
    level: Level = "casual"
    """How well the bots play."""


_exactly = with_config(ConfigDict(extra="forbid", use_attribute_docstrings=True))
Cells = int | list[int] | list[list[int]]
State = Annotated[dict[str, Cells], Field(json_schema_extra={BY_GAME: "GameStates[G]"})]
TextKey = tuple[str, dict[str, int | str]]
Told = Annotated[tuple[str, int, int, int], Field(json_schema_extra={BY_GAME: "Told<G>"})]


@_exactly
class ClaimShown(TypedDict):
    """Somebody asks for a bot's seat."""

    name: str
    agreed: int
    """How many of those who have to agree do …"""
    wanted: int
    """… and how many there are: the host, and one more person if there is one."""
    by: list[int]
    """The first seats of all who have agreed."""


@_exactly
class SeatShown(TypedDict):
    """A place at the table and who has it."""

    name: str
    """Empty while the seat is free."""
    bot: str | None
    """The level of the bot that sits here, with its temper if it has one: `casual`, `strong-bold`."""
    free: bool
    ready: bool
    standby: bool
    """The house plays for its person, who can come back."""
    votes: bool
    """Its person wants to end the game."""
    newcomer: bool
    """Its person has taken a bot's seat, and the host may send them away."""
    claim: ClaimShown | None
    """Who asks for it. After the end of the game: who did not come in any more."""


@_exactly
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


@_exactly
class EveningShown(TypedDict):
    """Games of the same people, one after the other (docs/evening.md)."""

    games: int
    """That were played to their end; this one too, once it is over."""
    rows: list[EveningRow]
    """By place."""
    resting: list[str]
    """Who sits this game out, since it takes fewer."""


@_exactly
class TableShown(TypedDict):
    """What everybody may know of a table besides its game."""

    id: str
    code: str
    """For joining: five letters and digits."""
    game: GameName
    status: Status
    options: Options
    """Those that differ from their defaults, or were given."""
    clock: Clock
    """Time for a decision."""
    listed: bool
    tells: bool
    """Does it show who has chosen?"""
    lesson: bool
    """Is it a guided game?"""
    commitment: str
    """Binds the house to the seed of all draws (docs/fairness.md)."""
    host: int | None
    """The host's first seat."""
    paused: bool
    paused_by: int | None
    """The first seat of whoever stopped the clocks."""
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
    """The seed of all draws in hexadecimal digits, revealed when the game was played to its end; empty before."""
    rematch: str
    """The id of the table that follows this one, or empty."""
    evening: EveningShown | None
    """How the evening stands, from its second game on and at the end of the first."""
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
    choice_texts: list[TextKey]
    """What each choice is called: a text under `GAME.choice` in the catalogues, and the values of its slots."""
    question: TextKey | None
    """What this seat is asked now: a text under `GAME.prompt`."""
    points: list[int]
    """What each seat counts, as if the game were scored now."""
    facts: dict[str, int]
    """What the view lets its seat work out, by name: limits of a bid, objectives met now."""


@_exactly
class Line(TypedDict):
    """What somebody said: a phrase or a text."""

    seat: int
    name: str
    phrase: NotRequired[str]
    """A text under `phrase` in the catalogues."""
    text: NotRequired[str]


@_exactly
class LessonShown(TypedDict):
    """Where a guided game has got to."""

    says: list[str]
    """What is said now: texts under `GAME.lesson` in the catalogues."""
    choice: int | None
    """What to choose now. If it is null and something is said, the game goes on when the learner says `next`."""


@_exactly
class SnapshotFrame(TypedDict):
    """Everything a viewer may know now: the first frame after one comes in."""

    kind: Literal["snapshot"]
    n: int
    """The number of the last frame that is contained in it."""
    viewer: int
    now: float
    """The time of the house, in which all its times are: a clock that nobody sets while it is open."""
    table: TableShown
    lines: list[Line]
    """What was said lately."""
    muted: list[int]
    """The seats that this one doesn't want to hear."""
    told: NotRequired[list[Told]]
    """What happened since a choice was last seen, that choice included."""
    view: NotRequired[ViewShown]
    """Once the game has begun."""
    deadline: NotRequired[float | None]
    """When the decision that is due must be in, in seconds since 1970; null without a clock or a call of time."""
    call_at: NotRequired[float | None]
    """From when time may be called for it; null where it can't."""
    lesson: NotRequired[LessonShown]
    """In a guided game."""


@_exactly
class StepFrame(TypedDict):
    """The game went on: a throw, a deal, a choice, or the one reveal of a sealed round."""

    kind: Literal["step"]
    n: int
    viewer: int
    told: list[Told]
    """What happened, in order: an event's name and its three numbers."""
    timeouts: list[int]
    """The seats that missed the deadline, so that the house chose for them."""
    view: ViewShown
    deadline: float | None
    call_at: float | None
    lesson: NotRequired[LessonShown]
    table: NotRequired[TableShown]
    """If something about the table changed with it."""


@_exactly
class SealedFrame(TypedDict):
    """One's own choice is kept; only its seat gets this. The house's own choices for a seat have an empty id."""

    kind: Literal["sealed"]
    n: int
    viewer: int
    seat: int
    choice: int
    id: str


@_exactly
class ChosenFrame(TypedDict):
    """Who has chosen; only at a table opened with `tells`."""

    kind: Literal["chosen"]
    n: int
    viewer: int
    seats: list[int]


@_exactly
class TableFrame(TypedDict):
    """Something about the table changed: seats, who asks for one, host, pause, a call of time, votes, its end."""

    kind: Literal["table"]
    n: int
    viewer: int
    table: TableShown
    deadline: float | None
    """When the decision that is due must be in: a pause takes it away, and the end of the pause brings a later one."""
    call_at: float | None


@_exactly
class ChatFrame(TypedDict):
    """Somebody at the table said something."""

    kind: Literal["chat"]
    n: int
    viewer: int
    lines: list[Line]


@_exactly
class MutedFrame(TypedDict):
    """Whom one doesn't want to hear has changed; only its seat gets this."""

    kind: Literal["muted"]
    n: int
    viewer: int
    muted: list[int]


@_exactly
class ClaimFrame(TypedDict):
    """The seat that one has asked for, or null if one asks no longer. It has no number: only who asks gets it."""

    kind: Literal["claim"]
    seat: int | None


@_exactly
class PongFrame(TypedDict):
    """The answer to `ping`. It has no number, since nothing has happened."""

    kind: Literal["pong"]


@_exactly
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
    | PongFrame
    | ErrorFrame,
    Field(discriminator="kind"),
]


@_exactly
class Person(TypedDict):
    """The person behind the cookie."""

    person: str
    """An id that stays; the cookie proves that one has it."""
    name: str
    language: str


@_exactly
class Listed(TypedDict):
    """A table in a list."""

    id: str
    code: str
    game: GameName
    status: Status
    names: list[str]
    """Who sits where; empty for a free seat."""
    free: int
    """Seats that are free."""
    clock: Clock
    options: Options
    lesson: bool
    updated_at: float
    """When it was last known to have changed, roughly, in seconds since 1970."""


@_exactly
class PlayedShown(TypedDict):
    """A finished game, as one of its people is told of it."""

    id: str
    code: str
    game: GameName
    names: list[str]
    bots: list[bool]
    """Where bots sat."""
    seat: int
    """One's own, or the first of them."""
    ended_at: float
    points: list[int]
    winners: list[int]
    """Empty if it was not played to its end."""
    place: int | None
    """Winners are first, then more points are better; null without a winner."""
    left: bool
    """Did the house play one's seat at the end?"""
    curve: list[list[int]]
    """What everybody counted at the beginning and after each round; of many rounds some."""


@_exactly
class SumShown(TypedDict):
    """What one's games of a kind come to; those that one has left do not count."""

    game: GameName
    played: int
    won: int
    """Alone or with others, but not with all."""
    place: float
    """The average."""


@_exactly
class PlayedPage(TypedDict):
    """One's finished games."""

    all: int
    """How many there are, of the latest 1000 tables."""
    found: int
    """How many of them were looked for."""
    sums: list[SumShown]
    """Of all of them, by game."""
    games: list[PlayedShown]
    """A page of those that were looked for."""


@_exactly
class OptionShown(TypedDict):
    """An option of a game, for one number of seats."""

    name: str
    values: list[Value]
    """What it takes; for a whole number, the least and the most."""
    is_number: bool
    default: Value


@_exactly
class GameShown(TypedDict):
    """A game that is played here."""

    name: GameName
    title: str
    seats: list[int]
    """How many may play it."""
    usual_seats: int
    options: dict[str, list[OptionShown]]
    """By the number of seats."""


@_exactly
class HouseShown(TypedDict):
    """What a client must know to offer tables."""

    build: str
    """Changes with every build of the house and its page; a client gives its own when it opens a socket."""
    games: list[GameShown]
    clocks: list[Clock]
    bots: list[str]
    """The levels of bots."""
    tempers: list[str]
    """What a bot may be like besides."""
    phrases: list[str]
    """The preset phrases of the chat: texts under `phrase` in the catalogues."""


@_exactly
class Ticket(TypedDict):
    """Hands one's seats to another device, once."""

    ticket: str
    expires: float


@_exactly
class OutcomeShown(TypedDict):
    """How a game ended."""

    reason: str
    shares: list[float]


@_exactly
class ReplayStep(TypedDict):
    """A game after one of its actions; the first is its beginning."""

    action: int
    text: str
    """The action in the words of the record; only for those who see all."""
    told: list[Told]
    view: ViewShown
    outcome: OutcomeShown | None


@_exactly
class Replay(TypedDict):
    """A finished game, or a record, through somebody's eyes."""

    game: GameName
    names: list[str]
    options: Options
    commitment: str
    """What the house had bound itself to; empty for a record without a proof."""
    actions: int
    """How many there are."""
    steps: list[ReplayStep]
    """At most so many as were asked for."""


@_exactly
class DrawShown(TypedDict):
    """One draw of a game: a ticket of so many, what it meant, and the action of the record it is part of."""

    number: int
    tickets: int
    ticket: int
    outcome: int
    action: int


@_exactly
class Verified(TypedDict):
    """What became of checking a game's draws."""

    fair: bool
    code: str
    """Why not: proof/unfair, or record/bad; empty if it is fair."""
    text: str
    action: int
    """Where it went wrong; 0 is the record itself."""
    table: str
    """From here on what the proof says, so that anybody can work the draws out anew; empty where it says nothing."""
    commitment: str
    seed: str
    salts: list[str]
    draws: list[DrawShown]


@_exactly
class Fine(TypedDict):
    """Everything is as it should be."""

    status: str


@_exactly
class Malformed(TypedDict):
    """Where a body was not of the right form."""

    loc: list[str | int]
    msg: str
    type: str


@_exactly
class Refusal(TypedDict):
    """A request was refused, and nothing has changed."""

    code: str
    """Stable; the catalogues of texts have sentences for people."""
    text: str
    """One sentence for developers."""
    detail: NotRequired[list[Malformed]]


ANSWERS: Final[dict[str, Any]] = {  # what the house answers over HTTP, where it is JSON
    "POST /api/guest": Person,
    "GET /api/me": Person,
    "POST /api/tables": TableShown,
    "GET /api/tables": list[Listed],
    "POST /api/quick/{game}": TableShown,
    "GET /api/mine": list[Listed],
    "GET /api/played": PlayedPage,
    "GET /api/join/{code}": Listed,
    "GET /api/house": HouseShown,
    "PATCH /api/me": Person,
    "POST /api/handover": Ticket,
    "POST /api/handover/{ticket}": Person,
    "POST /api/lesson/{game}": TableShown,
    "GET /api/tables/{table}": TableShown,
    "GET /api/tables/{table}/replay": Replay,
    "POST /api/replay": Replay,
    "GET /api/tables/{table}/verify": Verified,
    "POST /api/verify": Verified,
    "GET /healthz": Fine,
    "GET /readyz": Fine,
}
