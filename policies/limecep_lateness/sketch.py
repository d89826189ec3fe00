"""A sketch of a distribution, to ask for one quantile of it."""

from __future__ import annotations

from math import ceil, log
from typing import Any

#: How much wider each bucket is than the one before.
GROWTH = 1.02

_LOG_GROWTH = log(GROWTH)


class QuantileSketch:
    """The figures so far, counted in buckets that grow by 2 % (as DDSketch does).

    Memory is bounded by the range of the figures, 116 buckets for every factor of ten. The bucket of the
    quantile is followed as figures come, so that adding one costs the same however many there are.

    Args:
        quantile: Which one, above 0, at most 1.
    """

    def __init__(self, quantile: float) -> None:
        self._quantile = quantile
        self._buckets: dict[int, int] = {}
        self.count = 0
        self._at = 0
        # How many figures are in buckets before that one.
        self._before = 0

    def add(self, value: int) -> None:
        """One more figure, at least 1."""
        bucket = ceil(log(value) / _LOG_GROWTH)
        buckets = self._buckets
        buckets[bucket] = buckets.get(bucket, 0) + 1
        self.count += 1
        if self.count == 1:
            self._at = bucket
            return
        if bucket < self._at:
            self._before += 1
        # The quantile is the figure of this rank, as many of them being at most as great.
        rank = ceil(self._quantile * self.count)
        while self._before + buckets.get(self._at, 0) < rank:
            self._before += buckets.get(self._at, 0)
            self._at += 1
        while self._before >= rank:
            self._at -= 1
            self._before -= buckets.get(self._at, 0)

    @property
    def figures(self) -> list[Any]:
        """All that it knows, the quantile aside."""
        return [self.count, self._at, self._before, list(self._buckets.items())]

    @figures.setter
    def figures(self, known: list[Any]) -> None:
        self.count, self._at, self._before, buckets = known
        self._buckets = dict(buckets)

    @property
    def value(self) -> float:
        """The quantile, or up to 2 % more; 0 before the first figure."""
        return GROWTH**self._at if self.count else 0.0
