"""Clocks. Whoever needs to know the time is given one; nothing else reads the system's clock."""

from __future__ import annotations

import time
from typing import Protocol, runtime_checkable


class Clock(Protocol):
    """The arrival clock: microseconds since 1970-01-01 UTC."""

    def now(self) -> int:
        """The time now."""


@runtime_checkable
class MovableClock(Clock, Protocol):
    """A clock that stands until it is moved, and never goes back."""

    def advance(self, to: int) -> None:
        """Moves to `to`, in microseconds; stays where it is if that is earlier."""


class SystemClock:
    """The machine's clock, for live input."""

    def now(self) -> int:
        return time.time_ns() // 1000


class ManualClock:
    """A `MovableClock`: the arrival times of a replay, or a test, move it."""

    def __init__(self, start: int = 0) -> None:
        self._now = start

    def now(self) -> int:
        return self._now

    def advance(self, to: int) -> None:
        # Without a call: every late event comes here.
        if to > self._now:
            self._now = to


class Stopwatch:
    """Wall time that passes, in seconds, for reports and bounded waits. Not for deciding anything about
    events."""

    def __init__(self) -> None:
        self._start = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self._start


def pause(seconds: float) -> None:
    """Lets wall time pass, for a replay that is paced. Nothing that decides about events waits."""
    time.sleep(seconds)
