"""The selection policies: which runs take an event, and which ignore it (SEMANTICS 5).

Each is a way in which a transition works on the entries of its source, as events come in order.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.store.lane import Content, Ordering
    from limecep_nfa.automaton import Transition
    from limecep_nfa.buffer import Entry, Stack


class Edge:
    """A transition at work on one view.

    Args:
        transition: The transition.
        source: The entries of the state it leaves.
        step: The step of the state it leads to.
        lanes: The lanes of the steps.
        gaps: The lanes of the negated steps between its two events.
        ordering: Precedence and the window.
        stream: Every event of the key, where the policy asks for it.
    """

    def __init__(
        self,
        transition: Transition,
        source: Stack,
        step: int,
        lanes: Sequence[Content],
        gaps: Sequence[Content],
        ordering: Ordering,
        stream: Content | None,
    ) -> None:
        self.transition = transition
        self.source = source
        self.ordering = ordering
        self.stream = stream
        self._step = step
        self._lanes = lanes
        self._gaps = gaps
        self._joins = transition.kind == "take"
        self._tested = bool(transition.near or transition.decides)
        # A condition that holds of a group iff it holds of every event needs no more than the new one.
        self._singly = all(c.cross for c in transition.decides)
        self._stop = 0

    def taken(self, event: Event, order: int) -> Sequence[int]:
        """The places of the entries whose runs take an event. Those that a negated step forbids to are left
        out."""
        places = self._taken(event, order)
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

    def _taken(self, event: Event, order: int) -> Sequence[int]:
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

    def _eligible(self, entry: Entry, event: Event) -> bool:
        """Whether an event is eligible for the runs of an entry (SEMANTICS 3)."""
        transition = self.transition
        for near in transition.near:
            if not near(entry.event, event):
                return False
        if not transition.decides:
            return True
        step = self._step
        if self._joins and not self._singly:
            groups = entry.known(self._lanes)
            groups[step] = [*groups[step], event]
        elif self._joins:
            groups = entry.before.known(self._lanes) if entry.before is not None else [()] * len(self._lanes)
            groups[step] = (event,)
        else:
            groups = entry.known(self._lanes)
            groups[step] = (event,)
        return all(c.allows(groups, step) for c in transition.decides)

    def _may_leave(self, places: range) -> Sequence[int]:
        """The places among these of entries whose runs may leave their group as it is."""
        leaves = self.transition.leaves
        if not leaves:
            return places
        base, entries = self.source.base, self.source.entries
        found = []
        for place in places:
            groups = entries[place - base].known(self._lanes)
            if all(c.holds(groups) for c in leaves):
                found.append(place)
        return found


class NextMatch(Edge):
    """Skip-till-next-match: a run ignores what is not eligible, and takes the first event that is."""

    #: From this place on no entry has been looked at; before it, only these still wait.
    _new = 0
    _waiting: Sequence[int] = ()

    def _taken(self, event: Event, order: int) -> Sequence[int]:
        new, stop = max(self._new, self.source.base), self._preceding(order)
        self._new = stop
        # What may not leave its group now never will.
        fresh = self._may_leave(range(new, stop))
        if not self._tested:
            return fresh
        source = self.source
        floor = self.ordering.floor(order)
        base, entries = source.base, source.entries
        taken, waiting = [], []
        for places in (self._waiting, fresh):
            for place in places:
                if place < base or entries[place - base].start < floor:
                    continue
                if self._eligible(entries[place - base], event):
                    taken.append(place)
                else:
                    waiting.append(place)
        self._waiting = waiting
        return taken


class AnyMatch(Edge):
    """Skip-till-any-match: a run ignores every event, and takes every event that is eligible too."""

    def _taken(self, event: Event, order: int) -> Sequence[int]:
        source = self.source
        places = self._may_leave(range(source.since(self.ordering.floor(order)), self._preceding(order)))
        if not self._tested:
            return places
        base, entries = source.base, source.entries
        return [p for p in places if self._eligible(entries[p - base], event)]


class Contiguous(Edge):
    """Strict contiguity: a run ignores nothing, so what it takes is next to what it has. Of events at one
    time any may be next."""

    def _taken(self, event: Event, order: int) -> Sequence[int]:
        source, stream = self.source, self.stream
        assert stream is not None
        least = self.ordering.of(event)
        i = bisect_left(stream.order, least)
        first = source.since(stream.order[i - 1] if i else least)
        places = self._may_leave(range(first, self._preceding(order)))
        if not self._tested:
            return places
        base, entries = source.base, source.entries
        return [p for p in places if self._eligible(entries[p - base], event)]


POLICIES: dict[str, type[Edge]] = {"stnm": NextMatch, "stam": AnyMatch, "sc": Contiguous}
