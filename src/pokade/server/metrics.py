"""What the house counts, for those who look after it. Numbers only: no name, no address, nothing of a game."""

import time
from bisect import bisect_left
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, cast

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from pokade.server.storage import Storage, StorageError, StorageFull, StorageGone, TableIndex
from pokade.server.table import ON, OPEN, OVER

if TYPE_CHECKING:
    from pokade.server.hub import Hub

SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 5.0)  # 10 ms is the goal
FAILING: Final = 10.0  # seconds that an append which failed speaks against a house where nobody has tried again


class Metrics:
    """The counters of one house."""

    def __init__(self) -> None:
        registry = CollectorRegistry()
        self.registry = registry
        self.actions: Tally[str] = Tally()  # by message
        self.refusals = Counter("pokade_refusals", "What was refused, by code.", ["code"], registry=registry)
        self.drops = Counter("pokade_queue_drops", "Readers that were too slow.", registry=registry)
        self.requests = Histogram(
            "pokade_request_seconds", "HTTP requests.", ["route", "status"], buckets=SECONDS, registry=registry
        )
        self.appends = Durations()
        registry.register(_Busy(self))

    def watch(self, hub: "Hub") -> None:
        """Count the tables and people of a hub, whenever somebody asks."""
        self.registry.register(_Presence(hub))

    def timed(self, storage: Storage) -> Storage:
        """The same storage, with every append measured."""
        return cast(Storage, _Timed(storage, self.appends))

    def shown(self) -> bytes:
        """All of it in the text format of Prometheus."""
        return generate_latest(self.registry)


class Durations:
    """How long something takes that happens thousands of times a second: a histogram without locks."""

    def __init__(self) -> None:
        self.counts = [0] * (len(SECONDS) + 1)
        self.seconds = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(SECONDS, seconds)] += 1
        self.seconds += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """How many took at most so long, the way Prometheus wants it."""
        return list(zip((*map(str, SECONDS), "+Inf"), accumulate(self.counts), strict=True))


class _Busy(Collector):
    """What happens at every message is counted in plain numbers, and only dressed up when somebody asks."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        actions = CounterMetricFamily("pokade_actions", "What people did, by message.", labels=["do"])
        for do, count in sorted(self._metrics.actions.items()):
            actions.add_metric([do], count)
        yield actions
        appends = self._metrics.appends
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


class _Timed:
    """A storage whose appends are measured, and of which is known whether they failed; everything else is its own."""

    def __init__(self, storage: Storage, seconds: Durations) -> None:
        self._storage, self._seconds = storage, seconds
        self._failure: StorageError | None = None  # of the last append …
        self._failed_at = 0.0  # … and when

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def append(
        self, table: str, version: int, events: Sequence[bytes], *, index: TableIndex | None = None
    ) -> None:
        began = time.perf_counter()
        try:
            await self._storage.append(table, version, events, index=index)
        except (StorageFull, StorageGone) as error:
            self._failure, self._failed_at = error, time.monotonic()
            raise
        self._failure = None
        self._seconds.observe(time.perf_counter() - began)

    async def ping(self) -> None:
        """Of a full disk one may still read: whether the house is ready, the last append says for a while."""
        await self._storage.ping()
        if self._failure is not None and time.monotonic() - self._failed_at < FAILING:
            raise type(self._failure)(str(self._failure))
