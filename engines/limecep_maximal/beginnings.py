"""What runs are made of: the groups that begin with an event, and the start groups that lead to one."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from limecep.model.match import Range
from limecep.plan.stretch import Book, Stretch
from limecep_maximal.paths import Forest
from limecep_maximal.starts import Ranges, Singles, Trees
from limecep_maximal.strands import UNBOUNDED, Chosen, Plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.store.lane import Content, Ordering
    from limecep_maximal.hits import Gaps
    from limecep_maximal.law import Law
    from limecep_maximal.starts import Start, Starts
    from limecep_maximal.strands import Strand

#: How many groups are kept before those that left the window are looked for.
_SWEEP = 2048


class Beginnings:
    """Groups on the lanes of one view.

    Args:
        law: The alternative's.
        steps: The lanes.
        gaps: The negated steps.
        ordering: Precedence and the window.
        accepts: By step, whether an event may follow its neighbour in a group; None where any may.
        low: The order number that no window begins before.

    Attributes:
        nothing: The groups of an alternative of which nothing is chosen yet.
        paths: By step, what follows what, where only neighbours decide that.
    """

    def __init__(
        self,
        law: Law,
        steps: Sequence[Content],
        gaps: Gaps,
        ordering: Ordering,
        accepts: Sequence[Callable[[Event, Event], bool] | None],
        low: int,
    ) -> None:
        self._law = law
        self._steps = steps
        self._gaps = gaps
        self._ordering = ordering
        self.nothing: list[Sequence[Event]] = [()] * law.size
        self.paths = [
            Forest(c, ordering, test, bisect_left(c.order, low), law.equal[k])
            if test is not None and law.chained[k]
            else None
            for k, (c, test) in enumerate(zip(steps, accepts, strict=True))
        ]
        self._books = [Book(c.events, bisect_left(c.order, low)) for c in steps]
        self._strands: list[dict[int, Strand]] = [{} for _ in steps]
        # The events before the first one of the second step that comes next, which start groups may end with.
        self._gap = low
        self._last = bisect_left(steps[0].order, low)
        self._lasts: list[int] = []

    def go_on(self, order: int) -> None:
        """Takes in what stands in the lanes up to an end event, and lets go of what is two windows older."""
        floor = self._ordering.floor
        before = floor(floor(order))
        for step, (paths, known) in enumerate(zip(self.paths, self._strands, strict=True)):
            if paths is not None:
                paths.catch_up(order)
            if len(known) > _SWEEP:
                low = bisect_left(self._steps[step].order, before)
                self._strands[step] = {p: s for p, s in known.items() if p >= low}
                if paths is not None:
                    paths.forget(low)

    def strand(self, step: int, place: int, groups: list[Sequence[Event]]) -> Strand:
        """The group of a step that begins at a place, given the groups before it."""
        law = self._law
        known = self._strands[step]
        if law.shared[step]:
            strand = known.get(place)
            if strand is not None:
                return strand
            groups = self.nothing.copy()
        content = self._steps[step]
        made: Strand
        if law.chosen[step]:
            takes = None if law.chained[step] else self._taking(step)
            made = Chosen(law, step, groups, content, place, self.paths[step], takes)
        else:
            made = Plain(law, step, groups, content, self._books[step], place)
        if law.shared[step]:
            known[place] = made
        return made

    def read(self, groups: Sequence[Group]) -> list[Sequence[Event]]:
        """Groups as a match has them, as conditions read them."""
        return [
            Stretch(self._books[k], g.start, g.stop) if isinstance(g, Range) else g
            for k, g in enumerate(groups)
        ]

    def _taking(self, step: int) -> Callable[[list[Sequence[Event]], list[Event], Event], bool]:
        """Whether a group takes an event after those it has, where more than neighbours decide that."""
        law = self._law
        pairs, joining, staying = law.pairs[step], law.joining[step], law.staying[step]

        def takes(groups: list[Sequence[Event]], taken: list[Event], event: Event) -> bool:
            if not all(pair(taken[-1], event) for pair in pairs):
                return False
            groups[step] = (event,)
            if not all(c.holds(groups) for c in joining):
                return False
            if staying:
                groups[step] = [*taken, event]
            return all(c.allows(groups, step) for c in staying)

        return takes

    def may_begin(self, place: int, length: int) -> bool:
        """Whether the group of the first step that begins at a place may have a length."""
        strand = self.strand(0, place, self.nothing)
        if self._law.entering[0]:
            groups = self.nothing.copy()
            groups[0] = strand.seen(1)
            if not all(c.holds(groups) for c in self._law.entering[0]):
                return False
        return strand.valid(length)

    def starts(self, place: int, groups: list[Sequence[Event]]) -> Starts | None:
        """The start groups that lead to the first event of the second step at a place."""
        law, lane = self._law, self._steps[0]
        right = self._steps[1].order[place]
        lasts = self._lasts_before(right, groups)
        for n in law.gaps[1]:
            if law.forbidding[n].negation.hits is None:
                numbers = self._gaps.hits[n].content.order
                i = bisect_left(numbers, right)
                if i:
                    low = bisect_left(lane.order, numbers[i - 1])
                    lasts = [p for p in lasts if p >= low]
        compared = any(law.forbidding[n].negation.hits is not None for n in law.gaps[1])

        def accepts(first: int, length: int) -> bool:
            if not self.may_begin(first, length):
                return False
            if not compared:
                return True
            strand = self.strand(0, first, self.nothing)
            around = self.nothing.copy()
            around[0], around[1] = strand.seen(length), (self._steps[1].events[place],)
            return not self._gaps.hit(1, strand.order(length), right, around)

        if law.single[0]:
            lasts = [p for p in lasts if accepts(p, 1)]
            return Singles(lasts) if lasts else None
        if not lasts:
            return None
        if not law.chosen[0]:
            judged = compared or law.entering[0] or law.closing[0]
            if not judged and law.most[0] == UNBOUNDED:
                # It contains what ends earlier.
                lasts = lasts[-1:]
            return Ranges(lasts, accepts if judged else None, law.least[0], law.most[0])
        return self._trees(lasts, accepts, bisect_left(lane.order, self._ordering.floor(right)))

    def _lasts_before(self, right: int, groups: list[Sequence[Event]]) -> list[int]:
        """The places that a start group may end at so that what begins at an order number follows it."""
        law, lane = self._law, self._steps[0]
        stop = bisect_left(lane.order, right)
        if not law.entered[1]:
            low = bisect_left(lane.order, self._gap)
            self._gap = right
            return list(range(low, stop))
        while self._last < stop:
            self._lasts.append(self._last)
            self._last += 1
        found, still = [], []
        low = bisect_left(lane.order, self._ordering.floor(right))
        for place in self._lasts:
            groups[0] = (lane.events[place],)
            if all(c.holds(groups) for c in law.entered[1]):
                found.append(place)
            elif place >= low:
                still.append(place)
        groups[0] = ()
        self._lasts = still
        return found

    def _trees(self, ends: Sequence[int], accepts: Callable[[int, int], bool], low: int) -> Trees | None:
        """The groups that end at one of some places, neighbours going together."""
        law, paths = self._law, self.paths[0]
        assert paths is not None
        groups: dict[int, int] = {}
        lasts: dict[int, int] = {}
        for last in reversed(ends):
            stack = [(last, 1)]
            while stack:
                place, length = stack.pop()
                # A path that leads on to a later one of the ends may have been longer.
                if place not in groups and accepts(place, length):
                    groups[place], lasts[place] = length, last
                if length < law.most[0]:
                    stack += [(p, length + 1) for p in paths.sources(place) if p >= low]
        return Trees(groups, lasts, paths, low) if groups else None

    def group(self, start: Start) -> Group:
        """A start group, as a match has it."""
        place, length = start
        if self._law.single[0]:
            return (self._steps[0].events[place],)
        return self.strand(0, place, self.nothing).group(length)
