"""Negated steps (SEMANTICS 4): what an event that must not be there leaves of the matches of an end event.

Between two positive events it cuts a transition, which `limecep_nfa.policies` sees to. Before the first or
after the last one it limits where a match may begin. One that is held against other variables is looked for
when a match is whole.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.model.expression import Position
from limecep.plan.forms import equalities, key, other_key
from limecep.plan.values import attribute

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, NegatedStep
    from limecep.store.lane import Content, Ordering

#: So many events are looked through sooner than looked up.
_FEW = 8


class Absence:
    """The negated steps of an alternative.

    Attributes:
        conditional: Whether some are held against other variables.
        by_start: Whether the start of a match decides which of these forbid it, and all stand after the end.
        trails: Whether some may stand after the end event.
    """

    def __init__(self, alternative: Alternative) -> None:
        self._size = len(alternative.steps)
        self._plain = [(n, x.after) for n, x in enumerate(alternative.negations) if x.hits is None]
        self._held = [
            Held(alternative, n, x, x.hits) for n, x in enumerate(alternative.negations) if x.hits is not None
        ]
        self.conditional = bool(self._held)
        self.by_start = self.conditional and all(h.names_start for h in self._held)
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

    def spares(
        self,
        start: Event,
        negations: Sequence[Content],
        ordering: Ordering,
        floor: int,
        order: int,
        known: dict[int, ByValue],
    ) -> bool:
        """Where `by_start`, whether nothing forbids the matches that begin with an event.

        Args:
            start: The event.
            negations: The lanes of the negated steps.
            ordering: Precedence and the window.
            floor: The least order number in the window that ends with the match.
            order: The greatest of its end event.
            known: What is known of the values of these lanes; it grows.
        """
        for held in self._held:
            content = negations[held.number]
            numbers = content.order
            if (
                numbers
                and numbers[-1] > order
                and held.last_hit(start, content, ordering, floor, known) > order
            ):
                return False
        return True

    def hit(
        self,
        groups: Sequence[Sequence[Event]],
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
        for held in self._held:
            content = negations[held.number]
            numbers = content.order
            left, right = held.after - 1, held.after
            while left >= 0 and not groups[left]:
                left -= 1
            low = floor - 1 if left < 0 else ordering.latest(groups[left][-1])
            if not numbers or numbers[-1] <= low:
                continue
            while right < self._size and not groups[right]:
                right += 1
            if right < self._size:
                stop = bisect_left(numbers, ordering.of(groups[right][0]))
            else:
                start = next(g for g in groups if g)[0]
                stop = bisect_right(numbers, ordering.ceiling(ordering.of(start)))
            if held.among(content, bisect_right(numbers, low), stop, groups, known):
                return True
        return False


class Held:
    """A negated step that is held against other variables.

    Args:
        alternative: Its alternative.
        number: Its number.
        negation: The step.
        hits: Whether an event of it hits groups.

    Attributes:
        number, after: Its number, and how many positive steps stand before it.
        names_start: Whether it stands after the end, and all that it is held against is what an attribute of
            the start equals.
    """

    __slots__ = ("_decided", "_equal", "_hits", "_of_start", "after", "names_start", "number")

    def __init__(
        self,
        alternative: Alternative,
        number: int,
        negation: NegatedStep,
        hits: Callable[[Event, Sequence[Sequence[Event]]], bool],
    ) -> None:
        self.number = number
        self.after = negation.after
        self._hits = hits
        #: What an event that forbids a match equals in it, and how to read that.
        self._equal: tuple[tuple[str, ...], Callable[[Sequence[Sequence[Event]]], Hashable]] | None = None
        #: Whether nothing more is asked of it.
        self._decided = False
        places = {s.variable: k for k, s in enumerate(alternative.steps)}
        for equality in equalities(negation.meant, negation.variable, places):
            quantifier = alternative.steps[places[equality.other.variable]].quantifier
            if quantifier.minimum > 0:
                self._equal = equality.path, other_key(equality, places)
                # Without an index a group means each of its events.
                one = quantifier.single or equality.other.index is not None
                self._decided = one and len(negation.meant) == 1 and not negation.inside
        first = alternative.steps[0]
        self._of_start: tuple[str, ...] = ()
        self.names_start = False
        if self._decided and self.after == len(alternative.steps):
            other = equality.other
            self._of_start = other.path
            self.names_start = other.variable == first.variable and (
                first.quantifier.single or other.index == Position(1)
            )

    def last_hit(
        self, start: Event, content: Content, ordering: Ordering, floor: int, known: dict[int, ByValue]
    ) -> int:
        """Where `names_start`, the order number of the last event that forbids what begins with an event and
        ended before; one that is less than any if there is none."""
        assert self._equal is not None
        if self.number not in known:
            known[self.number] = ByValue(content.events, self._equal[0])
        lane, numbers = known[self.number], content.order
        last = lane.last_hits.get(start.ordinal)
        if last is None or last[0] < len(numbers):
            places = lane.places(key(attribute(start, self._of_start)), bisect_left(numbers, floor))
            i = bisect_left(places, bisect_right(numbers, ordering.ceiling(ordering.of(start))))
            last = lane.last_hits[start.ordinal] = len(numbers), numbers[places[i - 1]] if i else floor - 1
        return last[1]

    def among(
        self,
        content: Content,
        low: int,
        high: int,
        groups: Sequence[Sequence[Event]],
        known: dict[int, ByValue],
    ) -> bool:
        """Whether an event from one place of its lane to another (not included) forbids a match."""
        if low >= high:
            return False
        hits, events = self._hits, content.events
        if self._equal is None or not (self._decided or high - low > _FEW):
            return any(hits(x, groups) for x in events[low:high])
        path, read = self._equal
        if self.number not in known:
            known[self.number] = ByValue(events, path)
        places = known[self.number].places(read(groups), low)
        i = bisect_left(places, low)
        if self._decided:
            return i < len(places) and places[i] < high
        return any(hits(events[p], groups) for p in places[i : bisect_left(places, high)])


class ByValue:
    """The events of a lane by the value of an attribute, from the first place on that was asked for. The lane
    may grow at its end.

    Attributes:
        last_hits: By the ordinal of an event that matches begin with: the order number of the last of these
            that forbids them, and how many there were when that was found out, that first.
    """

    def __init__(self, events: Sequence[Event], path: tuple[str, ...]) -> None:
        self._events = events
        self._path = path
        self._begin = self._known = -1
        self.last_hits: dict[int, tuple[int, int]] = {}
        self._places: dict[Hashable, list[int]] = {}

    def places(self, value: Hashable, low: int) -> Sequence[int]:
        """The places from one on, and some before, of the events with a value; none for None."""
        if not 0 <= self._begin <= low:
            self._begin = self._known = low
            self._places = {}
        for place in range(self._known, len(self._events)):
            self._places.setdefault(key(attribute(self._events[place], self._path)), []).append(place)
        self._known = len(self._events)
        return () if value is None else self._places.get(value, ())
