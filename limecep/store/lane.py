"""Lanes: the events that one step filter accepts, as flat parallel lists in the order of the sort key.

In-order events are appended. Measured: an append to flat lists is twenty times cheaper than an insertion
into a tree-like list, and a bisection three times; an insertion near the end costs a tenth of a microsecond.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event

#: Room for sequence numbers below the time in an order number.
SEQ_BITS = 64
SEQ_BIAS = 1 << 63

#: Room for what tells events of one time apart below those (see `limecep.store.keyed_lanes.Tied`): the rank
#: of an event, and above it the level of a step.
LEVEL_BITS = 32
TIE_BITS = LEVEL_BITS + 16


class Content:
    """What a lane holds now.

    Ranges point at it. Trimming a lane gives it a new content and leaves the old one to the ranges that still
    point there, so a range never loses its events.

    Attributes:
        order: Order numbers, ascending: `t_gen`, or `t_gen` and `seq` in one integer (see `Ordering`).
        events: The events, parallel to `order`, by sort key.
        late: The place of every insertion that was not at the end, in the order they happened.
        latecomers: The ordinal of what was inserted there, parallel to `late`.
    """

    __slots__ = ("events", "late", "latecomers", "order")

    def __init__(self, order: list[int], events: list[Event]) -> None:
        self.order = order
        self.events = events
        self.late: list[int] = []
        self.latecomers: list[int] = []


class Ordering:
    """Precedence as one integer (SEMANTICS 1): `t_gen` alone, or with `seq` below it; and with more below
    that where events of one time may follow each other.

    Sequence numbers are from -2**63 to 2**63 - 1.

    Args:
        within: The window, in microseconds.
        sequenced: Whether there are sequence numbers.
        tied: Whether steps of an AND may take events of one time. An event then has a number of its own in
            the lane of each step.
    """

    __slots__ = ("sequenced", "shift", "tied", "within")

    def __init__(self, within: int, *, sequenced: bool = False, tied: bool = False) -> None:
        self.within = within
        self.sequenced = sequenced
        self.tied = tied
        #: How many bits there are below the time.
        self.shift = SEQ_BITS * sequenced + TIE_BITS * tied

    def of(self, event: Event) -> int:
        """The order number of an event; where `tied`, the least that one of its time has in any lane."""
        order = event.t_gen
        if self.sequenced:
            order = (order << SEQ_BITS) + event.seq + SEQ_BIAS
        return order << TIE_BITS if self.tied else order

    def latest(self, event: Event) -> int:
        """The order number of an event; where `tied`, the greatest that one of its time has in any lane."""
        return self.of(event) + (1 << TIE_BITS) - 1 if self.tied else self.of(event)

    def floor(self, order: int) -> int:
        """The least order number within the window that ends at `order`."""
        if self.shift:
            return ((order >> self.shift) - self.within) << self.shift
        return order - self.within

    def ceiling(self, order: int) -> int:
        """The greatest order number within the window that starts at `order`."""
        if self.shift:
            return (((order >> self.shift) + self.within + 1) << self.shift) - 1
        return order + self.within

    def between(self, low: int, high: int) -> tuple[int, int]:
        """The least and the greatest order number of a range of `t_gen`, both ends included."""
        if self.shift:
            return low << self.shift, ((high + 1) << self.shift) - 1
        return low, high


def numbers_in(content: Content, events: Sequence[Event], ordering: Ordering) -> list[int]:
    """The order numbers that events have in a lane they stand in, in order."""
    if not ordering.tied or not events:
        return [ordering.of(e) for e in events]
    found = []
    place = bisect_left(content.order, ordering.of(events[0]))
    for event in events:
        while content.events[place] is not event:
            place += 1
        found.append(content.order[place])
        place += 1
    return found


class Lane:
    """A sorted set of events. Whoever adds to it has checked that the event is new."""

    __slots__ = ("content",)

    def __init__(self) -> None:
        self.content = Content([], [])

    def __len__(self) -> int:
        return len(self.content.events)

    def add(self, order: int, event: Event) -> bool:
        """Puts an event where it belongs; says whether that was the end."""
        content = self.content
        numbers = content.order
        if not numbers or order > numbers[-1]:
            numbers.append(order)
            content.events.append(event)
            return True
        events = content.events
        low = bisect_left(numbers, order)
        if numbers[low] == order:
            high = bisect_right(numbers, order, low)
            key = sort_key(event)
            while low < high and sort_key(events[low]) < key:
                low += 1
        at_end = low == len(numbers)
        numbers.insert(low, order)
        events.insert(low, event)
        if not at_end:
            content.late.append(low)
            content.latecomers.append(event.ordinal)
        return at_end

    def remove(self, order: int, event: Event) -> None:
        """Takes an event out again. Ranges made before keep it."""
        i = self.place(order, event)
        content = self.content
        self.content = Content(
            content.order[:i] + content.order[i + 1 :], content.events[:i] + content.events[i + 1 :]
        )

    def trim(self, before: int) -> list[Event]:
        """Drops events with order numbers below `before`; gives the events dropped. What stays is copied."""
        content = self.content
        cut = bisect_left(content.order, before)
        if not cut:
            return []
        self.content = Content(content.order[cut:], content.events[cut:])
        return content.events[:cut]

    def put_back(self, restored: list[tuple[int, Event]]) -> None:
        """Puts events with their order numbers where they belong, all at once: most are older than all that
        is there."""
        content = self.content
        cut = bisect_right(content.order, max(order for order, _ in restored))
        put = [*restored, *zip(content.order[:cut], content.events[:cut], strict=True)]
        put.sort(key=_order)
        order = [order for order, _ in put]
        if len({*order}) < len(order):
            put.sort(key=lambda pair: (pair[0], sort_key(pair[1])))
        events = [event for _, event in put]
        self.content = Content(order + content.order[cut:], events + content.events[cut:])

    def place(self, order: int, event: Event) -> int:
        """The index of an event that is in the lane, given what `Ordering.of` says of it.

        Raises:
            KeyError: It is not there.
        """
        content = self.content
        events = content.events
        for i in range(bisect_left(content.order, order), len(events)):
            if events[i] is event:
                return i
            if events[i].t_gen != event.t_gen:
                break
        raise KeyError(event.id)


def _order(pair: tuple[int, Event]) -> int:
    return pair[0]
