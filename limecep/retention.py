"""Retention: how long events are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.management.event_manager import EventManager
    from limecep.statistics import Statistics
    from limecep.store.store import Store

#: How many windows an event is kept behind the earliest one a policy would still accept: the end events it
#: can touch reach two on, the window of each one back, and rule (c) one more (SEMANTICS 10).
WINDOWS_KEPT = 3


class Retention:
    """Lets go of what nothing can need any more, and of what there is no room for.

    Args:
        store: What is kept.
        managers: The patterns.
        statistics: What their lateness policies decide on.
        time: Microseconds of event time kept, or None: as long as the policies need.
        events: The most events kept.

    Attributes:
        evicted: How many events had to leave for want of room.
    """

    def __init__(
        self,
        store: Store,
        managers: Sequence[EventManager],
        statistics: Statistics,
        *,
        time: int | None,
        events: int,
    ) -> None:
        self.evicted = 0
        self._store = store
        self._managers = managers
        self._statistics = statistics
        self._time = time
        self._events = events

    def apply(self) -> None:
        """Drops what is past keeping, where there is enough of it."""
        store = self._store
        if not store.size:
            return
        needs = [self._kept_from(m) for m in self._managers]
        if None not in needs:
            self._forget(min(n for n in needs if n is not None))
        if store.size > self._events:
            # A tenth at a time, so that the copying is paid for by what comes in between.
            self.evicted += self._forget(store.oldest(self._events * 9 // 10))

    def _forget(self, before: int) -> int:
        gone = self._store.forget(before)
        if gone:
            for manager in self._managers:
                manager.results.forget(before)
        return gone

    def _kept_from(self, manager: EventManager) -> int | None:
        """The `t_gen` from which on a pattern may still need events; None for all."""
        horizon = manager.lateness.horizon(self._statistics)
        needed = None
        if horizon is not None:
            # What waits is still to be evaluated, with what rule (c) needs before it.
            within = manager.plan.within
            needed = min(horizon - WINDOWS_KEPT * within, manager.awaited_from - 2 * within)
        if self._time is None:
            return needed
        kept = self._statistics.lta - self._time
        return kept if needed is None else max(kept, needed)
