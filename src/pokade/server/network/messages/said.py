"""What clients say: messages at a table, and the bodies of a few requests."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

from pokade.players import Level, Temper
from pokade.server.network.messages.values import ClockName, Flag, GameName, Name, Options, PaceName, SeatNumber
from pokade.texts import Language


class Message(BaseModel):
    """Everything a client says at a table has `do`."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Sit(Message):
    """Take a seat: the one named, or the first free one. Before the start, with your own seat: take another name.

    Two people of the same name are told apart by a number.
    In a running game this asks for a bot's seat. You come in between two rounds, once the host and one more person (if
    there is one) have agreed; until then you watch. If you have held a seat of the game you can't ask for another.
    """

    do: Literal["sit"]
    name: Name
    seat: SeatNumber | None = None


class Leave(Message):
    """Give up your seats; in a game stand-in bots play on. Also withdraws a request for a seat."""

    do: Literal["leave"]


class Ready(Message):
    """Ready to start, or not."""

    do: Literal["ready"]
    ready: Flag = True


class SeatBot(Message):
    """The host seats a bot: on the seat named, or the first free one. Without a name the server gives it one."""

    do: Literal["bot"]
    seat: SeatNumber | None = None
    level: Level = "casual"
    temper: Temper | Literal[""] = ""
    name: Annotated[str, Field(max_length=64)] = ""

    @property
    def bot(self) -> str:
        """The whole name of the player behind it; a random player has no temper."""
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
    """Take your seat back from the stand-in bot."""

    do: Literal["back"]


class Agree(Message):
    """Agree to a newcomer who asks for a bot's seat."""

    do: Literal["agree"]
    seat: SeatNumber


class Dismiss(Message):
    """The host refuses a newcomer who asks for a seat, or sends away one who has taken a bot's; the bot plays on."""

    do: Literal["dismiss"]
    seat: SeatNumber


class Call(Message):
    """Call time, from `call_at` on: all have 20 seconds, then the server plays for those whose choice is missing.

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

    Anybody at the table may start them again if the host who stopped them is gone, or from `pause_ends` on.
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
    """A heartbeat of the client: the server answers at once with `pong`."""

    do: Literal["ping"]


class Rematch(Message):
    """After the end: the next game of the evening; the table that follows stands in the table frame.

    The same people sit down one seat further on. Bots fill what the game needs; where it takes fewer, people sit out in
    turn. A second request leads to the table of the first. It begins when all its people are ready.
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
    """A guest: a name and a language, and no account."""

    name: Name
    language: Language = "en"


def _whole(given: object) -> object:
    """In JSON 3.0 is a whole number too."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


class NewTable(BaseModel):
    """A table to be opened."""

    model_config = ConfigDict(extra="forbid")

    game: GameName
    seats: Annotated[int, Field(ge=2, le=8, strict=True), BeforeValidator(_whole)]
    options: Options = Field(default_factory=dict)
    clock: ClockName = "none"
    listed: Flag = False
    """In the list of open tables; else people come by code or link only."""
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
    """If not, the table waits for `salt` and `start`: so you can add salt after you have seen the commitment."""
    level: Level = "casual"
    """How well the bots play."""
