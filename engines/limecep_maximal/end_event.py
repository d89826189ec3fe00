"""The end event that is looked at, and what it may complete."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.model.event import Event
    from limecep.store.lane import Content, Ordering
    from limecep_maximal.hits import Gaps, Hits
    from limecep_maximal.law import Law
    from limecep_maximal.starts import Start, Starts
    from limecep_maximal.strands import Strand
    from limecep_maximal.trailing_negation import TrailingNegation


class Ending:
    """One end event after the other.

    Args:
        law: The alternative's.
        steps: The lanes.
        hits: The lanes of negated steps; gaps: the same by gap; trailing: those after the end.
        ordering: Precedence and the window.

    Attributes:
        event, place, order: The end event, where it stands in its lane, its order number.
        floor, first: The least order number in its window, and the first place of a start in it.
        measured: Whether one end event may take a shorter group than another.
    """

    event: Event
    place: int
    order: int
    floor: int
    first: int

    def __init__(
        self,
        law: Law,
        steps: Sequence[Content],
        hits: Sequence[Hits],
        gaps: Gaps,
        trailing: TrailingNegation[Any],
        ordering: Ordering,
    ) -> None:
        self._law = law
        self._starts = steps[0].order
        self._ends = steps[-1]
        self._hits = hits
        self._gaps = gaps
        self._trailing = trailing
        self._floor_of = ordering.floor
        self._ceiling = ordering.ceiling
        end = law.size - 1
        #: Conditions on the end event alone, those on it and each event of the group before by itself, and
        #: others on it and that group.
        self._alone = (
            ()
            if law.growing
            else (*law.joining[end], *law.entering[end], *law.closing[end], *law.staying[end])
        )
        entered = () if law.growing else tuple(law.entered[end])
        self._each = tuple([c for c in entered if c.cross])
        self._entered = tuple([c for c in entered if not c.cross])
        self.measured = not law.growing and bool(entered or law.measured[end])

    def go_to(self, place: int) -> None:
        """The end event at a place is looked at."""
        self.event = self._ends.events[place]
        self.place = place
        self.order = self._ends.order[place]
        self.floor = self._floor_of(self.order)
        self.first = bisect_left(self._starts, self.floor)

    def longest(self, strand: Strand, groups: list[Sequence[Event]]) -> int | None:
        """The greatest length of the last group with which the end event is eligible; 0 if there is none,
        None if something hits what there is."""
        law = self._law
        length: int = strand.longest(strand.before(self.order))
        step, end = law.last, law.size - 1
        groups[end] = (self.event,)
        hit = False
        if not all(c.holds(groups) for c in self._alone):
            length = 0
        if length and self._each:
            length = strand.longest(self._going_with(strand, groups, length))
        while length:
            groups[step] = strand.seen(length)
            if all(c.holds(groups) for c in self._entered):
                hit = bool(law.gaps[end]) and self._gaps.hit(end, strand.order(length), self.order, groups)
                if not hit:
                    break
                if not self.measured:
                    length = 0
                    break
            length -= 1
            while length and not strand.valid(length):
                length -= 1
        groups[end] = ()
        return length or (None if hit else 0)

    def _going_with(self, strand: Strand, groups: list[Sequence[Event]], most: int) -> int:
        """How many events of the group, from its first on and at most so many, go each with the end event."""
        step, length, beyond = self._law.last, 0, 1
        while beyond <= most:
            groups[step] = strand.seen(beyond)
            if not all(c.holds(groups) for c in self._each):
                break
            length, beyond = beyond, 2 * beyond
        beyond = min(beyond, most + 1)
        while beyond - length > 1:
            middle = (length + beyond) // 2
            groups[step] = strand.seen(middle)
            if all(c.holds(groups) for c in self._each):
                length = middle
            else:
                beyond = middle
        return length

    def is_new(self, done: tuple[int, int] | None, length: int, groups: Sequence[Sequence[Event]]) -> bool:
        """Whether no earlier end event completed what this one does."""
        if done is None or done[0] > length:
            return True
        # What an event after that end event hits completed nothing.
        return self._trailing.hit(done[1], self.order, groups)

    def is_hit(self, strand: Strand, length: int, groups: list[Sequence[Event]]) -> bool:
        """Whether a beginning of the group of the start, with this end event, is hit by what follows."""
        groups[0], groups[-1] = strand.seen(length), (self.event,)
        hit = self._trailing.hit(self.order, self._ceiling(strand.order(1)), groups)
        groups[-1] = ()
        return hit

    def counting(self, starts: Starts) -> Iterator[Start]:
        """The starts that count: in the window, with nothing before them that forbids."""
        for start in starts.counting(self.first):
            if not (self._law.leads and self.led(self._starts[start[0]])):
                yield start

    def led(self, order: int) -> bool:
        """Whether an event of a negated step stands in the window before a start."""
        for n in self._law.gaps[0]:
            numbers = self._hits[n].content.order
            if bisect_left(numbers, self.floor) < bisect_left(numbers, order):
                return True
        return False
