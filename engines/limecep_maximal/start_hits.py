"""Starts that what follows an end event hits: for them nothing has to be looked for.

A condition such as `n.x = a.x` of what must be absent after the end decides about the first event alone,
whatever follows it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep_maximal.hits import Forbidding, Hits

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.plan.plan import Alternative
    from limecep.store.view import View


class StartHits:
    """The negated steps after the end that name nothing but the start, which is a single event.

    Args:
        alternative: The alternative.
        number: Its number.
    """

    def __init__(self, alternative: Alternative, number: int) -> None:
        self._number = number
        steps = alternative.steps
        self._laws = [
            (n, Forbidding(alternative, negation))
            for n, negation in enumerate(alternative.negations)
            if negation.hits is not None and negation.after == len(steps) and negation.names == (0,)
        ]
        self.any = bool(self._laws) and steps[0].quantifier.single
        self._nothing: list[tuple[Event, ...]] = [()] * (len(steps) - 1)

    def all_hit(self, end: Event, view: View, first: int, stop: int) -> bool:
        """Whether all that starts from an order number to another (not included) is hit behind an end
        event."""
        ordering, starts = view.ordering, view.steps[self._number][0].content
        order = ordering.latest(end)
        for place in range(bisect_left(starts.order, first), bisect_left(starts.order, stop)):
            until = ordering.ceiling(starts.order[place])
            if not self._hit(starts.events[place], order, until, view):
                return False
        return True

    def _hit(self, start: Event, order: int, until: int, view: View) -> bool:
        """Whether something behind an order number, and up to another, hits what begins with an event."""
        known: dict[int, Hits] = view.memo.setdefault(("start hits", self._number), {})
        for n, law in self._laws:
            content = view.negations[self._number][n].content
            numbers = content.order
            if not numbers or numbers[-1] <= order:
                continue
            if n not in known:
                known[n] = Hits(law, content, 0)
            low = bisect_right(numbers, order)
            if known[n].between(low, bisect_right(numbers, until, low), [(start,), *self._nothing]):
                return True
        return False
