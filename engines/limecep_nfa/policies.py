"""The selection policies: which runs take an event, and which ignore it (SEMANTICS 5).

Each is a way in which a transition works on the entries of its source, as events come in order.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from limecep_nfa.buffer import longer, unrolled
from limecep_nfa.lookups import Waiting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.plan.stretch import Book
    from limecep.store.lane import Content, Ordering
    from limecep_nfa.automaton import Transition
    from limecep_nfa.buffer import Entry, Stack


class Edge:
    """A transition at work on one view.

    Args:
        transition: The transition.
        source: The entries of the state it leaves.
        step: The step of the state it leads to.
        books: The events of the lanes of the steps.
        gaps: The lanes of the negated steps between its two events.
        ordering: Precedence and the window.
        stream: Every event of the key, where the policy asks for it.
    """

    def __init__(
        self,
        transition: Transition,
        source: Stack,
        step: int,
        books: Sequence[Book],
        gaps: Sequence[Content],
        ordering: Ordering,
        stream: Content | None,
    ) -> None:
        self.transition = transition
        self.source = source
        self.ordering = ordering
        self.stream = stream
        self._step = step
        self._books = books
        self._gaps = gaps
        self._joins = transition.kind == "take"
        self._tested = bool(transition.near or transition.decides)
        # A condition that holds of a group iff it holds of every event needs no more than the new one.
        self._singly = all(c.cross for c in transition.decides)
        self._stop = 0

    def taken(self, event: Event, order: int, place: int) -> Sequence[int]:
        """The places of the entries whose runs take an event, which has a place in its lane. Those that a
        negated step forbids to are left out."""
        places = self._taken(event, order, place)
        for content in self._gaps:
            i = bisect_left(content.order, order)
            if i and places:
                # Whatever came before the last such event has it in the gap.
                first = self.source.since(content.order[i - 1])
                if isinstance(places, range):
                    places = range(max(first, places.start), places.stop)
                else:
                    places = [p for p in places if p >= first]
        return places

    def _taken(self, event: Event, order: int, place: int) -> Sequence[int]:
        raise NotImplementedError

    def _preceding(self, order: int) -> int:
        """The place after the last entry that an event can follow."""
        source = self.source
        if self._joins:
            return source.stop
        stop, orders, base = max(self._stop, source.base), source.orders, source.base
        while stop - base < len(orders) and orders[stop - base] < order:
            stop += 1
        self._stop = stop
        return stop

    def _eligible(self, entry: Entry, event: Event, place: int) -> bool:
        """Whether an event is eligible for the runs of an entry (SEMANTICS 3)."""
        transition = self.transition
        for near in transition.near:
            if not near(entry.event, event):
                return False
        if not transition.decides:
            return True
        step = self._step
        if self._joins and not self._singly:
            assert entry.group is not None
            groups = entry.known(self._books)
            groups[step] = unrolled(longer(entry.group, event, place), self._books[step])
        elif self._joins:
            groups = entry.before.known(self._books) if entry.before is not None else [()] * len(self._books)
            groups[step] = (event,)
        else:
            groups = entry.known(self._books)
            groups[step] = (event,)
        return all(c.allows(groups, step) for c in transition.decides)

    def _may_leave(self, places: range) -> Sequence[int]:
        """The places among these of entries whose runs may leave their group as it is."""
        leaves = self.transition.leaves
        base, entries = self.source.base, self.source.entries
        if not leaves:
            if self.transition.of_ranges:
                return [p for p in places if entries[p - base].firsts]
            return places
        found = []
        for place in places:
            entry = entries[place - base]
            if self.transition.of_ranges and not entry.firsts:
                continue
            groups = entry.known(self._books)
            if all(c.holds(groups) for c in leaves):
                found.append(place)
        return found


class NextMatch(Edge):
    """Skip-till-next-match: a run ignores what is not eligible, and takes the first event that is."""

    #: From this place on no entry has been looked at; before it, only these still wait, or those that are
    #: looked up by value.
    _new = 0
    _waiting: Sequence[int] = ()
    _by_value: Waiting | None = None

    def _taken(self, event: Event, order: int, place: int) -> Sequence[int]:
        new, stop = max(self._new, self.source.base), self._preceding(order)
        self._new = stop
        # What may not leave its group now never will.
        fresh = self._may_leave(range(new, stop))
        if not self._tested:
            return fresh
        lookup = self.transition.lookup
        if lookup is None:
            taken, self._waiting = self._divided((*self._waiting, *fresh), event, order, place)
            return taken
        if self._by_value is None:
            self._by_value = Waiting(lookup, self._books)
        self._wait(self._by_value, fresh)
        taken, rest = self._divided(self._by_value.take(event), event, order, place)
        self._wait(self._by_value, rest)
        return taken

    def _wait(self, waiting: Waiting, places: Sequence[int]) -> None:
        base, entries = self.source.base, self.source.entries
        for p in places:
            waiting.add(p, entries[p - base], base)

    def _divided(
        self, places: Sequence[int], event: Event, order: int, place: int
    ) -> tuple[list[int], list[int]]:
        """Of some places, those of entries whose runs take an event, and of those that go on waiting."""
        floor = self.ordering.floor(order)
        base, entries = self.source.base, self.source.entries
        taken, waiting = [], []
        for p in places:
            if p < base or entries[p - base].start < floor:
                continue
            if self._eligible(entries[p - base], event, place):
                taken.append(p)
            else:
                waiting.append(p)
        return taken, waiting


class AnyMatch(Edge):
    """Skip-till-any-match: a run ignores every event, and takes every event that is eligible too."""

    def _taken(self, event: Event, order: int, place: int) -> Sequence[int]:
        source = self.source
        places = self._may_leave(range(source.since(self.ordering.floor(order)), self._preceding(order)))
        if not self._tested:
            return places
        base, entries = source.base, source.entries
        return [p for p in places if self._eligible(entries[p - base], event, place)]


class Contiguous(Edge):
    """Strict contiguity: a run ignores nothing, so what it takes is next to what it has. Of events at one
    time any may be next."""

    def _taken(self, event: Event, order: int, place: int) -> Sequence[int]:
        source, stream = self.source, self.stream
        assert stream is not None
        least = self.ordering.of(event)
        i = bisect_left(stream.order, least)
        first = source.since(stream.order[i - 1] if i else least)
        places = self._may_leave(range(first, self._preceding(order)))
        if not self._tested:
            return places
        base, entries = source.base, source.entries
        return [p for p in places if self._eligible(entries[p - base], event, place)]


POLICIES: dict[str, type[Edge]] = {"stnm": NextMatch, "stam": AnyMatch, "sc": Contiguous}
