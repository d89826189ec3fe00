"""The end of a run: when it is asked for, and when what still goes on is cut off."""

from __future__ import annotations

import math
from threading import get_ident
from typing import TYPE_CHECKING

from limecep.clock import Stopwatch
from limecep.errors import Stopped

if TYPE_CHECKING:
    from collections.abc import Callable

#: How long a run may go on once it is asked to end, in seconds: to finish a batch, and what waits for slack.
GRACE_SECONDS = 0.8
#: How long what was found may still take to reach the sinks after that, in seconds.
PARTING_SECONDS = 0.4
#: How long after the beginning of a run the time that it is given begins at the latest, in seconds: a broker
#: may be away.
CONNECTING_SECONDS = 30.0


class RunEnd:
    """Knows whether a run is to end: because it is asked to, or because its time is up.

    Args:
        grace: How long it may go on then, in seconds.

    Attributes:
        stop: Says whether the run is asked to end.
    """

    def __init__(self, grace: float = GRACE_SECONDS) -> None:
        self.stop: Callable[[], bool] = lambda: False
        self._given = math.inf
        self._asking: int | None = None
        self._begun = Stopwatch()
        self._running: Stopwatch | None = None
        self._since: Stopwatch | None = None
        self._grace = grace

    def give(self, seconds: float | None) -> None:
        """The run is given so much time, from `start` on; None for any. From now on this thread alone asks
        whether it is to end; others are told."""
        self._asking, self._begun = get_ident(), Stopwatch()
        self._given = math.inf if seconds is None else seconds

    @property
    def impatient(self) -> bool:
        """Whether that time is to begin although not all sources are connected."""
        return self._given < math.inf and self._begun.seconds >= CONNECTING_SECONDS

    def start(self) -> None:
        """The time that the run is given begins now."""
        self._running = Stopwatch()

    @property
    def left(self) -> float:
        """Seconds of that time that are left; below 0 once it is up."""
        return self._given if self._running is None else self._given - self._running.seconds

    def asked(self) -> bool:
        """Whether the run is to end. Once it is, it stays so."""
        if self._since is None and self._asking in (None, get_ident()) and (self.left <= 0 or self.stop()):
            self._since = Stopwatch()
        return self._since is not None

    def check(self, undone: str = "") -> None:
        """Raises Stopped if the run was asked to end longer ago than it may still go on.

        Args:
            undone: What is then left undone, in words for the user.
        """
        if self.asked() and self._since is not None and self._since.seconds > self._grace:
            raise Stopped(undone)

    def part(self) -> None:
        """From now on what was found may still go out, and nothing else be done."""
        self.asked()
        self._grace = PARTING_SECONDS + (0.0 if self._since is None else self._since.seconds)
