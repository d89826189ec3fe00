"""Groups whose neighbours must satisfy a condition: paths through the events of a lane.

Both kinds of path depend on the events between two events only, never on a window, so what is found out about
an event holds for every window it is in. Only the part of the lane that an evaluation needs is looked at: a
lane may hold far more, for late events.

Under STNM the next event of a group is the first later one that the last one accepts: a forest. Under STAM
any later one is, and a path is maximal where nothing fits between its neighbours. It is not enough that no
single event does, for a condition such as `b[i+1].v != b[i].v` does not chain: an edge counts iff no other
path leads from its one end to the other (the transitive reduction).
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Protocol

from limecep.plan.forms import key
from limecep.plan.values import attribute

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from limecep.model.event import Event
    from limecep.store.lane import Content, Ordering

#: After every order number.
ALWAYS = 1 << 200

#: What an evaluation does not need any more is let go of when there is at least so much of it.
FORGOTTEN_AT = 1024


class Paths(Protocol):
    """Places are indices into the lane, from `begin` to `stop` (not included)."""

    def next_order(self, place: int) -> int:
        """The order number of the first later event that this one accepts."""

    def latest_before(self, place: int) -> int:
        """The place of the latest event that this one could follow, within the window that ends here; -1 if
        there is none."""

    def before(self, place: int, earliest: int) -> Sequence[int]:
        """The places this one follows directly on some path, with order numbers of at least `earliest`."""


class Successors:
    """For every event the first later one within its window that it accepts.

    Events that have found none yet are kept open, so each new event is held against those only; where it
    accepts only what has the same value of an attribute, against those that have it.

    Args:
        content: The lane.
        ordering: Precedence and the window.
        accepts: The test of neighbours.
        begin: The first place that is looked at.
        equal: An attribute in which neighbours have to be equal, if there is one.
    """

    def __init__(
        self,
        content: Content,
        ordering: Ordering,
        accepts: Callable[[Event, Event], bool],
        begin: int,
        equal: tuple[str, ...] | None = None,
    ) -> None:
        self.begin = begin
        self._equal = equal
        self._content = content
        self._ordering = ordering
        self._accepts = accepts
        self._next: list[int] = []
        self._sources: list[list[int]] = []
        self._open: dict[Hashable, list[int]] = {}

    @property
    def stop(self) -> int:
        """The first place that was not looked at yet."""
        return self.begin + len(self._next)

    def catch_up(self, order: int) -> None:
        """Takes in the events up to an order number that were not looked at yet."""
        numbers, events = self._content.order, self._content.events
        accepts, following, begin, equal = self._accepts, self._next, self.begin, self._equal
        value: Hashable = None
        for place in range(self.stop, bisect_right(numbers, order)):
            event = events[place]
            floor = self._ordering.floor(numbers[place])
            if equal is not None:
                value = key(attribute(event, equal))
            still: list[int] = []
            found: list[int] = []
            for u in self._open.get(value, ()):
                if numbers[u] < floor:
                    continue
                if accepts(events[u], event):
                    following[u - begin] = place
                    found.append(u)
                else:
                    still.append(u)
            still.append(place)
            self._open[value] = still
            following.append(-1)
            self._sources.append(found)

    def forget(self, begin: int) -> bool:
        """Lets go of what is before a place, once that is most of it; says whether it did."""
        gone = begin - self.begin
        if gone < FORGOTTEN_AT or 2 * gone < len(self._next):
            return False
        del self._next[:gone], self._sources[:gone]
        self._open = {v: kept for v, kept in self._open.items() if kept[-1] >= begin}
        self.begin = begin
        return True

    def next_place(self, place: int) -> int:
        """The place of the first later event that this one accepts; -1 if there is none yet."""
        return self._next[place - self.begin]

    def next_order(self, place: int) -> int:
        n = self._next[place - self.begin]
        return self._content.order[n] if n >= 0 else ALWAYS

    def sources(self, place: int) -> list[int]:
        """The places whose first accepted event is this one."""
        return self._sources[place - self.begin]


class Forest(Successors):
    """Paths under STNM."""

    def latest_before(self, place: int) -> int:
        sources = self.sources(place)
        return sources[-1] if sources else -1

    def before(self, place: int, earliest: int) -> Sequence[int]:
        numbers = self._content.order
        return [u for u in self.sources(place) if numbers[u] >= earliest]


class Reduction(Successors):
    """Paths under STAM."""

    def __init__(
        self,
        content: Content,
        ordering: Ordering,
        accepts: Callable[[Event, Event], bool],
        begin: int,
        equal: tuple[str, ...] | None = None,
    ) -> None:
        super().__init__(content, ordering, accepts, begin, equal)
        #: What is known of the edges into each place.
        self._edges: dict[int, tuple[list[int], int]] = {}

    def forget(self, begin: int) -> bool:
        done = super().forget(begin)
        if done:
            self._edges = {place: edges for place, edges in self._edges.items() if place >= begin}
        return done

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


def both(pairs: list[Any]) -> Any:
    """One test of neighbours that stands for all of them; None for none."""
    if len(pairs) < 2:
        return pairs[0] if pairs else None
    return lambda a, b: all(p(a, b) for p in pairs)
