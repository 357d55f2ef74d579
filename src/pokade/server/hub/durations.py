"""How long things take, counted the way Prometheus wants it."""

from bisect import bisect_left
from itertools import accumulate
from typing import Final

SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 5.0)  # 10 ms is the goal


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
