"""Groups whose neighbours must satisfy a condition: paths through the events of a lane.

Both kinds of path depend on the events between two events only, never on a window, so what is found out about
an event holds for every window it is in.

Under STNM the next event of a group is the first later one that the last one accepts: a forest. Under STAM
any later one is, and a path is maximal where nothing fits between its neighbours. It is not enough that no
single event does, for a condition such as `b[i+1].v != b[i].v` does not chain: an edge counts iff no other
path leads from its one end to the other (the transitive reduction).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from limecep.plan.forms import key
from limecep.plan.values import attribute

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from limecep.model.event import Event
    from limecep.store.lane import Content, Ordering

#: After every order number.
ALWAYS = 1 << 200


class Paths(Protocol):
    """Places are indices into the lane."""

    def next_order(self, place: int) -> int:
        """The order number of the first later event that this one accepts."""

    def latest_before(self, place: int) -> int:
        """The place of the latest event that this one could follow, within the window that ends here; -1 if
        there is none."""

    def before(self, place: int, earliest: int) -> Sequence[int]:
        """The places this one follows directly on some path, with order numbers of at least `earliest`."""


class _Successors:
    """For every event the first later one within its window that it accepts.

    Events that have found none yet are kept open, so each new event is held against those only; where it
    accepts only what has the same value of an attribute, against those that have it.
    """

    def __init__(
        self,
        content: Content,
        ordering: Ordering,
        accepts: Callable[[Event, Event], bool],
        equal: tuple[str, ...] | None,
    ) -> None:
        self.content = content
        self.ordering = ordering
        self.accepts = accepts
        self.next: list[int] = []
        self.sources: list[list[int]] = []
        self._equal = equal
        self._open: dict[Hashable, list[int]] = {}
        self._sweep_at = 1024

    def catch_up(self) -> None:
        """Takes in what was appended to the lane since the last time."""
        numbers, events = self.content.order, self.content.events
        accepts, equal = self.accepts, self._equal
        value: Hashable = None
        for place in range(len(self.next), len(numbers)):
            event = events[place]
            floor = self.ordering.floor(numbers[place])
            still: list[int] = []
            found: list[int] = []
            if equal is not None:
                value = key(attribute(event, equal))
            for u in self._open.get(value, ()):
                if numbers[u] < floor:
                    continue
                if accepts(events[u], event):
                    self.next[u] = place
                    found.append(u)
                else:
                    still.append(u)
            still.append(place)
            self._open[value] = still
            self.next.append(-1)
            self.sources.append(found)
            if len(self._open) > self._sweep_at:
                self._open = {v: kept for v, kept in self._open.items() if numbers[kept[-1]] >= floor}
                self._sweep_at = max(1024, 2 * len(self._open))


class Forest:
    """Paths under STNM."""

    def __init__(
        self,
        content: Content,
        ordering: Ordering,
        accepts: Callable[[Event, Event], bool],
        equal: tuple[str, ...] | None = None,
    ) -> None:
        self._successors = _Successors(content, ordering, accepts, equal)
        self._numbers = content.order
        self._successors.catch_up()

    def catch_up(self) -> None:
        """Takes in what was appended to the lane since the last time."""
        self._successors.catch_up()

    def next_place(self, place: int) -> int:
        """The place of the first later event that this one accepts; -1 if there is none yet."""
        return self._successors.next[place]

    def sources(self, place: int) -> Sequence[int]:
        """The places whose next place this is."""
        return self._successors.sources[place]

    def next_order(self, place: int) -> int:
        n = self._successors.next[place]
        return self._numbers[n] if n >= 0 else ALWAYS

    def latest_before(self, place: int) -> int:
        sources = self._successors.sources[place]
        return sources[-1] if sources else -1

    def before(self, place: int, earliest: int) -> Sequence[int]:
        return [u for u in self._successors.sources[place] if self._numbers[u] >= earliest]


class Reduction:
    """Paths under STAM."""

    def __init__(
        self,
        content: Content,
        ordering: Ordering,
        accepts: Callable[[Event, Event], bool],
        equal: tuple[str, ...] | None = None,
    ) -> None:
        self._successors = _Successors(content, ordering, accepts, equal)
        self._content = content
        self._ordering = ordering
        self._accepts = accepts
        self._edges: dict[int, tuple[list[int], int]] = {}
        self._successors.catch_up()

    def catch_up(self) -> None:
        """Takes in what was appended to the lane since the last time."""
        self._successors.catch_up()

    def next_order(self, place: int) -> int:
        n = self._successors.next[place]
        return self._content.order[n] if n >= 0 else ALWAYS

    def latest_before(self, place: int) -> int:
        return self._into(place)[1]

    def before(self, place: int, earliest: int) -> Sequence[int]:
        numbers = self._content.order
        return [u for u in self._into(place)[0] if numbers[u] >= earliest]

    def _into(self, place: int) -> tuple[list[int], int]:
        """The edges into a place that no longer path replaces, and the latest event with any edge into it."""
        known = self._edges.get(place)
        if known is not None:
            return known
        numbers, events = self._content.order, self._content.events
        accepts = self._accepts
        target = events[place]
        floor = self._ordering.floor(numbers[place])
        ancestors: list[int] = []
        edges: list[int] = []
        latest = -1
        u = place - 1
        while u >= 0 and numbers[u] >= floor:
            event = events[u]
            # Later ancestors first: they are the likelier successors of u.
            reaches = any(accepts(event, events[w]) for w in ancestors)
            direct = accepts(event, target)
            if direct and latest < 0:
                latest = u
            if direct and not reaches:
                edges.append(u)
            if direct or reaches:
                ancestors.append(u)
            u -= 1
        self._edges[place] = (edges, latest)
        return edges, latest
