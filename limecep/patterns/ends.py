"""End events: those a match of a pattern may end with."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.model.event import sort_key
from limecep.patterns.takers import takers_of, takes

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep.store.view import View


class EndEvents:
    """Tells the end events of a pattern, and finds them.

    Args:
        plan: The pattern's plan.

    Attributes:
        types: The event types some of whose events may end a match.
        surely: Those all of whose events may.
    """

    def __init__(self, plan: Plan) -> None:
        self._steps = [(i, k) for i, a in enumerate(plan.alternatives) for k in a.ends]
        filters = [plan.alternatives[i].steps[k].filter for i, k in self._steps]
        self.types = frozenset(t for f in filters for t in f.types)
        self.surely = frozenset(t for f in filters if f.accepts is None for t in f.types)
        self._takers = takers_of(filters)

    def __contains__(self, event: Event) -> bool:
        """Whether a match may end with an event."""
        return takes(self._takers, event)

    def between(self, view: View, low: int, high: int) -> list[Event]:
        """Those of a view in a range of `t_gen`, both ends included, by sort key."""
        low, high = view.ordering.between(low, high)
        found: list[list[Event]] = []
        for i, k in self._steps:
            content = view.steps[i][k].content
            found.append(content.events[bisect_left(content.order, low) : bisect_right(content.order, high)])
        if len(found) == 1:
            return found[0]
        return sorted({e.ordinal: e for events in found for e in events}.values(), key=sort_key)
