"""What clients may say, defined once: the models check what comes in, and the protocol page is made from them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

SeatNumber = Annotated[int, Field(ge=0, lt=8, strict=True)]
Name = Annotated[str, Field(min_length=1, max_length=64)]


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

    game: str
    seats: Annotated[int, Field(ge=2, le=8, strict=True)]
    options: dict[str, str | bool | int] = Field(default_factory=dict)
    clock: Literal["none", "20s", "45s", "2min", "1day"] = "none"
    listed: bool = False
    tells: bool = False
