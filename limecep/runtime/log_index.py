"""An index of a log by event time: which of its messages to decode for the events of a range."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.detection.spans import Spans

#: How many units a shelf has, and how many messages at most.
SHELF_UNITS = 256
SHELF_MESSAGES = 60_000


class Unit(NamedTuple):
    """A few messages that can be decoded by themselves.

    Attributes:
        begin: How many messages are before them in the log.
        size: How many they are.
        reached: The latest arrival time before them.
    """

    begin: int
    size: int
    reached: int


class Shelf:
    """The units of one stretch of a log.

    In a log in order of time, a unit is one range of times; an event that is late is a range of its own. So
    what happened in a range of time is found to the unit, however late some of it came.

    Args:
        first: The first of them, which is to be added.
    """

    def __init__(self, first: Unit) -> None:
        self._begin = first.begin
        self._reached = first.reached
        self._size = 0
        # By unit: how many messages of the shelf are before it, and the latest arrival time then.
        self._begins = array("H")
        self._reaches = array("q")
        # By range, in order: its first and its last time, and the unit.
        self._firsts = array("q")
        self._lasts = array("q")
        self._owners = array("H")
        # The times of all events and the unit of each, until the shelf is full; and how many are in ranges.
        self._times = array("q")
        self._units = array("H")
        self._sorted = 0
        self._thin = False

    @property
    def full(self) -> bool:
        """Whether it has as many units as it may have."""
        return len(self._begins) >= SHELF_UNITS or self._size >= SHELF_MESSAGES

    @property
    def bytes(self) -> int:
        """How much memory it takes, but for a constant."""
        held = (self._begins, self._reaches, self._firsts, self._lasts, self._owners)
        return sum(a.itemsize * len(a) for a in held)

    def add(self, unit: Unit, times: Sequence[int]) -> None:
        """Adds a unit, and the `t_gen` of its events."""
        number = len(self._begins)
        self._begins.append(self._size)
        self._reaches.append(unit.reached)
        self._size += unit.size
        self._times.extend(times)
        self._units.extend([number] * len(times))

    def units(self, spans: Spans) -> list[int]:
        """The numbers of the units that have events in some ranges, in order."""
        if self._sorted < len(self._times):
            self._sort()
        firsts, lasts = self._firsts, self._lasts
        if not firsts or lasts[-1] < spans.hull[0] or firsts[0] > spans.hull[1]:
            return []
        found = set()
        for low, high in spans:
            i = bisect_left(lasts, low)
            while i < len(firsts) and firsts[i] <= high:
                found.add(self._owners[i])
                i += 1
        return sorted(found)

    def unit(self, number: int) -> Unit:
        """A unit."""
        if self._thin:
            return Unit(self._begin, self._size, self._reached)
        begin = self._begins[number]
        end = self._begins[number + 1] if number + 1 < len(self._begins) else self._size
        return Unit(self._begin + begin, end - begin, self._reaches[number])

    def close(self) -> None:
        """Nothing is added any more."""
        self._sort()
        self._times, self._units, self._sorted = array("q"), array("H"), 0

    def thin(self) -> None:
        """Makes one unit of all: less is known, and less memory taken."""
        self._firsts, self._lasts = self._firsts[:1], self._lasts[-1:]
        self._owners = self._owners[:1]
        self._begins, self._reaches = array("H"), array("q")
        self._thin = True

    def _sort(self) -> None:
        self._firsts, self._lasts, self._owners = array("q"), array("q"), array("H")
        before = -1
        for t, unit in sorted(zip(self._times, self._units, strict=True)):
            if unit == before:
                self._lasts[-1] = t
            else:
                self._firsts.append(t)
                self._lasts.append(t)
                self._owners.append(unit)
                before = unit
        self._sorted = len(self._times)


class IndexRoom:
    """Memory for the indexes of all logs: where it is full, the oldest shelves are made thin.

    Args:
        most: How many bytes they may take.
    """

    def __init__(self, most: int) -> None:
        self._left = most
        self._shelves: deque[Shelf] = deque()

    def take(self, shelf: Shelf) -> None:
        """A shelf is full."""
        shelf.close()
        self._shelves.append(shelf)
        self._left -= shelf.bytes
        while self._left < 0:
            oldest = self._shelves.popleft()
            self._left += oldest.bytes
            oldest.thin()


class LogIndex:
    """The index of one log.

    Args:
        room: Memory for it.
    """

    def __init__(self, room: IndexRoom) -> None:
        self._room = room
        self._shelves: list[Shelf] = []

    def add(self, unit: Unit, times: Sequence[int]) -> None:
        """Adds the next unit, and the `t_gen` of its events."""
        if not self._shelves or self._shelves[-1].full:
            if self._shelves:
                self._room.take(self._shelves[-1])
            self._shelves.append(Shelf(unit))
        self._shelves[-1].add(unit, times)

    def units(self, spans: Spans) -> Iterator[Unit]:
        """The units that have events in some ranges, in the order of the log."""
        for shelf in self._shelves:
            for number in shelf.units(spans):
                yield shelf.unit(number)
