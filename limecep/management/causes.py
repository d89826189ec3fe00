"""Causes: which of several late events, looked at together, changed a match."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Match


class Causes:
    """Late events, and what each had to do with.

    Args:
        late: The events, in the order of their arrival; at least one.
        negated: The event types that only forbid.
        within: The window, in microseconds.
    """

    def __init__(self, late: Sequence[Event], negated: Container[str], within: int) -> None:
        self._last = late[-1]
        self._several = len(late) > 1
        self._negated = negated
        self._within = within
        self._events = sorted(enumerate(late), key=lambda item: item[1].t_gen)
        self._times = [e.t_gen for _, e in self._events]

    def of(self, match: Match) -> Event:
        """The last to come of those that are in the time of the match and may be its own; else of those in
        the window about its start, where what forbids it, or begins or ends it sooner, is; else of all."""
        if not self._several:
            return self._last
        start = match.start.t_gen
        near = self._between(start, match.end.t_gen)
        near = [n for n in near if n[1].type not in self._negated] or self._between(
            start - self._within, start + self._within
        )
        return max(near, key=lambda item: item[0])[1] if near else self._last

    def of_lost(self, match: Match) -> Event:
        """The same for a match that is no more: the last to come in the window about its start."""
        if not self._several:
            return self._last
        start = match.start.t_gen
        near = self._between(start - self._within, start + self._within)
        return max(near, key=lambda item: item[0])[1] if near else self._last

    def forbids(self, event: Event) -> bool:
        """Whether an event can only forbid."""
        return event.type in self._negated

    def _between(self, low: int, high: int) -> list[tuple[int, Event]]:
        return self._events[bisect_left(self._times, low) : bisect_right(self._times, high)]
