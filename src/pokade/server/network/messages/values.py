"""The values that messages are made of; lists of names come from the one place where each is kept."""

from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import ConfigDict, Field, with_config

from pokade.games import GAMES
from pokade.server.table import CLOCKS, PACES

SeatNumber = Annotated[int, Field(ge=0, lt=8, strict=True)]
Name = Annotated[str, Field(min_length=1, max_length=64)]
Flag = Annotated[bool, Field(strict=True)]
Value = str | bool | int
if TYPE_CHECKING:
    ClockName = str
    PaceName = str
else:
    ClockName = Literal[*CLOCKS]
    PaceName = Literal[*PACES]

BY_GAME: Final = "x-by-game"  # marks what differs from game to game, with its type in the web client (G is the game)
GameName = Annotated[str, Field(json_schema_extra={BY_GAME: "G", "enum": list(GAMES)})]
Options = Annotated[dict[str, Value], Field(json_schema_extra={BY_GAME: "Partial<GameOptions[G]>"})]
exactly = with_config(ConfigDict(extra="forbid", use_attribute_docstrings=True))
