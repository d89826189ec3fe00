"""Ranges of time, in microseconds and both ends included."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Span = tuple[int, int]


class Spans:
    """A set of times, as ranges that neither meet nor touch, in order.

    Attributes:
        lows, highs: The first and the last time of each range.
    """

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self.lows: list[int] = []
        self.highs: list[int] = []
        for low, high in sorted(spans):
            if low > high:
                continue
            if self.highs and low <= self.highs[-1] + 1:
                self.highs[-1] = max(self.highs[-1], high)
            else:
                self.lows.append(low)
                self.highs.append(high)

    def __iter__(self) -> Iterator[Span]:
        return zip(self.lows, self.highs, strict=True)

    def __bool__(self) -> bool:
        return bool(self.lows)

    def __contains__(self, time: int) -> bool:
        at = bisect_right(self.lows, time) - 1
        return at >= 0 and time <= self.highs[at]

    @property
    def hull(self) -> Span:
        """From the first time to the last; there must be some."""
        return self.lows[0], self.highs[-1]

    def gaps(self, span: Span) -> list[Span]:
        """The parts of a range that are not in it."""
        low, high = span
        found = []
        for at in range(bisect_left(self.highs, low), bisect_right(self.lows, high)):
            if low < self.lows[at]:
                found.append((low, self.lows[at] - 1))
            low = self.highs[at] + 1
        return [*found, (low, high)] if low <= high else found

    def holds(self, span: Span) -> bool:
        """Whether all of a range is in it."""
        low, high = span
        at = bisect_right(self.lows, low) - 1
        return low > high or (at >= 0 and high <= self.highs[at])
