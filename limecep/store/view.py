"""Views: what an engine sees of the store for one pattern and one key."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.store.lane import Lane, Ordering


class View:
    """The lanes of one pattern's steps, for one value of PARTITION BY.

    It holds every event the pattern accepted, reaching back far enough from any end event that is evaluated,
    and also what is later than it: an engine bounds what it reads. Events refused by the pattern never stand
    in it.

    Attributes:
        steps: For each alternative, a lane for each positive step. Of two events in the lanes of an
            alternative the one precedes the other iff its order number there is smaller. (Steps of an AND may
            take events of one time, so an event may have another number in each lane.)
        negations: For each alternative, a lane for each negated step.
        ordering: Precedence and the window, in the order numbers of the lanes.
        stream: Under strict contiguity every event of the key, of whatever type; else None.
        memo: Whatever an engine derives; emptied by the kernel whenever the past of the view changes.
    """

    __slots__ = ("_begins", "_lanes", "memo", "negations", "ordering", "steps", "stream")

    def __init__(
        self,
        steps: tuple[tuple[Lane, ...], ...],
        negations: tuple[tuple[Lane, ...], ...],
        ordering: Ordering,
        stream: Lane | None = None,
    ) -> None:
        self.steps = steps
        self.negations = negations
        self.ordering = ordering
        self.stream = stream
        self.memo: dict[Any, Any] = {}
        lanes = {id(lane): lane for a in (*steps, *negations) for lane in a}
        self._lanes = list(lanes.values()) if stream is None else [stream]
        # Where the window last asked for began, in each lane.
        self._begins = [0] * len(self._lanes)

    @property
    def lanes(self) -> Sequence[Lane]:
        """Each lane whose events `within` counts, once."""
        return self._lanes

    def order(self, event: Event) -> int:
        """The order number of an event, or the least it may have: see `Ordering.of`."""
        return self.ordering.of(event)

    def within(self, end: Event) -> int:
        """How many events there are, each once a lane, in the window that ends with an event: what an engine
        that is asked for it may look at."""
        ordering = self.ordering
        if ordering.shift:
            order = ordering.latest(end)
            floor = ordering.floor(order)
        else:
            order = end.t_gen
            floor = order - ordering.within
        found = 0
        begins = self._begins
        for i, lane in enumerate(self._lanes):
            numbers = lane.content.order
            if not numbers:
                continue
            # In order nothing is later, and a window begins after the one before it did.
            stop = len(numbers) if numbers[-1] <= order else bisect_right(numbers, order)
            begin = begins[i]
            if not (0 < begin <= stop and numbers[begin - 1] < floor):
                begin = 0
            begin = begins[i] = bisect_left(numbers, floor, begin, stop)
            found += stop - begin
        return found

    def within_any(self, ends: Sequence[Event]) -> int:
        """How many events there are, each once a lane, in the windows of end events, at least one, by sort
        key: what an engine that is asked for all of them may look at."""
        ordering = self.ordering
        ranges: list[tuple[int, int]] = []
        stop = ordering.latest(ends[0])
        begin = ordering.floor(stop)
        for end in ends:
            order = ordering.latest(end)
            if (floor := ordering.floor(order)) > stop:
                ranges.append((begin, stop))
                begin = floor
            stop = order
        ranges.append((begin, stop))
        return sum(
            bisect_right(numbers, stop) - bisect_left(numbers, begin)
            for numbers in [lane.content.order for lane in self._lanes]
            for begin, stop in ranges
        )
