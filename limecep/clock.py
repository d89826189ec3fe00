"""Clocks. Whoever needs to know the time is given one; nothing else reads the system's clock."""

from __future__ import annotations

import time
from typing import Protocol, runtime_checkable

#: Goes on while the machine sleeps, where the system has such a clock. Windows has no choice of them: None.
_PASSING = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


class Clock(Protocol):
    """The arrival clock: microseconds since 1970-01-01 UTC."""

    def now(self) -> int:
        """The time now."""


@runtime_checkable
class MovableClock(Clock, Protocol):
    """A clock that stands until it is moved, and never goes back."""

    def advance(self, to: int) -> None:
        """Moves to `to`, in microseconds; stays where it is if that is earlier."""


@runtime_checkable
class SettableClock(Clock, Protocol):
    """A clock that somebody may set while it runs, such as a machine's."""

    def passed(self) -> int:
        """Microseconds since some moment, which go on as they do however the clock is set."""


class SystemClock:
    """The machine's clock, for live input: a `SettableClock`."""

    def now(self) -> int:
        return time.time_ns() // 1000

    def passed(self) -> int:
        return (time.monotonic_ns() if _PASSING is None else time.clock_gettime_ns(_PASSING)) // 1000


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
