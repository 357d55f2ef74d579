"""What the house counts, for those who look after it. Numbers only: no name, no address, nothing of a game."""

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pokade.server.storage import Storage, TableIndex
from pokade.server.table import ON, OPEN, OVER

if TYPE_CHECKING:
    from pokade.server.hub import Hub

SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)  # 10 ms is the goal


class Metrics:
    """The counters of one house."""

    def __init__(self) -> None:
        registry = CollectorRegistry()
        self.registry = registry
        self.actions = Counter("pokade_actions", "What people did, by message.", ["do"], registry=registry)
        self.refusals = Counter("pokade_refusals", "What was refused, by code.", ["code"], registry=registry)
        self.drops = Counter("pokade_queue_drops", "Readers that were too slow.", registry=registry)
        self.requests = Histogram(
            "pokade_request_seconds", "HTTP requests.", ["route", "status"], buckets=SECONDS, registry=registry
        )
        self.appends = Histogram("pokade_append_seconds", "Making events durable.", buckets=SECONDS, registry=registry)

    def watch(self, hub: "Hub") -> None:
        """Count the tables and people of a hub, whenever somebody asks."""
        self.registry.register(_Presence(hub))

    def timed(self, storage: Storage) -> Storage:
        """The same storage, with every append measured."""
        return cast(Storage, _Timed(storage, self.appends))

    def shown(self) -> bytes:
        """All of it in the text format of Prometheus."""
        return generate_latest(self.registry)


class _Presence(Collector):
    def __init__(self, hub: "Hub") -> None:
        self._hub = hub

    def collect(self) -> Iterator[Metric]:
        rooms = list(self._hub.rooms.values())
        tables = GaugeMetricFamily("pokade_tables", "Tables in memory, by status.", labels=["status"])
        for status in (OPEN, ON, OVER):
            tables.add_metric([status], sum(room.table.status == status for room in rooms))
        yield tables
        people = {listener.person for room in rooms for listener in room.listeners}
        yield GaugeMetricFamily("pokade_people", "People and watchers connected.", value=len(people))


class _Timed:
    """A storage whose appends are measured; everything else is its own."""

    def __init__(self, storage: Storage, seconds: Histogram) -> None:
        self._storage, self._seconds = storage, seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def append(
        self, table: str, version: int, events: Sequence[bytes], *, index: TableIndex | None = None
    ) -> None:
        began = time.perf_counter()
        await self._storage.append(table, version, events, index=index)
        self._seconds.observe(time.perf_counter() - began)
