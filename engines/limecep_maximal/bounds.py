"""The bounds of one window, and rule (c) of SEMANTICS 7 by a few bisects on the lanes.

A start counts for an interval of end events: from when what could be put before it has left the window, to
its own end of the window. In it each run is completed at the first end event that could close it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any

from limecep_maximal.paths import ALWAYS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Condition
    from limecep.store.lane import Content, Ordering
    from limecep_maximal.paths import Paths
    from limecep_maximal.shape import Shape
    from limecep_maximal.spans import Spans

    #: Whether the last event of a group goes with the first of the next.
    Edge = Callable[[Event, Event], bool]

#: Before every order number.
NEVER = -(1 << 200)

#: Whenever a match starts: the least order number of its start, and the least that is too late.
ANY_START = (NEVER, ALWAYS)

#: A path from its first event on: the place of that event, the rest, and how many there are. Paths share what
#: they have in common. (The rest is a path or None: mypyc takes no tuple type that contains itself.)
Path = tuple[int, Any, int]


def places(path: Path | None) -> Iterator[int]:
    while path is not None:
        yield path[0]
        path = path[1]


def nth(path: Path, n: int) -> int:
    """The place of the n-th event of a path, from 1."""
    for _ in range(n - 1):
        path = path[1]
    return path[0]


def edge(step: int, conditions: Sequence[Condition], size: int) -> Callable[[Event, Event], bool]:
    """Conditions on the last event of a group and the first of the next, a step, as one test."""

    def test(last: Event, first: Event) -> bool:
        groups: list[tuple[Event, ...]] = [()] * size
        groups[step - 1], groups[step] = (last,), (first,)
        return all(c.holds(groups) for c in conditions)

    return test


_NONE: Mapping[int, Any] = {}


class Bounds:
    """One window: where each step can begin, and what an earlier end event completed."""

    __slots__ = (
        "budget",
        "earliest",
        "edges",
        "end_order",
        "ends",
        "first_start",
        "floor",
        "negations",
        "ordering",
        "paths",
        "previous",
        "shape",
        "spans",
        "start_below",
        "start_from",
        "start_may_be_new",
        "steps",
    )

    # Set when a window is opened for an end event.
    floor: int
    end_order: int
    ends: Sequence[int]
    first_start: int
    earliest: list[int]

    def __init__(
        self,
        shape: Shape,
        steps: Sequence[Content],
        negations: Sequence[Content],
        ordering: Ordering,
        paths: Sequence[Paths | None],
        budget: int,
        spans: Mapping[int, Spans] = _NONE,
        edges: Mapping[int, Edge] = _NONE,
        starts: tuple[int, int] = ANY_START,
    ) -> None:
        self.spans = spans
        self.edges = edges
        self.shape = shape
        self.steps = steps
        self.negations = negations
        self.ordering = ordering
        self.paths = paths
        self.budget = budget
        self.start_from, self.start_below = starts
        # Rule (c), see `completed`: the place of the previous end event (-1: nothing is left out), and
        # whether a start may count that did not then.
        self.previous = -1
        self.start_may_be_new = False

    def look_back(self, previous: int, order: int) -> None:
        """Finds what rule (c) has to know of the time since the previous end event."""
        shape = self.shape
        for n in shape.negations[-1]:
            # What an event after the last one forbids is no match, and completes nothing.
            hits = self.negations[n].order
            i = bisect_right(hits, order)
            if i and hits[i - 1] > previous:
                self.previous = -1
                return
        if shape.plain_start:
            return
        # Some start may count now that did not then: what could be put before it, or forbade it, has left the
        # window since.
        floor_then = self.ordering.floor(previous)
        lanes = [self.steps[k].order for k in range(shape.first_mandatory + 1) if shape.precedes[k]]
        lanes += [
            self.negations[n].order for gap in range(shape.first_mandatory + 1) for n in shape.negations[gap]
        ]
        self.start_may_be_new = any(
            bisect_left(numbers, floor_then) < bisect_left(numbers, self.floor) for numbers in lanes
        )

    def before(self, step: int, right: int) -> int:
        """The place of the last end event that could have closed a group of this step, if the next group
        begins at an order number; -1 if there is none."""
        if self.previous < 0 or not self.shape.may_close[step]:
            return -1
        if right == self.end_order:
            return self.previous
        return min(self.previous, bisect_right(self.ends, right) - 1)

    def completed(self, step: int, place: int, last: Callable[[int], int], enough: int) -> int:
        """Rule (c) for a group that nothing need follow but the end event.

        An earlier end event completed the match if the part of it before that event was a match there: if the
        group had enough by then, nothing of a skipped or negated step stood between its last event then and
        that end event, and the start counted there.

        Args:
            step: The group's step.
            place: The last end event to look at.
            last: The order number of the group's last event before an order number.
            enough: That of the event with which the group has enough.

        Returns:
            The floor of the window of the latest such end event: the match is left out if its start counted
            there. `NEVER` if there is none.
        """
        ends, shape = self.ends, self.shape
        hazards = [self.steps[k].order for k in range(step + 1, shape.size - 1)]
        hazards += [
            self.negations[n].order for gap in range(step + 1, shape.size) for n in shape.negations[gap]
        ]
        trailing = [self.negations[n].order for n in shape.negations[-1]]
        while place >= 0 and ends[place] > enough:
            at = ends[place]
            if any(bisect_right(h, at) < bisect_right(h, self.end_order) for h in trailing):
                # What ended there, or earlier, was forbidden since.
                return NEVER
            x = last(at)
            if all(bisect_right(h, x) >= bisect_left(h, at) for h in hazards):
                return self.ordering.floor(at)
            place -= 1
        return NEVER

    def completed_single(self, step: int, place: int, at: int) -> int:
        """`completed` for a group of one event, at an order number."""
        return self.completed(step, place, lambda _: at, at)

    def completed_range(
        self, step: int, place: int, right: int, numbers: Sequence[int], enough: int, stop: int
    ) -> int:
        """`completed` for the range that has enough with the event at a place, and ends before another."""
        if place < 0 or numbers[enough] >= self.ends[place]:
            return NEVER
        if right == self.end_order and (self.shape.closes_plainly or numbers[stop - 1] < self.ends[place]):
            return self.ordering.floor(self.ends[place])
        return self.completed(
            step, place, lambda at: numbers[min(bisect_left(numbers, at), stop) - 1], numbers[enough]
        )

    def completed_path(self, step: int, place: int, numbers: Sequence[int], path: Path, need: int) -> int:
        """`completed` for a path."""
        enough = numbers[nth(path, need)]
        if place < 0 or enough >= self.ends[place]:
            return NEVER
        orders = [numbers[i] for i in places(path)]
        return self.completed(step, place, lambda at: orders[bisect_left(orders, at) - 1], enough)

    def reachable(self, step: int, order: int) -> bool:
        """Finds for every step the earliest event that what must stand before it leaves room for."""
        shape = self.shape
        start = self.first_start = bisect_left(self.steps[0].order, self.floor)
        after = self.floor - 1
        earliest: list[int] = []
        self.earliest = earliest
        for k in range(step + 1):
            earliest.append(after + 1)
            if k == step:
                break
            if shape.optional[k]:
                continue
            numbers = self.steps[k].order
            i = (bisect_right(numbers, after) if k else start) + shape.minimum[k] - 1
            if i >= len(numbers) or numbers[i] >= order:
                return False
            after = numbers[i]
        return True

    def look_behind(self, step: int, order: int) -> None:
        """Finds which starts an event of a negated step after the last one forbids: those not before
        `start_below`."""
        for gap in range(step + 1, self.shape.size + 1):
            for n in self.shape.negations[gap]:
                hits = self.negations[n].order
                i = bisect_right(hits, order)
                if i < len(hits):
                    self.start_below = min(self.start_below, self.ordering.floor(hits[i]))
