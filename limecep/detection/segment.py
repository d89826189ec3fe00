"""A segment of packed events."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from limecep.detection.packing import pack, unpack

if TYPE_CHECKING:
    from limecep.model.event import Event

#: How many parts a segment has at most, before they become one.
MOST_PARTS = 8


class Segment:
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
        packed = pack(events)
        self.parts.append(events if packed is None else packed)
        self.size = sum(sys.getsizeof(part) for part in self.parts)

    def events(self) -> list[Event]:
        """All its events, as objects of their own."""
        return [e for part in self.parts for e in (unpack(part) if isinstance(part, bytes) else part)]
