"""A table is its log, and nothing else: this folds the log into what is true now, and says what may be appended.

Nothing here waits, sends, draws or looks at a clock: the time comes in with every question, dice come in as events,
and a bot's choice comes in like a person's. `apply` believes the log; every other method checks, and answers with the
events to append, or refuses with a stable code. So any process may ask, append and apply, and all have the same table.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from pokade import texts
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.play import Play, has_strict_memory, look
from pokade.games.state import CHANCE, NOBODY, WATCHER
from pokade.players import CASUAL, NAMES
from pokade.server import events
from pokade.server.evening import Evening, Sitter
from pokade.server.events import Event
from pokade.server.lessons import LEARNER, Script

Status = Literal["open", "on", "over"]
OPEN: Final = "open"
ON: Final = "on"
OVER: Final = "over"
CLOCKS: Final[dict[str, float | None]] = {"none": None, "20s": 20, "45s": 45, "2min": 120, "1day": 86_400}
GRACE: Final[dict[str, float | None]] = {"none": 300, "20s": 60, "45s": 60, "2min": 60, "1day": None}
USUAL: Final = "usual"
PACES: Final = {"brisk": 0.6, USUAL: 1.0, "slow": 1.6}  # how long reveals and bots' answers take, by the usual time
LONGEST_NAME: Final = 16
LONGEST_SALT: Final = 64
MOST_CHANGES: Final = 20  # of mind in a round, by a seat
LONGEST_PAUSE: Final = 600.0  # seconds of a step that the host may hold up against the others' will
CALLABLE: Final = 60.0  # seconds of a decision without a clock, until somebody may call time
NOTICE: Final = 20.0  # seconds that a call of time leaves everybody
MOST_MISSED: Final = 3  # such rounds in a row, until the house takes the seat
WATCHES_DIFFER: Final = 1.0  # second, between the clocks of two processes
LINES: Final = 50  # of chat that a newcomer gets to read
HOUSE: Final = CASUAL  # the level of bot that plays for those who are gone


class TableRefused(Refused):
    """Somebody asked a table for what it does not allow now."""


@dataclass(slots=True)
class Seat:
    """A place at the table and who has it."""

    person: str | None = None
    bot: str | None = None
    name: str = ""
    salt: str = ""
    is_ready: bool = False
    is_standby: bool = False
    votes_to_end: bool = False
    muted: frozenset[int] = frozenset()  # the seats that it doesn't want to hear
    stood_in: str = ""  # the bot that sat here before somebody came to the game, if somebody did …
    stood_in_name: str = ""  # … and its name
    missed: int = 0  # rounds in a row in which time was called and ran out

    @property
    def is_free(self) -> bool:
        return self.person is None and self.bot is None

    @property
    def is_played_by_the_house(self) -> bool:
        return self.bot is not None or self.is_standby

    @property
    def is_newcomer(self) -> bool:
        return self.person is not None and bool(self.stood_in)


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody asks for a bot's seat, and some of those at the table have nothing against it."""

    person: str
    name: str
    agreed: frozenset[str] = frozenset()


@dataclass(slots=True)
class Table:
    """What is true of a table now."""

    id: str
    version: int = 0
    status: Status = OPEN
    game: str = ""
    code: str = ""
    clock: str = "none"
    commitment: str = ""
    host: str = ""
    is_listed: bool = False
    tells: bool = False  # shows who has chosen, if the table wants it so
    is_paused: bool = False
    pace: str = USUAL  # as somebody wants it who is alone with bots
    paused_by: str = ""
    paused_at: float = 0.0
    paused_for: float = 0.0  # seconds of this step that earlier pauses took
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    secret: str = field(default="", repr=False)  # the seed that the commitment binds the house to
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

    def apply(self, log: Sequence[Event]) -> None:
        """Fold events that were stored; each is believed, since it was checked before it was appended."""
        for event in log:
            _APPLY[event.kind](self, event)
            self.version += 1

    def set_right(self, now: float) -> None:
        """Where a log was written by a clock that was ahead, nobody gets more than the full time."""
        ahead = self.stepped_at - now
        if ahead > WATCHES_DIFFER:
            self.stepped_at, self.opened_at = self.stepped_at - ahead, self.opened_at - ahead
        self.called_at, self.paused_at = (min(at, now + WATCHES_DIFFER) for at in (self.called_at, self.paused_at))

    def copy(self) -> "Table":
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

    # What one may ask: each answers with the events to append.

    def sit(self, person: str, name: str, now: float, seat: int | None = None) -> list[Event]:
        """Take a free seat before the start, or another name at one's own; a bot of that name takes another."""
        self.want(self.status != OVER, "table/over", "this game is over")
        self.want(self.status == OPEN, "table/on", "the game has begun")
        wanted = self._first_free() if seat is None else seat
        self.want(0 <= wanted < len(self.seats), "seat/unknown", "there is no such seat")
        place, others = self.seats[wanted], [at for at in range(len(self.seats)) if at != wanted]
        named = told_apart(clean_name(name), [self.seats[at].name for at in others if self.seats[at].bot is None])
        bots = [at for at in others if self.seats[at].name.casefold() == named.casefold()]
        make_way = [Event(events.NAMED, now, {"seat": at, "name": self._bot_name(named)}) for at in bots]
        if place.person == person:
            is_same = named == place.name
            return [] if is_same else [*make_way, Event(events.NAMED, now, {"seat": wanted, "name": named})]
        self.want(place.is_free, "seat/taken", "that seat is taken")
        return [*make_way, Event(events.SEATED, now, {"seat": wanted, "person": person, "name": named})]

    def seat_bot(self, host: str, seat: int | None, bot: str, name: str, now: float) -> list[Event]:
        """The host lets a bot sit down, under a name that nobody here has if none is given.

        Where a bot sits already, it is another one from now on, under the name it had.
        """
        self._want_host_before_start(host)
        seat = self._first_free() if seat is None else seat
        self.want(0 <= seat < len(self.seats), "seat/taken", "that seat is not free")
        place = self.seats[seat]
        self.want(place.is_free or place.bot is not None, "seat/taken", "that seat is not free")
        others = [other.name for at, other in enumerate(self.seats) if at != seat]
        named = told_apart(clean_name(name), others) if name else place.name or self._bot_name()
        return [Event(events.SEATED, now, {"seat": seat, "bot": bot, "name": named})]

    def _bot_name(self, newcomer: str = "") -> str:
        """A name with a letter of its own on the badge, if there is one."""
        taken = [*(place.name for place in self.seats), newcomer]
        letters = {name[:1].upper() for name in taken}
        return told_apart(next((name for name in NAMES if name[0] not in letters), NAMES[0]), taken)

    def remove(self, host: str, seat: int, now: float) -> list[Event]:
        """The host frees a seat before the start."""
        self._want_host_before_start(host)
        self.want(0 <= seat < len(self.seats) and not self.seats[seat].is_free, "seat/empty", "nobody sits there")
        self.want(self._seats_of(host) != [seat], "seat/own", "the host leaves by leaving")
        return [Event(events.UNSEATED, now, {"seat": seat})]

    def resize(self, host: str, n_seats: int, now: float) -> list[Event]:
        """The host adds seats at the end, or takes away the last ones, if they are free."""
        self._want_host_before_start(host)
        self.want(all(place.is_free for place in self.seats[n_seats:]), "seat/taken", "somebody sits there")
        options = GAMES[self.game].options_for(self.options, n_seats)
        GAMES[self.game].new(n_seats, options)
        data = {"seats": n_seats, "options": options}
        return [Event(events.RESIZED, now, data)] if n_seats != len(self.seats) else []

    def give(self, host: str, seat: int, now: float) -> list[Event]:
        """The host frees a standby seat for a friend: until one asks for it and comes in, a bot has it."""
        self.want(self.status == ON and host == self.host, "table/not-host", "only the host can do that")
        self.want(
            0 <= seat < len(self.seats) and self.seats[seat].is_standby, "seat/taken", "that seat is not on standby"
        )
        name = self.seats[seat].name
        return [Event(events.SEATED, now, {"seat": seat, "bot": HOUSE, "name": name})]

    def salt(self, person: str, seat: int, salt: str, now: float) -> list[Event]:
        """A seat adds its salt to the draws; closed with the first of them."""
        self._want_own_seat(person, seat)
        self.want(self.status == OPEN, "table/on", "salts close with the start")
        self.want(len(salt) <= LONGEST_SALT and salt.isprintable(), "salt/form", "a salt is a short line of text")
        return [Event(events.SALTED, now, {"seat": seat, "salt": salt})]

    def ready(self, person: str, is_ready: bool, now: float) -> list[Event]:
        """All seats of a person are ready, or not any more."""
        self.want(self.status == OPEN, "table/on", "the game has begun")
        own = self._seats_of(person)
        self.want(bool(own), "seat/none", "you have no seat here")
        said = [Event(events.READY, now, {"seat": seat, "ready": is_ready}) for seat in own]
        return [*said, Event(events.STARTED, now)] if is_ready and self._completes_a_rematch(own) else said

    def _completes_a_rematch(self, own: Sequence[int]) -> bool:
        """The same people once more: it begins by itself when the last of them is ready."""
        others = [place for seat, place in enumerate(self.seats) if seat not in own]
        return bool(self.follows) and all(place.is_ready for place in others)

    def start(self, host: str, now: float) -> list[Event]:
        """The host starts once every seat is taken and everybody else is ready."""
        self._want_host_before_start(host)
        self.want(not any(seat.is_free for seat in self.seats), "table/seats", "a seat is still free")
        waiting = [s for s in self.seats if s.person not in (None, host) and not s.is_ready]
        self.want(not waiting, "table/ready", "somebody is not ready yet")
        return [Event(events.STARTED, now)]

    def chance(self, outcomes: Sequence[int], now: float) -> list[Event]:
        """Dice or cards, all that come together."""
        self.want(self.turn == CHANCE and not self.is_paused, "chance/not-now", "nothing is thrown or dealt now")
        return [Event(events.CHANCE, now, {"outcome": outcome}) for outcome in outcomes]

    def choose(self, person: str, seat: int, choice: int, choice_id: str, now: float) -> list[Event]:
        """A person seals a choice, or changes it until all are in. The same id again changes nothing."""
        self._want_own_seat(person, seat)
        if (seat, choice_id) in self.seen_ids:  # another seat's ids would tell that it has chosen
            return []
        self.want(self.status == ON, "choice/not-now", "no game is on")
        self.want(not self.is_paused, "table/paused", "the table is paused")
        self.want(not self.seats[seat].is_standby, "seat/standby", "take your seat back first")
        self._want_lesson(seat, choice)
        changes = self.changes.get(seat, 0)
        self.want(changes < MOST_CHANGES, "choice/changes", f"one changes one's mind {MOST_CHANGES} times a round")
        return self._choice(seat, choice, now, {"id": choice_id})

    def play_for(self, seat: int, choice: int, now: float) -> list[Event]:
        """The house plays for a bot, a standby seat, or one that missed the deadline."""
        self.want(self.status == ON and not self.is_paused, "choice/not-now", "no game is on")
        house = {"id": "", "house": True}
        if self.seats[seat].is_played_by_the_house:
            return self._choice(seat, choice, now, house)
        late = self.deadline is not None and now >= self.deadline
        self.want(late and seat in self.missing, "choice/not-now", "there is still time")
        return [Event(events.TIMEOUT, now, {"seat": seat}), *self._choice(seat, choice, now, house)]

    def leave(self, person: str, now: float) -> list[Event]:
        """Before the start the seat is free again; in a game it goes on standby at once. The host's role passes on."""
        own = self._seats_of(person)
        self.want(bool(own) and self.status != OVER, "seat/none", "you have no seat here")
        kind = events.UNSEATED if self.status == OPEN else events.STANDBY
        left = [Event(kind, now, {"seat": seat}) for seat in own if not self.seats[seat].is_standby]
        left += self._hosted_by_another(person, now)
        if self.status == OPEN and not self._others_than(person):
            left.append(self.ended("left", now))
        return left + self._voted_without(person, now)

    def _others_than(self, person: str) -> list[str]:
        return [s.person for s in self.seats if s.person and s.person != person and not s.is_standby]

    def _hosted_by_another(self, person: str, now: float) -> list[Event]:
        heirs = self._others_than(person)
        return [Event(events.HOSTED, now, {"person": heirs[0]})] if person == self.host and heirs else []

    def pass_on(self, host: str, there: Collection[str], now: float) -> list[Event]:
        """Before the start, the host's role goes to the first of those who are there."""
        heirs = [person for person in self.people if person in there]
        is_so = self.status == OPEN and self.host == host and heirs
        return [Event(events.HOSTED, now, {"person": heirs[0]})] if is_so else []

    def hosted_by(self, person: str, now: float) -> list[Event]:
        """Who comes to a game that its host has left is its host."""
        is_there = any(place.person == self.host and not place.is_standby for place in self.seats)
        return [] if is_there or person == self.host else [Event(events.HOSTED, now, {"person": person})]

    def _voted_without(self, person: str, now: float) -> list[Event]:
        """A game ends when the last one leaves who did not want it to."""
        left = [place for place in self.seats if place.person not in (None, person) and not place.is_standby]
        is_voted = self.status == ON and left and all(place.votes_to_end for place in left)
        return [self.ended("voted", now)] if is_voted else []

    def stand_by(self, seat: int, now: float) -> list[Event]:
        """A person has been gone for longer than the grace period."""
        place = self.seats[seat]
        waits = self.status == ON and place.person is not None and not place.is_standby
        self.want(waits, "seat/standby", "that seat is not waiting for anybody")
        gone = place.person or ""
        passed_on = self._hosted_by_another(gone, now) + self._voted_without(gone, now)
        return [Event(events.STANDBY, now, {"seat": seat}), *passed_on]

    def come_back(self, person: str, now: float) -> list[Event]:
        """A person takes the seats back that the house has played."""
        own = [seat for seat in self._seats_of(person) if self.seats[seat].is_standby]
        self.want(bool(own) and self.status == ON, "seat/none", "you have no seat to take back")
        return [*(Event(events.RETURNED, now, {"seat": seat}) for seat in own), *self.hosted_by(person, now)]

    def pause(self, person: str, is_paused: bool, now: float, there: Collection[str] = ()) -> list[Event]:
        """The host stops the clocks. One who is gone, or holds the others up for too long, does not start them alone.

        `there` are the people who look at the table now.
        """
        self.want(self.status == ON, "table/on", "no game is on")
        self.want(person in self.playing, "seat/none", "you have no seat here")
        if is_paused == self.is_paused:
            return []
        if is_paused:
            self.want(person == self.host, "table/not-host", "only the host can do that")
            self.want(self.paused_for < LONGEST_PAUSE, "pause/ended", "the others want to play on first")
            return [Event(events.PAUSED, now, {"person": person})]
        is_free = person in (self.host, self.paused_by) or self.paused_by not in there
        self.want(is_free or now >= self.pause_ends, "pause/held", "the host has paused the table")
        return [Event(events.RESUMED, now, {"person": person})]

    def set_pace(self, person: str, pace: str, now: float) -> list[Event]:
        """A person who is alone with bots says how long things take. Whoever looks may know it: all see the table's."""
        self.want(person in self.people and self.status != OVER, "seat/none", "you have no seat here")
        self.want(self._is_for_one, "pace/others", "others sit here too, and play at the usual pace")
        return [Event(events.PACED, now, {"pace": pace})] if pace != self.pace else []

    @property
    def _is_for_one(self) -> bool:
        """Does one person sit here, on one seat? A phone that goes round is several people's."""
        return sum(place.person is not None for place in self.seats) == 1

    @property
    def pace_now(self) -> str:
        """The pace of the table: somebody's own while they are alone with bots, and everybody's else."""
        return self.pace if self._is_for_one else USUAL

    @property
    def pause_ends(self) -> float:
        """From when anybody at the table may end a pause."""
        return self.paused_at + max(0.0, LONGEST_PAUSE - self.paused_for)

    def call(self, person: str, now: float, is_called: bool = True) -> list[Event]:
        """A person calls time: all have the same notice, and then the house plays for those whose choice is missing.

        Others may join the call: it stands until the last of them takes it back, so nobody can call time to gain some.
        Nothing of the answer depends on who has chosen.
        """
        self.want(self.status == ON and person in self.playing, "seat/none", "you have no seat here")
        self.want(not self.is_paused, "table/paused", "the table is paused")
        self.want(self._is_callable, "call/clock", "this table has a clock of its own")
        seat = self._seats_of(person)[0]
        if not is_called:
            return [Event(events.CALLED, now, {"seat": seat, "called": False})] if seat in self.callers else []
        self.want(seat not in self.callers, "call/called", "you have called time already")
        at = self.call_at
        self.want(bool(self.callers) or (at is not None and now >= at), "call/early", "they still have time")
        return [Event(events.CALLED, now, {"seat": seat})]

    @property
    def called_by(self) -> int | None:
        """The seat that has called time for the decision that is due."""
        return self.callers[0] if self.callers else None

    @property
    def _is_callable(self) -> bool:
        return CLOCKS[self.clock] is None and self.script is None

    @property
    def call_at(self) -> float | None:
        """From when time may be called for the decision that is due."""
        is_open = self._is_callable and bool(self.due) and not self.is_paused and self.called_by is None
        return self.opened_at + CALLABLE if is_open else None

    @property
    def idle(self) -> list[int]:
        """The seats of people for whom time ran out so often that the house goes on without them."""
        return [seat for seat, s in enumerate(self.seats) if s.person and not s.is_standby and s.missed >= MOST_MISSED]

    def vote(self, person: str, now: float, is_for: bool = True) -> list[Event]:
        """A person wants to end the game, or to play on after all; it ends when all people at the table want it to."""
        self.want(self.status == ON, "table/on", "no game is on")
        self.want(bool(self._seats_of(person)), "seat/none", "you have no seat here")
        if not is_for:
            taken_back = [seat for seat in self._seats_of(person) if self.seats[seat].votes_to_end]
            return [Event(events.VOTED, now, {"seat": seat, "vote": False}) for seat in taken_back]
        own = [seat for seat in self._seats_of(person) if not self.seats[seat].votes_to_end]
        self.want(bool(own), "vote/done", "you have voted already")
        votes = [Event(events.VOTED, now, {"seat": seat}) for seat in own]
        others = [s for i, s in enumerate(self.seats) if s.person and not s.is_standby and i not in own]
        return votes if any(not s.votes_to_end for s in others) else [*votes, self.ended("voted", now)]

    def speak(self, person: str, phrase: str, text: str, now: float) -> list[Event]:
        """A preset phrase, which everybody reads in their own language, or a short line."""
        own = self._seats_of(person)
        self.want(bool(own), "chat/watcher", "only those who sit at the table can speak")
        self.want(not phrase or phrase in texts.entry("en", "phrase"), "chat/phrase", "there is no such phrase")
        line = "".join(c for c in text if c.isprintable()).strip()
        said = {"phrase": phrase} if phrase else {"text": line}
        data = {"seat": own[0], "name": self.seats[own[0]].name, **said}
        return [Event(events.CHAT, now, data)] if phrase or line else []

    def mute(self, person: str, other: int, is_muted: bool, now: float) -> list[Event]:
        """A person doesn't want to read what a seat says, or does again."""
        own = self._seats_of(person)
        self.want(bool(own), "seat/none", "you have no seat here")
        self.want(0 <= other < len(self.seats), "seat/unknown", "there is no such seat")
        self.want(other not in own, "seat/own", "that is your own seat")
        return [Event(events.MUTED, now, {"seat": seat, "other": other, "muted": is_muted}) for seat in own]

    def follow(self, person: str, table: str, code: str, now: float) -> list[Event]:
        """After the end, one of the people leads all of them on to a rematch; the first who does is followed."""
        self.want(self.status == OVER, "table/on", "the game is not over")
        self.want(bool(self._seats_of(person)), "seat/none", "you have no seat here")
        return [] if self.rematch else [Event(events.FOLLOWED, now, {"table": table, "code": code})]

    def ended(self, reason: str, now: float) -> Event:
        """The event that closes a table. Whatever ended a game reveals its seed; a lesson was not drawn from one."""
        has_drawn = self.play is not None and self.script is None
        return Event(events.ENDED, now, {"reason": reason, "seed": self.secret if has_drawn else ""})

    # What is true now.

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
        """Who plays each seat themselves; None where nobody does."""
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
        if self.script is None or self.status != ON or self.seats[LEARNER].is_played_by_the_house:
            return False
        return bool(self.script.says(self.step)) and self.script.choice(self.step, LEARNER) is None

    @property
    def due(self) -> list[int]:
        """The seats that choose now, whether they have chosen or not."""
        turn = self.turn
        return [] if turn == CHANCE else [seat for seat in range(len(self.seats)) if turn >> seat & 1]

    @property
    def missing(self) -> list[int]:
        """The seats whose choice is not in yet. A tell: this is for the house alone."""
        return [seat for seat in self.due if seat not in self.chosen]

    @property
    def deadline(self) -> float | None:
        """When the decision that is due must be in."""
        seconds = CLOCKS[self.clock]
        if not self.due or self.is_paused:
            return None
        if self.called_by is not None:
            return self.called_at + NOTICE
        return None if seconds is None else self.opened_at + seconds

    @property
    def is_forgetful(self) -> bool:
        """Must people keep in their heads what was shown? Then nothing of the past leaves the table before the end."""
        return self.play is not None and self.status == ON and has_strict_memory(self.play.state)

    def viewers_of(self, person: str) -> list[int]:
        """Whose eyes a person looks through: their seats, or a watcher's."""
        return self._seats_of(person) or [WATCHER]

    def _choice(self, seat: int, choice: int, now: float, data: dict[str, Any]) -> list[Event]:
        assert self.play is not None  # noqa: S101 - the game is on
        self.play.check(seat, choice)
        return [Event(events.CHOICE, now, {"seat": seat, "choice": choice, **data})]

    def _seats_of(self, person: str) -> list[int]:
        return [seat for seat, place in enumerate(self.seats) if place.person == person]

    def _first_free(self) -> int:
        for seat, place in enumerate(self.seats):
            if place.is_free:
                return seat
        raise TableRefused("table/full", "there is no free seat")

    def _want_own_seat(self, person: str, seat: int) -> None:
        own = 0 <= seat < len(self.seats) and self.seats[seat].person == person
        self.want(own, "seat/not-yours", "that is not your seat")

    def _want_host_before_start(self, host: str) -> None:
        self.want(host == self.host, "table/not-host", "only the host can do that")
        self.want(self.status == OPEN, "table/on", "the game has begun")

    def _want_lesson(self, seat: int, choice: int) -> None:
        """A guided game goes on with the choice that its sentences are about."""
        if self.script is not None and self.play is not None and seat in self.due:
            wanted = self.script.choice(self.play.state.step, seat)
            self.want(wanted == choice, "lesson/other", "the guided game goes on another way")

    def want(self, fact: bool, code: str, sentence: str) -> None:
        if not fact:
            raise TableRefused(code, sentence)


def create(data: Mapping[str, Any], now: float) -> list[Event]:
    """The first events of a table: refuses a game, seats, options or a clock that do not exist."""
    if data.get("game") not in GAMES:
        raise TableRefused("table/game", f"there are {', '.join(GAMES)}")
    if data.get("clock", "none") not in CLOCKS:
        raise TableRefused("table/clock", f"there are {', '.join(CLOCKS)}")
    GAMES[data["game"]].new(data["seats"], data.get("options", {}))
    return [Event(events.CREATED, now, dict(data))]


def clean_name(name: str) -> str:
    """A name as everybody reads it, on one line; refuses one that nobody could."""
    clean = " ".join("".join(c for c in name if c.isprintable()).split())[:LONGEST_NAME].strip()
    if not clean:
        raise TableRefused("person/name", f"a name has 1 to {LONGEST_NAME} characters")
    return clean


def told_apart(name: str, others: Collection[str]) -> str:
    """A name that none of the others has: where one does, this is the second, or the third."""
    taken = {other.casefold() for other in others}
    named, number = name, 1
    while named.casefold() in taken:
        number += 1
        named = f"{name[: LONGEST_NAME - len(str(number)) - 1].strip()} {number}"
    return named


def _created(table: Table, event: Event) -> None:
    table.game, table.code, table.host = event["game"], event["code"], event["host"]
    table.clock, table.commitment, table.secret = event["clock"], event["commitment"], event.data.get("secret", "")
    table.is_listed, table.tells, table.options = event["listed"], event["tells"], event["options"]
    table.seats = [Seat() for _ in range(event["seats"])]
    table.follows = event.data.get("follows", "")
    table.evening = Evening.of(event["evening"]) if "evening" in event.data else Evening(table.id)
    table.script = Script.of(event["script"]) if "script" in event.data else None


def _seated(table: Table, event: Event) -> None:
    data, before = event.data, table.seats[event["seat"]]
    place = Seat(data.get("person"), data.get("bot"), data["name"], is_ready="bot" in data)
    if table.status == ON:
        place.salt = before.salt  # all draws of a game have the same salts
        if place.person is not None:
            place.stood_in, place.stood_in_name = before.bot or "", before.name
            table.held.add(place.person)
            table.claims.pop(event["seat"], None)
        # Which ids its last owner has used is not for the new one to find out.
        table.seen_ids = {known for known in table.seen_ids if known[0] != event["seat"]}
    table.seats[event["seat"]] = place
    if place.person is not None:
        table.evening = table.evening.without((place.person, place.name))


def _named(table: Table, event: Event) -> None:
    table.seats[event["seat"]].name = event["name"]


def _unseated(table: Table, event: Event) -> None:
    table.seats[event["seat"]] = Seat()


def _resized(table: Table, event: Event) -> None:
    more = event["seats"] - len(table.seats)
    table.seats = [*table.seats[: event["seats"]], *(Seat() for _ in range(more))]
    table.options = event["options"]


def _salted(table: Table, event: Event) -> None:
    table.seats[event["seat"]].salt = event["salt"]


def _ready(table: Table, event: Event) -> None:
    table.seats[event["seat"]].is_ready = event["ready"]


def _hosted(table: Table, event: Event) -> None:
    table.host = event["person"]


def _started(table: Table, event: Event) -> None:
    table.status, table.stepped_at, table.opened_at = ON, event.at, event.at
    table.play = Play(GAMES[table.game], len(table.seats), table.options)
    table.held = set(table.people)


def _chance(table: Table, event: Event) -> None:
    assert table.play is not None  # noqa: S101 - the game was on when this was appended
    table.play.happen(event["outcome"])
    table.draws += 1
    _opened(table, table.play, event.at)


def _chosen(table: Table, event: Event) -> None:
    assert table.play is not None  # noqa: S101 - the game was on when this was appended
    step, data = table.play.state.step, event.data
    table.play.choose(data["seat"], data["choice"])
    if data["seat"] in table.chosen:
        table.changes[data["seat"]] = table.changes.get(data["seat"], 0) + 1
    table.chosen[data["seat"]] = data["id"]
    if data["id"]:
        table.seen_ids.add((data["seat"], data["id"]))
    if table.play.state.step != step:  # what was sealed lies open
        table.notes += [(table.opened_steps, f"timeout p{seat + 1}") for seat in table.timeouts]
        _count_missed(table)
        table.chosen, table.changes, table.timeouts = {}, {}, []
        _opened(table, table.play, event.at)


def _count_missed(table: Table) -> None:
    """In how many rounds in a row a call of time has run out for each seat."""
    for seat in table.chosen:
        is_missed = table.called_by is not None and seat in table.timeouts
        table.seats[seat].missed = table.seats[seat].missed + 1 if is_missed else 0


def _opened(table: Table, play: Play, at: float) -> None:
    """A step was taken. The clock starts when people have had a look at it."""
    table.callers, table.paused_for = [], 0.0
    table.stepped_at, table.opened_at = at, at + look(play.game, play.state) * PACES[table.pace_now]
    table.opened_steps = len(play.steps)


def _timed_out(table: Table, event: Event) -> None:
    table.timeouts.append(event["seat"])


def _noted(table: Table, note: str) -> None:
    if table.play is not None:  # at the opening of its round: between sealed choices it would count them
        table.notes.append((table.opened_steps, note))


def _stood_by(table: Table, event: Event) -> None:
    table.seats[event["seat"]].is_standby = True
    _noted(table, f"standby p{event['seat'] + 1}")


def _returned(table: Table, event: Event) -> None:
    table.seats[event["seat"]].is_standby, table.seats[event["seat"]].missed = False, 0
    _noted(table, f"return p{event['seat'] + 1}")


def _paced(table: Table, event: Event) -> None:
    table.pace = event["pace"]


def _paused(table: Table, event: Event) -> None:
    table.is_paused, table.paused_by, table.paused_at = True, event.data.get("person", table.host), event.at


def _resumed(table: Table, event: Event) -> None:
    """Everything goes on where it stood: nobody wins or loses time by a pause."""
    lasted = max(0.0, event.at - table.paused_at)
    table.is_paused, table.paused_by, table.paused_for = False, "", table.paused_for + lasted
    table.stepped_at, table.opened_at, table.called_at = (
        at + lasted for at in (table.stepped_at, table.opened_at, table.called_at)
    )


def _called(table: Table, event: Event) -> None:
    if not event.data.get("called", True):
        table.callers = [seat for seat in table.callers if seat != event["seat"]]
        return
    table.called_at = table.called_at if table.callers else event.at
    table.callers = [*table.callers, event["seat"]]


def _claimed(table: Table, event: Event) -> None:
    table.claims[event["seat"]] = Claim(event["person"], event["name"])


def _agreed(table: Table, event: Event) -> None:
    claim = table.claims[event["seat"]]
    table.claims[event["seat"]] = replace(claim, agreed=claim.agreed | {event["person"]})


def _unclaimed(table: Table, event: Event) -> None:
    table.claims.pop(event["seat"], None)


def _dismissed(table: Table, event: Event) -> None:
    table.dismissed.add(event["person"])
    table.claims.pop(event["seat"], None)


def _voted(table: Table, event: Event) -> None:
    table.seats[event["seat"]].votes_to_end = event.data.get("vote", True)


def _said(table: Table, event: Event) -> None:
    table.lines = [*table.lines[-LINES + 1 :], event.data]


def _muted(table: Table, event: Event) -> None:
    place = table.seats[event["seat"]]
    place.muted = place.muted | {event["other"]} if event["muted"] else place.muted - {event["other"]}


def _ended(table: Table, event: Event) -> None:
    table.status, table.ending, table.seed = OVER, event["reason"], event.data.get("seed", "")
    table.ended_at = event.at


def _followed(table: Table, event: Event) -> None:
    table.rematch = event["table"]


_APPLY: Final = {
    events.CREATED: _created,
    events.SEATED: _seated,
    events.NAMED: _named,
    events.UNSEATED: _unseated,
    events.RESIZED: _resized,
    events.SALTED: _salted,
    events.READY: _ready,
    events.HOSTED: _hosted,
    events.STARTED: _started,
    events.CHANCE: _chance,
    events.CHOICE: _chosen,
    events.TIMEOUT: _timed_out,
    events.STANDBY: _stood_by,
    events.RETURNED: _returned,
    events.PACED: _paced,
    events.PAUSED: _paused,
    events.RESUMED: _resumed,
    events.CALLED: _called,
    events.CLAIMED: _claimed,
    events.AGREED: _agreed,
    events.UNCLAIMED: _unclaimed,
    events.DISMISSED: _dismissed,
    events.VOTED: _voted,
    events.CHAT: _said,
    events.MUTED: _muted,
    events.ENDED: _ended,
    events.FOLLOWED: _followed,
}
