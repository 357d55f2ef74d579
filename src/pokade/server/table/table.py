"""A table is its log, and nothing else: what follows from the log is true now, and this says what may be appended.

Nothing here waits, sends, draws or looks at a clock: the time comes in with every question, dice come in as events,
and a bot's choice comes in like a person's. `apply` believes the log; every other method checks, and answers with the
events to append, or refuses with a stable code. So any process may ask, append and apply, and all have the same table.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pokade import texts
from pokade.games import GAMES
from pokade.games.state import CHANCE
from pokade.server.errors import TableRefused
from pokade.server.table import events
from pokade.server.table.events import Event
from pokade.server.table.facts import Facts
from pokade.server.table.folding import Change, fold
from pokade.server.table.seats import clean_name, fresh_name, told_apart
from pokade.server.table.terms import (
    CLOCKS,
    LONGEST_PAUSE,
    LONGEST_SALT,
    MOST_CHANGES,
    NO_CLOCK,
    ON,
    OPEN,
    OVER,
    STAND_IN,
)


@dataclass(slots=True)
class Table(Facts):
    """A table: what is true of it now, and what may be asked of it. Each question is answered with events to append."""

    def apply(self, batch: Sequence[Event]) -> Change:
        """Fold events that were stored."""
        return fold(self, batch)

    def sit(self, person: str, name: str, now: float, seat: int | None = None) -> list[Event]:
        """Take a free seat before the start, or another name at the own one; a bot of that name takes another."""
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
        return told_apart(fresh_name(taken), taken)

    def remove(self, host: str, seat: int, now: float) -> list[Event]:
        """The host frees a seat before the start."""
        self._want_host_before_start(host)
        self.want(0 <= seat < len(self.seats) and not self.seats[seat].is_free, "seat/empty", "nobody sits there")
        self.want(self.seats_of(host) != [seat], "seat/own", "the host leaves by leaving")
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
        return [Event(events.SEATED, now, {"seat": seat, "bot": STAND_IN, "name": name})]

    def salt(self, person: str, seat: int, salt: str, now: float) -> list[Event]:
        """A seat adds its salt to the draws; closed with the first of them."""
        self._want_own_seat(person, seat)
        self.want(self.status == OPEN, "table/on", "salts close with the start")
        self.want(len(salt) <= LONGEST_SALT and salt.isprintable(), "salt/form", "a salt is a short line of text")
        return [Event(events.SALTED, now, {"seat": seat, "salt": salt})]

    def ready(self, person: str, is_ready: bool, now: float) -> list[Event]:
        """All seats of a person are ready, or not any more."""
        self.want(self.status == OPEN, "table/on", "the game has begun")
        own = self.seats_of(person)
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
        self.want(changes < MOST_CHANGES, "choice/changes", f"a choice can be changed {MOST_CHANGES} times a round")
        return self._choice(seat, choice, now, {"id": choice_id})

    def play_for(self, seat: int, choice: int, now: float) -> list[Event]:
        """The server plays for a bot, a standby seat, or one that missed the deadline."""
        self.want(self.status == ON and not self.is_paused, "choice/not-now", "no game is on")
        house = {"id": "", "house": True}
        if self.seats[seat].is_played_by_bot:
            return self._choice(seat, choice, now, house)
        late = self.deadline is not None and now >= self.deadline
        self.want(late and seat in self.missing, "choice/not-now", "there is still time")
        return [Event(events.TIMEOUT, now, {"seat": seat}), *self._choice(seat, choice, now, house)]

    def leave(self, person: str, now: float) -> list[Event]:
        """Before the start the seat is free again; in a game it goes on standby at once. The host's role passes on."""
        own = self.seats_of(person)
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
        """A person who comes to a game that its host has left becomes the host."""
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
        """A person takes the seats back that stand-in bots have played."""
        own = [seat for seat in self.seats_of(person) if self.seats[seat].is_standby]
        self.want(bool(own) and self.status == ON, "seat/none", "you have no seat to take back")
        return [*(Event(events.RETURNED, now, {"seat": seat}) for seat in own), *self.hosted_by(person, now)]

    def pause(self, person: str, is_paused: bool, now: float, there: Collection[str] = ()) -> list[Event]:
        """The host stops the clocks. If the host is gone or takes too long, others may start them again.

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
        """A person who is alone with bots says how long things take. All who look see it."""
        self.want(person in self.people and self.status != OVER, "seat/none", "you have no seat here")
        self.want(self.is_for_one, "pace/others", "others sit here too, and play at the usual pace")
        return [Event(events.PACED, now, {"pace": pace})] if pace != self.pace else []

    def call(self, person: str, now: float, is_called: bool = True) -> list[Event]:
        """A person calls time: all have the same notice, and then the server plays for those whose choice is missing.

        Others may join the call: it stands until the last of them takes it back, so nobody can call time to gain some.
        Nothing of the answer depends on who has chosen.
        """
        self.want(self.status == ON and person in self.playing, "seat/none", "you have no seat here")
        self.want(not self.is_paused, "table/paused", "the table is paused")
        self.want(self.is_callable, "call/clock", "this table has a clock of its own")
        seat = self.seats_of(person)[0]
        if not is_called:
            return [Event(events.CALLED, now, {"seat": seat, "called": False})] if seat in self.callers else []
        self.want(seat not in self.callers, "call/called", "you have called time already")
        at = self.call_at
        self.want(bool(self.callers) or (at is not None and now >= at), "call/early", "they still have time")
        return [Event(events.CALLED, now, {"seat": seat})]

    def vote(self, person: str, now: float, is_for: bool = True) -> list[Event]:
        """A person wants to end the game, or to play on after all; it ends when all people at the table want it to."""
        self.want(self.status == ON, "table/on", "no game is on")
        self.want(bool(self.seats_of(person)), "seat/none", "you have no seat here")
        if not is_for:
            taken_back = [seat for seat in self.seats_of(person) if self.seats[seat].votes_to_end]
            return [Event(events.VOTED, now, {"seat": seat, "vote": False}) for seat in taken_back]
        own = [seat for seat in self.seats_of(person) if not self.seats[seat].votes_to_end]
        self.want(bool(own), "vote/done", "you have voted already")
        votes = [Event(events.VOTED, now, {"seat": seat}) for seat in own]
        others = [s for i, s in enumerate(self.seats) if s.person and not s.is_standby and i not in own]
        return votes if any(not s.votes_to_end for s in others) else [*votes, self.ended("voted", now)]

    def speak(self, person: str, phrase: str, text: str, now: float) -> list[Event]:
        """A preset phrase, which everybody reads in their own language, or a short line."""
        own = self.seats_of(person)
        self.want(bool(own), "chat/watcher", "only those who sit at the table can speak")
        self.want(not phrase or phrase in texts.entry("en", "phrase"), "chat/phrase", "there is no such phrase")
        line = "".join(c for c in text if c.isprintable()).strip()
        said = {"phrase": phrase} if phrase else {"text": line}
        data = {"seat": own[0], "name": self.seats[own[0]].name, **said}
        return [Event(events.CHAT, now, data)] if phrase or line else []

    def mute(self, person: str, other: int, is_muted: bool, now: float) -> list[Event]:
        """A person doesn't want to read what a seat says, or does again."""
        own = self.seats_of(person)
        self.want(bool(own), "seat/none", "you have no seat here")
        self.want(0 <= other < len(self.seats), "seat/unknown", "there is no such seat")
        self.want(other not in own, "seat/own", "that is your own seat")
        return [Event(events.MUTED, now, {"seat": seat, "other": other, "muted": is_muted}) for seat in own]

    def follow(self, person: str, table: str, code: str, now: float) -> list[Event]:
        """After the end, one of the people leads all of them on to a rematch; the first who does is followed."""
        self.want(self.status == OVER, "table/on", "the game is not over")
        self.want(bool(self.seats_of(person)), "seat/none", "you have no seat here")
        return [] if self.rematch else [Event(events.FOLLOWED, now, {"table": table, "code": code})]

    def ended(self, reason: str, now: float) -> Event:
        """The event that closes a table. Whatever ended a game reveals its seed; a lesson was not drawn from one."""
        has_drawn = self.play is not None and self.script is None
        return Event(events.ENDED, now, {"reason": reason, "seed": self.secret if has_drawn else ""})

    def _choice(self, seat: int, choice: int, now: float, data: dict[str, Any]) -> list[Event]:
        assert self.play is not None  # noqa: S101 - the game is on
        self.play.check(seat, choice)
        return [Event(events.CHOICE, now, {"seat": seat, "choice": choice, **data})]

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
    if data.get("clock", NO_CLOCK) not in CLOCKS:
        raise TableRefused("table/clock", f"there are {', '.join(CLOCKS)}")
    GAMES[data["game"]].new(data["seats"], data.get("options", {}))
    return [Event(events.CREATED, now, dict(data))]
