"""Negated steps (SEMANTICS 4): what an event that must not be there leaves of the matches of an end event.

Between two positive events it cuts a transition, which `limecep_nfa.policies` sees to. Before the first or
after the last one it limits where a match may begin. One that is held against other variables is looked for
when a match is whole.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.plan.forms import equalities, key, other_key
from limecep.plan.values import attribute

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.plan.plan import Alternative
    from limecep.store.lane import Content, Ordering

#: So many events are looked through sooner than looked up.
_FEW = 8


class Absence:
    """The negated steps of an alternative.

    Attributes:
        conditional: Whether some are held against other variables.
        trails: Whether some may stand after the end event.
    """

    def __init__(self, alternative: Alternative) -> None:
        self._size = len(alternative.steps)
        self._plain = [(n, x.after) for n, x in enumerate(alternative.negations) if x.hits is None]
        self._held = [(n, x.after, x.hits) for n, x in enumerate(alternative.negations) if x.hits is not None]
        places = {s.variable: k for k, s in enumerate(alternative.steps)}
        #: By negated step: what an event that forbids a match equals in it, and how to read that.
        self._equal = {
            n: (equality.path, other_key(equality, places))
            for n, x in enumerate(alternative.negations)
            for equality in equalities(x.meant, x.variable)
            if alternative.steps[places[equality.other.variable]].quantifier.minimum > 0
        }
        self.conditional = bool(self._held)
        self.trails = any(x.after > alternative.ends[0] for x in alternative.negations)

    def latest_starts(
        self, negations: Sequence[Content], ordering: Ordering, order: int, end_step: int
    ) -> list[int]:
        """For every step, the greatest order number of a first event with which a match may begin there.

        Args:
            negations: The lanes of the negated steps.
            ordering: Precedence and the window.
            order: The greatest order number of the end event.
            end_step: The step that takes it.
        """
        latest = [order] * self._size
        floor = ordering.floor(order)
        for n, after in self._plain:
            numbers = negations[n].order
            if after > end_step:
                i = bisect_right(numbers, order)
                bound = ordering.floor(numbers[i]) - 1 if i < len(numbers) else order
                latest = [min(bound, number) for number in latest]
            else:
                i = bisect_left(numbers, floor)
                if i < len(numbers):
                    latest[after:] = [min(numbers[i], number) for number in latest[after:]]
        return latest

    def hit(
        self,
        groups: Sequence[Group],
        negations: Sequence[Content],
        ordering: Ordering,
        floor: int,
        known: dict[int, ByValue],
    ) -> bool:
        """Whether an event of a step that is held against other variables forbids a match.

        Args:
            groups: The match.
            negations: The lanes of the negated steps.
            ordering: Precedence and the window.
            floor: The least order number in the window that ends with the match.
            known: What is known of the values of these lanes; it grows.
        """
        whole: list[Sequence[Event]] = [tuple(g) for g in groups]
        for n, after, hits in self._held:
            numbers = negations[n].order
            before = next((g for g in reversed(whole[:after]) if g), None)
            behind = next((g for g in whole[after:] if g), None)
            low = bisect_left(numbers, floor)
            high = len(numbers)
            if before is not None:
                low = bisect_right(numbers, ordering.latest(before[-1]))
            if behind is not None:
                high = bisect_left(numbers, ordering.of(behind[0]))
            else:
                start = next(g for g in whole if g)[0]
                high = bisect_right(numbers, ordering.ceiling(ordering.of(start)))
            events = negations[n].events[low:high]
            if n in self._equal and high - low > _FEW:
                path, read = self._equal[n]
                if n not in known:
                    known[n] = ByValue(negations[n].events, path)
                events = known[n].between(read(whole), low, high)
            if any(hits(x, whole) for x in events):
                return True
        return False


class ByValue:
    """The events of a lane by the value of an attribute, from the first place on that was asked for. The lane
    may grow at its end."""

    def __init__(self, events: Sequence[Event], path: tuple[str, ...]) -> None:
        self._events = events
        self._path = path
        self._begin = self._known = -1
        self._places: dict[Hashable, list[int]] = {}

    def between(self, value: Hashable, low: int, high: int) -> list[Event]:
        """The events with a value from one place to another (not included)."""
        if not 0 <= self._begin <= low:
            self._begin = self._known = low
            self._places = {}
        for place in range(self._known, len(self._events)):
            self._places.setdefault(key(attribute(self._events[place], self._path)), []).append(place)
        self._known = len(self._events)
        places = [] if value is None else self._places.get(value, [])
        return [self._events[p] for p in places[bisect_left(places, low) : bisect_left(places, high)]]
