"""What stands in a table's log: one kind of event for each thing that can happen at a table, as plain JSON."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

CREATED: Final = (
    "created"  # game, seats, options, clock, listed, tells, code, commitment, host; follows, evening; script
)
SEATED: Final = "seated"  # seat, name, and person or bot
NAMED: Final = "named"  # seat, name: its owner is called so from now on
UNSEATED: Final = "unseated"  # seat
RESIZED: Final = "resized"  # seats: how many there are, options: those that they leave possible
SALTED: Final = "salted"  # seat, salt
READY: Final = "ready"  # seat, ready
HOSTED: Final = "hosted"  # person: the host's role passes on
STARTED: Final = "started"
CHANCE: Final = "chance"  # outcome
CHOICE: Final = "choice"  # seat, choice, id; house where the server played it
TIMEOUT: Final = "timeout"  # seat
STANDBY: Final = "standby"  # seat
RETURNED: Final = "returned"  # seat
PACED: Final = "paced"  # pace: of one person against bots
PAUSED: Final = "paused"  # person
RESUMED: Final = "resumed"
CALLED: Final = "called"  # seat: it wants the others to choose, or does no longer; called
VOTED: Final = "voted"  # seat: to end the game, or to play on after all; vote
CLAIMED: Final = "claimed"  # seat, person, name: somebody asks for a bot's seat of a game that is on
AGREED: Final = "agreed"  # seat, person: who has nothing against it
UNCLAIMED: Final = "unclaimed"  # seat
DISMISSED: Final = "dismissed"  # seat, person: the host does not want them
CHAT: Final = "chat"  # seat, name, and phrase or text
MUTED: Final = "muted"  # seat, other, muted
ENDED: Final = "ended"  # reason, seed
FOLLOWED: Final = "followed"  # table, code: the rematch

KINDS: Final = (
    CREATED,
    SEATED,
    NAMED,
    UNSEATED,
    RESIZED,
    SALTED,
    READY,
    HOSTED,
    STARTED,
    CHANCE,
    CHOICE,
    TIMEOUT,
    STANDBY,
    RETURNED,
    PACED,
    PAUSED,
    RESUMED,
    CALLED,
    VOTED,
    CLAIMED,
    AGREED,
    UNCLAIMED,
    DISMISSED,
    CHAT,
    MUTED,
    ENDED,
    FOLLOWED,
)

MOVES: Final = frozenset((CHANCE, CHOICE, TIMEOUT))  # the game goes on, or a choice is sealed
_BESIDE: Final = MOVES | {CHAT, MUTED}  # … and what is said there


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a table, and when (seconds since 1970)."""

    kind: str
    at: float
    data: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        return self.data[key]


def changes_table(batch: Sequence[Event]) -> bool:
    """Does a batch change anything about the table besides its game: seats, host, clocks, its end?"""
    return not _BESIDE.issuperset([event.kind for event in batch])
