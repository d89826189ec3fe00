"""Causes: which of several late events, looked at together, changed a match."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.update import CauseKind

    Cause = tuple[CauseKind, Event | None]


class Why(Protocol):
    """Why matches came, and went."""

    def found(self, match: Match) -> Cause:
        """Why a match goes out, or is corrected."""

    def lost(self, match: Match) -> Cause:
        """Why a match is taken back."""


class InOrder(NamedTuple):
    """One cause for all; without an event, what came in order is its own."""

    kind: CauseKind
    event: Event | None

    def found(self, match: Match) -> Cause:
        return self.kind, match.end if self.event is None and self.kind == "in_order" else self.event

    def lost(self, match: Match) -> Cause:
        return self.kind, self.event


class Causes:
    """Late events, and what each had to do with.

    Args:
        late: The events, in the order of their arrival; at least one.
        negated: The event types that only forbid.
        within: The window, in microseconds.
    """

    def __init__(self, late: Sequence[Event], negated: Container[str], within: int) -> None:
        self._late = late
        self._negated = negated
        self._within = within

    def found(self, match: Match) -> Cause:
        event = self._of(match)
        return "negation" if self._forbids(event) else "late_event", event

    def lost(self, match: Match) -> Cause:
        event = self._of_lost(match)
        return "negation" if self._forbids(event) else "next_match", event

    def _of(self, match: Match) -> Event:
        """The last to come of those that are in the time of the match and may be its own; else of those in
        the window about its start, where what forbids it, or begins or ends it sooner, is; else of all."""
        if len(self._late) == 1:
            return self._late[0]
        start = match.start.t_gen
        near = self._between(start, match.end.t_gen)
        near = [n for n in near if n[1].type not in self._negated] or self._between(
            start - self._within, start + self._within
        )
        return max(near, key=lambda item: item[0])[1] if near else self._late[-1]

    def _of_lost(self, match: Match) -> Event:
        """The same for a match that is no more: the last to come in the window about its start."""
        if len(self._late) == 1:
            return self._late[0]
        start = match.start.t_gen
        near = self._between(start - self._within, start + self._within)
        return max(near, key=lambda item: item[0])[1] if near else self._late[-1]

    def _forbids(self, event: Event) -> bool:
        """Whether an event can only forbid."""
        return event.type in self._negated

    @cached_property
    def _events(self) -> list[tuple[int, Event]]:
        """By time, each with its place in the order of arrival."""
        return sorted(enumerate(self._late), key=lambda item: item[1].t_gen)

    @cached_property
    def _times(self) -> list[int]:
        return [e.t_gen for _, e in self._events]

    def _between(self, low: int, high: int) -> list[tuple[int, Event]]:
        return self._events[bisect_left(self._times, low) : bisect_right(self._times, high)]
