"""What the house counts."""

from pokade.server.metrics import Metrics


def test_a_duration_counts_in_every_bucket_that_it_fits_into():
    metrics = Metrics()

    for seconds in (0.0005, 0.001, 0.004, 9.0):
        metrics.appends.observe(seconds)

    sample = metrics.registry.get_sample_value
    fits = [
        sample("pokade_append_seconds_bucket", {"le": limit}) for limit in ("0.001", "0.002", "0.005", "5.0", "+Inf")
    ]
    assert fits == [2, 2, 3, 3, 4]
    assert sample("pokade_append_seconds_count") == 4
    assert sample("pokade_append_seconds_sum") == 9.0055


def test_actions_are_counted_by_message():
    metrics = Metrics()

    metrics.actions["choose"] += 2

    assert 'pokade_actions_total{do="choose"} 2.0' in metrics.shown().decode()
