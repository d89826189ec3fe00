"""Packed events: those that nothing asks for unless something comes that is very late."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar

from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.detection.past import Past
    from limecep.detection.segment import Segment
    from limecep.detection.spans import Span, Spans
    from limecep.model.event import Event

#: How many events there are in a segment.
SEGMENT_EVENTS = 512

#: Bytes of an id in the set that copies are known by, beside the text itself: a place in a set half full.
_PLACE_BYTES = 32
#: Bytes of a packed event, before one is there to be measured.
GUESSED_BYTES = 160

_time = attrgetter("t_gen")


class Packed:
    """A `Past` that has the events which left the sorted sets last, and asks another one for older ones.

    Their ids are still known where they were stored.

    Args:
        past: Where older events may be had from; None if nowhere.

    Attributes:
        begins: The `t_gen` from which on it has every event that entered and is not in the sorted sets.
        count: How many events it has.
    """

    #: The events are restored; what they take follows from them.
    transient: ClassVar[frozenset[str]] = frozenset({"count", "segments", "firsts", "until", "ids"})

    def __init__(self, past: Past | None) -> None:
        self.begins = -FOREVER
        self.count = 0
        self._past = past
        # In order of time: an event that comes late goes into the last one that begins no later.
        self._segments: list[Segment] = []
        self._firsts: list[int] = []
        # All that is no earlier is in none of them.
        self._until = -FOREVER
        # How many bytes an id takes.
        self._ids = 0

    @property
    def possible(self) -> bool:
        """Whether there is anything to read what is older from."""
        return self._past is not None and self._past.possible

    @property
    def per_event(self) -> float:
        """About how many bytes an event takes, with its id."""
        if not self.count:
            return GUESSED_BYTES
        return sum(s.size for s in self._segments) / self.count + self._ids

    # -- what comes and goes -------------------------------------------------------------------------------

    def put(self, events: Sequence[Event], until: int) -> None:
        """Takes events that leave the sorted sets: with those that left before, all before a `t_gen`."""
        events = sorted((e for e in events if e.t_gen >= self.begins), key=_time)
        between = bisect_left(events, self._until, key=_time) if self._segments else 0
        self._put_late(events[:between])
        self._until = max(self._until, until)
        # Most runs never come so far.
        from limecep.detection.segment import Segment

        for at in range(between, len(events), SEGMENT_EVENTS):
            segment = Segment(events[at : at + SEGMENT_EVENTS])
            self._segments.append(segment)
            self._firsts.append(segment.first)
        self.count += len(events)
        if events:
            self._ids = (sys.getsizeof(events[-1].id) + 15 & -16) + _PLACE_BYTES

    def _put_late(self, events: list[Event]) -> None:
        at = 0
        while at < len(events):
            n = max(0, bisect_right(self._firsts, events[at].t_gen) - 1)
            after = self._firsts[n + 1] if n + 1 < len(self._firsts) else FOREVER
            stop = max(at + 1, bisect_left(events, after, key=_time))
            self._segments[n].add(events[at:stop])
            self._firsts[n] = self._segments[n].first
            at = stop

    def before(self, before: int) -> int:
        """How many events `forget` would let go."""
        return sum(s.count for s in self._segments[: self._cut(before)])

    def oldest(self, keep: int) -> int:
        """The earliest `t_gen` for which `forget` leaves no more than `keep` events."""
        for n in range(len(self._segments), 0, -1):
            keep -= self._segments[n - 1].count
            if keep < 0:
                return self._firsts[n] if n < len(self._firsts) else self._until
        return self.begins

    def forget(self, before: int) -> list[Event]:
        """Lets go of the segments with nothing but events before a `t_gen`; gives these events."""
        cut = self._cut(before)
        gone = self._segments[:cut]
        self._segments, self._firsts = self._segments[cut:], self._firsts[cut:]
        self.count -= sum(s.count for s in gone)
        if not self._segments:
            self.begins = max(self.begins, before)
        elif gone:
            self.begins = max(self.begins, *[s.last + 1 for s in gone])
        return [e for s in gone for e in s.events()]

    def _cut(self, before: int) -> int:
        """How many of the segments have nothing but events before a `t_gen`."""
        if before >= self._until:
            return len(self._segments)
        cut = max(0, bisect_right(self._firsts, before) - 1)
        # Events of one time may stand in several.
        while cut and self._segments[cut - 1].last >= before:
            cut -= 1
        return cut

    # -- as a past -----------------------------------------------------------------------------------------

    def fetch(
        self, needed: Span, others: Sequence[Span], room: int, batch: Sequence[Event], at: int
    ) -> tuple[Spans, list[Event]]:
        """As of `Past`. What another one gives is older than what is packed."""
        # Most runs bring nothing back.
        from limecep.detection.unpacking import fetch

        return fetch(self._past, self.begins, self._segments, self._firsts, needed, others, room, batch, at)
