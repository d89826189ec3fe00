"""The clock of a test."""

from __future__ import annotations


class VirtualClock:
    """A `limecep.clock.MovableClock` that a test moves, and sets back for the next run."""

    def __init__(self) -> None:
        self._now = 0

    def now(self) -> int:
        return self._now

    def advance(self, to: int) -> None:
        self._now = max(self._now, to)

    def restart(self, at: int) -> None:
        """A run begins at `at`, in microseconds since 1970 UTC."""
        self._now = at
