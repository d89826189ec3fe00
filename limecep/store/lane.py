"""Lanes: the events that one step filter accepts, as flat parallel lists in the order of the sort key.

In-order events are appended. Measured: an append to flat lists is twenty times cheaper than an insertion
into a tree-like list, and a bisection three times; an insertion near the end costs a tenth of a microsecond.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from typing import TYPE_CHECKING

from limecep.model.event import sort_key
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event

#: Room for sequence numbers below the time in an order number.
SEQ_BITS = 64
SEQ_BIAS = 1 << 63

#: How many changes of a lane are always remembered.
LEAST_CHANGES = 1_000

#: Room for what tells events of one time apart below those (see `limecep.store.keyed_lanes.Tied`): the rank
#: of an event, and above it the level of a step.
LEVEL_BITS = 32
TIE_BITS = LEVEL_BITS + 16


class Content:
    """What a lane holds now.

    Ranges point at it, and find what they had by the log of its changes. Trimming a lane gives it a new
    content and leaves the old one to the ranges that still point there, so a range never loses its events.

    Attributes:
        order: Order numbers, ascending: `t_gen`, or `t_gen` and `seq` in one integer (see `Ordering`).
        events: The events, parallel to `order`, by sort key.
        late: The log of changes, in the order they happened: the place of every insertion that was not at
            the end, and `~place` of every removal.
        latecomers: The ordinals of what was inserted, or removed, there: parallel to `late`.
        gone: The events that were removed, by the number of the change.
        revised: Whether events may leave from between others: the ends of a range then do not say what it
            has.
    """

    __slots__ = ("events", "gone", "late", "latecomers", "order", "revised")

    def __init__(self, order: list[int], events: list[Event], *, revised: bool = False) -> None:
        self.order = order
        self.events = events
        self.revised = revised
        self.late: list[int] = []
        self.latecomers: list[int] = []
        self.gone: dict[int, Event] = {}

    def remove(self, at: int) -> None:
        """Takes out the event at a place. Ranges made before keep it, by the log."""
        event = self.events[at]
        del self.order[at]
        del self.events[at]
        self.gone[len(self.late)] = event
        self.late.append(~at)
        self.latecomers.append(event.ordinal)

    def restore(self, number: int) -> None:
        """Undoes the last change, which removed an event with an order number. Ranges made since mean nothing
        until it is removed again."""
        at = ~self.late.pop()
        self.latecomers.pop()
        self.order.insert(at, number)
        self.events.insert(at, self.gone.pop(len(self.late)))

    def moved(self, start: int, stop: int, version: int, until: int) -> tuple[int, int, int, list[Event]]:
        """Where the events from a place to another (not included) stand some changes later.

        Args:
            start, stop: The places.
            version: How many changes there had been then.
            until: How many there are to have been.

        Returns:
            The places of those that are still there, between which others may have come; the ordinal of the
            first that came anywhere, FOREVER if none did; and those that were removed.
        """
        lost: list[Event] = []
        late, ordinals = self.late, self.latecomers
        # All that came since came after what was there.
        stranger = FOREVER
        for number in range(version, until):
            place = late[number]
            if place >= 0:
                if stranger == FOREVER:
                    stranger = ordinals[number]
                if place < stop:
                    stop += 1
                    if place <= start:
                        start += 1
            elif ~place < stop:
                stop -= 1
                if ~place < start:
                    start -= 1
                elif ordinals[number] < stranger:
                    lost.append(self.gone[number])
        return start, stop, stranger, lost

    def there(self, start: int, stop: int, version: int) -> list[Event]:
        """The events that stood from a place to another (not included) before the last changes, in order."""
        start, stop, stranger, lost = self.moved(start, stop, version, len(self.late))
        found = [e for e in self.events[start:stop] if e.ordinal < stranger]
        for event in lost:
            insort(found, event, key=sort_key)
        return found

    def renewed(self) -> Content:
        """The same events, with a log that is begun anew."""
        return Content(self.order.copy(), self.events.copy(), revised=self.revised)


class Ordering:
    """Precedence as one integer (SEMANTICS 1): `t_gen` alone, or with `seq` below it; and with more below
    that where events of one time may follow each other.

    Sequence numbers are from -2**63 to 2**63 - 1.

    Args:
        within: The window, in microseconds.
        sequenced: Whether there are sequence numbers.
        tied: Whether steps of an AND may take events of one time. An event then has a number of its own in
            the lane of each step.
        revised: Whether events may leave from between others.
    """

    __slots__ = ("revised", "sequenced", "shift", "tied", "within")

    def __init__(
        self, within: int, *, sequenced: bool = False, tied: bool = False, revised: bool = False
    ) -> None:
        self.revised = revised
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
    """A sorted set of events. Whoever adds to it has checked that the event is new.

    Args:
        revised: Whether events may leave from between others.
    """

    __slots__ = ("content",)

    def __init__(self, *, revised: bool = False) -> None:
        self.content = Content([], [], revised=revised)

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

    def trim(self, before: int) -> list[Event]:
        """Drops events with order numbers below `before`; gives the events dropped. What stays is copied."""
        content = self.content
        cut = bisect_left(content.order, before)
        if not cut:
            return []
        self.content = Content(content.order[cut:], content.events[cut:], revised=content.revised)
        return content.events[:cut]

    def tidy(self) -> None:
        """Begins the log of changes anew where it is longer than what is copied for that: it holds what was
        removed."""
        content = self.content
        if len(content.late) > len(content.events) + LEAST_CHANGES:
            self.content = content.renewed()

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
        self.content = Content(
            order + content.order[cut:], events + content.events[cut:], revised=content.revised
        )

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
