"""What the server answers over HTTP, where it is JSON."""

from typing import Any, Final, NotRequired

from typing_extensions import TypedDict  # pydantic can't look into the one of `typing` before Python 3.12

from pokade.server.network.messages.looking_back import Analysed, ProblemShown
from pokade.server.network.messages.sent import TableShown, Told, ViewShown
from pokade.server.network.messages.values import ClockName, GameName, Options, Value, exactly
from pokade.server.table import Status


@exactly
class Person(TypedDict):
    """The person behind the cookie."""

    person: str
    """An id that stays; the cookie proves that it is yours."""
    name: str
    language: str


@exactly
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
    clock: ClockName
    options: Options
    lesson: bool
    updated_at: float
    """When it was last known to have changed, roughly, in seconds since 1970."""


@exactly
class PlayedShown(TypedDict):
    """A finished game, as one of its people is told of it."""

    id: str
    code: str
    game: GameName
    names: list[str]
    bots: list[bool]
    """Where bots sat."""
    seat: int
    """Your own, or the first of them."""
    ended_at: float
    points: list[int]
    winners: list[int]
    """Empty if it was not played to its end."""
    place: int | None
    """Winners are first, then more points are better; null without a winner."""
    left: bool
    """Did a bot play your seat at the end?"""
    curve: list[list[int]]
    """What everybody counted at the beginning and after each round; of many rounds some."""


@exactly
class SumShown(TypedDict):
    """What your games of a kind come to; those that you have left do not count."""

    game: GameName
    played: int
    won: int
    """Alone or with others, but not with all."""
    place: float
    """The average."""


@exactly
class PlayedPage(TypedDict):
    """Your finished games."""

    all: int
    """How many there are, of the latest 1000 tables."""
    found: int
    """How many of them were looked for."""
    sums: list[SumShown]
    """Of all of them, by game."""
    games: list[PlayedShown]
    """A page of those that were looked for."""


@exactly
class OptionShown(TypedDict):
    """An option of a game, for one number of seats."""

    name: str
    values: list[Value]
    """What it takes; for a whole number, the least and the most."""
    is_number: bool
    default: Value


@exactly
class GameShown(TypedDict):
    """A game that is played here."""

    name: GameName
    title: str
    seats: list[int]
    """How many may play it."""
    usual_seats: int
    options: dict[str, list[OptionShown]]
    """By the number of seats."""


@exactly
class ServerShown(TypedDict):
    """What a client must know to offer tables."""

    build: str
    """Changes with every build of the server and its page; a client gives its own when it opens a socket."""
    games: list[GameShown]
    clocks: list[ClockName]
    bots: list[str]
    """The levels of bots."""
    tempers: list[str]
    """What a bot may be like besides."""
    phrases: list[str]
    """The preset phrases of the chat: texts under `phrase` in the catalogues."""


@exactly
class Ticket(TypedDict):
    """Hands your seats to another device, once."""

    ticket: str
    expires: float


@exactly
class OutcomeShown(TypedDict):
    """How a game ended."""

    reason: str
    shares: list[float]


@exactly
class ReplayStep(TypedDict):
    """A game after one of its actions; the first is its beginning."""

    action: int
    text: str
    """The action in the words of the record; only for those who see all."""
    told: list[Told]
    view: ViewShown
    outcome: OutcomeShown | None


@exactly
class Replay(TypedDict):
    """A finished game, or a record, from a point of view."""

    game: GameName
    names: list[str]
    options: Options
    commitment: str
    """What the server had bound itself to; empty for a record without a proof."""
    actions: int
    """How many there are."""
    steps: list[ReplayStep]
    """At most so many as were asked for."""


@exactly
class DrawShown(TypedDict):
    """One draw of a game: a ticket of so many, what it meant, and the action of the record it is part of."""

    number: int
    tickets: int
    ticket: int
    outcome: int
    action: int


@exactly
class Verified(TypedDict):
    """What became of checking a game's draws."""

    fair: bool
    code: str
    """Why not: proof/unfair, or record/bad; empty if it is fair."""
    text: str
    action: int
    """Where it went wrong; 0 is the record itself."""
    table: str
    """From here on what the proof says, so that anybody can recompute the draws; empty where it says nothing."""
    commitment: str
    seed: str
    salts: list[str]
    draws: list[DrawShown]


@exactly
class Fine(TypedDict):
    """Everything is as it should be."""

    status: str


@exactly
class Malformed(TypedDict):
    """Where a body was not of the right form."""

    loc: list[str | int]
    msg: str
    type: str


@exactly
class Refusal(TypedDict):
    """A request was refused, and nothing has changed."""

    code: str
    """Stable; the catalogues of texts have sentences for people."""
    text: str
    """One sentence for developers."""
    detail: NotRequired[list[Malformed]]


ANSWERS: Final[dict[str, Any]] = {  # what the server answers over HTTP, where it is JSON
    "POST /api/guest": Person,
    "GET /api/me": Person,
    "POST /api/tables": TableShown,
    "GET /api/tables": list[Listed],
    "POST /api/quick/{game}": TableShown,
    "GET /api/mine": list[Listed],
    "GET /api/played": PlayedPage,
    "GET /api/join/{code}": Listed,
    "GET /api/server": ServerShown,
    "PATCH /api/me": Person,
    "POST /api/handover": Ticket,
    "POST /api/handover/{ticket}": Person,
    "POST /api/lesson/{game}": TableShown,
    "GET /api/tables/{table}": TableShown,
    "GET /api/tables/{table}/replay": Replay,
    "GET /api/tables/{table}/analysis": Analysed,
    "GET /api/problem": ProblemShown,
    "POST /api/replay": Replay,
    "GET /api/tables/{table}/verify": Verified,
    "POST /api/verify": Verified,
    "GET /healthz": Fine,
    "GET /readyz": Fine,
}
