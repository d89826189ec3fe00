"""Causes: which of several late events, looked at together, changed a match."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.model.event import DerivedEvent

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.update import CauseKind
    from limecep.patterns.why import Cause


class Causes:
    """Late events, and what each had to do with.

    Args:
        late: The events, in the order of their arrival; at least one.
        waiting: The ordinals of end events of which nothing was said before.
        negated: The event types that only forbid.
        within: The window, in microseconds.
        left: The ordinals of those events that have left.
        revised: The ordinals of those that took the place of another, and of these.
    """

    def __init__(
        self,
        late: Sequence[Event],
        waiting: Container[int],
        negated: Container[str],
        within: int,
        left: Container[int] = frozenset(),
        revised: Container[int] = frozenset(),
    ) -> None:
        self._left = left
        self._revised = revised
        self._late = late
        self._waiting = waiting
        self._negated = negated
        self._within = within
        self._all: _Latest | None = None
        self._own: _Latest | None = None

    def found(self, match: Match) -> Cause:
        end = match.end
        if end.ordinal in self._waiting:
            return self._waited(match, end)
        event = self._of(match)
        return self._kind(event) or "late_event", event

    def lost(self, match: Match) -> Cause:
        event = self._of_lost(match)
        return self._kind(event) or "next_match", event

    def _waited(self, match: Match, end: Event) -> Cause:
        """A match is there with the last to come of its events, and is late if its end was there before."""
        since = [e for e in self._late if e.ordinal > end.ordinal]
        own = {e.ordinal for group in match.groups for e in group} if since else ()
        event = next((e for e in reversed(since) if e.ordinal in own), None)
        if event is None:
            return "in_order", end
        return "derived" if isinstance(event, DerivedEvent) else "late_event", event

    def _of(self, match: Match) -> Event:
        """The last to come of those that are in the time of the match and may be its own; else of those in
        the window about its start, where what forbids it, or begins or ends it sooner, is; else of all."""
        late = self._late
        if len(late) == 1:
            return late[0]
        start = match.start.t_gen
        if self._own is None:
            self._own = _Latest([e for e in late if e.type not in self._negated])
        return self._own.last(start, match.end.t_gen) or self._about(start)

    def _of_lost(self, match: Match) -> Event:
        """The same for a match that is no more: the last to come in the window about its start."""
        return self._late[0] if len(self._late) == 1 else self._about(match.start.t_gen)

    def _about(self, start: int) -> Event:
        if self._all is None:
            self._all = _Latest(self._late)
        return self._all.last(start - self._within, start + self._within) or self._late[-1]

    def _kind(self, event: Event) -> CauseKind | None:
        """How an event changed a match, where that is told by itself: of what only forbids, of what was taken
        back, and of what is derived, which is not late."""
        if event.ordinal in self._revised:
            return "revision"
        if event.ordinal in self._left:
            return "withdrawal"
        if event.type in self._negated:
            return "negation"
        return "derived" if isinstance(event, DerivedEvent) else None


class _Latest:
    """Which of some events, in the order of their arrival, came last of those of a range of time."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._places = sorted(range(len(events)), key=lambda i: events[i].t_gen)
        self._times = [events[i].t_gen for i in self._places]

    def last(self, low: int, high: int) -> Event | None:
        places = self._places[bisect_left(self._times, low) : bisect_right(self._times, high)]
        return self._events[max(places)] if places else None
