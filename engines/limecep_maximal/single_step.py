"""STNM with one step: a match is a group that ends with the end event."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.plan.forms import bounded
from limecep.plan.stretch import Book, Stretch
from limecep_maximal.paths import Forest
from limecep_maximal.strands import Chosen, Plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.store.lane import Content, Ordering
    from limecep_maximal.hits import Hits
    from limecep_maximal.law import Law
    from limecep_maximal.strands import Strand


class SingleStep:
    """The groups of the one step of an alternative, on one view.

    Args:
        law: The alternative's.
        content: The lane of the step.
        hits: The lanes of the negated steps.
        ordering: Precedence and the window.
        accepts: Whether an event may follow its neighbour in a group; None where any may.
        low: The order number that no window begins before.
    """

    def __init__(
        self,
        law: Law,
        content: Content,
        hits: Sequence[Hits],
        ordering: Ordering,
        accepts: Callable[[Event, Event], bool] | None,
        low: int,
    ) -> None:
        self.low = low
        self._law = law
        self._content = content
        self._hits = hits
        self._ordering = ordering
        begin = bisect_left(content.order, low)
        self._book = Book(content.events, begin)
        self._paths = None if accepts is None else Forest(content, ordering, accepts, begin, law.equal[0])
        self._bounds = [b for c in law.closing[0] if (b := bounded(c.expression)) is not None]
        self._groups: list[Sequence[Event]] = [()]

    def ending(self, place: int) -> list[tuple[Group, ...]]:
        """The groups that end with the event at a place, and are part of no other that does."""
        return [(strand.group(length),) for strand, length in self._largest(place)]

    def spared(self, begin: int, stop: int) -> list[int] | None:
        """The places, from one on and before another, of the end events for which more may be found than was
        when they were asked about; None if that is not known."""
        return None

    def _largest(self, place: int) -> list[tuple[Strand, int]]:
        """The groups of `ending`, each with its length."""
        law = self._law
        order = self._content.order[place]
        floor = self._ordering.floor(order)
        first = bisect_left(self._content.order, floor)
        if self._paths is not None:
            return self._chained(place, order, floor, first)
        groups, conditions, book = self._groups, (*law.entering[0], *law.closing[0]), self._book
        begins = range(max(first, place - law.most[0] + 1), place - law.least[0] + 2)
        for begin in book.within(self._bounds, begins, place + 1):
            groups[0] = Stretch(book, begin, place + 1)
            for condition in conditions:
                if not condition.holds(groups):
                    break
            else:
                # The longest contains all others.
                strand, length = self._strand(begin), place - begin + 1
                if not self._hit(strand, length, order, floor):
                    return [(strand, length)]
        return []

    def _chained(self, place: int, order: int, floor: int, first: int) -> list[tuple[Strand, int]]:
        law, paths = self._law, self._paths
        assert paths is not None
        paths.catch_up(order)
        lengths = {place: 1}
        stack = [place]
        while stack:
            later = stack.pop()
            if lengths[later] < law.most[0]:
                for earlier in paths.sources(later):
                    if earlier >= first:
                        lengths[earlier] = lengths[later] + 1
                        stack.append(earlier)
        found: list[tuple[Strand, int]] = []
        # The events that begin a group, or lead to one that begins earlier.
        covered: set[int] = set()
        for begin in sorted(lengths):
            if not covered.isdisjoint(paths.sources(begin)):
                covered.add(begin)
                continue
            strand, length = self._strand(begin), lengths[begin]
            if self._begins(begin) and strand.valid(length) and not self._hit(strand, length, order, floor):
                covered.add(begin)
                found.append((strand, length))
        return found

    def _begins(self, place: int) -> bool:
        entering = self._law.entering[0]
        if not entering:
            return True
        self._groups[0] = (self._content.events[place],)
        return all(c.holds(self._groups) for c in entering)

    def _strand(self, place: int) -> Strand:
        law, groups, content = self._law, self._groups, self._content
        if self._paths is not None:
            return Chosen(law, 0, groups, content, place, self._paths, None)
        return Plain(law, 0, groups, content, self._book, place)

    def _hit(self, strand: Strand, length: int, end: int, floor: int) -> bool:
        """Whether an event of a negated step hits a group that ends at an order number."""
        if not self._hits:
            return False
        start = strand.order(1)
        self._groups[0] = strand.seen(length)
        for gap, (begin, stop) in enumerate(((floor, start - 1), (end + 1, self._ordering.ceiling(start)))):
            for n in self._law.gaps[gap]:
                numbers = self._hits[n].content.order
                low, high = bisect_left(numbers, begin), bisect_right(numbers, stop)
                if self._hits[n].between(low, high, self._groups):
                    return True
        return False
