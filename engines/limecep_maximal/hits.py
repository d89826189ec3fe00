"""Negated steps on one view: whether something between two places hits a match.

A condition such as `b.x = a.x` names the few events that can, so they are looked up by their value.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.plan.forms import equalities, other_key
from limecep_maximal.values import ByValue

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from limecep.model.event import Event
    from limecep.plan.forms import Equality
    from limecep.plan.plan import Alternative, NegatedStep
    from limecep.store.lane import Content

    Groups = Sequence[Sequence[Event]]


class Forbidding:
    """What of a negated step does not change: how the events that may hit a match are found."""

    def __init__(self, alternative: Alternative, negation: NegatedStep) -> None:
        self.negation = negation
        self.equality: Equality | None = None
        self.key: Callable[[Groups], Hashable] | None = None
        places = {s.variable: k for k, s in enumerate(alternative.steps)}
        for equality in equalities(negation.meant, negation.variable, places):
            self.equality = equality
            self.key = other_key(equality, places)
            break
        #: Whether what has the right value hits for sure. Without an index a group means each of its events.
        self.decided = False
        if self.equality is not None and len(negation.meant) == 1 and not negation.inside:
            other = self.equality.other
            single = alternative.steps[places[other.variable]].quantifier.single
            self.decided = single or other.index is not None


class Hits:
    """The lane of a negated step.

    Args:
        law: How the events that may hit a match are found.
        content: The lane.
        low: The order number before which nothing is asked for.
    """

    __slots__ = ("_by_value", "_law", "_low", "content")

    def __init__(self, law: Forbidding, content: Content, low: int) -> None:
        self._law = law
        self._low = bisect_left(content.order, low)
        self.content = content
        self._by_value = None if law.equality is None else ByValue(content, law.equality.path)

    def between(self, low: int, high: int, groups: Groups) -> bool:
        """Whether an event from a place on, and before another, hits a match with these groups."""
        if low >= high:
            return False
        law = self._law
        hits = law.negation.hits
        if hits is None:
            return True
        events = self.content.events
        if law.key is None or self._by_value is None:
            return any(hits(x, groups) for x in events[low:high])
        places = self._by_value.places(law.key(groups), self._low)
        i = bisect_left(places, low)
        if law.decided:
            return i < len(places) and places[i] < high
        for place in places[i:]:
            if place >= high:
                return False
            if hits(events[place], groups):
                return True
        return False

    def value(self, place: int) -> Hashable:
        """What groups must have to be hit by the event at a place, where that is known."""
        assert self._law.equality is not None
        return self._law.equality.own_key(self.content.events[place])

    def hitting(self, low: int, high: int, groups: Groups) -> list[int]:
        """The places from one on, and before another, of the events that hit a match with these groups."""
        law = self._law
        hits = law.negation.hits
        places: Sequence[int] = range(low, high)
        if law.key is not None and self._by_value is not None:
            places = self._by_value.places(law.key(groups), low)
            places = places[bisect_left(places, low) : bisect_left(places, high)]
            if law.decided:
                return list(places)
        events = self.content.events
        return [p for p in places if hits is None or hits(events[p], groups)]


class Gaps:
    """The negated steps on one view, by the gap they stand in.

    Args:
        gaps: By gap, their numbers: before step 0, 1, ..., after the last.
        hits: Their lanes.
    """

    __slots__ = ("_gaps", "hits")

    def __init__(self, gaps: Sequence[Sequence[int]], hits: Sequence[Hits]) -> None:
        self._gaps = gaps
        self.hits = hits

    def hit(self, gap: int, left: int, right: int, groups: Groups) -> bool:
        """Whether something stands in a gap, strictly between two order numbers."""
        for n in self._gaps[gap]:
            numbers = self.hits[n].content.order
            if self.hits[n].between(bisect_right(numbers, left), bisect_left(numbers, right), groups):
                return True
        return False
