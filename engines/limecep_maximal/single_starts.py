"""The matches of the shape of `single_ends`, by their start: what a late event changes.

Where no step but the last but one takes several events, every group follows from the one before. So a start
has one match at most, and a late event changes the matches of those starts alone whose way it crosses.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.model.match import Match, Range
from limecep_maximal.bounds import NEVER
from limecep_maximal.chains import leading_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.plan.plan import Alternative
    from limecep.store.lane import Content, Ordering
    from limecep.store.view import View
    from limecep_maximal.chains import Span
    from limecep_maximal.shape import Shape

    #: What the steps hold, and the order numbers of some starts.
    Changed = tuple[list[Content], int, int]

#: Order numbers that none has.
NO_STARTS = (0, 0)

#: What is said of an event that changes no match.
NOTHING: tuple[list[Match], None] = ([], None)


class SingleStarts:
    """An alternative whose groups follow from the start.

    Args:
        alternative: The alternative.
        number: Its place in the plan.
        shape: Its shape: a plain one with no group of several events before the last but one.
        budget: How many matches an end event may have.
    """

    def __init__(self, alternative: Alternative, number: int, shape: Shape, budget: int) -> None:
        self._alternative = alternative
        self._number = number
        self._budget = budget
        self._need = shape.minimum
        self._last = shape.size - 1
        #: The step that takes several events; -1 if none does.
        self._kleene = shape.kleene.index(True) if any(shape.kleene) else -1
        filters = [s.filter for s in alternative.steps]
        #: The steps that may take a type, each with what it asks of an event.
        self.takers = {
            t: [(k, f.accepts) for k, f in enumerate(filters) if t in f.types]
            for t in {t for f in filters for t in f.types}
        }

    def going(self, event: Event, view: View) -> tuple[list[Match], Changed | None] | None:
        """The matches that an event may change that is about to enter, and the starts whose matches it may
        change, if there are any. None where that is not known, or where an end event may have more matches
        than are given."""
        ordering = view.ordering
        if not ordering.shift:
            # What the calls would do: every late event comes through here.
            order = event.t_gen
            floor = order - ordering.within
        elif ordering.tied:
            return None
        else:
            order = ordering.of(event)
            floor = ordering.floor(order)
        steps = [lane.content for lane in view.steps[self._number]]
        low, high = NO_STARTS
        for step, accepts in self.takers.get(event.type, ()):
            if accepts is None or accepts(event):
                first, stop = self._crossed(steps, step, order) if step else (order, order + 1)
                if first < floor:
                    first = floor
                if first < stop:
                    low, high = (min(first, low), max(stop, high)) if low < high else (first, stop)
        if low >= high:
            return NOTHING
        starts = steps[0].order
        first = bisect_left(starts, low)
        stop = bisect_left(starts, high, first)
        if first == stop and high <= order:
            # Nor does it start anything itself.
            return NOTHING
        if len(starts) >= self._budget:
            last = bisect_right(starts, ordering.ceiling(order))
            if last - bisect_left(starts, floor) >= self._budget:
                return None
        return (self._between(steps, ordering, first, stop) if first < stop else []), (steps, low, high)

    def coming(self, view: View, changed: Changed) -> list[Match]:
        """The matches of such starts, the event being there."""
        steps, low, high = changed
        first = bisect_left(steps[0].order, low)
        stop = bisect_left(steps[0].order, high, first)
        return self._between(steps, view.ordering, first, stop)

    def _crossed(self, steps: Sequence[Content], step: int, order: int) -> Span:
        """The order numbers of the starts from which the way leads through an event of another step with an
        order number, once it is there."""
        # What stands before it, and led on to the event after it until now.
        numbers = steps[step].order
        place = bisect_left(numbers, order)
        if step == self._kleene:
            # Also the groups that it joins.
            ends = steps[self._last].order
            closed = bisect_right(ends, order)
            place = bisect_left(numbers, ends[closed - 1], 0, place) if closed else 0
            place = max(0, place - self._need[step] + 1)
        low, high = numbers[place - 1] if place else NEVER, order
        for k in range(step - 1, 0, -1):
            before = leading_to(steps[k].order, self._need[k], low, high)
            if before is None:
                return NO_STARTS
            low, high = before
        return low, high

    def _between(self, steps: Sequence[Content], ordering: Ordering, first: int, stop: int) -> list[Match]:
        """The matches of the starts from one place to another (not included), by the start."""
        found: list[Match] = []
        numbers = steps[0].order
        alternative, events = self._alternative, steps[0].events
        following = steps[1].order
        place = 0
        led: tuple[int, tuple[Group, ...]] | None = None
        groups: tuple[Group, ...] = ()
        i = first
        while i < stop:
            at = numbers[i]
            # Most starts lead on to what the one before them does.
            if led is None or following[place] <= at:
                place = bisect_right(following, at, place)
                led = self._led(steps, place) if place < len(following) else None
                if led is None:
                    # Nor has what starts later an end event yet.
                    break
                end, groups = led
                if at < (floor := ordering.floor(end)):
                    # Nor does what starts after it, and before that, end any sooner.
                    i = bisect_left(numbers, floor, i, stop)
                    continue
            found.append(Match(alternative, ((events[i],), *groups)))
            i += 1
        return found

    def _led(self, steps: Sequence[Content], place: int) -> tuple[int, tuple[Group, ...]] | None:
        """The order number of the end event and all groups but the first, where the second begins at a place;
        None where no end event closes them yet."""
        groups: list[Group] = []
        for k in range(1, self._last):
            content, following = steps[k], steps[k + 1].order
            if k != self._kleene:
                groups.append((content.events[place],))
                place = bisect_right(following, content.order[place])
                if place == len(following):
                    return None
                continue
            enough = place + self._need[k] - 1
            if enough >= len(content.order):
                return None
            end = bisect_right(following, content.order[enough])
            if end == len(following):
                return None
            stop = bisect_left(content.order, following[end], enough)
            groups.append(Range(content, place, stop, len(content.late)))
            place = end
        ends = steps[self._last]
        groups.append((ends.events[place],))
        return ends.order[place], tuple(groups)
