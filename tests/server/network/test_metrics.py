"""What the house counts."""

import asyncio

from pokade.server.hub import Hub
from pokade.server.hub.durations import Durations
from pokade.server.network.metrics import Metrics
from pokade.server.storage import open_storage
from tests.server.hub.test_hub import AT_ONCE, opened, until


def test_a_duration_counts_in_every_bucket_that_it_fits_into():
    durations = Durations()

    for seconds in (0.0005, 0.001, 0.004, 9.0):
        durations.observe(seconds)

    fits = dict(durations.buckets())
    assert [fits[limit] for limit in ("0.001", "0.002", "0.005", "5.0", "+Inf")] == [2, 2, 3, 3, 4]
    assert durations.seconds == 9.0055


def test_a_sealed_choice_is_counted_with_its_reveal_and_never_before():
    async def work() -> None:
        storage = await open_storage("sqlite://")
        await storage.migrate()
        hub, metrics = Hub(storage, pace=AT_ONCE), Metrics()
        metrics.watch(hub)
        table = await opened(hub, "pok", bots=0)
        await until(lambda: table.turn > 0)
        before = metrics.shown()

        for seat, person in enumerate(("ada", "p1", "p2")):
            await hub.ask(table.id, lambda t, now, s=seat, p=person: t.choose(p, s, 0, f"id {s}", now))
            assert metrics.shown() == before
        await hub.ask(table.id, lambda t, now: t.choose("p3", 3, 0, "last", now))

        assert 'pokade_actions_total{do="choose"} 4.0' in metrics.shown().decode()
        assert hub.counts.appends.counts != [0] * len(hub.counts.appends.counts)
        await hub.close()
        await storage.close()

    asyncio.run(work())


def test_actions_are_counted_by_message():
    async def work() -> None:
        storage = await open_storage("sqlite://")
        hub, metrics = Hub(storage), Metrics()
        metrics.watch(hub)

        metrics.actions["chat"] += 2

        assert 'pokade_actions_total{do="chat"} 2.0' in metrics.shown().decode()
        await hub.close()
        await storage.close()

    asyncio.run(work())
