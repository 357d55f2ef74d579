"""What is true of a table now, and what follows from it at once. Nothing here changes anything but `set_right`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from pokade.games.play import Play, has_strict_memory
from pokade.games.state import CHANCE, NOBODY, WATCHER
from pokade.server.table.evening import Evening, Sitter
from pokade.server.table.lessons import LEARNER, Script
from pokade.server.table.seats import Claim, Seat
from pokade.server.table.terms import (
    CALLABLE,
    CLOCKS,
    FIRST_HOST,
    HOSTLESS,
    LONGEST_PAUSE,
    MOST_MISSED,
    NO_CLOCK,
    NOTICE,
    ON,
    OPEN,
    OVER,
    USUAL,
    WATCHES_DIFFER,
    Status,
)


@dataclass(slots=True)
class Facts:
    """What is true of a table now."""

    id: str
    version: int = 0
    status: Status = OPEN
    game: str = ""
    code: str = ""
    clock: str = NO_CLOCK
    commitment: str = ""
    host: str = ""
    hosted_at: float = 0.0  # since when
    is_listed: bool = False
    tells: bool = False  # shows who has chosen, if the table wants it so
    is_paused: bool = False
    pace: str = USUAL  # as somebody wants it who is alone with bots
    paused_by: str = ""
    paused_at: float = 0.0
    paused_for: float = 0.0  # seconds of this step that earlier pauses took
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    secret: str = field(default="", repr=False)  # the seed that the commitment is about
    play: Play | None = field(default=None, repr=False)
    draws: int = 0  # how many times chance has spoken in it
    stepped_at: float = 0.0  # when the last step was taken
    opened_at: float = 0.0  # when people have seen enough of it, and the decision that is due is open …
    opened_steps: int = 0  # … and how many steps the game had then
    chosen: dict[int, str] = field(default_factory=dict)  # ids of the choices of the open round, by seat
    changes: dict[int, int] = field(default_factory=dict)  # how often each seat has changed its mind in it
    callers: list[int] = field(default_factory=list)  # the seats that have called time in it …
    called_at: float = 0.0  # … and when the first of them did
    seen_ids: set[tuple[int, str]] = field(default_factory=set)  # of all choices, with their seats
    timeouts: list[int] = field(default_factory=list)  # of the open round; known with its reveal
    notes: list[tuple[int, str]] = field(default_factory=list)  # for the record
    held: set[str] = field(default_factory=set)  # everybody who has had a seat since the start
    claims: dict[int, Claim] = field(default_factory=dict)  # who asks for a bot's seat, by seat
    dismissed: set[str] = field(default_factory=set)  # whom the host does not want
    ending: str = ""
    ended_at: float = 0.0
    seed: str = ""  # revealed at the end
    rematch: str = ""  # the table that follows this one …
    follows: str = ""  # … and the one that it follows itself
    evening: Evening = field(default_factory=Evening)  # as it stood before this game
    lines: list[dict[str, Any]] = field(default_factory=list)  # what was said last
    script: Script | None = field(default=None, repr=False)  # of a guided game

    def set_right(self, now: float) -> None:
        """Where a log was written by a clock that was ahead, nobody gets more than the full time."""
        ahead = self.stepped_at - now
        if ahead > WATCHES_DIFFER:
            self.stepped_at, self.opened_at = self.stepped_at - ahead, self.opened_at - ahead
        self.called_at, self.paused_at, self.hosted_at = (
            min(at, now + WATCHES_DIFFER) for at in (self.called_at, self.paused_at, self.hosted_at)
        )

    def copy(self) -> Self:
        """An independent table that equals this one."""
        return replace(
            self,
            seats=[replace(seat) for seat in self.seats],
            play=self.play.copy() if self.play is not None else None,
            chosen=dict(self.chosen),
            changes=dict(self.changes),
            seen_ids=set(self.seen_ids),
            callers=self.callers[:],
            timeouts=self.timeouts[:],
            notes=self.notes[:],
            held=set(self.held),
            claims=dict(self.claims),
            dismissed=set(self.dismissed),
            lines=self.lines[:],
        )

    @property
    def turn(self) -> int:
        """CHANCE, NOBODY, or the bit set of the seats that choose now."""
        return self.play.turn if self.play is not None and self.status == ON else NOBODY

    @property
    def step(self) -> int:
        """How many steps of the game people have seen."""
        return self.play.state.step if self.play is not None else 0

    @property
    def people(self) -> list[str]:
        """Everybody who has a seat, once."""
        return list(dict.fromkeys(seat.person for seat in self.seats if seat.person))

    @property
    def playing(self) -> list[str]:
        """The people who have a seat and play it themselves."""
        return list(dict.fromkeys(seat.person for seat in self.seats if seat.person and not seat.is_standby))

    @property
    def sitters(self) -> list[Sitter | None]:
        """The person who plays each seat themselves; None where nobody does."""
        return [
            None if place.person is None or place.is_standby else (place.person, place.name) for place in self.seats
        ]

    @property
    def evening_now(self) -> Evening:
        """How the evening stands, with this game once it has come to its end."""
        outcome = self.play.outcome() if self.play is not None and self.status == OVER else None
        return self.evening if outcome is None else self.evening.after(self.sitters, outcome.winners)

    @property
    def is_taught(self) -> bool:
        """Has a guided game come to its end?"""
        if self.script is None or self.play is None or self.status != ON:
            return False
        if self.turn == CHANCE:
            return self.draws >= len(self.script.draws)
        return bool(self.due) and all(self.script.choice(self.step, seat) is None for seat in self.due)

    @property
    def is_to_be_read(self) -> bool:
        """Is something said in a guided game that its learner only has to read?"""
        if self.script is None or self.status != ON or self.seats[LEARNER].is_played_by_bot:
            return False
        return bool(self.script.says(self.step)) and self.script.choice(self.step, LEARNER) is None

    @property
    def due(self) -> list[int]:
        """The seats that choose now, whether they have chosen or not."""
        turn = self.turn
        return [] if turn == CHANCE else [seat for seat in range(len(self.seats)) if turn >> seat & 1]

    @property
    def missing(self) -> list[int]:
        """The seats whose choice is not in yet. A tell: never to be shown."""
        return [seat for seat in self.due if seat not in self.chosen]

    @property
    def deadline(self) -> float | None:
        """When the decision that is due must be in."""
        seconds = CLOCKS[self.clock].seconds
        if not self.due or self.is_paused:
            return None
        if self.called_by is not None:
            return self.called_at + NOTICE
        return None if seconds is None else self.opened_at + seconds

    @property
    def grace(self) -> float | None:
        """How many seconds somebody may be away before a stand-in bot plays; None is for ever."""
        return CLOCKS[self.clock].grace

    def host_until(self, away_since: float) -> float:
        """Until when a host who is away keeps the role before the start, if others are there.

        With a day for each decision people come and go: they need not wait for the host, but only after a day of it.
        That is counted by the log, since a table that everybody leaves for a while is forgotten by its process.
        """
        if self.grace is not None:
            return away_since + self.grace
        return max(away_since + HOSTLESS, self.hosted_at + FIRST_HOST)

    @property
    def is_forgetful(self) -> bool:
        """Must people keep in their heads what was shown? Then nothing of the past leaves the table before the end."""
        return self.play is not None and self.status == ON and has_strict_memory(self.play.state)

    def viewers_of(self, person: str) -> list[int]:
        """Whose eyes a person looks through: their seats, or a watcher's."""
        return self.seats_of(person) or [WATCHER]

    def seats_of(self, person: str) -> list[int]:
        """The seats of a person."""
        return [seat for seat, place in enumerate(self.seats) if place.person == person]

    @property
    def is_for_one(self) -> bool:
        """Does one person sit here, on one seat? A phone that goes round is several people's."""
        return sum(place.person is not None for place in self.seats) == 1

    @property
    def pace_now(self) -> str:
        """The pace of the table: somebody's own while they are alone with bots, and everybody's else."""
        return self.pace if self.is_for_one else USUAL

    @property
    def pause_ends(self) -> float:
        """From when anybody at the table may end a pause."""
        return self.paused_at + max(0.0, LONGEST_PAUSE - self.paused_for)

    @property
    def called_by(self) -> int | None:
        """The seat that has called time for the decision that is due."""
        return self.callers[0] if self.callers else None

    @property
    def is_callable(self) -> bool:
        return CLOCKS[self.clock].seconds is None and self.script is None

    @property
    def call_at(self) -> float | None:
        """From when time may be called for the decision that is due."""
        is_open = self.is_callable and bool(self.due) and not self.is_paused and self.called_by is None
        return self.opened_at + CALLABLE if is_open else None

    @property
    def idle(self) -> list[int]:
        """The seats of people for whom time ran out so often that a stand-in bot takes over."""
        return [seat for seat, s in enumerate(self.seats) if s.person and not s.is_standby and s.missed >= MOST_MISSED]
