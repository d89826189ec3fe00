"""One step, and a negated step after it: what is found stands until something hits it.

`SEQ(A{3,} a[], !B b) WHERE b.x = a[1].x`: what hits the longest group that ends with an event may spare a
shorter one. So each group is kept by what hits it, and only where that comes is there anything to find again.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from limecep_maximal.single_step import SingleStep
from limecep_maximal.trailing_negation import TrailingNegation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.store.lane import Content, Ordering
    from limecep_maximal.hits import Hits
    from limecep_maximal.law import Law

#: How many end events are remembered before those that left the window are looked for.
_SWEEP = 1024


class Standing:
    """A group that nothing hits so far.

    Attributes:
        place: That of its last event.
        until: The last order number in its window.
        group: It, as a match has it.
        groups: It, as conditions read it.
    """

    __slots__ = ("group", "groups", "place", "until")

    def __init__(self, place: int, until: int, group: Group, groups: list[Sequence[Event]]) -> None:
        self.place = place
        self.until = until
        self.group = group
        self.groups = groups


class StandingGroups(SingleStep):
    """What was found for an end event is its answer until what comes hits a part of it."""

    def __init__(
        self,
        law: Law,
        content: Content,
        hits: Sequence[Hits],
        ordering: Ordering,
        accepts: Callable[[Event, Event], bool] | None,
        low: int,
    ) -> None:
        super().__init__(law, content, hits, ordering, accepts, low)
        self._trailing: TrailingNegation[Standing] = TrailingNegation(law, hits, low)
        #: By the place of an end event, what stands.
        self._standing: dict[int, list[Standing]] = {}
        #: The places where something was hit since `spared` was asked last.
        self._hit_at: set[int] = set()
        self._sweep_at = _SWEEP

    def ending(self, place: int) -> list[tuple[Group, ...]]:
        self._recall()
        known = self._standing.get(place)
        if known is None:
            known = self._standing[place] = self._found(place)
            if len(self._standing) > self._sweep_at:
                self._sweep()
        return [(standing.group,) for standing in known]

    def spared(self, begin: int, stop: int) -> list[int] | None:
        self._recall()
        told = self._hit_at.union([p for p in range(begin, stop) if p not in self._standing])
        self._hit_at = set()
        return sorted(told)

    def _found(self, place: int) -> list[Standing]:
        numbers, ceiling = self._content.order, self._ordering.ceiling
        found = []
        for strand, length in self._largest(place):
            standing = Standing(place, ceiling(strand.order(1)), strand.group(length), [strand.seen(length)])
            self._trailing.put_aside(standing, numbers[place], standing.groups)
            found.append(standing)
        return found

    def _recall(self) -> None:
        """Forgets the answers that something hits which came since."""
        for _, standing, _ in self._trailing.reopened(None, _is_over):
            place = standing.place
            # What is found again for a place stands beside what is left of the answer before.
            if standing in self._standing.get(place, ()):
                del self._standing[place]
                self._hit_at.add(place)

    def _sweep(self) -> None:
        """Lets go of what has left the window."""
        numbers = self._content.order
        low = self._ordering.floor(numbers[-1])
        first = bisect_left(numbers, low)
        self._standing = {p: known for p, known in self._standing.items() if p >= first}
        self._hit_at = {p for p in self._hit_at if p >= first}
        self._sweep_at = max(_SWEEP, 2 * len(self._standing))
        self._trailing.forget(lambda standing: standing.until < numbers[-1])


def _is_over(standing: Standing, order: int) -> bool:
    return order > standing.until
