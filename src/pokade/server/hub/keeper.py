"""The task that keeps a table going: dice when they are due, bots, deadlines, stand-ins for people who are gone."""

import asyncio
import contextlib
import math
import random
from collections.abc import Sequence
from typing import Final

from pokade.games.state import CHANCE, NOBODY, NOTHING, how_many
from pokade.server.errors import TableRefused
from pokade.server.hub.bots import Bots
from pokade.server.hub.draws import Fairness, outcomes
from pokade.server.hub.log import Log
from pokade.server.hub.presence import Presence
from pokade.server.hub.room import Room
from pokade.server.hub.times import Clock, Pace, wait
from pokade.server.logs import log_bug
from pokade.server.storage import StorageError
from pokade.server.table import ON, OPEN, OVER, PACES, Table, newcomers
from pokade.server.table.events import Event

ALONE: Final = (
    0.375  # of a bot's delay where seats decide one after the other: several of them may come before a person
)
UNATTENDED: Final = 16  # tables that everybody has left and that go on at their pace; if there are more, they wait
TRY_AGAIN: Final = 1.0  # second until a table asks a database once more that does not answer


class Keeper:
    """Keeps the tables of this process going, each in a task of its own."""

    def __init__(self, log: Log, presence: Presence, bots: Bots, clock: Clock, pace: Pace, fairness: Fairness) -> None:
        self._log, self._presence, self._bots = log, presence, bots
        self._clock, self._pace, self._fairness = clock, pace, fairness
        self._unattended: set[Room] = set()  # where bots play, and nobody else

    async def keep_going(self, room: Room) -> None:
        """Until its game is over."""
        try:
            await self._keep_going(room)
        finally:
            self._unattended.discard(room)

    async def _keep_going(self, room: Room) -> None:
        while room.table.status != OVER:
            room.woken.clear()
            try:
                await self._go_on(room)
            except StorageError:  # full or gone for a while: nothing was lost, and the table goes on when it is back
                await asyncio.sleep(TRY_AGAIN)
            except Exception as error:  # a bug, perhaps of a bot, does not leave people alone at the table for ever
                log_bug(error)
                await asyncio.sleep(TRY_AGAIN)

    async def _go_on(self, room: Room) -> None:
        """The next thing that is to be done at a table, or waiting for it."""
        if room.table.status == OPEN:
            await self._await_host(room)
        elif room.table.idle:
            await self._log.append(room, _stand_idle)
        elif room.table.is_paused or room.is_being_read:
            await self._await_people(room)
        elif room.table.turn == NOBODY or room.table.is_taught:
            await self._look_at_the_reveal(room)
            await self._log.append(room, _end)
        elif room.table.turn == CHANCE:
            await self._draw(room)
        else:
            await self._await_choices(room)

    async def _await_host(self, room: Room) -> None:
        """Before the start a host who is gone too long makes way for one of those who are there."""
        host = room.table.host
        if host not in room.away_since:
            await room.woken.wait()
            return
        await wait(room.woken, room.table.host_until(room.away_since[host]) - self._clock())
        if self._clock() < room.table.host_until(room.away_since.get(host, self._clock())):
            return
        there = await self._presence.sitting(room)
        if host in there:  # through another process
            room.away_since[host] = self._clock()
        elif there:
            await self._log.append(room, lambda table, now: table.pass_on(host, there, now))
        else:
            await room.woken.wait()

    async def _draw(self, room: Room) -> None:
        """Between two rounds newcomers come in; then dice fall."""
        await self._log.append(room, newcomers.let_in)
        await self._look_at_the_reveal(room)
        await self._log.append(room, newcomers.let_in)
        play = room.table.play
        if play is None or room.table.turn != CHANCE:
            return
        drawn = outcomes(room.table, play, self._fairness)
        version = room.table.version
        with contextlib.suppress(TableRefused):  # paused meanwhile, or another process was faster
            await self._log.append(
                room, lambda table, now: table.chance(drawn, now) if table.version == version else []
            )

    async def _look_at_the_reveal(self, room: Room) -> None:
        """People get a moment after a reveal, or until all of them have tapped Next; with nobody there, none."""
        until = self._looked_until(room.table)
        while (left := until - self._clock()) > 0 and await self._presence.sitting(room) - room.next_tapped:
            await wait(room.woken, left)
            room.woken.clear()

    def _looked_until(self, table: Table) -> float:
        look = table.opened_at - table.stepped_at
        if self._pace.reveal < math.inf:
            return table.stepped_at + look * self._pace.reveal
        is_held = look > 0 and table.turn == CHANCE and table.script is None  # there, and only there, Next is offered
        return math.inf if is_held else table.stepped_at

    async def _await_choices(self, room: Room) -> None:
        """Bots answer after a neutral delay; people have their time."""
        table = room.table
        bots = [seat for seat in table.due if table.seats[seat].is_played_by_bot]
        attended = (table.step, bots)
        if not bots or (room.attended == attended and not {*bots} & {*table.missing}):
            room.attended = attended
            self._unattended.discard(room)
            await self._await_people(room)
            return
        await self._look_at_the_reveal(room)
        if not await self._is_disturbed(room):
            # As long for somebody who had sealed and then left: else others who are gone would stand by the sooner.
            await self._play_for(room, bots, self._neutral_moment(table))
            room.attended = None if table.is_paused else attended

    async def _is_disturbed(self, room: Room) -> bool:
        """Where nobody plays there is time: many such tables take turns, so that nobody who plays notices them.

        True if something has happened while this one waited for its turn.
        """
        if room.table.playing:
            self._unattended.discard(room)
            return False
        self._unattended.add(room)
        crowd = len(self._unattended) / UNATTENDED
        if crowd <= 1:
            return False
        await wait(room.woken, (crowd - 1) * max(self._pace.bots))
        return room.woken.is_set()

    def _neutral_moment(self, table: Table, since: float | None = None) -> float:
        """When a bot shows what it has chosen. Drawn before it thinks: how long that takes tells nothing.

        It counts from now or from a deadline, which is no tell as the moment when the task wakes up may be.
        """
        delay = random.uniform(*self._pace.bots) * PACES[table.pace_now]
        late = 0.0 if since is None else self._clock() - since
        return asyncio.get_running_loop().time() - late + delay * (ALONE if how_many(table.turn) == 1 else 1.0)

    async def _await_people(self, room: Room) -> None:
        """Wait for what somebody does. A bot plays for a seat that misses the deadline, or is left for too long."""
        version, deadline = room.table.version, room.table.deadline
        gone = self._first_gone(room)
        times = [at for at in (deadline, gone[0] if gone else None) if at is not None]
        if times:
            await wait(room.woken, min(times) - self._clock())
        else:
            await room.woken.wait()
        if deadline is not None and self._clock() >= deadline:
            # Whoever is gone as well has their turn after the reveal: whether somebody has sealed decides no order.
            if room.table.version == version:
                await self._play_for(room, room.table.missing, self._neutral_moment(room.table, deadline))
        elif gone and self._clock() >= gone[0]:
            await self._stand_by(room, gone[1])

    async def _stand_by(self, room: Room, seat: int) -> None:
        """Somebody has been gone for too long, unless another process has seen them."""
        person = room.table.seats[seat].person
        if person is not None and person in await self._presence.sitting(room):
            room.away_since[person] = self._clock()
            return
        with contextlib.suppress(TableRefused):
            await self._log.append(room, lambda t, now: t.stand_by(seat, now))

    async def _play_for(self, room: Room, seats: Sequence[int], not_before: float) -> None:
        """Choose for seats, all at once: one by one would tell the first of them that others are late."""
        step = room.table.step
        missing = [seat for seat in seats if seat in room.table.missing]
        chosen = await asyncio.gather(*(self._bots.choice_for(room, seat) for seat in missing))
        choices = {seat: choice for seat, choice in zip(missing, chosen, strict=True) if choice != NOTHING}
        await asyncio.sleep(not_before - asyncio.get_running_loop().time())

        def question(table: Table, now: float) -> Sequence[Event]:
            batch: list[Event] = []
            for seat in choices if table.step == step else ():
                with contextlib.suppress(TableRefused):  # the person was back in time
                    batch += table.play_for(seat, choices[seat], now) if seat in table.missing else []
            return batch

        await self._log.append(room, question)

    def _first_gone(self, room: Room) -> tuple[float, int] | None:
        """When the next person who is away has been gone for too long, and their seat."""
        grace = room.table.grace
        if grace is None:
            return None
        gone = [
            (room.away_since[place.person] + grace, seat)
            for seat, place in enumerate(room.table.seats)
            if place.person in room.away_since and not place.is_standby
        ]
        return min(gone, default=None)


def _end(table: Table, now: float) -> list[Event]:
    if table.status != ON or not (table.turn == NOBODY or table.is_taught):
        return []
    return [table.ended("taught" if table.script is not None else "played", now)]


def _stand_idle(table: Table, now: float) -> list[Event]:
    return table.stand_by(table.idle[0], now) if table.idle else []
