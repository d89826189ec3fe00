"""Figures of long streams in bounded memory."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

#: How much a quantile may be off, as a share of it.
PRECISION = 0.01
#: As long as there are no more different numbers than these, none is off.
MOST_EXACT = 4_096
_BASE = math.log((1 + PRECISION) / (1 - PRECISION))


class Spread:
    """Whole numbers of 0 and above: how many, the least, the greatest, and quantiles. These are exact as long
    as there are no more than `MOST_EXACT` different numbers, else within `PRECISION`, as of DDSketch (Masson,
    Rim, Lee: DDSketch, VLDB 2019).

    Attributes:
        count, greatest: Exact.
    """

    def __init__(self) -> None:
        self.count = 0
        self.greatest: int | None = None
        self._exact = True
        #: How many numbers there are of each, or in each bucket.
        self._counts: Counter[int] = Counter()

    def add(self, value: int) -> None:
        """Adds a number."""
        self.count += 1
        if self.greatest is None or value > self.greatest:
            self.greatest = value
        self._counts[value if self._exact else _bucket(value)] += 1
        if self._exact and len(self._counts) > MOST_EXACT:
            exact, self._counts, self._exact = self._counts, Counter(), False
            for number, count in exact.items():
                self._counts[_bucket(number)] += count

    def quantile(self, share: float) -> int:
        """Return the quantile of a share from 0 to 1; 0 if there are no numbers."""
        rank, seen = share * (self.count - 1), 0
        for place in sorted(self._counts):
            seen += self._counts[place]
            if seen > rank:
                return self._number(place)
        return self.greatest or 0

    def tail(self, bound: int) -> tuple[int, int]:
        """Return the count of the numbers above a bound, and their median."""
        above = [place for place in sorted(self._counts) if self._number(place) > bound]
        count, seen = sum(self._counts[place] for place in above), 0
        for place in above:
            seen += self._counts[place]
            if 2 * seen >= count:
                return count, self._number(place)
        return 0, 0

    def _number(self, place: int) -> int:
        return place if self._exact else min(_middle(place), self.greatest or 0)


def _bucket(value: int) -> int:
    """0 has no logarithm; -1 is below that of 1."""
    return math.ceil(math.log(value) / _BASE) if value > 0 else -1


def _middle(bucket: int) -> int:
    """The number that stands for those of a bucket."""
    return 0 if bucket < 0 else round(2 * math.exp(bucket * _BASE) / (math.exp(_BASE) + 1))


class Recent:
    """A bounded memory of the last `size` different things.

    Args:
        size: How many are remembered.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._seen: OrderedDict[Hashable, object] = OrderedDict()

    def get(self, thing: Hashable, value: object = True) -> object:
        """Return the value noted with a thing; None if it is new, and then note `value`."""
        known = self._seen.get(thing)
        if known is None:
            self._seen[thing] = value
            if len(self._seen) > self._size:
                self._seen.popitem(last=False)
        return known
