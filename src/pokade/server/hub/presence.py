"""People who come to look at a table and go again, through this process or another."""

import contextlib
import secrets
from collections.abc import Mapping
from typing import Final

from pokade.server.hub.background import Background
from pokade.server.hub.listeners import Listener
from pokade.server.hub.room import Room
from pokade.server.hub.times import Clock
from pokade.server.storage import Storage, StorageError

PRESENT: Final = 45.0  # seconds that another process is believed to have somebody at a table


class Presence:
    """The people who look at the tables that are served here."""

    def __init__(self, storage: Storage, clock: Clock, background: Background) -> None:
        self._storage, self._clock, self._background = storage, clock, background
        self._process = secrets.token_hex(8)

    def come(self, room: Room, listener: Listener, last: Mapping[int, int]) -> None:
        """Somebody looks: first what is true now, or was missed since the last frames; then every frame."""
        listener.viewers = tuple(room.table.viewers_of(listener.person))
        room.recent.follow(listener.viewers)
        for viewer in listener.viewers:
            for frame in room.tail(viewer, last.get(viewer, 0)):
                listener.offer(frame)
        room.listeners.add(listener)
        room.tell_of_claim(listener)
        room.tell_of_stand_ins(listener)

    def came(self, room: Room, person: str) -> None:
        """They are there: nobody waits for them any longer, and other processes are told."""
        room.away_since.pop(person, None)
        room.woken.set()
        if self._storage.is_shared:
            self._background.run(self._tell_of(room.table.id, person, is_here=True))

    def go(self, room: Room, listener: Listener) -> None:
        """Somebody looks away."""
        room.listeners.discard(listener)
        is_gone = listener.person not in {other.person for other in room.listeners}
        if is_gone and listener.person in room.table.people:
            room.away_since[listener.person] = self._clock()
        if is_gone and self._storage.is_shared:
            self._background.run(self._tell_of(room.table.id, listener.person, is_here=False))
        room.woken.set()

    async def _tell_of(self, table_id: str, person: str, *, is_here: bool) -> None:
        """Let the other processes know who looks at a table through this one."""
        with contextlib.suppress(StorageError):  # said again with the next sweep, or runs out
            if is_here:
                await self._storage.arrive(self._process, table_id, person, self._clock() + PRESENT)
            else:
                await self._storage.depart(self._process, table_id, person)

    async def stay(self) -> None:
        """All who look through this process still do."""
        if self._storage.is_shared:
            await self._storage.stay(self._process, self._clock() + PRESENT)

    async def looking(self, room: Room) -> set[str]:
        """Everybody who looks, through this process or another."""
        here = {listener.person for listener in room.listeners}
        if not self._storage.is_shared:
            return here
        return here | await self._storage.present(room.table.id, self._clock())

    async def sitting(self, room: Room) -> set[str]:
        """Those of them who have a seat and play it themselves."""
        return await self.looking(room) & set(room.table.playing)
