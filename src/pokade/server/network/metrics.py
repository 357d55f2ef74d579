"""Metrics in the format of Prometheus. Numbers only: no name, no address, nothing of a game."""

import time
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from pokade.server.hub.durations import SECONDS
from pokade.server.storage import Storage, StorageError, StorageFull, StorageGone, TableIndex
from pokade.server.table import ON, OPEN, OVER

if TYPE_CHECKING:
    from pokade.server.hub import Hub

disable_created_metrics()  # type: ignore[no-untyped-call] # when something first happened is nobody's business
FAILING: Final = 10.0  # seconds that a failed append makes the server not ready, if nobody has appended since


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        registry = CollectorRegistry()
        self.registry = registry
        self.actions: Tally[str] = Tally()  # by message
        self.refusals = Counter("pokade_refusals", "What was refused, by code.", ["code"], registry=registry)
        self.drops = Counter("pokade_queue_drops", "Readers that were too slow.", registry=registry)
        self.requests = Histogram(
            "pokade_request_seconds", "HTTP requests.", ["route", "status"], buckets=SECONDS, registry=registry
        )

    def watch(self, hub: "Hub") -> None:
        """Count the tables and people of a hub and what they do, whenever somebody asks."""
        self.registry.register(_Presence(hub))
        self.registry.register(_Busy(self.actions, hub))

    def watched(self, storage: Storage) -> Storage:
        """The same storage, of which is known whether appends fail."""
        return cast(Storage, _Watched(storage))

    def shown(self) -> bytes:
        """All of it in the text format of Prometheus."""
        return generate_latest(self.registry)


class _Busy(Collector):
    """What happens at every message is counted in plain numbers, and only dressed up when somebody asks."""

    def __init__(self, actions: Tally[str], hub: "Hub") -> None:
        self._actions, self._hub = actions, hub

    def collect(self) -> Iterator[Metric]:
        actions = CounterMetricFamily("pokade_actions", "What people did, by message.", labels=["do"])
        for do, count in sorted((self._actions | {"choose": self._hub.counts.choices}).items()):
            actions.add_metric([do], count)
        yield actions
        appends = self._hub.counts.appends
        name, help_text = "pokade_append_seconds", "Making events durable."
        yield HistogramMetricFamily(name, help_text, buckets=appends.buckets(), sum_value=appends.seconds)


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
        strong = self._hub.strong
        name, help_text = "pokade_strong_seconds", "Strong bots' answers, with their wait for their turn to think."
        yield HistogramMetricFamily(name, help_text, buckets=strong.took.buckets(), sum_value=strong.took.seconds)
        stood_in = CounterMetricFamily("pokade_strong_stood_in", "Choices that casual bots made for strong ones.")
        stood_in.add_metric([], strong.stood_in)
        yield stood_in


class _Watched:
    """A storage of which is known whether appends failed; everything else is its own."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._failure: StorageError | None = None  # of the last append …
        self._failed_at = 0.0  # … and when

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def append(
        self, table: str, version: int, events: Sequence[bytes], *, index: TableIndex | None = None
    ) -> None:
        try:
            await self._storage.append(table, version, events, index=index)
        except (StorageFull, StorageGone) as error:
            self._failure, self._failed_at = error, time.monotonic()
            raise
        self._failure = None

    async def ping(self) -> None:
        """A full disk can still be read: whether the server is ready, the last append says for a while."""
        await self._storage.ping()
        if self._failure is not None and time.monotonic() - self._failed_at < FAILING:
            raise type(self._failure)(str(self._failure))
