"""Views: what an engine sees of the store for one pattern and one key."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.store.lane import Lane, Ordering


class View:
    """The lanes of one pattern's steps, for one value of PARTITION BY.

    It holds every event the pattern accepted, reaching back far enough from any end event that is evaluated,
    and also what is later than it: an engine bounds what it reads. Events refused by the pattern never stand
    in it.

    Attributes:
        steps: For each alternative, a lane for each positive step.
        negations: For each alternative, a lane for each negated step.
        ordering: Precedence and the window, in the order numbers of the lanes.
        stream: Under strict contiguity every event of the key, of whatever type; else None.
        memo: Whatever an engine derives; emptied by the kernel whenever the past of the view changes.
    """

    __slots__ = ("_lanes", "memo", "negations", "ordering", "steps", "stream")

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

    def order(self, event: Event) -> int:
        """The order number of an event."""
        return self.ordering.of(event)

    def within(self, end: Event) -> int:
        """How many events there are, each once a lane, in the window that ends with an event: what an engine
        that is asked for it may look at."""
        order = self.ordering.of(end)
        floor = self.ordering.floor(order)
        found = 0
        for lane in self._lanes:
            numbers = lane.content.order
            if numbers:
                # In order nothing is later.
                stop = len(numbers) if numbers[-1] <= order else bisect_right(numbers, order)
                found += stop - bisect_left(numbers, floor)
        return found
