"""Packed events: those that nothing asks for unless something comes that is very late."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar

from limecep.detection.past import Unavailable
from limecep.detection.spans import Spans
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.detection.past import Past
    from limecep.detection.spans import Span
    from limecep.model.event import Event

#: How many events there are in a segment.
SEGMENT_EVENTS = 512

#: How many parts a segment has at most, before they become one.
MOST_PARTS = 8

#: Bytes of an id in the set that copies are known by, beside the text itself: a place in a set half full.
_PLACE_BYTES = 32
#: Bytes of a packed event, before one is there to be measured.
GUESSED_BYTES = 160

_time = attrgetter("t_gen")
_ordinal = attrgetter("ordinal")


class _Segment:
    """Events of a range of time, in parts: those that left in order, and those that came late.

    Attributes:
        first, last: The least and the greatest `t_gen`.
        count: How many events there are.
        size: How many bytes they take, their ids aside.
    """

    __slots__ = ("count", "first", "last", "parts", "size")

    def __init__(self, events: list[Event]) -> None:
        self.first = self.last = events[0].t_gen
        self.count = self.size = 0
        # What cannot be packed stays as it is.
        self.parts: list[bytes | list[Event]] = []
        self.add(events)

    def add(self, events: list[Event]) -> None:
        """Puts events, by `t_gen`, into it."""
        self.first = min(self.first, events[0].t_gen)
        self.last = max(self.last, events[-1].t_gen)
        self.count += len(events)
        if len(self.parts) == MOST_PARTS:
            events = self.events() + events
            self.parts = []
        # Most runs never come so far.
        from limecep.detection.packing import pack

        packed = pack(events)
        self.parts.append(events if packed is None else packed)
        self.size = sum(sys.getsizeof(part) for part in self.parts)

    def events(self) -> list[Event]:
        """All its events, as objects of their own."""
        from limecep.detection.packing import unpack

        return [e for part in self.parts for e in (unpack(part) if isinstance(part, bytes) else part)]


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
        self._segments: list[_Segment] = []
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
        for at in range(between, len(events), SEGMENT_EVENTS):
            segment = _Segment(events[at : at + SEGMENT_EVENTS])
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
        begins = self.begins
        older: list[Event] = []
        spans: list[Span] = []
        if needed[0] < begins:
            if self._past is None:
                raise Unavailable("nothing can be read again")
            reach = min(needed[1], begins - 1)
            more = [(low, min(high, begins - 1)) for low, high in others if low < begins]
            read, older = self._past.fetch((needed[0], reach), more, room, batch, at)
            spans += read
        wanted = [needed, *[s for s in others if s[0] >= begins]]
        while len(wanted) > 1 and self._within(Spans(wanted)) > room - len(older):
            wanted = wanted[: len(wanted) // 2]
        own = Spans([(max(low, begins), high) for low, high in wanted])
        return Spans([*spans, *own]), older + self.events(own)

    def events(self, spans: Spans) -> list[Event]:
        """The packed events of some ranges, in the order in which they came."""
        found = {}
        for span in spans:
            for n in range(*self._places(span)):
                if n not in found:
                    found[n] = [e for e in self._segments[n].events() if e.t_gen in spans]
        return sorted((e for events in found.values() for e in events), key=_ordinal)

    def _within(self, spans: Spans) -> int:
        """How many events there are in some ranges, or a few more."""
        numbers = {n for span in spans for n in range(*self._places(span))}
        return sum(self._segments[n].count for n in numbers)

    def _places(self, span: Span) -> tuple[int, int]:
        """Which segments may have events of a range."""
        low, high = span
        return max(0, bisect_left(self._firsts, low) - 1), bisect_right(self._firsts, high)
